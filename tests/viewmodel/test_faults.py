"""What goes wrong is said to people in a notice, once, and the game goes on."""

from __future__ import annotations

from companion.table.errors import JournalError
from companion.viewmodel.states import SetupScreen
from viewmodel.people import People, at_table, table_of


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
        people.vm.fault("The disk is full.")
    assert len(told) == 1
    assert dismissed(people) == ["The disk is full."]
    people.vm.fault("The disk is full.")
    assert dismissed(people) == ["The disk is full."], "it has happened again"


def test_different_faults_are_said_one_after_another(tmp_path):
    people = at_table(tmp_path, 1, table_of(2))
    for text in ("The disk is full.", "The journal is locked.", "The disk is full."):
        people.vm.fault(text)
    assert dismissed(people) == ["The disk is full.", "The journal is locked."]


def test_a_fault_waits_until_a_question_is_answered(tmp_path):
    people = at_table(tmp_path, 1, table_of(2))
    people.start()
    people.press("menu")
    people.vm.fault("The disk is full.")
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
