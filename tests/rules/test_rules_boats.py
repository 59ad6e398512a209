"""5: boats."""

from kit import after, allowed, at, events, move, refused, sail, swim_creature, table, targets


def test_5_1_at_most_three_passengers_of_any_colours():
    position = table({"G5": "beach red", "G6": "boat:red,blue,blue red", "F6": "boat:red"})
    refused(position, move("red", "G5", "G6 boat"), "5.1")
    refused(position, move("red", "G6 sea", "G6 boat"), "5.1")
    refused(position, move("red", "F6 boat", "G6 boat"), "5.1")


def test_5_2_one_sea_hex_a_move_with_its_passengers_and_swimmers_stay():
    position = table({"G6": "boat:red,blue red", "G5": "beach", "F6": "boat"})
    assert targets(position, type="move_boat", **{"from": [0, 0]}) == {"F7", "G7", "H6", "H7"}
    moved = after(position, sail("G6", "G7"))
    assert at(moved, "G7").boat == {"red": 1, "blue": 1}
    assert at(moved, "G6").explorers == {"red": 1}


def test_5_2_not_on_tiles_not_further_and_not_to_another_boat():
    position = table({"G6": "boat:red", "G5": "beach", "F6": "boat"})
    refused(position, sail("G6", "G5"), "5.2")
    refused(position, sail("G6", "G8"), "5.2")
    refused(position, sail("G6", "F6"), "5.2")
    refused(position, sail("G8", "G9"), "5.2")
    refused(position, sail("G6", "G6"), "5.2")


def test_5_3_anybody_moves_an_empty_boat():
    allowed(table({"G6": "boat", "G5": "beach red"}), sail("G6", "G7"))


def test_5_3_who_has_most_passengers_moves_the_boat_ties_may_both():
    refused(table({"G6": "boat:red,blue,blue", "G5": "beach"}), sail("G6", "G7"), "5.3")
    refused(table({"G6": "boat:blue", "G5": "beach red"}), sail("G6", "G7"), "5.3")
    for active in (0, 1):
        allowed(table({"G6": "boat:red,blue", "G5": "beach"}, active=active), sail("G6", "G7"))
    allowed(table({"G6": "boat:red,blue,yellow", "G5": "beach"}, colours=3, active=2), sail("G6", "G7"))


def test_5_3_two_colours_of_a_player_are_added_up():
    seats = [["red", "green"], ["blue", "yellow"]]
    allowed(table({"G6": "boat:red,green,blue", "G5": "beach"}, colours=seats), sail("G6", "G7"))
    refused(table({"G6": "boat:red,green,blue", "G5": "beach"}, colours=seats, active=1), sail("G6", "G7"), "5.3")


def test_5_4_an_empty_boat_and_a_serpent_or_whale_leave_each_other_alone():
    for creature in ("serpent", "whale"):
        steered = after(table({"G6": "boat", "G7": creature, "G5": "beach red"}), sail("G6", "G7"))
        assert at(steered, "G7").boat == {}
        swum = after(
            table({"G6": "boat", "G7": creature, "G5": "beach"}, phase="creature", die=creature),
            swim_creature(creature, "G7", "G6"),
        )
        assert at(swum, "G6").boat == {}


def test_5_4_a_boat_with_passengers_meets_8_whoever_arrives():
    for creature in ("serpent", "whale"):
        steered = after(table({"G6": "boat:red", "G7": creature, "G5": "beach red"}), sail("G6", "G7"))
        assert at(steered, "G7").boat is None
        swum = after(
            table({"G6": "boat:red", "G7": creature, "G5": "beach"}, phase="creature", die=creature),
            swim_creature(creature, "G7", "G6"),
        )
        assert at(swum, "G6").boat is None


def test_5_4_boarding_an_empty_boat_beside_a_serpent_or_whale():
    position = table({"G6": "boat serpent", "G5": "beach red"})
    boarded = after(position, move("red", "G5", "G6 boat"))
    assert (at(boarded, "G6").boat, at(boarded, "G6").explorers) == (None, {})
    tipped = after(table({"G6": "boat whale", "G5": "beach red"}), move("red", "G5", "G6 boat"))
    assert (at(tipped, "G6").boat, at(tipped, "G6").explorers) == (None, {"red": 1})
    climbed = after(table({"G6": "boat whale red", "G5": "beach red"}), move("red", "G6 sea", "G6 boat"))
    assert at(climbed, "G6").explorers == {"red": 1}
    changed = table({"F6": "boat:red", "G6": "boat serpent", "G5": "beach"})
    assert [e["event"] for e in events(changed, move("red", "F6 boat", "G6 boat"))] == ["explorer_moved", "boat_lost"]
