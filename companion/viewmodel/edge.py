"""The buttons at the table's edge, and the keys that stand for them: everything can be done with them alone.

In: buttons that go down and come up, the clock. Out: what a finger would have done, said to the frame. Own buttons
hold; OK presses the primary button, Undo takes back, Roll rolls. Where there is nothing to roll, Roll puts a cursor on
what can be chosen: then Roll goes on, Undo goes back, OK accepts, and the cursor is gone. What is moved and not pressed
(a slider, a corner on the picture) OK takes hold of: Roll and Undo move it, across first and with the next OK up and
down, until OK lets go. Undo and OK act when they come up, for held together they ask whether to shut down.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol, cast, get_args

import msgspec

from companion.rules.geometry import Hex
from companion.rules.layout import COLOURS, Land
from companion.viewmodel import cursor
from companion.viewmodel.buttons import pressable
from companion.viewmodel.cursor import ARROWS, Corner, Direction, Knob
from companion.viewmodel.haste import SETTLES_S
from companion.viewmodel.states import AppState, Cursor

PLAYER_BUTTONS = {f"player{i}": colour for i, colour in enumerate(COLOURS, start=1)}
"""The four buttons at the table's edge have the players' colours, in their order."""

CURSOR_S = 12.0
"""So long a cursor stays that nobody moves."""

REPEAT_AFTER_S, REPEAT_EVERY_S = 0.5, 0.12
"""Held, Roll and Undo step on by themselves."""

LONG_S = 2.0
"""So long the power button, or Undo and OK together, are held for the question whether to shut down."""

CHORD = frozenset({"undo", "ok"})


class Frame(Protocol):
    """What fingers say to the view model, and what it says of itself."""

    @property
    def state(self) -> AppState:
        """What is shown."""

    def hears(self, button_id: str) -> bool:
        """Whether a press of that button counts now."""

    def press(self, button_id: str) -> None:
        """A button."""

    def touch_hex(self, h: Hex) -> None:
        """A hex."""

    def touch_land(self, land: Land) -> None:
        """A safe land."""

    def hold(self, player: int) -> None:
        """An own button goes down."""

    def let_go(self, player: int) -> None:
        """... and comes up."""

    def player_of(self, button: str) -> int | None:
        """Whose own button that is."""

    def slide(self, field: str, value: int, *, done: bool) -> None:
        """A slider's knob."""

    def drag(self, handle: str, x: float, y: float) -> None:
        """A corner on the picture."""

    def point(self) -> None:
        """The cursor has moved."""

    def ask_to_shut_down(self) -> None:
        """Ask it, once."""


Step = Literal[-1, 1]


class EdgeButtons:
    """`at` is where the cursor is; the frame takes it away by `clear` when anything is done."""

    def __init__(self, frame: Frame) -> None:
        self._frame = frame
        self.at: Cursor | None = None
        self._now = 0.0
        self._gone_at = 0.0
        self._down: dict[str, float] = {}  # what is held, and since when
        self._acts: set[str] = set()  # of these, what is to act when it comes up
        self._step: tuple[str, Callable[[], None], float] | None = None  # what is held to step on, how, and when next
        self._held = False  # OK has taken hold of what is pointed at
        self._along: Direction = "right"  # where Roll moves it
        self._slid: Knob | None = None  # what goes on moving while a button is down
        self._asked = False
        self._for: Cursor | None = None  # what OK was for when it went down
        self._accepted = -SETTLES_S  # when OK took the cursor away

    # The cursor

    def clear(self) -> None:
        """No cursor."""
        self.at = None
        self._held = False

    def kept(self, state: AppState) -> Cursor | None:
        """The cursor, if what it points at is still there to be chosen."""
        if self.at is not None and self.at not in cursor.things(state):
            self.clear()
        return msgspec.structs.replace(self.at, held=True) if self.at is not None and self._held else self.at

    def _point(self, at: Cursor | None, *, held: bool = False) -> None:
        self.at, self._held = at, held
        self._gone_at = self._now + CURSOR_S
        self._frame.point()

    def _go_on(self, by: Step) -> None:
        self._point(cursor.step(cursor.things(self._frame.state), self.at, by))

    def _accept(self, at: Cursor) -> None:
        grip = cursor.grip_of(self._frame.state, at)
        if grip is not None:
            both_ways = isinstance(grip, Corner) and self._held and self._along == "right"
            self._along = "down" if both_ways else "right"
            self._point(at, held=both_ways or not self._held)
            return
        if at.id and not self._frame.hears(at.id):
            return
        if self.at is not None:
            self._accepted = self._now
        self.clear()
        if at.hex is not None:
            self._frame.touch_hex(at.hex)
        elif at.land is not None:
            self._frame.touch_land(at.land)
        else:
            self._frame.press(at.id)

    # What is moved

    def _way(self, name: str) -> Direction | None:
        """Where a button moves what is pointed at; None where it means what it says."""
        grip = cursor.grip_of(self._frame.state, self.at)
        free = (
            ARROWS if isinstance(grip, Corner) and self._held else ("left", "right") if isinstance(grip, Knob) else ()
        )
        if name in free:
            return cast(Direction, name)
        if self._held and isinstance(grip, Knob | Corner) and name in ("roll", "undo"):
            back: Direction = "left" if self._along == "right" else "up"
            return self._along if name == "roll" else back
        return None

    def _move(self, way: Direction) -> None:
        """A step that way; the cursor stays on it."""
        at, held = self.at, self._held
        (dx, dy), grip = ARROWS[way], cursor.grip_of(self._frame.state, at)
        if isinstance(grip, Knob):
            value = min(grip.most, max(grip.least, grip.value + round(dx) * grip.step))
            self._slid = grip._replace(value=value)
            self._frame.slide(grip.id, value, done=False)
        elif isinstance(grip, Corner):
            self._frame.drag(grip.id, grip.x + dx * grip.step, grip.y + dy * grip.step)
        self._point(at, held=held)

    def _leave_slid(self) -> None:
        """The button that moved a knob has come up: there it stays."""
        if self._slid is None:
            return
        knob, self._slid = self._slid, None
        at, held = self.at, self._held
        self._frame.slide(knob.id, knob.value, done=True)
        self._point(at, held=held)

    # Buttons

    def button(self, name: str, pressed: bool) -> None:
        """A button went down or came up; names that are unknown do nothing."""
        if name in PLAYER_BUTTONS:
            player = self._frame.player_of(name)
            if player is not None:
                (self._frame.hold if pressed else self._frame.let_go)(player)
        elif pressed and name not in self._down:
            self._down[name] = self._now
            self._went_down(name)
        elif not pressed and name in self._down:
            del self._down[name]
            self._came_up(name)

    def _went_down(self, name: str) -> None:
        if way := self._way(name):
            self._start_stepping(name, lambda: self._move(way))
        elif name == "roll":
            self._roll()
        elif name == "undo" and self.at is not None:
            self._start_stepping(name, lambda: self._go_on(-1))
        elif name in CHORD:
            self._acts = set() if self._down.keys() >= CHORD else self._acts | {name}
            self._for = self._meant()
        elif name == "next":
            self._go_on(1)
        elif name == "away":
            self._point(None)
        elif name in get_args(Direction):
            things = cursor.things(self._frame.state)
            self._point(cursor.go(things, self.at, cast(Direction, name)))

    def _came_up(self, name: str) -> None:
        if self._step and self._step[0] == name:
            self._step = None
            self._leave_slid()
        self._asked = self._asked and bool(self._down)
        if name not in self._acts:
            return
        self._acts.discard(name)
        if name == "undo":
            self._frame.press("undo")
        elif self._for is not None and self._for == self._meant():
            self._accept(self._for)

    def _meant(self) -> Cursor | None:
        """What OK is for now; nothing so soon after it has taken the cursor away."""
        if self.at is not None:
            return self.at
        first = self._first() if self._now - self._accepted >= SETTLES_S else None
        return Cursor(id=first) if first and self._frame.hears(first) else None

    def _first(self) -> str | None:
        """What OK presses where no cursor is."""
        state = self._frame.state
        if state.dialog:
            return state.dialog.safe.id
        button = cursor.primary(state.screen)
        return button.id if button else None

    def _roll(self) -> None:
        state = self._frame.state
        if self.at is None and not state.dialog and ("roll", True) in pressable(state.screen):
            self._frame.press("roll")
        elif not getattr(getattr(state.screen, "die", None), "tumbles", False):
            self._start_stepping("roll", lambda: self._go_on(1))

    def _start_stepping(self, name: str, act: Callable[[], None]) -> None:
        act()
        self._step = name, act, self._now + REPEAT_AFTER_S

    # Time

    def tick(self, now: float) -> None:
        """Step on while a button is held; let an old cursor go; ask whether to shut down after a long press."""
        self._now = now
        if self._step and now >= self._step[2]:
            name, act, _when = self._step
            act()
            self._step = name, act, now + REPEAT_EVERY_S
        elif self.at is not None and now >= self._gone_at:
            self._point(None)
        if not self._asked and self._held_long(now):
            self._asked = True
            self._frame.ask_to_shut_down()

    def _held_long(self, now: float) -> bool:
        held = [self._down.get(name) for name in CHORD]
        chord = None if None in held else max(since for since in held if since is not None)
        return any(since is not None and now - since >= LONG_S for since in (chord, self._down.get("power")))
