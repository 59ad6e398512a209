"""The shadow of a head or a shoulder over a part of the board.

Where somebody stands between a lamp and the table, what is left comes from other lamps and from the walls: less light,
and of another colour. How much is left changes slowly from place to place, its colour with its depth, and that alike
all over the picture. Both are told where the print shows: there the picture has the print's structure, however dark it
is, so that neither a sleeve nor a few black pieces pass for a shadow. On the island tiles tell it, too, as what they
look like is known; which kind lies there is told by how dark it is beside it.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from calibration.arrays import Floats, Floats32, Mask
from calibration.surface import FLOOR, PRINT, by_channels, log_ratio

DEEP = 0.35
"""In some place three tenths of the light are missing (log): what is less the light's own local fit takes out."""

DARK_CELLS, PRINT_CELLS = 5, 3
"""A shadow has a square of so many cells (40 mm) that are all so dark, and one of so many (24 mm) that all show the
print, too."""

FINE, NEAR = (25, 25), (21, 21)
"""Structure is what is lighter or darker than the mean of so many px of `thinned` light (42 mm); it is compared with
the print's over so many (35 mm)."""

NO_PRINT, ALL_PRINT = 0.3, 0.7
"""From the first correlation to the second a cell counts as print from nothing to all; from half on it shows it."""

TRUSTED = 0.1
"""A cell that is trusted less is on no board."""

DARK_LIGHT = 0.1
"""Of light as this share of the reference's mean a tile's channel counts half."""

TILE = 0.15
"""Standard deviation (log) of a tile's channel about the shadow's colour; the print's is `surface.PRINT`."""

TILE_WEIGHT = 0.5
"""A tile counts for less than the print: in other light another kind may look alike."""

ROUNDS = ((3.0, 9.0), (2.5, 1.0), (2.0, 0.7), (2.0, 0.6), (2.0, 0.6))
"""Of each round how far what is near reaches, and how far a cell may be off the last round's depth: standard deviations
in cells and of the log. Tiles count from the second round on."""

WIDE = 8.0
BY_WIDER, BY_WIDEST, BY_NOTHING = 0.05, 0.03, 1e-3
"""A depth is told by what is near, by what is within twice the distance, and by what is within so many cells. Each
counts as if this much weight near it said what the next one says; the last one is held at 0."""

TINT_STEPS = 6
"""The shadow's colour is fitted in so many steps a round, each with the weights of the last one."""

NO_TINT = 1.0
"""What holds that colour near grey: as much as a cell of depth 1."""

LEAST_SLOPE = 0.25
"""Darker cells count as if `FLOOR` hid no more than three quarters of a change; a shadow's are so dark that more would
be noise."""


class ShadowMeter:
    """Tells what a shadow leaves of the light on a board whose print is known.

    `known` (rows x columns x 3): the reference's light in cells; `thin`: the same, `reflection.thinned`; `trust` (rows
    x columns x 3): how much each channel of it counts; `tiles`: what light (3) each kind of tile throws back there, if
    it lies on the `island` (rows x columns).
    """

    def __init__(
        self, known: Floats32, thin: Floats32, trust: Floats32, tiles: Sequence[Floats32], island: Mask
    ) -> None:
        of_print, of_channels = _channels_first(known), _channels_first(trust)
        of_tiles = [np.broadcast_to(tile[:, None, None], of_print.shape) for tile in tiles]
        half = DARK_LIGHT * of_print.mean()
        self._trust = of_channels.mean(axis=0)
        self._surfaces = np.stack([of_print, *of_tiles])
        self._channels = np.stack([of_channels, *(tile / (tile + half) for tile in of_tiles)])
        on_island = np.asarray(TILE_WEIGHT * (island & (self._trust > TRUSTED)), np.float32)
        self._weights = np.stack([self._trust, *[on_island] * len(tiles)])
        self._colours = np.array([PRINT] + [TILE] * len(tiles), np.float32)[:, None, None]
        self._structure = _structure(thin)
        self._power = cv2.blur(self._structure**2, NEAR)

    def measure(self, cells: Floats32, thin: Floats32, smooth: Floats32, residual: Floats32) -> Floats32 | None:
        """Rows x columns x 3: the log of what a shadow leaves of the light, 0 and less; None if there is none.

        `cells` (rows x columns x 3): a picture's linear light; `thin`: the same, `thinned`. `smooth`: the log of the
        factor on the reference that is known of, `residual`: what that leaves of the cells' log if the print lies
        everywhere (both rows x columns x 3).
        """
        dark = (_mean(_channels_first(residual), self._channels[0]) < -DEEP) & (self._trust > TRUSTED)
        if not _has_square(dark, DARK_CELLS):
            return None
        shown = np.clip((self._likeness(thin) - NO_PRINT) / (ALL_PRINT - NO_PRINT), 0.0, 1.0)
        deep = dark & (shown > 0.5)
        if not _has_square(deep, PRINT_CELLS):
            return None
        weights = self._weights.copy()
        weights[0] *= shown
        seen, surfaces = _channels_first(cells), self._surfaces * np.exp(_channels_first(smooth))
        depth, tint = np.zeros(dark.shape, np.float32), np.ones((3, 1, 1), np.float32)
        for number, (near, off) in enumerate(ROUNDS):
            count = len(surfaces) if number else 1
            logs, slope = _logs(seen, surfaces[:count], depth * tint)
            channels = self._channels[:count] * slope
            depths = _mean(logs, channels)
            tint = _tint(logs[0][:, deep], depths[0][deep], weights[0][deep], tint[..., 0])[..., None]
            aside = _mean(np.abs(logs - depths[:, None] * tint), channels) / self._colours[:count]
            weight = weights[:count] * _robust(aside) * _robust((depths - depth) / np.float32(off))
            total = weight.sum(axis=0)
            depth = _smoothed((weight * depths).sum(axis=0) / np.maximum(total, 1e-6), total, near)
        return np.ascontiguousarray(np.moveaxis(np.minimum(depth * tint, 0.0), 0, 2))

    def _likeness(self, thin: Floats32) -> Floats32:
        """Rows x columns: the correlation of the picture's structure with the print's."""
        seen = _structure(thin)
        power = np.maximum(cv2.blur(seen**2, NEAR) * self._power, 0.0)  # a sum that slides may end below
        likeness = cv2.blur(seen * self._structure, NEAR) / np.sqrt(power + 1e-6)
        return np.asarray(cv2.resize(likeness, self._trust.shape[::-1], interpolation=cv2.INTER_AREA), np.float32)


def _structure(thin: Floats32) -> Floats32:
    """H x W: by how much more light (log, all channels together) a place of `thinned` light has than those round it."""
    light = np.log(thin.sum(axis=2) + 3 * FLOOR)
    return np.asarray(light - cv2.blur(light, FINE), np.float32)


def _has_square(there: Mask, side: int) -> bool:
    return bool(cv2.erode(there.astype(np.uint8), np.ones((side, side), np.uint8)).any())


def _channels_first(cells: Floats32) -> Floats32:
    """3 x rows x columns of rows x columns x 3."""
    return by_channels(cells).reshape(3, *cells.shape[:2])


def _mean(values: Floats32, weight: Floats32) -> Floats32:
    """(N x) rows x columns of (N x) 3 x rows x columns: over the channels, by their weights."""
    return np.asarray((values * weight).sum(axis=-3) / np.maximum(weight.sum(axis=-3), 1e-6), np.float32)


def _logs(seen: Floats32, surfaces: Floats32, shadow: Floats32) -> tuple[Floats32, Floats32]:
    """N x 3 x rows x columns, twice: the log of what is left of the light on each of N surfaces, if it lies there; and
    how much of a change of that is seen beside `FLOOR`. By what the last round's `shadow` (log) makes of them."""
    expected = surfaces * np.exp(shadow)
    slope = np.maximum(expected / (expected + np.float32(FLOOR)), np.float32(LEAST_SLOPE))
    return np.asarray(shadow + log_ratio(seen, expected) / slope, np.float32), np.asarray(slope, np.float32)


def _robust(off: Floats32) -> Floats32:
    """Weights that outliers lose (Geman and McClure); `off` in standard deviations."""
    return np.asarray((1.0 + off**2) ** -2, np.float32)


def _tint(logs: Floats32, depth: Floats32, weight: Floats32, tint: Floats32) -> Floats32:
    """3 x 1, 1 in the mean: by how much deeper than its depth a shadow is in a channel.

    Of N cells that show it, `logs` (3 x N) and `depth`; a few steps from what it was (`tint`).
    """
    for _ in range(TINT_STEPS):
        counted = weight * _robust(np.sqrt(((logs - depth * tint) ** 2).mean(axis=0)) / np.float32(PRINT))
        more = (logs - depth) @ (counted * depth) / ((counted * depth**2).sum() + NO_TINT)
        tint = np.asarray(1.0 + (more - more.mean()), np.float32)[:, None]
    return tint


def _smoothed(values: Floats32, weight: Floats32, near: float) -> Floats32:
    """Rows x columns: what values near each cell say by their weights, or those further off where these are few."""
    wide = _blurred(values * weight, WIDE) / (_blurred(weight, WIDE) + np.float32(BY_NOTHING))
    return _planes(values, weight, near, _planes(values, weight, 2 * near, wide, BY_WIDEST), BY_WIDER)


def _planes(values: Floats32, weight: Floats32, near: float, otherwise: Floats32, held: float) -> Floats32:
    """Rows x columns: the height of a plane through the values near each cell (local linear regression with a Gaussian
    of that deviation); a mean would draw the middle of a shadow towards the light beside it.

    `otherwise`: its height where nothing tells, with the weight `held`, which also keeps it level.
    """
    y, x = (at.astype(np.float32) / np.float32(near) for at in np.mgrid[: values.shape[0], : values.shape[1]])
    one, off = np.float32(1.0), weight * (values - otherwise)
    n, n_x, n_y, n_xx, n_xy, n_yy = (_blurred(weight * t, near) for t in (one, x, y, x * x, x * y, y * y))
    v, v_x, v_y = (_blurred(off * t, near) for t in (one, x, y))
    # moments about each cell
    x_n, y_n, x_v, y_v = n_x - x * n, n_y - y * n, v_x - x * v, v_y - y * v
    xx, yy = n_xx - 2 * x * n_x + x * x * n + held, n_yy - 2 * y * n_y + y * y * n + held
    xy = n_xy - x * n_y - y * n_x + x * y * n
    # Cramer's rule
    level = xx * yy - xy**2
    above = v * level - x_n * (x_v * yy - y_v * xy) + y_n * (x_v * xy - y_v * xx)
    below = (n + held) * level - x_n * (x_n * yy - y_n * xy) + y_n * (x_n * xy - y_n * xx)
    return np.asarray(otherwise + above / below, np.float32)


def _blurred(values: Floats | Floats32, near: float) -> Floats32:
    blurred = cv2.GaussianBlur(np.asarray(values, np.float32), (0, 0), near, borderType=cv2.BORDER_REPLICATE)
    return np.asarray(blurred, np.float32)
