"""Is the swatch layout laid as it should be? Tells which piece is missing, and where something lies that should not.

In: what the picture of the empty board tells, then live pictures or the swatch picture. Out: a `SwatchSight` each. No
colours are known yet: a piece is what the print does not explain, an explorer on a tile what the other tiles of its
kind do not show.
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Mapping, Sequence
from typing import Literal

import cv2
import msgspec
import numpy as np

from calibration.arrays import Floats32, Image, Pixels
from calibration.cells import spread
from calibration.ground import Ground, measure_noise
from calibration.hexes import hex_outline, hex_pixels
from calibration.laid import Face, Laid, Places
from calibration.light import LightMeter, to_lab, to_linear
from calibration.model import Calibration
from calibration.print import HEXES, Hex
from calibration.swatch import PRESCRIBED, Swatch
from calibration.view import Rectifier

PIECE_LOG = 10.5
"""A piece stands on the print where, over the size of a piece, the print's mean log density is below minus this."""

NOTHING_LOG = 9.0
"""Up to this nothing at all is there: bare print has 8, the faintest piece of 270 tables, many in poor light, 9.7."""

RIDER_LOG = 2.0
"""An explorer stands on a tile where, over its size, the colours are so much rarer (log) on the other tiles of that
kind than the tile's usual ones."""

PIECE_PX = 9
"""About the size of an explorer seen from above, view px (7 mm)."""

STRAY_MM2 = 90.0
"""Something lies on a hex that should be bare where the print does not explain so much of it."""

COVERED_MM2 = 600.0
"""Half a tile, and more than nearly all shadows: bare hexes of the development sessions have 18 at most, one of 270
tables, lit by a single hard lamp, had 660, all others less than 460."""

TILE_MM2 = 900.0
"""No shadow but a tile lies on a hex of which the print does not explain so much."""

NOT_EMPTY = 4
"""So many covered hexes, and fewer places where nothing is: the layout is right, the picture of the empty board wrong.
A game taken for the empty board covers 5 at its very end and 15 to 50 before."""

UNLIKE_SEA = 30.0
"""Tiles differ by more (Lab) from what the swatch layout leaves bare: at the development set's tables by 70 to 80, what
is printed in their places by 5 to 10."""

MOSTLY = 0.75
"""Of the covered hexes, that are further from the sea in one of the two pictures: then the tiles lie in that one. Of 17
tables with a game in one of the pictures 0.87 of them are at least."""


class SwatchSight(msgspec.Struct, frozen=True):
    """`tiles`: places whose tile is missing. `pieces`: whose piece is. `strays`: hexes that should be bare.

    What is sure even in poor light: `gone`, places that show nothing but the print; `covered`,
    hexes that should be bare and show something large, and those of them, `tiled`, on which a tile lies.
    """

    tiles: tuple[Swatch, ...]
    pieces: tuple[Swatch, ...]
    strays: tuple[Hex, ...]
    gone: tuple[Swatch, ...]
    covered: tuple[Hex, ...]
    tiled: tuple[Hex, ...]

    @property
    def board_was_not_empty(self) -> bool:
        """What differs is not the layout's: the picture that all is compared with is none of an empty board.

        So it is where people lay the layout and look; of two pictures `SwatchCheck.where_covered` tells which is wrong.
        """
        return len(self.covered) >= NOT_EMPTY and len(self.covered) > len(self.gone)


class SwatchCheck:
    """Compares pictures with the empty board: `bare` as `Calibration.bare` makes it, with the pictures' camera."""

    def __init__(self, bare: Calibration, swatches: Sequence[Swatch] = PRESCRIBED) -> None:
        board, view, eye = bare.board, bare.view, bare.camera.eye
        self._places = Places(board, view, eye, swatches)
        self._camera, self._view, self._haze = bare.camera, view, bare.haze
        self._on_board = bare.on_board
        self._known_lab = to_lab(bare.reference_light())
        self._exposure = np.float32(bare.exposure)
        self._light = LightMeter(bare.light_as_taken(), bare.on_board, bare.exposure)
        self._mm2 = 1.0 / view.px_per_mm**2
        covered = self._places.covered(swatches).astype(np.uint8)
        free = (cv2.dilate(covered, np.ones((9, 9), np.uint8)) == 0).ravel()
        self._bare: dict[Hex, Pixels] = {}
        for h in HEXES:
            if h not in self._places.whole:
                there = hex_pixels(view, eye, hex_outline(board.centre(h), board.side), (0.0,))
                self._bare[h] = there[free[there]]

    def see(self, image: Image) -> SwatchSight:
        """Look at a picture (H x W x 3 uint8 BGR) of the size of the empty board's."""
        return self.judge(self.compare(self._rectify(image)))

    @functools.cached_property
    def _rectify(self) -> Rectifier:
        return Rectifier(self._camera, self._view, self._haze)

    def compare(self, seen: Image) -> Laid:
        """A picture in the view (H x W x 3 uint8 BGR) against the empty board."""
        linear = to_linear(seen)
        light = self._light.measure(seen, linear)
        lab = to_lab(light.without(seen, linear) * (self._exposure / spread(light.factor, seen.shape[:2])))
        noise = measure_noise(lab, self._known_lab, self._on_board)
        return Laid(seen, lab, noise, Ground(self._known_lab, noise), self._places)

    def judge(self, laid: Laid) -> SwatchSight:
        """What is missing, and where something lies that should not."""
        foreign = laid.foreign.ravel()
        patches = cv2.boxFilter(-laid.print_density, -1, (PIECE_PX, PIECE_PX)).ravel()
        most = {s.hex: float(patches[laid.places.whole[s.hex]].max()) for s in laid.places.swatches}
        alone = tuple(s for s in laid.places.swatches if not s.tile and most[s.hex] < PIECE_LOG)
        gone = tuple(s for s in laid.places.swatches if most[s.hex] < NOTHING_LOG)
        riders = tuple(f.swatch for f in laid.faces if f.rarity is not None and _oddest(f) < RIDER_LOG)
        areas = {h: float(foreign[there].sum() * self._mm2) for h, there in self._bare.items()}
        strays, covered, tiled = (
            tuple(h for h, area in areas.items() if area > limit) for limit in (STRAY_MM2, COVERED_MM2, TILE_MM2)
        )
        return SwatchSight(laid.missing_tiles, (*riders, *alone), strays, gone, covered, tiled)

    def is_laid_before(self) -> bool:
        """True if the tiles seem to lie in the picture of the empty board."""
        return self._unlike_sea(self._known_lab) > UNLIKE_SEA

    def is_exchanged(self, laid: Laid) -> bool:
        """True if the tiles lie in the picture of the empty board, and not in this one."""
        return self._unlike_sea(self._known_lab) > self._unlike_sea(laid.lab)

    def where_covered(self, laid: Laid, covered: Collection[Hex]) -> Literal["board", "swatch"] | None:
        """In which picture something lies on these hexes, which should be bare; None if that is not clear."""
        places = {h: self._bare[h] for h in covered}
        known, seen = (self._away_from_sea(lab, places) for lab in (self._known_lab, laid.lab))
        in_known = np.mean([a > b for a, b in zip(known, seen, strict=True)])
        return "board" if in_known >= MOSTLY else "swatch" if in_known <= 1 - MOSTLY else None

    def _unlike_sea(self, lab: Floats32) -> float:
        """How far (Lab) most places of tiles are from what the swatch layout leaves bare; 0 if it has no tiles.

        Of 61 tables the empty board has a third of the other picture's at most.
        """
        away = self._away_from_sea(lab, self._places.faces)
        return float(np.median(away)) if away else 0.0

    def _away_from_sea(self, lab: Floats32, places: Mapping[Hex, Pixels]) -> list[float]:
        """How far (Lab) each of these places is from what the swatch layout leaves bare."""
        colours = lab.reshape(-1, 3)
        bare = np.median([colours[there].mean(axis=0) for there in self._bare.values() if len(there)], axis=0)
        return [float(np.linalg.norm(colours[place].mean(axis=0) - bare)) for place in places.values()]


def _oddest(face: Face) -> float:
    """By how much (log) the rarest patch of a tile is rarer on the other tiles of its kind than the tile usually is."""
    assert face.rarity is not None
    left, top, width, height = cv2.boundingRect(face.mask.astype(np.uint8))
    box = slice(top, top + height), slice(left, left + width)
    inner = cv2.erode(face.mask[box].astype(np.uint8), np.ones((7, 7), np.uint8)) > 0
    patches = cv2.boxFilter(face.rarity[box], -1, (PIECE_PX, PIECE_PX))
    return float(patches[inner].max() - np.median(face.rarity[face.mask]))
