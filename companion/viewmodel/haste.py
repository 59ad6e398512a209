"""A second press of a finger that drums is no answer to what the first one brought.

In: what is shown, when it came, what is pressed. Out: whether the press counts. Where the main button has just got
another meaning, or belongs to somebody else, whoever presses has not seen that yet.
"""

from __future__ import annotations

import math

from companion.viewmodel.states import AppState, NewGameScreen

SETTLES_S = 0.35
"""So long what is new has to lie there, and nobody to press, before a press counts: two taps of a finger lie closer."""


class Haste:
    """Knows since when the screen means what it means."""

    def __init__(self) -> None:
        self._meaning: object = None
        self._since = -math.inf

    def show(self, state: AppState, now: float) -> None:
        """That is what is shown from now on."""
        meaning = _meaning(state)
        if self._meaning is not None and meaning != self._meaning:
            self._since = now
        self._meaning = meaning

    def settled(self, now: float) -> bool:
        """Whether people have had the time to see what is there."""
        return now - self._since >= SETTLES_S

    def refuse(self, now: float) -> bool:
        """Whether a press that comes now is to be refused; whoever goes on drumming is refused until they pause."""
        if self.settled(now):
            return False
        self._since = now
        return True


def _meaning(state: AppState) -> object:
    """What a press at the main button's place would do, and for whom."""
    screen = state.screen
    primary = getattr(screen, "primary", None)
    page = screen.step if isinstance(screen, NewGameScreen) else None
    whose = (getattr(screen, field, None) for field in ("name", "player"))
    return type(screen), type(state.dialog), primary.id if primary else None, page, *whose
