"""7 and 8: how creatures move and what happens on a shared hex."""

import pytest
from kit import BOARD, after, allowed, at, event, events, hex_of, move, refused, sail, swim_creature, table, targets


def rolled(kind, at_hexes, **fields):
    return table({"M1": "boat", "G9": "mountain", **at_hexes}, phase="creature", die=kind, **fields)


def test_7_1_over_sea_hexes_only():
    position = rolled("serpent", {"G6": "serpent", "G5": "beach"})
    refused(position, swim_creature("serpent", "G6", "G5"), "7.1")
    walled = rolled("shark", {"F4": "shark", "F5": "beach", "E4": "beach", "E5": "beach", "G5": "beach", "G4": "beach"})
    refused(walled, swim_creature("shark", "F4", "F6"), "7.1")


def test_7_1_creatures_do_not_affect_each_other():
    position = rolled("shark", {"G6": "shark", "F6": "serpent whale shark", "F5": "shark"})
    assert at(after(position, swim_creature("shark", "G6", "F6")), "F6").sharks == 2
    allowed(position, swim_creature("shark", "G6", "E6"))


@pytest.mark.parametrize(("kind", "steps"), [("serpent", 1), ("shark", 2), ("whale", 3)])
def test_7_2_one_two_and_three_hexes(kind, steps):
    position = rolled(kind, {"G3": kind})
    ends = ["G4", "G5", "G6", "G7"]
    for label in ends[:steps]:
        allowed(position, swim_creature(kind, "G3", label))
    refused(position, swim_creature(kind, "G3", ends[steps]), "7.2")
    near = {h for h in BOARD.hexes if 1 <= distance(h, hex_of("G3")) <= steps}
    assert targets(position, type="move_creature") == {BOARD.labels[h] for h in near}


def distance(a, b):
    q, r = a[0] - b[0], a[1] - b[1]
    return max(abs(q), abs(r), abs(q + r))


def test_7_3_a_shark_stops_at_swimmers():
    position = rolled("shark", {"E5": "shark", "E6": "blue"})
    allowed(position, swim_creature("shark", "E5", "E6"))
    refused(position, swim_creature("shark", "E5", "E7"), "7.3")
    allowed(rolled("shark", {"E5": "shark", "E6": "boat:blue"}), swim_creature("shark", "E5", "E7"))


def test_7_3_a_whale_stops_at_a_boat_with_passengers():
    position = rolled("whale", {"E5": "whale", "E6": "boat:blue"})
    allowed(position, swim_creature("whale", "E5", "E6"))
    refused(position, swim_creature("whale", "E5", "E8"), "7.3")
    for passable in ("boat", "blue"):
        allowed(rolled("whale", {"E5": "whale", "E6": passable}), swim_creature("whale", "E5", "E8"))


def test_7_3_the_way_around_the_prey_is_free():
    allowed(rolled("whale", {"E5": "whale", "E6": "boat:blue"}), swim_creature("whale", "E5", "E7"))


def test_7_4_a_move_is_its_start_and_end_and_they_differ():
    position = rolled("shark", {"G3": "shark", "G6": "shark"})
    refused(position, swim_creature("shark", "G3", "G3"), "7.4")
    assert at(after(position, swim_creature("shark", "G3", "G4")), "G3").sharks == 0


def test_8_1_serpent_and_boat_the_boat_and_its_passengers_leave_the_game():
    position = rolled("serpent", {"G6": "serpent", "G7": "boat:red,blue"})
    bitten = swim_creature("serpent", "G6", "G7")
    assert at(after(position, bitten), "G7").boat is None
    assert at(after(position, bitten), "G7").explorers == {}
    assert event(position, bitten, "boat_lost")["explorers"] == {"red": 1, "blue": 1}


def test_8_2_serpent_and_swimmers():
    position = rolled("serpent", {"G6": "serpent", "G7": "boat red blue"})
    eaten = after(position, swim_creature("serpent", "G6", "G7"))
    assert (at(eaten, "G7").boat, at(eaten, "G7").explorers) == ({}, {})


def test_8_1_and_8_2_both_at_once():
    position = rolled("serpent", {"G6": "serpent", "G7": "boat:red blue"})
    eaten = after(position, swim_creature("serpent", "G6", "G7"))
    assert (at(eaten, "G7").boat, at(eaten, "G7").explorers) == (None, {})


def test_8_3_whale_and_boat_the_passengers_swim():
    position = rolled("whale", {"G6": "whale", "G7": "boat:red red"})
    tipped = after(position, swim_creature("whale", "G6", "G7"))
    assert (at(tipped, "G7").boat, at(tipped, "G7").explorers) == (None, {"red": 2})
    assert tipped.supply.boats == position.supply.boats


def test_8_3_whales_do_not_harm_swimmers():
    position = rolled("whale", {"G6": "whale", "G7": "boat red blue"})
    passed = after(position, swim_creature("whale", "G6", "G7"))
    assert (at(passed, "G7").boat, at(passed, "G7").explorers) == ({}, {"red": 1, "blue": 1})


def test_8_4_shark_and_swimmers():
    position = rolled("shark", {"G6": "shark", "G7": "boat:red red"})
    eaten = after(position, swim_creature("shark", "G6", "G7"))
    assert (at(eaten, "G7").boat, at(eaten, "G7").explorers) == ({"red": 1}, {})


def test_8_4_sharks_do_not_harm_boats():
    position = rolled("shark", {"G6": "shark", "G7": "boat:red,blue"})
    assert at(after(position, swim_creature("shark", "G6", "G7")), "G7").boat == {"red": 1, "blue": 1}


def test_8_what_a_whale_tips_out_is_eaten_by_serpent_or_shark_there():
    position = rolled("whale", {"G6": "whale", "G7": "boat:red,red shark"})
    assert at(after(position, swim_creature("whale", "G6", "G7")), "G7").explorers == {}
    steered = table({"G6": "boat:red", "G7": "whale shark", "G5": "beach red"})
    assert [e["event"] for e in events(steered, sail("G6", "G7"))] == ["boat_moved", "boat_lost", "eaten"]


def test_8_a_serpent_comes_before_a_whale():
    steered = table({"G6": "boat:red", "G7": "whale serpent", "G5": "beach red"})
    assert event(steered, sail("G6", "G7"), "boat_lost")["by"] == "serpent"


def test_8_strikes_the_movers_own_pieces_too():
    position = rolled("shark", {"G6": "shark", "G7": "red"})
    moved = after(position, swim_creature("shark", "G6", "G7"))
    assert at(moved, "G7").explorers == {}
    assert moved.active == 1


def test_8_a_boat_steered_over_swimmers_and_past_creatures():
    steered = after(table({"G6": "boat:red", "G7": "blue", "G5": "beach"}), sail("G6", "G7"))
    assert (at(steered, "G7").boat, at(steered, "G7").explorers) == ({"red": 1}, {"blue": 1})
    jumped = table({"G6": "boat:red shark", "G5": "beach red"})
    assert at(after(jumped, move("red", "G6 boat", "G6 sea")), "G6").explorers == {}
