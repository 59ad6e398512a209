"""Find what covers the table: hands and arms.

In: `PixelEvidence`, the island. Out: a mask of hidden pixels. An arm is the one thing that is neither print nor tile, is
wider than any piece and reaches in from outside the board.
"""

from __future__ import annotations

import cv2
import numpy as np

from calibration import Calibration
from companion.rules.layout import TERRAINS
from companion.vision.evidence import Mask, PixelEvidence
from companion.vision.field import Field

FOREIGN = -13.0
"""Log density below which neither print nor tile explains a pixel."""

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
        foreign = evidence.ground < FOREIGN
        tile = evidence.classes[..., self._terrains].max(axis=2) > FOREIGN
        foreign &= ~(self._field.island & tile)
        foreign &= self._board
        closed = cv2.morphologyEx(foreign.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
        core = cv2.morphologyEx(
            closed, cv2.MORPH_OPEN, _disc(ARM_RADIUS_MM * self._scale), borderType=cv2.BORDER_REPLICATE
        )
        count, labels, stats, _ = cv2.connectedComponentsWithStats(core, connectivity=8)
        hidden = np.zeros(foreign.shape, bool)
        for i in range(1, count):
            arm = labels == i
            if stats[i, cv2.CC_STAT_AREA] < MIN_AREA_MM2 * self._scale**2 or not (arm & self._rim).any():
                continue
            near = cv2.dilate(arm.astype(np.uint8), _disc(REACH_MM * self._scale)) > 0
            _, parts = cv2.connectedComponents((near & (closed > 0)).astype(np.uint8), connectivity=8)
            hidden |= np.isin(parts, np.setdiff1d(np.unique(parts[arm]), [0]))
        return hidden


def _disc(radius: float) -> np.ndarray:
    size = 2 * round(radius) + 1
    return cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
