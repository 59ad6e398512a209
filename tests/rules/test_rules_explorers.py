"""4: moving explorers."""

from kit import act, after, allowed, at, event, move, refused, sail, steps, table, targets


def test_4_1_from_a_tile_to_a_tile_however_many_stand_there():
    position = table({"G5": "beach red", "G4": "forest blue blue red", "G6": "serpent"})
    assert at(after(position, move("red", "G5", "G4")), "G4").explorers == {"red": 2, "blue": 2}


def test_4_1_from_a_tile_to_a_boat_with_room_or_into_the_sea_beside_it():
    position = table({"G5": "beach red", "G6": "boat:blue,blue"})
    assert at(after(position, move("red", "G5", "G6 boat")), "G6").boat == {"red": 1, "blue": 2}
    assert at(after(position, move("red", "G5", "G6 sea")), "G6").explorers == {"red": 1}
    assert steps(position) == {"G6 boat", "G6 sea", "G4 sea", "F5 sea", "F6 sea", "H5 sea", "H6 sea"}


def test_4_1_no_further_than_the_next_hex_and_not_to_safe_land():
    position = table({"G5": "beach red", "G3": "beach", "G7": "boat", "F6": "boat", "B1": "boat"})
    refused(position, move("red", "G5", "G3"), "4.1")
    refused(position, move("red", "G5", "G5"), "4.1")
    refused(position, move("red", "G5", "G4"), "4.1")  # sea, no tile
    refused(position, move("red", "G5", "G7 boat"), "4.1")
    refused(position, move("red", "G5", "G7 sea"), "4.1")
    refused(position, move("red", "G5", "G6 boat"), "4.1")  # no boat there
    refused(position, move("red", "G5", "G3 sea"), "4.1")
    refused(position, move("red", "G5", "safe nw"), "4.1")
    refused(position, move("red", "G3", "G4 sea"), "4.1")  # nobody there


def test_4_2_from_a_boat_to_a_boat_beside_it_or_into_its_own_sea():
    position = table({"F6": "boat:red", "F7": "boat", "G6": "serpent", "F5": "beach"})
    assert steps(position) == {"F7 boat", "F6 sea"}
    refused(position, move("red", "F6 boat", "F7 sea"), "4.2")
    refused(position, move("red", "F6 boat", "E6 boat"), "4.2")
    refused(position, move("red", "F6 boat", "F6 boat"), "4.2")
    refused(position, move("red", "F6 boat", "safe nw"), "4.2")
    refused(position, move("red", "F7 boat", "F6 boat"), "4.2")


def test_4_2_from_a_boat_to_the_safe_land_of_its_landing_hex():
    position = table({"C1": "boat:red,blue", "G5": "beach"})
    landed = after(position, move("red", "C1 boat", "safe nw"))
    assert landed.layout().safe == {"nw": {"red": 1}}
    assert at(landed, "C1").boat == {"blue": 1}
    refused(position, move("red", "C1 boat", "safe sw"), "4.2")
    assert event(position, move("red", "C1 boat", "safe nw"), "rescued") == {
        "event": "rescued",
        "colour": "red",
        "land": "nw",
    }


def test_4_3_a_swimmer_to_the_next_sea_hex_into_a_boat_on_its_own_hex_or_ashore():
    position = table({"C1": "red boat", "C2": "boat", "G5": "beach"})
    assert steps(position) == {"C1 boat", "safe nw", "B1 sea", "C2 sea", "D1 sea"}
    assert at(after(position, move("red", "C1 sea", "C1 boat")), "C1").boat == {"red": 1}
    assert after(position, move("red", "C1 sea", "safe nw")).layout().safe == {"nw": {"red": 1}}


def test_4_3_a_swimmer_does_not_board_a_boat_on_an_adjacent_hex():
    position = table({"F6": "red", "F7": "boat", "G5": "beach"})
    refused(position, move("red", "F6 sea", "F7 boat"), "4.3")
    refused(position, move("red", "F6 sea", "F6 boat"), "4.3")
    refused(position, move("red", "F6 sea", "F8 sea"), "4.3")
    refused(position, move("red", "F6 sea", "safe nw"), "4.3")
    refused(position, move("red", "F7 sea", "F8 sea"), "4.3")


def test_4_4_who_has_left_the_island_never_stands_on_a_tile_again():
    position = table({"F6": "red boat:red", "F5": "beach"})
    refused(position, move("red", "F6 sea", "F5"), "4.4")
    refused(position, move("red", "F6 boat", "F5"), "4.4")
    refused(position, move("red", "F6 sea", "F5 sea"), "4.3")


def test_4_5_one_swimming_move_a_turn():
    position = table({"G5": "beach red", "G4": "forest"})
    position = after(position, move("red", "G5", "G6 sea"))
    refused(position, move("red", "G6 sea", "G7 sea"), "4.5")
    swimmer = table({"C2": "red", "G4": "forest"})
    refused(after(swimmer, move("red", "C2 sea", "C1 sea")), move("red", "C1 sea", "safe nw"), "4.5")
    boarded = after(table({"C2": "red boat", "G4": "forest"}), move("red", "C2 sea", "C2 boat"))
    refused(boarded, move("red", "C2 boat", "C2 sea"), "4.5")
    jumped = after(table({"C2": "boat:red", "G4": "forest"}), move("red", "C2 boat", "C2 sea"))
    refused(jumped, move("red", "C2 sea", "C2 boat"), "4.5")


def test_4_5_moves_that_are_no_swimming_do_not_count_before_or_after():
    position = table({"G5": "beach red", "G4": "forest", "F4": "boat"})
    position = after(position, move("red", "G5", "G4"))
    allowed(position, move("red", "G4", "G3 sea"))
    position = table({"C2": "red boat", "C1": "boat", "G4": "forest"})
    position = after(position, move("red", "C2 sea", "C2 boat"), move("red", "C2 boat", "C1 boat"))
    allowed(position, move("red", "C1 boat", "safe nw"))
    refused(position, move("red", "C1 boat", "C1 sea"), "4.5")


def test_4_5_who_has_swum_has_in_whatever_boat():
    position = table({"C2": "red boat", "G4": "forest"})
    position = after(position, move("red", "C2 sea", "C2 boat"), sail("C2", "C3"))
    refused(position, move("red", "C3 boat", "C3 sea"), "4.5")
    assert [(s.on, s.count) for s in position.swum] == [("boat", 1)]


def test_4_5_to_be_put_into_the_sea_is_not_a_move():
    tipped = after(table({"C2": "boat:red,red", "C3": "whale", "G4": "forest"}), sail("C2", "C3"))
    assert at(tipped, "C3").explorers == {"red": 2}
    allowed(tipped, move("red", "C3 sea", "C4 sea"))


def test_4_5_who_has_swum_and_is_tipped_out_has_swum():
    position = table({"C2": "red boat", "C3": "whale", "G4": "forest"})
    position = after(position, move("red", "C2 sea", "C2 boat"), sail("C2", "C3"))
    refused(position, move("red", "C3 sea", "C4 sea"), "4.5")


def test_4_5_of_two_alike_the_one_moves_that_may_still():
    position = table({"F6": "red red", "G4": "forest"}, swum=[("F6", "sea", "red", 1)])
    position = after(position, move("red", "F6 sea", "F7 sea"))
    refused(position, move("red", "F6 sea", "F7 sea"), "4.5")
    refused(position, move("red", "F7 sea", "F8 sea"), "4.5")


def test_4_5_swum_names_the_one_that_has_where_both_may_move():
    position = table({"F6": "boat:red,red", "F7": "boat", "G4": "forest"}, swum=[("F6", "boat", "red", 1)])
    plain = after(position, move("red", "F6 boat", "F7 boat"))
    allowed(plain, move("red", "F7 boat", "F7 sea"))
    refused(plain, move("red", "F6 boat", "F6 sea"), "4.5")
    named = after(position, move("red", "F6 boat", "F7 boat", swum=True))
    refused(named, move("red", "F7 boat", "F7 sea"), "4.5")
    allowed(named, move("red", "F6 boat", "F6 sea"))
    refused(position, move("red", "F6 boat", "F6 sea", swum=True), "4.5")
    refused(table({"F6": "boat:red,red", "F7": "boat"}), move("red", "F6 boat", "F7 boat", swum=True), "4.5")
    all_swum = table({"F6": "boat:red,red", "F7": "boat", "G4": "forest"}, swum=[("F6", "boat", "red", 2)])
    refused(all_swum, move("red", "F6 boat", "F7 boat", swum=True), "4.5")
    refused(after(all_swum, move("red", "F6 boat", "F7 boat")), move("red", "F7 boat", "F7 sea"), "4.5")


def test_4_5_a_new_turn_begins_afresh():
    position = table({"F6": "red", "G4": "forest", "F12": "serpent"}, moves_left=1)
    position = after(position, move("red", "F6 sea", "F7 sea"))
    assert position.phase == "sink"
    assert position.swum == ()


def test_4_6_swimming_into_a_shark_or_serpent_is_legal_and_fatal():
    for creature in ("shark", "serpent"):
        position = table({"G5": "beach red", "G6": creature, "G4": "forest"})
        allowed(position, move("red", "G5", "G6 sea"))
        assert not at(after(position, move("red", "G5", "G6 sea")), "G6").explorers
        assert event(position, move("red", "G5", "G6 sea"), "eaten")["by"] == creature


def test_4_7_nobody_moves_anothers_explorer():
    position = table({"G5": "beach red blue", "G6": "boat:blue"})
    refused(position, move("blue", "G5", "G6 sea"), "4.7")
    refused(position, move("blue", "G6 boat", "G6 sea"), "4.7")


def test_4_7_safe_land_is_final_and_has_no_limit():
    position = table({"C1": "boat:red", "G5": "beach"}, safe={"nw": {"red": 4, "blue": 5}})
    allowed(position, move("red", "C1 boat", "safe nw"))
    refused(position, move("red", "safe nw", "C1 sea"), "4.7")


def test_4_7_both_colours_of_a_player_are_own():
    position = table({"G5": "beach red green"}, colours=[["red", "green"], ["blue", "yellow"]])
    allowed(position, move("green", "G5", "G6 sea"))
    assert targets(position, type="move_boat") == set()
    refused(position, act("move_boat", origin="G6", target="G7"), "5.2")
