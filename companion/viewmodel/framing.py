"""Which part of the camera's picture is shown: the board with its cards, once it is known where it lies.

In: the board's corners and the picture's size, px. Out: a window (x, y, w, h) that stays while it does.
"""

from __future__ import annotations

from collections.abc import Sequence

Window = tuple[float, float, float, float]

WHOLE: Window = (0.0, 0.0, 0.0, 0.0)
"""All of the picture."""

MARGIN = 0.15
"""Shown round the board on each side, as a share of its extent: the cards, and a little table."""

LEAST_MARGIN, MOST_MARGIN = 0.07, 0.4
"""A window with a margin between these two stays as it is: a picture that jumps cannot be looked at."""


def frame(corners: Sequence[tuple[float, float]], size: tuple[int, int], before: Window) -> Window:
    """The window for these corners; all of the picture if none are known."""
    if not corners:
        return WHOLE
    wide_enough = before != WHOLE and _contains(before, _grown(corners, LEAST_MARGIN, size))
    if wide_enough and _contains(_grown(corners, MOST_MARGIN, size), before):
        return before
    return _grown(corners, MARGIN, size)


def _grown(corners: Sequence[tuple[float, float]], margin: float, size: tuple[int, int]) -> Window:
    """The corners' extent with a margin, cut to the picture."""
    xs, ys = [x for x, _y in corners], [y for _x, y in corners]
    dx, dy = margin * (max(xs) - min(xs)), margin * (max(ys) - min(ys))
    left, top = max(0.0, min(xs) - dx), max(0.0, min(ys) - dy)
    right, bottom = min(float(size[0]), max(xs) + dx), min(float(size[1]), max(ys) + dy)
    return left, top, max(1.0, right - left), max(1.0, bottom - top)


def _contains(outer: Window, inner: Window) -> bool:
    return (
        outer[0] <= inner[0]
        and outer[1] <= inner[1]
        and outer[0] + outer[2] >= inner[0] + inner[2]
        and outer[1] + outer[3] >= inner[1] + inner[3]
    )
