"""A second tap of a finger that drums is no answer to what the first one has brought.

In: what is shown, when it came, which button is pressed. Out: whether the press counts. A button is heard once it has
lain there for a moment; one that stays, with the same meaning, is heard as fast as people can press.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from companion.viewmodel.buttons import pressed_parts
from companion.viewmodel.states import AppState, Button

SETTLES_S = 0.3
"""So long a button must have been there: the two taps of a finger lie closer."""

MOST_S = 0.7
"""Who goes on drumming on a new button is heard after so long."""

REMEMBERED_S = 0.25
"""What comes back within this (a brush of the own button, and a curtain came and went) was there before."""


class Meaning(NamedTuple):
    """What a press on a button does: its id, and where that may do several things, what it says or whose it is."""

    button_id: str
    more: str


class _Age:
    """Since when a button is taken to be there, since when it is, and when it was there last."""

    def __init__(self, now: float) -> None:
        self.since = self.came = self.last = now


class Haste:
    """Knows how long each button has been there."""

    def __init__(self) -> None:
        self._ages: dict[Meaning, _Age] = {}
        self._here: dict[str, _Age] = {}

    def show(self, state: AppState, now: float) -> None:
        """That is what is shown from now on. What is there from the start is heard at once."""
        begins = not self._ages
        for age in self._here.values():
            age.last = now
        self._ages = {meaning: age for meaning, age in self._ages.items() if now - age.last <= REMEMBERED_S}
        self._here = {}
        for meaning in _meanings(state):
            age = self._ages.setdefault(meaning, _Age(now - MOST_S if begins else now))
            self._here[meaning.button_id] = age

    def settled(self, now: float) -> bool:
        """Whether every button there is heard."""
        return all(now - age.since >= SETTLES_S for age in self._here.values())

    def knows(self, button_id: str) -> bool:
        """Whether there is such a button now."""
        return button_id in self._here

    def hears(self, button_id: str, now: float) -> bool:
        """Whether a press that comes now counts; one that does not keeps the button shut a while longer."""
        age = self._here.get(button_id)
        if age is None or now - age.since >= SETTLES_S:
            return True
        age.since = min(now, age.came + MOST_S - SETTLES_S)
        return False


def _meanings(state: AppState) -> Iterator[Meaning]:
    """Of all that can be pressed; under a dialog of that alone."""
    dialog = state.dialog
    if dialog is not None:
        yield from (Meaning(part.id, f"{dialog.title} {dialog.text}") for part in pressed_parts(dialog))
        return
    whose = " ".join(str(getattr(state.screen, field, "")) for field in ("name", "player", "colour"))
    for part in pressed_parts(state.screen):
        if isinstance(part, Button):
            # the main button says something else on each page of the wizard, and does the same; others do what they say
            yield Meaning(part.id, whose if part.kind == "primary" else part.text)
        else:
            yield Meaning(part.id, "")
