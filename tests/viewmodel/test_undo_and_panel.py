"""Undo with consent, the buttons and lamps at the table's edge, faults of the journal."""

from __future__ import annotations

import pytest

from companion.rules.actions import MoveCreature
from companion.table.errors import JournalError
from companion.table.journal import Journal
from companion.viewmodel.app import AppViewModel
from companion.viewmodel.states import NewGameScreen, SecretScreen
from viewmodel.people import at_table, table_of
from viewmodel.scenes import at, move_scene, on_with, position
from viewmodel.test_defence import on_with_roll

SEA = {"E8": {"tile": "forest", "explorers": {"red": 1}}, "J9": {"sharks": 1}, "H5": {"tile": "forest"}}


def test_at_the_start_there_is_nothing_to_take_back(tmp_path):
    people = on_with(tmp_path, move_scene())
    assert not people.screen.undo.enabled
    before = people.state
    people.press("undo")
    assert people.state == before


def test_a_move_is_taken_back_at_once(tmp_path):
    people = on_with(tmp_path, move_scene())
    before = people.screen
    people.touch(at("E8"))
    people.touch(at("E7"))
    people.press("undo")
    assert people.screen == before
    assert people.state.toast.text == "Taken back."


def test_a_roll_is_taken_back_only_if_everybody_agrees(tmp_path):
    people = on_with(tmp_path, position(SEA, players=3, phase="roll"))
    people.press("roll")
    people.press("undo")
    dialog = people.state.dialog
    assert dialog.title == "Take back the roll?"
    assert [mark.text for mark in dialog.marks] == ["Ann", "Bo", "Olena"]
    assert dialog.safe.text == "Leave it as it is"
    people.press("agree:1")
    people.vm.panel("player1", True)
    assert [mark.icon for mark in people.state.dialog.marks] == ["check", "check", None]
    people.press("close")
    assert people.state.dialog is None
    assert people.session.record[-1].phase == "roll"
    people.press("undo", "agree:0", "agree:1", "agree:2")
    assert people.state.dialog is None
    assert people.screen.phase == "Roll"


@pytest.mark.parametrize("told", ["by the next tick", "by the last who agrees"])
def test_consent_to_take_back_one_thing_is_not_for_another(tmp_path, told):
    people = on_with_roll(tmp_path, position(SEA, players=3, phase="roll"))
    people.press("undo", "agree:0", "agree:1")
    move = next(action for action in people.session.legal() if isinstance(action, MoveCreature))
    people.session.do(move, "camera")
    if told == "by the next tick":
        people.wait(0.25)
    else:
        people.press("agree:2")
    assert people.state.dialog is None
    assert people.state.toast.text == "Something was done meanwhile: nothing is taken back."
    assert people.session.record[-1].action == move


def test_a_tile_looked_at_is_taken_back_only_if_everybody_agrees(tmp_path):
    people = on_with(tmp_path, position(SEA, phase="sink"))
    people.touch(at("E8"))
    people.press("sink")
    people.look()
    people.press("undo")
    assert people.state.dialog.title == "Take back what was revealed?"


def test_ok_presses_the_primary_button_and_roll_rolls(tmp_path):
    people = on_with(tmp_path, position(SEA, phase="move"))
    people.vm.panel("roll", True)
    people.vm.panel("roll", False)
    assert people.screen.phase == "Move", "it is not the time"
    people.wait(20)
    people.vm.panel("ok", True)
    people.vm.panel("ok", False)
    assert people.screen.phase == "Sink a tile"
    people.wait(20)
    people.vm.panel("undo", True)
    people.vm.panel("undo", False)
    assert people.screen.phase == "Move"


def test_the_panels_roll_button_rolls(tmp_path):
    people = on_with(tmp_path, position(SEA, phase="roll"))
    people.vm.panel("roll", True)
    assert people.screen.die.serial, "it has been rolled"


@pytest.mark.parametrize("button", ["player1", "player3"])
def test_a_players_button_has_the_players_colour_and_opens_the_curtain(tmp_path, button):
    people = on_with(tmp_path, position(SEA, two_colours=True, phase="sink"))
    people.touch(at("E8"))
    people.press("sink")
    people.vm.panel("player2", True)
    people.wait(0.5)
    assert people.screen.card is None, "that is Bo's"
    people.vm.panel("player2", False)
    people.vm.panel(button, True)
    people.wait(0.75)
    assert people.screen.card
    people.vm.panel(button, False)
    assert people.screen.phase == "Roll"


HANDS = (("whale_defence", "move_whale"), (), ("dolphin",))


def test_in_a_turn_the_own_button_shows_the_own_hand_while_it_is_held(tmp_path):
    people = on_with(tmp_path, position(SEA, players=3, phase="move", hands=HANDS))
    before = people.screen
    for button, player, count in (("player1", 0, 2), ("player3", 2, 1)):
        people.vm.panel(button, True)
        assert (people.screen.player, people.screen.card) == (player, None)
        people.wait(0.5)
        assert [name for name, _text in people.screen.card.tiles].count(None) == 3 - count
        people.vm.panel(button, False)
        assert people.screen == before


def test_a_brush_against_an_own_button_shows_nothing_and_is_over(tmp_path):
    people = on_with(tmp_path, position(SEA, players=3, phase="move", hands=HANDS))
    before = people.screen
    people.vm.panel("player1", True)
    people.wait(0.25)
    assert people.screen.card is None
    people.vm.panel("player1", False)
    assert people.screen == before


def test_a_brush_against_an_own_button_leaves_the_chosen_piece_chosen(tmp_path):
    people = on_with(tmp_path, position(SEA, players=3, phase="move", hands=HANDS))
    people.touch(people.touchable()[0])
    before = people.screen
    assert before.board.veiled
    people.vm.panel("player1", True)
    people.wait(0.1)
    people.vm.panel("player1", False)
    assert people.screen == before
    people.press("hand", "hand:0")
    people.look()
    assert people.screen == before, "after a look as well"


def test_two_own_buttons_show_no_hand(tmp_path):
    people = on_with(tmp_path, position(SEA, players=3, phase="move", hands=HANDS))
    before = people.screen
    people.vm.panel("player1", True)
    people.wait(0.5)
    people.vm.panel("player3", True)
    people.wait(0.5)
    assert people.screen.card is None
    people.vm.panel("player3", False)
    people.vm.panel("player1", False)
    assert people.screen == before


def test_the_own_button_of_who_holds_no_tile_puts_up_no_curtain(tmp_path):
    people = on_with(tmp_path, position(SEA, players=3, phase="move", hands=HANDS))
    before = people.screen
    people.vm.panel("player2", True)
    assert people.state.toast.text == "Bo, you hold no tile."
    people.wait(0.5)
    assert people.screen == before


def test_a_look_that_was_put_off_is_taken_with_the_own_button(tmp_path):
    people = on_with(tmp_path, position(SEA, phase="sink"))
    people.touch(at("E8"))
    people.press("sink", "not_now")
    people.vm.panel("player1", True)
    people.wait(0.75)
    assert people.screen.card.over == "Under the forest at E8"
    people.vm.panel("player1", False)
    assert people.screen.phase == "Roll"


def test_buttons_without_a_game_do_nothing(tmp_path):
    people = at_table(tmp_path, 1, table_of(2))
    before = people.state
    for button in ("player1", "player4", "undo", "no such button"):
        people.vm.panel(button, True)
        people.vm.panel(button, False)
    assert people.state == before
    assert people.vm.leds() == (False,) * 4
    for step in (0, 1):
        people.settle()
        people.vm.panel("ok", True)
        people.vm.panel("ok", False)
        assert isinstance(people.screen, NewGameScreen)
        assert people.screen.step == step


def test_the_lamps_show_whose_turn_it_is_and_are_alike_behind_a_curtain(tmp_path):
    people = on_with(tmp_path, position(SEA, two_colours=True, phase="sink"))
    assert people.vm.leds() == (True, False, True, False)
    people.touch(at("E8"))
    people.press("sink")
    assert isinstance(people.screen, SecretScreen)
    assert people.vm.leds() == (True,) * 4


def test_who_has_not_agreed_to_an_undo_yet_has_the_lamp_lit(tmp_path):
    people = on_with_roll(tmp_path, position(SEA, players=3, phase="roll"))
    people.press("undo")
    assert people.vm.leds() == (True, True, True, False)
    people.vm.panel("player2", True)
    assert people.vm.leds() == (True, False, True, False)
    people.press("close")
    assert people.vm.leds() == (True, False, False, False), "whose turn it is"


def test_the_lamp_of_the_one_asked_is_lit(tmp_path):
    threat = {"creature": "shark", "hex": list(at("I9")), "asked": [1], "resume": "creature"}
    sea = {**SEA, "I9": {"explorers": {"blue": 1}, "sharks": 1}}
    people = on_with(tmp_path, position(sea, phase="reaction", die="shark", threat=threat))
    assert people.vm.leds() == (False, True, False, False)


def test_a_damaged_list_of_games_is_told_at_the_start(tmp_path):
    journal = Journal(tmp_path / "games.sqlite")
    journal.notice = "Games after turn 9 could not be saved from the damaged file."
    vm = AppViewModel(journal)
    assert vm.state.dialog.text == journal.notice
    vm.press("close")
    assert vm.state.dialog is None


def test_a_full_disk_is_a_dialog_and_nothing_has_happened(tmp_path, monkeypatch):
    people = on_with(tmp_path, move_scene())

    def full(*_args, **_more):
        raise JournalError("full", "The disk is full. Make room, then go on.")

    monkeypatch.setattr(people.vm.journal, "append", full)
    people.touch(at("E8"))
    people.touch(at("E7"))
    assert people.state.dialog.text == "The disk is full. Make room, then go on."
    assert people.session.position.moves_left == 3
    monkeypatch.undo()
    people.press("close")
    people.touch(at("E7"))
    assert people.session.position.moves_left == 2


@pytest.mark.parametrize("count", [2, 3, 4])
def test_everybody_looks_in_a_corner_of_the_own_side(tmp_path, count):
    corners = {2: ["sw", "ne"], 3: ["sw", "nw", "ne"], 4: ["sw", "nw", "ne", "se"]}[count]
    people = on_with(tmp_path, position(SEA, players=count), defaults=table_of(count))
    desk = people.vm._presenter.desk
    assert [desk.corner(player) for player in range(count)] == corners


def test_a_game_of_another_table_takes_the_usual_corners(tmp_path):
    people = on_with(tmp_path, position(SEA, players=4), defaults=table_of(2))
    desk = people.vm._presenter.desk
    assert [desk.corner(player) for player in range(4)] == ["sw", "nw", "ne", "se"]
