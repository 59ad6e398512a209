"""The panel's words: its buttons, and what happens to them."""

from __future__ import annotations

from dataclasses import dataclass

PLAYERS = ("player1", "player2", "player3", "player4")
"""The players' own buttons, each with an LED, by seat clockwise."""
BUTTONS = (*PLAYERS, "ok", "undo", "roll")
OPTIONAL = ("power",)
"""Buttons that a panel may have besides."""


@dataclass(frozen=True)
class ButtonEvent:
    """A button went down or came up at `time` (s, monotonic clock)."""

    button: str
    pressed: bool
    time: float
