"""Every button of a screen or dialog, found wherever it stands: what can be pressed now."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from companion.viewmodel.states import BoardView, Button, GameRow, Line, PhaseCell, Scrap, SwitchRow, ValueSlot

_PRESSED = (Button, SwitchRow, PhaseCell, ValueSlot, GameRow)


def pressable(value: object) -> Iterator[tuple[str, bool]]:
    """The id of everything in a state that is pressed, and whether it is enabled."""
    if isinstance(value, _PRESSED):
        yield value.id, getattr(value, "enabled", True)
    elif isinstance(value, Line):
        yield from [(value.id, True)] if value.id else []
    elif isinstance(value, tuple):
        for item in value:
            yield from pressable(item)
    elif isinstance(value, msgspec.Struct) and not isinstance(value, BoardView | Scrap):
        for field in value.__struct_fields__:
            yield from pressable(getattr(value, field))


def is_off(value: object, button_id: str) -> bool:
    """True if the id belongs to something that cannot be pressed now."""
    return any(found == button_id and not enabled for found, enabled in pressable(value))
