"""The camera as a vector of what is fitted: its pose, and the lens where no lens pictures have told it.

In: the picture's size, the lens if it is known, else what is known of such lenses. Out: cameras, projections with
their derivatives, and residuals for what is known beforehand. Parameters: rotation vector (3), translation (3, mm),
then for an unknown lens log focal length against the expected, k1, k2 and log aspect (pixel height against width).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Literal

import cv2
import msgspec
import numpy as np

from calibration.arrays import Floats
from calibration.camera import Camera
from calibration.errors import CalibrationError
from calibration.lens import Lens


class LensPrior(msgspec.Struct, frozen=True):
    """What is known of a kind of lens: field of view along the picture's longer side (degrees) and standard deviations.

    `focal`: of the focal length, as a share; `k1`, `k2`: of the radial distortion; `aspect`: of the pixels' height
    against their width. `barrel` is the k1 that is expected.
    """

    field_of_view: float
    barrel: float = 0.0
    focal: float = 0.03
    k1: float = 0.15
    k2: float = 0.1
    aspect: float = 1e-4


LensKind = Literal["normal", "wide", "unknown"]

LENS_PRIORS: Mapping[str, LensPrior] = {
    "normal": LensPrior(66.0),
    "wide": LensPrior(100.0, k1=0.25),
    "unknown": LensPrior(66.0, focal=0.4, aspect=0.05),
}
"""Raspberry Pi Camera Module 3 and its wide version by their data sheets; a photograph from anywhere, perhaps
cropped or stretched by a program."""

FIELDS_OF_VIEW = (66.0, 83.0, 100.0)
"""Where the search for the focal length begins, besides the kind's own: other cameras lie in between."""

_INTRINSICS = 4


class CameraModel:
    """Packs and unpacks one camera."""

    def __init__(self, size: tuple[int, int], lens: Lens | None, prior: LensPrior) -> None:
        if lens and lens.focal[0] <= 0:
            raise CalibrationError("The lens pictures give no usable lens; take them again.")
        self.size, self.lens, self._prior = size, lens, prior
        self._focal = focal_length(size, prior.field_of_view)
        self.length = 6 if lens else 6 + _INTRINSICS

    def camera(self, x: Floats) -> Camera:
        """The camera of a parameter vector."""
        if self.lens:
            focal, centre, distortion = self.lens.focal, self.lens.centre, self.lens.distortion
        else:
            fx = self._focal * math.exp(x[6])
            focal = (fx, fx * math.exp(x[9]))
            centre = ((self.size[0] - 1) / 2, (self.size[1] - 1) / 2)
            distortion = (float(x[7]), float(x[8]), 0.0, 0.0, 0.0)
        rotation, translation = tuple(map(float, x[:3])), tuple(map(float, x[3:6]))
        return Camera(self.size, focal, centre, distortion, rotation, translation)  # type: ignore[arg-type]

    def project(self, x: Floats, points: Floats) -> tuple[Floats, Floats]:
        """Pixels (N x 2) of points (N x 3: x, y, height in mm) and their derivatives (N x 2 x parameters)."""
        camera = self.camera(x)
        pixels, by = cv2.projectPoints(
            points * (1.0, 1.0, -1.0), x[:3], x[3:6], camera.matrix, np.array(camera.distortion)
        )
        columns = [by[:, :6]]
        if not self.lens:
            fx, fy = camera.focal
            columns += [by[:, 6:7] * fx + by[:, 7:8] * fy, by[:, 10:12], by[:, 7:8] * fy]
        jacobian = np.hstack(columns).reshape(len(points), 2, self.length)
        return np.asarray(pixels, float).reshape(-1, 2), np.asarray(jacobian, float)

    def prior(self, x: Floats) -> tuple[Floats, Floats]:
        """Residuals of what is known beforehand, and their Jacobian.

        The focal length's grow slowly far out: a lens that is none of the expected is let be what the print says.
        """
        if self.lens:
            return np.empty(0), np.empty((0, self.length))
        spreads = np.array([self._prior.focal, self._prior.k1, self._prior.k2, self._prior.aspect])
        residuals = (x[6:] - (0.0, self._prior.barrel, 0.0, 0.0)) / spreads
        slopes = 1.0 / spreads
        off = residuals[0]
        if abs(off) > 1e-6:
            residuals[0] = math.copysign(math.sqrt(math.log1p(off**2)), off)
            slopes[0] *= off / ((1 + off**2) * residuals[0])
        jacobian = np.zeros((_INTRINSICS, self.length))
        jacobian[:, 6:] = np.diag(slopes)
        return residuals, jacobian

    def starts(self) -> Iterable[Floats]:
        """Parameter vectors to begin a search with: no pose yet, focal lengths that such cameras have."""
        blank = np.zeros(self.length)
        if self.lens:
            return [blank]
        starts = []
        for view in dict.fromkeys((self._prior.field_of_view, *FIELDS_OF_VIEW)):
            start = blank.copy()
            start[7] = self._prior.barrel
            start[6] = math.log(focal_length(self.size, view) / self._focal)
            starts.append(start)
        return starts


def prior_of(kind: str) -> LensPrior:
    """What is known of such lenses. Raises CalibrationError for a kind that is none of `LENS_PRIORS`."""
    if kind not in LENS_PRIORS:
        raise CalibrationError(f"There is no lens {kind!r}: there are {', '.join(LENS_PRIORS)}.")
    return LENS_PRIORS[kind]


def known_lens(camera: Camera) -> Lens:
    """The lens of a camera that has been fitted: from then on only its pose may change."""
    return Lens(camera.image_size, camera.focal, camera.centre, camera.distortion, 0.0)


def focal_length(size: tuple[int, int], field_of_view: float) -> float:
    """In px, by degrees along the picture's longer side: a camera may have been turned, or its picture."""
    return max(size) / 2 / math.tan(math.radians(field_of_view / 2))
