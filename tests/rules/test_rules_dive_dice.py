"""13: dolphins and dive dice."""

import pytest
from kit import act, after, allowed, at, event, events, move, refused, sail, sink, steps, swim_creature, table, targets

from companion.rules import (
    BadAction,
    BadPosition,
    check,
    decode_position,
    encode_position,
    encode_view,
    legal_actions,
    outcomes,
    public_action,
    to_act,
    view,
    with_outcome,
)

DIVE = {"dive_dice": True}


def diving(at_hexes, creature="shark", hexes=2, **fields):
    """Ann has rolled both blue dice."""
    options = {**DIVE, **fields.pop("options", {})}
    die = {"creature": creature, "hexes": hexes}
    return table({"G9": "mountain", **at_hexes}, phase="creature", die=die, options=options, **fields)


def moving(at_hexes, **fields):
    return table({"G9": "mountain", **at_hexes}, options={**DIVE, **fields.pop("options", {})}, **fields)


def roll(creature, hexes):
    return act("roll", face={"creature": creature, "hexes": hexes})


def protect(**explorers):
    return act("protect", explorers=explorers)


def test_13_1_a_dolphin_back_is_shown_and_a_dolphin_placed():
    position = table({"G5": "beach red", "G7": "beach"}, phase="sink", under="dolphin", options=DIVE)
    action = sink("G5", "dolphin")
    placed = after(position, action)
    assert at(placed, "G5").dolphins == 1
    assert placed.hands == ((), ())
    assert event(position, action, "back_shown")["back"] == "dolphin"
    assert public_action(position, action) == action


def test_13_1_as_many_dolphins_as_dolphin_backs():
    with pytest.raises(BadPosition, match="dolphin"):
        moving({"E3": "dolphin dolphin dolphin dolphin dolphin"})
    with pytest.raises(BadPosition, match="hands"):
        moving({"E3": "red"}, hands=[["dolphin"], []])
    with pytest.raises(BadPosition, match="dolphin"):
        table({"E3": "dolphin", "G9": "mountain"})


def test_13_2_two_dice_say_what_and_how_far():
    position = table({"G5": "beach", "E3": "shark"}, phase="roll", options=DIVE)
    weights = dict(outcomes(position, act("roll")))
    assert len(weights) == 24
    assert sum(weights.values()) == 36
    assert {weights[f"{kind} {hexes}"] for kind in ("star", "boat") for hexes in (1, 2)} == {2}
    assert {weights[f"{kind} {hexes}"] for kind in ("star", "boat") for hexes in (3, "D")} == {1}
    assert with_outcome(act("roll"), "shark 2") == roll("shark", 2)
    rolled = after(position, roll("shark", 2))
    assert (rolled.phase, rolled.die.creature, rolled.die.hexes) == ("creature", "shark", 2)
    assert event(position, roll("shark", 2), "dice_rolled") == {
        "event": "dice_rolled",
        "creature": "shark",
        "hexes": 2,
    }


def test_13_2_the_red_die_is_put_away():
    with pytest.raises(BadAction):
        check(table({"G5": "beach"}, phase="roll", options=DIVE), act("roll", face="shark"))
    with pytest.raises(BadAction):
        check(table({"G5": "beach"}, phase="roll"), roll("shark", 2))
    with pytest.raises(BadPosition, match="die"):
        table({"G5": "beach", "E3": "shark"}, phase="creature", die="shark", options=DIVE)
    with pytest.raises(BadPosition, match="die"):
        table({"G5": "beach", "E3": "shark"}, phase="creature", die={"creature": "shark", "hexes": 1})


def test_13_2_that_many_hexes_at_most():
    position = diving({"E3": "serpent"}, "serpent", 3)
    for label in ("E4", "E5", "E6"):
        allowed(position, swim_creature("serpent", "E3", label))
    refused(position, swim_creature("serpent", "E3", "E7"), "13.2")
    refused(position, swim_creature("serpent", "E3", "E3"), "7.4")
    refused(diving({"E3": "whale"}, "whale", 1), swim_creature("whale", "E3", "E5"), "13.2")


def test_13_2_only_the_kind_rolled_and_with_a_star_any():
    pieces = {"E3": "serpent", "E5": "shark", "E7": "whale", "C3": "dolphin", "C5": "boat"}
    only_whale = diving(pieces, "whale", 1)
    refused(only_whale, swim_creature("shark", "E5", "E6"), "13.2")
    star = diving(pieces, "star", 1)
    for kind, origin, target in (
        ("serpent", "E3", "E4"),
        ("shark", "E5", "E6"),
        ("whale", "E7", "E8"),
        ("dolphin", "C3", "C4"),
        ("boat", "C5", "C6"),
    ):
        allowed(star, swim_creature(kind, origin, target))


def test_13_2_an_empty_boat_by_5_2():
    position = diving({"E3": "boat", "E5": "boat:red", "E4": "serpent whale"}, "boat", 3)
    assert at(after(position, swim_creature("boat", "E3", "E4")), "E4").boat == {}
    refused(position, swim_creature("boat", "E5", "E6"), "13.2")
    refused(position, swim_creature("boat", "E3", "E5"), "5.2")
    refused(position, swim_creature("boat", "E3", "E6"), "5.2")  # the other boat lies in the way
    no_boat = table({"G5": "beach", "E3": "boat:red"}, phase="roll", options=DIVE)
    assert after(no_boat, roll("boat", 1)).active == 1
    assert event(no_boat, roll("boat", 1), "no_such_creature")["creature"] == "boat"


def test_13_2_d_dives_to_any_empty_sea_hex():
    position = diving({"E3": "shark", "E5": "red", "E7": "dolphin", "G5": "beach"}, "shark", "D")
    allowed(position, swim_creature("shark", "E3", "M7"))
    for label in ("E5", "E7"):
        refused(position, swim_creature("shark", "E3", label), "13.2")
    refused(position, swim_creature("shark", "E3", "G5"), "7.1")
    assert len(targets(position, type="move_creature")) == 133 - 5


def test_13_3_a_creature_stops_at_its_prey_protected_or_not():
    for prey in ("red", "red dolphin"):
        refused(diving({"E5": "shark", "E6": prey}, "shark", 3), swim_creature("shark", "E5", "E8"), "13.3")
    for prey in ("red", "boat:red"):
        refused(diving({"E5": "serpent", "E6": prey}, "serpent", 3), swim_creature("serpent", "E5", "E8"), "13.3")
    refused(diving({"E5": "whale", "E6": "boat:red"}, "whale", 3), swim_creature("whale", "E5", "E8"), "13.3")
    allowed(diving({"E5": "dolphin", "E6": "red boat:red"}, "dolphin", 3), swim_creature("dolphin", "E5", "E8"))
    allowed(diving({"E5": "boat", "E6": "red serpent"}, "boat", 3), swim_creature("boat", "E5", "E8"))


@pytest.mark.parametrize("creature", ["shark", "serpent"])
def test_13_4_each_dolphin_protects_one_swimmer(creature):
    for prey in ("blue dolphin", "blue red dolphin dolphin"):
        position = after(diving({"E5": creature, "E6": prey}, creature, 1), swim_creature(creature, "E5", "E6"))
        assert at(position, "E6").explorers["blue"] == 1
        assert (position.active, position.threat) == (1, None)


def test_13_4_dolphins_protect_nobody_from_whales_and_no_boat():
    position = after(diving({"E5": "whale", "E6": "boat:red dolphin"}, "whale", 1), swim_creature("whale", "E5", "E6"))
    assert (at(position, "E6").boat, at(position, "E6").explorers) == (None, {"red": 1})
    position = after(
        diving({"E5": "serpent", "E6": "boat:red dolphin"}, "serpent", 1), swim_creature("serpent", "E5", "E6")
    )
    assert at(position, "E6").boat is None


def crowd(creature="shark", prey="red red blue blue green dolphin dolphin", **fields):
    position = diving({"E5": creature, "E6": prey}, creature, 1, colours=[["red"], ["blue"], ["green"]], **fields)
    return after(position, swim_creature(creature, "E5", "E6"))


def test_13_4_with_more_swimmers_their_owners_say_who_is_protected():
    position = crowd()
    assert (position.phase, position.active, position.threat.asked) == ("protect", 0, (0, 1, 2))
    assert to_act(position) == 0
    assert [action.explorers for action in legal_actions(position)] == [{}, {"red": 1}, {"red": 2}]
    for wrong in ({"red": 3}, {"blue": 1}):
        refused(position, protect(**wrong), "13.4")
    position = after(position, protect(red=1))
    assert (position.threat.asked, position.threat.protected) == ((1, 2), {"red": 1})
    refused(position, protect(blue=2), "13.4")
    refused(position, act("decline", player=1), "3")


def test_13_4_until_every_dolphin_has_its_swimmer():
    position = after(crowd(), protect(red=2))
    assert (position.phase, position.threat.asked) == ("reaction", (1, 2))
    position = after(crowd("serpent"), protect(red=2))
    assert (position.threat, at(position, "E6").explorers) == (None, {"red": 2})


def test_13_4_none_if_they_like():
    position = after(crowd("serpent"), protect(), protect(), protect())
    assert at(position, "E6").explorers == {}


def test_13_4_then_only_the_owners_of_the_others_are_asked_for_a_defence():
    position = after(crowd(hands=[[], ["shark_defence"], []]), protect(red=0), protect(blue=2))
    assert (position.phase, position.threat.asked, position.threat.protected) == ("reaction", (2,), {"blue": 2})
    eaten = after(position, act("decline", player=2))
    assert at(eaten, "E6").explorers == {"blue": 2}
    assert event(position, act("decline", player=2), "eaten")["explorers"] == {"red": 2, "green": 1}
    defended = after(
        crowd(hands=[[], ["shark_defence"], []]), protect(), protect(blue=1), protect(green=1), act("defend", player=1)
    )
    assert at(defended, "E6").explorers == {"red": 2, "blue": 2, "green": 1}


def test_13_4_moved_is_kept_through_the_protection():
    position = crowd(options={"defence": "moved"})
    assert position.threat.moved
    assert after(position, protect(red=2)).phase == "reaction"
    not_moved = diving(
        {"E5": "dolphin dolphin shark blue blue", "G5": "beach"}, "dolphin", 1, options={"defence": "moved"}
    )
    asked = after(not_moved, swim_creature("dolphin", "E5", "E6"))
    assert (asked.phase, asked.threat.moved) == ("protect", False)
    bitten = after(asked, protect(blue=1))
    assert (bitten.active, at(bitten, "E5").explorers) == (1, {"blue": 1})


def test_13_4_each_time_8_applies_anew():
    position = moving({"E5": "boat:blue,red,red", "E6": "shark shark dolphin whale"}, hands=[[], ["shark_defence"] * 2])
    position = after(position, sail("E5", "E6"), act("decline", player=1))
    assert (position.phase, position.threat.creature) == ("protect", "shark")
    position = after(position, protect(), protect(), act("defend", player=1))
    assert (position.phase, position.threat.asked) == ("protect", (0, 1))  # the second shark


def test_13_4_when_the_dice_have_moved_a_dolphin_away_8_is_checked_there():
    for creature in ("shark", "serpent"):
        position = diving({"E5": f"dolphin red {creature}"}, "dolphin", 1)
        left = after(position, swim_creature("dolphin", "E5", "E6"))
        assert (at(left, "E5").explorers, at(left, "E6").dolphins) == ({}, 1)
    asked = after(diving({"E5": "dolphin blue shark"}, "dolphin", "D"), swim_creature("dolphin", "E5", "M7"))
    assert (asked.phase, asked.threat.asked) == ("reaction", (1,))


def test_13_4_those_that_have_swum_are_eaten_first():
    position = moving({"E5": "red red", "E6": "serpent red dolphin"}, swum=[("E6", "sea", "red", 1)])
    position = after(position, move("red", "E5 sea", "E6 sea"))
    assert (position.phase, position.threat.resume) == ("protect", "move")
    position = after(position, protect(red=1))
    assert (position.phase, at(position, "E6").explorers) == ("move", {"red": 1})
    assert [(s.hex, s.count) for s in position.swum] == [(position.board.by_label["E6"], 1)]


def test_13_5_a_swimmer_takes_a_dolphin_along():
    position = moving({"E5": "red dolphin", "E6": "shark"})
    allowed(position, move("red", "E5 sea", "E6 sea", dolphin=True))
    along = after(position, move("red", "E5 sea", "E6 sea", dolphin=True))
    assert (at(along, "E6").explorers, at(along, "E6").dolphins, at(along, "E5").dolphins) == ({"red": 1}, 1, 0)
    alone = after(position, move("red", "E5 sea", "E6 sea"))
    assert (at(alone, "E6").explorers, at(alone, "E5").dolphins) == ({}, 1)
    assert [e["event"] for e in events(position, move("red", "E5 sea", "E6 sea", dolphin=True))][:2] == [
        "explorer_moved",
        "creature_moved",
    ]


def test_13_5_only_from_sea_to_sea_with_a_dolphin_there():
    position = moving({"E5": "red boat dolphin", "G5": "beach red", "E7": "red"})
    refused(position, move("red", "E5 sea", "E5 boat", dolphin=True), "13.5")
    refused(position, move("red", "G5", "G6 sea", dolphin=True), "13.5")
    refused(position, move("red", "E7 sea", "E8 sea", dolphin=True), "13.5")
    refused(table({"E5": "red", "G5": "beach"}), move("red", "E5 sea", "E6 sea", dolphin=True), "13.5")


def test_13_5_a_dolphin_moves_so_at_most_one_hex_a_turn():
    position = moving({"E5": "red dolphin", "E6": "red"})
    position = after(position, move("red", "E5 sea", "E6 sea", dolphin=True))
    refused(position, move("red", "E6 sea", "E7 sea", dolphin=True), "13.5")
    assert [(c.hex, c.count) for c in position.carried] == [(position.board.by_label["E6"], 1)]
    two = after(moving({"E5": "red dolphin", "E6": "red dolphin"}), move("red", "E5 sea", "E6 sea", dolphin=True))
    allowed(two, move("red", "E6 sea", "E7 sea", dolphin=True))
    assert after(position, act("end_phase")).carried == ()


def test_13_6_dolphins_share_a_hex_with_anything():
    position = diving({"E5": "dolphin", "E6": "serpent shark whale boat dolphin"}, "dolphin", 1)
    assert at(after(position, swim_creature("dolphin", "E5", "E6")), "E6").dolphins == 2
    assert steps(moving({"E5": "red boat dolphin"})) >= {"E5 boat", "E6 sea"}


def test_13_the_whirlpool_takes_dolphins_too():
    position = table(
        {"G5": "forest", "G6": "dolphin dolphin", "G9": "mountain"}, phase="sink", under="whirlpool", options=DIVE
    )
    assert event(position, sink("G5", "whirlpool"), "swallowed")["dolphins"] == 2


def test_13_the_position_as_the_protocol_has_it():
    position = crowd()
    data = encode_position(position)
    assert data["die"] == {"creature": "shark", "hexes": 1}
    assert data["threat"]["protected"] == {}
    assert data["threat"]["moved"] is True
    assert data["carried"] == []
    assert decode_position(data) == position
    reaction = after(position, protect(red=2))
    assert encode_position(reaction)["threat"]["protected"] == {"red": 2}
    assert "moved" not in encode_position(reaction)["threat"]
    assert decode_position(encode_position(reaction)) == reaction
    assert "carried" not in encode_view(view(table({"G5": "beach"}), None))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("protected", {"red": 3}),
        ("protected", {"red": 1, "blue": 1}),
        ("protected", {"red": -1}),
        ("asked", [2, 0]),
        ("creature", "whale"),
    ],
)
def test_13_a_protection_that_cannot_be(field, value):
    data = encode_position(crowd())
    data["threat"][field] = value
    with pytest.raises(BadPosition, match="threat"):
        decode_position(data)


@pytest.mark.parametrize("carried", [[{"hex": [0, 0], "count": 1}], [{"hex": [70, 0], "count": 1}]])
def test_13_dolphins_carried_must_be_there(carried):
    data = encode_position(moving({"E5": "red dolphin"}))
    with pytest.raises(BadPosition, match="carried"):
        decode_position({**data, "carried": carried})
