"""The board seen from straight above at a fixed scale: the raster all recognition works in.

A point of the board's face at (x, y) mm lies at pixel ((x, y) - origin) * scale, whatever camera took the picture. What
stands up from the face leans away from the point below the camera: height h moves it by h / (H - h) of its
distance from there, H the camera's height.
"""

from __future__ import annotations

import functools
from typing import Annotated

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from calibration.arrays import Floats, Floats32, Image, Mask
from calibration.camera import FAR_PX, Camera
from calibration.haze import Haze, cleared
from calibration.print import BoardPrint, Side

MARGIN_MM = 24.0
"""Beyond the board's edge, so that the heads of pieces that stand on the edge are seen."""


COARSE_PX = 2
"""Points so far apart are projected; between them a lens of 100 degrees puts no pixel off by more than 0.001 px."""


class View(msgspec.Struct, frozen=True):
    """The raster: `px_per_mm`, and the board's size with the margin round it."""

    board: tuple[Side, Side]
    px_per_mm: Annotated[float, msgspec.Meta(ge=0.5, le=5)] = 1.25
    margin: Annotated[float, msgspec.Meta(ge=0, le=100)] = MARGIN_MM

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)."""
        return (
            round((self.board[1] + 2 * self.margin) * self.px_per_mm),
            round((self.board[0] + 2 * self.margin) * self.px_per_mm),
        )

    def pixels(self, points: npt.ArrayLike) -> Floats:
        """Pixels (... x 2: column, row) of points (... x 2, mm) on the board's face."""
        rows, columns = self.shape
        middle = np.array([(columns - 1) / 2, (rows - 1) / 2])
        return np.asarray(np.asarray(points, float) * self.px_per_mm + middle, float)

    def mm(self, pixels: npt.ArrayLike) -> Floats:
        """The inverse of `pixels`."""
        rows, columns = self.shape
        middle = np.array([(columns - 1) / 2, (rows - 1) / 2])
        return np.asarray((np.asarray(pixels, float) - middle) / self.px_per_mm, float)

    def grid_mm(self) -> Floats32:
        """rows x columns x 2: the point of the board's face under each pixel."""
        rows, columns = self.shape
        return self.mm(np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), axis=-1)).astype(np.float32)

    def face(self, inset: float = 0.0) -> Mask:
        """rows x columns: the pixels of the board's face, so many mm inside its edge."""
        rows, columns = self.shape
        down = self.mm(np.stack([np.zeros(rows), np.arange(rows)], axis=1))[:, 1]
        right = self.mm(np.stack([np.arange(columns), np.zeros(columns)], axis=1))[:, 0]
        east, south = (side / 2 - inset for side in self.board)
        return np.asarray((np.abs(down) < south)[:, None] & (np.abs(right) < east))


class Rectifier:
    """Turns camera pictures into the view; the look-up maps are made once. `inside`: view pixels the picture shows."""

    def __init__(self, camera: Camera, view: View, haze: Haze | None = None) -> None:
        """`haze`: is taken out of the pictures."""
        self.haze, self._view = haze, view
        pixels = _pixels(camera, view)
        # a picture much finer than the view is averaged down first: sampling it sparsely would let noise through
        self._block = max(1, round(_density(pixels)))
        places, window = [], []
        self.inside = np.ones(view.shape, bool)
        # plane by plane: in a tenth of the time that both take at once
        for along, size in zip(cv2.split(pixels), camera.image_size, strict=True):
            block = (along + np.float32(0.5)) / np.float32(self._block) - np.float32(0.5)
            count = size // self._block
            self.inside &= (block >= 0) & (block <= count - 1)
            low = int(np.clip(np.floor(block.min()), 0, count))
            high = int(np.clip(np.floor(block.max()) + 2, low, count))
            window.append(slice(low * self._block, high * self._block))
            places.append(block - np.float32(low))
        self._window = window[1], window[0]
        self._map, self._fraction = cv2.convertMaps(places[0], places[1], cv2.CV_16SC2)

    @functools.cached_property
    def face(self) -> Mask:
        """View pixels in which the picture shows the board's face."""
        return self.inside & self._view.face()

    def clear(self, view: Image) -> Image:
        """A picture in the view without the haze, uint8 BGR."""
        return view if self.haze is None else cleared(view, self.haze, self.face)

    def __call__(self, image: Image) -> Image:
        """The picture as the view sees it, uint8 BGR; black outside the picture."""
        part = image[self._window]
        if min(part.shape[:2]) < self._block:  # a pose that puts the board beside the picture
            return np.zeros((*self.inside.shape, 3), np.uint8)
        if self._block > 1:
            size = part.shape[1] // self._block, part.shape[0] // self._block
            part = np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.uint8)
        return self.clear(np.asarray(cv2.remap(part, self._map, self._fraction, cv2.INTER_LINEAR), np.uint8))


def board_view(board: BoardPrint) -> View:
    """The view of that board."""
    return View(board.board)


def _pixels(camera: Camera, view: View) -> Floats32:
    """rows x columns x 2: where the camera sees the point of the board's face under each view pixel.

    Between points that are projected one by one: of each square of `COARSE_PX` the middle, two squares beyond the rim.
    """
    rows, columns = view.shape
    down, right = (np.arange(-2, -(-count // COARSE_PX) + 2) * COARSE_PX + (COARSE_PX - 1) / 2 for count in view.shape)
    points = view.mm(np.stack(np.meshgrid(right, down), axis=-1)).reshape(-1, 2)
    seen = camera.project(np.column_stack([points, np.zeros(len(points))])).reshape(len(down), len(right), 2)
    between = cv2.resize(
        seen.clip(-FAR_PX, FAR_PX).astype(np.float32), None, fx=COARSE_PX, fy=COARSE_PX, interpolation=cv2.INTER_LINEAR
    )
    inner = between[2 * COARSE_PX : 2 * COARSE_PX + rows, 2 * COARSE_PX : 2 * COARSE_PX + columns]
    return np.ascontiguousarray(inner, np.float32)


def _density(pixels: Floats32) -> float:
    """Picture pixels per view pixel, in the middle of the view."""
    row, column = pixels.shape[0] // 2, pixels.shape[1] // 2
    step = pixels[row, column + 10] - pixels[row, column]
    return float(np.linalg.norm(step)) / 10
