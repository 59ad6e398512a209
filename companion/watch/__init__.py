"""Camera and recognition in a process of their own, so that the screen never waits for either."""
