"""Light mirrored in the board: what a lamp, a window, a bright ceiling adds to a part of a picture.

It adds about the same light to all channels of whatever lies there: colours turn pale, black turns grey. Two things
tell how much it is. Nothing is darker than what is added to it, and nearly everywhere something on a printed board is
dark, if only in one channel (the dark channel prior of He, Sun and Tang, 2009); how dark depends on what lies there.
And what the print, or a tile, looks like without it is known. For each cell some amounts are tried, and of each it is
asked how well it explains what is seen as the print or as some tile under so much light (a cost volume, as for stereo
pictures). Costs count up to some limit only, as pieces are neither, and in the mean over neighbouring cells.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import NamedTuple

import cv2
import numpy as np

from calibration.arrays import Floats32, Mask
from calibration.cells import spread

AMOUNTS = np.array([0, 0.008, 0.016, 0.03, 0.05, 0.075, 0.1, 0.14, 0.19, 0.25, 0.32, 0.4], np.float32)
"""Added light (linear, of 1) that is tried."""

LEAST = 0.012
"""If it is less everywhere, it is none: of 34 pictures of the development set four show 0.008 somewhere, one more."""

GLANCE = 2
"""If every so many rows and columns of cells show none, there is none."""

EVERY = 2
"""What is darkest is looked for in every second row and column."""

NEAR, CLOSE = 7, 3
"""What is darkest near a cell is looked for in a square of so many such rows and columns (11 mm) round its middle; what
is bright in less than a square of so many (5 mm) does not count for where a reflection ends."""

SPREAD = 1.75
"""Standard deviation of the mean over neighbouring cells, in cells."""

COLOUR_SHARE, COLOUR_LEAST = 0.2, 0.01
"""Standard deviation of a cell's light about what the print has, as a share of it and, of a tile's too, at least."""

DARK_SHARE, DARK_LEAST = 0.15, 0.006
"""The same of the darkest near it."""

PRINT_LIGHT, TILE_LIGHT = 0.5, 0.2
"""Standard deviation of the light there, of the usual: shadows fall on the board."""

PIECE = 40.0
"""What is explained worse (in squared standard deviations) is neither print nor tile, and tells nothing."""

DOUBT = 2.0
"""By so much (of the squares of a cell) added light must explain better than none."""

RARER = 6.0
"""What the log determinants of covariances count at most."""

LEAST_CELLS = 8
TYPICAL = 0.75
ROOM = 1.6
"""A kind of tile is learnt from that many cells at least, and is what that share of them, the most alike, looks like:
on each of the swatch picture's tiles somebody stands. Being that of the most alike, their covariance is widened so."""

REACH = 5
"""Width (cells) of what a reflection may cover that is told of the middle one: as far as darkness close by says."""

_ROUNDS = 4
_MEAN = np.full((3, 1), 1 / 3, np.float32)
_SHARES = np.array([COLOUR_SHARE] * 3 + [DARK_SHARE], np.float32)[:, None]
_LEASTS = np.array([COLOUR_LEAST] * 3 + [DARK_LEAST], np.float32)[:, None]


class Surface(NamedTuple):
    """What cells of one kind of tile look like in the reference's light: BGR and the darkest near them.

    `mean`: 4, `covariance`: 4 x 4.
    """

    mean: Floats32
    covariance: Floats32


def thinned(light: Floats32) -> Floats32:
    """Every `EVERY`th row and column of H x W x 3 light."""
    thin = cv2.resize(light, None, fx=1 / EVERY, fy=1 / EVERY, interpolation=cv2.INTER_NEAREST)
    return np.asarray(thin, np.float32)


def darkest_near(thin: Floats32, cells: tuple[int, int]) -> Floats32:
    """Rows x columns (`cells`) x 3: how dark each channel of `thinned` light gets round the middle of each cell."""
    return spread(_darkest(thin, NEAR), cells)


def learn_surface(light: Floats32, near: Floats32, there: Mask) -> Surface | None:
    """Of the cells that lie `there` on tiles of one kind, most of which show nothing else. None if they are too few.

    `light` and `near` (rows x columns x 3; see `darkest_near`): in the reference's light.
    """
    values = np.dstack([light, near.min(axis=2)])[there].astype(float)
    if len(values) < LEAST_CELLS:
        return None
    least = COLOUR_LEAST**2 * np.eye(values.shape[1])
    typical = values
    for _ in range(_ROUNDS):
        mean, covariance = typical.mean(axis=0), np.cov(typical.T) + least
        off = values - mean
        away = (off @ np.linalg.inv(covariance) * off).sum(axis=1)
        typical = values[away <= np.quantile(away, TYPICAL)]
    return Surface(np.asarray(mean, np.float32), np.asarray(ROOM * covariance, np.float32))


class Seen(NamedTuple):
    """A picture's linear light: in `cells` (rows x columns x 3), and `thin`, the same `thinned`.

    `factor` (rows x columns x 3): by how much more light falls there than on the reference; `lamp` (3): by how much
    more by channel where nothing is added, as far as that is known.
    """

    cells: Floats32
    thin: Floats32
    factor: Floats32
    lamp: Floats32


class ReflectionMeter:
    """Tells what is mirrored in a board whose print is known.

    `known` (rows x columns x 3): the reference's light in cells; `thin`: the same, `thinned`; `inside` (rows x
    columns): where the board is; `tiles`: what may lie on it, and only on its `island` (rows x columns).
    """

    def __init__(self, known: Floats32, thin: Floats32, inside: Mask, tiles: Sequence[Surface], island: Mask) -> None:
        self._near, self._close = darkest_near(thin, inside.shape), _opened(thin)
        kinds = [_Tile(t.mean[:, None], np.linalg.inv(t.covariance), np.linalg.slogdet(t.covariance)[1]) for t in tiles]
        self._fine, self._coarse = (_Raster(known, inside, inside & island, kinds, every) for every in (1, GLANCE))

    def is_any(self, seen: Seen) -> bool:
        """Whether anything seems to be added anywhere, at a glance."""
        return bool(self._coarse.measure(*self._normalised(seen)).max() >= LEAST)

    def measure(self, seen: Seen) -> Floats32:
        """Rows x columns: what is added to each cell, linear light, the same in all channels."""
        return self._fine.measure(*self._normalised(seen))

    def _normalised(self, seen: Seen) -> tuple[Floats32, Floats32, Floats32]:
        """The picture and one unit of added light in the reference's light (rows x columns x 4: BGR and the darkest
        near); the darkest near if the print is there (rows x columns)."""
        overall = seen.factor @ _MEAN
        factor = np.dstack([seen.factor, overall])
        near = _least(darkest_near(seen.thin, seen.cells.shape[:2]))
        # by the lamp: in the channel with least the factor may still be what is added
        dark = _least(self._near * (seen.lamp / seen.lamp.mean()))
        light = np.asarray(np.dstack([seen.cells, near]) / factor, np.float32)
        return light, np.asarray(1.0 / factor, np.float32), dark

    def outline(self, added: Floats32, seen: Seen, shape: tuple[int, int]) -> Floats32:
        """H x W (`shape`): what is added to each pixel; where it ends is told by what is dark close by.

        `added`: to cells. What stands before a reflection is as dark as it is.
        """
        size = seen.thin.shape[0], seen.thin.shape[1]
        close = _least(_opened(seen.thin))
        own = close - _least(self._close * spread(seen.factor, size))
        far = np.asarray(cv2.dilate(added, np.ones((REACH, REACH), np.uint8)), np.float32)
        here = np.clip(own, spread(added, size), spread(far, size))
        return spread(np.minimum(here, close), shape)


class _Tile(NamedTuple):
    """`mean`: 4 x 1, `precision`: 4 x 4, the logarithm of the covariance's determinant."""

    mean: Floats32
    precision: Floats32
    volume: float

    def weigh(self, values: Floats32) -> Floats32:
        """4 x N, in and out."""
        return self.precision @ values


class _Raster:
    """Every so many rows and columns of the cells of a board. `known`: rows x columns x 3."""

    def __init__(self, known: Floats32, inside: Mask, island: Mask, tiles: Sequence[_Tile], every: int) -> None:
        self._every, self._tiles, self._deviation = every, tiles, SPREAD / every
        self._print = self._taken(known)
        self._inside = inside[::every, ::every].astype(np.float32)
        self._count = self._smoothed(self._inside) + np.float32(1e-3)
        self._island = np.flatnonzero(island[::every, ::every])

    def measure(self, light: Floats32, unit: Floats32, dark: Floats32) -> Floats32:
        """What is added to each of its cells: see `ReflectionMeter._normalised`."""
        squares = self._least_squares(self._taken(light), self._taken(unit), self._taken(dark[..., None]))
        rasters = squares.reshape(-1, *self._inside.shape) * self._inside
        costs = np.stack([self._smoothed(raster) for raster in rasters]) / self._count
        costs[1:] += DOUBT
        return _cheapest(costs) * self._inside

    def _least_squares(self, light: Floats32, unit: Floats32, dark: Floats32) -> Floats32:
        """Amounts x cells: how badly what explains a cell best does, with so much added light."""
        print_ = np.vstack([self._print, dark])
        deviation = np.hypot(_SHARES * print_, _LEASTS * unit)
        weigh = functools.partial(np.multiply, deviation**-2)
        squares = np.minimum(_explain(light, unit, print_, weigh, PRINT_LIGHT), PIECE)
        light, unit, least = (np.ascontiguousarray(of[:, self._island]) for of in (light, unit, squares))
        volume = 2 * np.log(deviation[:, self._island]).sum(axis=0)
        for tile in self._tiles:
            rarer = np.clip(tile.volume - volume, -RARER, RARER)
            np.minimum(least, rarer + _explain(light, unit, tile.mean, tile.weigh, TILE_LIGHT), out=least)
        squares[:, self._island] = least
        return squares

    def _taken(self, cells: Floats32) -> Floats32:
        """Channels x N."""
        some = cells[:: self._every, :: self._every]
        return np.ascontiguousarray(some.reshape(-1, some.shape[2]).T, np.float32)

    def _smoothed(self, values: Floats32) -> Floats32:
        """The mean over cells near each, by their nearness."""
        mean = cv2.GaussianBlur(values, (0, 0), self._deviation, borderType=cv2.BORDER_REPLICATE)
        return np.asarray(mean, np.float32)


def _explain(
    light: Floats32,
    unit: Floats32,
    known: Floats32,
    weigh: Callable[[Floats32], Floats32],
    deviation: float,
) -> Floats32:
    """Amounts x cells: the squares that are left if as much light as explains most falls on what is known.

    `light`, `unit` of what is added, `known`: 4 x N (or 1); `weigh` multiplies them by the inverse of the covariance;
    `deviation` of the light about 1.
    """
    expected = np.float32(deviation**-2)
    of_known, of_unit, of_light = (weigh(values) for values in (known, unit, light))
    per_light = (of_known * known).sum(axis=0) + expected
    lit = (of_known * light).sum(axis=0) + expected
    both = (of_known * unit).sum(axis=0)
    certain = (of_unit * unit).sum(axis=0) - both**2 / per_light
    amount = ((of_unit * light).sum(axis=0) - both * lit / per_light) / certain
    left = (of_light * light).sum(axis=0) + expected - lit**2 / per_light - certain * amount**2
    return np.asarray(left + certain * (AMOUNTS[:, None] - amount) ** 2, np.float32)


def _cheapest(costs: Floats32) -> Floats32:
    """Rows x columns: the amount with the least of the costs (amounts x rows x columns), between those that were tried
    by the parabola through three."""
    best = costs.argmin(axis=0)
    middle = np.clip(best, 2, len(AMOUNTS) - 2)  # that none costs less is no part of a parabola
    around = middle + np.arange(-1, 2)[:, None, None]
    (c0, c1, c2), (x0, x1, x2) = np.take_along_axis(costs, around, axis=0), AMOUNTS[around]
    first, second = (c1 - c0) / (x1 - x0), (c2 - c1) / (x2 - x1)
    bend = (second - first) / (x2 - x0)
    between = (x0 + x1) / 2 - first / (2 * np.maximum(bend, 1e-6))
    return np.asarray(np.where((best == middle) & (bend > 0), np.clip(between, x0, x2), AMOUNTS[best]), np.float32)


def _darkest(thin: Floats32, side: int) -> Floats32:
    """The least of each channel in a square round each pixel."""
    return np.asarray(cv2.erode(thin, np.ones((side, side), np.uint8)), np.float32)


def _opened(thin: Floats32) -> Floats32:
    """Without what is bright in less than `CLOSE`: the morphological opening of each channel."""
    return np.asarray(cv2.morphologyEx(thin, cv2.MORPH_OPEN, np.ones((CLOSE, CLOSE), np.uint8)), np.float32)


def _least(channels: Floats32) -> Floats32:
    """Rows x columns of rows x columns x channels."""
    return np.asarray(np.minimum.reduce(cv2.split(channels)), np.float32)
