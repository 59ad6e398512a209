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

from calibration.appearance import INNER_MM, NOT_PRINT, hex_mask, hex_outline, without_specks
from calibration.arrays import Floats32, Image, Indices, Mask
from calibration.colours import ColourModel
from calibration.ground import Ground, measure_noise
from calibration.light import LightMeter, spread, to_lab, to_linear
from calibration.model import Calibration
from calibration.print import HEXES, Hex
from calibration.swatch import PIECE_HEIGHT, PRESCRIBED, TERRAINS, TILE_HEIGHT, Swatch
from calibration.view import Rectifier

TILE_SHARE = 0.5
"""A tile lies where the print does not explain this share of the hex."""

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


class Laid(msgspec.Struct, frozen=True):
    """A picture against the empty board: in the view (BGR), in the reference's light (Lab), its noise, the print."""

    view: Image
    lab: Floats32
    noise: tuple[float, ...]
    ground: Ground


class SwatchCheck:
    """Compares pictures with the empty board: `bare` as `Calibration.bare` makes it, with the pictures' camera."""

    def __init__(self, bare: Calibration, swatches: Sequence[Swatch] = PRESCRIBED) -> None:
        board, view, eye = bare.board, bare.view, bare.camera.eye
        self._swatches = swatches
        self._camera, self._view = bare.camera, view
        self._on_board = bare.on_board
        self._known_lab = to_lab(bare.reference_light())
        self._exposure = np.float32(bare.exposure)
        self._light = LightMeter(bare.light_as_taken(), bare.on_board, bare.exposure)
        self._mm2 = 1.0 / view.px_per_mm**2
        side = board.side
        self._whole: dict[Hex, Mask] = {}
        self._face: dict[Hex, Indices] = {}  # flat, as all that is asked of single hexes
        covered = np.zeros(view.shape, np.uint8)
        for s in swatches:
            outline = hex_outline(board.centre(s.hex), side)
            self._whole[s.hex] = hex_mask(view, eye, outline, (0.0, _height(s)))
            covered |= self._whole[s.hex].astype(np.uint8)
            if s.tile:
                inner = hex_outline(board.centre(s.hex), side - INNER_MM)
                self._face[s.hex] = np.flatnonzero(hex_mask(view, eye, inner, (TILE_HEIGHT[s.tile],)))
        free = (cv2.dilate(covered, np.ones((9, 9), np.uint8)) == 0).ravel()
        held = {s.hex for s in swatches}
        self._bare: dict[Hex, Indices] = {}
        for h in HEXES:
            if h not in held:
                there = np.flatnonzero(hex_mask(view, eye, hex_outline(board.centre(h), side), (0.0,)))
                self._bare[h] = there[free[there]]

    def see(self, image: Image) -> SwatchSight:
        """Look at a picture (H x W x 3 uint8 BGR) of the size of the empty board's."""
        return self.judge(self.compare(self._rectify(image)))

    @functools.cached_property
    def _rectify(self) -> Rectifier:
        return Rectifier(self._camera, self._view)

    def compare(self, seen: Image) -> Laid:
        """A picture in the view (H x W x 3 uint8 BGR) against the empty board."""
        linear = to_linear(seen)
        light = self._light.measure(seen, linear)
        lab = to_lab(light.without(seen, linear) * (self._exposure / spread(light.factor, seen.shape[:2])))
        noise = measure_noise(lab, self._known_lab, self._on_board)
        return Laid(seen, lab, noise, Ground(self._known_lab, noise))

    def judge(self, laid: Laid) -> SwatchSight:
        """What is missing, and where something lies that should not."""
        ground = laid.ground.log_density(laid.lab)
        foreign = without_specks((ground < NOT_PRINT) & self._on_board)
        patches = cv2.boxFilter(-ground, -1, (PIECE_PX, PIECE_PX))
        marked = foreign.ravel()
        tiles = tuple(s for s in self._swatches if s.tile and marked[self._face[s.hex]].mean() < TILE_SHARE)
        most = {s.hex: float(patches[self._whole[s.hex]].max()) for s in self._swatches}
        alone = tuple(s for s in self._swatches if not s.tile and most[s.hex] < PIECE_LOG)
        gone = tuple(s for s in self._swatches if most[s.hex] < NOTHING_LOG)
        laid_tiles = {h: face for h, face in self._face.items() if h not in {s.hex for s in tiles}}
        without_rider = self._without_rider(laid.lab, laid_tiles)
        riders = tuple(s for s in self._swatches if s.hex in without_rider)
        areas = {h: float(marked[there].sum() * self._mm2) for h, there in self._bare.items()}
        strays, covered, tiled = (
            tuple(h for h, area in areas.items() if area > limit) for limit in (STRAY_MM2, COVERED_MM2, TILE_MM2)
        )
        return SwatchSight(tiles, (*riders, *alone), strays, gone, covered, tiled)

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
        away = self._away_from_sea(lab, self._face)
        return float(np.median(away)) if away else 0.0

    def _away_from_sea(self, lab: Floats32, places: Mapping[Hex, Indices]) -> list[float]:
        """How far (Lab) each of these places is from what the swatch layout leaves bare."""
        colours = lab.reshape(-1, 3)
        bare = np.median([colours[there].mean(axis=0) for there in self._bare.values() if len(there)], axis=0)
        return [float(np.linalg.norm(colours[place].mean(axis=0) - bare)) for place in places.values()]

    def _without_rider(self, lab: Floats32, faces: Mapping[Hex, Indices]) -> set[Hex]:
        """The hexes whose tile shows nothing but itself: their explorer is missing."""
        bare: set[Hex] = set()
        for terrain in TERRAINS:
            there = {s.hex: faces[s.hex] for s in self._swatches if s.tile == terrain and s.hex in faces}
            if len(there) > 1:
                bare |= {h for h in there if _rarity(lab, h, there) < RIDER_LOG}
        return bare


def _rarity(lab: Floats32, h: Hex, faces: Mapping[Hex, Indices]) -> float:
    """By how much (log) the rarest patch of a tile is rarer on the other tiles of its kind than the tile usually is."""
    colours = lab.reshape(-1, 3)
    others = np.concatenate([colours[face] for other, face in faces.items() if other != h])
    rows, columns = np.unravel_index(faces[h], lab.shape[:2])
    face = np.zeros((np.ptp(rows) + 1, np.ptp(columns) + 1), np.uint8)
    face[rows - rows.min(), columns - columns.min()] = 1
    box = lab[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
    rare = -ColourModel({"terrain": others}).log_density(np.ascontiguousarray(box))[..., 0]
    inner = cv2.erode(face, np.ones((7, 7), np.uint8)) > 0
    patches = cv2.boxFilter(rare, -1, (PIECE_PX, PIECE_PX))
    return float(patches[inner].max() - np.median(rare[face > 0]))


def _height(s: Swatch) -> float:
    """Of the highest thing that stands on the hex, mm."""
    if s.tile:
        return TILE_HEIGHT[s.tile]
    names = [n for n, count in (("serpent", s.serpents), ("shark", s.sharks), ("whale", s.whales)) if count]
    return max(PIECE_HEIGHT[n] for n in (names or ["explorer"]))
