"""The lens sheet in live pictures: is it seen, is this view a new one, how much of the picture is covered by now.

In: `SheetView`s. Out: figures over several of them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from calibration.lens import SheetView

CELLS = (6, 4)
"""Columns and rows by which coverage is counted."""

DUPLICATE_SHARE = 0.035
"""Views whose corners lie nearer to each other than this share of the picture's longer side show nothing new."""

HELD_SHARE = 0.003
"""A sheet whose corners move by less than this share of that side from picture to picture is held still."""


def coverage(views: Sequence[SheetView]) -> float:
    """The share of the picture's cells in which some view has a corner, 0 to 1."""
    hit = {
        (int(x * CELLS[0] / view.size[0]), int(y * CELLS[1] / view.size[1])) for view in views for x, y in view.corners
    }
    return len(hit) / (CELLS[0] * CELLS[1])


def is_new(view: SheetView, views: Sequence[SheetView]) -> bool:
    """False if one of `views` shows the sheet in nearly the same place."""
    return all(_shift(view, other) > DUPLICATE_SHARE for other in views)


def is_held(view: SheetView, before: SheetView | None) -> bool:
    """True if the sheet hardly moves against the picture before."""
    return before is not None and _shift(view, before) < HELD_SHARE


def _shift(a: SheetView, b: SheetView) -> float:
    """Mean distance of the corners that both show, as a share of the picture's longer side; infinite without any."""
    _, at_a, at_b = np.intersect1d(a.ids, b.ids, return_indices=True)
    if not len(at_a):
        return float("inf")
    return float(np.linalg.norm(a.corners[at_a] - b.corners[at_b], axis=1).mean()) / max(a.size)
