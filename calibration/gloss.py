"""What a glossy board mirrors of the room, and keeps where somebody shadows a lamp.

Walls and ceiling are mirrored everywhere a little, in the reference picture, too, so that they are a part of what is
known of the board. Where less light falls on it there is that much less of the board's own light, but no less of
theirs. By the factor it should be less, too: so much light is added, about the same of all colours. Of what a turquoise
sea shows of red it is the most.
"""

from __future__ import annotations

import numpy as np

from calibration.arrays import Floats32, Mask
from calibration.surface import FLOOR, PRINT, by_channels, log_ratio, weights

STRAY = 0.005
"""Linear light (of 1) that may be mirrored: what the print has as little of hardly tells by how much more of it falls
there."""

LIT = 0.9
"""This share of the board has no more light than where nothing is shadowed."""

LEAST_MISSING = 0.2
"""Where nowhere more of the light is missing, by the factor, there is nothing to tell by."""

ASTRAY = 0.15
"""If without what is as dark the factor is so much (log, in the median) another, it follows a lamp that is mirrored in
a part of the board. With 40 shadows it was 0.06 at most, with two strong lamps 0.5."""

LEAST = 0.001
"""Less added light (linear, of 1) is not told from none."""

ROUNDS = 3
"""What is mirrored and the factor are told in turns: what is left of the former passes for light that is there. In the
end two thirds of it are found."""

_STEPS = 4


def find_missing(log_factor: Floats32, trusted: Mask) -> Floats32 | None:
    """Rows x columns: how much of the reference's light is missing in each cell, less than where nothing is shadowed.

    `log_factor`: rows x columns x 3, by which there is more light than on the reference; `trusted` (rows x columns):
    where the board is. None if it is about the same everywhere.
    """
    factor = np.exp(log_factor).mean(axis=2)
    if not trusted.any():
        return None
    missing: Floats32 = np.maximum(np.quantile(factor[trusted], LIT) - factor, 0.0).astype(np.float32)
    return missing if missing[trusted].max() > LEAST_MISSING else None


def find_gloss(cells: Floats32, expected: Floats32, trust: Floats32, missing: Floats32, most: float) -> Floats32 | None:
    """Rows x columns: the linear light that is mirrored in excess of what is `expected`; None if hardly any is.

    `cells`: a picture's linear light; `expected`: the reference's under the factor; `trust`: how much each counts (all
    rows x columns x 3). `missing`: `find_missing`. No more than `most` is mirrored of a light of 1.
    """
    base, mirrored = by_channels(trust), 0.0
    for _ in range(_STEPS):  # Newton's
        left = np.asarray(np.maximum(cells - np.float32(mirrored) * missing[..., None], 0.0), np.float32)
        off = by_channels(np.asarray(log_ratio(left, expected), np.float32))
        lifted = by_channels(np.asarray(missing[..., None] / (left + FLOOR), np.float32))
        weight = weights(base, off, 2 * PRINT)
        more = (weight * lifted * off).sum() / max((weight * lifted**2).sum(), 1e-9)
        mirrored = float(np.clip(mirrored + more, 0.0, most))
    gloss = np.float32(mirrored) * missing
    return gloss if gloss.max() >= LEAST else None
