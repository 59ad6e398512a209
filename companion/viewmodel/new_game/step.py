"""What a step of the wizard is."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from companion.rules.layout import Colour
from companion.viewmodel.defaults import NewGameDefaults
from companion.viewmodel.states import Button, Note, PlayerRow, SegmentRow, SwitchRow


class StepView(msgspec.Struct, frozen=True, kw_only=True):
    """What one step puts on the screen. `waits_for` says, in a few words, why the next cannot come yet."""

    players: tuple[PlayerRow, ...] = ()
    seats: tuple[tuple[Colour, ...], ...] = ()
    seats_hint: str = ""
    rows: tuple[SwitchRow | SegmentRow, ...] = ()
    note: Note | None = None
    secondary: Button | None = None
    waits_for: str = ""


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One step. `title` and `next_text` are marked for the catalogues; `next_text` is on the button that leads here.

    `show(draft, has_table)` draws; `press(draft, button_id)` is the draft after a press, or the same one.
    """

    title: str
    next_text: str
    show: Callable[[NewGameDefaults, bool], StepView]
    press: Callable[[NewGameDefaults, str], NewGameDefaults]
