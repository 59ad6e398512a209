"""A finger at a real place calls the view model as people expect."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from screen_samples import BOARD, board, lit, samples, turn

from companion.ui.drawing.chart import Projection
from companion.ui.parts import Press
from companion.ui.root import CompanionRoot
from companion.viewmodel import states as s

SAMPLES = samples()
BOARD_PLACE = Projection(492, 480, 246, 239, 22.6)


def middle(root: CompanionRoot, key: str) -> tuple[float, float]:
    part: Any = root.screen.widgets[key].part
    return part.box.x + part.box.w / 2, part.box.y + part.box.h / 2


def place(label: str) -> tuple[float, float]:
    return BOARD_PLACE.centre(BOARD.by_label[label])


ONE_OF_EACH_SCREEN = {type(state.screen): name for name, state in SAMPLES.items() if not state.dialog}.values()


@pytest.mark.parametrize("size", [(800, 480), (1280, 720), (800, 600), (480, 800), (720, 1280)])
@pytest.mark.parametrize("name", ONE_OF_EACH_SCREEN)
def test_every_enabled_button_of_a_screen_is_pressed_where_it_is_drawn(
    show: Any, name: str, size: tuple[int, int]
) -> None:
    root, view_model, hand = show(SAMPLES[name], size)
    turned = root.screen._turn.angle == 180
    for widget in root.screen.widgets.values():
        part = widget.part
        if isinstance(part, Press):
            x, y = part.box.x + part.box.w / 2, part.box.y + part.box.h / 2
            if turned:
                x, y = root.page.width - x, root.page.height - y
            view_model.calls.clear()
            hand.tap(x, y)
            assert view_model.calls == ([("press", part.id)] if part.enabled else []), part.key


def test_a_finger_that_comes_down_too_soon_presses_nothing_when_it_is_lifted_later(show: Any) -> None:
    root, view_model, hand = show(SAMPLES["04a_turn"])
    x, y = middle(root, "done")
    view_model.hears = lambda _button_id: False
    hand.down(x, y)
    view_model.hears = lambda _button_id: True
    hand.up(x, y)
    assert view_model.calls == []
    hand.tap(x, y)
    assert view_model.calls == [("press", "done")]


def test_a_second_tap_on_the_board_is_not_for_the_hex_beside(show: Any, passes: Any) -> None:
    _, view_model, hand = show(SAMPLES["04b_turn_explorer"])
    (x1, y1), (x2, y2) = place("E7"), place("F8")
    near = x1 + (x2 - x1) * 0.6, y1 + (y2 - y1) * 0.6
    for where in ((x1, y1), (x1, y1), near):
        hand.tap(*where)
    assert [call[1] for call in view_model.calls] == [BOARD.by_label["E7"]] * 2, "the same again may be meant"
    passes(0.5)
    hand.tap(*near)
    assert view_model.calls[-1] == ("touch_hex", BOARD.by_label["F8"])


def test_a_press_acts_on_release_and_not_when_the_finger_slid_off(show: Any) -> None:
    root, view_model, hand = show(SAMPLES["04a_turn"])
    x, y = middle(root, "done")
    hand.down(x, y)
    assert view_model.calls == []
    assert root.screen.widgets["done"].pressed
    hand.move(x, y - 100)
    assert not root.screen.widgets["done"].pressed
    hand.up(x, y - 100)
    assert view_model.calls == []
    hand.tap(x, y)
    assert view_model.calls == [("press", "done")]


def test_two_fingers_on_one_button_press_it_once(show: Any) -> None:
    root, view_model, hand = show(SAMPLES["04a_turn"])
    x, y = middle(root, "done")
    hand.down(x, y, finger=1)
    hand.down(x + 5, y, finger=2)
    hand.up(x + 5, y, finger=2)
    hand.up(x, y, finger=1)
    assert view_model.calls == [("press", "done")]


def test_a_phase_cell_answers_in_the_gap_around_it(show: Any) -> None:
    root, view_model, hand = show(SAMPLES["04a_turn"])
    box = root.screen.widgets["cell:rule:3.3"].part.box
    hand.tap(box.x + 5, box.y - 4)
    assert view_model.calls == [("press", "rule:3.3")]


def test_the_nearest_hex_that_can_be_chosen_wins_within_thirty_units(show: Any) -> None:
    _, view_model, hand = show(SAMPLES["04b_turn_explorer"])
    x, y = place("F9")
    hand.tap(x + 12, y + 8)
    hand.tap(x + 27, y + 6)
    assert view_model.calls == [("touch_hex", BOARD.by_label["F9"])] * 2


@pytest.mark.parametrize("size", [(800, 480), (1280, 720)])
def test_the_board_answers_at_the_right_too_and_is_under_a_toast_there(show: Any, size: tuple[int, int]) -> None:
    state = SAMPLES["04b_turn_explorer"]
    root, view_model, hand = show(state, size)
    right = msgspec.structs.replace(state, display=s.Display(board_right=True))
    view_model.publish(right)
    left = root.page.width - 492
    x, y = place("F9")
    hand.tap(left + x, y)
    assert view_model.calls == [("touch_hex", BOARD.by_label["F9"])]
    view_model.publish(msgspec.structs.replace(right, toast=SAMPLES["04e_turn_toast"].toast))
    assert root.toast.widgets["toast"].part.solid.x == left + 14
    assert root.screen.widgets["done"].part.box.right < left
    view_model.publish(state)
    hand.tap(x, y)
    assert view_model.calls[1:] == view_model.calls[:1]


def test_a_touch_far_from_all_that_can_be_chosen_lets_go_of_the_choice(show: Any) -> None:
    _, view_model, hand = show(SAMPLES["04b_turn_explorer"])
    hand.tap(*place("A5"))
    assert view_model.calls == [("touch_away",)]


def test_sliding_off_the_board_chooses_nothing(show: Any) -> None:
    _, view_model, hand = show(SAMPLES["04b_turn_explorer"])
    hand.down(*place("F9"))
    hand.move(600, 300)
    hand.up(600, 300)
    assert view_model.calls == []


def test_a_legal_safe_land_is_chosen_in_its_corner(show: Any) -> None:
    view = board(lit(chosen="B1"), legal_lands=("nw",), veiled=True)
    _, view_model, hand = show(s.AppState(screen=turn(view)))
    hand.tap(25, 25)
    hand.tap(470, 25)
    assert view_model.calls == [("touch_land", "nw"), ("touch_away",)]


def test_the_loupe_shows_what_would_be_chosen_while_the_finger_is_down(show: Any) -> None:
    root, _, hand = show(SAMPLES["04b_turn_explorer"])
    layer = root.screen.widgets["board"]._layers["loupe"]
    hand.down(*place("F9"))
    assert layer.length() > 0
    hand.up(*place("F9"))
    assert layer.length() == 0


def test_a_dialog_keeps_every_finger_from_the_screen_under_it(show: Any) -> None:
    root, view_model, hand = show(SAMPLES["04i_undo_dialog"])
    hand.tap(*middle(root, "leave"))
    hand.tap(*place("K1"))
    assert view_model.calls == []
    safe = root.dialog.widgets["close"].part.box
    consent = root.dialog.widgets["agree:2"].part.box
    hand.tap(consent.x + 20, consent.y + 20)
    hand.tap(safe.x + 20, safe.y + 20)
    assert view_model.calls == [("press", "agree:2"), ("press", "close")]


def test_a_mark_that_has_agreed_is_not_pressed_again(show: Any) -> None:
    root, view_model, hand = show(SAMPLES["04i_undo_dialog"])
    given = root.dialog.widgets["agree:0"].part.box
    hand.tap(given.x + 20, given.y + 20)
    assert view_model.calls == []


def test_a_finger_is_lost_when_a_dialog_opens_under_it(show: Any) -> None:
    root, view_model, hand = show(SAMPLES["04a_turn"])
    x, y = middle(root, "done")
    hand.down(x, y)
    view_model.publish(SAMPLES["04i_undo_dialog"])
    hand.up(x, y)
    assert view_model.calls == []


def test_a_toast_offers_undo_and_goes_after_four_seconds(show: Any, passes: Any) -> None:
    root, view_model, hand = show(SAMPLES["04e_turn_toast"])
    undo = root.toast.widgets["toast:undo"].part.box
    hand.tap(undo.x + 20, undo.y + 20)
    assert view_model.calls == [("press", "toast:undo")]
    passes(3.9)
    assert root.toast.widgets
    passes(0.4)
    assert not root.toast.widgets


def test_a_finger_on_a_toasts_words_does_not_reach_the_board_under_it(show: Any, passes: Any) -> None:
    choosing = msgspec.structs.replace(SAMPLES["04b_turn_explorer"], toast=SAMPLES["04e_turn_toast"].toast)
    root, view_model, hand = show(choosing)
    words = root.toast.widgets["toast"].part.solid
    hand.tap(words.x + 100, words.y + 30)
    assert view_model.calls == []
    passes(4.5)
    hand.tap(words.x + 100, words.y + 30)
    assert view_model.calls, "under it lies the board"


def test_the_touched_row_of_a_list_is_the_one_under_the_finger_after_scrolling(show: Any) -> None:
    root, view_model, hand = show(SAMPLES["10a_games"])
    hand.tap(300, 120)
    hand.down(300, 400)
    hand.move(300, 360)
    hand.move(300, 400 - 74 * 2)
    hand.up(300, 400 - 74 * 2)
    hand.tap(300, 120)
    rows = [row.id for row in SAMPLES["10a_games"].screen.rows]
    assert view_model.calls == [("press", rows[0]), ("press", rows[2])]
    assert root.screen.widgets["rows"].scrolled == 74 * 2


def test_a_rule_far_down_the_list_is_pressed_where_it_has_been_scrolled_to(show: Any) -> None:
    root, view_model, hand = show(SAMPLES["13_rules"])
    scroll = root.screen.widgets["rules"]
    row = scroll.stage.widgets["rule:7.1"].part.box
    while row.y - scroll.scrolled > 400:
        hand.down(300, 440)
        hand.move(300, 400)
        hand.move(300, 140)
        hand.up(300, 140)
    hand.tap(300, row.y - scroll.scrolled + 20)
    assert view_model.calls == [("press", "rule:7.1")]


def test_the_bar_beside_a_list_goes_from_end_to_end_with_it(show: Any) -> None:
    root, _, hand = show(SAMPLES["13_rules"])
    scroll = root.screen.widgets["rules"]
    bar = scroll.part.bar
    assert scroll.thumb.y == bar.y
    assert 40 <= scroll.thumb.h < bar.h / 2
    before = scroll.thumb.y
    for _ in range(20):
        hand.down(300, 440)
        hand.move(300, 400)
        hand.move(300, 140)
        hand.up(300, 140)
        assert before <= scroll.thumb.y
        before = scroll.thumb.y
    assert scroll.thumb.bottom == pytest.approx(bar.bottom)


def test_a_finger_on_the_bar_takes_the_list_from_end_to_end(show: Any) -> None:
    root, view_model, hand = show(SAMPLES["13_rules"])
    scroll = root.screen.widgets["rules"]
    bar, thumb = scroll.part.bar, scroll.thumb
    hand.down(bar.x + 4, thumb.y + 10)
    hand.move(bar.x - 30, (bar.y + bar.bottom) / 2)
    assert scroll.thumb.y == pytest.approx((bar.y + bar.bottom) / 2 - 10)
    hand.move(bar.x + 4, bar.bottom - 5)
    hand.up(bar.x + 4, bar.bottom - 5)
    assert scroll.thumb.bottom == pytest.approx(bar.bottom)
    assert view_model.calls == []


def test_a_card_over_the_list_leaves_it_where_it_has_been_scrolled_to(show: Any) -> None:
    root, view_model, hand = show(SAMPLES["13_rules"])
    hand.down(300, 440)
    hand.move(300, 400)
    hand.move(300, 140)
    hand.up(300, 140)
    view_model.publish(SAMPLES["13_rules_card"])
    view_model.publish(SAMPLES["13_rules"])
    assert root.screen.widgets["rules"].scrolled == 300


def test_a_switch_answers_across_its_whole_row(show: Any) -> None:
    _, view_model, hand = show(SAMPLES["02b_rules"])
    hand.tap(100, 120)
    hand.tap(728, 195)
    hand.tap(728, 270)  # greyed
    assert view_model.calls == [("press", "switch:overpopulation"), ("press", "switch:last_survivor")]


def test_dragging_a_mark_to_another_seat_swaps_the_two(show: Any) -> None:
    root, view_model, hand = show(SAMPLES["02a_players"])
    places = root.screen.widgets["seats"].part.places
    hand.down(places[0].x + 22, places[0].y + 22)
    hand.move(places[1].x + 30, places[1].y + 30)
    hand.up(places[1].x + 22, places[1].y + 22)
    hand.tap(places[2].x + 22, places[2].y + 22)
    assert view_model.calls == [("press", "swap_seats:0:1")]


def test_touching_a_step_that_is_done_goes_back_to_it(show: Any) -> None:
    root, view_model, hand = show(SAMPLES["02c_tiles"])
    for number in range(3):
        hand.tap(*middle(root, f"step:{number}"))
    assert view_model.calls == [("press", f"step:{number}") for number in range(3)]
    assert "step:3" not in root.screen.widgets


def test_writing_in_a_players_field_edits_the_name(show: Any) -> None:
    root, view_model, hand = show(SAMPLES["02a_players"])
    entry = root.screen.widgets["players"].stage.widgets["name:1"]
    hand.tap(entry.part.box.x + 50, entry.part.box.y + 20)
    assert entry.input.focus
    entry.input.insert_text("b")
    assert view_model.calls == [("edit", "name:1", "Bob")]
    entry.input.focus = False


def test_a_name_is_written_with_the_keyboard_on_the_screen(show: Any) -> None:
    root, view_model, hand = show(SAMPLES["02a_players"])
    entry = root.screen.widgets["players"].stage.widgets["name:1"]

    def key(name: str) -> None:
        box = root.keys.widgets[name].part.box
        hand.tap(box.x + box.w / 2, box.y + box.h / 2)

    hand.tap(entry.part.box.x + 50, entry.part.box.y + 20)
    for name in ("erase", "erase", "letter:E", "letter:v", "letter:å", "script", "letter:ї", "done"):
        key(name)
    assert [call[2] for call in view_model.calls] == ["B", "", "E", "Ev", "Evå", "Evåї"]
    assert not root.keys.widgets
    assert not entry.input.focus


def test_touching_above_the_keyboard_ends_the_writing_and_is_a_touch(show: Any) -> None:
    root, view_model, hand = show(SAMPLES["02a_players"])
    entry = root.screen.widgets["players"].stage.widgets["name:0"]
    hand.tap(entry.part.box.x + 50, entry.part.box.y + 20)
    hand.tap(48, 112)
    assert view_model.calls == [("press", "colour:0")]
    assert not root.keys.widgets


def test_the_knob_of_a_slider_follows_the_finger_in_steps(show: Any) -> None:
    root, view_model, hand = show(SAMPLES["10b_replay"])
    steps = SAMPLES["10b_replay"].screen.steps
    box = root.screen.widgets["slider"].part.box
    hand.down(box.x + 19, box.y - 5)  # beside the line, within reach
    hand.move(box.x + 19 + (box.w - 38) / steps, box.y)
    hand.move(box.x + 19 + (box.w - 38) / steps + 0.2, box.y)
    hand.move(box.right + 40, box.y - 90)
    hand.up(box.right + 40, box.y - 90)
    moved = [("slide", "step", value, False) for value in (0, 1, steps)]
    assert view_model.calls == [*moved, ("slide", "step", steps, True)]


def test_another_screen_takes_the_keyboard_away(show: Any) -> None:
    root, view_model, hand = show(SAMPLES["02a_players"])
    entry = root.screen.widgets["players"].stage.widgets["name:0"]
    hand.tap(entry.part.box.x + 50, entry.part.box.y + 20)
    assert root.keys.widgets
    view_model.publish(SAMPLES["02b_rules"])
    assert not root.keys.widgets


def test_a_toast_comes_and_goes_and_one_that_goes_hears_no_finger(show: Any, passes: Any) -> None:
    quiet = msgspec.structs.replace(SAMPLES["04e_turn_toast"], toast=None)
    root, view_model, hand = show(quiet)
    view_model.publish(SAMPLES["04e_turn_toast"])
    assert root.toast.opacity < 0.5
    passes(0.2)
    assert root.toast.opacity == 1.0
    undo = root.toast.widgets["toast:undo"].part.box
    view_model.publish(quiet)
    passes(0.1)
    assert 0.0 < root.toast.opacity < 1.0
    hand.tap(undo.x + undo.w / 2, undo.y + undo.h / 2)
    assert ("press", "toast:undo") not in view_model.calls
    passes(0.2)
    assert not root.toast.widgets


def test_with_less_movement_a_toast_is_there_and_gone_at_once(show: Any) -> None:
    display = s.Display(less_movement=True)
    toast = msgspec.structs.replace(SAMPLES["04e_turn_toast"], display=display)
    quiet = msgspec.structs.replace(toast, toast=None)
    root, view_model, _ = show(quiet)
    view_model.publish(toast)
    assert root.toast.opacity == 1.0
    view_model.publish(quiet)
    assert not root.toast.widgets
