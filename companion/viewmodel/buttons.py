"""Every button of a screen or dialog, found wherever it stands: what can be pressed now."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from companion.viewmodel.states import BoardView, Button, GameRow, Line, PhaseCell, RuleRow, Scrap, SwitchRow, ValueSlot

Pressed = Button | SwitchRow | PhaseCell | ValueSlot | GameRow | RuleRow | Line


def pressed_parts(value: object) -> Iterator[Pressed]:
    """Everything in a state that is pressed, enabled or not; of lines those that have an id."""
    if isinstance(value, Pressed):
        yield from [value] if value.id else []
    elif isinstance(value, tuple):
        for item in value:
            yield from pressed_parts(item)
    elif isinstance(value, msgspec.Struct) and not isinstance(value, BoardView | Scrap):
        for field in value.__struct_fields__:
            yield from pressed_parts(getattr(value, field))


def pressable(value: object) -> Iterator[tuple[str, bool]]:
    """The id of everything in a state that is pressed, and whether it is enabled."""
    yield from ((part.id, getattr(part, "enabled", True)) for part in pressed_parts(value))


def is_off(value: object, button_id: str) -> bool:
    """True if the id belongs to something that cannot be pressed now."""
    return any(found == button_id and not enabled for found, enabled in pressable(value))
