"""A picture of the swatch layout, measured place by place: once, for what checks it and for what learns from it.

In: the picture in the view and in reference light, the bare print, the layout. Out: which pixels the print does not
explain, which tiles lie there, what of a tile no other tile of its kind shows.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Sequence

import cv2
import numpy as np

from calibration.arrays import Floats, Floats32, Image, Mask, Pixels
from calibration.colours import ColourModel
from calibration.ground import Ground
from calibration.hexes import hex_outline, hex_pixels
from calibration.print import BoardPrint, Hex
from calibration.swatch import PIECE_HEIGHT, TILE_HEIGHT, Swatch
from calibration.view import View

NOT_PRINT = -13.0
"""Log density below which the print does not explain a pixel."""

TILE_SHARE = 0.5
"""A tile lies where the print does not explain this share of its face."""

INNER_MM = 2.5
"""By how much a tile's corners are drawn in, to be sure of its face."""

ROOM = 6
"""Round a tile's face, so that what filters it sees what is beside it, view px."""


class Places:
    """Where the pieces of a layout are seen: flat indices of the view's pixels by hex.

    `whole`: all that what stands there may cover; `faces`: of tiles, what surely shows them.
    `eye`: where the camera stands (x, y, height in mm).
    """

    def __init__(self, board: BoardPrint, view: View, eye: Floats, swatches: Sequence[Swatch]) -> None:
        self.view, self.swatches = view, tuple(swatches)
        self.whole: dict[Hex, Pixels] = {}
        self.faces: dict[Hex, Pixels] = {}
        for s in swatches:
            centre = board.centre(s.hex)
            self.whole[s.hex] = hex_pixels(view, eye, hex_outline(centre, board.side), (0.0, _height(s)))
            if s.tile:
                inner = hex_outline(centre, board.side - INNER_MM)
                self.faces[s.hex] = hex_pixels(view, eye, inner, (TILE_HEIGHT[s.tile],))

    def covered(self, swatches: Sequence[Swatch]) -> Mask:
        """H x W: what some of the layout may cover."""
        mask = np.zeros(self.view.shape, bool)
        for s in swatches:
            mask.ravel()[self.whole[s.hex]] = True
        return mask


@dataclasses.dataclass(frozen=True)
class Face:
    """The face of a tile that lies there: a window of the picture round it (h x w x 3, Lab), and what of it shows it.

    `rarity`: h x w, by how much (log) each colour is too rare for the other tiles of its kind; None if there is none.
    """

    swatch: Swatch
    lab: Floats32
    mask: Mask
    rarity: Floats32 | None = None

    @property
    def colours(self) -> Floats32:
        """N x 3."""
        return self.lab[self.mask]


@dataclasses.dataclass(frozen=True, eq=False)
class Laid:
    """A picture against the empty board: in the view (BGR), in the reference's light (Lab), its noise, the print."""

    view: Image
    lab: Floats32
    noise: tuple[float, ...]
    ground: Ground
    places: Places

    @functools.cached_property
    def print_density(self) -> Floats32:
        """H x W: log density of each pixel's colour if only the print is there."""
        return self.ground.log_density(self.lab)

    @functools.cached_property
    def foreign(self) -> Mask:
        """H x W: what the print does not explain, without specks."""
        return without_specks(self.print_density < NOT_PRINT)

    @functools.cached_property
    def missing_tiles(self) -> tuple[Swatch, ...]:
        """The places whose tile does not lie there."""
        foreign, faces = self.foreign.ravel(), self.places.faces
        return tuple(s for s in self.places.swatches if s.tile and foreign[faces[s.hex]].mean() < TILE_SHARE)

    @functools.cached_property
    def faces(self) -> tuple[Face, ...]:
        """The tiles that lie there, in the layout's order."""
        missing = {s.hex for s in self.missing_tiles}
        faces = [self._face(s) for s in self.places.swatches if s.tile and s.hex not in missing]
        return tuple(_against(face, [f for f in faces if f.swatch.tile == face.swatch.tile]) for face in faces)

    def _face(self, swatch: Swatch) -> Face:
        rows, columns = np.unravel_index(self.places.faces[swatch.hex], self.places.view.shape)
        top, left = max(int(rows.min()) - ROOM, 0), max(int(columns.min()) - ROOM, 0)
        lab = self.lab[top : rows.max() + 1 + ROOM, left : columns.max() + 1 + ROOM]
        mask = np.zeros(lab.shape[:2], bool)
        mask[rows - top, columns - left] = True
        return Face(swatch, np.ascontiguousarray(lab), mask)


def without_specks(mask: Mask) -> Mask:
    """The parts of a mask that are three pixels wide or more."""
    return np.asarray(cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)) > 0)


def _against(face: Face, kind: Sequence[Face]) -> Face:
    """A face with how rare its colours are on the others of its kind."""
    others = [f.colours for f in kind if f is not face]
    if not others:
        return face
    model = ColourModel({"others": np.concatenate(others)})
    return dataclasses.replace(face, rarity=-model.log_density(face.lab)[..., 0])


def _height(s: Swatch) -> float:
    """Of the highest thing that stands on the hex, mm."""
    if s.tile:
        return TILE_HEIGHT[s.tile]
    if s.boat == {}:
        return PIECE_HEIGHT["boat"]
    names = [n for n, count in (("serpent", s.serpents), ("shark", s.sharks), ("whale", s.whales)) if count]
    return max(PIECE_HEIGHT[n] for n in (names or ["explorer"]))
