"""6. The roll: until the die lies, nothing else on the screen tells how it falls.

In: one screen after the other, as the game has it. Out: what is shown of it. Touch, panel and keyboard all go by what
is shown, so that none of them knows more than the eye.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from companion.viewmodel.preferences.model import Preferences, Tumble
from companion.viewmodel.states import Screen, TurnScreen

TUMBLE_S: Mapping[Tumble, float] = {"short": 0.35, "usual": 0.7, "long": 1.4}
"""So long the die tumbles."""

LIES_S = 0.2
"""The die is seen to lie so long before it is said what it means."""


def falls_s(preferences: Preferences) -> float:
    """From the roll until it is said what it means; with less movement the die only fades in, and that is at once."""
    return 0.0 if preferences.less_movement else TUMBLE_S[preferences.tumble] + LIES_S


class FallingDie:
    """Follows the die from screen to screen. A die that is there from the start has fallen already."""

    def __init__(self) -> None:
        self._before: TurnScreen | None = None
        self._last: TurnScreen | None = None
        self._until = 0.0

    @property
    def goes_on(self) -> bool:
        """A die is on its way."""
        return self._before is not None

    def shown(self, screen: Screen, now: float, falls_s: float) -> Screen:
        """The screen, or what is shown of it while a die falls for so many seconds.

        What comes between (a curtain, a question) is shown, and the die goes on falling behind it.
        """
        if self._before is not None and now >= self._until:
            self._before = None
        if not isinstance(screen, TurnScreen) or screen.die is None:
            if self._before is None:
                self._last = None
            return screen
        last, self._last = self._last, screen
        if last is None or _serial(screen) < _serial(last):
            self._before = None
        elif _serial(screen) > _serial(last) and falls_s:
            self._before, self._until = last, now + falls_s
        return screen if self._before is None else _withheld(self._before, screen)

    def lies(self, now: float) -> bool:
        """Whether the die has come to lie by now, and the screen can be shown."""
        return self.goes_on and now >= self._until


def _serial(screen: TurnScreen) -> int:
    return screen.die.serial if screen.die else 0


def _withheld(before: TurnScreen, s: TurnScreen) -> TurnScreen:
    """The screen before with the die of the new one; the words that place the die are there and not shown."""
    assert s.die is not None, "it has been rolled"
    return msgspec.structs.replace(
        before,
        die=msgspec.structs.replace(s.die, tumbles=True),
        subtitle=s.subtitle,
        sentence=s.sentence,
        note=s.note,
        chips=s.chips,
        lines=(),
        prompt=(),
        primary=msgspec.structs.replace(before.primary, enabled=False),
    )
