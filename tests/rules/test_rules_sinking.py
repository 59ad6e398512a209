"""6: sinking tiles and what their backs do."""

import pytest
from kit import act, after, allowed, at, event, events, refused, sink, table, targets

from companion.rules import BadAction, apply, legal_actions, outcomes


def sinkable(position):
    return {action.hex for action in legal_actions(position)}


def test_6_1_beaches_first_then_forests_then_mountains():
    position = table({"G3": "mountain", "G5": "forest", "G7": "beach", "E5": "beach"}, phase="sink")
    allowed(position, sink("G7"))
    refused(position, sink("G5"), "6.1")
    refused(position, sink("G3"), "6.1")
    refused(position, sink("G6"), "6.1")
    forests = table({"G3": "mountain", "G5": "forest"}, phase="sink")
    allowed(forests, sink("G5"))
    refused(forests, sink("G3"), "6.1")
    allowed(table({"G3": "mountain"}, phase="sink"), sink("G3"))


RING = {"F4": "forest", "F5": "forest", "G3": "forest", "G5": "forest", "H4": "forest", "H5": "forest"}


def test_6_2_only_tiles_beside_the_sea():
    position = table({**RING, "G4": "beach", "G8": "beach"}, phase="sink")
    assert len(legal_actions(position)) == 1
    refused(position, sink("G4"), "6.2")


def test_6_2_any_of_the_lowest_if_none_is_beside_the_sea():
    position = table({**RING, "G4": "beach"}, phase="sink")
    assert legal_actions(position) == [sink("G4")]


def test_6_3_everyone_on_the_tile_swims_there():
    position = table({"G5": "beach red blue blue", "G7": "forest"}, phase="sink", under="wind")
    sunk = after(position, sink("G5", "wind"))
    assert at(sunk, "G5").tile is None
    assert at(sunk, "G5").explorers == {"red": 1, "blue": 2}
    assert event(position, sink("G5", "wind"), "tile_sunk")["explorers"] == {"red": 1, "blue": 2}


def test_6_3_what_is_under_a_tile_is_dealt_from_what_is_left():
    position = table(
        {"G5": "mountain", "G7": "mountain"}, phase="sink", backs={"mountain": {"whirlpool": 1, "shark": 1}}
    )
    assert outcomes(position, sink("G5")) == (("whirlpool", 1), ("shark", 1))
    assert outcomes(position, sink("G5", "shark")) == ()
    with pytest.raises(BadAction):
        apply(position, sink("G5"))
    position = after(position, sink("G5", "shark"))
    assert position.backs["mountain"] == {"whirlpool": 1}


def test_6_3_with_printed_backs_the_player_enters_what_is_there():
    position = table(
        {"G5": "beach red", "G7": "beach"},
        phase="sink",
        options={"backs": "printed"},
        backs={"beach": {"shark": 1, "wind": 1}},
    )
    assert outcomes(position, sink("G5")) == ()
    with pytest.raises(BadAction):
        apply(position, sink("G5", "shark"))
    position = after(position, sink("G5"))
    assert (position.phase, at(position, "G5").explorers) == ("reveal", {"red": 1})
    assert {action.back for action in legal_actions(position)} == {"shark", "wind"}
    refused(position, act("reveal", back="whale"), "1.3")
    refused(position, act("reveal", back="volcano"), "1.3")
    shown = after(position, act("reveal", back="shark"))
    assert (shown.phase, at(shown, "G5").explorers) == ("roll", {})
    kept = after(position, act("reveal", back="wind"))
    assert kept.hands == (("wind",), ())
    assert kept.backs["beach"] == {"shark": 1}


def test_1_3_no_more_of_a_back_than_there_are():
    refused(table({"G5": "beach"}, phase="sink", backs={"beach": {"wind": 1}}), sink("G5", "shark"), "1.3")


def test_6_4_a_shark_from_the_supply_eats_who_swims_there():
    position = table({"G5": "beach red red", "G7": "forest"}, phase="sink")
    bitten = after(position, sink("G5", "shark"))
    assert (at(bitten, "G5").sharks, at(bitten, "G5").explorers) == (1, {})
    assert bitten.supply.sharks == 5
    assert bitten.phase == "roll"


def test_6_4_a_whale_from_the_supply_harms_no_swimmer():
    position = table({"G5": "beach red red", "G7": "forest"}, phase="sink", under="whale")
    surfaced = after(position, sink("G5", "whale"))
    assert (at(surfaced, "G5").whales, at(surfaced, "G5").explorers) == (1, {"red": 2})


def test_6_4_a_boat_from_the_supply_takes_the_swimmers_aboard():
    position = table({"G5": "beach red blue blue", "G7": "forest"}, phase="sink", under="boat")
    launched = after(position, sink("G5", "boat"))
    assert (at(launched, "G5").boat, at(launched, "G5").explorers) == ({"red": 1, "blue": 2}, {})
    assert launched.supply.boats == position.supply.boats - 1
    empty = after(table({"G5": "beach", "G7": "forest"}, phase="sink", under="boat"), sink("G5", "boat"))
    assert at(empty, "G5").boat == {}


def test_6_4_of_more_than_three_the_active_player_chooses_who_boards():
    position = table({"G5": "beach red red blue blue", "G7": "forest"}, phase="sink", under="boat")
    position = after(position, sink("G5", "boat"))
    assert (position.phase, at(position, "G5").boat) == ("load_boat", {})
    assert [action.explorers for action in legal_actions(position)] == [{"red": 1, "blue": 2}, {"red": 2, "blue": 1}]
    for wrong in ({"red": 2}, {"red": 3}, {"red": 2, "blue": 2}, {"green": 1, "red": 2}, {}):
        refused(position, act("load_boat", explorers=wrong), "6.4")
    loaded = after(position, act("load_boat", explorers={"red": 2, "blue": 1}))
    assert (at(loaded, "G5").boat, at(loaded, "G5").explorers) == ({"red": 2, "blue": 1}, {"blue": 1})
    assert (loaded.phase, loaded.sunk) == ("roll", None)


def test_6_4_the_choice_is_asked_for_also_if_all_are_of_one_colour():
    position = table({"G5": "beach red red red red", "G7": "forest"}, phase="sink", under="boat")
    position = after(position, sink("G5", "boat"))
    assert legal_actions(position) == [act("load_boat", explorers={"red": 3})]


@pytest.mark.parametrize("back", ["shark", "whale", "boat"])
def test_6_4_with_an_empty_supply_nothing_is_placed(back):
    position = table({"G5": "beach red", "G7": "forest"}, phase="sink", under=back, supply={f"{back}s": 0})
    sunk = after(position, sink("G5", back))
    assert (at(sunk, "G5").sharks, at(sunk, "G5").whales, at(sunk, "G5").boat) == (0, 0, None)
    assert at(sunk, "G5").explorers == {"red": 1}
    assert event(position, sink("G5", back), "supply_empty")["piece"] == back
    assert sunk.phase == "roll"


def test_6_4_the_whirlpool_takes_all_from_its_hex_and_the_sea_around():
    position = table(
        {
            "G5": "forest red",
            "G4": "forest blue",
            "G6": "serpent shark boat:red,blue blue",
            "F5": "whale",
            "H5": "boat",
            "F6": "red",
            "G7": "shark",
            "H6": "whale whale",
        },
        phase="sink",
        under="whirlpool",
    )
    action = sink("G5", "whirlpool")
    position_after = after(position, action)
    for label in ("G5", "G6", "F5", "H5", "F6", "H6"):
        assert at(position_after, label).is_empty
    assert at(position_after, "G4").explorers == {"blue": 1}
    assert at(position_after, "G7").sharks == 1
    gone = event(position, action, "swallowed")
    assert gone["explorers"] == {"red": 3, "blue": 2}
    assert (gone["boats"], gone["serpents"], gone["sharks"], gone["whales"]) == (2, 1, 1, 3)
    assert len(gone["hexes"]) == 6
    assert position_after.supply == position.supply


def test_6_4_a_shown_back_leaves_the_game():
    position = table({"G5": "beach", "G7": "beach"}, phase="sink", backs={"beach": {"shark": 2}})
    shown = after(position, sink("G5", "shark"))
    assert shown.hands == ((), ())
    assert shown.backs["beach"] == {"shark": 1}
    assert event(position, sink("G5", "shark"), "back_shown")["back"] == "shark"


def test_6_5_any_other_back_goes_into_the_hand_unseen():
    position = table({"G5": "beach", "G7": "beach"}, phase="sink", backs={"beach": {"wind": 1, "dolphin": 1}})
    told = {back: events(position, sink("G5", back)) for back in ("wind", "dolphin")}
    assert told["wind"] == told["dolphin"]
    assert after(position, sink("G5", "wind")).hands == (("wind",), ())


def test_6_5_it_can_be_played_from_the_next_own_turn_on():
    position = table({"G5": "beach blue", "G7": "forest red", "F12": "serpent"}, phase="sink", under="move_serpent")
    position = after(position, sink("G5", "move_serpent"), act("roll", face="shark"))
    assert (position.active, position.phase) == (1, "move")
    position = after(position, act("end_phase"), sink("G7", "move_serpent"), act("roll", face="shark"))
    assert (position.active, position.phase) == (0, "play_tile")
    assert targets(position, tile="move_serpent")


def test_6_5_a_defence_from_the_next_players_turn_on():
    """Whoever draws it is active, and the active player is not asked (9.2); against the next player it counts."""
    position = table({"G5": "beach", "G7": "forest", "F6": "red", "F8": "shark"}, phase="sink", under="shark_defence")
    bite = act("move_creature", creature="shark", origin="F8", target="F6")
    position = after(position, sink("G5", "shark_defence"), act("roll", face="shark"))
    assert not at(after(position, bite), "F6").explorers
    position = after(position, act("end_phase"), sink("G7", "shark_defence"), act("roll", face="shark"), bite)
    assert position.phase == "reaction"
    allowed(position, act("defend", player=0))
