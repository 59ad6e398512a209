"""12. Settings under the finger: the knob, the list, the veil, the screen that a touch wakes, the way up."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from screen_samples import samples
from test_app import alone

from companion.ui.box import Box
from companion.ui.drawing import surfaces
from companion.ui.parts import Press
from companion.ui.screens.choices import rows
from companion.ui.screens.kit import Page
from companion.ui.text import Typesetter
from companion.viewmodel import states as s

SAMPLES = samples()


def knob(root: Any, row: int = 0) -> Box:
    """Where the slider of a row lies."""
    box: Box = root.screen.widgets["rows"].stage.widgets[f"row:{row}:slider"].part.box
    return box


def place(box: Box, part: float) -> tuple[float, float]:
    return box.x + surfaces.KNOB / 2 + (box.w - surfaces.KNOB) * part, box.y + box.h / 2


def test_the_knob_follows_the_finger_in_steps_and_is_kept_when_it_is_let_go(show: Any) -> None:
    root, view_model, hand = show(SAMPLES["12c_settings_screen"])
    box = knob(root)
    hand.down(*place(box, 1.0))
    hand.move(*place(box, 0.47))
    hand.move(*place(box, 0.472))
    hand.move(box.x - 200, box.y + 90)
    hand.up(box.x - 200, box.y + 90)
    brightness = ("slide", "brightness")
    assert view_model.calls == [
        (*brightness, 100, False),
        (*brightness, 55, False),
        (*brightness, 15, False),
        (*brightness, 15, True),
    ]


def test_the_knob_stays_with_the_finger_while_the_state_says_the_same(show: Any) -> None:
    root, view_model, hand = show(SAMPLES["12c_settings_screen"])
    screen = SAMPLES["12c_settings_screen"].screen

    def answer(call: tuple[Any, ...]) -> s.AppState | None:
        row = msgspec.structs.replace(screen.rows[0], value=call[2], figure=f"{call[2]} %")
        return s.AppState(screen=msgspec.structs.replace(screen, rows=(row, *screen.rows[1:])))

    view_model.on_call = answer
    box = knob(root)
    hand.down(*place(box, 0.2))
    hand.move(*place(box, 0.8))
    hand.up(*place(box, 0.8))
    widget = root.screen.widgets["rows"].stage.widgets["row:0:slider"]
    assert widget.part.value == widget._value == 85


def test_a_finger_on_the_knob_does_not_scroll_the_list(show: Any) -> None:
    state = SAMPLES["12c_settings_screen"]
    screen = msgspec.structs.replace(state.screen, rows=state.screen.rows * 3)
    root, view_model, hand = show(s.AppState(screen=screen))
    box = knob(root)
    hand.down(*place(box, 1.0))
    hand.move(place(box, 0.0)[0], box.y - 60)
    hand.up(place(box, 0.0)[0], box.y - 60)
    assert root.screen.widgets["rows"].scrolled == 0
    assert view_model.calls[-1] == ("slide", "brightness", 15, True)
    hand.down(300, 400)
    hand.move(300, 300)
    hand.up(300, 300)
    assert root.screen.widgets["rows"].scrolled == 100


def test_a_greyed_slider_does_not_move(show: Any) -> None:
    root, view_model, hand = show(SAMPLES["12k_settings_no_sound"])
    hand.tap(*place(knob(root, 1), 0.1))
    assert view_model.calls == []


def test_a_finger_that_is_lost_leaves_what_is_seen(show: Any) -> None:
    root, view_model, hand = show(SAMPLES["12c_settings_screen"])
    hand.down(*place(knob(root), 1.0))
    view_model.publish(SAMPLES["12i_settings_shut_down"])
    assert view_model.calls[-1] == ("slide", "brightness", 100, True)


@pytest.mark.parametrize(("words", "stacked"), [(("Short", "Usual"), False), (("Українська", "Svenska"), True)])
def test_choices_of_more_than_nine_letters_become_a_list(words: tuple[str, ...], stacked: bool) -> None:
    page = Page(800, 480, Typesetter(1.0))
    row = s.SegmentRow(title="T", line="", segments=tuple(s.Button(id=w, text=w) for w in words), chosen=words[0])
    column = Box(258, 77, 518, 403)
    [scroll] = rows(page, (row,), None, Box(238, 77, 562, 403), column)
    tops = [part.box.y for part in scroll.parts if isinstance(part, Press)]  # type: ignore[union-attr]
    assert (len(set(tops)) == len(words)) is stacked


def test_the_veil_lies_over_everything(show: Any) -> None:
    root, view_model, _ = show(SAMPLES["12c_settings_screen"])
    assert root._darkness.a == 0.0
    view_model.publish(SAMPLES["12l_settings_darkened"])
    assert root._darkness.a == SAMPLES["12l_settings_darkened"].display.veil > 0
    root._resize((1280, 720))
    assert root._veil.size == (1280, 720)
    assert root._darkness.a > 0


def test_a_finger_that_wakes_the_screen_does_nothing_else(show: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    _, view_model, hand = show(SAMPLES["12c_settings_screen"])
    awake = [False, True, True]
    monkeypatch.setattr(view_model, "stir", lambda: awake.pop(0), raising=False)
    hand.tap(100, 110)
    assert view_model.calls == []
    hand.tap(100, 110)
    assert view_model.calls == [("press", "group:language")]


def test_with_less_movement_nothing_moves_and_the_die_fades_in(show: Any, passes: Any) -> None:
    from screen_samples import samples

    state = samples()["06_roll_shark"]
    still = s.Display(less_movement=True)
    root, view_model, _ = show(msgspec.structs.replace(state, display=still))
    die = root.screen.widgets["die"]
    again = msgspec.structs.replace(
        state.screen, die=msgspec.structs.replace(state.screen.die, serial=state.screen.die.serial + 1)
    )
    view_model.publish(s.AppState(screen=again, display=still))
    assert die._event is None, "it does not tumble"
    inks = [ink for ink in die.canvas.children[0].children if hasattr(ink, "a")]
    assert [ink.a for ink in inks] == [0.0]
    passes(0.2)
    assert [ink.a for ink in inks] == [1.0]


def test_marks_get_their_letters_at_once_and_lose_them_again(show: Any) -> None:
    state = SAMPLES["02a_players"]
    root, view_model, _ = show(state)

    def face() -> str:
        return "".join(picture.svg for picture in root.screen.widgets["seats"].part.faces)

    plain = face()
    lettered = s.Display(mark_letters={"red": "Rö", "blue": "Bl", "yellow": "Gu", "green": "Gr"})
    view_model.publish(msgspec.structs.replace(state, display=lettered))
    assert all(letter in face() for letter in lettered.mark_letters.values())
    view_model.publish(state)
    assert face() == plain


@pytest.mark.parametrize(("tumble_s", "still_at"), [(0.35, 0.4), (1.4, 1.5)])
def test_the_die_tumbles_as_long_as_people_like(show: Any, passes: Any, tumble_s: float, still_at: float) -> None:
    from screen_samples import samples

    state = samples()["06_roll_shark"]
    display = s.Display(tumble_s=tumble_s)
    root, view_model, _ = show(msgspec.structs.replace(state, display=display))
    again = msgspec.structs.replace(
        state.screen, die=msgspec.structs.replace(state.screen.die, serial=state.screen.die.serial + 1)
    )
    view_model.publish(s.AppState(screen=again, display=display))
    die = root.screen.widgets["die"]
    passes(tumble_s * 0.8)
    assert die._event is not None
    passes(still_at - tumble_s * 0.8)
    assert die._event is None


def test_a_line_at_the_foot_stays_as_long_as_it_says(show: Any, passes: Any) -> None:
    toast = s.Toast(text="Taken back.", serial=5, stays_s=10)
    root, _, _ = show(msgspec.structs.replace(SAMPLES["12c_settings_screen"], toast=toast))
    passes(9.5)
    assert root.toast.widgets
    passes(1.0)
    assert not root.toast.widgets


TURN = """
import sys
sys.path.insert(0, sys.argv[1])
import msgspec
from screen_samples import samples
from companion.ui import app
from companion.ui.snapshot import StillLife
from companion.viewmodel.states import Display

class Turning(StillLife):
    listeners = []
    ticks = 0
    def subscribe(self, listener):
        self.listeners.append(listener)
        return lambda: self.listeners.remove(listener)
    def tick(self, now):
        from kivy.core.window import Window
        from kivy.app import App
        self.ticks += 1
        turns = {2: 180, 4: 90, 6: 0}
        if self.ticks in turns:
            state = msgspec.structs.replace(self.state, display=Display(rotation=turns[self.ticks]))
            for listener in tuple(self.listeners):
                listener(state)
            matrix = Window.render_context["modelview_mat"]
            print(Window.rotation, list(Window.size), *(round(x) for x in matrix.transform_point(10, 20, 0)))
        if self.ticks == 8:
            print(list(App.get_running_app().root.size))
            app.close()

view_model = Turning(samples()["12c_settings_screen"])
app.run(view_model)
print(len(view_model.listeners))
"""


def test_the_window_turns_while_it_is_open_half_turns_too(tmp_path: Path) -> None:
    done = alone(TURN, str(Path(__file__).parent), HOME=str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "180 [800, 480] 790 460 0",  # where a point 10 px right and 20 up of the corner lies now
        "90 [480, 800] 780 10 0",
        "0 [800, 480] 10 20 0",
        "[800, 480]",
        "0",
    ]
