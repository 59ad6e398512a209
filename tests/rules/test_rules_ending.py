"""11, 12 and 14: the end, the score and the challenges."""

import random

import pytest
from kit import BOARD, act, after, allowed, at, event, events, move, refused, sink, start, swim_creature, table

from companion.rules import BadSetup, Options, legal_actions


def erupting(at_hexes=None, **fields):
    """Ann is about to lift the tile over the volcano."""
    return table(
        {"G4": "mountain red blue", "G5": "mountain red", **(at_hexes or {})}, phase="sink", under="volcano", **fields
    )


def score(colour, *values):
    return act("score", colour=colour, values=list(values))


RESCUED = {"nw": {"red": 2, "blue": 1}, "se": {"red": 1, "blue": 1}}


def test_11_1_the_volcano_ends_the_game_and_the_table_is_left_as_it_lies():
    position = after(erupting(safe=RESCUED), sink("G5", "volcano"))
    assert position.phase == "scoring"
    assert at(position, "G5").tile is None
    assert at(position, "G5").explorers == {"red": 1}
    assert at(position, "G4").explorers == {"red": 1, "blue": 1}
    refused(position, act("end_phase"), "3")


def test_11_2_the_rescued_are_turned_over_and_the_most_points_win():
    position = after(erupting(safe=RESCUED), sink("G5", "volcano"))
    assert legal_actions(position) == []
    position = after(position, score("blue", 5, 6))
    assert (position.phase, position.scores) == ("scoring", {"blue": 11})
    position = after(position, score("red", 1, 1, 1))
    assert (position.phase, position.scores, position.winners) == ("over", {"red": 3, "blue": 11}, (1,))
    refused(position, score("red", 1, 1, 1), "3")


def test_11_2_as_many_values_as_rescued_explorers_and_each_colour_once():
    position = after(erupting(safe=RESCUED), sink("G5", "volcano"))
    refused(position, score("red", 6, 5), "11.2")
    refused(position, score("red"), "11.2")
    refused(position, score("green", 1), "11.2")
    refused(after(position, score("red", 6, 5, 4)), score("red", 6, 5, 4), "11.2")


def test_1_2_only_values_that_stand_under_a_colours_explorers():
    position = after(erupting(safe=RESCUED), sink("G5", "volcano"))
    for values in ((6, 6, 1), (7, 1, 1), (0, 1, 1), (-1, 1, 1)):
        refused(position, score("red", *values), "1.2")
    allowed_scores = after(position, score("red", 1, 1, 1))
    assert allowed_scores.scores == {"red": 3}


def test_11_2_equal_sums_share_the_win():
    position = after(erupting(safe=RESCUED), sink("G5", "volcano"), score("blue", 5, 6), score("red", 6, 4, 1))
    assert position.winners == (0, 1)


def test_11_2_with_nobody_rescued_all_share_it_without_a_scoring():
    position = after(erupting(), sink("G5", "volcano"))
    assert (position.phase, position.winners, position.scores) == ("over", (0, 1), {})


def test_11_2_two_colours_of_a_player_are_added_up():
    seats = [["red", "green"], ["blue", "yellow"]]
    rescued = {"nw": {"red": 1, "green": 1, "blue": 1}}
    position = after(erupting(colours=seats, safe=rescued), sink("G5", "volcano"))
    position = after(position, score("red", 3), score("green", 3), score("blue", 5))
    assert position.winners == (0,)


def test_12_1_overpopulation_two_may_be_placed_where_no_sea_is_near():
    fields = {
        "phase": "place_explorers",
        "options": {"overpopulation": True},
        "unplaced": {"explorers": {"red": 9, "blue": 9}, "boats": [2, 2]},
        "supply": {"boats": 8},
    }
    island = {label: "beach" if i < 16 else "forest" if i < 32 else "mountain" for i, label in enumerate(ISLAND)}
    position = table({**island, "E6": f"{island['E6']} red", "D5": f"{island['D5']} blue"}, **fields)
    allowed(position, act("place_explorer", colour="red", hex="E6"))
    refused(position, act("place_explorer", colour="red", hex="D5"), "2.3")
    position = after(position, act("place_explorer", colour="red", hex="E6"))
    refused(position, act("place_explorer", colour="blue", hex="E6"), "12.1")
    beside_the_middle = after(position, act("place_explorer", colour="blue", hex="G5"))
    refused(beside_the_middle, act("place_explorer", colour="red", hex="G5"), "2.3")


ISLAND = [BOARD.labels[h] for h in BOARD.island]


def test_12_1_without_it_one_explorer_a_tile():
    position = start(random.Random(1))
    position = after(position, act("place_explorer", colour="red", hex="E6"))
    refused(position, act("place_explorer", colour="blue", hex="E6"), "2.3")


LAST = {"last_survivor": True}


def test_12_2_last_survivor_ends_when_no_explorer_is_left_at_once():
    position = table({"G5": "beach", "C1": "boat:red"}, safe={"se": {"blue": 1}}, options=LAST)
    ended = after(position, move("red", "C1 boat", "safe nw"))
    assert (ended.phase, ended.moves_left) == ("scoring", 0)
    assert event(position, move("red", "C1 boat", "safe nw"), "ended")["reason"] == "last_survivor"


def test_12_2_but_8_is_settled_first():
    position = table({"G5": "beach", "C2": "boat:red", "C3": "whale shark"}, options=LAST)
    assert after(position, act("move_boat", origin="C2", target="C3")).phase == "over"
    asked = table({"G6": "shark", "G7": "blue", "G4": "beach"}, phase="creature", die="shark", options=LAST)
    asked = after(asked, swim_creature("shark", "G6", "G7"))
    assert asked.phase == "reaction"
    assert after(asked, act("decline", player=1)).phase == "over"


def test_12_2_the_game_goes_on_while_one_swims_or_sits_in_a_boat():
    for piece in ("red", "boat:blue"):
        position = table({"G5": "beach", "C1": "boat:red", "M1": piece}, options=LAST)
        assert after(position, move("red", "C1 boat", "safe nw")).phase == "move"


@pytest.mark.parametrize("option", ["last_survivor", "atlantis_sinks"])
def test_12_2_and_12_4_the_volcano_acts_as_a_whirlpool(option):
    position = erupting({"G6": "shark boat:blue", "F5": "whale"}, options={option: True})
    action = sink("G5", "volcano")
    erupted = after(position, action)
    assert erupted.phase == "roll"
    assert at(erupted, "G5").is_empty
    assert at(erupted, "G6").is_empty
    assert at(erupted, "F5").is_empty
    assert at(erupted, "G4").explorers == {"red": 1, "blue": 1}
    assert event(position, action, "swallowed")["explorers"] == {"red": 1, "blue": 1}


def test_12_2_with_no_tile_left_sinking_is_skipped():
    position = table({"E3": "red", "E8": "boat:blue", "M1": "serpent"}, options=LAST)
    assert after(position, act("end_phase")).phase == "roll"


def test_12_2_not_with_12_4():
    with pytest.raises(BadSetup, match="12"):
        start(random.Random(1), Options(last_survivor=True, atlantis_sinks=True))


def test_12_3_all_equal_most_rescued_explorers_win_without_a_scoring():
    position = after(erupting(safe=RESCUED, options={"all_equal": True}), sink("G5", "volcano"))
    assert (position.phase, position.winners, position.scores) == ("over", (0,), {})
    tied = {"nw": {"red": 1, "blue": 1}}
    assert after(erupting(safe=tied, options={"all_equal": True}), sink("G5", "volcano")).winners == (0, 1)


SINKS = {"atlantis_sinks": True}


def test_12_4_atlantis_sinks_ends_with_the_last_tile():
    two = table(
        {"G4": "mountain red", "G5": "mountain"},
        phase="sink",
        options=SINKS,
        backs={"mountain": {"whirlpool": 1, "shark": 1}},
    )
    assert after(two, sink("G5", "shark")).phase == "roll"
    last = table({"G4": "mountain red"}, phase="sink", options=SINKS, under="whirlpool")
    assert after(last, sink("G4", "whirlpool")).phase == "over"
    assert event(last, sink("G4", "whirlpool"), "ended")["reason"] == "atlantis_sinks"


def test_12_4_the_last_back_takes_effect_first_the_loading_of_a_boat_included():
    last = table({"G4": "forest red red blue blue"}, phase="sink", options=SINKS, under="boat")
    loading = after(last, sink("G4", "boat"))
    assert loading.phase == "load_boat"
    assert after(loading, act("load_boat", explorers={"red": 2, "blue": 1})).phase == "over"


def test_12_4_and_a_reaction_too():
    last = table({"G4": "forest blue"}, phase="sink", options=SINKS, safe={"nw": {"red": 1}})
    asked = after(last, sink("G4", "shark"))
    assert asked.phase == "reaction"
    assert after(asked, act("decline", player=1)).phase == "scoring"


def test_12_4_explorers_lost_do_not_end_it():
    position = table({"G5": "beach", "C1": "boat:red"}, options=SINKS)
    assert after(position, move("red", "C1 boat", "safe nw")).phase == "move"


def test_14_a_whale_placed_by_a_tile_removes_no_swimmers():
    position = table({"G5": "beach red blue", "G7": "beach"}, phase="sink", under="whale")
    assert at(after(position, sink("G5", "whale")), "G5").explorers == {"red": 1, "blue": 1}


def test_14_empty_boats_are_left_alone():
    position = table({"G6": "boat", "G7": "serpent whale", "G5": "beach red"})
    assert at(after(position, act("move_boat", origin="G6", target="G7")), "G7").boat == {}


def test_14_dolphin_and_wind_one_to_three():
    position = table({"E3": "red", "G5": "beach"}, phase="play_tile", hands=[["dolphin"], []])
    for label in ("E4", "E5", "E6"):
        allowed(position, act("play_tile", tile="dolphin", colour="red", origin="E3", target=label))


def test_14_falling_into_the_water_is_no_swimming_move():
    position = table({"G5": "beach red", "G7": "beach"}, phase="sink", under="wind")
    position = after(position, sink("G5", "wind"))
    assert position.swum == ()


def test_the_events_of_the_end_are_told_in_order():
    told = [e["event"] for e in events(erupting(), sink("G5", "volcano"))]
    assert told == ["tile_sunk", "back_shown", "ended", "phase", "won"]
