"""The board's hexes on the raster: outlines, masks, which hex a point stands on.

In: the board, the calibration. Out: masks in the calibration's view, for prisms that stand on the board's face and lean
away from the camera as all that has height does.
"""

from __future__ import annotations

import functools

import cv2
import numpy as np
import numpy.typing as npt

from calibration import Calibration
from calibration.appearance import hex_outline, lean
from companion.rules.geometry import LANDS, Board, Hex
from companion.vision.evidence import Mask

Floats = npt.NDArray[np.float64]

_LAND_SIDES = {"nw": (-1, -1), "ne": (1, -1), "sw": (-1, 1), "se": (1, 1)}


class Field:
    """One board under one camera."""

    def __init__(self, board: Board, calibration: Calibration) -> None:
        self.board = board
        self.view = calibration.view
        self.eye = calibration.camera.eye
        self.size = calibration.board.board
        self.centres = np.array([board.centre_mm(h) for h in board.hexes])
        self.thickness = board.physical.tile_thickness

    def outline(self, h: Hex, height: float, shrink: float = 0.0) -> Floats:
        """6 x 2 view px: a hex at that height (mm), its corners drawn in by `shrink` mm."""
        corners = hex_outline(self.board.centre_mm(h), self.board.side_mm - shrink)
        return np.asarray(self.view.pixels(lean(self.eye, corners, height)))

    @functools.lru_cache(maxsize=1024)  # noqa: B019 - lives as long as the recogniser that owns it
    def pixels(self, h: Hex, low: float, high: float, shrink: float) -> npt.NDArray[np.intp]:
        """Flat indices of the view's pixels that the prism of a hex covers between two heights (mm)."""
        corners = np.concatenate([self.outline(h, low, shrink), self.outline(h, high, shrink)])
        mask = np.zeros(self.view.shape, np.uint8)
        cv2.fillConvexPoly(mask, cv2.convexHull(np.round(corners).astype(np.int32)), 1)
        return np.flatnonzero(mask)

    def lean_px(self, at: Floats, height: float) -> Floats:
        """By how many view px a point at that height above `at` (mm) appears moved."""
        return np.asarray((lean(self.eye, at[None], height)[0] - at) * self.view.px_per_mm, float)

    def foot(self, pixel: Floats, height: float) -> Floats:
        """The point (mm) below what is seen at a view pixel and stands at that height."""
        seen = self.view.mm(pixel)
        return np.asarray(self.eye[:2] + (seen - self.eye[:2]) * (1 - height / self.eye[2]), float)

    def nearest(self, at: Floats) -> list[tuple[float, Hex]]:
        """The hexes near a point (mm), nearest first, with how far the point lies outside each (negative: inside)."""
        offset = at - self.centres
        close = np.flatnonzero((offset**2).sum(axis=1) < (3 * self.board.side_mm) ** 2)
        found = [(_outside(offset[i], self.board.physical.hex_flat_to_flat / 2), self.board.hexes[i]) for i in close]
        return sorted(found)

    def on_board(self, at: Floats) -> bool:
        """True if a point (mm) lies on the board, or so little beside it that it may be an error of measurement."""
        return bool(abs(at[0]) < self.size[0] / 2 + 2 and abs(at[1]) < self.size[1] / 2 + 2)

    def land(self, at: Floats) -> str | None:
        """The safe land whose corner of the board a point (mm) lies in; None off the board."""
        if not self.on_board(at):
            return None
        sides = (1 if at[0] > 0 else -1, 1 if at[1] > 0 else -1)
        return next(land for land in LANDS if _LAND_SIDES[land] == sides)

    @functools.cached_property
    def island(self) -> Mask:
        """Pixels that a tile may cover."""
        mask = np.zeros(self.view.shape, bool)
        for h in self.board.island:
            mask.ravel()[self.pixels(h, 0.0, max(self.thickness.values()), 0.0)] = True
        return mask


_NORMALS = np.stack([np.cos(np.pi / 3 * np.arange(6)), np.sin(np.pi / 3 * np.arange(6))], axis=1)


def _outside(offset: Floats, inner: float) -> float:
    """Distance (mm) of a point from a hex's outline, negative inside."""
    return float((_NORMALS @ offset).max() - inner)
