"""The camera as a pinhole with lens distortion, standing at a known place above the board.

Board frame: mm, origin in the middle of the board's face, x east, y south, **height** up from the face (so cards
on the table lie at height -4). Pixels: OpenCV's convention, centre of the top left pixel at (0, 0).
OpenCV wants a right-handed frame; with x east and y south its z points down, so height is turned round inside here.
"""

from __future__ import annotations

import functools
from typing import Annotated

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from calibration.arrays import Floats

Pixels = Annotated[int, msgspec.Meta(ge=16, le=20_000)]
"""A side of a picture."""

Focal = Annotated[float, msgspec.Meta(ge=1, le=1e6)]
"""A focal length, px."""

Bounded = Annotated[float, msgspec.Meta(ge=-1e6, le=1e6)]
"""Beyond this no figure of a camera has a meaning."""


FAR_PX = 1e6
"""So far outside the picture nothing is seen; a pose that is no pose throws points any distance."""

_AT_A_TIME = 4000
"""Points: what so many need on the way fits into the cache."""


class Camera(msgspec.Struct, frozen=True, dict=True):
    """Intrinsics and pose. `distortion` is in OpenCV's order (k1, k2, p1, p2, k3, k4, k5, k6)."""

    image_size: tuple[Pixels, Pixels]
    focal: tuple[Focal, Focal]
    centre: tuple[Bounded, Bounded]
    distortion: tuple[Bounded, ...]
    rotation: tuple[Bounded, Bounded, Bounded]
    translation: tuple[Bounded, Bounded, Bounded]

    @functools.cached_property
    def matrix(self) -> Floats:
        """3 x 3 intrinsic matrix."""
        (fx, fy), (cx, cy) = self.focal, self.centre
        return np.array([[fx, 0.0, cx], [0.0, fy, cy], [0.0, 0.0, 1.0]])

    @functools.cached_property
    def _pose(self) -> tuple[Floats, Floats]:
        rotation = cv2.Rodrigues(np.array(self.rotation, float))[0]
        return np.asarray(rotation, float), np.array(self.translation, float)

    @functools.cached_property
    def eye(self) -> Floats:
        """Where the camera stands: (x, y, height) in mm."""
        rotation, translation = self._pose
        x, y, z = -rotation.T @ translation
        return np.array([x, y, -z])

    @property
    def tilt_degrees(self) -> float:
        """Angle between the optical axis and straight down."""
        rotation, _ = self._pose
        return float(np.degrees(np.arccos(np.clip(rotation[2, 2], -1.0, 1.0))))

    def coarser(self, block: int) -> Camera:
        """The same camera as it sees its pictures when `block` x `block` px are averaged to one."""
        (width, height), (fx, fy), (cx, cy) = self.image_size, self.focal, self.centre
        return msgspec.structs.replace(
            self,
            image_size=(width // block, height // block),
            focal=(fx / block, fy / block),
            centre=((cx + 0.5) / block - 0.5, (cy + 0.5) / block - 0.5),
        )

    def project(self, points: npt.ArrayLike) -> Floats:
        """Pixels (N x 2) of points (N x 3: x, y, height in mm).

        What `cv2.projectPoints` says, in a sixth of its time: that one makes 30 derivatives of each point, too.
        """
        at = np.asarray(points, float).reshape(-1, 3)
        pixels = np.empty((len(at), 2))
        for i in range(0, len(at), _AT_A_TIME):
            self._project(at[i : i + _AT_A_TIME], pixels[i : i + _AT_A_TIME])
        return pixels

    def _project(self, points: Floats, pixels: Floats) -> None:
        rotation, translation = self._pose
        x, y, z = (points * (1.0, 1.0, -1.0) @ rotation.T + translation).T
        z[z == 0.0] = 1.0  # as OpenCV has it: such a point is seen nowhere
        x, y = x / z, y / z
        k1, k2, p1, p2, k3, k4, k5, k6 = (*self.distortion, *[0.0] * (8 - len(self.distortion)))
        squared, twice = x * x + y * y, 2 * x * y
        radial = 1 + squared * (k1 + squared * (k2 + squared * k3))
        if k4 or k5 or k6:
            radial /= 1 + squared * (k4 + squared * (k5 + squared * k6))
        (fx, fy), (cx, cy) = self.focal, self.centre
        pixels[:, 0] = (x * radial + p1 * twice + p2 * (squared + 2 * x * x)) * fx + cx
        pixels[:, 1] = (y * radial + p2 * twice + p1 * (squared + 2 * y * y)) * fy + cy

    def ground(self, pixels: npt.ArrayLike, height: float = 0.0) -> Floats:
        """Where the rays of pixels (N x 2) meet the plane at that height: N x 2, mm."""
        rays = cv2.undistortPointsIter(
            np.asarray(pixels, float).reshape(-1, 1, 2),
            self.matrix,
            np.array(self.distortion),
            np.eye(3),
            np.eye(3),
            (cv2.TERM_CRITERIA_COUNT + cv2.TERM_CRITERIA_EPS, 40, 1e-9),
        ).reshape(-1, 2)
        rotation, translation = self._pose
        directions = np.hstack([rays, np.ones((len(rays), 1))]) @ rotation
        origin = -rotation.T @ translation
        scale = (-height - origin[2]) / directions[:, 2]
        return np.asarray(origin[:2] + directions[:, :2] * scale[:, None], float)
