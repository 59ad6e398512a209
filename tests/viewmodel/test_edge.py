"""The buttons at the table's edge: the cursor that stands for a finger, and the long press that shuts down."""

from __future__ import annotations

import pytest

from companion.viewmodel import cursor
from companion.viewmodel.edge import CURSOR_S, LONG_S, REPEAT_AFTER_S, REPEAT_EVERY_S
from companion.viewmodel.states import Cursor, SecretScreen
from viewmodel.fake_machine import FakeMachine
from viewmodel.people import People, at_table, table_of
from viewmodel.scenes import at, move_scene, on_with, position
from viewmodel.test_secrets import ISLAND


def tap(people: People, *buttons: str) -> None:
    for button in buttons:
        people.settle()
        people.vm.panel(button, True)
        people.vm.panel(button, False)


def test_roll_points_at_what_can_be_chosen_undo_goes_back_and_ok_chooses(tmp_path):
    people = on_with(tmp_path, move_scene())
    assert people.state.cursor is None
    tap(people, "roll")
    movable = people.touchable()
    assert people.state.cursor == Cursor(hex=movable[0])
    tap(people, "roll")
    assert people.state.cursor == Cursor(hex=movable[1])
    tap(people, "undo")
    assert people.state.cursor == Cursor(hex=movable[0])
    while people.state.cursor != Cursor(hex=at("E8")):
        tap(people, "roll")
    tap(people, "ok")
    assert people.lit("chosen") == {at("E8")}
    assert people.state.cursor is None, "what was chosen needs no cursor any more"


def test_with_a_piece_chosen_the_cursor_begins_where_it_may_go(tmp_path):
    people = on_with(tmp_path, move_scene())
    people.touch(at("E8"))
    tap(people, "roll")
    assert people.state.cursor.hex in people.lit("legal", "deadly")
    tap(people, "ok")
    assert people.screen.pips.left == 2


def test_the_cursor_goes_round_everything_that_can_be_pressed(tmp_path):
    people = on_with(tmp_path, move_scene())
    seen = []
    while not seen or people.state.cursor != seen[0]:
        if people.state.cursor:
            seen.append(people.state.cursor)
        tap(people, "roll")
        if len(seen) > 100:
            raise AssertionError("it does not come round")
    assert {thing.hex for thing in seen if thing.hex} == set(people.touchable())
    assert {thing.id for thing in seen if thing.id} == set(people.enabled())
    tap(people, "undo")
    assert people.state.cursor == seen[-1], "backwards from the first to the last"


def test_held_it_steps_on_by_itself(tmp_path):
    people = on_with(tmp_path, move_scene())
    people.vm.panel("roll", True)
    first = people.state.cursor
    people.wait(REPEAT_AFTER_S - 0.1, step=0.05)
    assert people.state.cursor == first
    people.wait(0.15 + 3 * REPEAT_EVERY_S, step=0.05)
    things = cursor.things(people.state)
    assert things.index(people.state.cursor) >= 2
    people.vm.panel("roll", False)
    rests = people.state.cursor
    people.wait(1)
    assert people.state.cursor == rests


def test_a_cursor_that_nobody_moves_goes_away(tmp_path):
    people = on_with(tmp_path, move_scene())
    tap(people, "roll")
    people.wait(CURSOR_S - 1)
    assert people.state.cursor
    people.wait(2)
    assert people.state.cursor is None


@pytest.mark.parametrize("what", ["touch", "press", "away"])
def test_a_finger_takes_the_cursor_away(tmp_path, what):
    people = on_with(tmp_path, move_scene())
    tap(people, "roll")
    {"touch": lambda: people.touch(at("E8")), "press": lambda: people.press("menu"), "away": people.vm.touch_away}[
        what
    ]()
    assert people.state.cursor is None


def test_the_volume_goes_with_the_panel_and_is_kept_when_the_button_comes_up(tmp_path):
    kept = []
    people = at_table(tmp_path, 20, table_of(2), keep=lambda name, value: kept.append((name, value)))
    people.press("settings", "group:sound")
    volume = people.vm.household.preferences.volume
    while people.state.cursor != Cursor(id="volume"):
        tap(people, "roll")
    tap(people, "ok")
    assert people.state.cursor == Cursor(id="volume", held=True)
    people.vm.panel("undo", True)
    people.wait(REPEAT_AFTER_S + 1.5 * REPEAT_EVERY_S, step=0.05)
    lower = people.vm.household.preferences.volume
    assert lower < volume
    assert kept == []
    people.vm.panel("undo", False)
    assert kept == [("volume", lower)]
    tap(people, "ok", "roll")
    assert people.state.cursor != Cursor(id="volume", held=True), "let go, Roll goes on"
    assert people.vm.household.preferences.volume == lower


def test_a_knob_that_is_held_and_forgotten_is_let_go(tmp_path):
    people = at_table(tmp_path, 20, table_of(2))
    people.press("settings", "group:sound")
    people.vm._edge._point(Cursor(id="volume"), held=True)
    people.wait(CURSOR_S + 1)
    assert people.state.cursor is None
    tap(people, "roll")
    assert people.state.cursor is not None
    assert not people.state.cursor.held


def test_what_is_gone_is_not_pointed_at(tmp_path):
    people = on_with(tmp_path, move_scene())
    people.vm._edge.at = Cursor(hex=at("A1"))
    people.vm.point()
    assert people.state.cursor is None


def test_the_roll_button_rolls_where_there_is_a_roll_and_then_points(tmp_path):
    people = on_with(tmp_path, position(ISLAND, phase="roll"))
    tap(people, "roll")
    assert people.screen.die.serial, "it has been rolled"
    assert people.state.cursor is None
    people.settle()
    tap(people, "roll")
    assert people.state.cursor == Cursor(hex=next(iter(people.touchable())))


def test_under_a_dialog_only_its_answers_are_pointed_at(tmp_path):
    people = on_with(tmp_path, move_scene())
    people.press("menu")
    pointed_at = [thing.id for thing in cursor.things(people.state)]
    assert pointed_at == ["home", "new_game", "hand", "rules", "settings", "close"]
    tap(people, "roll", "roll", "roll", "ok")
    assert people.state.toast.text == "Nobody holds a tile.", "that was the hand"
    people.press("menu")
    tap(people, "ok")
    assert people.state.dialog is None, "without a cursor the safe answer"


def test_on_a_seat_ok_changes_places_with_the_next(tmp_path):
    people = at_table(tmp_path, 1, table_of(4))
    people.press("new_game", "next")
    seats = people.screen.seats
    tap(people, "roll", "undo")  # the first of all things, and back from it to the last
    assert people.state.cursor == Cursor(id="swap_seats:2:3")
    tap(people, "ok")
    assert people.screen.seats == (seats[0], seats[1], seats[3], seats[2])


def test_home_begins_with_ok(tmp_path):
    people = at_table(tmp_path, 1, table_of(2))
    tap(people, "ok")
    assert people.screen.step == 0


def test_behind_a_curtain_there_is_nothing_but_not_now_and_while_it_is_held_the_answers(tmp_path):
    people = on_with(tmp_path, position(ISLAND, phase="play_tile", hands=(("dolphin", "wind"), ())))
    people.press("choose")
    assert isinstance(people.screen, SecretScreen)
    assert cursor.things(people.state) == (Cursor(id="not_now"),)
    tap(people, "ok")
    assert isinstance(people.screen, SecretScreen), "nothing is primary here"
    people.vm.panel("player1", True)
    people.wait(0.5)
    tap(people, "roll")
    assert people.state.cursor == Cursor(id="play:dolphin")
    tap(people, "ok")
    assert people.screen.card.answers[0].kind == "primary"
    tap(people, "roll")
    people.vm.panel("player1", False)
    assert people.state.cursor is None, "the card is shut, and tells nothing of what it held"
    assert people.screen.subtitle == "Dolphin"


def test_ok_and_undo_act_when_they_come_up(tmp_path):
    people = on_with(tmp_path, move_scene())
    people.vm.panel("ok", True)
    assert people.screen.phase == "Move"
    people.vm.panel("ok", False)
    assert people.screen.phase == "Sink a tile"
    people.settle()
    people.vm.panel("undo", True)
    assert people.screen.phase == "Sink a tile"
    people.vm.panel("undo", False)
    assert people.screen.phase == "Move"
    people.vm.panel("ok", False)
    assert people.screen.phase == "Move", "what never went down does not come up"


# --- arrows


@pytest.mark.parametrize(("arrow", "to"), [("right", "E8"), ("left", "E6"), ("up", "D6"), ("down", "F7")])
def test_an_arrow_goes_to_the_nearest_place_that_way(arrow, to):
    places = tuple(Cursor(hex=at(label)) for label in ("E7", "E8", "E6", "D6", "F7", "E10", "C6", "H7"))
    assert cursor.go(places, places[0], arrow) == Cursor(hex=at(to))


def test_beyond_the_board_the_arrows_go_through_the_buttons_and_back(tmp_path):
    among = (Cursor(hex=at("E7")), Cursor(id="a"), Cursor(id="b"))
    assert cursor.go(among, among[0], "right") == among[1]
    assert cursor.go(among, among[1], "down") == among[2]
    assert cursor.go(among, among[2], "up") == among[1]
    assert cursor.go(among, among[1], "left") == among[0]
    assert cursor.go(among, among[0], "left") == among[0]
    assert cursor.go(among, None, "down") == among[0]
    assert cursor.go((), None, "down") is None


def test_the_keys_move_the_cursor_and_escape_ends_it(tmp_path):
    people = on_with(tmp_path, move_scene())
    tap(people, "next")
    assert people.state.cursor
    tap(people, "right", "down", "left", "up")
    assert people.state.cursor
    tap(people, "away")
    assert people.state.cursor is None


# --- shutting down


def held(people: People, *buttons: str, seconds: float = LONG_S + 0.5) -> None:
    for button in buttons:
        people.vm.panel(button, True)
    people.wait(seconds)
    for button in buttons:
        people.vm.panel(button, False)


@pytest.mark.parametrize("buttons", [("power",), ("undo", "ok"), ("ok", "undo")])
def test_a_long_press_asks_once_whether_to_shut_down_and_does_nothing_else(tmp_path, buttons):
    machine = FakeMachine()
    people = on_with(tmp_path, move_scene(), machine=machine)
    held(people, *buttons)
    assert people.state.dialog.title == "Shut down?"
    assert people.screen.phase == "Move"
    tap(people, "ok")
    assert (people.state.dialog, machine.downs) == (None, 0)
    held(people, *buttons)
    tap(people, "roll", "ok")
    assert people.state.dialog.title == "Shutting down"
    people.wait(1)
    assert machine.downs == 1


@pytest.mark.parametrize("buttons", [("power",), ("undo", "ok")])
def test_a_short_press_of_them_does_nothing(tmp_path, buttons):
    people = on_with(tmp_path, move_scene(), machine=FakeMachine())
    before = people.state
    held(people, *buttons, seconds=1)
    assert people.state == before


def test_one_of_the_two_held_alone_does_not_shut_down(tmp_path):
    people = on_with(tmp_path, move_scene(), machine=FakeMachine())
    held(people, "undo")
    assert people.state.dialog is None


def test_where_nothing_can_be_shut_down_nothing_is_asked(tmp_path):
    people = on_with(tmp_path, move_scene())
    held(people, "power")
    assert people.state.dialog is None
