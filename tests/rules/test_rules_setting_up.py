"""1 and 2: the pieces and setting up."""

import random

import pytest
from kit import BOARD, COLOURS, NAMES, act, after, allowed, at, hex_of, move, random_tiles, refused, start, table

from companion.rules import (
    BACKS,
    DIE,
    EXPLORER_VALUES,
    TILE_COUNTS,
    TILE_DECK,
    BadSetup,
    Options,
    Player,
    encode_action,
    encode_position,
    legal_actions,
    new_game,
)


def new(colours, tiles=None, **options):
    players = [Player(name=NAMES[i], colours=tuple(own)) for i, own in enumerate(colours)]
    return new_game(players, Options(**options), tiles or random_tiles(random.Random(2)))


def test_1_1_forty_tiles_and_the_pieces():
    assert {terrain: TILE_DECK.count(terrain) for terrain in TILE_COUNTS} == {"beach": 16, "forest": 16, "mountain": 8}
    position = new([["red"], ["blue"]])
    assert position.unplaced.explorers == {"red": 10, "blue": 10}
    assert position.supply.sharks == 6
    assert position.supply.whales == 5
    assert position.supply.boats + sum(position.unplaced.boats) == 12


def test_1_2_values_under_the_explorers():
    assert sorted(EXPLORER_VALUES) == [1, 1, 1, 2, 2, 3, 3, 4, 5, 6]


def test_1_3_as_many_backs_as_tiles_of_each_terrain():
    assert {terrain: sum(backs.values()) for terrain, backs in BACKS.items()} == dict(TILE_COUNTS)
    assert BACKS["mountain"] == {"shark": 1, "whirlpool": 4, "volcano": 1, "shark_defence": 1, "whale_defence": 1}
    assert sum(backs.get("dolphin", 0) for backs in BACKS.values()) == 4


def test_1_4_the_die_shows_each_creature_twice():
    assert DIE == {"serpent": 2, "shark": 2, "whale": 2}


def test_1_5_a_hex_without_a_tile_is_sea_also_the_middle_and_where_a_tile_has_gone():
    position = table({"G5": "beach red", "G7": "beach"})
    allowed(position, move("red", "G5", "G6 sea"))
    after_sinking = after(table({"G5": "beach", "G7": "beach"}, phase="sink"), act("sink_tile", hex="G5", back="shark"))
    assert at(after_sinking, "G5").tile is None


def test_2_1_two_to_four_players_of_one_colour():
    for count in (2, 3, 4):
        assert len(new([[c] for c in COLOURS[:count]]).players) == count
    for colours in ([["red"]], [["red"], ["red"]], [[], ["red"]], [["red"], ["blue"], ["red"]]):
        with pytest.raises(BadSetup, match=r"2\.1"):
            new(colours)


def test_2_1_only_two_players_may_play_two_colours_and_then_both():
    assert new([["red", "green"], ["blue", "yellow"]]).players[0].colours == ("red", "green")
    for colours in (
        [["red", "green"], ["blue"]],
        [["red", "green"], ["blue"], ["yellow"]],
        [["red"] * 2, ["blue"] * 2],
    ):
        with pytest.raises(BadSetup, match=r"2\.1"):
            new(colours)


def test_2_2_serpents_on_their_five_hexes_and_tiles_on_the_island():
    position = new([["red"], ["blue"]])
    assert {BOARD.labels[h] for h, c in position.layout().hexes.items() if c.serpents} == {
        "G6",
        "B1",
        "C11",
        "K1",
        "L10",
    }
    assert {h for h, c in position.layout().hexes.items() if c.tile} == set(BOARD.island)


def test_2_2_tiles_that_are_not_the_forty_are_refused():
    tiles = random_tiles(random.Random(1))
    swapped = dict(tiles)
    swapped[next(h for h, t in tiles.items() if t == "beach")] = "forest"
    outside = {hex_of("A1"): "beach", **dict(list(tiles.items())[1:])}
    for wrong in (swapped, outside, dict(list(tiles.items())[1:])):
        with pytest.raises(BadSetup, match="layout"):
            new([["red"], ["blue"]], wrong)


def test_2_3_one_explorer_at_a_time_clockwise_on_free_tiles():
    position = new([["red"], ["blue"], ["green"]])
    assert position.phase == "place_explorers"
    assert position.active == 0
    assert len(legal_actions(position)) == 40
    position = after(position, act("place_explorer", colour="red", hex="G5"))
    assert position.active == 1
    refused(position, act("place_explorer", colour="blue", hex="G5"), "2.3")
    refused(position, act("place_explorer", colour="blue", hex="G6"), "2.3")
    refused(position, act("place_explorer", colour="red", hex="G4"), "2.3")
    refused(position, act("place_boat", hex="G2"), "3")
    position = after(position, act("place_explorer", colour="blue", hex="G4"))
    position = after(position, act("place_explorer", colour="green", hex="G3"))
    assert position.active == 0


def test_2_3_who_plays_two_colours_chooses_each_time():
    position = new([["red", "green"], ["blue", "yellow"]])
    assert len(legal_actions(position)) == 80
    for _ in range(10):
        position = after(position, legal_actions(position)[0])  # red
        position = after(position, legal_actions(position)[-1])
    assert position.unplaced.explorers["red"] == 0
    free = next(action.hex for action in legal_actions(position))
    refused(position, act("place_explorer", colour="red", hex=BOARD.labels[free]), "2.3")
    allowed(position, act("place_explorer", colour="green", hex=BOARD.labels[free]))


def with_explorers_placed(**options):
    position = new([["red"], ["blue"]], **options)
    while position.phase == "place_explorers":
        position = after(position, legal_actions(position)[0])
    return position


def test_2_4_one_boat_at_a_time_beside_the_island():
    position = with_explorers_placed()
    assert position.phase == "place_boats"
    assert position.active == 0
    for label in ("G6", "G1", "G5"):  # a serpent, not beside a tile, a tile
        refused(position, act("place_boat", hex=label), "2.4")
    position = after(position, act("place_boat", hex="G2"))
    assert position.active == 1
    refused(position, act("place_boat", hex="G2"), "2.4")
    position = after(position, act("place_boat", hex="F2"), act("place_boat", hex="G10"))
    assert position.active == 1
    position = after(position, act("place_boat", hex="C4"))
    assert position.phase == "move"
    assert position.active == 0


def test_2_4_boats_per_player_is_an_option():
    assert with_explorers_placed(boats_per_player=0).phase == "move"
    assert with_explorers_placed(boats_per_player=6).unplaced.boats == (6, 6)
    for boats in (-1, 7):
        with pytest.raises(BadSetup, match="boats"):
            with_explorers_placed(boats_per_player=boats)


def test_2_5_what_is_left_over_is_the_supply_and_nothing_goes_back():
    position = new([["red"], ["blue"], ["green"]], boats_per_player=3)
    assert position.supply.boats == 3
    position = table({"G4": "mountain red", "G5": "mountain", "G6": "shark"}, phase="sink")
    swallowed = after(position, act("sink_tile", hex="G5", back="whirlpool"))
    assert not at(swallowed, "G6").sharks
    assert swallowed.supply == position.supply


def test_2_6_no_position_and_no_action_says_what_an_explorer_is_worth():
    """Values come in with the score only: an explorer is its colour and its place."""
    position = start(random.Random(3))
    while position.phase != "move":
        action = legal_actions(position)[0]
        assert "value" not in str(encode_action(action))
        position = after(position, action)
    assert "value" not in str(encode_position(position))
