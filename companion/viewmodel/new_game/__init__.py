"""The wizard of a new game: four steps over one draft, each a module of pure functions."""
