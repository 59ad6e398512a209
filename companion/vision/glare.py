"""Find where a lamp blinds the camera.

In: `PixelEvidence`. Out: a mask of pixels that are burnt out, were not so on the empty board, and are no pale tile's:
nothing of the print is to be read in them, and nobody can take it away as a hand. Where a lamp has blinded the camera
on the empty board, too, nobody can tell a tile from the board. What else looks like an arm may be a lamp's reflection,
one that has come or one that has gone: then it is glare as well. What is `mirrored` in the board's face lies behind all
pieces; by its light, which fades away over the print round it, it is told from white paper.
"""

from __future__ import annotations

import functools
import math
from typing import NamedTuple, TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from calibration import Calibration
from calibration.arrays import Floats32, Image, Mask
from calibration.light import to_linear
from companion.vision.evidence import PixelEvidence
from companion.vision.hands import TILE
from companion.vision.printed import ALIKE, SEEN, SEEN_BY

_Scalar = TypeVar("_Scalar", bound=np.generic)

BURNT_OUT = 245
"""A pixel whose darkest channel is at least so bright is burnt out."""

FAR_BRIGHTER = 1.6
CUT_OFF = 250
"""In a picture with so much more light than that of the empty board colours are lost: where one channel is cut off at
white, sand looks like rock."""

HALO_MM = 1.5
"""So far round it a lens spreads the light."""

MOSTLY = 0.5
"""What looks like an arm and is burnt out for the greater part is glare; a white sleeve has shadows."""

LIGHTER = 0.75
NO_DARKER = -0.01
"""A reflection only adds light: so large a share of its pixels has no less linear light than the print, in any channel.
Of 35 arms at 45 tables the palest had 0.71."""

LEAST_ADDED = 0.05
GREY = 0.6
"""The light that it adds, in the median, is so much at least in every channel, and in none less than this share of what
it is in another."""

LEAST_GREY, GREYISH = 0.01, 0.5
"""Of one pixel: so much light more or less in every channel, and in none less than this share of what it is in
another, is grey."""

GONE = 0.1
"""Where a lamp has moved so large a share of the pixels has less light."""

LAMP_MM = 4.0
"""A burnt-out spot on the empty board with room for a disc of this radius is no printed line, but a lamp."""

BLINDED_MM = 10.0
"""With room for such a disc it hides whether there is a tile; printed clouds are smaller."""

NEAR_MM = 16.0
NEAR, NEAR_BURNT = 0.35, 0.2
"""Where so much lies so near to a lamp on the empty board, its reflection has moved or gone; of those arms 0.23 at
most. Less is enough where some of it is burnt out: there the reflection is now."""

EVERY = 2
"""Of what looks like an arm every second row and column is asked: shares and medians are as good, in a fourth of the
time."""

FADES_MM = (1.5, 4.0)
FADING, LEAST_RING = 0.03, 20
"""Light that is mirrored fades away: from..to so far from what it burns out the bare print has so much more linear
light in the median of at least so many pixels, in each channel. Round white paper there is none."""

DETAIL_WINDOW = (7, 7)
"""And it is added to the print, whose detail (against the mean over 6 mm) is surely seen through it in that ring, as
`printed` says of hexes. Paper has none, though its rim be darker than its middle: of 667 hexes under such paper,
painted into 63 pictures, there is more light round 195, and of these 6 seem to be seen through (19 with 0.3)."""

SOME = 0.05
"""Burnt out is so much of a reflection that has moved; of 40 arms at 24 other tables nothing."""


class GlareStep:
    """Finds glare."""

    def __init__(self, calibration: Calibration) -> None:
        scale = calibration.view.px_per_mm
        self._disc = _disc(HALO_MM * scale)
        white = _burnt_out(calibration.reference_image)
        self._white = cv2.dilate(white, self._disc)
        on_board = np.where(calibration.on_board, white, np.uint8(0))  # the cards beside it are white
        lamps = cv2.morphologyEx(on_board, cv2.MORPH_OPEN, _disc(LAMP_MM * scale))
        blinded = cv2.morphologyEx(on_board, cv2.MORPH_OPEN, _disc(BLINDED_MM * scale))
        self._blinded = cv2.dilate(blinded, self._disc) > 0
        self._white_print = np.where(self._blinded, np.uint8(0), self._white)
        near_lamp = cv2.dilate(lamps, _disc(NEAR_MM * scale)) > 0
        self._printed, self._near_lamp = _asked(self._white == 0), _asked(near_lamp)
        self._reference = _asked(calibration.reference_image)
        self._empty_board, self._scale = calibration.reference_image, scale
        self._known = calibration.on_board & (self._white == 0)
        self._always_cut = cv2.dilate(_cut_off(calibration.reference_image), self._disc)

    def __call__(self, evidence: PixelEvidence) -> Mask:
        """H x W: True where it is blinded, and a little round it; of far too bright a picture where it is cut off."""
        burnt = self.newly_white(evidence)
        if cv2.countNonZero(burnt):
            burnt[(evidence.tile > TILE) & ~self._blinded] = 0
            burnt = np.asarray(cv2.dilate(burnt, self._disc), np.uint8)
        if np.median(evidence.light) > FAR_BRIGHTER:
            cut = cv2.bitwise_and(_cut_off(evidence.picture), cv2.bitwise_not(self._always_cut))
            cut[evidence.tile <= TILE] = 0
            burnt = np.asarray(cv2.bitwise_or(burnt, cut), np.uint8)
        return np.asarray(burnt > 0)

    def newly_white(self, evidence: PixelEvidence) -> Image:
        """H x W: 255 where a pixel is burnt out and was not so on the empty board, else 0. It may be a pale tile's."""
        return np.asarray(cv2.bitwise_and(_burnt_out(evidence.picture), cv2.bitwise_not(self._white_print)), np.uint8)

    def mirrored(self, glare: Mask, evidence: PixelEvidence, island: Mask) -> Mask:
        """H x W: the parts of `glare` round which, where no tiles may lie (`island`), its light fades away and the
        print is seen through it: the board mirrors it, and pieces stand before it."""
        away, nearest = cv2.distanceTransformWithLabels((~glare).astype(np.uint8), cv2.DIST_L2, 5)
        first, last = (mm * self._scale for mm in FADES_MM)
        ring = self._known & ~island & (away > first) & (away <= last)
        usual = np.median(evidence.light, axis=(0, 1))
        added = _added(evidence.picture, self._empty_board, ring, usual).min(axis=1)
        print_, seen = self._print_detail[ring] * usual[1], _detail(evidence.picture)[ring]
        parts = nearest[ring]
        mirrors = np.zeros(int(nearest.max()) + 1, bool)
        for part in np.flatnonzero(np.bincount(parts) >= LEAST_RING):
            here = parts == part
            mirrors[part] = np.median(added[here]) > FADING and _is_seen_through(print_[here], seen[here])
        return np.asarray(glare & mirrors[nearest])

    @functools.cached_property
    def _print_detail(self) -> Floats32:
        """`_detail` of the empty board; most tables never need it."""
        return _detail(self._empty_board)

    def suspect(self, there: Mask, evidence: PixelEvidence) -> Suspect:
        """What looks like an arm `there` (H x W)."""
        asked, picture = _asked(there), _asked(evidence.picture)
        printed = asked & self._printed
        return Suspect(
            added=_added(picture, self._reference, printed, np.median(evidence.light, axis=(0, 1))),
            burnt=float(_burnt_out(picture)[asked].mean() / 255),
            near_lamp=float(self._near_lamp[asked].mean()),
        )


class Suspect(NamedTuple):
    """What looks like an arm. `added`: N x 3, of pixels whose print is known, how much more linear light comes from
    them than from the print; `burnt`: which share of all is burnt out; `near_lamp`: lies near a lamp on the empty
    board."""

    added: Floats32
    burnt: float
    near_lamp: float

    @property
    def is_reflection(self) -> bool:
        """True if it is the reflection of a lamp, or has been one on the empty board."""
        if self.near_lamp > (NEAR_BURNT if self.burnt > SOME else NEAR):
            return True
        if not len(self.added) or self.burnt > MOSTLY:
            return True
        usual = np.median(self.added, axis=0)
        lighter = (self.added.min(axis=1) > NO_DARKER).mean()
        return bool(lighter > LIGHTER and usual.min() > max(LEAST_ADDED, GREY * usual.max()))

    @property
    def has_gone(self) -> bool:
        """True if in a part of it a lamp's light has gone: less light, and that grey."""
        return self._grey()[1] > GONE

    def grey_share(self, *, moved: bool = False) -> float:
        """In what share of its pixels the print has more or less light than it should, and that grey.

        0 where light has only come and none of it is burnt out: printed paper looks so, too, but for a lamp that is
        known to have `moved`. 0 as well where nothing of the print is known.
        """
        more, less = self._grey()
        return more + less if moved or less > GONE or self.burnt > SOME else 0.0

    def _grey(self) -> tuple[float, float]:
        """In what share of the pixels there is more light than the print has, and in what share less, and that grey."""
        if not len(self.added):
            return 0.0, 0.0
        amounts = np.abs(self.added)
        grey = amounts.min(axis=1) > np.maximum(LEAST_GREY, GREYISH * amounts.max(axis=1))
        more, less = grey & (self.added.min(axis=1) > 0), grey & (self.added.max(axis=1) < 0)
        return float(more.mean()), float(less.mean())


def _asked(raster: npt.NDArray[_Scalar]) -> npt.NDArray[_Scalar]:
    """Each `EVERY`th row and column of a raster (H x W ...)."""
    return np.ascontiguousarray(raster[::EVERY, ::EVERY])


def _light(picture: Image, there: Mask) -> Floats32:
    """N x 3: the linear light of the pixels that lie `there`."""
    pixels = picture[there]
    return to_linear(pixels[:, None])[:, 0] if len(pixels) else np.zeros((0, 3), np.float32)


def _added(picture: Image, board: Image, there: Mask, usual: Floats32) -> Floats32:
    """N x 3: how much more linear light comes from the pixels that lie `there` than from the print (`board`) in the
    `usual` light of the picture (BGR)."""
    return np.asarray(_light(picture, there) - _light(board, there) * usual, np.float32)


def _detail(picture: Image) -> Floats32:
    """H x W: by how much more linear light (green) a pixel has than those round it."""
    light = to_linear(np.ascontiguousarray(picture[..., 1]))
    return np.asarray(light - cv2.blur(light, DETAIL_WINDOW), np.float32)


def _is_seen_through(print_: Floats32, seen: Floats32) -> bool:
    """True if the print's detail is surely in what is seen (both of the same pixels)."""
    power = max(float(print_ @ print_), 1e-9)
    contrast = float(print_ @ seen) / power
    error = ALIKE * math.sqrt(float(np.square(seen - contrast * print_).mean()) / power)
    return contrast - SEEN_BY * error > SEEN


def _disc(radius_px: float) -> Image:
    side = 2 * round(radius_px) + 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)), np.uint8)


def _cut_off(picture: Image) -> Image:
    """H x W: 255 where any channel is cut off at white, else 0."""
    return np.asarray(cv2.bitwise_not(cv2.inRange(picture, (0,) * 3, (CUT_OFF - 1,) * 3)), np.uint8)


def _burnt_out(picture: Image) -> Image:
    """H x W: 255 or 0."""
    return np.asarray(cv2.inRange(picture, (BURNT_OUT,) * 3, (255,) * 3), np.uint8)
