"""Planes of the network to draw into, for tests."""

from __future__ import annotations

import numpy as np

from calibration.colours import SIDE_BY_SIDE
from companion.vision.inputs import STORED, Planes


def empty_planes(shape: tuple[int, ...]) -> Planes:
    """All zero; `shape`: H x W."""
    return [np.zeros((*shape, SIDE_BY_SIDE), np.uint8) for _ in STORED]
