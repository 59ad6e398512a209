"""A camera to look through, and what may lie under one."""

from __future__ import annotations

import numpy as np

from calibration.arrays import Floats, Image
from calibration.camera import Camera

TILTED = Camera(
    image_size=(1014, 760),
    focal=(860.0, 860.0),
    centre=(506.5, 379.5),
    distortion=(-0.1, 0.02, 0.0, 0.0, 0.0),
    rotation=(0.25, 0.15, 0.5),
    translation=(10.0, -20.0, 760.0),
)


def with_spare_card(picture: Image, marker: Floats, at: tuple[int, int]) -> Image:
    """The picture with the card of that marker (its corners, px) once more; `at`: column and row of its corner."""
    left, top = np.min(marker, axis=0).astype(int) - 14
    right, bottom = np.max(marker, axis=0).astype(int) + 14
    column, row = at
    twice = picture.copy()
    twice[row : row + bottom - top, column : column + right - left] = picture[top:bottom, left:right]
    return twice
