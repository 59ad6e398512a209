"""A finger that drums does not answer what its first tap has brought, least of all for somebody else."""

from __future__ import annotations

import msgspec

from companion.rules.actions import MoveExplorer, Place
from companion.scenes.staged_table import StagedTable
from companion.table.dealer import Dealer
from companion.table.journal import Journal
from companion.table.start import begin
from companion.viewmodel.app import AppViewModel
from companion.viewmodel.haste import SETTLES_S
from companion.viewmodel.notices import Notice
from companion.viewmodel.states import Cursor, Dialog, ScoreScreen, SecretScreen
from viewmodel.people import People, at_table, table_of
from viewmodel.scenes import at, move_scene, on_with, position
from viewmodel.test_defence import struck
from viewmodel.test_turn_creature import SEA, rolling

DRUM_S = 0.15


def drum(people: People, times: int = 4) -> None:
    """The main button's place, again and again."""
    for _ in range(times):
        people.vm.press(people.screen.primary.id)
        people.wait(DRUM_S, step=DRUM_S)


def test_drumming_on_done_moving_sinks_nothing_and_skips_nobody(tmp_path):
    people = on_with(tmp_path, move_scene())
    people.settle()
    drum(people)
    assert people.screen.phase == "Sink a tile"


def test_drumming_at_the_end_of_a_turn_takes_no_moves_from_the_next_player(tmp_path):
    people = rolling(tmp_path, "shark", SEA)
    drum(people)
    assert (people.screen.name, people.screen.phase) == ("Bo", "Move")


def test_drumming_on_the_die_rolls_it_once(tmp_path):
    people = on_with(tmp_path, position(SEA, players=3, phase="roll"), 3)
    people.settle()
    drum(people, times=8)
    people.settle()
    assert (people.screen.name, people.screen.phase) == ("Ann", "Rolled")


def test_a_button_that_comes_under_the_finger_by_itself_is_not_pressed(tmp_path):
    people = rolling(tmp_path, "whale", {**SEA, "J9": {"serpents": 1}})
    assert people.screen.primary.id == "on"
    while people.screen.primary.id == "on":
        people.wait(0.05, step=0.05)
    people.vm.press(people.screen.primary.id)
    assert (people.screen.name, people.screen.phase) == ("Bo", "Move")


def test_a_second_tap_on_sink_does_not_put_the_look_off(tmp_path):
    people = on_with(tmp_path, position({"E8": {"tile": "beach"}, "K7": {"explorers": {"red": 1}}}, phase="sink"))
    people.touch(at("E8"))
    people.settle()
    people.vm.press("sink")
    assert isinstance(people.screen, SecretScreen)
    people.wait(DRUM_S, step=DRUM_S)
    shown = people.screen
    people.vm.press(shown.not_now.id)
    assert people.screen == shown


def test_the_panel_and_the_keys_drum_no_better(tmp_path):
    people = rolling(tmp_path, "shark", SEA)
    for _ in range(3):
        people.vm.panel("ok", True)
        people.vm.panel("ok", False)
        people.wait(DRUM_S, step=DRUM_S)
    assert (people.screen.name, people.screen.phase) == ("Bo", "Move")


def test_who_has_looked_is_heard(tmp_path):
    people = on_with(tmp_path, move_scene())
    people.settle()
    people.vm.press("done")
    people.wait(SETTLES_S + 0.01)
    people.vm.press("undo")
    assert people.screen.phase == "Move"


def test_who_drums_on_is_heard_in_the_end(tmp_path):
    people = on_with(tmp_path, move_scene())
    people.settle()
    drum(people, times=7)  # for a second
    assert people.screen.phase != "Move"
    people = on_with(tmp_path / "again", move_scene())
    people.settle()
    people.vm.press("done")
    for _ in range(6):
        people.wait(DRUM_S, step=DRUM_S)
        people.vm.press("undo")
    assert people.screen.phase == "Move"


def test_a_second_tap_does_not_answer_the_question_that_the_first_has_brought(tmp_path):
    people = on_with(tmp_path, move_scene())
    people.touch(at("E9"))
    people.settle()
    before = people.session.position
    first = people.screen.prompt[-1].id
    people.vm.press(first)
    asked = people.screen.prompt
    for button in asked:
        if button.id != first:
            people.vm.press(button.id)
    assert people.session.position == before


def test_a_second_tap_does_not_put_a_second_message_away_unread(tmp_path):
    people = on_with(tmp_path, move_scene())
    people.vm.ask(Notice("One", "First."))
    people.vm.point()
    people.settle()
    people.vm.press("close")
    people.vm.ask(Notice("Two", "Second."))
    people.vm.point()
    people.vm.press("close")
    assert isinstance(people.state.dialog, Dialog)
    assert people.state.dialog.title == "Two"
    people.press("close")
    assert people.state.dialog is None


def test_all_may_agree_one_right_after_the_other(tmp_path):
    people = rolling(tmp_path, "shark", SEA)
    people.press("undo")
    for player in (0, 1, 2):
        people.vm.press(f"agree:{player}")
    assert people.screen.phase == "Roll"


def test_the_wizard_is_gone_through_as_fast_as_people_can(tmp_path):
    people = at_table(tmp_path, 1, table_of(2))
    people.press("new_game")
    first = people.screen.step
    people.vm.press("next")
    people.vm.press("next")
    assert people.screen.step == first + 2


def test_undo_goes_back_as_fast_as_people_can(tmp_path):
    people = on_with(tmp_path, move_scene())
    people.press("done")
    people.touch(at("E8"))
    people.settle()
    for _ in range(2):
        people.vm.press("undo")
    assert people.screen.phase == "Move"


def test_a_screen_that_is_covered_for_a_moment_is_not_new(tmp_path):
    people = on_with(
        tmp_path, position({**SEA, "F8": {"tile": "beach"}}, players=3, phase="move", hands=(("dolphin",), (), ()))
    )
    people.settle()
    people.vm.panel("player1", True)
    people.wait(0.1, step=0.05)
    assert isinstance(people.screen, SecretScreen)
    people.vm.panel("player1", False)
    people.vm.press("done")
    assert people.screen.phase != "Move"


def test_a_cursor_whose_press_does_not_count_stays(tmp_path):
    people = rolling(tmp_path, "whale", {**SEA, "J9": {"serpents": 1}})
    assert people.screen.primary.id == "on"
    people.vm.panel("away", True)
    while people.screen.primary.id == "on":
        people.wait(0.05, step=0.05)
    people.vm._edge._point(Cursor(id=people.screen.primary.id))
    people.vm.panel("ok", True)
    people.vm.panel("ok", False)
    assert people.state.cursor == Cursor(id=people.screen.primary.id)
    people.wait(SETTLES_S + 0.1, step=0.05)
    people.vm.panel("ok", True)
    people.vm.panel("ok", False)
    assert people.screen.phase != "Move"


def test_values_that_are_there_again_are_not_taken_over_by_a_second_tap(tmp_path):
    people = on_with(tmp_path, position({}, players=2, phase="scoring", safe={"nw": {"red": 1}, "se": {"blue": 1}}))
    people.press("key:3", "score", "key:2")
    people.press("undo")
    assert isinstance(people.screen, ScoreScreen)
    people.vm.press("score")
    people.vm.press("score")
    assert isinstance(people.screen, ScoreScreen)
    assert people.screen.colour == "blue"


def test_the_keys_of_one_screen_may_be_pressed_as_fast_as_people_can(tmp_path):
    people = at_table(tmp_path, 1, table_of(2))
    people.press("new_game", "next")
    before = people.screen.players[0].colours
    for _ in range(4):
        people.vm.press("colour:0")
    assert people.screen.players[0].colours == before, "four colours, once round"
    people.vm.press("colour:0")
    assert people.screen.players[0].colours != before


def test_the_first_screen_of_all_is_no_exception(tmp_path):
    with Journal(tmp_path / "games.sqlite") as journal:
        begin(journal, move_scene(), Dealer(1)).close()
        people = People(AppViewModel(journal, deal=lambda: Dealer(1)))
        people.wait(0.1, step=0.05)
        people.vm.press("continue")
        people.wait(DRUM_S, step=0.05)
        people.vm.press(people.screen.primary.id)
        assert people.screen.phase == "Move"


def tap(people: People, button: str, for_s: float = 0.1) -> None:
    """A button at the table's edge goes down and comes up."""
    people.vm.panel(button, True)
    people.wait(for_s, step=0.05)
    people.vm.panel(button, False)


def test_a_second_ok_after_a_choice_of_the_cursor_does_not_press_the_main_button(tmp_path):
    people = on_with(tmp_path, position({"E8": {"tile": "beach"}, "K7": {"explorers": {"red": 1}}}, phase="sink"))
    people.settle()
    tap(people, "roll")
    assert people.state.cursor.hex == at("E8")
    tap(people, "ok")
    people.wait(0.1, step=0.05)
    tap(people, "ok")
    assert people.screen.primary.id == "sink", "it is chosen, and not sunk"
    people.wait(SETTLES_S, step=0.05)
    tap(people, "ok")
    assert isinstance(people.screen, SecretScreen)


def test_ok_is_for_what_was_there_when_it_went_down(tmp_path):
    people = rolling(tmp_path, "whale", {**SEA, "J9": {"serpents": 1}})
    assert people.screen.primary.id == "on"
    people.vm.panel("ok", True)
    people.wait(3.0, step=0.05)
    assert (people.screen.name, people.screen.phase) == ("Bo", "Move"), "it has gone on by itself"
    people.vm.panel("ok", False)
    assert (people.screen.name, people.screen.phase) == ("Bo", "Move")


def test_an_answer_for_one_player_is_not_one_for_the_next(tmp_path):
    crowd = {"F8": {"tile": "beach", "explorers": {"red": 2, "blue": 2}}, "H5": {"tile": "forest"}}
    people = on_with(tmp_path, position(crowd, phase="sink", backs={"beach": {"boat": 1}}))
    people.touch(at("F8"))
    people.press("sink")
    people.look()
    people.settle()
    asked = people.screen.sentence
    people.vm.press("board:blue")
    assert people.screen.sentence != asked
    people.wait(0.1, step=0.05)
    before = people.screen
    people.vm.press("board:blue")
    assert people.screen == before


def test_an_own_button_that_is_down_as_the_question_comes_is_no_consent(tmp_path):
    people = rolling(tmp_path, "shark", SEA)
    people.vm.press("undo")
    people.vm.panel("player2", True)
    assert all(mark.icon != "check" for mark in people.state.dialog.marks)
    people.vm.panel("player2", False)
    people.settle()
    tap(people, "player2")
    assert [mark.icon for mark in people.state.dialog.marks] == [None, "check", None]


def test_a_question_whose_words_count_down_stays_the_same_question(tmp_path):
    class CountingDown(Notice):
        def state(self) -> Dialog:
            return msgspec.structs.replace(super().state(), text=f"{self.left} s")

        left = 9

    people = on_with(tmp_path, move_scene())
    asked = CountingDown("Is that right?", "")
    people.vm.ask(asked)
    people.vm.point()
    people.settle()
    asked.left = 8
    people.vm.point()
    people.vm.press("close")
    assert people.state.dialog is None


def test_a_button_that_says_what_it_has_chosen_is_heard_as_fast_as_people_can(tmp_path):
    people = at_table(tmp_path, 1, table_of(4))
    people.press("new_game", "next")
    said = [people.screen.secondary.text]
    for _ in range(4):
        people.vm.press("begins")
        people.wait(0.05, step=0.05)
        said.append(people.screen.secondary.text)
    assert len(set(said)) == 4
    assert said[0] == said[4], "once round"


def test_who_wavers_behind_the_curtain_is_heard_each_time(tmp_path):
    people = struck(tmp_path, ((), ("shark_defence",), ()))
    people.press("look")
    people.hold()
    for answer in ("play", "let", "play"):
        people.wait(0.2, step=0.05)
        people.vm.press(answer)
    assert [b.id for b in people.screen.card.answers if b.kind == "primary"] == ["play"]


def test_a_button_is_there_when_it_can_be_seen_and_not_while_a_slow_disk_still_writes(tmp_path):
    people = on_with(tmp_path, move_scene())
    people.settle()
    people.vm.press("done")  # half a second passes until the next tick
    people.wait(0.5, step=0.5)
    people.vm.press(people.screen.primary.id)
    assert people.screen.phase == "Sink a tile"


def test_undo_in_the_line_at_the_foot_is_seen_before_it_is_pressed(tmp_path):
    people = on_with(tmp_path, move_scene(), table=StagedTable())
    people.settle()
    people.vm.table.session.do(
        MoveExplorer(colour="red", origin=Place(hex=at("E8"), on="tile"), target=Place(hex=at("E7"), on="tile")),
        "camera",
    )
    people.wait(0.1, step=0.05)
    assert people.state.toast.undo is not None
    people.vm.press(people.state.toast.undo.id)
    assert len(people.session.record) == 1
    people.settle()
    people.vm.press(people.state.toast.undo.id)
    assert not people.session.record
