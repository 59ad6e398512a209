"""10: tiles played at the start of the own turn."""

from kit import act, after, allowed, at, move, refused, table, targets

END = act("end_phase")


def holding(tile, at_hexes, **fields):
    return table({"M1": "boat", **at_hexes}, phase="play_tile", hands=[[tile], []], **fields)


def dolphin(origin, target, colour="red"):
    return act("play_tile", tile="dolphin", colour=colour, origin=origin, target=target)


def wind(origin, target):
    return act("play_tile", tile="wind", origin=origin, target=target)


def test_10_1_a_dolphin_carries_an_own_swimmer_one_to_three_sea_hexes():
    position = holding("dolphin", {"E3": "red blue", "G5": "beach"})
    for label in ("E4", "E5", "E6"):
        assert at(after(position, dolphin("E3", label)), label).explorers == {"red": 1}
    for label in ("E7", "E3", "G5"):
        refused(position, dolphin("E3", label), "10.1")
    refused(position, dolphin("E3", "E4", "blue"), "10.1")
    refused(position, dolphin("E4", "E5"), "10.1")
    refused(holding("dolphin", {"E3": "boat:red", "G5": "beach"}), dolphin("E3", "E4"), "10.1")


def test_10_1_it_does_not_use_up_the_swimming_move():
    position = after(holding("dolphin", {"E3": "red", "G5": "beach"}), dolphin("E3", "E4"))
    allowed(position, move("red", "E4 sea", "E5 sea"))
    assert (position.phase, position.moves_left) == ("move", 3)


def test_10_1_not_through_a_shark_or_serpent_but_onto_one():
    for creature in ("shark", "serpent"):
        position = holding("dolphin", {"E3": "red", "E4": creature, "G5": "beach"})
        refused(position, dolphin("E3", "E6"), "10.1")
        assert at(after(position, dolphin("E3", "E4")), "E4").explorers == {}
    allowed(holding("dolphin", {"E3": "red", "E4": "whale", "G5": "beach"}), dolphin("E3", "E6"))


def test_10_2_the_wind_blows_a_boat_one_to_three_sea_hexes():
    position = holding("wind", {"E3": "boat:red,blue", "G5": "beach"})
    for label in ("E4", "E5", "E6"):
        assert at(after(position, wind("E3", label)), label).boat == {"red": 1, "blue": 1}
    for label in ("E7", "E3"):
        refused(position, wind("E3", label), "10.2")
    assert after(position, wind("E3", "E6")).moves_left == 3


def test_10_2_only_a_boat_with_an_own_passenger_that_the_player_controls():
    refused(holding("wind", {"E3": "boat", "G5": "beach red"}), wind("E3", "E4"), "10.2")
    refused(holding("wind", {"E3": "boat:blue", "G5": "beach red"}), wind("E3", "E4"), "10.2")
    refused(holding("wind", {"E3": "boat:red,blue,blue", "G5": "beach"}), wind("E3", "E4"), "5.3")
    allowed(holding("wind", {"E3": "boat:red,blue", "G5": "beach"}), wind("E3", "E4"))


def test_10_2_not_over_boats_and_tiles_nor_through_a_serpent_or_whale_but_onto_one():
    refused(holding("wind", {"E3": "boat:red", "E4": "boat", "G5": "beach"}), wind("E3", "E4"), "5.2")
    refused(holding("wind", {"E3": "boat:red", "E4": "boat", "G5": "beach"}), wind("E3", "E6"), "10.2")
    refused(holding("wind", {"E3": "boat:red", "E4": "beach"}), wind("E3", "E4"), "5.2")
    for creature in ("serpent", "whale"):
        position = holding("wind", {"E3": "boat:red", "E4": creature, "G5": "beach"})
        refused(position, wind("E3", "E6"), "10.2")
        assert at(after(position, wind("E3", "E4")), "E4").boat is None
    allowed(holding("wind", {"E3": "boat:red", "E4": "shark", "G5": "beach"}), wind("E3", "E6"))


def test_10_3_a_creature_on_the_board_to_any_empty_sea_hex():
    for kind in ("serpent", "shark", "whale"):
        position = holding(f"move_{kind}", {"E3": kind, "G5": "beach red", "E5": "boat", "E6": "blue", "E7": "shark"})
        moved = after(position, act("play_tile", tile=f"move_{kind}", origin="E3", target="M7"))
        assert at(moved, "E3").is_empty
        assert getattr(at(moved, "M7"), f"{kind}s") == 1
        for label in ("G5", "E5", "E6", "E7", "E3"):
            refused(position, act("play_tile", tile=f"move_{kind}", origin="E3", target=label), "10.3")
        refused(position, act("play_tile", tile=f"move_{kind}", origin="E4", target="M7"), "10.3")
        assert len(targets(position, type="play_tile", **{"from": [-2, -2]})) == 133 - 6


def test_10_3_with_none_of_the_kind_on_the_board_there_is_nothing_to_move():
    assert targets(holding("move_whale", {"G5": "beach red"}), type="play_tile") == set()


def test_10_4_a_played_tile_leaves_the_game():
    position = after(holding("dolphin", {"E3": "red", "G5": "beach"}), dolphin("E3", "E4"))
    assert position.hands == ((), ())
    assert sum(backs.get("dolphin", 0) for backs in position.backs.values()) == 0
