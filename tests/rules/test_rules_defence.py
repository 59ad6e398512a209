"""9: defence."""

import pytest
from kit import act, after, at, event, events, move, refused, sail, sink, swim_creature, table

from companion.rules import encode_event, encode_view, legal_actions, view
from companion.rules.transition import apply

SHARK, WHALE = "shark_defence", "whale_defence"


def attack(kind, prey, hands=None, colours=3, **fields):
    """Ann has rolled; the creature on G6 can reach the prey on G7."""
    hands = hands or [[]] * colours
    return table(
        {"G6": kind, "G7": prey, "G4": "mountain"}, phase="creature", die=kind, colours=colours, hands=hands, **fields
    )


def strike(kind):
    return swim_creature(kind, "G6", "G7")


def defend(player):
    return act("defend", player=player)


def decline(player):
    return act("decline", player=player)


def test_9_1_a_shark_defence_removes_the_shark_and_saves_every_swimmer():
    position = after(attack("shark", "red blue yellow", [[], [SHARK], []]), strike("shark"))
    saved = after(position, defend(1))
    assert (at(saved, "G7").sharks, at(saved, "G7").explorers) == (0, {"red": 1, "blue": 1, "yellow": 1})
    assert saved.hands == ((), (), ())
    assert saved.supply == position.supply
    assert (saved.active, saved.phase) == (1, "move")
    assert [e["event"] for e in events(position, defend(1))][:2] == ["tile_played", "defended"]


def test_9_1_a_whale_defence_removes_the_whale_and_saves_the_boat():
    position = after(attack("whale", "boat:red,blue", [[], [WHALE], []]), strike("whale"))
    saved = after(position, defend(1))
    assert (at(saved, "G7").whales, at(saved, "G7").boat) == (0, {"red": 1, "blue": 1})


def test_9_1_only_with_the_right_tile_in_hand():
    position = after(attack("shark", "blue", [[], [WHALE], [SHARK]]), strike("shark"))
    refused(position, defend(1), "9.1")
    assert legal_actions(position) == [decline(1)]


def test_9_2_the_threatened_are_asked_clockwise_from_the_active_player():
    position = table(
        {"G6": "shark", "G7": "red blue green yellow", "G4": "mountain"},
        phase="creature",
        die="shark",
        colours=4,
        active=2,
    )
    position = after(position, strike("shark"))
    assert position.threat.asked == (3, 0, 1)
    assert (position.active, position.phase) == (2, "reaction")
    refused(position, decline(0), "9.2")
    refused(position, defend(2), "9.2")
    refused(position, act("end_phase"), "3")
    assert after(position, decline(3)).threat.asked == (0, 1)


def test_9_2_the_first_defence_settles_it():
    position = after(attack("shark", "blue yellow", [[], [SHARK], [SHARK]]), strike("shark"))
    saved = after(position, defend(1))
    assert (saved.threat, saved.hands) == (None, ((), (), (SHARK,)))


def test_9_2_when_all_have_declined_the_threat_is_carried_out():
    position = after(attack("shark", "blue yellow", [[], [SHARK], []]), strike("shark"))
    eaten = after(position, decline(1), decline(2))
    assert (at(eaten, "G7").explorers, at(eaten, "G7").sharks) == ({}, 1)
    assert eaten.active == 1


def test_9_2_nobody_is_asked_about_the_active_players_own_pieces():
    position = attack("shark", "red red", [[SHARK], [], []])
    eaten = after(position, strike("shark"))
    assert (eaten.phase, at(eaten, "G7").explorers) == ("sink", {})


def test_9_2_who_plays_two_colours_is_asked_once():
    position = attack("shark", "blue yellow", [[], []], colours=[["red", "green"], ["blue", "yellow"]])
    assert after(position, strike("shark")).threat.asked == (1,)


def test_9_3_everyone_threatened_is_asked_whatever_they_hold():
    held = [[], [SHARK], []]
    for hands in ([[], [], []], held, [[], [WHALE], []]):
        assert after(attack("shark", "blue yellow", hands), strike("shark")).threat.asked == (1, 2)


def test_9_3_being_asked_tells_nobody_anything():
    told, seen = set(), set()
    for tile in (SHARK, WHALE, "wind"):
        position, happened = apply(attack("shark", "blue yellow", [[], [tile], []]), strike("shark"))
        told.add(str([encode_event(e) for e in happened]))
        seen.add(str(encode_view(view(position, 2))))
        after_decline, happened = apply(position, decline(1))
        told.add(str([encode_event(e) for e in happened]))
        seen.add(str(encode_view(view(after_decline, 2))))
    assert (len(told), len(seen)) == (2, 2)


def test_9_4_several_sharks_are_several_threats():
    at_hexes = {"F6": "blue", "G6": "shark shark", "G5": "beach"}
    position = after(table(at_hexes, active=1, hands=[[SHARK], []]), move("blue", "F6 sea", "G6 sea"))
    assert position.phase == "move"  # Bo's own swimmer: nobody to ask
    at_hexes = {"F6": "boat:blue,red,blue", "G6": "whale whale shark", "G5": "beach"}
    hands = [[WHALE, WHALE, SHARK], []]
    position = after(table(at_hexes, active=1, hands=hands), sail("F6", "G6"))
    assert (position.threat.creature, position.threat.asked) == ("whale", (0,))
    position = after(position, defend(0))
    assert (position.phase, position.threat.creature) == ("reaction", "whale")
    assert at(after(position, defend(0)), "G6").boat == {"red": 1, "blue": 2}
    position = after(position, decline(0))  # the second whale tips the boat, then the shark threatens
    assert position.threat.creature == "shark"
    assert at(position, "G6").explorers == {"red": 1, "blue": 2}
    assert at(after(position, defend(0)), "G6").explorers == {"red": 1, "blue": 2}
    assert at(after(position, decline(0)), "G6").explorers == {}


def steered_onto_a_whale(defence):
    return table(
        {"F6": "boat:blue,red", "G6": "whale", "G5": "beach red"}, hands=[[], [WHALE]], options={"defence": defence}
    )


def test_9_5_any_answers_whatever_way_they_come_to_share_the_hex():
    assert after(steered_onto_a_whale("any"), sail("F6", "G6")).threat.resume == "move"
    revealed = table({"G5": "beach blue", "G7": "beach"}, phase="sink", hands=[[], [SHARK]], under="shark")
    assert after(revealed, sink("G5", "shark")).threat.resume == "sink"


def test_9_5_moved_answers_only_the_creature_that_was_just_moved():
    tipped = after(steered_onto_a_whale("moved"), sail("F6", "G6"))
    assert (tipped.phase, at(tipped, "G6").boat) == ("move", None)
    revealed = table(
        {"G5": "beach blue", "G7": "beach"},
        phase="sink",
        hands=[[], [SHARK]],
        under="shark",
        options={"defence": "moved"},
    )
    assert after(revealed, sink("G5", "shark")).phase == "roll"
    moved = after(attack("shark", "blue", options={"defence": "moved"}), strike("shark"))
    assert moved.threat.asked == (1,)


def test_9_5_moved_a_shark_that_finds_what_a_whale_has_tipped_out_is_not_answered():
    position = after(
        attack("whale", "boat:blue shark", [[], [SHARK], []], options={"defence": "moved"}), strike("whale")
    )
    assert position.threat.creature == "whale"
    position = after(position, decline(1))
    assert (position.active, position.threat, at(position, "G7").explorers) == (1, None, {})


def test_9_5_any_asks_about_that_shark_too():
    position = after(attack("whale", "boat:blue shark"), strike("whale"), decline(1))
    assert (position.phase, position.threat.creature) == ("reaction", "shark")


@pytest.mark.parametrize(
    ("position", "action", "phase"),
    [
        (steered_onto_a_whale("any"), sail("F6", "G6"), "move"),
        (table({"F6": "boat:blue,red", "G6": "whale", "G5": "beach red"}, moves_left=1), sail("F6", "G6"), "sink"),
        (table({"G5": "beach blue", "G7": "beach red"}, phase="sink"), sink("G5", "shark"), "roll"),
        (
            table({"F6": "boat:blue,red", "G6": "whale", "G5": "beach red"}, phase="play_tile", hands=[["wind"], []]),
            act("play_tile", tile="wind", origin="F6", target="G6"),
            "move",
        ),
    ],
)
def test_9_the_game_goes_on_where_the_threat_arose(position, action, phase):
    asked = after(position, action)
    assert asked.phase == "reaction"
    gone_on = after(asked, decline(1))
    assert (gone_on.active, gone_on.phase, gone_on.threat) == (0, phase, None)
    assert event(asked, decline(1), "phase")["phase"] == phase


def test_9_what_has_swum_is_remembered_through_a_reaction():
    position = table({"F6": "red boat", "F7": "boat:blue", "E7": "whale", "G5": "beach"}, hands=[[], [WHALE]])
    position = after(position, move("red", "F6 sea", "F6 boat"), move("red", "F6 boat", "F7 boat"))
    assert (position.phase, position.moves_left) == ("move", 1)
    refused(position, move("red", "F7 boat", "F7 sea"), "4.5")
    asked = table({"F7": "boat:blue,red", "E7": "whale", "G5": "beach"}, swum=[("F7", "boat", "red", 1)])
    asked = after(asked, sail("F7", "E7"))
    assert asked.phase == "reaction"
    refused(after(asked, decline(1)), move("red", "E7 sea", "E6 sea"), "4.5")
