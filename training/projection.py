"""Where things of the world appear in the pictures that `raster` draws, and in the maps of its shadows.

In: cameras, lamps, directions. Out: matrices from the world to OpenGL's clip coordinates. World here: mm, x east, y
north, z up.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from hardware.simulated.arrays import Points
from hardware.simulated.optics import View
from training.photo import Window
from training.tables import Lamp

NEAR_MM, FAR_MM = 10.0, 10_000.0
"""What is nearer to the camera, or farther, is not drawn."""

HIGHEST_MM = 450.0
"""What is over that throws no shadow."""

_PLASTIC = 1.32471796
"""The plastic number, by which points fill a square evenly (Roberts's R2)."""

_GOLDEN = 2.39996323
"""The golden angle, rad."""

Matrix = NDArray[np.float64]


def from_camera(view: View, window: Window) -> Matrix:
    """What a window of the pinhole picture shows, its first row the lowest, as OpenGL reads pictures."""
    axes = view.rotation * (1, -1, -1)  # (east, south, down) to (east, north, up)
    seen = np.eye(4)
    seen[:3, :3] = axes
    seen[:3, 3] = -axes @ (view.eye * (1, -1, 1))
    (cx, cy), f = window.centre, window.focal
    clip = np.zeros((4, 4))
    clip[0, 0], clip[0, 2] = 2 * f / window.width, (2 * cx + 1) / window.width - 1
    clip[1, 1], clip[1, 2] = 2 * f / window.height, (2 * cy + 1) / window.height - 1
    clip[2, 2:] = _depths(NEAR_MM, FAR_MM)
    clip[3, 2] = 1.0
    return clip @ seen


def from_lamp(point: Points, radius: float) -> Matrix:
    """What a point of a lamp sees of a ball of that radius about the board's middle."""
    far = float(np.linalg.norm(point))
    seen = np.eye(4)
    seen[:3, :3] = _looking(-point / far)
    seen[2, 3] = far
    wide = radius / math.sqrt(max(far**2 - radius**2, 1.0))
    clip = np.zeros((4, 4))
    clip[0, 0] = clip[1, 1] = 1 / wide
    clip[2, 2:] = _depths(max(far - radius - HIGHEST_MM, 0.1 * far), far + radius)
    clip[3, 2] = 1.0
    return clip @ seen


def from_far(direction: Points, radius: float) -> Matrix:
    """The same of what is so far in that direction (a unit vector) that all its rays are parallel."""
    seen = np.eye(4)
    seen[:3, :3] = _looking(-direction)
    return np.diag([1 / radius, 1 / radius, 1 / (radius + HIGHEST_MM), 1.0]) @ seen


def square(lamp: Lamp) -> tuple[Points, Points, Points]:
    """A lamp's middle, and half of its side as two vectors."""
    at = np.array(lamp.at) * (1, -1, 1)
    right, _, towards = _looking(-at / np.linalg.norm(at))
    right *= lamp.side / 2
    return at, right, np.cross(right, towards)


def points_of(lamp: Lamp, count: int, turn: float = 0.0) -> Points:
    """That many points of a lamp (N, 3), spread evenly about its middle; others with another `turn` (0 to 1)."""
    steps = np.array([1 / _PLASTIC, 1 / _PLASTIC**2])
    spread = (0.5 + (np.arange(count)[:, None] + turn) * steps) % 1 * 2 - 1
    spread -= spread.mean(axis=0)
    at, right, up = square(lamp)
    return np.asarray(at + spread @ np.stack([right, up]), np.float64)


def parts_of_sky(count: int) -> Points:
    """Unit vectors (N, 3) to that many parts of half a sphere, each as large as the others."""
    heights, bearings = (np.arange(count) + 0.5) / count, np.arange(count) * _GOLDEN
    flat = np.sqrt(1 - heights**2)
    return np.column_stack([flat * np.cos(bearings), flat * np.sin(bearings), heights])


def _depths(near: float, far: float) -> tuple[float, float]:
    """Of a perspective: what makes depths between the two -1 to 1."""
    return (far + near) / (far - near), -2 * far * near / (far - near)


def _looking(towards: Points) -> Matrix:
    """Rows: right, down and forward of who looks that way (a unit vector)."""
    right = np.cross(towards, (0.0, 1.0, 0.0) if abs(towards[2]) > 0.99 else (0.0, 0.0, 1.0))
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(towards, right), towards])
