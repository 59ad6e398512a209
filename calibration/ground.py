"""How well each pixel is explained by the bare print, lit or shaded.

Shading multiplies all light, which in Lab moves a colour along the ray from black through itself: what the print
may do under a shadow is a ray, what a piece does lies beside it.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from calibration.arrays import Floats32, Mask
from calibration.cells import spread

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

BAND = 64
"""Rows worked on together: what they need fits into a processor's cache, and the thread that looks colours up meanwhile
is not interrupted too often (6.9 ms for both with 32, 5.7 with 64)."""

LEVELS = np.arange(0.0, 101.0, 10.0)
"""Lightnesses at which the noise is measured."""


def measure_noise(lab: Floats32, reference_lab: Floats32, valid: Mask) -> tuple[float, ...]:
    """Standard deviation across the ray of shading between two pictures of the same print, for each of `LEVELS`.

    Pieces in one of the pictures do not matter as long as most of the print is bare.
    """
    _, squared = _by_ray(lab, _rays(reference_lab)[1])
    aside = np.sqrt(squared[valid])
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
        self._length, self._rays = _rays(reference_lab)
        # where the print changes within a millimetre, a small error of place looks like another colour
        blurred = cv2.GaussianBlur(reference_lab, (0, 0), 1.0)
        detail = cv2.GaussianBlur(cv2.transform((reference_lab - blurred) ** 2, np.ones((1, 3))), (0, 0), 1.5)
        sigma = NOISE_MARGIN * np.interp(reference_lab[..., 0], LEVELS, noise).astype(np.float32)
        self._variance = sigma**2 + DETAIL_GAIN * detail
        lit_variance = self._variance + (LIT_SIGMA * self._length) ** 2
        self._lit_factor = -0.5 / lit_variance
        self._lit = float(np.log((1 - SHADOW) / np.sqrt(2 * np.pi)) - LOG_TWO_PI) - 0.5 * np.log(lit_variance)
        self._shadow = float(np.log(SHADOW / (1 - SHADOW_DEPTH)) - LOG_TWO_PI) - np.log(self._length)

    def lab(self) -> Floats32:
        """H x W x 3: the print's colours."""
        planes = [ray * self._length + np.float32(black) for ray, black in zip(self._rays, BLACK, strict=True)]
        return np.asarray(cv2.merge(planes), np.float32)

    def log_density(self, lab: Floats32, light: Floats32 | None = None) -> Floats32:
        """H x W: log density (per cubic Lab unit) of the picture's colours if only the print is there.

        `light`: cells x 3, by how much more light fell on the picture than on the reference. Where it was less,
        taking the light out has raised the noise.
        """
        out = np.empty_like(self._length)
        noise = None if light is None else spread(_noise(light), (len(out), out.shape[1]))
        for top in range(0, len(out), BAND):
            rows = slice(top, top + BAND)
            self._band(rows, lab[rows], None if noise is None else noise[rows], out[rows])
        return out

    def _band(self, rows: slice, lab: Floats32, noise: Floats32 | None, out: Floats32) -> None:
        """`log_density` of some rows. `noise`: a factor on the variance. What is needed no more is overwritten."""
        length, variance = self._length[rows], self._variance[rows]
        lighter, aside = _by_ray(lab, [r[rows] for r in self._rays])
        lighter -= length
        base = variance if noise is None else variance * noise
        lit = lighter * lighter
        lit *= self._lit_factor[rows]
        lit += self._lit[rows]
        # a shadow's depth is even between its deepest and none
        beyond = length * np.float32(SHADOW_DEPTH - 1)
        beyond -= lighter
        np.maximum(beyond, lighter, out=beyond)
        np.maximum(beyond, 0.0, out=beyond)
        beyond *= beyond
        beyond /= base
        beyond *= -0.5
        beyond += self._shadow[rows]
        across = np.minimum(lighter, 0.0, out=lighter)
        across *= across
        across *= SHADOW_TINT**2
        across += base
        aside /= across
        aside *= 0.5
        np.maximum(lit, beyond, out=out)
        out -= aside
        out -= np.log(across, out=across)
        np.maximum(out, DENSITY_FLOOR, out=out)


def _noise(light: Floats32) -> Floats32:
    """The factor on the variance, never less than 1, where so much more light falls (... x 3)."""
    return np.asarray(np.maximum(np.maximum(light.mean(axis=2), 0.1) ** NOISE_POWER, 1.0), np.float32)


def _rays(lab: Floats32) -> tuple[Floats32, list[Floats32]]:
    """The way of each colour (H x W x 3) from black: H x W lengths, unit vectors as three planes."""
    parts = [v - black for v, black in zip(cv2.split(lab), BLACK, strict=True)]
    length = np.sqrt(parts[0] ** 2 + parts[1] ** 2 + parts[2] ** 2)
    return length, [p / length for p in parts]


def _by_ray(lab: Floats32, rays: list[Floats32]) -> tuple[Floats32, Floats32]:
    """H x W: how far from black each colour (H x W x 3) lies along its ray, and its distance from the ray, squared."""
    parts = [np.subtract(v, black, out=v) for v, black in zip(cv2.split(lab), BLACK, strict=True)]
    along = parts[0] * rays[0]
    for part, ray in zip(parts[1:], rays[1:], strict=True):
        along += part * ray
    aside, *others = (np.multiply(p, p, out=p) for p in parts)
    for squared in others:
        aside += squared
    aside -= along * along
    return along, np.maximum(aside, 0.0, out=aside)
