"""Find what covers the table: hands and arms.

In: `PixelEvidence`, the island. Out: a mask of hidden pixels. An arm is the one thing that is
neither print nor tile, is wider than any piece and reaches in from outside the board.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from calibration import Calibration
from calibration.colours import ColourModel
from companion.rules.layout import TERRAINS
from companion.vision.evidence import Mask, PixelEvidence
from companion.vision.field import Field

FOREIGN = -13.0
"""Log density below which neither print nor tile explains a pixel."""

TILE = -11.6
TILE_FLOOR = -14.0
TILE_WINDOW = (9, 9)
"""A tile's colours have this log density or more, in the mean over a window (view px); single flowers may be rarer."""

SKIN_MARGIN = -0.7
GROWTHS = 3
GROWN = 1.05
SAMPLE_STEP = 7
RIM_MM = 2.0

ARM_RADIUS_MM = 13.0
"""A disc of this radius fits into an arm, but into no heap of pieces."""

REACH_MM = 28.0
"""Fingers reach this far beyond where the disc fits."""

MIN_AREA_MM2 = 2500.0
EDGE_MM = 30.0


class HandStep:
    """Finds hands."""

    def __init__(self, calibration: Calibration, field: Field) -> None:
        self._field = field
        self._terrains = [calibration.colours.index[t] for t in TERRAINS]
        self._scale = calibration.view.px_per_mm
        grid = np.abs(calibration.view.grid_mm)
        width, height = calibration.board.board
        self._board = (grid[..., 0] < width / 2) & (grid[..., 1] < height / 2)
        self._rim = self._board & ~((grid[..., 0] < width / 2 - EDGE_MM) & (grid[..., 1] < height / 2 - EDGE_MM))

    def __call__(self, evidence: PixelEvidence) -> Mask:
        """H x W: True where a hand or arm hides the board."""
        no_print = (evidence.ground < FOREIGN) & self._board
        tile = cv2.blur(np.maximum(evidence.classes[..., self._terrains].max(axis=2), TILE_FLOOR), TILE_WINDOW)
        tiled = self._field.island & (tile > TILE)
        arm = self._arm(no_print & ~tiled)
        if not arm.any():
            return arm
        # skin may be as pale as sand: what has the arm's colour rather than the tiles' belongs to it, step by step
        for _ in range(GROWTHS):
            sample = evidence.lab[arm & ~tiled][::SAMPLE_STEP]
            skin = ColourModel({"arm": sample}).log_density(evidence.lab)[..., 0]
            tiled &= skin < tile + SKIN_MARGIN
            before, arm = arm.sum(), self._arm(no_print & ~tiled)
            if arm.sum() < GROWN * before:
                break
        return np.asarray(cv2.dilate(arm.astype(np.uint8), _disc(RIM_MM * self._scale)) > 0)

    def _arm(self, foreign: Mask) -> Mask:
        """Of what is neither print nor tile the parts that are wide, large and reach in from outside."""
        closed = cv2.morphologyEx(foreign.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
        disc = _disc(ARM_RADIUS_MM * self._scale)
        core = cv2.morphologyEx(closed, cv2.MORPH_OPEN, disc, borderType=cv2.BORDER_REPLICATE)
        count, labels, stats, _ = cv2.connectedComponentsWithStats(core, connectivity=8)
        arm = np.zeros(foreign.shape, bool)
        for i in range(1, count):
            part = labels == i
            if stats[i, cv2.CC_STAT_AREA] < MIN_AREA_MM2 * self._scale**2 or not (part & self._rim).any():
                continue
            near = cv2.dilate(part.astype(np.uint8), _disc(REACH_MM * self._scale)) > 0
            _, pieces = cv2.connectedComponents((near & (closed > 0)).astype(np.uint8), connectivity=8)
            arm |= np.isin(pieces, np.setdiff1d(np.unique(pieces[part]), [0]))
        return arm


def _disc(radius: float) -> npt.NDArray[np.uint8]:
    size = 2 * round(radius) + 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), np.uint8)
