"""What a glossy board mirrors of the room, and keeps where somebody shadows a lamp.

Walls and ceiling are mirrored everywhere a little, in the reference picture, too, so that they are a part of what is
known of the board. Where less light falls on it there is that much less of the board's own light, but no less of
theirs. By the factor it should be less, too: so much light is added, about the same of all colours. Of what a turquoise
sea shows of red it is the most.
"""

from __future__ import annotations

import numpy as np

from calibration.arrays import Floats32, Mask
from calibration.surface import FLOOR, PRINT, by_channels, log_factor, log_ratio, weights, without

STRAY = 0.005
"""Linear light (of 1) that may be mirrored: what the print has as little of hardly tells by how much more of it falls
there."""

LIT = 0.9
"""This share of the board has no more light than where nothing is shadowed."""

LEAST_MISSING = 0.2
"""Where nowhere so much of the reference's light is missing there is nothing to tell by."""

ASTRAY = 0.15
"""If without what is as dark the factor is so much (log, in the median) another, it follows a lamp that is mirrored in
a part of the board. With 40 shadows it was 0.06 at most, with two strong lamps 0.5."""

LEAST = 0.001
"""Less added light (linear, of 1) is not told from none."""

ROUNDS = 3
"""What is mirrored and the factor are told in turns: what is left of the former passes for light that is there. In the
end two thirds of it are found."""

_STEPS = 4


def find_gloss(
    cells: Floats32, known: Floats32, trust: Floats32, smooth: Floats32, *, shadow: Floats32 | None, most: float
) -> Floats32 | None:
    """Rows x columns: the linear light that is mirrored of the room beyond what the factor has of it; None if it is not
    told.

    `cells`: a picture's linear light; `known`: the reference's; `trust`: how much each counts; `smooth`: the log of the
    factor on the reference that is known of, of which `shadow` is a part if there is one (all rows x columns x 3). No
    more than `most` is mirrored where the reference has light of 1.
    """
    trusted = trust.sum(axis=2) > 0
    if _missing(smooth, trusted) is None:
        return None
    depth = np.float32(0.0) if shadow is None else shadow
    shadowed, gloss = known * np.exp(depth), np.zeros(cells.shape[:2], np.float32)
    for _ in range(ROUNDS):
        factor = log_factor(without(cells, gloss[..., None]), shadowed, trust, STRAY) + depth
        missing = _missing(factor, trusted)
        if missing is None or np.median(np.abs(factor - smooth)[trusted]) > ASTRAY:
            return None
        gloss = np.float32(_mirrored(cells, known * np.exp(factor), trust, missing, most)) * missing
        if gloss.max() < LEAST:
            return None
    return gloss


def _missing(smooth: Floats32, trusted: Mask) -> Floats32 | None:
    """Rows x columns: how much of the reference's light is missing in each cell, against where nothing is shadowed.

    None if nowhere on the board (`trusted`) much is.
    """
    if not trusted.any():
        return None
    factor = np.exp(smooth).mean(axis=2)
    missing = np.asarray(np.maximum(np.quantile(factor[trusted], LIT) - factor, 0.0), np.float32)
    return missing if missing[trusted].max() > LEAST_MISSING else None


def _mirrored(cells: Floats32, expected: Floats32, trust: Floats32, missing: Floats32, most: float) -> float:
    """How much is mirrored of a light of 1, if the cells have as much as is `expected` of them and that."""
    base, mirrored = by_channels(trust), 0.0
    for _ in range(_STEPS):  # Newton's
        left = without(cells, np.float32(mirrored) * missing[..., None])
        off = by_channels(np.asarray(log_ratio(left, expected), np.float32))
        lifted = by_channels(np.asarray(missing[..., None] / (left + FLOOR), np.float32))
        weight = weights(base, off, 2 * PRINT)
        more = (weight * lifted * off).sum() / max((weight * lifted**2).sum(), 1e-9)
        mirrored = float(np.clip(mirrored + more, 0.0, most))
    return mirrored
