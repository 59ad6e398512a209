"""Pictures as they would be had board, cards or camera been moved, made from a picture of a table left alone."""

from __future__ import annotations

import math

import cv2
import numpy as np

from calibration import Calibration
from calibration.arrays import Floats, Image
from calibration.camera import Camera


def placed(points: Floats, east: float, south: float, degrees: float) -> Floats:
    """Where points of the board (N x 3, mm) lie after it was turned clockwise about its middle, then pushed."""
    turn = math.radians(degrees)
    rotation = np.array([[math.cos(turn), math.sin(turn), 0], [-math.sin(turn), math.cos(turn), 0], [0, 0, 1]])
    return np.asarray(points @ rotation + (east, south, 0.0), float)


def table_moved(image: Image, camera: Camera, east: float = 0.0, south: float = 0.0, degrees: float = 0.0) -> Image:
    """Board and cards together lie elsewhere: the same as a camera that was moved the other way."""
    height, width = image.shape[:2]
    columns, rows = np.meshgrid(np.arange(width, dtype=float), np.arange(height, dtype=float))
    ground = camera.ground(np.stack([columns.ravel(), rows.ravel()], axis=1))
    lay = np.column_stack([ground - (east, south), np.zeros(len(ground))])
    source = camera.project(placed(lay, 0.0, 0.0, -degrees)).reshape(height, width, 2).astype(np.float32)
    return np.asarray(
        cv2.remap(image, source[..., 0], source[..., 1], cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


def board_moved(image: Image, calibration: Calibration, east: float, south: float, degrees: float = 0.0) -> Image:
    """The board alone lies elsewhere, on top of what was there; the cards lie where they lay."""
    moved = table_moved(image, calibration.camera, east, south, degrees)
    outline = calibration.camera.project(placed(calibration.board.corners(), east, south, degrees))
    on_board = np.zeros(image.shape[:2], np.uint8)
    cv2.fillConvexPoly(on_board, np.round(outline).astype(np.int32), 1)
    return np.where(on_board[..., None] > 0, moved, image)


def card_moved(image: Image, calibration: Calibration, name: str, by: tuple[int, int]) -> Image:
    """One card lies `by` px (right, down) aside."""
    corners = np.array(calibration.cards[name])
    middle = corners.mean(axis=0)
    left, top, right, bottom = np.concatenate(
        [middle + 1.4 * (corners.min(axis=0) - middle), middle + 1.4 * (corners.max(axis=0) - middle)]
    ).astype(int)
    pushed = image.copy()
    pushed[top + by[1] : bottom + by[1], left + by[0] : right + by[0]] = image[top:bottom, left:right]
    return pushed


def covered(
    image: Image, camera: Camera, outline: Floats, paint: tuple[float, float, float] = (120, 140, 170)
) -> Image:
    """A plain thing of that colour (BGR) lies over that outline (N x 2, mm) of the board."""
    hidden = image.copy()
    at = camera.project(np.column_stack([outline, np.zeros(len(outline))]))
    cv2.fillPoly(hidden, [np.round(at).astype(np.int32)], paint)
    return hidden
