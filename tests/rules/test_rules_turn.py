"""3: the phases of a turn."""

from kit import act, after, allowed, events, move, refused, sail, swim_creature, table

from companion.rules import legal_actions

END = act("end_phase")
ISLAND = {"G5": "beach red", "G4": "forest blue", "G6": "serpent"}


def test_3_the_phases_follow_each_other_and_the_turn_passes_clockwise():
    position = table(ISLAND, phase="play_tile", hands=[["dolphin"], []], under="wind")
    phases = []
    for action in (END, END, act("sink_tile", hex="G5", back="wind"), act("roll", face="serpent"), END):
        phases.append(position.phase)
        position = after(position, action)
    assert phases == ["play_tile", "move", "sink", "roll", "creature"]
    assert (position.active, position.phase) == (1, "move")


def test_3_out_of_its_phase_everything_is_illegal():
    in_move = table(ISLAND)
    for action in (
        act("sink_tile", hex="G5"),
        act("roll"),
        swim_creature("serpent", "G6", "G7"),
        act("play_tile", tile="dolphin", colour="red", origin="G5", target="G6"),
        act("place_explorer", colour="red", hex="G5"),
        act("defend", player=1),
        act("decline", player=1),
        act("reveal", back="shark"),
        act("load_boat", explorers={"red": 3}),
        act("score", colour="red", values=[1]),
    ):
        refused(in_move, action, "3")
    in_sink = table(ISLAND, phase="sink")
    for action in (END, move("red", "G5", "G4"), sail("G6", "G7")):
        refused(in_sink, action, "3")


def test_3_1_one_tile_from_the_hand_or_none():
    position = table({**ISLAND, "F6": "red"}, phase="play_tile", hands=[["dolphin", "dolphin"], []])
    assert after(position, END).hands == (("dolphin", "dolphin"), ())
    played = after(position, act("play_tile", tile="dolphin", colour="red", origin="F6", target="F7"))
    assert played.phase == "move"
    assert played.hands == (("dolphin",), ())


def test_3_1_only_tiles_of_the_own_turn_that_are_in_the_hand():
    position = table({**ISLAND, "F6": "red"}, phase="play_tile", hands=[["shark_defence"], ["wind"]])
    refused(position, act("play_tile", tile="dolphin", colour="red", origin="F6", target="F7"), "3.1")
    refused(position, act("play_tile", tile="shark_defence", origin="G6", target="G7"), "3.1")
    refused(position, act("play_tile", tile="shark", origin="G6", target="G7"), "3.1")


def test_3_2_three_moves_in_any_mix():
    position = table({"G5": "beach red red", "G6": "boat", "G4": "forest blue"})
    position = after(position, move("red", "G5", "G6 boat"), sail("G6", "G7"), move("red", "G5", "G6 sea"))
    assert (position.phase, position.moves_left) == ("sink", 0)
    assert after(table(ISLAND), move("red", "G5", "G4")).moves_left == 2


def test_3_2_may_stop_before_the_third_move():
    assert after(table(ISLAND), END).phase == "sink"


def test_3_2_is_skipped_without_an_explorer_on_the_board():
    position = table(
        {"G4": "forest blue", "G6": "serpent"}, phase="creature", die="serpent", active=1, safe={"nw": {"red": 1}}
    )
    position = after(position, END)
    assert (position.active, position.phase) == (0, "sink")


def test_3_2_is_not_skipped_with_one_swimming_or_in_a_boat():
    for piece in ("red", "boat:red"):
        position = table({"G4": "forest", "F6": piece, "G6": "serpent"}, phase="creature", die="serpent", active=1)
        assert after(position, END).phase == "move"


def test_3_2_who_loses_the_last_on_the_way_may_use_up_the_moves():
    position = table({"G4": "forest blue", "G5": "beach red", "G6": "serpent", "G2": "boat"})
    position = after(position, move("red", "G5", "G6 sea"))
    assert (position.phase, position.moves_left) == ("move", 2)
    allowed(position, sail("G2", "G1"))
    landed = after(table({"G4": "forest", "B2": "boat", "B1": "boat:red"}), move("red", "B1 boat", "safe nw"))
    assert (landed.phase, landed.moves_left) == ("move", 2)


def test_3_3_a_tile_must_be_removed():
    position = table(ISLAND, phase="sink")
    assert legal_actions(position) == [act("sink_tile", hex="G5")]
    refused(position, END, "3")


def test_3_4_the_die_must_be_rolled_and_a_creature_may_be_moved():
    position = table(ISLAND, phase="roll")
    assert legal_actions(position) == [act("roll")]
    position = after(position, act("roll", face="serpent"))
    assert (position.phase, position.die) == ("creature", "serpent")
    assert after(position, END).active == 1
    moved = after(position, swim_creature("serpent", "G6", "G7"))
    assert (moved.active, moved.die) == (1, None)


def test_3_4_only_a_creature_of_the_kind_rolled():
    position = table({**ISLAND, "G8": "shark"}, phase="creature", die="serpent")
    refused(position, swim_creature("shark", "G8", "G9"), "3.4")
    refused(position, swim_creature("serpent", "G8", "G9"), "3.4")


def test_3_4_nothing_happens_with_none_of_the_kind_on_the_board():
    position = table(ISLAND, phase="roll")
    rolled = after(position, act("roll", face="whale"))
    assert (rolled.active, rolled.phase) == (1, "move")
    assert "no_such_creature" in [event["event"] for event in events(position, act("roll", face="whale"))]


def test_3_5_an_empty_hand_skips_play_tile_an_unplayable_one_does_not():
    for hand, phase in (([], "move"), (["shark_defence"], "play_tile"), (["wind"], "play_tile")):
        position = table(ISLAND, phase="creature", die="serpent", active=1, hands=[hand, []])
        assert after(position, END).phase == phase
    assert legal_actions(table(ISLAND, phase="play_tile", hands=[["whale_defence"], []])) == [END]
