"""Maps of feet on the safe lands: where somebody may stand, of which colour, and whether that is in doubt.

In: the rates of the network of safe lands, colours x cells: how surely somebody of that colour stands in a cell. Up to
four cells side by side are right for one foot; the likeliest of them counts, the peak.
"""

from __future__ import annotations

import cv2
import numpy as np

from calibration.arrays import Floats, Floats32, Mask

PEAK = 0.04
"""A cell may hold a foot from this on."""

SUREST = 0.999
"""No foot is surer, so that something else than what is likeliest remains possible."""

DOUBTED = 0.95
"""With what is likeliest of a foot less probable than this, the land is looked at once more, in a mirror."""


def is_peak(rates: Floats32, least: float = PEAK) -> Mask:
    """Colours x cells: where a foot of that colour may stand, as no cell round it is likelier, of any colour."""
    highest = cv2.dilate(np.ascontiguousarray(rates.max(axis=0)), np.ones((3, 3), np.uint8))
    return np.asarray((rates >= highest) & (rates >= least))


def in_doubt(rates: Floats32) -> bool:
    """True if it is not sure of some foot, be it on the land or beside it, whether it is one or of which colour."""
    everywhere = np.ones(rates.shape[1:], bool)
    return any(foot.max() < DOUBTED for foot in feet_on(rates, everywhere))


def feet_on(rates: Floats32, inside: Mask) -> list[Floats]:
    """Of each place where somebody may stand how probably that is nobody, or somebody of each of the colours.

    A rate is that of one colour: that somebody stands there is as probable as all of them together. Of which colour is
    told by the squares of their rates there: somebody beside has a share in them, too. `inside`: the cells that are
    land.
    """
    feet = []
    for _, row, column in np.argwhere(is_peak(rates) & inside):
        near = rates[:, max(0, row - 1) : row + 2, max(0, column - 1) : column + 2].max(axis=(1, 2))
        somebody = min(float(near.sum()), SUREST)
        feet.append(np.array([1 - somebody, *(somebody * near**2 / np.sum(near**2))]))
    return feet


def mean_rates(one: Floats32, other: Floats32) -> Floats32:
    """What two looks say together: the mean of their logits. No rate of either counts as more than 1 - 1e-6."""
    odds = np.sqrt(one / np.maximum(1 - one, 1e-6) * other / np.maximum(1 - other, 1e-6))
    return np.asarray(odds / (1 + odds), np.float32)
