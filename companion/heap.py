"""The heap of a process that reads pictures: one for all threads, and no larger than it has to be."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable

LARGE_PX = 4_000_000
"""A picture of so many pixels is large: its arrays do not fit into what lies scattered over the heap."""

_M_ARENA_MAX = -8
"""The parameter's number in glibc's malloc.h."""


def share() -> bool:
    """Let threads that begin from now on allocate from the heap that there is. False where that cannot be chosen.

    By itself glibc gives each thread a heap of its own, which keeps what the largest step has needed, although only one
    step is at work at a time: with one heap 15 MB less are held, and fewer pages have to be cleared for every picture.
    """
    mallopt = _of_c("mallopt")
    return mallopt is not None and mallopt(_M_ARENA_MAX, 1) == 1


def trim() -> bool:
    """Give back what was freed. False where nothing was, or it cannot be chosen.

    After a start, which needs more than what comes later: of some 30 MB freed then, scattered over the heap, a picture
    of 12 megapixels uses hardly any, for its large arrays do not fit in.
    """
    malloc_trim = _of_c("malloc_trim")
    return malloc_trim is not None and malloc_trim(0) == 1


def make_room(size: tuple[int, int]) -> None:
    """Between two pictures of that size (px): `trim` if they are large.

    What was given back has to be cleared anew for the next one, some 10 ms: a picture of 12 megapixels needs 30 MB less
    for that, one of the usual size nothing less.
    """
    if size[0] * size[1] >= LARGE_PX:
        trim()


def _of_c(name: str) -> Callable[..., int] | None:
    """A function of the C library; None where there is none of that name: only glibc has these."""
    return getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None
