"""Take the light out: bring a picture to the light of the reference picture of the same board.

Lamps change between pictures: strength, colour, place, somebody's soft shadow. All of that is a smooth factor
on the linear light of each channel. The factor is estimated where the print still shows; pieces, tiles and hands are
outliers to a robust fit. A lamp that shines into the lens lays a veil over all: light that is added; what is mirrored
in the board adds light in places, and stays where a lamp is shadowed. Colours are then compared in CIE Lab.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np

from calibration.arrays import Floats32, Image, Mask
from calibration.cells import spread, to_cells
from calibration.gloss import STRAY, find_gloss
from calibration.reflection import LEAST, ReflectionMeter, Seen, Surface, thinned
from calibration.response import LEVELS, Response, find_response, to_light
from calibration.shadow import ShadowMeter
from calibration.surface import FLOOR, PRINT, by_channels, log_factor, log_ratio, quadratic, weights, without

SMOOTH = 0.7
"""Standard deviation of the smoothing of colours, view px (0.6 mm)."""

VEIL = 0.005
"""Less added light (linear, of 1) is not told from none: a board full of pieces leaves little print to tell by."""

VEIL_MOST = 0.4
"""More than that is none: what a lamp has burnt out has little contrast, too."""

DARKEST = 0.01
"""Share of the cells that may be darker than a veil: a channel is cut off there, by the camera's mixing of colours."""

MUCH = 0.02
"""If the darkest cells are brighter than the reference's by more than that (linear, of 1), the veil is looked for from
there down: a small first step up from none may be lost among the pieces."""

UNMIRRORED = 0.25
"""Nothing is mirrored in this share of the cells beside the island, those with least more light, channel by channel,
than they are known with; of a tenth reflections are found nearly as well. A factor that follows all of them takes what
is added in the middle of a sea with little red for eight times the red, and then nothing seems to be added.

Tiles do not tell: they have a tenth of a blue sea's blue, so that the lamp would be taken for yellow, and the sand of
the lands, dark in blue, for pale."""

USUAL = 0.5
"""At a glance the lamp is what this share of them has."""

_VEIL_STEPS = 6

_TO_LINEAR = to_light(LEVELS).astype(np.float32)


def to_linear(image: Image) -> Floats32:
    """H x W x 3 linear light, 0 to 1, BGR."""
    return np.asarray(cv2.LUT(image, _TO_LINEAR), np.float32)


def percentile_light(image: Image, there: Mask, percent: float, below: float = math.inf) -> float | None:
    """That percentile of the brightest channel's linear light (0 to 1) over the pixels `there` (H x W).

    Only of those with less light than `below`; None if there are none.
    """
    levels = np.maximum.reduce(cv2.split(image))[there]
    levels = levels[levels < np.searchsorted(_TO_LINEAR, below)]
    return float(_TO_LINEAR[int(np.percentile(levels, percent, method="lower"))]) if len(levels) else None


def to_lab(linear: Floats32) -> Floats32:
    """H x W x 3 CIE Lab of linear BGR light (values above 1 are clipped), with the pixel noise smoothed a little."""
    lab = cv2.cvtColor(np.clip(linear, 0.0, 1.0), cv2.COLOR_LBGR2Lab)
    return np.asarray(cv2.GaussianBlur(lab, (0, 0), SMOOTH), np.float32)


class Light(NamedTuple):
    """What falls on a picture: `factor`, by how much more than on the reference, in cells (for `spread`); `veil`.

    `veil` is what is added to the linear light (0 to 1) of all channels everywhere, 0 if there is none to speak of.
    `response`: what undoes the camera's, None if it is the reference's. `shadow`: the log of what somebody's shadow
    leaves, in cells, which is in the factor; None if there is none. `gloss`: what is mirrored of the room, in cells,
    beyond what the factor has of it; None if it is not told. `seen`: what is left without veil, response and gloss, for
    `LightMeter` to look for reflections in, None once it has. `mirrored`: what they add to each pixel (H x W), None if
    there are none or they were not looked for.
    """

    factor: Floats32
    veil: float
    response: Response | None = None
    seen: Seen | None = None
    shadow: Floats32 | None = None
    gloss: Floats32 | None = None
    mirrored: Floats32 | None = None

    def without(self, picture: Image, linear: Floats32) -> Floats32:
        """H x W x 3: a picture's linear light as the reference's camera would have seen it, less what is added.

        `linear`: `to_linear` of it.
        """
        light = _without_veil(linear if self.response is None else self.response.undo(picture), self.veil)
        light = _without_gloss(light, self.gloss)
        return light if self.mirrored is None else without(light, self.mirrored[..., None])


class _Fit(NamedTuple):
    """Rows x columns x 3: the log of a smooth factor on the reference, and what it leaves of the cells' log.

    The factor is a quadratic, times what a `shadow` (log, the same size) leaves if there is one.
    """

    smooth: Floats32
    residual: Floats32
    shadow: Floats32 | None = None


class LightMeter:
    """Tells by how much more light falls on a picture than on the reference, both in the same view of the same board.

    `reference`: H x W x 3 linear light, as the camera took it. `valid`: H x W, where the board is. `exposure`: by how
    much the reference is brightened before colours are compared; what is dark then is trusted less. `tiles`: what lies
    on the `island` (H x W), to tell what is mirrored there; the lamp is told by what is beside it.
    """

    def __init__(
        self,
        reference: Floats32,
        valid: Mask,
        exposure: float = 1.0,
        tiles: Sequence[Surface] = (),
        island: Mask | None = None,
    ) -> None:
        self._known = to_cells(reference)
        inside = to_cells(valid.astype(np.float32)) > 0.99
        brightened = self._known * np.float32(exposure)
        self._trust: Floats32 = np.asarray(brightened / (brightened + 0.03) * inside[..., None], np.float32)
        self._weight = self._trust.sum(axis=2)
        self._trusted = self._weight > 0
        self._known_darkest = self._darkest(self._known)
        on_island = np.zeros_like(inside) if island is None else to_cells(island.astype(np.float32)) > 0.5
        beside = self._trusted & ~on_island
        self._beside_island = beside if beside.any() else self._trusted
        thin = thinned(reference)
        self._shadows = ShadowMeter(self._known, thin, self._trust, [tile.mean[:3] for tile in tiles], on_island)
        self._reflections = ReflectionMeter(self._known, thin, self._trusted, tiles, on_island)

    def measure(self, picture: Image, linear: Floats32) -> Light:
        """Of a picture (H x W x 3 uint8 BGR); `linear`: `to_linear` of it."""
        cells = to_cells(linear)
        veil, fit = self._veil(cells)
        response = find_response(cells, self._known, veil, self._trust)
        if response is not None:
            linear = response.undo(picture)
            cells = to_cells(linear)
            veil, fit = self._veil(cells)
        left, thin = _without_veil(cells, veil), _without_veil(thinned(linear), veil)
        fit = self._with_shadow(fit, left, thin)
        most = self._known_darkest
        gloss = find_gloss(left, self._known, self._trust, fit.smooth, shadow=fit.shadow, most=most)
        if gloss is not None:
            left, thin = _without_gloss(left, gloss), _without_gloss(thin, gloss)
            fit = self._with_shadow(self._fit(left, STRAY), left, thin)
        seen = Seen(left, thin, np.exp(fit.smooth), self._more_light(left, USUAL))
        return Light(self._factor(fit), veil, response, seen, fit.shadow, gloss)

    def may_be_mirrored(self, light: Light) -> bool:
        """Whether at a glance anything seems to be mirrored in the board; board, tiles and pieces are all there is."""
        return light.seen is not None and self._reflections.is_any(light.seen)

    def find_mirrored(self, light: Light, shape: tuple[int, int]) -> Light | None:
        """The light on a picture (H x W: `shape`) with what is mirrored in the board; None if nothing is."""
        if light.seen is None:
            return None
        cells, thin, *_ = light.seen
        least = self._more_light(cells, UNMIRRORED)
        first = self._reflections.measure(Seen(cells, thin, np.broadcast_to(least, cells.shape), least))
        stray = 0.0 if light.gloss is None else STRAY
        without = np.exp(self._less(cells, thin, first, stray).smooth)
        added = self._reflections.measure(Seen(cells, thin, without, least))
        fit = self._less(cells, thin, added, stray)
        mirrored = self._reflections.outline(added, Seen(cells, thin, np.exp(fit.smooth), least), shape)
        if mirrored.max() < LEAST:
            return None
        return light._replace(factor=self._factor(fit), seen=None, shadow=fit.shadow, mirrored=mirrored)

    def _more_light(self, cells: Floats32, share: float) -> Floats32:
        """3: that share of the cells beside the island have no more light, against what they are known with, than so
        much; by channel. Ones if nothing is seen."""
        more = log_ratio(cells, self._known)[self._beside_island]
        return np.exp(np.quantile(more, share, axis=0)).astype(np.float32) if len(more) else np.ones(3, np.float32)

    def _less(self, cells: Floats32, thin: Floats32, added: Floats32, stray: float) -> _Fit:
        """What a factor explains of the cells without what is added, in a shadow too."""
        left = without(cells, added[..., None])
        return self._with_shadow(self._fit(left, stray), left, without(thin, spread(added, thin.shape[:2])[..., None]))

    def _veil(self, cells: Floats32) -> tuple[float, _Fit]:
        """The veil, and what a factor explains without it."""
        fit = self._fit(cells)
        veil = self._more_veil(cells, fit.residual)
        most = min(VEIL_MOST, self._darkest(cells))  # nothing is darker than a veil over it
        if most - self._known_darkest > MUCH:
            veil = most
        if veil < VEIL:
            return 0.0, fit
        for _ in range(_VEIL_STEPS):
            left = _without_veil(cells, veil)
            veil = float(np.clip(veil + self._more_veil(left, self._fit(left).residual), 0.0, most))
        return (veil, self._fit(_without_veil(cells, veil))) if veil >= VEIL else (0.0, fit)

    def _darkest(self, cells: Floats32) -> float:
        """Linear light of the darkest of the cells, but for what the camera cut off, in the channel with least."""
        known = cells[self._trusted]
        return float(np.quantile(known, DARKEST, axis=0).min()) if len(known) else 0.0

    def _fit(self, cells: Floats32, stray: float = 0.0) -> _Fit:
        return self._explained(cells, log_factor(cells, self._known, self._trust, stray))

    def _explained(self, cells: Floats32, smooth: Floats32, shadow: Floats32 | None = None) -> _Fit:
        """What is explained of the cells by that log of a factor; the `shadow` is in it."""
        return _Fit(smooth, log_ratio(cells, self._known * np.exp(smooth)), shadow)

    def _with_shadow(self, fit: _Fit, cells: Floats32, thin: Floats32) -> _Fit:
        """The same with a shadow as a part of the factor, if there is one. `thin`: what the cells are of, `thinned`."""
        shadow = self._shadows.measure(cells, thin, fit.smooth, fit.residual)
        return fit if shadow is None else self._explained(cells, fit.smooth + shadow, shadow)

    def _more_veil(self, cells: Floats32, residual: Floats32) -> float:
        """How much added light would explain best what a factor does not, where the print shows: a step of Newton's.

        It lifts what is dark more than what is bright: in the log by itself over the light there.
        """
        off = by_channels(residual)
        lifted = by_channels(np.asarray(1.0 / (cells + FLOOR), np.float32))
        weight = weights(by_channels(self._trust), off, PRINT)
        alone = lifted - quadratic(lifted, weight, cells.shape[:2])  # what no factor lifts
        return float((weight * alone * off).sum() / max((weight * alone**2).sum(), 1e-9))

    def _factor(self, fit: _Fit) -> Floats32:
        residual = fit.residual
        total = np.maximum(self._weight, 1e-6)
        luminance = (residual * self._trust).sum(axis=2) / total
        colour = (np.abs(residual - luminance[..., None]) * self._trust).sum(axis=2) / total
        same = (self._weight > 0.2) & (colour < 0.12) & (np.abs(luminance) < 0.6)
        weight = (same * self._weight).astype(np.float32)
        local = cv2.GaussianBlur(weight * luminance, (0, 0), 2.0) / (cv2.GaussianBlur(weight, (0, 0), 2.0) + 0.1)
        return np.asarray(np.exp(fit.smooth + local[..., None]), np.float32)


def _without_veil(linear: Floats32, veil: float) -> Floats32:
    """Linear light less what a veil adds to it."""
    return without(linear, np.float32(veil)) if veil else linear


def _without_gloss(linear: Floats32, gloss: Floats32 | None) -> Floats32:
    """Linear light less what is mirrored of the room (in cells)."""
    return linear if gloss is None else without(linear, spread(gloss, linear.shape[:2])[..., None])
