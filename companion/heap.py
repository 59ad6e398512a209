"""One heap for all threads of a process that reads pictures."""

from __future__ import annotations

import ctypes
import sys

_M_ARENA_MAX = -8
"""The parameter's number in glibc's malloc.h."""


def share() -> bool:
    """Let threads that begin from now on allocate from the heap that there is. False where that cannot be chosen.

    By itself glibc gives each thread a heap of its own, which keeps what the largest step has needed, although only one
    step is at work at a time: with one heap 15 MB less are held, and fewer pages have to be cleared for every picture.
    """
    if sys.platform != "linux":
        return False
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)  # other C libraries have none
    return mallopt is not None and mallopt(_M_ARENA_MAX, 1) == 1
