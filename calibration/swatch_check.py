"""Is the swatch layout laid as it should be? Tells which piece is missing, and where something lies that should not.

In: the picture of the empty board with its camera, then live pictures. Out: a `SwatchSight` each. No colours are known
yet: a piece is what the print does not explain, an explorer on a tile what the other tiles of its kind do not show.
"""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import msgspec
import numpy as np

from calibration.appearance import INNER_MM, NOT_PRINT, Mask, hex_mask, hex_outline, without_specks
from calibration.camera import Camera
from calibration.colours import ColourModel
from calibration.ground import Ground, measure_noise
from calibration.light import Floats32, LightMeter, to_lab, to_linear
from calibration.model import FORMAT, Calibration, encode_view
from calibration.pictures import Image
from calibration.print import HEXES, BoardPrint, Hex
from calibration.quality import Quality
from calibration.swatch import PIECE_HEIGHT, PRESCRIBED, TERRAINS, TILE_HEIGHT, Swatch
from calibration.view import Rectifier, board_view

TILE_SHARE = 0.5
"""A tile lies where the print does not explain this share of the hex."""

PIECE_LOG = 10.5
"""A piece stands on the print where, over the size of a piece, the print's mean log density is below minus this."""

RIDER_LOG = 2.0
"""An explorer stands on a tile where, over its size, the colours are so much rarer (log) on the other tiles of that
kind than the tile's usual ones."""

PIECE_PX = 9
"""About the size of an explorer seen from above, view px (7 mm)."""

STRAY_MM2 = 90.0
"""Something lies on a hex that should be bare where the print does not explain so much of it."""


class SwatchSight(msgspec.Struct, frozen=True):
    """`tiles`: places whose tile is missing. `pieces`: whose piece is. `strays`: hexes that should be bare."""

    tiles: tuple[Swatch, ...]
    pieces: tuple[Swatch, ...]
    strays: tuple[Hex, ...]

    @property
    def complete(self) -> bool:
        """Nothing is missing and nothing lies where it should not."""
        return not (self.tiles or self.pieces or self.strays)


class SwatchCheck:
    """Compares pictures with the empty board."""

    def __init__(self, empty: Image, camera: Camera, board: BoardPrint, quality: Quality) -> None:
        view = board_view(board)
        self._rectify = Rectifier(camera, view)
        bare = Calibration(
            format=FORMAT,
            camera=camera,
            board=board,
            view=view,
            cards={},
            reference=encode_view(self._rectify(empty)),
            noise=(),
            samples={},
            swatch=b"",
            swatches=(),
            swatch_eye=(0.0, 0.0, 0.0),
            quality=quality,
        )
        self._on_board = bare.on_board
        known = bare.reference_light()
        self._known_lab = to_lab(known)
        self._light = LightMeter(known, bare.on_board)
        self._mm2 = 1.0 / view.px_per_mm**2
        side, eye = board.side, camera.eye
        self._whole: dict[Hex, Mask] = {}
        self._face: dict[Hex, Mask] = {}
        covered = np.zeros(view.shape, np.uint8)
        for s in PRESCRIBED:
            outline = hex_outline(board.centre(s.hex), side)
            self._whole[s.hex] = hex_mask(view, eye, outline, (0.0, _height(s)))
            covered |= self._whole[s.hex].astype(np.uint8)
            if s.tile:
                inner = hex_outline(board.centre(s.hex), side - INNER_MM)
                self._face[s.hex] = hex_mask(view, eye, inner, (TILE_HEIGHT[s.tile],))
        free = cv2.dilate(covered, np.ones((9, 9), np.uint8)) == 0
        held = {s.hex for s in PRESCRIBED}
        self._bare = {
            h: hex_mask(view, eye, hex_outline(board.centre(h), side), (0.0,)) & free for h in HEXES if h not in held
        }

    def see(self, image: Image) -> SwatchSight:
        """Look at a picture (H x W x 3 uint8 BGR) of the size of the empty board's."""
        seen = to_linear(self._rectify(image))
        lab = to_lab(seen / self._light.factor(seen))
        ground = Ground(self._known_lab, measure_noise(lab, self._known_lab, self._on_board)).log_density(lab)
        foreign = without_specks((ground < NOT_PRINT) & self._on_board)
        patches = cv2.boxFilter(-ground, -1, (PIECE_PX, PIECE_PX))
        tiles = tuple(s for s in PRESCRIBED if s.tile and foreign[self._face[s.hex]].mean() < TILE_SHARE)
        alone = tuple(s for s in PRESCRIBED if not s.tile and patches[self._whole[s.hex]].max() < PIECE_LOG)
        laid = {h: face for h, face in self._face.items() if h not in {s.hex for s in tiles}}
        bare = _without_rider(lab, laid)
        riders = tuple(s for s in PRESCRIBED if s.hex in bare)
        strays = tuple(h for h, mask in self._bare.items() if foreign[mask].sum() * self._mm2 > STRAY_MM2)
        return SwatchSight(tiles, (*riders, *alone), strays)


def _without_rider(lab: Floats32, faces: Mapping[Hex, Mask]) -> set[Hex]:
    """The hexes whose tile shows nothing but itself: their explorer is missing."""
    bare: set[Hex] = set()
    for terrain in TERRAINS:
        there = {s.hex: faces[s.hex] for s in PRESCRIBED if s.tile == terrain and s.hex in faces}
        if len(there) > 1:
            bare |= {h for h in there if _rarity(lab, h, there) < RIDER_LOG}
    return bare


def _rarity(lab: Floats32, h: Hex, faces: Mapping[Hex, Mask]) -> float:
    """By how much (log) the rarest patch of a tile is rarer on the other tiles of its kind than the tile usually is."""
    others = np.concatenate([lab[mask] for other, mask in faces.items() if other != h])
    x, y, width, height = cv2.boundingRect(faces[h].astype(np.uint8))
    box = np.s_[y : y + height, x : x + width]
    face = faces[h][box]
    rare = -ColourModel({"terrain": others}).log_density(np.ascontiguousarray(lab[box]))[..., 0]
    inner = cv2.erode(face.astype(np.uint8), np.ones((7, 7), np.uint8)) > 0
    patches = cv2.boxFilter(rare, -1, (PIECE_PX, PIECE_PX))
    return float(patches[inner].max() - np.median(rare[face]))


def _height(s: Swatch) -> float:
    """Of the highest thing that stands on the hex, mm."""
    if s.tile:
        return TILE_HEIGHT[s.tile]
    names = [n for n, count in (("serpent", s.serpents), ("shark", s.sharks), ("whale", s.whales)) if count]
    return max(PIECE_HEIGHT[n] for n in (names or ["explorer"]))
