"""What is wrong on the table, and which of it was so before the game went on: that shows nothing that was done since.

A piece that somebody pushes aside before the die is rolled may be a legal move of the next player after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from companion.rules.actions import Action
from companion.table.evidence import FIT, Evidence
from companion.table.gestures import touched
from companion.table.tally import Span, Spot, Tally, span


class Amiss:
    """The spots that show what they may not, with what they show."""

    def __init__(self) -> None:
        self._now: dict[Spot, Tally] = {}
        self._stale: dict[Spot, Tally] = {}

    def look(self, picture: Evidence, bounds: Mapping[Spot, Span]) -> None:
        """The next picture, with what each of its spots may show. What clearly reads otherwise has been touched."""
        self._stale = {
            spot: shown
            for spot, shown in self._stale.items()
            if not picture.seen(spot) or picture.misfit(spot, span(shown)) <= FIT
        }
        self._now = {s: picture.best(s) for s, may in bounds.items() if picture.misfit_at_rest(s, may) > FIT}

    def game_went_on(self) -> None:
        """By other means than what pictures show: all that is amiss was so before."""
        self._stale.update(self._now)

    def explains(self, actions: Iterable[Action]) -> bool:
        """True if it looks as if they were done because of what was amiss before the game went on, and is still."""
        stale = self._stale.keys() & self._now.keys()
        return any(not stale.isdisjoint(touched(action)) for action in actions)

    def is_past(self) -> None:
        """The table is as it should be."""
        self._stale.clear()
