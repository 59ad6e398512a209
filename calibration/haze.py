"""Light that the lens itself scatters over all of a picture: dust, a finger's print, a lamp that shines into it.

In: the pictures of the empty board and of the swatch layout, the corner cards. Out: how much light is added everywhere,
and what takes it out.
It makes black grey: what differs little in the dark, as black creatures do, then differs less. What comes to a single
picture later is a veil (`light`); this is in all of a table's pictures, also in that of the empty board. It is a share
of the light that falls on the table: with half of that there is half of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from calibration.arrays import Floats, Image, Mask
from calibration.print import BoardPrint
from calibration.response import LEVELS, to_levels, to_light

INK = 0.1
"""Printed black is no brighter than that, as a share of the paper's white (linear light): what is more is haze. Toner
has some 0.04, ink on plain paper up to this (densities of 1.4 and 1.0); 210 rendered tables have 0.052 at most. Where
what is none is taken out, dark things become black and are misread as in haze: cards are not believed sooner."""

SHADE = 0.01
"""Among the swatch pieces something is dark or casts a shadow: the darkest places have no more light than so much of
white, if only in one channel. What they have beyond it is haze. Of 51 rendered tables with none half have less than
0.003, nine of ten less than 0.012, one has 0.022."""

PLACES, BLUR_PX = 0.001, 3
"""The darkest places: such a share of the view, smoothed over a square of so many pixels."""

NEARLY_ALL = 0.99
"""Where no card is seen, white is as bright as this share of the board's face is at most."""

FEWEST = 2
"""With fewer cards a lamp mirrored in one is not told from haze: all have what the lens adds."""

LEAST = 0.003
"""So little linear light is none: dark levels are as far apart."""

CUT_OFF, BRIGHTEST = 254, 1.5
"""From this level of a channel on white may be brighter than the picture shows, but hardly brighter than that."""

LEAST_SEEN, CLEARLY = 0.5, 1.1
"""A card tells if so much of its black and of its white lies in the picture, and white is so many times as bright."""

USUAL = 0.5
"""How bright a picture is tells the median of the board's face."""

MOST = 0.95
"""Nothing is quite black: of the light of a picture's darkest places so much at most is haze."""

_Light = Annotated[float, msgspec.Meta(ge=0, le=1)]


class Haze(msgspec.Struct, frozen=True):
    """Linear light, 0 to 1, in blue, green, red, as in the picture of the empty board.

    `added`: by the lens, everywhere. `middle`: the median of the board's face, with that in it.
    """

    added: tuple[_Light, _Light, _Light]
    middle: tuple[_Light, _Light, _Light]


def black_and_white(image: Image, board: BoardPrint, cards: Mapping[str, Floats]) -> Floats:
    """N x 2 x 3: of N cards the linear light (0 to 1, BGR) of black and of white in a picture (H x W x 3 uint8 BGR).

    `cards`: the markers' corners by card, 4 x 2 px each, in the order of `BoardPrint.card_corners`. Of fewer cards than
    `FEWEST` that can be told N is 0.
    """
    told = []
    for name, seen in cards.items():
        corners = board.card_corners(name)[:, :2].astype(np.float32)
        to_picture = cv2.getPerspectiveTransform(corners, np.asarray(seen, np.float32))
        black, white = (
            _median(image, cv2.perspectiveTransform(points[None, :, :2], to_picture))
            for points in (board.card_black(name), board.card_white(name))
        )
        if black is not None and white is not None:
            light = to_light(white / 255) if white.max() < CUT_OFF else np.full(3, BRIGHTEST)
            told.append([to_light(black / 255), light])
    clear = [[black, white] for black, white in told if white.sum() > CLEARLY * black.sum()]
    return np.array(clear if len(clear) >= FEWEST else []).reshape(-1, 2, 3)


def measure_haze(told: Floats, view: Image, there: Mask, swatch_view: Image | None = None) -> Haze | None:
    """What the lens adds, so far as the cards or the swatch pieces prove it; None if they prove none to speak of.

    `told`: `black_and_white` of the picture of the empty board. `view`, `swatch_view`: H x W x 3 uint8 BGR, that and,
    if there is one yet, the swatch picture in the view; `there`: H x W, where they show the board's face.
    """
    usual, bright = _quantiles(view, there, USUAL, NEARLY_ALL)
    added, white = np.zeros(3), np.full(3, bright.max())
    if len(told):
        added, white = (told[:, 0] - INK * told[:, 1]).min(axis=0) / (1 - INK), np.median(told[:, 1], axis=0)
    if swatch_view is not None:
        most = np.minimum(_darkest(view, there), told[:, 0].min(axis=0, initial=1.0))  # nothing is darker than haze
        share = min(_beyond_shade(swatch_view, there, usual, white), (most / np.maximum(white, LEAST)).min())
        added = np.maximum(added, share * white)
    return Haze(_channels(added.clip(0.0, 1.0)), _channels(usual)) if added.max() > LEAST else None


def black_share(told: Floats) -> float | None:
    """How bright printed black is, as a share of white, on the card where it is least; None where that is not told.

    `told`: `black_and_white`.
    """
    black, white = told.sum(axis=2).T
    return float((black / white).min()) if len(told) else None


def cleared(view: Image, haze: Haze, there: Mask) -> Image:
    """A picture in the view (H x W x 3 uint8 BGR) without the haze; `there`: H x W, where it shows the board's face.

    In less light there is less haze, told by the channel in which the board has lost least, as tiles and pieces have
    colours. After the lens was wiped there is less, too: nothing is darker than it. In more light no more is taken out,
    but what is left is a veil.
    """
    (usual,) = _quantiles(view, there, USUAL)
    light = float(np.clip(_light(usual, np.array(haze.middle)), LEAST, 1.0))
    added = np.array(haze.added)
    clear = added > LEAST
    most = MOST * float((_darkest(view, there)[clear] / added[clear]).min(initial=np.inf))
    added *= min(light, most)
    levels = to_levels(np.maximum(to_light(LEVELS)[:, None] - added, 0.0) / np.maximum(1 - added / light, 1e-6))
    return np.asarray(cv2.LUT(view, np.round(255 * levels).astype(np.uint8)[None]), np.uint8)


def _beyond_shade(swatch_view: Image, there: Mask, usual: Floats, white: Floats) -> float:
    """The light, as a share of white, that not even the darkest places among the swatch pieces lack.

    `usual`, `white`: 3, the median of the empty board's face, and white, in its picture.
    """
    (swatch_usual,) = _quantiles(swatch_view, there, USUAL)
    dark = _darkest(swatch_view, there) / max(_light(swatch_usual, usual), LEAST) / np.maximum(white, LEAST)
    return float((dark.min() - SHADE) / (1 - SHADE))


def _darkest(view: Image, there: Mask) -> Floats:
    """3: the linear light of the darkest places, channel by channel; what lies beside `there` does not count."""
    smooth = np.asarray(cv2.blur(view, (BLUR_PX, BLUR_PX)), np.uint8)
    inner = cv2.erode(there.view(np.uint8), np.ones((BLUR_PX, BLUR_PX), np.uint8)) > 0
    (darkest,) = _quantiles(smooth, inner, PLACES)
    return np.asarray(darkest)


def _light(usual: Floats, before: Floats) -> float:
    """How bright a picture is beside another, told by the medians of the board's face."""
    return float((usual / np.maximum(before, 1e-6)).max())


def _quantiles(view: Image, there: Mask, *shares: float) -> Floats:
    """Shares x 3: the linear light (BGR) that such shares of the pixels `there` have at most."""
    mask = there.view(np.uint8)
    counts = [cv2.calcHist([view], [c], mask, [256], [0, 256]).ravel().cumsum() for c in range(3)]
    return to_light(np.array([[np.searchsorted(n, share * n[-1]) for n in counts] for share in shares]) / 255)


def _median(image: Image, pixels: npt.ArrayLike) -> Floats | None:
    """3: the picture's median levels at 1 x N x 2 px; None if too few of these lie in it."""
    at = np.asarray(pixels, np.float32)
    inside = ((at >= 0) & (at <= (image.shape[1] - 1, image.shape[0] - 1))).all(axis=2)
    if inside.mean() < LEAST_SEEN:
        return None
    seen = cv2.remap(image, at[..., 0], at[..., 1], cv2.INTER_LINEAR)
    return np.asarray(np.median(seen[inside], axis=0), float)


def _channels(values: Floats) -> tuple[float, float, float]:
    blue, green, red = (float(v) for v in values)
    return blue, green, red
