"""Colour models learnt from samples: how probable a colour is for beach, red paint, boat wood and so on.

In: Lab samples of each class. Out: log density of every class for every pixel, by one table look-up.
The densities are smoothed histograms: a class may have several shades (lit top, shaded side, flowers on a lawn) and
no shape has to be assumed. Samples are spread along the ray of shading, since lamps change between pictures.
"""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
import numpy.typing as npt

from calibration.ground import BLACK, DENSITY_FLOOR
from calibration.light import Floats32

STEP = 4.0
"""Side of a histogram cell in Lab units."""

LOW = np.array([0.0, -100.0, -116.0], np.float32)
SIZE = (26, 51, 55)
BLUR_CELLS = 1.2
SHADES = (0.7, 0.8, 0.88, 0.94, 1.0, 1.06, 1.12, 1.2, 1.3)
"""Factors on the cube root of the light: each sample is counted in all of them, less the further from 1."""

SHADE_SIGMA = 0.15

KERNEL = cv2.getGaussianKernel(7, BLUR_CELLS).ravel()


class ColourModel:
    """Log densities (per cubic Lab unit) of named classes."""

    def __init__(self, samples: Mapping[str, npt.NDArray[np.floating]]) -> None:
        self.classes = tuple(samples)
        self.index = {name: i for i, name in enumerate(self.classes)}
        table = np.stack([_density(np.asarray(s, np.float32)) for s in samples.values()], axis=-1)
        self._table = np.log(table + np.exp(DENSITY_FLOOR)).astype(np.float32).reshape(-1, len(self.classes))

    def log_density(self, lab: Floats32) -> Floats32:
        """... x C: log density of each class at each colour (... x 3)."""
        cell = np.clip((lab - LOW) * (1 / STEP) + 0.5, 0, np.array(SIZE) - 1).astype(np.int32)
        flat = (cell[..., 0] * SIZE[1] + cell[..., 1]) * SIZE[2] + cell[..., 2]
        return np.asarray(np.take(self._table, flat, axis=0), np.float32)


def _density(samples: Floats32) -> npt.NDArray[np.float64]:
    """SIZE: smoothed histogram as a density; all zero if there are no samples."""
    histogram = np.zeros(SIZE)
    if not len(samples):
        return histogram
    weights = np.exp(-0.5 * ((np.array(SHADES) - 1) / SHADE_SIGMA) ** 2)
    for shade, weight in zip(SHADES, weights / weights.sum(), strict=True):
        spread = (samples - BLACK) * np.float32(shade) + BLACK
        cell = np.clip((spread - LOW) / STEP + 0.5, 0, np.array(SIZE) - 1).astype(int)
        np.add.at(histogram, tuple(cell.T), weight)
    half = len(KERNEL) // 2
    for axis in range(3):
        padded = np.pad(np.moveaxis(histogram, axis, 0), ((half, half), (0, 0), (0, 0)))
        smooth = sum(k * padded[i : i + SIZE[axis]] for i, k in enumerate(KERNEL))
        histogram = np.moveaxis(np.asarray(smooth), 0, axis)
    return histogram / (len(samples) * STEP**3)
