"""The benchmarks: speed, memory and accuracy, measured, never asserted. A module a part; see `__main__`."""
