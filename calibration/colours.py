"""Colour models learnt from samples: how probable a colour is for beach, red paint, boat wood and so on.

In: Lab samples of each class. Out: log density of every class for every pixel, by one table look-up: as numbers for
what learns (`ColourModel`), as bytes for what reads pictures (`ColourTable`).
The densities are smoothed histograms: a class may have several shades (lit top, shaded side, flowers on a lawn) and
no shape has to be assumed. Samples are spread along the ray of shading, since lamps change between pictures.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Container, Iterator, Mapping

import cv2
import numpy as np
import numpy.typing as npt

from calibration.arrays import Bytes, Floats32, Indices
from calibration.ground import BLACK, DENSITY_FLOOR

LOW = (0.0, -100.0, -116.0)
HIGH = (100.0, 100.0, 100.0)
"""The colours that histograms reach to, Lab."""

STEP = 4.0
"""Side of a histogram's cell in Lab units."""

SIGMA = 4.8
"""Standard deviation of its smoothing in Lab units."""

FINE_STEP = 2.0
FINE_SIGMA = 2.4
"""What differs by a tint of black only wants finer histograms: colours of creatures are often 5 units apart."""

BYTES = (-18.0, -4.0)
"""The log densities that become 0 and 255; what lies beyond is clipped."""

TIE = 1e-4
"""OpenCV rounds halves to even numbers, which would make every other cell larger: so much more than a half goes up."""

SHADES = np.array([0.7, 0.8, 0.88, 0.94, 1.0, 1.06, 1.12, 1.2, 1.3], np.float32)
"""Factors on the cube root of the light: each sample is counted in all of them, less the further from 1."""

SHADE_SIGMA = 0.15

CHUNK = 150_000
"""Pixels looked up together. More need more memory; with fewer, other threads that calculate meanwhile wait oftener."""

Samples = Mapping[str, npt.NDArray[np.floating]]
SIDE_BY_SIDE = 4
"""So many classes are looked up at once. OpenCV samples pictures of up to so many channels twice as fast as others."""

Densities = npt.NDArray[np.uint8]
"""Groups x H x W x `SIDE_BY_SIDE`: log densities as bytes (see `BYTES`), zeros for what the last group lacks."""


class _Cells:
    """A division of Lab into cubes with sides of `step`."""

    def __init__(self, step: float) -> None:
        self._step = step
        self._size = tuple(round((high - low) / step) + 1 for low, high in zip(LOW, HIGH, strict=True))
        self.count = math.prod(self._size)
        self._to_cells = np.column_stack([np.eye(3), TIE - np.array(LOW)]) / step

    def __call__(self, colours: Floats32) -> Indices:
        """The cell, in the flat table, of each of N x 3 colours; what lies beyond the limits is in the last one."""
        cells = cv2.transform(colours.reshape(-1, 1, 3), self._to_cells)
        cell = np.zeros((len(colours), 1), np.int32)
        for along, size in zip(cv2.split(rounded(cells)), self._size, strict=True):
            cell *= size
            cell += np.minimum(along, size - 1, dtype=np.uint8)
        return np.asarray(cell.ravel(), np.intp)

    def by_parts(self, colours: Floats32) -> Iterator[tuple[slice, Indices]]:
        """The cells of colours (N x 3), some at a time: which of them, and their cells."""
        for start in range(0, len(colours), CHUNK):
            part = slice(start, start + CHUNK)
            yield part, self(colours[part])

    def log_density(self, samples: Floats32, sigma: float) -> Floats32:
        """Flat table: log of the smoothed histogram as a density; the floor everywhere if there are no samples."""
        if not len(samples):
            return np.full(self.count, DENSITY_FLOOR, np.float32)
        weights = np.exp(-0.5 * ((SHADES - 1) / SHADE_SIGMA) ** 2)
        shades = np.multiply.outer(SHADES, samples - BLACK) + BLACK
        counts = np.bincount(
            self(shades.reshape(-1, 3)), np.repeat(weights / weights.sum(), len(samples)), minlength=self.count
        )
        along_l, along_a, along_b = (_smoothing(n, sigma / self._step) for n in self._size)
        table = counts.reshape(self._size).astype(np.float32)
        held = np.unravel_index(np.flatnonzero(counts), self._size)
        at_l, at_a, at_b = (slice(int(at.min()), int(at.max()) + 1) for at in held)
        part = along_a[:, at_a] @ table[at_l, at_a, at_b] @ along_b[at_b]  # elsewhere there is nothing to be smoothed
        smooth = along_l[:, at_l] @ part.reshape(len(part), -1)
        return np.log(smooth.ravel() / (len(samples) * self._step**3) + np.float32(np.exp(DENSITY_FLOOR)))


class ColourModel:
    """Log densities (per cubic Lab unit) of named classes."""

    def __init__(self, samples: Samples) -> None:
        self.classes = tuple(samples)
        self.index = {name: i for i, name in enumerate(self.classes)}
        self._cells = _Cells(STEP)
        self._table = np.stack([self._cells.log_density(np.asarray(s, np.float32), SIGMA) for s in samples.values()])

    def log_density(self, lab: Floats32) -> Floats32:
        """... x C: log density of each class at each colour (... x 3). Each class is contiguous in memory."""
        colours = lab.reshape(-1, 3)
        out = np.empty((len(self.classes), len(colours)), np.float32)
        for part, cells in self._cells.by_parts(colours):
            for table, densities in zip(self._table, out[:, part], strict=True):
                np.take(table, cells, out=densities, mode="clip")  # all lie inside; "raise" would copy once more
        return np.moveaxis(out.reshape((len(self.classes), *lab.shape[:-1])), 0, -1)


class ColourTable:
    """The same for whole pictures: log densities as bytes, from cells half as wide.

    `fine`: the classes that want finer histograms.
    """

    def __init__(self, samples: Samples, fine: Container[str] = ()) -> None:
        self.classes = tuple(samples)
        self.index = {name: i for i, name in enumerate(self.classes)}
        self._cells = _Cells(FINE_STEP)
        groups = -(-len(samples) // SIDE_BY_SIDE)
        tables = np.zeros((groups * SIDE_BY_SIDE, self._cells.count), np.uint8)
        for table, (name, of) in zip(tables, samples.items(), strict=False):
            sigma = FINE_SIGMA if name in fine else SIGMA
            table[:] = to_bytes(self._cells.log_density(np.asarray(of, np.float32), sigma)).ravel()
        by_cell = tables.reshape(groups, SIDE_BY_SIDE, -1).transpose(0, 2, 1)
        self._tables = np.ascontiguousarray(by_cell).view(np.uint32)[..., 0]

    def __call__(self, lab: Floats32) -> Densities:
        """The densities of each class, in their order, at each colour (H x W x 3)."""
        colours = lab.reshape(-1, 3)
        out = np.empty((len(self._tables), len(colours)), np.uint32)
        for part, cells in self._cells.by_parts(colours):
            for table, densities in zip(self._tables, out[:, part], strict=True):
                np.take(table, cells, out=densities, mode="clip")
        return out.view(np.uint8).reshape(len(out), *lab.shape[:-1], SIDE_BY_SIDE)


def of_class(densities: Densities, number: int) -> Bytes:
    """H x W: the densities of one class, by its place in the table's order."""
    group, place = divmod(number, SIDE_BY_SIDE)
    return densities[group, ..., place]


def rounded(values: npt.NDArray[np.float32] | cv2.typing.MatLike, factor: float = 1.0, offset: float = 0.0) -> Bytes:
    """round(factor * values + offset), clipped to a byte."""
    return np.asarray(cv2.addWeighted(values, factor, values, 0.0, offset, dtype=cv2.CV_8U), np.uint8)


def to_bytes(log_density: Floats32) -> Densities:
    """`BYTES` to 0 and 255, rounded."""
    low, high = BYTES
    scale = 255 / (high - low)
    return rounded(log_density, scale, -low * scale).reshape(log_density.shape)


def from_bytes(densities: Densities) -> Floats32:
    """The inverse of `to_bytes`."""
    low, high = BYTES
    return np.asarray(densities * np.float32((high - low) / 255) + np.float32(low), np.float32)


@functools.cache
def _smoothing(cells: int, sigma: float) -> Floats32:
    """Symmetric matrix whose product with a histogram smooths it along an axis of that many cells."""
    kernel = cv2.getGaussianKernel(2 * round(2.5 * sigma) + 1, sigma).ravel()
    diagonals = [k * np.eye(cells, k=i - len(kernel) // 2) for i, k in enumerate(kernel)]
    return np.asarray(np.sum(diagonals, axis=0), np.float32)
