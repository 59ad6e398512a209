"""6. Until the die lies nothing tells how it falls: neither board nor words, neither cursor nor panel."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.scenes.staged_table import StagedTable
from companion.table.follow import Settled, Waiting
from companion.viewmodel.falling_die import LIES_S, TUMBLE_S
from companion.viewmodel.states import SecretScreen, TurnScreen
from viewmodel.people import People
from viewmodel.scenes import at, on_with, position
from viewmodel.test_turn_creature import SEA

FALLS_S = TUMBLE_S["usual"] + LIES_S


def rolling(tmp_path, **preferences) -> People:
    """Somebody has pressed the button, and the die is on its way."""
    people = on_with(tmp_path, position(SEA, players=3, phase="roll"), 3)
    people.vm.household.preferences = replace(people.vm.household.preferences, **preferences)
    people.settle()
    people.vm.press("roll")
    return people


def test_until_the_die_lies_the_screen_is_the_one_before_with_the_die_on_its_way(tmp_path):
    people = on_with(tmp_path, position(SEA, players=3, phase="roll"), 3)
    people.settle()
    before = people.screen
    people.vm.press("roll")
    falling = people.screen
    assert falling.die.tumbles
    assert falling.die.serial > before.die.serial
    assert (falling.board, falling.phase, falling.cells) == (before.board, before.phase, before.cells)
    assert falling.primary == replace(before.primary, enabled=False)
    assert (falling.lines, falling.prompt) == ((), ())
    people.wait(FALLS_S - 0.01, step=0.05)
    assert people.screen == falling
    people.wait(0.02)
    assert not people.screen.die.tumbles
    assert people.screen.phase == "Rolled"
    assert people.touchable()


@pytest.mark.parametrize(("tumble", "falls_s"), [("short", 0.55), ("usual", 0.9), ("long", 1.6)])
def test_the_words_come_after_the_die_lies_however_long_it_tumbles(tmp_path, tumble, falls_s):
    people = rolling(tmp_path, tumble=tumble)
    people.wait(falls_s - 0.05, step=0.05)
    assert people.screen.die.tumbles
    people.wait(0.1, step=0.05)
    assert not people.screen.die.tumbles


def test_with_less_movement_the_result_is_there_at_once(tmp_path):
    people = rolling(tmp_path, less_movement=True)
    assert not people.screen.die.tumbles
    assert people.screen.phase == "Rolled"


def test_neither_finger_nor_panel_chooses_what_is_not_lit_yet(tmp_path):
    people = rolling(tmp_path)
    falling = people.state
    for h in (at("J9"), at("D8"), at("C3")):
        people.touch(h)
    for button in ("ok", "roll", "ok"):
        people.vm.panel(button, True)
        people.vm.panel(button, False)
    assert people.state.dialog is None
    assert people.state.cursor is None, "it would stand on the menu when the die lies"
    people.vm.press("leave")
    assert people.screen == falling.screen
    people.settle()
    assert people.screen.phase == "Rolled", "nobody has gone on"


def test_what_comes_between_does_not_end_the_fall(tmp_path):
    people = on_with(tmp_path, position(SEA, players=3, phase="roll", hands=(("dolphin",), (), ())), 3)
    people.settle()
    people.vm.press("roll")
    falling = people.screen
    people.vm.panel("player1", True)
    people.wait(0.1, step=0.05)
    assert isinstance(people.screen, SecretScreen)
    people.vm.panel("player1", False)
    assert people.screen == falling
    people.wait(FALLS_S)
    assert people.screen.phase == "Rolled"


def test_what_the_camera_says_meanwhile_does_not_tell_either(tmp_path):
    table = StagedTable()
    people = on_with(tmp_path, position(SEA, players=3, phase="roll"), 3, table=table)
    people.settle()
    people.vm.press("roll")
    falling = people.screen
    table.state = Waiting("hand", (at("J9"),))
    people.wait(0.3, step=0.1)
    assert people.screen.die.tumbles
    assert (people.screen.board, people.screen.lines) == (falling.board, falling.lines)
    table.state = Settled()
    people.wait(FALLS_S)
    assert people.screen.phase == "Rolled"


@pytest.mark.parametrize("sea", [SEA, {**SEA, "J9": {}}])
def test_the_lamps_tell_no_more_than_the_screen(tmp_path, sea):
    people = on_with(tmp_path, position(sea, players=3, phase="roll"), 3)
    people.settle()
    before = people.vm.leds()
    people.vm.press("roll")
    while people.screen.die.tumbles:
        assert people.vm.leds() == before
        people.wait(0.05, step=0.05)
    assert people.screen.name == "Ann", "or that nothing was rolled is told first"
    assert people.vm.leds() == before


def test_a_roll_that_is_taken_back_falls_no_more_and_the_next_one_does(tmp_path):
    people = on_with(tmp_path, position({**SEA, "F8": {"tile": "beach"}}, players=3, phase="sink"), 3)
    people.touch(at("F8"))
    people.press("sink")
    people.look()
    people.press()
    people.vm.press("roll")
    people.wait(0.1, step=0.05)
    people.vm.press("undo")
    people.wait(0.4, step=0.05)
    assert people.screen.die.tumbles
    for player in (0, 1, 2):
        people.vm.press(f"agree:{player}")
    assert isinstance(people.screen, TurnScreen)
    assert people.screen.phase == "Roll"
    assert not people.screen.die.tumbles
    people.settle()
    people.vm.press("roll")
    assert people.screen.die.tumbles
