"""The rules of the game: pure functions over immutable positions."""
