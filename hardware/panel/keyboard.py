"""Panels without a panel: keys of a keyboard, or nothing at all.

In: key names as the owner of the keyboard gets them (Kivy's and X11's are known). Out: the panel's events. Nothing is
read here: whoever owns the keyboard feeds it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Self

from hardware.errors import PanelError
from hardware.panel.events import PLAYERS, ButtonEvent

KEYS: dict[str, str] = {
    "f1": "player1",
    "f2": "player2",
    "f3": "player3",
    "f4": "player4",
    "return": "ok",
    "enter": "ok",
    "numpadenter": "ok",
    "backspace": "undo",
    "space": "roll",
    "spacebar": "roll",
    "left": "left",
    "right": "right",
    "up": "up",
    "down": "down",
    "tab": "next",
    "escape": "away",
}
"""Key (lower case) to button; the arrows, Tab and Escape have no button on a panel: they move and end the cursor."""


class NoPanel:
    """No buttons: nothing ever happens. `lit` are the LEDs that would be on."""

    def __init__(self) -> None:
        self.lit: set[str] = set()

    def open(self) -> None:
        """Nothing to claim."""

    def poll(self) -> list[ButtonEvent]:
        """Nothing has happened."""
        return []

    def set_led(self, player: str, on: bool) -> None:
        """Remember the LED. Raises PanelError for a name that has none."""
        if player not in PLAYERS:
            raise PanelError(f"{player!r} has no LED; there are {', '.join(PLAYERS)}.")
        (self.lit.add if on else self.lit.discard)(player)

    def close(self) -> None:
        """All LEDs go out."""
        self.lit.clear()

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


class KeyboardPanel(NoPanel):
    """Keys that stand in for the buttons."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._held: set[str] = set()
        self._events: list[ButtonEvent] = []

    def feed(self, key: str, pressed: bool) -> bool:
        """A key went down or came up; True if it stands for a button. A held key's repeats are left out."""
        button = KEYS.get(key.lower())
        if button is None:
            return False
        if pressed != (button in self._held):
            (self._held.add if pressed else self._held.discard)(button)
            self._events.append(ButtonEvent(button, pressed, self._clock()))
        return True

    def poll(self) -> list[ButtonEvent]:
        """The keys' events since the last call."""
        events, self._events = self._events, []
        return events

    def close(self) -> None:
        """Forget held keys and events; all LEDs go out."""
        super().close()
        self._held.clear()
        self._events.clear()
