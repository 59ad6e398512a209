"""The Kivy widgets: each draws one kind of part and answers to fingers on it."""
