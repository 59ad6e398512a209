"""Part of the camera's picture as a screen shows it: the board seen from straight above, lying as it is drawn.

In: the picture, the camera it was taken with, the hexes. Out: a `Cutout`. A camera may be turned any way; who compares
its picture with the drawn board should not have to turn it in the head.
"""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from calibration.arrays import Floats, Image
from calibration.camera import Camera
from calibration.hexes import hex_outline
from companion.rules.geometry import Board, Hex
from companion.viewmodel.cutout import Cutout

SIZE = 640, 480
"""Columns and rows of what is cut out, px."""

ROUND_MM = 30.0
"""So much is shown round the hexes."""

LEAST_MM = 190.0
"""So high a part is shown at least, five hexes: fewer are hard to find on the board."""

JPEG_QUALITY = 85


def cut_out(image: Image, camera: Camera, board: Board, hexes: Iterable[Hex]) -> Cutout:
    """What the picture (H x W x 3 uint8 BGR) shows of these hexes and of what is round them; with none, of the board.

    `camera` is where it stood when the picture was taken. Black where the picture ends.
    """
    outlines = [hex_outline(board.centre_mm(h), board.side_mm) for h in hexes]
    shown = outlines or [hex_outline(board.centre_mm(h), board.side_mm) for h in board.hexes]
    corner, scale = _window(np.concatenate(shown))
    columns, rows = SIZE
    grid = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), axis=-1).reshape(-1, 2) / scale + corner
    at = camera.project(np.c_[grid, np.zeros(len(grid))]).astype(np.float32).reshape(rows, columns, 2)
    seen = np.asarray(cv2.remap(image, at[..., 0], at[..., 1], cv2.INTER_LINEAR), np.uint8)
    jpeg = cv2.imencode(".jpg", seen, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1].tobytes()
    return Cutout(
        jpeg=jpeg,
        size=SIZE,
        outlines=tuple(tuple((float(x), float(y)) for x, y in (o - corner) * scale) for o in outlines),
    )


def _window(points: Floats) -> tuple[Floats, float]:
    """The north-western corner (mm) of what is shown round these points (N x 2, mm), and the scale (px a mm)."""
    low, high = points.min(axis=0) - ROUND_MM, points.max(axis=0) + ROUND_MM
    width, height = high - low
    height = max(height, width * SIZE[1] / SIZE[0], LEAST_MM)
    scale = SIZE[1] / height
    return np.asarray((low + high) / 2 - np.array(SIZE) / scale / 2), scale
