"""From pieces to hexes: where a piece stands counts, the box's numbers hold, passengers go with their boat."""

import numpy as np
import pytest

from companion.rules.geometry import load_board
from companion.vision.decode import hex_evidence, land_evidence, limit_pieces, limit_tiles, place_pieces
from companion.vision.field import Field
from companion.vision.piece import Piece
from companion.vision.terrain import Terrain

BOARD = load_board()
SEA = Terrain(BOARD.island, np.tile([0.0, -9.0, -9.0, -9.0], (40, 1)), dict.fromkeys(BOARD.island))


@pytest.fixture(scope="module")
def field(table_calibration):
    return Field(BOARD, table_calibration)


def piece(kind, x, y, *, angle=0.0, clarity=0.9, doubt=None):
    return Piece(kind, np.zeros(2), np.array([x, y], float), angle, clarity, doubt)


def read(field, *pieces):
    claims = place_pieces(pieces, field)
    hexes = hex_evidence(SEA, SEA.tiles, claims, {}, field)
    return {e.hex: e.hypotheses for e in hexes}, {e.land: e.hypotheses for e in land_evidence(claims, {})}


def test_a_piece_counts_where_it_stands(field):
    hexes, _ = read(field, piece("red", *BOARD.centre_mm((3, -5))))
    assert hexes[3, -5][0].content.explorers == {"red": 1}
    assert hexes[3, -5][0].probability > 0.9
    assert sum(not h[0].content.is_empty for h in hexes.values()) == 1


def test_a_piece_near_a_border_may_stand_on_either_hex(field):
    x, y = BOARD.centre_mm((0, 5))
    hexes, _ = read(field, piece("red", x + 18.6, y))
    assert hexes[0, 5][0].content.explorers == {"red": 1}
    assert hexes[1, 5][0].content.is_empty
    assert hexes[1, 5][1].content.explorers == {"red": 1}


def test_who_stands_within_a_boat_is_its_passenger_and_who_stands_beside_it_swims(field):
    x, y = BOARD.centre_mm((4, -5))
    boat = piece("boat", x, y, angle=np.pi / 2)
    hexes, _ = read(field, boat, piece("blue", x, y + 10), piece("green", x + 15, y))
    content = hexes[4, -5][0].content
    assert content.boat == {"blue": 1}
    assert content.explorers == {"green": 1}


def test_a_boat_takes_no_fourth_passenger(field):
    x, y = BOARD.centre_mm((4, -5))
    hexes, _ = read(field, piece("boat", x, y), *(piece("red", x + d, y) for d in (-10, -3, 3, 10)))
    assert sum(hexes[4, -5][0].content.boat.values()) == 3


def test_a_piece_in_the_corner_is_on_the_safe_land(field):
    hexes, lands = read(
        field, piece("yellow", -235.0, -200.0), piece("yellow", 240.0, 205.0), piece("shark", 240.0, 205.0)
    )
    assert lands["nw"][0].explorers == {"yellow": 1}
    assert lands["se"][0].explorers == {"yellow": 1}
    assert all(h[0].content.is_empty for h in hexes.values())


def test_a_doubtful_creature_is_told_as_such(field):
    hexes, _ = read(field, piece("whale", *BOARD.centre_mm((-5, 0)), doubt=("shark", 0.3)))
    first, second = hexes[-5, 0][:2]
    assert (first.content.whales, second.content.sharks) == (1, 1)
    assert second.probability == pytest.approx(first.probability * 3 / 7, rel=0.05)


def test_no_seventeenth_beach_is_claimed():
    """The least certain one becomes what it is next likely to be."""
    scores = np.tile([-9.0, 0.0, -5.0, -9.0], (40, 1))
    scores[:, 1] += np.linspace(0, 1, 40)
    tiles = limit_tiles(Terrain(BOARD.island, scores, {}))
    claimed = list(tiles.values())
    assert claimed.count("beach") == 16
    assert claimed.count("forest") == 16
    assert claimed[-1] == "beach"


def test_no_eleventh_explorer_of_a_colour_is_claimed():
    pieces = [piece("red", 0, 0, clarity=0.3 + i / 100) for i in range(12)]
    kept = limit_pieces(pieces)
    assert len(kept) == 10
    assert min(p.clarity for p in kept) == pytest.approx(0.32)
