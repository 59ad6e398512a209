"""The camera over the table: where a point of the table appears, and what a pixel sees.

World: x east, y south, h up from the board's face, in mm. Picture: x right, y down, in px, lens distortion included
(OpenCV's k1, k2, p1, p2, k3 model). Internally the third axis points down, which makes the frame right-handed and
equal to the camera's own axes when it looks straight down on a board that stands upright in the picture.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

import cv2
import numpy as np

from hardware.simulated.arrays import Floats, Mask, Points

MARGIN_PX = 14.0
"""So far from the picture's rim a camera sees what it must see, if nothing else is said."""

NEAR_MM = 20.0
"""What is nearer to the camera is not looked at."""

SUPERSAMPLE = 2
"""The scene is drawn this many times larger than the picture and averaged down."""


@dataclass(frozen=True)
class Lens:
    """Angle of view across the picture (distortion included) in degrees, and the distortion coefficients."""

    view_deg: float
    distortion: tuple[float, float, float, float, float]

    def focal_px(self, width: int) -> float:
        """Focal length in px at which half the angle of view falls on the picture's edge."""
        x = math.tan(math.radians(self.view_deg / 2))
        k1, k2, _, _, k3 = self.distortion
        return width / 2 / (x * (1 + k1 * x**2 + k2 * x**4 + k3 * x**6))


NORMAL = Lens(66.0, (-0.045, 0.012, 0.0004, -0.0003, 0.0))
WIDE = Lens(100.0, (-0.20, 0.030, 0.0003, 0.0003, 0.0))


@dataclass(frozen=True)
class Pose:
    """How the camera stands: degrees off the vertical, the compass direction it leans from, the board's turn in the
    picture (0: north is up, clockwise)."""

    tilt_deg: float
    from_deg: float
    turn_deg: float


class View:
    """A camera that sees all of the given points, as near as they let it come.

    `must_see`: (N, 3) world points that lie in the picture with `margin` px to spare. Raises ValueError if no
    distance up to three metres shows them all.
    """

    def __init__(
        self, size: tuple[int, int], lens: Lens, pose: Pose, must_see: Points, margin: float = MARGIN_PX
    ) -> None:
        self.size = size
        width, height = size
        focal = lens.focal_px(width)
        self.matrix = np.array([[focal, 0, width / 2 - 0.5], [0, focal, height / 2 - 0.5], [0, 0, 1]])
        self.distortion = np.array(lens.distortion)
        self.rotation = _rotation(pose)
        self._rvec, _ = cv2.Rodrigues(self.rotation)
        self.eye = self._stand_back(must_see, margin)

    def project(self, points: Points) -> Points:
        """Where world points (N, 3) appear, in px, shape (N, 2)."""
        down = np.asarray(points, dtype=np.float64) * (1, 1, -1)
        tvec = -self.rotation @ (self.eye * (1, 1, -1))
        projected, _ = cv2.projectPoints(down.reshape(-1, 1, 3), self._rvec, tvec, self.matrix, self.distortion)
        return np.asarray(projected, dtype=np.float64).reshape(-1, 2)

    def is_before(self, points: Points) -> Mask:
        """Which of the world points (N, 3) the lens can see at all, in the picture or beyond its rim.

        `project` of any other is nonsense: the distortion is a polynomial, which folds back far off the axis.
        """
        seen = (np.asarray(points, np.float64) - self.eye) * (1, 1, -1) @ self.rotation.T
        ahead = seen[:, 2] > NEAR_MM
        off_axis = np.hypot(seen[:, 0], seen[:, 1]) / np.where(ahead, seen[:, 2], 1.0)
        return np.asarray(ahead & (off_axis < self._folds_at))

    @functools.cached_property
    def _folds_at(self) -> float:
        """The tangent of the angle off the axis from which on the distortion folds back."""
        k1, k2, _, _, k3 = self.distortion
        r = np.linspace(0, 5, 501)
        rises = 1 + 3 * k1 * r**2 + 5 * k2 * r**4 + 7 * k3 * r**6 > 0
        return float(r[np.argmin(rises)] if not rises.all() else r[-1])

    def fine(self, points: Points) -> Points:
        """`project` in pixels of the supersampled canvas."""
        return (self.project(points) + 0.5) * SUPERSAMPLE - 0.5

    def plane(self, h: float, left: int, top: int, right: int, bottom: int) -> tuple[Floats, Floats]:
        """The world x and y in mm that each pixel of a window of the supersampled canvas sees on the plane at `h`."""
        rays = self._rays[top:bottom, left:right]
        reach = (self.eye[2] - h) / rays[..., 2]
        return (self.eye[0] + rays[..., 0] * reach).astype(np.float32), (self.eye[1] + rays[..., 1] * reach).astype(
            np.float32
        )

    @functools.cached_property
    def _rays(self) -> Floats:
        """Direction (east, south, down) that each supersampled pixel looks along, shape (H, W, 3)."""
        width, height = self.size[0] * SUPERSAMPLE, self.size[1] * SUPERSAMPLE
        rays = np.empty((height, width, 3), np.float32)
        columns = (np.arange(width, dtype=np.float32) + 0.5) / SUPERSAMPLE - 0.5
        for y in range(height):  # row by row, because OpenCV works in doubles and the whole would be large
            pixels = np.stack([columns, np.full_like(columns, (y + 0.5) / SUPERSAMPLE - 0.5)], axis=1)
            straight = cv2.undistortPoints(pixels.reshape(-1, 1, 2), self.matrix, self.distortion).reshape(-1, 2)
            rays[y] = np.column_stack([straight, np.ones(width)]) @ self.rotation
        return rays

    def _stand_back(self, must_see: Points, margin: float) -> Points:
        """Bisect the distance and re-centre until the points just fit; the eye as a world point."""
        target = np.zeros(3)
        axis = self.rotation[2] * (1, 1, -1)
        low, high = 200.0, 3000.0
        for _ in range(40):
            distance = (low + high) / 2
            for _ in range(4):  # centre the points' bounding box in the picture
                self.eye = target - axis * distance
                seen = self.project(must_see)
                off = (seen.min(axis=0) + seen.max(axis=0) - np.array(self.size)) / 2
                step = np.array([*off, 0.0]) * distance / self.matrix[0, 0] @ self.rotation
                target = target + step * (1, 1, 0)
            seen = self.project(must_see)
            fits = (seen >= margin).all() and (seen <= np.array(self.size) - margin).all()
            low, high = (low, distance) if fits else (distance, high)
        if high > 2990:
            raise ValueError("No distance shows the whole table: use a smaller tilt or a wider lens.")
        return np.asarray(target - axis * high, np.float64)


def _rotation(pose: Pose) -> Points:
    """Rows are the camera's right, down and forward in (east, south, down)."""
    tilt, azimuth, turn = (math.radians(a) for a in (pose.tilt_deg, pose.from_deg, pose.turn_deg))
    forward = np.array([-math.sin(tilt) * math.sin(azimuth), math.sin(tilt) * math.cos(azimuth), math.cos(tilt)])
    down = np.array([math.sin(turn), math.cos(turn), 0.0])
    down -= forward * (down @ forward)
    down /= np.linalg.norm(down)
    return np.stack([np.cross(down, forward), down, forward])
