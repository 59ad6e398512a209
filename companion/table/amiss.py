"""What is wrong on the table, and since when: what was so before the game went on shows nothing that was done after it.

A piece that somebody pushes aside before the die is rolled may be a legal move of the next player afterwards; so may
one that is moved too early, while a creature has still to go. Nobody's turn has it unasked.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from companion.rules import Position, apply
from companion.rules.actions import Action, SinkTile
from companion.table.evidence import FIT, Evidence
from companion.table.gestures import touched_in
from companion.table.tally import Span, Spot, Tally, span


class _Wrong(NamedTuple):
    """`shown`: what a spot shows, None if it was never seen; `since` which look; `right`: looks since that deny it."""

    shown: Tally | None
    since: int
    right: int = 0


class Amiss:
    """The spots that show what they may not, as far as anybody has seen."""

    def __init__(self, agreeing: int, unknown: Collection[Spot] = ()) -> None:
        """So many `agreeing` looks show that a spot is right, or was wrong before another.

        Of the `unknown` ones nobody knows how they were left.
        """
        self._agreeing = agreeing
        self._looks = 0
        self._went_on = 0  # how many looks there were before the game went on last
        self._wrong = dict.fromkeys(unknown, _Wrong(None, 0))

    def look(self, picture: Evidence, bounds: Mapping[Spot, Span]) -> None:
        """The next picture, with what each of its spots may show. What is not seen is as it was."""
        self._looks += 1
        for spot, may in bounds.items():
            was = self._wrong.get(spot)
            if picture.misfit_at_rest(spot, may) > FIT:
                same = was is not None and (was.shown is None or picture.misfit(spot, span(was.shown)) <= FIT)
                since = was.since if was is not None and same else self._looks
                self._wrong[spot] = _Wrong(picture.best(spot), since)
            elif was is not None and was.right + 1 < self._agreeing:
                self._wrong[spot] = was._replace(right=was.right + 1)
            elif was is not None:
                del self._wrong[spot]

    def game_went_on(self) -> None:
        """By other means than what pictures show: all that is amiss was so before."""
        self._went_on = self._looks

    def taken_over(self, before: Position, action: Action, after: Position) -> None:
        """The camera has seen it: if others go on from there, what was amiss before it came is not what they did."""
        if _stage(before) != _stage(after):
            self._went_on = max(self._went_on, self._came(before, action) - self._agreeing)

    def count_new(self, position: Position, actions: Sequence[Action]) -> int:
        """So many actions of the sequence, from the first on, does the table show to have been done when they could be.

        The next one looks as if it had been done by what was amiss before that already.
        """
        went_on, came = self._went_on, 0
        for number, action in enumerate(actions):
            spots = self._doubted(position, action)
            if any(wrong.since <= went_on for wrong in spots):
                return number
            came = max([came, *(wrong.since for wrong in spots)])
            if isinstance(action, SinkTile) and action.back is None:
                break  # nobody knows what comes after it
            after = apply(position, action).position
            if _stage(after) != _stage(position):
                went_on = max(went_on, came - self._agreeing)
            position = after
        return len(actions)

    def _doubted(self, position: Position, action: Action) -> list[_Wrong]:
        spots = touched_in(position, action)
        return [self._wrong[spot] for spot in spots if spot in self._wrong and not self._wrong[spot].right]

    def _came(self, position: Position, action: Action) -> int:
        """The look that has shown it."""
        return max((wrong.since for wrong in self._doubted(position, action)), default=0)


def _stage(position: Position) -> tuple[int, str]:
    """Within one the order of what is done does not matter."""
    return position.active, position.phase
