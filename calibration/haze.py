"""Light that the lens itself scatters over all of a picture: dust, a finger's print, a lamp that shines into it.

In: the picture of the empty board, the corner cards. Out: how much light is added everywhere, and what takes it out.
It makes black grey: what differs little in the dark, as black creatures do, then differs less. What comes to a single
picture later is a veil (`light`); this is in all of a table's pictures, also in that of the empty board.
"""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
import numpy.typing as npt

from calibration.arrays import Floats, Image, Mask
from calibration.print import BoardPrint
from calibration.response import LEVELS, to_levels, to_light

INK = 0.1
"""Printed black is no brighter than that, as a share of the paper's white (linear light): what is more is haze. Toner
has some 0.04, ink on plain paper up to this (densities of 1.4 and 1.0); 149 rendered tables have 0.06 at most. Where
what is none is taken out, dark things become black and are misread as in haze: so none is believed sooner."""

FEWEST = 2
"""With fewer cards a lamp mirrored in one is not told from haze: all have what the lens adds."""

CUT_OFF = 254
"""From this level on white may be brighter than the picture shows."""

DARKEST = 0.01
"""Share of the pixels that are called dark: fewer would be noise."""

Haze = tuple[float, float, float]
"""Linear light (of 1) in blue, green, red."""

NO_HAZE: Haze = (0.0, 0.0, 0.0)

_LIGHT = to_light(LEVELS)


def black_and_white(image: Image, board: BoardPrint, cards: Mapping[str, Floats]) -> Floats:
    """N x 2 x 3: of each card in the picture (BGR) the linear light of black and of white.

    `cards`: the markers' corners in px. None are told of cards whose white is cut off, nor of fewer than `FEWEST`.
    """
    told = []
    for name, seen in cards.items():
        corners = board.card_corners(name)[:, :2]
        to_picture = cv2.getPerspectiveTransform(corners.astype(np.float32), np.asarray(seen, np.float32))
        black, white = (
            np.median(_sampled(image, cv2.perspectiveTransform(points[None, :, :2], to_picture)), axis=0)
            for points in (board.card_black(name), board.card_white(name))
        )
        if white.max() < CUT_OFF:
            told.append([black, white])
    return to_light(np.array(told if len(told) >= FEWEST else []).reshape(-1, 2, 3) / 255)


def measure_haze(image: Image, board: BoardPrint, cards: Mapping[str, Floats]) -> Haze:
    """How much light the lens adds everywhere, so far as the cards prove it. Arguments as in `black_and_white`."""
    told = black_and_white(image, board, cards)
    if not len(told):
        return NO_HAZE
    added = ((told[:, 0] - INK * told[:, 1]) / (1 - INK)).min(axis=0)
    blue, green, red = (float(v) for v in np.maximum(added, 0.0))
    return blue, green, red


def black_share(image: Image, board: BoardPrint, cards: Mapping[str, Floats]) -> float | None:
    """How bright printed black is, as a share of white, on the card where it is least; None where that is not told."""
    told = black_and_white(image, board, cards)
    return float((told[:, 0] / told[:, 1]).mean(axis=1).min()) if len(told) else None


def cleared(picture: Image, haze: Haze, there: Mask) -> Image:
    """A picture (H x W x 3 BGR) without that haze, or with less of it taken out if it has less.

    For nothing is darker than the haze: if what is dark among the pixels `there` (H x W) is, the lens has been wiped.
    """
    if not any(haze):
        return picture
    inside = there.astype(np.uint8)
    counts = (cv2.calcHist([picture], [channel], inside, [256], [0, 256]).ravel() for channel in range(3))
    darkest = [int(np.searchsorted(n.cumsum(), DARKEST * n.sum())) for n in counts]
    added = np.minimum(haze, _LIGHT[darkest])
    levels = to_levels(np.maximum(_LIGHT[:, None] - added, 0.0) / (1 - added))
    return np.asarray(cv2.LUT(picture, np.round(255 * levels).astype(np.uint8)[None]), np.uint8)


def _sampled(image: Image, pixels: npt.ArrayLike) -> Floats:
    """N x 3: the picture's levels at 1 x N x 2 px."""
    maps = np.asarray(pixels, np.float32)
    return np.asarray(cv2.remap(image, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR)[0], float)
