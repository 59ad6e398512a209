"""3.4, 7 on the screen: the roll, the creatures that may move, where to, and whom they would meet."""

from __future__ import annotations

from companion.rules.actions import MoveCreature
from viewmodel.scenes import at, on_with, position

SEA = {
    "E8": {"tile": "forest", "explorers": {"red": 1}},
    "J9": {"sharks": 1},
    "D8": {"sharks": 1},
    "I9": {"explorers": {"blue": 1, "yellow": 1}},
    "C3": {"serpents": 1},
}


def rolled(face: str, **more):
    return position({**SEA, **more}, players=3, phase="creature", die=face)


def with_roll(tmp_path, seed: int, hexes):
    people = on_with(tmp_path, position(hexes, players=3, phase="roll"), seed)
    people.press("roll")
    return people


def rolling(tmp_path, face: str, hexes):
    """A game in which that face comes, found by trying seeds."""
    for seed in range(50):
        folder = tmp_path / str(seed)
        folder.mkdir()
        people = with_roll(folder, seed, hexes)
        if people.screen.die and people.screen.die.face == face:
            return people
    raise AssertionError(f"no seed below 50 rolls a {face}")


def test_the_roll_is_a_large_die_with_the_creatures_lit(tmp_path):
    people = rolling(tmp_path, "shark", SEA)
    screen = people.screen
    assert (screen.phase, screen.subtitle, screen.die.size) == ("Rolled", "Shark", "large")
    assert screen.sentence == "Move one of the 2 bright sharks, or touch it here."
    assert people.lit("legal") == {at("J9"), at("D8")}
    assert screen.primary.text == "Leave them"


def test_undo_lets_go_of_the_creature_chosen_and_the_roll_stands(tmp_path):
    people = rolling(tmp_path, "shark", SEA)
    before = people.screen
    people.touch(at("D8"))
    people.press("undo")
    assert people.screen == before
    assert people.state.dialog is None


def test_a_touch_on_the_cell_rolls_too(tmp_path):
    people = on_with(tmp_path, position(SEA, players=3, phase="roll"))
    assert people.screen.primary.text == "Roll the die"
    people.press("cell:roll")
    assert people.screen.die.serial, "it has been rolled"


def test_a_roll_taken_back_and_rolled_again_is_another_roll(tmp_path):
    people = rolling(tmp_path, "shark", SEA)
    first = people.screen.die.serial
    people.press("undo", "agree:0", "agree:1", "agree:2")
    assert people.screen.phase == "Roll"
    people.press("roll")
    assert people.screen.die is None or people.screen.die.serial != first


def test_a_chosen_creature_shows_where_it_goes_and_whom_it_meets(tmp_path):
    people = rolling(tmp_path, "shark", SEA)
    people.touch(at("J9"))
    moves = {a.target for a in people.session.legal() if isinstance(a, MoveCreature) and a.origin == at("J9")}
    assert people.lit("chosen") == {at("J9")}
    assert people.lit("deadly") == {at("I9")}
    assert people.lit("legal", "deadly") == moves
    assert people.screen.sentence == "one shark, 1 or 2 hexes"
    assert [line.text for line in people.screen.lines] == ["I9: Bo and Olena swim there."]
    assert people.screen.die.size == "small"


def test_a_creature_moves_to_a_lit_hex_and_the_turn_passes(tmp_path):
    people = rolling(tmp_path, "shark", SEA)
    people.touch(at("J9"))
    people.touch(at("K9"))
    assert people.session.position.layout().at(at("K9")).sharks == 1
    assert people.screen.name == "Bo"
    assert people.screen.lines[0].text == "Ann: shark J9 to K9"


def test_leaving_it_there_passes_the_turn(tmp_path):
    people = rolling(tmp_path, "serpent", SEA)
    assert people.screen.primary.text == "Leave it there"
    people.press("leave")
    assert people.screen.name == "Bo"


def test_no_such_creature_says_so_and_goes_on_after_two_seconds(tmp_path):
    people = rolling(tmp_path, "whale", SEA)
    assert people.screen.name == "Ann", "it is still about who rolled"
    assert people.screen.sentence == "There is no whale on the board."
    people.wait(1.5)
    assert people.screen.die.serial, "it has been rolled"
    people.wait(1)
    assert (people.screen.name, people.screen.phase) == ("Bo", "Move")


def test_nobody_has_to_wait_for_it(tmp_path):
    people = rolling(tmp_path, "whale", SEA)
    people.press("on")
    assert people.screen.name == "Bo"


def test_creatures_that_are_shut_in_are_not_asked_for(tmp_path):
    island = {label: {"tile": "forest"} for label in ("F6", "F7", "G5", "G7", "H6", "H7")}
    people = rolling(tmp_path, "serpent", {**island, "G6": {"serpents": 1}})
    assert people.screen.sentence == "No sea serpent can move."
    assert people.lit("legal", "veiled") == set()
    assert people.screen.primary.text == "Go on"
    people.press(people.screen.primary.id)
    assert people.screen.name == "Bo"
