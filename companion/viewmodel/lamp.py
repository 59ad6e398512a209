"""How bright the screen is: as people have chosen, or dim while nobody plays.

In: the preferences, the clock, whether somebody has touched the screen or moved a piece. Out: the machine's own light
set to it, or where it has none the veil that darkens the picture as much.
"""

from __future__ import annotations

from companion.viewmodel.machine import Machine
from companion.viewmodel.preferences.model import LEAST_BRIGHTNESS, Preferences

RESTS_AFTER_S = 300.0
"""So long without a touch or a move, and the screen is dimmed."""

RESTING = LEAST_BRIGHTNESS
"""In percent: how bright it is then."""

_GAMMA = 2.2
"""A picture's values to the light that a screen makes of them."""


class Lamp:
    """`veil` is the opacity of the darkness over the picture, 0.0 for none."""

    def __init__(self, machine: Machine | None, preferences: Preferences) -> None:
        self._machine = machine
        self._stirred = 0.0
        self._percent = 0
        self.resting = False
        self.veil = 0.0
        self._shine(preferences.brightness)

    def stir(self, now: float, preferences: Preferences) -> bool:
        """Somebody is there. True if the screen was dim until now."""
        was_resting = self.resting
        self._stirred = now
        self.resting = False
        self._shine(preferences.brightness)
        return was_resting

    def tick(self, now: float, preferences: Preferences) -> bool:
        """It is `now`: True if the veil is another one than before."""
        long_ago = now - self._stirred >= RESTS_AFTER_S
        self.resting = preferences.dim and long_ago and preferences.brightness > RESTING
        before = self.veil
        self._shine(RESTING if self.resting else preferences.brightness)
        return self.veil != before

    def refresh(self, preferences: Preferences) -> None:
        """The preferences may be others."""
        self._shine(RESTING if self.resting else preferences.brightness)

    def _shine(self, percent: int) -> None:
        if percent == self._percent:
            return
        self._percent = percent
        alone = self._machine is not None and self._machine.shine(percent)
        self.veil = 0.0 if alone else veil(percent)


def veil(percent: int) -> float:
    """The opacity of black that leaves `percent` of a picture's light."""
    kept: float = (percent / 100) ** (1 / _GAMMA)
    return round(1 - kept, 3)
