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

DOUBT = 0.08, 0.97
"""Between these a foot is in doubt, and the land is looked at once more, in a mirror: an eighth of those that are read
in the recognition set, a third at kept-out tables. Of 1632 lands of that set, as it is and altered in eleven ways, 16
are wrong instead of 20, and the negative log of the truth is 35 instead of 46; of 760 lands at 47 tables 10 (12), 41
(45). All of them looked at twice: as many."""


def is_peak(rates: Floats32, kind: int, least: float = PEAK) -> Mask:
    """Cells of maps (colours x cells) where a foot of that kind may stand: none round them is likelier, of any."""
    return np.asarray((rates[kind] >= _highest(rates)) & (rates[kind] >= least))


def in_doubt(rates: Floats32) -> bool:
    """True if somebody seems to stand somewhere, or nobody, and not surely."""
    low, high = DOUBT
    best = rates.max(axis=0)
    return bool(((best >= _highest(rates)) & (best > low) & (best < high)).any())


def feet_on(rates: Floats32, inside: Mask) -> list[Floats]:
    """Of each place where somebody may stand how probably that is nobody, or somebody of each of the colours.

    The peak tells whether anybody does. Of which colour is told by all that are likely there, by the squares of their
    rates: somebody beside has a share in them, too. `inside`: the cells that are land.
    """
    feet = []
    for kind in range(len(rates)):
        for row, column in zip(*np.nonzero(is_peak(rates, kind) & inside), strict=True):
            near = rates[:, max(0, row - 1) : row + 2, max(0, column - 1) : column + 2].max(axis=(1, 2))
            rate = min(float(rates[kind, row, column]), SUREST)
            feet.append(np.array([1 - rate, *(rate * near**2 / np.sum(near**2))]))
    return feet


def mean_rates(one: Floats32, other: Floats32) -> Floats32:
    """What two looks say together: the mean of their logits."""
    odds = np.sqrt(one / np.maximum(1 - one, 1e-6) * other / np.maximum(1 - other, 1e-6))
    return np.asarray(odds / (1 + odds), np.float32)


def _highest(rates: Floats32) -> Floats32:
    """Of each cell the highest rate of any kind in it and round it."""
    return np.asarray(cv2.dilate(np.ascontiguousarray(rates.max(axis=0)), np.ones((3, 3), np.uint8)), np.float32)
