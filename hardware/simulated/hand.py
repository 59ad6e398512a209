"""An arm in a sleeve, reaching over the board: what it hides and what it looks like.

In: the point that the fingers reach for (mm) and the direction that the arm comes from. Out: polygons in the picture.
The arm is a chain of tapered capsules in the world, so that it shows true to the camera's perspective.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated.arrays import Image, Points
from hardware.simulated.optics import View
from hardware.simulated.painter import fall
from hardware.simulated.styles import Lamp
from hardware.simulated.texture import Bgr

SKIN: Bgr = (112, 150, 202)
SLEEVE: Bgr = (40, 34, 122)
_SHIFT = 3


@dataclass(frozen=True)
class Limb:
    """A tapered capsule: both ends (3,) in arm coordinates (mm: towards the fingers, to the side, up) and radii."""

    start: tuple[float, float, float]
    end: tuple[float, float, float]
    radii: tuple[float, float]
    paint: Bgr


_ARM = (
    Limb((-900, 0, 190), (-185, 0, 95), (62, 48), SLEEVE),
    Limb((-190, 0, 92), (-120, 0, 76), (33, 29), SKIN),
    Limb((-125, -6, 74), (-75, -14, 58), (32, 24), SKIN),
    Limb((-125, 8, 74), (-75, 16, 58), (32, 24), SKIN),
    Limb((-105, 26, 62), (-40, 46, 34), (15, 10), SKIN),
    Limb((-75, -27, 58), (-14, -40, 30), (11, 8), SKIN),
    Limb((-75, -9, 58), (-2, -14, 22), (11.5, 8.5), SKIN),
    Limb((-75, 9, 58), (0, 8, 20), (11.5, 8.5), SKIN),
    Limb((-75, 26, 58), (-10, 27, 26), (11, 8), SKIN),
)
"""From the shoulder to the finger tips, lowest drawn last."""


_ROUNDING = ((1.0, 0.74), (0.9, 0.82), (0.78, 0.9), (0.64, 0.96), (0.46, 1.0), (0.26, 1.04))
"""Ever narrower layers and how bright each is: a limb looks round."""


class Hand:
    """One arm over the table: `at` (mm) is where the fingers are, `bearing` (rad, 0 east, clockwise) their way."""

    def __init__(self, view: View, at: tuple[float, float], bearing: float) -> None:
        self._view = view
        c, s = math.cos(bearing), math.sin(bearing)
        self._axes: Points = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
        self._at: Points = np.array([*at, 0.0])

    def mask(self) -> Image:
        """255 where the arm hides the table, shape (H, W)."""
        mask = np.zeros((self._view.size[1], self._view.size[0]), np.uint8)
        for limb in _ARM:
            cv2.fillConvexPoly(mask, self._outline(limb, 1.0), 255, cv2.LINE_8, _SHIFT)
        return mask

    def draw(self, picture: Image, lamps: tuple[Lamp, ...]) -> None:
        """Draw the arm and its soft shadow into a picture, in place."""
        shadow = np.zeros(picture.shape[:2], np.uint8)
        for limb in _ARM:
            cv2.fillConvexPoly(shadow, self._fallen(limb, lamps[0]), 255, cv2.LINE_8, _SHIFT)
        small = cv2.resize(shadow, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
        soft = cv2.resize(cv2.GaussianBlur(small, (0, 0), 3), self._view.size)
        gain = 255 - cv2.convertScaleAbs(soft, alpha=0.4)
        cv2.multiply(picture, cv2.merge([gain, gain, gain]), picture, scale=1 / 255)
        for paint, (width, tone) in itertools.product((SLEEVE, SKIN), _ROUNDING):
            colour = (np.asarray(paint) * tone).clip(0, 255).tolist()
            for limb in (limb for limb in _ARM if limb.paint is paint):
                cv2.fillConvexPoly(picture, self._outline(limb, width), colour, cv2.LINE_AA, _SHIFT)

    def _world(self, point: tuple[float, float, float]) -> Points:
        along, aside, up = point
        point_mm: Points = self._at + along * self._axes[0] + aside * self._axes[1] + up * self._axes[2]
        return point_mm

    def _outline(self, limb: Limb, width: float) -> NDArray[np.int32]:
        """The capsule's outline, `width` of its true breadth, as fixed-point pixels."""
        rings = [
            self._ring(self._world(end), r * width) for end, r in zip((limb.start, limb.end), limb.radii, strict=True)
        ]
        return self._hull(np.vstack(rings))

    def _fallen(self, limb: Limb, lamp: Lamp) -> NDArray[np.int32]:
        rings = np.vstack(
            [self._ring(self._world(end), r) for end, r in zip((limb.start, limb.end), limb.radii, strict=True)]
        )
        return self._hull(fall(rings, lamp, 0.0))

    def _ring(self, centre: Points, radius: float) -> Points:
        angles = np.linspace(0, 2 * math.pi, 20, endpoint=False)
        ring = np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=1)
        return np.asarray(centre + radius * ring, np.float64)

    def _hull(self, points: Points) -> NDArray[np.int32]:
        seen = self._view.project(points) * 2**_SHIFT
        return np.asarray(cv2.convexHull(np.round(seen).astype(np.int32)), np.int32)
