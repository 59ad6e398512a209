"""Hexes as the camera sees them: what stands up leans away from the point under the camera."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from calibration.arrays import Floats, Pixels
from calibration.view import View


def hex_outline(centre: tuple[float, float], side: float) -> Floats:
    """6 x 2: the corners of a pointy-top hex, mm."""
    angles = np.pi / 6 + np.pi / 3 * np.arange(6)
    return np.array(centre) + side * np.stack([np.cos(angles), np.sin(angles)], axis=1)


def lean(eye: Floats, points: Floats, height: float) -> Floats:
    """Where points (N x 2, mm) at that height appear on the board's face as the camera sees them."""
    return np.asarray(points + (points - eye[:2]) * (height / (eye[2] - height)), float)


def hex_pixels(view: View, eye: Floats, outline: Floats, heights: Sequence[float]) -> Pixels:
    """Flat indices, rising, of the view's pixels that a hex prism covers between the lowest and highest of `heights`.

    `outline`: 6 x 2, mm; `eye`: where the camera stands (x, y, height in mm).
    """
    corners = np.concatenate([view.pixels(lean(eye, outline, h)) for h in heights])
    hull = cv2.convexHull(np.round(corners).astype(np.int32))
    left, top, width, height = cv2.boundingRect(hull)
    mask = np.zeros((height, width), np.uint8)
    cv2.fillConvexPoly(mask, hull - (left, top), 1)
    rows, columns = np.nonzero(mask)
    rows, columns = rows + top, columns + left
    seen = (rows >= 0) & (rows < view.shape[0]) & (columns >= 0) & (columns < view.shape[1])
    return np.asarray((rows * view.shape[1] + columns)[seen], np.int32)
