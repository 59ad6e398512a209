"""What goes wrong is said to people in a notice, once, and the game goes on."""

from __future__ import annotations

import pytest

from companion.faults import Said, told
from companion.table.errors import JournalError
from companion.table.journal import Journal
from companion.viewmodel.states import SetupScreen
from hardware.errors import CameraError
from viewmodel.fake_table import FakeTable
from viewmodel.people import People, at_table, table_of

FULL = JournalError("full", "The disk is full.")
LOOSE = CameraError("A cable is loose.", final=False)


class SavingError(Exception):
    """What a composition's own `remember` may raise."""


def full_disk(_name: str, _value: object) -> None:
    raise SavingError("The settings could not be saved: the disk is full.")


def dismissed(people: People) -> list[str]:
    """The texts of all notices, one after another, each put away."""
    texts = []
    while people.state.dialog:
        assert people.state.dialog.title == "That could not be done"
        texts.append(people.state.dialog.text)
        people.press("close")
    return texts


def test_a_table_that_cannot_be_remembered_is_said_and_the_game_begins(tmp_path):
    people = at_table(tmp_path, 1, table_of(2), keep=full_disk, faults=(SavingError,))
    people.press("new_game", "count:3", "next", "next", "next", "next")
    assert isinstance(people.screen, SetupScreen)
    assert dismissed(people) == ["The settings could not be saved: the disk is full."]
    people.press("begin")
    assert len(people.session.position.players) == 3
    assert people.vm.journal.open_game() is not None


def test_a_fault_found_outside_a_call_is_shown_once_until_it_is_put_away(tmp_path):
    people = at_table(tmp_path, 1, table_of(2))
    told = []
    people.vm.subscribe(told.append)
    for _ in range(3):
        people.vm.fault(FULL)
    assert len(told) == 1
    assert dismissed(people) == ["The disk is full."]
    people.vm.fault(FULL)
    assert dismissed(people) == ["The disk is full."], "it has happened again"


def test_different_faults_are_said_one_after_another(tmp_path):
    people = at_table(tmp_path, 1, table_of(2))
    for text in ("The disk is full.", "The journal is locked.", "The disk is full."):
        people.vm.fault(JournalError("full", text))
    assert dismissed(people) == ["The disk is full.", "The journal is locked."]


def test_a_game_that_is_no_longer_followed_goes_on_by_touch_and_can_be_followed_again(tmp_path):
    table = FakeTable()
    people = at_table(tmp_path, 1, table_of(2), table=table)
    people.start()
    assert table.session is people.session
    people.vm.watch_no_longer(JournalError("disk", "Play on by touch."))
    assert (people.state.dialog.title, people.state.dialog.text) == (
        "No longer followed by the camera",
        "Play on by touch.",
    )
    people.press("close")
    assert table.session is None
    people.press("menu")
    assert "Play with the camera" in [button.text for button in people.state.dialog.answers]
    people.press("camera")
    assert table.session is people.session


def test_a_fault_that_is_mended_is_not_said_any_more(tmp_path):
    people = at_table(tmp_path, 1, table_of(2))
    for fault in (LOOSE, FULL):
        people.vm.fault(fault)
    assert people.state.dialog.text == str(LOOSE)
    people.vm.mended(LOOSE)
    assert people.state.dialog.text == str(FULL)
    people.vm.fault(LOOSE)
    people.vm.mended(LOOSE)
    assert dismissed(people) == [str(FULL)]
    people.start()
    people.press("menu")
    people.vm.mended(LOOSE)
    assert people.state.dialog.title == "Menu", "no other question goes with it"


def test_a_fault_waits_until_a_question_is_answered(tmp_path):
    people = at_table(tmp_path, 1, table_of(2))
    people.start()
    people.press("menu")
    people.vm.fault(FULL)
    assert people.state.dialog.title == "Menu"
    people.press("close")
    assert dismissed(people) == ["The disk is full."]


def test_a_fault_of_a_tick_that_stays_is_one_notice(tmp_path, monkeypatch):
    people = at_table(tmp_path, 1, table_of(2))

    def broken(_now: float) -> bool:
        raise JournalError("full", "The disk is full.")

    monkeypatch.setattr(people.vm._presenter, "tick", broken)
    people.wait(2)
    monkeypatch.undo()
    assert dismissed(people) == ["The disk is full."]


def test_a_fault_is_said_in_the_language_of_the_screen_and_on_the_command_line_in_english(tmp_path):
    path = tmp_path / "games.sqlite"
    with Journal(path), pytest.raises(JournalError) as caught:
        Journal(path)
    assert str(path) in str(caught.value)
    assert "is open in another companion" in str(caught.value)
    assert told(Said("{left} of {all}.", {"left": 1, "all": 2})) == "1 of 2."
    assert told(ValueError("as it is, {braces} and all")) == "as it is, {braces} and all"


def test_what_a_camera_says_is_in_the_catalogues_with_its_placeholders():
    """The sentences are found by the catalogues' test; here that each can be filled again on the screen."""
    for error in (
        CameraError("The camera sent nothing in {seconds:g} s.", seconds=0.5, final=False),
        CameraError("The camera does not answer.", final=True),
    ):
        assert told(error) == str(error)
