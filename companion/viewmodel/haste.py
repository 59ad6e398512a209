"""A second tap of a finger that drums is no answer to what the first one has brought.

In: what is shown, when it came, which button is pressed. Out: whether the press counts. A button is heard once it has
lain there for a moment; one that stays, with the same meaning, is heard as fast as people can press.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from companion.viewmodel.buttons import pressed_parts
from companion.viewmodel.states import AppState, TurnScreen

SETTLES_S = 0.3
"""So long a button must have been there: the two taps of a finger lie closer."""

MOST_S = 0.7
"""Who goes on drumming on a new button is heard after so long."""

REMEMBERED_S = 0.25
"""What comes back within this (a brush of the own button, and a curtain came and went) was there before."""


class Meaning(NamedTuple):
    """What a press on a button does: its id, the kind of screen, and where that may do several things, what tells."""

    button_id: str
    on: type
    more: object


class _Age:
    """Since when a button is taken to be there, since when it is, and when it was there last."""

    def __init__(self, now: float) -> None:
        self.since = self.came = self.last = now


class Haste:
    """Knows how long each button has been there. Times are those of the frame's clock, s."""

    def __init__(self) -> None:
        self._ages: dict[Meaning, _Age] = {}
        self._here: dict[str, _Age] = {}
        self._drawn: set[_Age] = set()

    def show(self, state: AppState, now: float, question: object) -> None:
        """That is what is shown from now on; `question` is what asks in its dialog, whatever words that changes."""
        for age in self._here.values():
            age.last = now
        self._ages = {meaning: age for meaning, age in self._ages.items() if now - age.last <= REMEMBERED_S}
        self._here = {}
        for meaning in _meanings(state, question):
            if meaning not in self._ages:
                self._ages[meaning] = _Age(now)
                self._drawn.add(self._ages[meaning])
            self._here[meaning.button_id] = self._ages[meaning]

    def tick(self, now: float) -> None:
        """Time passes. What has come since is seen from now on: until then a slow disk may have written."""
        for age in self._drawn:
            age.since = age.came = now
        self._drawn.clear()

    def settled(self, now: float) -> bool:
        """Whether every button there is heard."""
        return all(self._is_heard(age, now) for age in self._here.values())

    def knows(self, button_id: str) -> bool:
        """Whether there is such a button now."""
        return button_id in self._here

    def hears(self, button_id: str, now: float) -> bool:
        """Whether a press that comes now counts; one that does not keeps the button shut a while longer."""
        age = self._here.get(button_id)
        if age is None or self._is_heard(age, now):
            return True
        age.since = min(now, age.came + MOST_S - SETTLES_S)
        return False

    def _is_heard(self, age: _Age, now: float) -> bool:
        return age not in self._drawn and now - age.since >= SETTLES_S


def _meanings(state: AppState, question: object) -> Iterator[Meaning]:
    """Of all that can be pressed; under a dialog of that alone."""
    if state.toast and state.toast.undo:
        yield Meaning(state.toast.undo.id, type(state.toast), state.toast.serial)
    if state.dialog is not None:
        yield from (Meaning(part.id, type(state.dialog), question) for part in pressed_parts(state.dialog))
        return
    screen = state.screen
    whose = tuple(getattr(screen, field, "") for field in ("name", "player", "colour"))
    main = getattr(screen, "primary", None)
    asked = screen if isinstance(screen, TurnScreen) else None
    for part in pressed_parts(screen):
        if part is main:  # it keeps its place, and does something else for somebody else
            yield Meaning(part.id, type(screen), whose)
        elif asked and part in asked.prompt:
            yield Meaning(part.id, type(screen), (whose, asked.phase, asked.sentence, part.text))
        else:
            yield Meaning(part.id, type(screen), None)
