"""How well each pixel is explained by the bare print, lit or shaded.

Shading multiplies all light, which in Lab moves a colour along the ray from black through itself: what the print
may do under a shadow is a ray, what a piece does lies beside it.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from calibration.light import Floats32

BLACK = np.array([-16.0, 0.0, 0.0], np.float32)
"""Where all rays of shading meet: Lab is a linear map of the cube roots of the light, shifted by 16 in L."""

LIT_SIGMA = 0.06
"""Spread of the cube root of the light where no shadow falls (about 20 % of light)."""

SHADOW = 0.12
"""Share of the pixels on which a shadow falls."""

SHADOW_DEPTH = 0.5
"""The deepest shadow, as a share of the cube root of the light (an eighth of the light)."""

SHADOW_TINT = 0.15
"""A shadow is lit by the other lamps and the sky: its colour leaves the ray by this share of how far it is down it."""

DENSITY_FLOOR = -17.0
"""Log density per cubic Lab unit of what nothing explains (about one over the volume of all colours, and less)."""

RAYLEIGH_MEDIAN = 1.1774
"""Median of the length of a two-dimensional normal deviate of standard deviation 1."""

NOISE_MIN = 0.7
NOISE_MARGIN = 1.5
"""Other lamps, other colours: frames differ more from the reference than the two calibration pictures do."""

NOISE_POWER = -1.5
"""The variance goes with this power of the light: between shot noise (-1) and read-out noise (-2)."""

DETAIL_GAIN = 1.0

LEVELS = np.arange(0.0, 101.0, 10.0)
"""Lightnesses at which the noise is measured."""


def measure_noise(lab: Floats32, reference_lab: Floats32, valid: npt.NDArray[np.bool_]) -> tuple[float, ...]:
    """Standard deviation across the ray of shading between two pictures of the same print, for each of `LEVELS`.

    Pieces in one of the pictures do not matter as long as most of the print is bare.
    """
    ray = reference_lab - BLACK
    shifted = lab - BLACK
    along = (shifted * ray).sum(axis=2) / np.linalg.norm(ray, axis=2)
    aside = np.sqrt(np.maximum((shifted**2).sum(axis=2) - along**2, 0.0))[valid]
    level = reference_lab[..., 0][valid]
    whole = float(np.median(aside)) / RAYLEIGH_MEDIAN
    sigmas = []
    for at in LEVELS:
        near = aside[np.abs(level - at) < 7.0]
        sigmas.append(float(np.median(near)) / RAYLEIGH_MEDIAN if len(near) > 2000 else whole)
    return tuple(max(NOISE_MIN, s) for s in sigmas)


class Ground:
    """The print of one board in reference light; `noise` as `measure_noise` gives it."""

    def __init__(self, reference_lab: Floats32, noise: Sequence[float]) -> None:
        self.lab = reference_lab
        self._ray = reference_lab - BLACK
        self._length = np.linalg.norm(self._ray, axis=2) + 1e-3
        # where the print changes within a millimetre, a small error of place looks like another colour
        blurred = cv2.GaussianBlur(reference_lab, (0, 0), 1.0)
        detail = cv2.GaussianBlur(((reference_lab - blurred) ** 2).sum(axis=2), (0, 0), 1.5)
        sigma = NOISE_MARGIN * np.interp(reference_lab[..., 0], LEVELS, noise)
        self._variance = (sigma**2 + DETAIL_GAIN * detail).astype(np.float32)
        self._sigma_lit = np.sqrt(self._variance + (LIT_SIGMA * self._length) ** 2)
        self._lit = (np.log(1 - SHADOW) - np.log(self._sigma_lit) - 0.5 * np.log(2 * np.pi)).astype(np.float32)
        self._shadow = np.log(SHADOW / (1 - SHADOW_DEPTH) / self._length).astype(np.float32)

    def log_density(self, lab: Floats32, light: Floats32 | None = None) -> Floats32:
        """H x W: log density (per cubic Lab unit) of the picture's colours if only the print is there.

        `light`: H x W x 3, by how much more light fell on the picture than on the reference. Where it was less,
        taking the light out has raised the noise.
        """
        shifted = lab - BLACK
        along = (shifted * self._ray).sum(axis=2) / self._length
        aside = np.maximum((shifted * shifted).sum(axis=2) - along * along, 0.0)
        darker = np.maximum(self._length - along, 0.0)
        base = self._variance
        if light is not None:
            base = base * np.maximum(light.mean(axis=2), 0.1) ** NOISE_POWER
            base = np.maximum(base, self._variance)
        variance = base + (SHADOW_TINT * darker) ** 2
        lit = self._lit - 0.5 * ((along - self._length) / self._sigma_lit) ** 2
        beyond = np.maximum(SHADOW_DEPTH * self._length - along, 0.0) + np.maximum(along - self._length, 0.0)
        shadow = self._shadow - 0.5 * beyond**2 / base
        density = np.maximum(lit, shadow) - np.log(2 * np.pi * variance) - 0.5 * aside / variance
        return np.asarray(np.maximum(density, DENSITY_FLOOR), np.float32)
