"""The threads that work on one picture side by side: on its colours, on its planes, on batches of windows."""

from __future__ import annotations

from concurrent.futures import Executor, ThreadPoolExecutor

WORKERS = 2
"""The screen and the rest of the program want the other cores."""


def make_workers() -> Executor:
    """Threads for all steps of a recogniser; whoever gives them work waits for it, and none waits for another."""
    return ThreadPoolExecutor(WORKERS, "vision")
