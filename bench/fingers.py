"""Fingers for benchmarks: they touch the real screen of the running program where something can be chosen.

In: the root widget, a seed, the time. Out: Kivy's own touch events, each with the moment it was due, as from a
touchscreen. Nothing is asked of the view model but the state that it shows.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from kivy.core.window import Window
from kivy.input.motionevent import MotionEvent

from companion.ui.parts import HoldCorner
from companion.ui.root import CompanionRoot
from companion.ui.widgets.pointer import point_at
from companion.viewmodel import cursor
from companion.viewmodel.states import AppState, Cursor, HomeScreen, SecretScreen

_PACE_S = (0.5, 1.1)
"""Between two touches: people who know what they want."""

_TAP_S, _LOOK_S, _HOLD_S = 0.08, 0.6, 0.9

_ELSEWHERE = ("menu", "undo", "hand", "back", "rule:", "cell:", "help", "put_off", "not_now", "take_back", "toast:")
"""Buttons that lead away from the game, or back in it."""


class Touch(MotionEvent):  # type: ignore[misc]  # Kivy has no types
    """A finger."""

    def __init__(self, finger: int, x: float, y: float) -> None:
        super().__init__("bench", finger, {"x": x, "y": y}, is_touch=True, type_id="touch")

    def depack(self, args: dict[str, float]) -> None:
        """Where it is, from 0 to 1 of the window."""
        self.profile = ["pos"]
        self.sx, self.sy = args["x"], args["y"]
        super().depack(args)


class Event(NamedTuple):
    """A finger that comes down (`begin`) or up (`end`) at `due`; without one people only look."""

    due: float
    kind: str = ""
    touch: Touch | None = None


class Player:
    """Goes from home into a game and plays on at random. `update` is called by Kivy as an input provider's."""

    def __init__(self, root: CompanionRoot, seed: int, clock: Callable[[], float]) -> None:
        self.root = root
        self.clock = clock
        self.done: list[Event] = []
        self._random = random.Random(seed)
        self._fingers = 0
        self._plan = self._play()
        self._next = next(self._plan)

    def start(self) -> None:
        """Kivy's input providers begin."""

    def stop(self) -> None:
        """... and end."""

    def update(self, dispatch_fn: Callable[[str, Touch], None]) -> None:
        """Hand over what was due since the last frame."""
        if self._next.due <= self.clock():
            event, self._next = self._next, next(self._plan)
            if event.touch is not None:
                self.done.append(event)
                dispatch_fn(event.kind, event.touch)

    def _play(self) -> Iterator[Event]:
        """The next event, decided when the one before is over; its due time lies anywhere in a frame."""
        at = self.clock()
        while True:
            at = max(at, self.clock()) + self._random.uniform(*_PACE_S)
            place = self._where(self.root.view_model.state)
            if place is None:
                yield Event(at)
                continue
            x, y, stays = place
            touch = self._touch(x, y)
            yield Event(at, "begin", touch)
            if stays == _HOLD_S:
                yield Event(at + _LOOK_S)
                yield from self._answer(at + _LOOK_S)
            at += stays + self._random.uniform(0, 0.03)
            yield Event(at, "end", touch)

    def _answer(self, at: float) -> Iterator[Event]:
        """Behind the curtain: what the card asks for, with another finger."""
        screen = self.root.view_model.state.screen
        card = screen.card if isinstance(screen, SecretScreen) else None
        if card and card.answers:
            chosen = self._random.choice([b.id for b in card.answers if b.enabled])
            touch = self._touch(*self._place(Cursor(id=chosen)))
            yield Event(at + _TAP_S, "begin", touch)
            yield Event(at + 2 * _TAP_S, "end", touch)

    def _touch(self, x: float, y: float) -> Touch:
        self._fingers += 1
        scale = self.root.scene.scale
        return Touch(self._fingers, x * scale / (Window.width - 1), 1 - y * scale / (Window.height - 1))

    def _where(self, state: AppState) -> tuple[float, float, float] | None:
        """A place on the screen in u, and how long the finger stays there; None if there is nothing to be touched."""
        if isinstance(state.screen, SecretScreen) and not state.dialog:
            corner = next(w.part for w in self.root.screen.widgets.values() if isinstance(w.part, HoldCorner))
            x = 50 if corner.corner.endswith("w") else corner.width - 50
            y = 50 if corner.corner.startswith("n") else corner.height - 50
            return *self._turned(x, y), _HOLD_S
        chosen = self._choice(state)
        return None if chosen is None else (*self._place(chosen), _TAP_S)

    def _choice(self, state: AppState) -> Cursor | None:
        if state.dialog:
            return Cursor(id=state.dialog.safe.id)
        if isinstance(state.screen, HomeScreen):
            return Cursor(id="new_game")
        primary = cursor.primary(state.screen)
        things = [t for t in cursor.things(state) if not t.id.startswith(_ELSEWHERE)]
        if primary and (self._random.random() < 0.25 or not hasattr(state.screen, "board")):
            return Cursor(id=primary.id)
        return self._random.choice(things) if things else None

    def _place(self, thing: Cursor) -> tuple[float, float]:
        """Where that is now, in u of the window."""
        root = self.root
        front = root.dialog if root.dialog.widgets else root.screen
        ring: Any = point_at(thing, (root.toast, front))[0]
        box = ring.drawn[0].box
        return self._turned(box.x + box.w / 2, box.y + box.h / 2)

    def _turned(self, x: float, y: float) -> tuple[float, float]:
        page, turned = self.root.page, self.root.screen._turn.angle == 180
        return (page.width - x, page.height - y) if turned else (x, y)
