"""Another camera response than the reference picture's: what undoes it.

Cameras bend the tones of their pictures: by a contrast that follows what is seen, a mode that was changed, the program
that takes the picture. And they mix the channels otherwise: by more or less saturation, for another temperature of
white; lamps that give little of some colours do it, too. More light is a factor on each channel, and moves dark and
bright, sea and sand alike; these do not, and are the same all over the board. They are looked for where the print still
shows, as the light is, and together with it.
"""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np

from calibration.arrays import Floats, Floats32, Image
from calibration.surface import FLOOR, PRINT, by_channels, polynomial, quadratic, weights

WAVES = np.pi * np.arange(1, 4)
"""Half a wave over all levels, a whole one, one and a half: so a tone curve is bent, each by its length. Black and
white stay."""

PAIRS = tuple((into, of) for into in range(3) for of in range(3) if into != of)
"""Into which channel which other is mixed."""

LUMINANCE = (0.0722, 0.7152, 0.2126)
"""Of linear blue, green and red in grey."""

TONE_SIGMA, GREY_SIGMA, OTHER_SIGMA = 0.15, 0.3, 0.07
"""Standard deviations: of the waves' amplitudes (a curve with a slope of 1.3 in the middle has 0.3, a gamma of 1.18 has
0.19); of how much grey is mixed in or taken away; of what a channel may have more of another besides. A print of two
colours does not tell these apart, and pieces have others: then it is grey, which cameras do mix in."""


def _prior() -> Floats:
    """The inverse of the parameters' covariance."""
    grey = np.array([0.0] * len(WAVES) + [LUMINANCE[of] for _, of in PAIRS])
    single = np.array([TONE_SIGMA] * len(WAVES) + [OTHER_SIGMA] * len(PAIRS))
    return np.asarray(np.linalg.inv(np.diag(single**2) + GREY_SIGMA**2 * np.outer(grey, grey)))


PRIOR = _prior()

EVERY = 2
"""So many rows and columns of cells make one that is asked."""

ALIKE = 8.0
"""So many of these tell as much as one by itself: neighbours show the same print and err alike."""

TELLING = (0.015, 0.965)
"""Levels beyond tell nothing: there is noise, and what the camera has cut off."""

SUSPECTED = 0.2
"""If one linear step explains so much of what the light leaves (of its squares), another response is looked for. Of 657
pictures of 209 sessions in their own it does of ten, of nine of which it then changes the levels by a few (0.025 in the
median, 0.12 at 95 in 100)."""

EXPLAINED = 0.95
"""A response counts if it leaves no more of the robust cost than this."""

SCALES = tuple(max(PRINT, 0.6 * 0.8**n) for n in range(14))
"""How far off (in the log) a cell may be to count, round by round."""

LEVELS = np.arange(256) / 255.0
"""Of 8 bits, as stored."""

_LEAST = 1e-5
"""No less linear light is left of a channel from which others are taken."""


class Response(NamedTuple):
    """What makes of a picture what the reference's camera response would have made of it.

    `tone`: amplitudes of `WAVES`, added to its levels (0 to 1 as stored). `mixing`: 3 x 3, then its linear light is
    multiplied by it (BGR).
    """

    tone: Floats
    mixing: Floats32

    def undo(self, picture: Image) -> Floats32:
        """H x W x 3: the linear light of a picture (uint8 BGR)."""
        light = to_light(np.clip(_bent(LEVELS, self.tone), 0.0, 1.0)).astype(np.float32)
        return np.asarray(np.maximum(cv2.transform(cv2.LUT(picture, light), self.mixing), 0.0), np.float32)


def find_response(cells: Floats32, known: Floats32, veil: float, trust: Floats32) -> Response | None:
    """None if it is the reference's, or cannot be told.

    `cells` and `known`, rows x columns x 3: the linear light of the picture and of the reference, `trust` in them.
    `veil`: what explains the picture best without another response, which then has to be better than that.
    """
    cells, known, trust = (np.ascontiguousarray(part[::EVERY, ::EVERY]) for part in (cells, known, trust))
    search = _Search(cells, known, trust)
    none = np.zeros(len(PRIOR))
    off = search.left(search.value(none, veil))
    if search.step(none, off, weights(search.base, off, PRINT)).explains() < SUSPECTED:
        return None
    found, fit = none, search.surface(search.value(none))
    for scale in SCALES:
        value = search.value(found)
        weight = weights(search.base, value - fit, scale)
        fit = quadratic(value, weight, cells.shape[:2])
        found = found + search.step(found, value - fit, weight).to_best(found, scale)
    if search.cost(search.left(search.value(found))) > EXPLAINED * search.cost(off):
        return None
    tone = found[: len(WAVES)]
    if (np.diff(_bent(LEVELS, tone)) < 0.0).any():
        return None  # no camera shows less where there is more light
    mixing = np.eye(3, dtype=np.float32)
    for (into, of), share in zip(PAIRS, found[len(WAVES) :], strict=True):
        mixing[into, of] = share
    return Response(tone, mixing)


class _Search:
    """The cells of one picture. Amplitudes and what is mixed in stand in one vector, as in `PRIOR`.

    Logs are taken without a floor, which less light would come nearer to, as by a curve; what is dark counts less.
    """

    def __init__(self, cells: Floats32, known: Floats32, trust: Floats32) -> None:
        light, reference, base = (by_channels(part.astype(float)) for part in (cells, known, trust))
        self._shape = cells.shape[:2]
        self._levels = to_levels(light)
        self._known = np.log(np.maximum(reference, _LEAST))
        self._waves = _waves(self._levels)
        above = (light / (light + FLOOR) * reference / (reference + FLOOR)) ** 2
        self.base = base * above * ((self._levels > TELLING[0]) & (self._levels < TELLING[1]))

    def _undone(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        """3 x N each: levels in the reference's tone, their linear light, and that as it is mixed."""
        levels = np.clip(self._levels + self._waves @ x[: len(WAVES)], 0.0, 1.0)
        light = to_light(levels)
        mixed = light.copy()
        for (into, of), share in zip(PAIRS, x[len(WAVES) :], strict=True):
            mixed[into] += share * light[of]
        return levels, light, np.maximum(mixed, _LEAST)

    def value(self, x: Floats, veil: float = 0.0) -> Floats:
        """3 x N: the log of the light over the reference's with that response undone, then the veil taken out."""
        return np.log(np.maximum(self._undone(x)[2] - veil, _LEAST)) - self._known

    def surface(self, value: Floats) -> Floats:
        """3 x N: the robust quadratic through these."""
        cells = value.T.reshape(*self._shape, 3), self.base.T.reshape(*self._shape, 3)
        return by_channels(polynomial(*(part.astype(np.float32) for part in cells)).astype(float))

    def left(self, value: Floats) -> Floats:
        """3 x N: what the light leaves of these."""
        return value - self.surface(value)

    def step(self, x: Floats, off: Floats, weight: Floats) -> _Step:
        """From there on; `off`: what the light leaves of `value`."""
        levels, light, mixed = self._undone(x)
        by = np.zeros((len(PRIOR), *light.shape))
        by[: len(WAVES)] = np.moveaxis(self._waves, -1, 0) * (_slope(levels) / mixed)
        for (into, of), row in zip(PAIRS, by[len(WAVES) :], strict=True):
            row[into] = light[of] / mixed[into]
        return _Step(by - quadratic(by, weight, self._shape), off, weight)

    def cost(self, off: Floats) -> float:
        """A robust sum over the cells: the further one is off, the nearer it comes to what it counts at most."""
        weight = self.base.sum(axis=0)
        squares = (self.base * off**2).sum(axis=0) / np.maximum(weight, 1e-6)
        return float((weight * squares / (PRINT**2 + squares)).sum())


class _Step:
    """One linear step. `by`: parameters x 3 x N, the change with each that no smooth factor makes as well."""

    def __init__(self, by: Floats, off: Floats, weight: Floats) -> None:
        rows = by.reshape(len(by), -1)
        weighted = rows * weight.ravel()
        self._normal = weighted @ rows.T
        self._ahead = weighted @ off.ravel()
        self._squares = float((weight * off**2).sum())

    def explains(self) -> float:
        """The share of the squares that the best step would take away."""
        normal = self._normal + 1e-6 * np.eye(len(PRIOR))
        return float(self._ahead @ np.linalg.solve(normal, self._ahead)) / max(self._squares, 1e-9)

    def to_best(self, x: Floats, scale: float) -> Floats:
        """By how much the parameters are to be changed; `scale`: how far off cells are."""
        certain = 1.0 / (ALIKE * scale**2)
        return np.asarray(np.linalg.solve(self._normal * certain + PRIOR, -self._ahead * certain - PRIOR @ x))


def to_levels(light: Floats) -> Floats:
    """Stored levels of linear light, both 0 to 1 (sRGB)."""
    return np.where(light <= 0.0031308, 12.92 * light, 1.055 * np.maximum(light, 0.0031308) ** (1 / 2.4) - 0.055)


def to_light(levels: Floats) -> Floats:
    """Linear light of stored levels."""
    return np.where(levels <= 0.04045, levels / 12.92, ((levels + 0.055) / 1.055) ** 2.4)


def _slope(levels: Floats) -> Floats:
    """By how much `to_light` grows with the level."""
    return np.where(levels <= 0.04045, 1 / 12.92, 2.4 / 1.055 * ((levels + 0.055) / 1.055) ** 1.4)


def _bent(levels: Floats, tone: Floats) -> Floats:
    return np.asarray(levels + _waves(levels) @ tone)


def _waves(levels: Floats) -> Floats:
    """... x amplitudes: each of `WAVES` at the levels."""
    return np.asarray(np.sin(levels[..., None] * WAVES) / WAVES)
