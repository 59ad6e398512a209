"""Positions, actions and views as JSON, and what is wrong with bad ones."""

import copy
import json
import random

import pytest
from kit import VARIANTS, at_table, hex_of, random_game, table

from companion.rules import (
    BadAction,
    BadPosition,
    decode_action,
    decode_position,
    encode_action,
    encode_position,
    encode_view,
    notation,
    view,
)


@pytest.mark.parametrize("variant", range(len(VARIANTS)))
def test_position_to_json_to_position_is_the_identity(variant):
    options, seats = VARIANTS[variant]
    for ply, (position, action, _) in enumerate(random_game(f"identity {variant}", options, seats)):
        if ply % 7:
            continue
        again = decode_position(json.loads(json.dumps(encode_position(position))))
        assert again == position
        assert hash(again) == hash(position)
        assert encode_position(again) == encode_position(position)
        if action is not None:
            assert decode_action(json.loads(json.dumps(encode_action(action)))) == action
            assert notation(position, action).split(": ")[0] in {player.name for player in position.players}


GOOD = at_table(
    {"G5": "beach red", "G4": "forest blue", "G6": "boat:red", "E3": "shark", "E4": "red"},
    swum=[("E4", "sea", "red", 1)],
    hands=[["wind"], []],
    safe={"nw": {"blue": 2}},
)


def test_the_good_position_is_good():
    assert decode_position(GOOD).phase == "move"


def change(path, value):
    """GOOD with one value replaced, `path` in dots."""
    data = copy.deepcopy(GOOD)
    *way, last = path.split(".")
    inner = data
    for key in way:
        inner = inner[int(key)] if isinstance(inner, list) else inner[key]
    if isinstance(inner, list):
        inner[int(last)] = value
    else:
        inner[last] = value
    return data


def hexes(*cells):
    return [{"hex": list(hex_of(label)), **content} for label, content in cells]


WRONG = [
    ("edition", "classic-1986", "edition"),
    ("edition", 7, "edition"),
    ("options", None, "options"),
    ("options", {"dive_dise": True}, "options"),
    ("options", {"dive_dice": 1}, "options"),
    ("options", {"defence": "never"}, "options"),
    ("options", {"last_survivor": True, "atlantis_sinks": True}, "options"),
    ("options", {"boats_per_player": 7}, "options"),
    ("players", [], "players"),
    ("players", {"name": "Ann"}, "players"),
    ("players.0.colours", ["purple"], "players"),
    ("players.0.colours", ["blue"], "players"),
    ("layout", None, "layout"),
    ("layout", {"hexes": 3}, "layout"),
    ("layout", {"hexes": [{"hex": [99, 0], "sharks": 1}]}, "layout"),
    ("layout", {"hexes": hexes(("E3", {"sharks": -1}))}, "layout"),
    ("layout", {"hexes": hexes(("E3", {"sharks": 7}))}, "layout"),
    ("layout", {"hexes": hexes(("E3", {"sharks": 10**30}))}, "layout"),
    ("layout", {"hexes": hexes(("E3", {"explorers": {"red": 10**30}}))}, "layout"),
    ("layout", {"hexes": hexes(("E3", {"serpents": 6}))}, "layout"),
    ("layout", {"hexes": hexes(("E3", {"explorers": {"green": 1}}))}, "layout"),
    ("layout", {"hexes": hexes(("E3", {"explorers": {"red": 11}}))}, "layout"),
    ("layout", {"hexes": [], "safe": {"nw": {"red": 11}}}, "layout"),
    ("layout", {"hexes": hexes(("E3", {"tile": "beach"}), ("M1", {"tile": "beach"}))}, "layout"),
    ("layout", {"hexes": hexes(("G5", {"tile": "beach", "boat": {}}))}, "layout"),
    ("layout", {"hexes": hexes(("G5", {"tile": "beach", "whales": 1}))}, "layout"),
    ("layout", {"hexes": hexes(("E3", {"boat": {"red": 4}}))}, "layout"),
    ("layout", {"hexes": hexes(("E3", {"dolphins": 1}))}, "layout"),
    ("layout", {"hexes": hexes(("E3", {"sharks": 1}), ("E3", {"sharks": 1}))}, "layout"),
    ("layout", {"hexes": [], "unknown": [[0, 0]]}, "layout"),
    ("active", 2, "active"),
    ("active", -1, "active"),
    ("active", True, "active"),
    ("active", "0", "active"),
    ("phase", "tea", "phase"),
    ("phase", None, "phase"),
    ("phase", "reveal", "swum"),
    ("phase", "scoring", "swum"),
    ("moves_left", 0, "moves_left"),
    ("moves_left", 4, "moves_left"),
    ("moves_left", 1.5, "moves_left"),
    ("swum.0.count", 2, "swum"),
    ("swum.0.count", 0, "swum"),
    ("swum.0.on", "tile", "swum"),
    ("swum.0.colour", "blue", "swum"),
    ("swum.0.hex", [50, 50], "swum"),
    ("swum", [{"hex": [0, 0]}], "swum"),
    ("swum", [GOOD["swum"][0]] * 2, "swum"),
    ("die", "shark", "die"),
    ("die", "dragon", "die"),
    ("hands", [[]], "hands"),
    ("hands", [{"count": 1}, []], "hands"),
    ("hands", [["shark"], []], "hands"),
    ("hands", [["wind", "wind", "wind"], []], "hands"),
    ("backs", {}, "backs"),
    ("backs", {"beach": {"shark": 2}, "forest": {"shark": 1}}, "backs"),
    ("backs", {"beach": {"volcano": 1}, "forest": {"shark": 1}}, "backs"),
    ("backs", {"beach": {"shark": -1, "whale": 2}, "forest": {"shark": 1}}, "backs"),
    ("supply.boats", 12, "supply"),
    ("supply.sharks", 6, "supply"),
    ("supply.whales", 6, "supply"),
    ("supply.whales", -1, "supply"),
    ("unplaced.explorers", {"red": 1}, "unplaced"),
    ("unplaced.explorers", {"green": 0}, "unplaced"),
    ("unplaced.boats", [0], "unplaced"),
    ("unplaced.boats", [1, 0], "supply"),
    ("threat", {"creature": "shark", "hex": [0, 0], "asked": [1], "resume": "move"}, "threat"),
    ("scores", {"blue": 3}, "scores"),
    ("winners", [0], "winners"),
    ("winners", [9], "winners"),
    ("surprise", 1, "surprise"),
]


@pytest.mark.parametrize(("path", "value", "field"), WRONG)
def test_a_bad_position_is_refused_and_the_field_named(path, value, field):
    with pytest.raises(BadPosition) as caught:
        decode_position(change(path, value))
    assert field in str(caught.value)


@pytest.mark.parametrize("field", sorted(GOOD))
def test_a_missing_field_is_named(field):
    data = {name: value for name, value in GOOD.items() if name != field}
    with pytest.raises(BadPosition) as caught:
        decode_position(data)
    assert field in str(caught.value)


REACTION = {"phase": "reaction", "moves_left": 1, "hands": [[], []]}
SHARK_HEX = {"G5": "beach", "E3": "shark blue"}


def test_a_threat_must_be_one():
    def threat(**changed):
        whole = {"creature": "shark", "hex": list(hex_of("E3")), "asked": [1], "resume": "move", **changed}
        return at_table(SHARK_HEX, **REACTION, threat=whole)

    assert decode_position(threat()).threat.asked == (1,)
    for wrong in (
        {"asked": [0]},
        {"asked": []},
        {"asked": [1, 1]},
        {"hex": [0, 0]},
        {"creature": "whale"},
        {"creature": "serpent"},
        {"resume": "roll"},
        {"hex": [77, 0]},
    ):
        with pytest.raises(BadPosition, match="threat"):
            decode_position(threat(**wrong))
    with pytest.raises(BadPosition, match="threat"):
        table(SHARK_HEX, **REACTION)
    with pytest.raises(BadPosition, match="die"):
        decode_position(threat(resume="creature"))


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"phase": "creature"}, "die"),
        ({"phase": "load_boat"}, "sunk"),
        ({"phase": "load_boat", "sunk": ("G6", "beach")}, "sunk"),
        ({"phase": "load_boat", "sunk": ("G5", "beach")}, "sunk"),
        ({"phase": "over"}, "winners"),
        ({"phase": "over", "winners": []}, "winners"),
        ({"phase": "scoring"}, "phase"),
        ({"phase": "place_explorers"}, "unplaced"),
        ({"phase": "place_boats"}, "unplaced"),
    ],
)
def test_a_field_that_contradicts_the_phase(fields, field):
    with pytest.raises(BadPosition) as caught:
        table({"G5": "beach red"}, **fields)
    assert field in str(caught.value)


def test_without_tiles_there_is_no_sinking():
    with pytest.raises(BadPosition, match="phase"):
        table({"M1": "red"}, phase="sink")


def test_what_does_not_count_is_let_through():
    position = table({"G5": "beach red"}, phase="roll", moves_left=2, sunk=("G4", "beach"))
    assert (position.phase, position.sunk) == ("roll", None)


@pytest.mark.parametrize("data", [None, 3, [], "position", {}])
def test_no_position_at_all(data):
    with pytest.raises(BadPosition):
        decode_position(data)


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {},
        {"type": "fly"},
        {"type": ["roll"]},
        {"type": "roll", "face": "dragon"},
        {"type": "roll", "extra": 1},
        {"type": "sink_tile"},
        {"type": "sink_tile", "hex": [0]},
        {"type": "sink_tile", "hex": [0, True]},
        {"type": "sink_tile", "hex": [0.5, 0]},
        {"type": "sink_tile", "hex": [10**40, 0]},
        {"type": "sink_tile", "hex": [0, 0], "back": "gold"},
        {"type": "place_explorer", "colour": "purple", "hex": [1, 0]},
        {"type": "move_explorer", "colour": "red", "from": {"hex": [1, 0]}, "to": {"safe": "nw"}},
        {"type": "move_explorer", "colour": "red", "from": {"safe": "nw", "hex": [1, 0]}, "to": {"safe": "nw"}},
        {"type": "move_explorer", "colour": "red", "from": {}, "to": {"safe": "nw"}},
        {"type": "move_explorer", "colour": "red", "from": {"hex": [1, 0], "on": "tile"}, "to": {"safe": "north"}},
        {"type": "play_tile", "tile": "dolphin", "from": [0, 0], "to": [1, 0]},
        {"type": "play_tile", "tile": "wind", "colour": "red", "from": [0, 0], "to": [1, 0]},
        {"type": "load_boat", "explorers": {"red": -1}},
        {"type": "load_boat", "explorers": {"purple": 3}},
        {"type": "load_boat", "explorers": {"red": "3"}},
        {"type": "defend"},
        {"type": "defend", "player": None},
        {"type": "score", "colour": "red", "values": [True]},
        {"type": "score", "colour": "red", "values": "6"},
        {"type": "\ud800"},
        {"\ud800": "roll"},
    ],
)
def test_a_malformed_action(data):
    with pytest.raises(BadAction):
        decode_action(data)


def test_a_load_may_name_a_colour_with_none():
    assert encode_action(decode_action({"type": "load_boat", "explorers": {"blue": 3, "red": 0}})) == {
        "type": "load_boat",
        "explorers": {"blue": 3},
    }


def test_a_view_has_the_positions_fields_but_the_backs():
    position = decode_position(GOOD)
    whole, seen = encode_position(position), encode_view(view(position, 1))
    assert set(whole) - set(seen) == {"backs"}
    assert seen["hands"] == [{"count": 1}, []]
    assert {name: value for name, value in whole.items() if name not in ("backs", "hands")} == {
        name: value for name, value in seen.items() if name != "hands"
    }


def test_equal_positions_differ_when_anything_does():
    rng = random.Random(4)
    seen = [p for p, _, _ in random_game("equality")]
    for a, b in (rng.sample(range(len(seen)), 2) for _ in range(300)):
        assert (seen[a] == seen[b]) == (encode_position(seen[a]) == encode_position(seen[b]))
