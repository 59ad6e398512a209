"""What can be chosen without a finger: everything on the screen that can be pressed or touched now, one after another.

In: the state as it is shown. Out: `things`, the likeliest first, from one of them the next in a direction, and what of
them is taken hold of and moved instead of being pressed. What is behind a curtain is there while its card is, and no
longer.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from companion.rules.geometry import Hex
from companion.viewmodel.buttons import pressable
from companion.viewmodel.states import (
    AppState,
    BoardView,
    Button,
    CalibrateScreen,
    Cursor,
    HomeScreen,
    NewGameScreen,
    ReplayScreen,
    Screen,
    SecretScreen,
    SettingsScreen,
    SliderRow,
)

Direction = Literal["left", "right", "up", "down"]
ARROWS: dict[Direction, tuple[float, float]] = {
    "left": (-1.0, 0.0),
    "right": (1.0, 0.0),
    "up": (0.0, -1.0),
    "down": (0.0, 1.0),
}
_ASIDE = 2.0
"""A hex off the arrow's line counts as so many times as far."""

_HANDLE_STEPS = 160
"""So many steps of a handle go into the width of what is seen of the picture."""


class Knob(NamedTuple):
    """A slider: it goes from `least` to `most` by `step`."""

    id: str
    value: int
    least: int
    most: int
    step: int


class Corner(NamedTuple):
    """A handle on the picture, in px of the camera; it is moved by `step`."""

    id: str
    x: float
    y: float
    step: float


class Name(NamedTuple):
    """A field to write in."""

    id: str


Grip = Knob | Corner | Name


def things(state: AppState) -> tuple[Cursor, ...]:
    """All of them, each once; under a dialog only its answers."""
    toast = [Cursor(id=state.toast.undo.id)] if state.toast and state.toast.undo else []
    if state.dialog:
        return tuple([Cursor(id=button_id) for button_id, enabled in pressable(state.dialog) if enabled] + toast)
    return tuple(dict.fromkeys([*_on(state.screen), *toast]))


def _on(screen: Screen) -> Iterator[Cursor]:
    """Lit places, what a question asks, other places, the primary button, all else."""
    board: BoardView | None = None if isinstance(screen, HomeScreen) else getattr(screen, "board", None)
    touchable = [view for view in board.hexes if view.touchable] if board else []
    lit = [view.hex for view in touchable if view.light in ("legal", "deadly")]
    yield from (Cursor(hex=h) for h in lit)
    yield from (Cursor(land=land) for land in (board.legal_lands if board else ()))
    yield from (Cursor(id=b.id) for b in getattr(screen, "prompt", ()) if b.enabled)
    yield from (Cursor(hex=view.hex) for view in touchable if view.hex not in lit)
    if first := primary(screen):
        yield Cursor(id=first.id)
    yield from (Cursor(id=button_id) for button_id, enabled in pressable(screen) if enabled)
    yield from (Cursor(id=grip.id) for grip in _grips(screen))
    seats = screen.seats if isinstance(screen, NewGameScreen) else ()
    yield from (Cursor(id=f"swap_seats:{i}:{i + 1}") for i in range(len(seats) - 1))


def grip_of(state: AppState, at: Cursor | None) -> Grip | None:
    """What OK takes hold of there; None where it presses or chooses."""
    if at is None or not at.id or state.dialog:
        return None
    return next((grip for grip in _grips(state.screen) if grip.id == at.id), None)


def _grips(screen: Screen) -> Iterator[Grip]:
    match screen:
        case SettingsScreen():
            for row in screen.rows:
                if isinstance(row, SliderRow) and row.enabled:
                    yield Knob(row.id, row.value, row.least, row.most, row.step)
        case ReplayScreen() if screen.steps:
            yield Knob("step", screen.step, 0, screen.steps, 1)
        case CalibrateScreen(picture=picture) if picture is not None:
            for handle in screen.handles:
                yield Corner(handle.id, handle.x, handle.y, picture.window[2] / _HANDLE_STEPS)
        case NewGameScreen():
            yield from (Name(f"name:{player.number}") for player in screen.players)


def primary(screen: Screen) -> Button | None:
    """The enabled button that OK presses; none behind a curtain, where it would press what is chosen already."""
    if isinstance(screen, SecretScreen):
        return None
    named: Button | None = getattr(screen, "primary", None)
    buttons = (named,) if named else _buttons(screen)
    return next((b for b in buttons if b.kind == "primary" and b.enabled), None)


def _buttons(screen: Screen) -> Iterator[Button]:
    for field in screen.__struct_fields__:
        value = getattr(screen, field)
        yield from (item for item in (value if isinstance(value, tuple) else (value,)) if isinstance(item, Button))


def step(among: Sequence[Cursor], at: Cursor | None, by: int) -> Cursor | None:
    """The next one or the one before, round and round; the first, or the last, if there was none."""
    if not among:
        return None
    if at not in among:
        return among[0 if by > 0 else -1]
    return among[(among.index(at) + by) % len(among)]


def go(among: Sequence[Cursor], at: Cursor | None, direction: Direction) -> Cursor | None:
    """On the board the nearest hex that way; beyond it, and beside it, the next thing or the one before."""
    if at is not None and at.hex is not None:
        if near := _nearest([thing.hex for thing in among if thing.hex is not None], at.hex, direction):
            return Cursor(hex=near)
        beside = [thing for thing in among if thing.hex is None]
        return beside[0] if direction == "right" and beside else at
    if direction == "left" and at is not None:
        return next((thing for thing in among if thing.hex is not None), at)
    return step(among, at, -1 if direction == "up" else 1)


def _nearest(hexes: Sequence[Hex], origin: Hex, direction: Direction) -> Hex | None:
    dx, dy = ARROWS[direction]
    best: tuple[float, Hex] | None = None
    for h in hexes:
        x, y = _offset(origin, h)
        along, aside = x * dx + y * dy, abs(x * dy - y * dx)
        if along > 0.1 and aside <= along * math.sqrt(3) + 0.1 and (best is None or along + _ASIDE * aside < best[0]):
            best = along + _ASIDE * aside, h
    return best[1] if best else None


def _offset(origin: Hex, h: Hex) -> tuple[float, float]:
    """Where a hex lies from another, in hexes, y down."""
    q, r = h[0] - origin[0], h[1] - origin[1]
    return q + r / 2, r * math.sqrt(3) / 2
