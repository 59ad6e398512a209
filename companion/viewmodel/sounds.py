"""Which sound goes with what has happened: a table over what everybody has seen, and nothing else.

A secret makes no sound: what is dealt, kept, looked at, answered or declined has none, and what follows from it none
that it alone would have. All that a sound tells stands on the screen as well.
"""

from __future__ import annotations

from typing import Literal

from companion.rules.events import DiceRolled, Rolled, TileSunk, TurnBegan
from companion.table.session import Entry

Sound = Literal["turn", "wrong", "right", "roll", "sunk", "time"]
"""The turn has passed on; the table is wrong; it is right again; a roll; a tile has gone; somebody's time is over."""

_SOUND_OF: tuple[tuple[type, Sound], ...] = (
    (Rolled, "roll"),
    (DiceRolled, "roll"),
    (TileSunk, "sunk"),
    (TurnBegan, "turn"),
)
"""Of several things in one entry the first of this list is heard."""


def sound_of(entry: Entry) -> Sound | None:
    """What is heard when this has happened."""
    kinds = {type(event) for event in entry.events}
    return next((sound for kind, sound in _SOUND_OF if kind in kinds), None)
