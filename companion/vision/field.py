"""The board's hexes on the raster: outlines, masks, how thick its tiles are.

In: the board, the calibration. Out: masks in the calibration's view, for prisms that stand on the board's face and lean
away from the camera as all that has height does.
"""

from __future__ import annotations

import functools
import math

import msgspec
import numpy as np

from calibration import Calibration
from calibration.arrays import Floats, Mask, Pixels
from calibration.hexes import hex_outline, hex_pixels, lean
from companion.rules.geometry import Board, Hex
from companion.vision.windows import WindowCutter


class Field:
    """One board under one camera: of its sizes those count that it was calibrated with."""

    def __init__(self, board: Board, calibration: Calibration) -> None:
        printed = calibration.board
        physical = msgspec.structs.replace(
            board.physical, board=printed.board, hex_flat_to_flat=printed.hex_flat_to_flat
        )
        board = msgspec.structs.replace(board, physical=physical)
        self.board = board
        self.view = calibration.view
        self.eye = calibration.camera.eye
        self.size = printed.board
        self.centres = np.array([board.centre_mm(h) for h in board.hexes])
        self.inner = physical.hex_flat_to_flat / 2
        self._pixels: dict[tuple[Hex, float], Pixels] = {}
        self.thickness = physical.tile_thickness

    def outline(self, h: Hex, height: float, shrink: float = 0.0) -> Floats:
        """6 x 2 view px: a hex at that height (mm), its corners drawn in by `shrink` mm."""
        corners = hex_outline(self.board.centre_mm(h), self.board.side_mm - shrink)
        return np.asarray(self.view.pixels(lean(self.eye, corners, height)))

    def pixels(self, h: Hex, height: float = 0.0) -> Pixels:
        """Flat indices of the view's pixels that the prism of a hex covers from the board's face to a height (mm)."""
        if (h, height) not in self._pixels:
            outline = hex_outline(self.board.centre_mm(h), self.board.side_mm)
            self._pixels[h, height] = hex_pixels(self.view, self.eye, outline, (0.0, height))
        return self._pixels[h, height]

    def middle(self, h: Hex, within: float) -> Pixels:
        """Flat indices of the view's pixels that lie at least so far (mm) within a hex's edges."""
        outline = hex_outline(self.board.centre_mm(h), self.board.side_mm - within * 2 / math.sqrt(3))
        return hex_pixels(self.view, self.eye, outline, (0.0,))

    @functools.cached_property
    def cutter(self) -> WindowCutter:
        """Lays windows over the board."""
        return WindowCutter(self.view, self.size, self.centres, self.inner)

    @functools.cached_property
    def island(self) -> Mask:
        """Pixels that a tile may cover."""
        mask = np.zeros(self.view.shape, bool)
        for h in self.board.island:
            mask.ravel()[self.pixels(h, max(self.thickness.values()))] = True
        return mask
