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

LOG_TWO_PI = float(np.log(2 * np.pi))
THIRDS = np.full((1, 3), 1 / 3, np.float32)

BAND = 32
"""Rows worked on together: what they need fits into a processor's cache."""

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
        ray = reference_lab - BLACK
        length = np.linalg.norm(ray, axis=2) + 1e-3
        # where the print changes within a millimetre, a small error of place looks like another colour
        blurred = cv2.GaussianBlur(reference_lab, (0, 0), 1.0)
        detail = cv2.GaussianBlur(((reference_lab - blurred) ** 2).sum(axis=2), (0, 0), 1.5)
        sigma = NOISE_MARGIN * np.interp(reference_lab[..., 0], LEVELS, noise)
        variance = sigma**2 + DETAIL_GAIN * detail
        lit_variance = variance + (LIT_SIGMA * length) ** 2
        self._length = np.asarray(length, np.float32)
        self._ray = [np.asarray(ray[..., i] / length, np.float32) for i in range(3)]
        self._variance = np.asarray(variance, np.float32)
        self._lit_factor = np.asarray(-0.5 / lit_variance, np.float32)
        self._lit = np.asarray(np.log((1 - SHADOW) / np.sqrt(2 * np.pi * lit_variance)) - LOG_TWO_PI, np.float32)
        self._shadow = np.asarray(np.log(SHADOW / (1 - SHADOW_DEPTH) / length) - LOG_TWO_PI, np.float32)

    def log_density(self, lab: Floats32, light: Floats32 | None = None) -> Floats32:
        """H x W: log density (per cubic Lab unit) of the picture's colours if only the print is there.

        `light`: H x W x 3, by how much more light fell on the picture than on the reference. Where it was less,
        taking the light out has raised the noise.
        """
        out = np.empty(lab.shape[:2], np.float32)
        for top in range(0, len(out), BAND):
            rows = slice(top, top + BAND)
            out[rows] = self._band(rows, lab[rows], None if light is None else light[rows])
        return out

    def _band(self, rows: slice, lab: Floats32, light: Floats32 | None) -> Floats32:
        """`log_density` of some rows."""
        lightness, a, b = cv2.split(lab)
        lightness -= BLACK[0]
        length, variance = self._length[rows], self._variance[rows]
        along = lightness * self._ray[0][rows] + a * self._ray[1][rows] + b * self._ray[2][rows]
        aside = np.maximum(lightness**2 + a**2 + b**2 - along**2, 0.0)
        lighter = along - length
        base = variance
        if light is not None:
            mean = np.maximum(cv2.transform(light, THIRDS), 0.1)
            base = variance * np.maximum(mean**NOISE_POWER, 1.0)
        lit = self._lit[rows] + self._lit_factor[rows] * lighter**2
        # a shadow's depth is even between its deepest and none
        beyond = np.maximum(np.maximum(lighter, -lighter - (1 - SHADOW_DEPTH) * length), 0.0)
        shadow = self._shadow[rows] - 0.5 * beyond**2 / base
        across = base + (SHADOW_TINT * np.minimum(lighter, 0.0)) ** 2
        density = np.maximum(lit, shadow) - np.log(across) - 0.5 * aside / across
        return np.asarray(np.maximum(density, DENSITY_FLOOR), np.float32)
