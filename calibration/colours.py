"""Colour models learnt from samples: how probable a colour is for beach, red paint, boat wood and so on.

In: Lab samples of each class. Out: log density of every class for every pixel, by one table look-up.
The densities are smoothed histograms: a class may have several shades (lit top, shaded side, flowers on a lawn) and
no shape has to be assumed. Samples are spread along the ray of shading, since lamps change between pictures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from calibration.ground import BLACK, DENSITY_FLOOR
from calibration.light import Floats32

STEP = 4.0
"""Side of a histogram cell in Lab units."""

LOW = (0.0, -100.0, -116.0)
SIZE = (26, 51, 55)
BLUR_CELLS = 1.2
SHADES = np.array([0.7, 0.8, 0.88, 0.94, 1.0, 1.06, 1.12, 1.2, 1.3], np.float32)
"""Factors on the cube root of the light: each sample is counted in all of them, less the further from 1."""

SHADE_SIGMA = 0.15

CHUNK = 20_000
"""Pixels looked up together: what they need fits into a processor's cache."""


class ColourModel:
    """Log densities (per cubic Lab unit) of named classes."""

    def __init__(self, samples: Mapping[str, npt.NDArray[np.floating]]) -> None:
        self.classes = tuple(samples)
        self.index = {name: i for i, name in enumerate(self.classes)}
        table = np.stack([_density(np.asarray(s, np.float32)) for s in samples.values()])
        self._table = np.log(table + np.float32(np.exp(DENSITY_FLOOR)))

    def log_density(self, lab: Floats32) -> Floats32:
        """... x C: log density of each class at each colour (... x 3). Each class is contiguous in memory."""
        colours = lab.reshape(-1, 3)
        out = np.empty((len(self.classes), len(colours)), np.float32)
        for start in range(0, len(colours), CHUNK):
            chunk = slice(start, start + CHUNK)
            cells = _cells(cv2.split(colours[chunk].reshape(-1, 1, 3))).ravel()
            for table, densities in zip(self._table, out[:, chunk], strict=True):
                np.take(table, cells, out=densities, mode="clip")  # all lie inside; "raise" would copy once more
        return np.moveaxis(out.reshape((len(self.classes), *lab.shape[:-1])), 0, -1)


def _cells(lab: Sequence[npt.NDArray[Any]]) -> npt.NDArray[np.intp]:
    """The histogram cell, in the flat table, of each colour; `lab`: L, a and b as arrays of one shape."""
    cell = np.zeros(lab[0].shape, np.float32)  # counts to 2**24 without error: enough for all cells
    for values, low, size in zip(lab, LOW, SIZE, strict=True):
        cell = cell * size + np.floor(np.clip(values * (1 / STEP) + (0.5 - low / STEP), 0, size - 1))
    return cell.astype(np.intp)


def _density(samples: Floats32) -> Floats32:
    """Flat table: smoothed histogram as a density; all zero if there are no samples."""
    if not len(samples):
        return np.zeros(SIZE, np.float32).ravel()
    weights = np.exp(-0.5 * ((SHADES - 1) / SHADE_SIGMA) ** 2)
    shades = [np.multiply.outer(SHADES, v - black) + black for v, black in zip(samples.T, BLACK, strict=True)]
    counts = np.bincount(
        _cells(shades).ravel(), np.repeat(weights / weights.sum(), len(samples)), minlength=np.prod(SIZE)
    )
    along_l, along_a, along_b = _SMOOTHING
    smooth = along_a @ np.tensordot(along_l, counts.reshape(SIZE), 1) @ along_b
    return np.asarray(smooth / (len(samples) * STEP**3), np.float32).ravel()


def _smoothing(cells: int) -> npt.NDArray[np.float64]:
    """Symmetric matrix whose product with a histogram smooths it along an axis of that many cells."""
    kernel = cv2.getGaussianKernel(7, BLUR_CELLS).ravel()
    diagonals = [k * np.eye(cells, k=i - len(kernel) // 2) for i, k in enumerate(kernel)]
    return np.asarray(np.sum(diagonals, axis=0), np.float64)


_SMOOTHING = tuple(_smoothing(n) for n in SIZE)
