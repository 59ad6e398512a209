"""Whatever a finger can do on a screen, the buttons at the table's edge and the keys can: on every screen there is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from screen_samples import samples
from ui_fakes import RecordingViewModel

from companion.ui.parts import BoardPart, Entry, HoldCorner, Live, Part, Press, Seats, Slider
from companion.ui.widgets.stage import Stage
from companion.viewmodel import cursor
from companion.viewmodel.edge import PLAYER_BUTTONS, EdgeButtons
from companion.viewmodel.states import AppState, Cursor

SAMPLES = samples()
PANEL = ("roll", "undo", "ok")


class Frame(RecordingViewModel):
    """What the edge's buttons say to the view model; the cursor is in its state."""

    def __init__(self, state: AppState) -> None:
        super().__init__(state)
        self.edge = EdgeButtons(self)

    def player_of(self, button: str) -> int | None:
        return list(PLAYER_BUTTONS).index(button)

    def point(self) -> None:
        state = msgspec.structs.replace(self.state, cursor=None)
        self.state = msgspec.structs.replace(state, cursor=self.edge.kept(state))

    def ask_to_shut_down(self) -> None:
        raise AssertionError("nobody asked")

    def tap(self, *buttons: str) -> None:
        for button in buttons:
            self.edge.button(button, True)
            self.edge.button(button, False)

    def go_to(self, thing: Cursor) -> None:
        """By the panel's Roll alone, from nothing."""
        self.edge.clear()
        self.point()
        for _ in range(400):
            self.edge._go_on(1)
            if self.edge.at == thing:
                self.calls.clear()
                return
        raise AssertionError(f"the cursor does not come to {thing}")


def parts_of(stage: Stage) -> Iterator[Part]:
    return (widget.part for widget in stage.every())


def touchable(root: Any) -> Iterator[Cursor]:
    """Everything that answers a finger now, as the cursor would name it; own corners are own buttons."""
    front = root.dialog if root.dialog.widgets else root.screen
    for part in (*parts_of(root.toast), *parts_of(front)):
        match part:
            case Press(enabled=True):
                yield Cursor(id=part.id)
            case Slider(enabled=True):
                yield Cursor(id=part.id)
            case Entry():
                yield Cursor(id=part.field)
            case Live():
                yield from (Cursor(id=handle.id) for handle in part.handles)
            case Seats():
                yield from (Cursor(id=f"swap_seats:{i}:{i + 1}") for i in range(len(part.places) - 1))
            case BoardPart(live=True):
                yield from (Cursor(hex=view.hex) for view in part.view.hexes if view.touchable)
                yield from (Cursor(land=land) for land in part.view.legal_lands)


@pytest.mark.parametrize("name", SAMPLES)
def test_whatever_can_be_touched_can_be_chosen_without_touching(show: Any, name: str) -> None:
    state = msgspec.structs.replace(SAMPLES[name], cursor=None)
    root, _, _ = show(state)
    assert set(touchable(root)) <= set(cursor.things(state))


@pytest.mark.parametrize("name", SAMPLES)
def test_and_what_is_chosen_is_done(show: Any, name: str) -> None:
    state = msgspec.structs.replace(SAMPLES[name], cursor=None)
    root, _, _ = show(state)
    frame = Frame(state)
    for thing in touchable(root):
        frame.go_to(thing)
        grip = cursor.grip_of(state, thing)
        frame.tap("ok")
        match grip:
            case cursor.Knob():
                frame.tap("roll" if grip.value < grip.most else "undo")
                assert [call[0] for call in frame.calls] == ["slide", "slide"]
                assert frame.calls[0][2] != grip.value
                assert frame.calls[-1][-1] is True, "it is kept when the button comes up"
            case cursor.Corner():
                frame.tap("roll", "undo", "ok", "roll", "undo", "ok", "roll")
                ways = [
                    (round((x - grip.x) / grip.step), round((y - grip.y) / grip.step)) for _, _, x, y in frame.calls
                ]
                assert ways == [(1, 0), (-1, 0), (0, 1), (0, -1)], "and then Roll goes on to the next"
            case cursor.Name():
                assert frame.state.cursor == Cursor(id=thing.id, held=True)
            case None if thing.hex is not None:
                assert frame.calls == [("touch_hex", thing.hex)]
            case None if thing.land is not None:
                assert frame.calls == [("touch_land", thing.land)]
            case None:
                assert frame.calls == [("press", thing.id)]


@pytest.mark.parametrize("name", [name for name, state in SAMPLES.items() if not state.dialog])
def test_an_own_corner_is_an_own_button(show: Any, name: str) -> None:
    root, _, _ = show(SAMPLES[name])
    for part in parts_of(root.screen):
        if isinstance(part, HoldCorner):
            frame = Frame(SAMPLES[name])
            own = list(PLAYER_BUTTONS)[part.player]
            frame.tap(own)
            assert frame.calls == [("hold", part.player), ("let_go", part.player)]


def test_a_slider_goes_with_the_arrows_without_being_held() -> None:
    name = next(n for n, s in SAMPLES.items() if any(isinstance(g, cursor.Knob) for g in cursor._grips(s.screen)))
    frame = Frame(SAMPLES[name])
    knob = next(g for g in cursor._grips(frame.state.screen) if isinstance(g, cursor.Knob))
    frame.go_to(Cursor(id=knob.id))
    frame.tap("left")
    assert frame.calls[-1] == ("slide", knob.id, max(knob.least, knob.value - knob.step), True)
    assert frame.state.cursor == Cursor(id=knob.id)


def test_a_name_is_written_in_when_ok_takes_hold_of_it_and_no_longer_when_the_cursor_goes_on(show: Any) -> None:
    state = SAMPLES["02a_players"]
    root, view_model, _ = show(state)
    view_model.publish(msgspec.structs.replace(state, cursor=Cursor(id="name:0")))
    assert not root.keys.widgets
    view_model.publish(msgspec.structs.replace(state, cursor=Cursor(id="name:0", held=True)))
    assert root.keys.widgets
    view_model.publish(msgspec.structs.replace(state, cursor=None))
    assert root.keys.widgets, "a letter takes the cursor away, not the keyboard"
    view_model.publish(msgspec.structs.replace(state, cursor=Cursor(id="next")))
    assert not root.keys.widgets
