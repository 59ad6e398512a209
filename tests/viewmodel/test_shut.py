"""Where the games cannot be opened people see why, try again, and switch off; everything by finger and by button."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.table.errors import JournalError
from companion.table.journal import Journal
from companion.viewmodel.app import AppViewModel
from companion.viewmodel.shut import LOOKS_EVERY_S
from companion.viewmodel.states import HomeScreen, ShutScreen
from viewmodel.fake_machine import FakeMachine
from viewmodel.people import People

FULL = JournalError("full", "The disk is full.")
LOCKED = JournalError("locked", "It is open in another companion.")


class Lock:
    """What opens the games of this folder, once the errors have been raised."""

    def __init__(self, folder: Path, *errors: JournalError) -> None:
        self.file = folder / "games.sqlite"
        self.errors = list(errors)

    def __call__(self) -> Journal:
        if self.errors:
            raise self.errors.pop(0)
        return Journal(self.file)


def shut_out(lock: Lock, **more: Any) -> People:
    people = People(AppViewModel(lock, **more))
    assert isinstance(people.screen, ShutScreen)
    return people


def push(people: People, name: str, seconds: float = 0.1) -> None:
    people.settle()
    people.vm.panel(name, True)
    people.wait(seconds)
    people.vm.panel(name, False)
    people.wait(0.1)


@pytest.mark.parametrize("way", ["finger", "ok"])
def test_the_games_are_tried_again_until_they_open(tmp_path, way):
    people = shut_out(Lock(tmp_path, FULL, LOCKED, LOCKED))
    said = [people.screen.sentence]
    hints = {people.screen.hint}
    for _ in range(2):
        people.press("again") if way == "finger" else push(people, "ok")
        said.append(people.screen.sentence)
        hints.add(people.screen.hint)
    assert said == [str(FULL), str(LOCKED), str(LOCKED)]
    assert len(hints) == 3, "every press is answered"
    people.press("again") if way == "finger" else push(people, "ok")
    assert isinstance(people.screen, HomeScreen)
    people.press("new_game")
    people.vm.close()


def test_games_that_were_damaged_are_told_of_when_they_open_at_last(tmp_path):
    lock = Lock(tmp_path, FULL)
    lock.file.write_bytes(b"no database " * 500)
    people = shut_out(lock)
    people.press("again")
    assert isinstance(people.screen, HomeScreen)
    assert people.state.dialog.title == "The list of games was damaged"
    people.vm.close()


def test_games_that_another_program_has_open_by_themselves_when_it_lets_them_go(tmp_path):
    with Journal(tmp_path / "games.sqlite"):
        people = shut_out(Lock(tmp_path))
        people.wait(2 * LOOKS_EVERY_S)
        assert isinstance(people.screen, ShutScreen)
    people.wait(LOOKS_EVERY_S)
    assert isinstance(people.screen, HomeScreen)
    people.vm.close()


@pytest.mark.parametrize("way", ["finger", "cursor", "power"])
def test_an_appliance_can_be_switched_off(tmp_path, way):
    machine = FakeMachine()
    people = shut_out(Lock(tmp_path, *[FULL] * 9), machine=machine)
    if way == "finger":
        people.press("shut_down")
    elif way == "cursor":
        for name in ("roll", "roll", "ok"):
            push(people, name)
    else:
        push(people, "power", seconds=2.5)
    people.press("shut_down")
    people.wait(1)
    assert machine.downs == 1


@pytest.mark.parametrize("way", ["finger", "cursor"])
def test_on_anybodys_computer_the_program_can_be_closed(tmp_path, way):
    """It may fill the screen, where no key leaves it. Closing is the machine's end of the program, not of itself."""
    machine = FakeMachine()
    machine.appliance = False
    people = shut_out(Lock(tmp_path, *[FULL] * 9), machine=machine)
    assert [button.text for button in people.screen.buttons] == ["Quit"]
    if way == "finger":
        people.press("quit")
    else:
        for name in ("roll", "roll", "ok"):
            push(people, name)
    assert machine.downs == 1
    assert people.state.dialog is None


def test_where_nothing_is_known_of_the_machine_there_is_no_way_out(tmp_path):
    assert shut_out(Lock(tmp_path, FULL)).screen.buttons == ()


def test_nothing_else_happens_before_the_games_are_open(tmp_path):
    """Own buttons, going back, time, a fault: none of them needs the record of games."""
    people = shut_out(Lock(tmp_path, *[FULL] * 9))
    shown = people.screen
    for name in ("player1", "undo", "roll", "left", "away"):
        push(people, name)
    people.press("new_game", "continue", "undo")
    people.vm.hold(0)
    people.vm.let_go(0)
    people.wait(30)
    assert people.vm.leds() == (False,) * 4
    assert people.screen == shown
    people.vm.fault(LOCKED)
    people.press("close")
    assert people.state.dialog is None
    assert people.screen == shown
    people.vm.close()
