"""Several agreeing pictures as one body of evidence: how badly a reading of a spot fits what was seen.

The measure is in nats: the logarithm of how many times less probable the reading is than the most probable one. 0 is
the best reading itself, about 3 is 1 in 20. A spot that was hidden in every picture fits anything.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from companion.table.tally import Span, Spot, Tally, land_tally, tally_of, within
from companion.vision.observation import Observation

_UNLISTED = 0.1
"""Share of the probability left over by the ranked readings that any one reading off the list is given."""

_LEAST = 1e-4
"""No reading is less probable than this: the recogniser is sometimes sure and wrong."""


class Evidence:
    """What the pictures say of each spot. Steady pictures of one table are averaged: they are not independent."""

    def __init__(self, observations: Sequence[Observation]) -> None:
        looks: dict[Spot, list[list[tuple[Tally, float]]]] = {}
        self._hidden: set[Spot] = set()
        for observation in observations:
            for spot, ranked in _readings(observation):
                if ranked:
                    looks.setdefault(spot, []).append(ranked)
                else:
                    self._hidden.add(spot)
        self._hidden -= looks.keys()
        self._ranked = {spot: _average(seen) for spot, seen in looks.items()}

    @property
    def spots(self) -> Iterable[Spot]:
        """The spots seen in at least one picture."""
        return self._ranked.keys()

    @property
    def hidden(self) -> frozenset[Spot]:
        """The spots hidden in all of them."""
        return frozenset(self._hidden)

    def seen(self, spot: Spot) -> bool:
        """True if the spot was seen."""
        return spot in self._ranked

    def best(self, spot: Spot) -> Tally:
        """The most probable reading of a spot that was seen."""
        return self._ranked[spot][0][0]

    def misfit(self, spot: Spot, bounds: Span) -> float:
        """How badly the best reading within the bounds fits, in nats; 0 for a hidden spot."""
        ranked = self._ranked.get(spot)
        if ranked is None:
            return 0.0
        top = ranked[0][1]
        rest = 1.0
        for tally, probability in ranked:
            if within(tally, bounds):
                return math.log(top / max(probability, _LEAST))
            rest -= probability
        return math.log(top / max(_UNLISTED * rest, _LEAST))

    def closest(self, spot: Spot, bounds: Span) -> Tally:
        """The most probable reading within the bounds; the best of all if none listed is."""
        return next((t for t, _ in self._ranked[spot] if within(t, bounds)), self.best(spot))


def _readings(observation: Observation) -> Iterable[tuple[Spot, list[tuple[Tally, float]]]]:
    for e in observation.hexes:
        yield e.hex, [] if e.hidden else [(tally_of(h.content), h.probability) for h in e.hypotheses]
    for land in observation.safe:
        yield land.land, [] if land.hidden else [(land_tally(h.explorers), h.probability) for h in land.hypotheses]


def _average(looks: list[list[tuple[Tally, float]]]) -> list[tuple[Tally, float]]:
    total: dict[Tally, float] = {}
    for ranked in looks:
        for tally, probability in ranked:
            total[tally] = total.get(tally, 0.0) + probability / len(looks)
    return sorted(total.items(), key=lambda item: -item[1])
