"""Cells: a picture in the view, coarsely. What is smooth, as light is, is told by them."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.arrays import Floats32

CELL = 10
"""Side of a cell, view px (8 mm)."""


def to_cells(image: Floats32) -> Floats32:
    """Rows x columns (x channels): the means of cells of about `CELL` x `CELL` px of H x W (x channels)."""
    size = (image.shape[1] // CELL, image.shape[0] // CELL)
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.float32)


def spread(cells: Floats32, shape: tuple[int, int]) -> Floats32:
    """What is known by cells for each pixel of a picture of that shape (H x W)."""
    return np.asarray(cv2.resize(cells, shape[::-1], interpolation=cv2.INTER_LINEAR), np.float32)
