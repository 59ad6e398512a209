"""The simulated table: what its pictures show is where the geometry says it is, and only what changed moves."""

from __future__ import annotations

import gc
import itertools
import math
import weakref

import cv2
import numpy as np
import pytest

from hardware.simulated import STYLES, SimulatedTable, swatch_layout
from hardware.simulated.arrangement import LYING_SHARE, gap_mm
from hardware.simulated.plan import CARD_MM, MARKER_IDS, MARKER_MM

SMALL = (768, 432)
CROWD = {
    "hexes": [
        {"hex": [1, 0], "tile": "beach", "explorers": {"red": 1, "blue": 1, "yellow": 1, "green": 1}},
        {"hex": [4, -1], "explorers": {"red": 2}, "boat": {"blue": 1}, "sharks": 1},
        {"hex": [-3, 0], "whales": 1, "serpents": 1},
    ],
    "safe": {"nw": {"red": 2}, "se": {"green": 1}},
}


def standing(table):
    return {(p.kind, p.colour, p.at, p.yaw) for p in table.pieces()}


@pytest.mark.parametrize("style", STYLES)
def test_all_four_markers_are_found_where_the_cards_lie(table_of, style):
    table = table_of(style)
    table.put(swatch_layout())
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    corners, ids, _ = detector.detectMarkers(table.picture())
    found = {int(i): c.reshape(4, 2) for i, c in zip(ids.ravel(), corners, strict=True)}
    assert sorted(found) == [0, 1, 2, 3]
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * MARKER_MM / 2  # from the marker's north-west, clockwise
    for corner, number in MARKER_IDS.items():
        flat = table.plan.card_centre(corner) + square
        expected = table.project(np.column_stack([flat, np.full(4, -4.0)]))
        px_per_mm = np.linalg.norm(expected[1] - expected[0]) / MARKER_MM
        assert np.abs(found[number] - expected).max() < 1.5 * math.sqrt(2) * px_per_mm + 1


def test_a_card_touches_the_boards_corner(table_of):
    plan = table_of("pine").plan
    x, y = plan.card_centre("ne")
    assert (x - CARD_MM / 2, y + CARD_MM / 2) == (255, -225)


@pytest.mark.parametrize("style", STYLES)
def test_a_tile_shows_where_its_hex_projects(table_of, style):
    table = table_of(style)
    bare = table.picture().astype(int)
    for h in [(0, -3), (3, 1), (-4, 1), (0, 3)]:
        table.put({"hexes": [{"hex": list(h), "tile": "beach"}]})
        changed = np.abs(table.picture().astype(int) - bare).sum(axis=2) > 90
        rows, columns = np.nonzero(cv2.medianBlur(changed.astype(np.uint8), 7))
        (expected,) = table.project(np.array([[*table.plan.centre(h), 2.0]]))
        assert np.hypot(columns.mean() - expected[0], rows.mean() - expected[1]) < 5


def test_the_whole_board_is_in_the_picture(table_of):
    for style in STYLES:
        table = table_of(style)
        corners = np.vstack([table.plan.corners(h) for h in table.plan.hexes])
        seen = table.project(np.column_stack([corners, np.zeros(len(corners))]))
        assert (seen > 0).all()
        assert (seen < np.array(table.size)).all()


def test_the_same_seed_and_calls_give_the_same_pictures(board):
    one, two = (SimulatedTable(board, seed=3, style="laminate", size=SMALL) for _ in range(2))
    for table in (one, two):
        table.put(CROWD)
    assert (one.picture() == two.picture()).all()
    assert (one.picture() == two.picture()).all()


def test_begun_again_a_table_is_as_new(board):
    table = SimulatedTable(board, seed=3, style="laminate", size=SMALL)

    def play():
        table.light(0.7, 0.2)
        table.put(CROWD)
        table.hand((0.0, 0.0))
        return table.picture()

    new, played = table.picture(), play()
    table.begin_again()
    assert (table.picture() == new).all()
    assert (play() == played).all()


def test_two_pictures_of_one_table_differ_by_noise_alone(table_of):
    table = table_of("pine")
    table.put(CROWD)
    first, second = table.picture().astype(int), table.picture().astype(int)
    assert 0.5 < np.abs(first - second).mean() < 6


def test_another_seed_places_the_pieces_elsewhere(board):
    one, two = (SimulatedTable(board, seed=s, size=SMALL) for s in (3, 4))
    for table in (one, two):
        table.put(CROWD)
    assert not standing(one) & standing(two)


def test_pieces_that_nobody_touched_stay_to_the_millimetre(table_of):
    table = table_of("oak")
    table.put(CROWD)
    before = standing(table)
    table.put(CROWD)
    assert standing(table) == before
    left = {key: value for key, value in CROWD["hexes"][1].items() if key != "sharks"}
    moved = [CROWD["hexes"][0], left, CROWD["hexes"][2], {"hex": [5, -1], "sharks": 1}]
    table.put({**CROWD, "hexes": moved})
    (gone,) = before - standing(table)
    (come,) = standing(table) - before
    assert gone[0] == come[0] == "shark"
    assert math.dist(come[2], table.plan.centre((5, -1))) < table.plan.inradius


def test_a_passenger_keeps_its_seat_when_another_comes_aboard(table_of):
    table = table_of("pine")
    table.put({"hexes": [{"hex": [5, 0], "boat": {"red": 1}}]})
    alone = table.picture()
    table.put({"hexes": [{"hex": [5, 0], "boat": {"red": 1, "green": 1}}]})
    both = table.picture()
    red = [(p[..., 2].astype(int) - p[..., 1] > 90) for p in (alone, both)]
    assert (red[0] & red[1]).sum() > 0.8 * red[0].sum()


@pytest.mark.parametrize("style", STYLES)
def test_every_piece_stands_in_its_hex(table_of, style):
    table = table_of(style)
    table.put(CROWD)
    homes = [table.plan.centre(tuple(item["hex"])) for item in CROWD["hexes"]]
    lands = [table.plan.safe_land(land)[0] for land in CROWD["safe"]]
    for p in table.pieces():
        nearest = min([math.dist(p.at, c) for c in homes] + [math.dist(p.at, c) - 5 for c in lands])
        assert nearest < table.plan.inradius


def test_where_it_is_crowded_pieces_stand_side_by_side(table_of):
    table = table_of("pine")
    table.put({"hexes": [{"hex": [3, 2], "boat": {"red": 1}}, {"hex": [-4, 1], "sharks": 1}]})
    crowd = {"boat": {"red": 1}, "whales": 1, "sharks": 1}, {"sharks": 1, "serpents": 1, "explorers": {"blue": 3}}
    table.put({"hexes": [{"hex": h, **what} for h, what in zip([(3, 2), (-4, 1)], crowd, strict=True)]})
    assert all(gap_mm(a, b) > -2 for a, b in itertools.combinations(table.pieces(), 2))


def test_when_the_tile_goes_its_explorer_swims_on_the_spot(table_of):
    table = table_of("walnut")
    table.put({"hexes": [{"hex": [1, 1], "tile": "mountain", "explorers": {"red": 1}}]})
    (dry,) = table.pieces()
    table.put({"hexes": [{"hex": [1, 1], "explorers": {"red": 1}}]})
    (wet,) = table.pieces()
    assert (dry.at, dry.yaw, dry.ground) == (wet.at, wet.yaw, 6.0)
    assert wet.ground == 0.0


def test_about_one_explorer_in_twelve_lies_flat(board):
    table = SimulatedTable(board, seed=8, size=SMALL)
    table.put({"hexes": [{"hex": h, "explorers": {"red": 1}} for h in board["hexes"]]})
    share = np.mean([p.lying for p in table.pieces()])
    assert LYING_SHARE / 3 < share < 3 * LYING_SHARE


def test_a_hand_hides_hexes_and_goes_away_again(table_of):
    table = table_of("pine")
    table.put(CROWD)
    assert "occluded" not in table.truth()
    quiet = table.picture().astype(int)
    table.hand((0.0, 0.0))
    truth = table.truth()
    assert truth["condition"]["hand"]
    assert 5 < len(truth["occluded"]) < 80
    assert (np.abs(table.picture().astype(int) - quiet).max(axis=2) > 60).mean() > 0.03
    table.hand(None)
    assert (np.abs(table.picture().astype(int) - quiet).max(axis=2) > 60).mean() < 0.001


def test_the_truth_is_the_layout_that_was_put(table_of):
    table = table_of("pine")
    table.put(CROWD)
    truth = table.truth()
    assert (truth["hexes"], truth["safe"]) == (CROWD["hexes"], CROWD["safe"])


def test_the_light_changes_the_picture(table_of):
    table = table_of("pine")
    plain = table.picture().mean(axis=(0, 1))
    table.light(strength=0.7)
    assert table.picture().mean() < 0.95 * plain.mean()
    table.light(warmth=1.0)
    warm = table.picture().mean(axis=(0, 1))
    assert warm[2] / warm[0] > 1.05 * plain[2] / plain[0]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"style": "marble"}, r"There is no table style 'marble'; there are pine, oak, laminate, walnut, wide\."),
        ({"size": (100, 60)}, r"A picture of 100 x 60 is too small"),
        ({"board": {"hexes": []}}, r"The board file lacks the field 'physical_mm'\."),
    ],
)
def test_a_wrong_option_is_told_in_one_sentence(board, options, told):
    with pytest.raises(ValueError, match=told):
        SimulatedTable(**{"board": board, **options})


@pytest.mark.parametrize(
    ("layout", "told"),
    [
        ({"hexes": [{"hex": [9, 9]}]}, r"\[9, 9\] is not a hex of this board"),
        ({"hexes": [{"hex": [0, 1], "tile": "lava"}]}, r"There is no terrain 'lava'"),
        ({"hexes": [{"hex": [0, 1], "explorers": {"pink": 1}}]}, r"There are no 'pink' explorers"),
        ({"hexes": [{"hex": [4, 0], "boat": {"red": 5}}]}, r"has 5 passengers; four are too many"),
        ({"safe": {"north": {"red": 1}}}, r"There is no safe land 'north'"),
    ],
)
def test_a_layout_that_cannot_stand_changes_nothing(table_of, layout, told):
    table = table_of("pine")
    table.put(CROWD)
    before = standing(table)
    with pytest.raises(ValueError, match=told):
        table.put(layout)
    assert standing(table) == before
    assert table.truth()["hexes"] == CROWD["hexes"]


def test_a_table_that_nobody_holds_any_more_is_gone_at_once(board):
    """It holds a hundred megabytes and more: nothing in it may hold it."""
    gc.disable()
    try:
        table = SimulatedTable(board, seed=1, style="pine", size=SMALL)
        table.put(CROWD)
        table.picture()
        gone = weakref.ref(table)
        del table
        assert gone() is None
    finally:
        gc.enable()
