"""How much of a lamp the empty board mirrors, though nothing burns out.

In: the picture of the empty board, its camera, the white of the cards. Out: a share of white. What is mirrored
adds the same light to all channels; the sea is the same ink all over, in more light or less.
"""

from __future__ import annotations

import cv2
import numpy as np

from calibration.arrays import Floats, Image
from calibration.camera import Camera
from calibration.light import to_linear
from calibration.print import HEXES, BoardPrint

REACH_MM = 13.0
"""So far from a hex's middle the print is looked at: within its lines."""

STEP_MM = 2.0
DARK = 30.0
"""Percentile of a hex's pixels in each channel: foam, lines and emblems are lighter than the sea."""

INK = 0.3
"""This share of the hexes, the most colourful ones, has the sea's colour with the least mirrored in it."""

GREY = 0.7
"""An ink whose darkest channel has more than that share of its brightest is too grey for white to be told from it."""

MISFIT = 0.1
"""A hex is no sea, but sand or an emblem, if so much of its brightest channel is neither the sea's colour nor white."""

WHERE = 0.9
"""So much less is mirrored in this share of the hexes: a lamp hides a dozen, shallows and a shiny fold fewer."""


def mirrored(shares: Floats) -> float:
    """How much more light is mirrored in a tenth of the hexes than in half of them, as a share of white; 0 if none is.

    `shares`: `by_hex`. What is everywhere is haze, or the room.
    """
    return float(np.quantile(shares, WHERE) - np.median(shares))


def by_hex(image: Image, camera: Camera, board: BoardPrint, white: float) -> Floats:
    """Light that is mirrored in each of `HEXES`, as a share of white, N; 0 where no sea is printed.

    `image`: H x W x 3 uint8 BGR, of the empty board. `white`: the brightness of the cards' white, 0 to 255.
    """
    seen = _hexes(image, camera, board)
    full = to_linear(np.full((1, 1, 3), max(1, round(white)), np.uint8)).mean()
    dark = np.percentile(seen, DARK, axis=1) / full
    brightest = np.maximum(dark.max(axis=1), 1e-6)
    paleness = dark.min(axis=1) / brightest
    colourful = dark[paleness <= np.quantile(paleness, INK)]
    ink = np.median(colourful / np.maximum(colourful.sum(axis=1, keepdims=True), 1e-6), axis=0)
    if ink.min() > GREY * ink.max():
        return np.zeros(len(dark))
    made_of = np.stack([ink, np.ones(3)], axis=1)
    shares, *_ = np.linalg.lstsq(made_of, dark.T, rcond=None)
    misfit = np.abs(made_of @ shares - dark.T).max(axis=0)
    return np.asarray(np.where(misfit < MISFIT * brightest, np.maximum(shares[1], 0.0), 0.0), np.float64)


def _hexes(image: Image, camera: Camera, board: BoardPrint) -> Floats:
    """Linear light of points all over each hex: hexes x points x 3."""
    steps = np.arange(-REACH_MM, REACH_MM + STEP_MM, STEP_MM)
    x, y = (axis.ravel() for axis in np.meshgrid(steps, steps))
    disc = np.stack([x, y, np.zeros(x.size)], axis=1)[np.hypot(x, y) <= REACH_MM]
    middles = np.array([(*board.centre(h), 0.0) for h in HEXES])
    maps = camera.project((middles[:, None] + disc).reshape(-1, 3)).astype(np.float32).reshape(len(HEXES), len(disc), 2)
    seen = cv2.remap(image, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR)
    return np.asarray(to_linear(np.asarray(seen, np.uint8)), np.float64)
