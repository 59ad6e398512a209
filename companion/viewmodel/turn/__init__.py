"""4 and 6. The turn: one module a phase, round one panel."""
