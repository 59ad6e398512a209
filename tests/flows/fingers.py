"""Fingers on the glass: every call that people would make of the view model becomes touches at real places.

The touches go through Kivy's event loop and the window, as a touchscreen's do.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.rules.geometry import Hex
from companion.rules.layout import Land
from companion.ui.snapshot import offscreen
from companion.viewmodel.app import AppViewModel
from companion.viewmodel.states import AppState

offscreen()

from kivy.base import EventLoop  # noqa: E402 - Kivy's environment must be set before
from kivy.core.window import Window  # noqa: E402
from kivy.input.motionevent import MotionEvent  # noqa: E402

from companion.ui.parts import BoardPart, HoldCorner, Press, Scroll, Slider  # noqa: E402
from companion.ui.root import CompanionRoot  # noqa: E402
from companion.ui.widgets.scene import PartWidget  # noqa: E402
from companion.ui.widgets.stage import Stage  # noqa: E402

HOLDING, TAPPING = 1, 2


class _Touch(MotionEvent):
    def __init__(self, finger: int, x: float, y: float) -> None:
        super().__init__("test", finger, {"x": x, "y": y}, is_touch=True, type_id="touch")

    def depack(self, args: dict[str, float]) -> None:
        self.profile = ["pos"]
        self.sx, self.sy = args["x"], args["y"]
        super().depack(args)


class Fingers:
    """Looks to a test like the view model itself; `touches` counts fingers put down."""

    def __init__(self, view_model: AppViewModel) -> None:
        self._view_model = view_model
        self._held: dict[int, _Touch] = {}
        self.touches = 0
        self.root = CompanionRoot(view_model, Window.size)
        Window.add_widget(self.root)

    def close(self) -> None:
        Window.remove_widget(self.root)
        self.root.close()

    @property
    def state(self) -> AppState:
        return self._view_model.state

    @property
    def settled(self) -> bool:
        return self._view_model.settled

    @property
    def _presenter(self) -> Any:
        return self._view_model._presenter

    def tick(self, now: float) -> None:
        self._view_model.tick(now)

    def _await_toast(self, x: float, y: float) -> None:
        """People wait until a line that lies over what they want to touch has gone."""
        line = self.root.toast.widgets.get("toast")
        if line is not None and line.part.solid.holds(x, y):
            self.root._show_toast(None, at_once=True)

    def press(self, button_id: str) -> None:
        self.root.opening.come()  # who holds waits until the card says something
        for stage in (self.root.toast, self.root.dialog, self.root.screen):
            for part, scrolled in _presses(stage):
                if part.id == button_id:
                    self._tap(stage, part.box.x + part.box.w / 2, part.box.y + part.box.h / 2 - scrolled)
                    return
        raise AssertionError(f"{button_id} is not on the screen, where {sorted(self.root.screen.widgets)} are")

    def touch_hex(self, h: Hex) -> None:
        self._tap(self.root.screen, *self._board().projection.centre(h))

    def touch_land(self, land: Land) -> None:
        self._tap(self.root.screen, *self._board().projection.anchor(land))

    def slide(self, along: float) -> None:
        """The one slider's knob, from its beginning to so much of the way."""
        box = next(w.part.box for w in self.root.screen.widgets.values() if isinstance(w.part, Slider))
        touch = self._down(TAPPING, self.root.screen, box.x, box.y + box.h / 2)
        width = self.root.scene.scale / (Window.width - 1)
        touch.move({"x": (box.x + 19 + (box.w - 38) * along) * width, "y": touch.sy})
        EventLoop.post_dispatch_input("update", touch)
        self._up(touch)

    def hold(self, player: int) -> None:
        corner = next(w.part for w in self.root.screen.widgets.values() if isinstance(w.part, HoldCorner))
        assert corner.player == player, "another player's corner is on the screen"
        x = 50 if corner.corner.endswith("w") else corner.width - 50
        y = 50 if corner.corner.startswith("n") else corner.height - 50
        self._held[player] = self._down(HOLDING, self.root.screen, x, y)

    def let_go(self, player: int) -> None:
        self._up(self._held.pop(player))

    def _board(self) -> BoardPart:
        return next(w.part for w in self.root.screen.widgets.values() if isinstance(w.part, BoardPart) and w.part.live)

    def _tap(self, stage: Stage, x: float, y: float) -> None:
        if stage is self.root.screen:
            self._await_toast(x, y)
        self._up(self._down(TAPPING, stage, x, y))

    def _down(self, finger: int, stage: Stage, x: float, y: float) -> _Touch:
        page = self.root.page
        if stage._turn.angle == 180:
            x, y = page.width - x, page.height - y
        assert 0 <= x < page.width, f"({x}, {y}) is off the screen"
        assert 0 <= y < page.height, f"({x}, {y}) is off the screen"
        scale = self.root.scene.scale
        # Kivy's own measure of a touch: from 0 to 1 of the window, whose last pixel is 1.
        touch = _Touch(finger, x * scale / (Window.width - 1), 1 - y * scale / (Window.height - 1))
        self.touches += 1
        EventLoop.post_dispatch_input("begin", touch)
        return touch

    def _up(self, touch: _Touch) -> None:
        touch.update_time_end()
        EventLoop.post_dispatch_input("end", touch)


def _presses(stage: Stage, scrolled: float = 0.0) -> Iterator[tuple[Press, float]]:
    """Everything on a stage that can be pressed, and how far its list is scrolled."""
    widgets: list[PartWidget] = list(stage.widgets.values())
    for widget in reversed(widgets):
        if isinstance(widget.part, Press):
            yield widget.part, scrolled
        elif isinstance(widget.part, Scroll):
            yield from _presses(widget.stage, widget.scrolled)
