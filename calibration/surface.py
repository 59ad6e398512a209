"""Robust quadratic surfaces through what is measured in cells of a picture of the board: the light's own freedom.

In: rows x columns x 3 (by channel) or 3 x N values and weights. What is no print, as pieces cover it, is an outlier.
"""

from __future__ import annotations

import functools
from typing import TypeVar, cast

import numpy as np
import numpy.typing as npt

from calibration.arrays import Floats, Floats32

FLOOR = 0.004
"""Linear light below this is noise."""

PRINT = 0.12
"""Standard deviation of the log ratio in cells that show the print."""

RIDGE = (1e-6, 1e-3, 1e-3, 0.3, 0.3, 0.3)
"""What holds the quadratic's terms near 0 where few cells show the print: 1, x, y, xy, xx, yy."""

TIED = (0.0, 30.0, 30.0, 30.0, 30.0, 30.0)
"""What holds a factor's terms near their mean over the channels, where these tell little: a lamp's colour may be any,
but changes little from place to place."""

SCALES = (0.5, 0.3, 0.2, 0.15, PRINT, PRINT)
"""How far off (in the log) a cell may be to count, round by round."""

LEAST_LIGHT = 1e-4
"""No less than that is known of a cell."""

LEAST_SLOPE = 0.1
"""Darker cells count as if `FLOOR` hid no more than nine tenths of a change."""

Cells = TypeVar("Cells", Floats, Floats32)

_PAIRS = np.triu_indices(len(RIDGE))
_PRODUCT_OF = np.zeros((len(RIDGE), len(RIDGE)), int)
"""Which product is that of two terms, either way round."""
_PRODUCT_OF[_PAIRS] = _PRODUCT_OF.T[_PAIRS] = np.arange(len(_PAIRS[0]))


def polynomial(ratio: Floats32, trust: Floats32) -> Floats32:
    """A robust quadratic surface per channel through the cells' log ratios (rows x columns x 3)."""
    values, base = by_channels(ratio), by_channels(trust)
    fits = _medians(values, base)
    for scale in SCALES:
        fits = quadratic(values, weights(base, values - fits, scale), ratio.shape[:2])
    return np.asarray(fits.T.reshape(ratio.shape), np.float32)


def log_factor(light: Floats32, known: Floats32, trust: Floats32, stray: float = 0.0) -> Floats32:
    """The log of the factor, a robust quadratic per channel, by which the cells have more `light` than is `known`.

    All rows x columns x 3. What tells little of a channel leaves its factor to change from place to place as those of
    the others do. `stray`: so much of the known light may be none of the print's own, so that what is as dark tells
    little. Beside `FLOOR` a factor on what is dark seems nearer to 1 than it is, so each round asks only by how much
    the light is off what the last one's factor makes of the known.
    """
    cells, reference, base = by_channels(light), by_channels(known), by_channels(trust)
    base = np.asarray(base / (1.0 + (stray / PRINT / np.maximum(reference, LEAST_LIGHT)) ** 2), np.float32)
    fits = _medians(log_ratio(cells, reference), base)
    for scale in SCALES:
        expected = reference * np.exp(fits)
        slope = np.maximum(expected / (expected + FLOOR), LEAST_SLOPE)
        off = np.asarray(log_ratio(cells, expected) / slope, np.float32)
        fits = _tied(fits + off, weights(base * slope**2, off, scale), light.shape[:2])
    return np.asarray(fits.T.reshape(light.shape), np.float32)


def log_ratio(light: Cells, known: Cells) -> Cells:
    """The log of how much more light there is than is known; it tends to 0 where both are noise."""
    return cast("Cells", np.log((light + FLOOR) / (known + FLOOR)))


def without(linear: Floats32, added: Floats32 | np.float32) -> Floats32:
    """Linear light less what is added to it; nothing where that is more."""
    left: Floats32 = linear - added
    np.maximum(left, 0.0, out=left)
    return left


def _medians(values: Floats32, base: Floats32) -> Floats32:
    """3 x N: of each channel the median of what can be trusted, everywhere."""
    told = ((v, b > 0.3) for v, b in zip(values, base, strict=True))
    medians = [np.median(v[enough]) if enough.any() else 0.0 for v, enough in told]
    return np.repeat(np.array(medians, np.float32)[:, None], values.shape[1], axis=1)


def by_channels(cells: Cells) -> Cells:
    """3 x N of rows x columns x 3."""
    return np.ascontiguousarray(cells.reshape(-1, 3).T)


def weights(base: Cells, off: Cells, scale: float) -> Cells:
    """3 x N: a cell is the print only if all channels agree, so how far they are off counts for the three together."""
    together = (base * off**2).sum(axis=0) / np.maximum(base.sum(axis=0), 1e-6)
    return cast("Cells", base / (1.0 + together / scale**2) ** 2)


def quadratic(values: Cells, weight: Cells, shape: tuple[int, ...]) -> Cells:
    """... x 3 x N: the quadratic a channel through values of cells (the same; `shape`: rows, columns), by their weights
    (3 x N)."""
    terms, normal, told = _normal_equations(values, weight, shape)
    factors = np.linalg.solve(normal, told[..., None])[..., 0]
    return cast("Cells", factors.astype(values.dtype) @ terms.T)


def _tied(values: Floats32, weight: Floats32, shape: tuple[int, ...]) -> Floats32:
    """3 x N: as `quadratic`, but that the channels hold each other by `TIED`."""
    terms, alone, told = _normal_equations(values, weight, shape)
    together = np.einsum("cd,ij->cidj", np.eye(3) - 1 / 3, np.diag(TIED))  # how far they are off their mean
    channels = np.arange(3)
    together[channels, :, channels] += alone
    factors = np.linalg.solve(together.reshape(told.size, told.size), told.ravel().astype(float)).reshape(told.shape)
    return np.asarray(factors.astype(np.float32) @ terms.T, np.float32)


def _normal_equations(
    values: Cells, weight: Cells, shape: tuple[int, ...]
) -> tuple[npt.NDArray[np.floating], npt.NDArray[np.floating], npt.NDArray[np.floating]]:
    """The terms at each cell (N x 6), and of the least squares in them the matrix of each channel (3 x 6 x 6) and the
    right-hand side (... x 3 x 6)."""
    terms, products = _terms(shape[0], shape[1], values.dtype)
    return terms, (weight @ products)[:, _PRODUCT_OF] + np.diag(RIDGE), (weight * values) @ terms


@functools.cache
def _terms(
    rows: int, columns: int, kind: np.dtype[np.floating]
) -> tuple[npt.NDArray[np.floating], npt.NDArray[np.floating]]:
    """The quadratic's terms at each cell (N x 6), and the products of two of them (N x 21; see `_PRODUCT_OF`)."""
    y, x = np.meshgrid(np.linspace(-1, 1, rows), np.linspace(-1, 1, columns), indexing="ij")
    terms = np.stack([np.ones_like(x), x, y, x * y, x * x, y * y], axis=-1).reshape(-1, len(RIDGE))
    return terms.astype(kind), (terms[:, _PAIRS[0]] * terms[:, _PAIRS[1]]).astype(kind)
