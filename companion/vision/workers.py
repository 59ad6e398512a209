"""The threads that work on one picture side by side: on its colours, on its planes, on batches of windows."""

from __future__ import annotations

from concurrent.futures import Executor, ThreadPoolExecutor

import cv2

WORKERS = 2
"""The screen and the rest of the program want the other cores."""


def make_workers() -> Executor:
    """Threads for all steps of a recogniser; whoever gives them work waits for it, and none waits for another.

    OpenCV's own are put off in the whole process: steps of a millisecond or two are over before a thread has woken, and
    threads that wait spin (of two cores, a twelfth of the time of a picture, and none of it is read sooner).
    """
    cv2.setNumThreads(1)
    return ThreadPoolExecutor(WORKERS, "vision")
