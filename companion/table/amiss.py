"""What is wrong on the table, and since when: what was so before the game went on shows nothing that was done after it.

A piece that somebody pushes aside before the die is rolled may be a legal move of the next player afterwards; so may
one that is moved too early, while a creature has still to go. Nobody's turn has it unasked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from companion.rules import Position, apply
from companion.rules.actions import Action, SinkTile
from companion.table.evidence import FIT, Evidence
from companion.table.gestures import gesture, sunk_in
from companion.table.tally import ABOARD, BESIDE, NOTHING, Span, Spot, Tally, tallies

Odd: TypeAlias = tuple[Spot, int, bool]
"""A spot, a sort's index in a tally (a passenger's as if he swam), and whether there is too much of it."""


class _Seen(NamedTuple):
    """`since` which look it is there, and how many of the looks since the last that showed it `deny` it."""

    since: int
    deny: int = 0


class Amiss:
    """What is too much or too little on the spots, as far as anybody has seen."""

    def __init__(self, agreeing: int, unknown: Collection[Spot] = ()) -> None:
        """So many `agreeing` looks show that something is not so, or was so before something else.

        Of the `unknown` spots nobody knows how they were left.
        """
        self._agreeing = agreeing
        self._looks = 0
        self._went_on = 0  # how many looks there were before the game went on last
        self._odd: dict[Odd, _Seen] = {}
        self._unknown = dict.fromkeys(unknown, 0)  # in how many looks they were right

    def look(self, picture: Evidence, bounds: Mapping[Spot, Span]) -> None:
        """The next picture, with what each of its spots may show. What is not seen is as it was."""
        self._looks += 1
        shown: set[Odd] = set()
        for spot, may in bounds.items():
            if picture.misfit_at_rest(spot, may) > FIT:
                shown.update(_differences(spot, picture.best(spot), may))
                if self._unknown.pop(spot, None) is not None:  # it was so when somebody came back to the table
                    self._odd.update((odd, _Seen(0)) for odd in shown if odd[0] == spot)
            elif spot in self._unknown:
                self._unknown[spot] += 1
                if self._unknown[spot] >= self._agreeing:
                    del self._unknown[spot]
        for odd in shown:
            self._odd[odd] = _Seen(self._odd[odd].since if odd in self._odd else self._looks)
        for odd in [odd for odd in self._odd if odd[0] in bounds and odd not in shown]:
            seen = self._odd[odd]
            self._odd[odd] = seen._replace(deny=seen.deny + 1)
            if seen.deny + 1 >= self._agreeing:
                del self._odd[odd]

    def game_went_on(self, before: Position, after: Position) -> None:
        """By other means than what pictures show: if others go on from there, all that is amiss was so before."""
        if _stage(before) != _stage(after):
            self._went_on = self._looks

    def taken_over(self, before: Position, action: Action, after: Position) -> None:
        """The camera has seen it: if others go on from there, what was amiss before it came is not what they did."""
        if _stage(before) != _stage(after):
            came = max(self._since(before, action), default=0)
            self._went_on = max(self._went_on, came - self._agreeing)

    def count_new(self, position: Position, actions: Sequence[Action]) -> int:
        """So many actions of the sequence, from the first on, does the table show to have been done when they could be.

        The next one looks as if it had been done by what was amiss before that already.
        """
        went_on, came = self._went_on, 0
        for number, action in enumerate(actions):
            since = list(self._since(position, action))
            if any(look <= went_on for look in since):
                return number
            came = max([came, *since])
            if isinstance(action, SinkTile) and action.back is None:
                break  # nobody knows what comes after it
            after = apply(position, action).position
            if _stage(after) != _stage(position):
                went_on = max(went_on, came - self._agreeing)
            position = after
        return len(actions)

    def _since(self, position: Position, action: Action) -> Iterator[int]:
        """Since which looks there is what the action would explain."""
        spots = tallies(position.layout())
        for spot, tally in gesture(spots, action, sunk_in(position)).items():
            if spot in self._unknown:
                yield 0
            was = spots.get(spot, NOTHING)
            for odd in _differences(spot, tally, (was, was)):
                seen = self._odd.get(odd)
                if seen is not None and not seen.deny:
                    yield seen.since


def _differences(spot: Spot, shown: Tally, may: Span) -> Iterator[Odd]:
    """What is too much or too little of what is shown."""
    for index, (least, n, most) in enumerate(zip(may[0], shown, may[1], strict=True)):
        if not least <= n <= most:
            alike = index - ABOARD.start + BESIDE.start if ABOARD.start <= index < ABOARD.stop else index
            yield spot, alike, n > most


def _stage(position: Position) -> tuple[int, str]:
    """Within one the order of what is done does not matter."""
    return position.active, position.phase
