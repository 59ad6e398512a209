"""Of a picture of the swatch layout: where things stand, which tiles lie there, what shows on one tile only."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.arrays import Floats32
from calibration.ground import Ground
from calibration.hexes import hex_outline, hex_pixels
from calibration.laid import Laid, Places
from calibration.print import BoardPrint, Hex
from calibration.swatch import PIECE_HEIGHT, TILE_HEIGHT, Swatch
from calibration.swatch_check import PIECE_PX
from calibration.view import View

BOARD = BoardPrint()
VIEW = View((200.0, 160.0), margin=0.0)
"""Of the middle of the board only."""

EYE = np.array([30.0, 150.0, 700.0])
SEA, SAND, PAINT = (40.0, -5.0, -30.0), (80.0, 0.0, 30.0), (45.0, 60.0, 40.0)
NOISE = (1.0,) * 11
WEST, EAST, FOREST = (-1, 0), (1, 0), (0, 1)
TILES = (
    Swatch(WEST, tile="beach", explorers={"red": 1}),
    Swatch(EAST, tile="beach", explorers={"blue": 1}),
    Swatch(FOREST, tile="forest", explorers={"red": 1}),
)


def sea() -> Floats32:
    """The empty board's picture: nothing but sea."""
    return np.full((*VIEW.shape, 3), SEA, np.float32)


def laid(lab: Floats32, places: Places) -> Laid:
    """That picture against the sea."""
    return Laid(np.zeros((*VIEW.shape, 3), np.uint8), lab, NOISE, Ground(sea(), NOISE), places)


def paint(lab: Floats32, places: Places, h: Hex, colour: tuple[float, float, float], share: float = 1.0) -> None:
    """The northern part of a tile's face."""
    there = places.faces[h]
    lab.reshape(-1, 3)[there[: round(share * len(there))]] = colour


@pytest.fixture
def places() -> Places:
    return Places(BOARD, VIEW, EYE, TILES)


@pytest.mark.parametrize(
    ("swatch", "height"),
    [
        (Swatch((0, 0), boat={}), PIECE_HEIGHT["boat"]),
        (Swatch((0, 0), boat={"red": 1}), PIECE_HEIGHT["explorer"]),
        (Swatch((0, 0), boat={"red": 1, "blue": 1, "green": 1}), PIECE_HEIGHT["explorer"]),
        (Swatch((0, 0), explorers={"red": 1}), PIECE_HEIGHT["explorer"]),
        (Swatch((0, 0), serpents=1), PIECE_HEIGHT["serpent"]),
        (Swatch((0, 0), sharks=1), PIECE_HEIGHT["shark"]),
        (Swatch((0, 0), whales=1), PIECE_HEIGHT["whale"]),
        (Swatch((0, 0), tile="mountain", explorers={"red": 1}), TILE_HEIGHT["mountain"]),
    ],
    ids=["boat", "boat with 1", "boat with 3", "explorer", "serpent", "shark", "whale", "tile"],
)
def test_a_place_reaches_as_high_as_what_stands_there(swatch, height):
    places = Places(BOARD, VIEW, EYE, [swatch])
    expected = hex_pixels(VIEW, EYE, hex_outline(BOARD.centre((0, 0)), BOARD.side), (0.0, height))
    np.testing.assert_array_equal(places.whole[0, 0], expected)


@pytest.mark.parametrize(("share", "missing"), [(0.0, True), (0.3, True), (0.7, False), (1.0, False)])
def test_a_tile_lies_there_if_most_of_its_face_is_not_the_print(places, share, missing):
    lab = sea()
    for s in TILES:
        paint(lab, places, s.hex, SAND, share if s.hex == WEST else 1.0)
    seen = laid(lab, places)
    assert seen.missing_tiles == (TILES[:1] if missing else ())
    assert [f.swatch for f in seen.faces] == list(TILES[1:] if missing else TILES)


def test_what_no_other_tile_of_the_kind_shows_is_rare(places):
    """The forest tile shows the same paint, and is of no account: it is another terrain."""
    lab = sea()
    for s in TILES:
        paint(lab, places, s.hex, SAND)
    for h in (WEST, FOREST):
        paint(lab, places, h, PAINT, 0.2)
    west, east, forest = laid(lab, places).faces
    painted = west.mask & (west.lab == PAINT).all(axis=2)
    assert painted.any()
    assert west.rarity[painted].min() > np.median(west.rarity[west.mask]) + 5.0
    assert np.ptp(east.rarity[east.mask]) == 0.0
    assert forest.rarity is None


def test_a_window_shows_what_is_beside_the_face(places):
    lab = np.arange(3 * VIEW.shape[0] * VIEW.shape[1], dtype=np.float32).reshape(*VIEW.shape, 3) % 97
    for face in laid(lab, places).faces:
        np.testing.assert_array_equal(face.colours, lab.reshape(-1, 3)[places.faces[face.swatch.hex]])
        reach = PIECE_PX // 2
        rows, columns = np.nonzero(face.mask)
        assert min(rows.min(), columns.min()) >= reach
        assert rows.max() + reach < face.mask.shape[0]
        assert columns.max() + reach < face.mask.shape[1]


@pytest.mark.parametrize("h", [(-2, 0), (2, 0), (1, -2), (-1, 2)], ids=["west", "east", "north", "south"])
def test_at_the_rim_of_the_view_a_window_ends_there(h):
    places = Places(BOARD, VIEW, EYE, [Swatch(h, tile="beach", explorers={"red": 1})])
    lab = sea()
    paint(lab, places, h, SAND)
    (face,) = laid(lab, places).faces
    assert face.mask.shape == face.lab.shape[:2]
    assert len(face.colours) == len(places.faces[h])
    assert (face.colours == SAND).all()
