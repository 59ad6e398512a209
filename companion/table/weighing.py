"""What is weighed in one go. Where much is in doubt it takes long, and need not be done where it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Mapping
from typing import NamedTuple, TypeAlias, TypeVar

from companion.rules import Position
from companion.table.evidence import Evidence
from companion.table.facts import Facts
from companion.table.lags import Due, Named
from companion.table.reconcile import Verdict, weigh
from companion.table.tally import Span, Spot

Weighing: TypeAlias = Callable[[], Verdict]
"""What takes long. It touches nothing of the follower or the game, so that any thread may work it out."""

Result = TypeVar("Result")
Thinking: TypeAlias = Generator[Weighing, Verdict, Result]
"""Yields what is to be weighed and wants to be sent the verdict on it."""


def at_once(thinking: Thinking[Result]) -> Result:
    """Weigh everything here and now."""
    try:
        weighing = next(thinking)
        while True:
            weighing = thinking.send(weighing())
    except StopIteration as done:
        result: Result = done.value
        return result


class Case(NamedTuple):
    """A table on which a position is to stand, what pictures show of it, and what is known besides: see `weigh`."""

    position: Position
    evidence: Evidence
    tolerated: Mapping[Spot, Span]
    facts: Facts | None
    complained: Collection[Spot]
    distrusted: Collection[Spot]
    risen: Collection[Spot]
    named: Named
    due: Due

    def weigh(self) -> Verdict:
        """The verdict on it."""
        return weigh(
            self.position,
            self.evidence,
            self.tolerated,
            self.facts,
            complained=self.complained,
            distrusted=self.distrusted,
            risen=self.risen,
            named=self.named,
            due=self.due,
        )

    def without(self, spots: Collection[Spot]) -> Case:
        """The same, but that nothing is known of these spots."""
        return self._replace(
            tolerated={spot: bounds for spot, bounds in self.tolerated.items() if spot not in spots},
            distrusted={spot for spot in self.distrusted if spot not in spots},
            due=Due(
                {s: bounds for s, bounds in self.due.spans.items() if s not in spots}, {*self.due.coming} - {*spots}
            ),
        )
