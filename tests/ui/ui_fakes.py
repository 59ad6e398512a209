"""A view model that records what is called, and a hand whose fingers touch a root at places in u."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.input.motionevent import MotionEvent

from companion.ui.root import CompanionRoot
from companion.viewmodel.states import AppState


class RecordingViewModel:
    """`calls` are tuples of the method's name and its arguments. `on_call` may answer one with another state."""

    def __init__(self, state: AppState) -> None:
        self.state = state
        self.calls: list[tuple[Any, ...]] = []
        self.on_call: Callable[[tuple[Any, ...]], AppState | None] = lambda _call: None
        self._listeners: list[Callable[[AppState], None]] = []

    def subscribe(self, listener: Callable[[AppState], None]) -> Callable[[], None]:
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def publish(self, state: AppState) -> None:
        self.state = state
        for listener in list(self._listeners):
            listener(state)

    def stir(self) -> bool:
        """Nobody lets this screen get dim."""
        return True

    def hears(self, _button_id: str) -> bool:
        """Nobody is in haste."""
        return True

    def __getattr__(self, name: str) -> Callable[..., None]:
        if name not in (
            *("press", "touch_hex", "touch_land", "touch_away"),
            *("hold", "let_go", "cover", "edit", "slide", "drag", "tick"),
        ):
            raise AttributeError(name)

        def record(*args: Any, **named: Any) -> None:
            call = (name, *args, *named.values())
            self.calls.append(call)
            answer = self.on_call(call)
            if answer is not None:
                self.publish(answer)

        return record


class _Touch(MotionEvent):
    def __init__(self, number: int, pos: tuple[float, float]) -> None:
        super().__init__("test", number, {}, is_touch=True, type_id="touch")
        self.profile = ["pos"]
        self.pos = pos

    def depack(self, args: Any) -> None:
        pass


class Hand:
    """Touches a root as Kivy's window would, at places in u from the top left."""

    def __init__(self, root: CompanionRoot) -> None:
        self.root = root
        self._touches: dict[int, _Touch] = {}

    def down(self, x: float, y: float, finger: int = 0) -> None:
        touch = self._touches[finger] = _Touch(finger, self._pixels(x, y))
        self.root.on_touch_down(touch)

    def move(self, x: float, y: float, finger: int = 0) -> None:
        self._send("on_touch_move", self._touches[finger], x, y)

    def up(self, x: float, y: float, finger: int = 0) -> None:
        self._send("on_touch_up", self._touches.pop(finger), x, y)

    def tap(self, x: float, y: float) -> None:
        self.down(x, y)
        self.up(x, y)

    def _send(self, event: str, touch: _Touch, x: float, y: float) -> None:
        """As Kivy does: through the tree to whom it may concern, then to whoever has grabbed the touch."""
        touch.pos = self._pixels(x, y)
        getattr(self.root, event)(touch)
        for grabber in [reference() for reference in touch.grab_list]:
            touch.grab_current = grabber
            getattr(grabber, event)(touch)
            touch.grab_current = None

    def _pixels(self, x: float, y: float) -> tuple[float, float]:
        scale = self.root.scene.scale
        return x * scale, self.root.height - y * scale
