"""Several agreeing pictures as one body of evidence: how badly a reading of a spot fits what was seen.

The measure is in nats: the logarithm of how many times less probable the reading is than the most probable one. 0 is
the best reading itself, about 3 is 1 in 20. A spot that was hidden in every picture fits anything.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Collection, Iterable, Iterator, KeysView, Mapping, Sequence
from typing import TypeAlias

from companion.rules.layout import Colour
from companion.rules.pieces import BOAT_CAPACITY
from companion.table.tally import (
    ABOARD,
    BESIDE,
    BOAT,
    CREATURES_PART,
    NOTHING,
    SORTS,
    TILES,
    Span,
    Spot,
    Tally,
    has_tile,
    land_tally,
    tally_of,
    within,
)
from companion.vision.observation import Observation

FIT = 3.0
"""A spot fits if its reading is at most so many nats worse than the best one: 20 to 1."""

DOUBT = 0.7
"""A spot is in doubt if another reading is so much better: 2 to 1."""

_DISTRUSTED = 0.8
"""Where a spot is known to be misread, any reading of it is so much worse at most: in doubt, and no more."""

_TOUCHED = FIT + 0.1
"""Where a spot is known to have been touched, it fits what was there no better than that: it does not."""

_UNLISTED = 0.1
"""Share of the probability left over by the ranked readings that any one reading off the list is given."""

_LEAST = 1e-4
"""No reading is less probable than this: the recogniser is sometimes sure and wrong."""

_OF_KIND = 2.0
"""A creature or a tile read as one of another kind fits worse by so many nats than one read rightly, where it has been
seen before and nothing has moved it: nobody changes it for another, but recognisers mistake one for the other."""

_LOST_IN_A_HEAP = FIT - 0.1
"""Where a creature is known to have come to several others and only those are read, it just fits: it may be covered."""

_SURE_OF_SEATS = 0.95
"""Where a reading is less probable, who is read as a passenger may swim beside the boat, and the other way round."""

_CLEAR = 0.9
"""A reading that is less probable is not clear."""

_HARDLY_LESS = 0.5
"""A reading is hardly less probable than another if it is at least so many times as probable."""

_WAVERING = 0.05
"""By so much the probability of a clear reading changes from picture to picture."""

_STILL_BLIND = 2 / 3
"""So probable it is that recognition still does not see what it is known not to see on a spot."""

_RECALLED = 0.99
"""So sure it is that on a spot that looks as it did still stands what stood there."""

_SAME_DOUBT = 0.25
"""Where a spot reads as doubtfully as it did while what is read best was right, the other readings are by so much less
probable: who left it would have changed the doubt, too."""

_AS_DOUBTFUL = 0.03
"""The same doubt: the two best readings are as probable as they were, but for so much."""

_SAME_LIGHT = 0.8
"""In the same light so many of the spots look as they did, whatever people do in one turn."""

_NOBODYS = 1e-3
"""So much less probable than recognition says, which does not know who plays, it is that an explorer whom nobody plays
stands on a spot: he is in the box, and what is read is a flower. Where the spot has changed, or nobody knows how it
looks, he may have been put there."""

_TELLING = 0.4
"""Where even the best reading is less probable, one cannot say either whether a tile lies there."""

_UNCLEAR = 0.6
"""Where even the best reading is less probable, the picture proves nothing."""


Ranked: TypeAlias = Mapping[Spot, Sequence[tuple[Tally, float]]]
"""By spot its readings with their probabilities, most probable first."""


@dataclasses.dataclass(frozen=True, eq=False)
class Evidence:
    """What pictures say of each spot: `ranked` its readings. `hidden` are the spots that no picture shows.

    `looks` are the numbers of how spots look in the last picture, `changed` those that are known to look otherwise.
    `known` and `distrusted`: see `knowing`.
    """

    ranked: Ranked
    hidden: frozenset[Spot]
    looks: Mapping[Spot, int] = dataclasses.field(default_factory=dict)
    changed: frozenset[Spot] = frozenset()
    known: Mapping[Spot, Tally] = dataclasses.field(default_factory=dict)
    distrusted: Collection[Spot] = ()
    risen: Collection[Spot] = ()

    @classmethod
    def of(cls, observation: Observation) -> Evidence:
        """One picture."""
        ranked: dict[Spot, list[tuple[Tally, float]]] = {}
        hidden: set[Spot] = set()
        looks: dict[Spot, int] = {e.hex: e.look for e in observation.hexes if e.look}
        looks |= {e.land: e.look for e in observation.safe if e.look}
        for e in observation.hexes:
            if e.hidden:
                hidden.add(e.hex)
            else:
                readings = ((tally_of(h.content), h.probability) for h in e.hypotheses)
                ranked[e.hex] = sorted(readings, key=_probability, reverse=True)  # what is claimed may be less so
        for land in observation.safe:
            if land.hidden:
                hidden.add(land.land)
            else:
                ranked[land.land] = [(land_tally(h.explorers), h.probability) for h in land.hypotheses]
        return cls(ranked, frozenset(hidden), looks=looks)

    @classmethod
    def mean(cls, pictures: Sequence[Evidence]) -> Evidence:
        """Several pictures of one table. They are averaged: steady pictures are not independent."""
        if len(pictures) == 1:
            return pictures[0]
        spots = dict.fromkeys(spot for picture in pictures for spot in picture.spots)
        ranked = {spot: _mean([p.ranked[spot] for p in pictures if p.seen(spot)]) for spot in spots}
        hidden = frozenset(spot for p in pictures for spot in p.hidden) - spots.keys()
        return cls(ranked, hidden, looks=pictures[-1].looks, changed=pictures[-1].changed)

    def cleared_by(self, picture: Evidence) -> Evidence:
        """The same, but where that picture is clear it alone counts: it was in doubt before."""
        clear = {spot: ranked for spot, ranked in picture.ranked.items() if ranked[0][1] >= _CLEAR}
        return dataclasses.replace(self, ranked={**self.ranked, **clear})

    def knowing(
        self, before: Mapping[Spot, Tally], distrusted: Collection[Spot] = (), risen: Collection[Spot] = ()
    ) -> Evidence:
        """The same pictures, by somebody who has seen before what stands on these spots: see `misfit`.

        And who has been told that the `distrusted` spots are misread: see `misfit_at_rest`. What came up on the `risen`
        ones, from under a tile, nobody has seen clearly yet (6.4).
        """
        known = {spot: tally for spot, tally in before.items() if spot not in risen}
        return dataclasses.replace(self, known=known, distrusted=distrusted, risen=risen)

    def correcting(self, lacking: Mapping[Spot, Tally], expected: Mapping[Spot, Tally]) -> Evidence:
        """One picture, by somebody who knows what is read wrongly on a spot: `lacking` more stands there than is read.

        What is read for nothing is negative in it. All may be read rightly now: nothing is corrected that reads as
        `expected`, and elsewhere the readings as they are come next.
        """
        ranked = dict(self.ranked)
        for spot in lacking.keys() & ranked.keys():
            if self.best(spot) == expected.get(spot, NOTHING):
                continue
            both: dict[Tally, float] = {}
            for tally, probability in ranked[spot]:
                corrected = tuple(map(sum, zip(tally, lacking[spot], strict=True)))
                share = _STILL_BLIND if min(corrected) >= 0 and sum(corrected[TILES]) <= 1 else 0.0
                if share:
                    both[corrected] = both.get(corrected, 0.0) + probability * share
                both[tally] = both.get(tally, 0.0) + probability * (1 - share)
            ranked[spot] = sorted(both.items(), key=_probability, reverse=True)
        return dataclasses.replace(self, ranked=ranked)

    def steadied(self, stood: Ranked) -> Evidence:
        """One picture, by somebody who knows how spots read while what is read best stood there (two readings each)."""
        ranked = dict(self.ranked)
        for spot in stood.keys() & ranked.keys():
            if not _is_same_doubt(ranked[spot], stood[spot]):
                continue
            (best, most), *others = ranked[spot]
            left = [(tally, probability * _SAME_DOUBT) for tally, probability in others]
            ranked[spot] = [(best, 1.0 - (1.0 - most) * _SAME_DOUBT), *left]
        return dataclasses.replace(self, ranked=ranked)

    def recalling(
        self, looks: Mapping[Spot, Collection[int]], stood: Mapping[Spot, Tally], calm: Mapping[Spot, int]
    ) -> Evidence:
        """One picture, by somebody who remembers how spots `looks` while what `stood` there was seen to stand there.

        `calm`: how they looked when all was as it should be last. A spot that looks otherwise has changed, unless many
        others do: then the light is another one.
        """
        same = {spot for spot, look in self.looks.items() if look in looks.get(spot, ())}
        recalled = {spot: [(stood.get(spot, NOTHING), _RECALLED)] for spot in same}
        other = frozenset(spot for spot in self.looks.keys() & calm.keys() if self.looks[spot] != calm[spot])
        changed = other - same if is_same_light(self.looks, calm) else frozenset()
        return dataclasses.replace(self, ranked={**self.ranked, **recalled}, changed=changed)

    def among(self, colours: Collection[Colour]) -> Evidence:
        """One picture, by somebody who knows in which colours people play, and which spots have changed."""
        strange = [i for i, sort in enumerate(SORTS) if sort.colour is not None and sort.colour not in colours]
        ranked = dict(self.ranked)
        for spot in self.looks.keys() & self.ranked.keys() - self.changed:
            readings = self.ranked[spot]
            if odd := sum(p for tally, p in readings if any(tally[i] for i in strange)):
                whole = odd * _NOBODYS + max(1.0 - odd, _LEAST)
                weighed = ((t, p * (_NOBODYS if any(t[i] for i in strange) else 1.0) / whole) for t, p in readings)
                ranked[spot] = sorted(weighed, key=_probability, reverse=True)
        return dataclasses.replace(self, ranked=ranked) if strange else self

    @property
    def spots(self) -> KeysView[Spot]:
        """The spots seen in at least one picture."""
        return self.ranked.keys()

    def seen(self, spot: Spot) -> bool:
        """True if the spot was seen."""
        return spot in self.ranked

    def best(self, spot: Spot) -> Tally:
        """The most probable reading of a spot that was seen."""
        return self.ranked[spot][0][0]

    def fitting(self, spot: Spot) -> Iterator[Tally]:
        """The readings of a spot that was seen which fit (`FIT`), the best one first."""
        ranked = self.ranked[spot]
        least = ranked[0][1] * math.exp(-FIT)
        return (tally for tally, probability in ranked if probability >= least)

    def misfit(self, spot: Spot, bounds: Span, known: Tally | None = None) -> float:
        """How badly the best reading within the bounds fits, in nats; 0 for a hidden spot.

        Creatures that were known to stand there, and would still, may be read as others, also beside one that has come;
        so may the tile. Who swims beside a boat may be read as aboard unless that is sure. `known`: what is known to
        stand there instead of what `knowing` was told, because one has been seen to leave for there: among others
        it may be overlooked.
        """
        ranked = self.ranked.get(spot)
        if ranked is None:
            return 0.0
        top = ranked[0][1]
        rest = 1.0
        for tally, probability in ranked:
            if within(tally, bounds):
                strict = math.log(top / max(probability, _LEAST))
                break
            rest -= probability
        else:
            strict = math.log(top / max(_UNLISTED * rest, _LEAST))
        if strict <= _OF_KIND:
            return strict
        before = self.known.get(spot, NOTHING) if known is None else known
        staying, tile = _staying(before, bounds), _tile_staying(before, bounds)
        seats = self._may_be_seated(spot, bounds[0])
        if not (any(staying) or tile or seats):
            return strict
        corrected = ((_with_tile(tally, bounds[0]) if tile else tally, p) for tally, p in ranked)
        corrected = ((_seated(tally, bounds[0]) if seats else tally, p) for tally, p in corrected)
        alike = (p for tally, p in corrected if within(_renamed(tally, bounds[0], staying), bounds))
        misfit = min(strict, _OF_KIND + math.log(top / max(next(alike, 0.0), _LEAST)))
        if known is not None and _lacks_a_creature(ranked[0][0], bounds):
            return min(misfit, _LOST_IN_A_HEAP)
        return misfit

    def is_strange(self, spot: Spot, tally: Tally) -> bool:
        """True if a spot does not clearly look as it should, or not as it did in the same light."""
        return (self.seen(spot) and not self.is_clearly(spot, tally)) or spot in self.changed

    def hints_at_overfull(self, spot: Spot, least: float = 0.0) -> bool:
        """True if four aboard are among the readings, however improbable: of three recognition hardly ever says so.

        `least`: the probability that one of these readings has to have.
        """
        return any(_is_overfull(tally) and probability >= least for tally, probability in self.ranked.get(spot, ()))

    def sureness(self, spot: Spot) -> float:
        """The probability of the best reading of a spot that was seen."""
        return self.ranked[spot][0][1]

    def is_clearly(self, spot: Spot, tally: Tally, least: float = _CLEAR) -> bool:
        """True if a spot is seen and shows that beyond doubt, or at `least` so surely."""
        return self.seen(spot) and self.best(spot) == tally and self.sureness(spot) >= least

    def is_unclear_about(self, spots: Iterable[Spot]) -> bool:
        """True if one of these spots is seen and its best reading proves nothing."""
        return any(self.seen(spot) and self.sureness(spot) < _UNCLEAR for spot in spots)

    def is_no_clearer(self, spot: Spot, stood: Mapping[Tally, float]) -> bool:
        """True if a spot reads as it did before, and no clearer than then; below `_CLEAR` nothing is clear."""
        sure = stood.get(self.best(spot))
        return sure is not None and self.sureness(spot) <= max(sure + _WAVERING, _CLEAR)

    def misfit_at_rest(self, spot: Spot, bounds: Span) -> float:
        """`misfit` where nobody has done anything: what is not read clearly, or known to be misread, proves nothing.

        But where a spot looks otherwise in the same light, and a tile is rather read as gone or come, it was touched.
        """
        misfit = self.misfit(spot, bounds)
        if spot in self.distrusted:
            return min(misfit, _DISTRUSTED)
        is_other = has_tile(self.best(spot)) not in map(has_tile, bounds)
        if spot in self.changed and is_other and self.sureness(spot) >= _TELLING:
            return max(misfit, _TOUCHED)
        return min(misfit, FIT) if self.sureness(spot) < _UNCLEAR else misfit

    def readings(self, spot: Spot, wanted: Tally) -> Iterator[Tally]:
        """The readings of a spot that are hardly less probable than the best one, which comes first.

        Who is beside a boat and who is in it is as wanted, where that is not sure.
        """
        ranked = self.ranked[spot]
        seats = self._may_be_seated(spot, wanted)
        return (_seated(tally, wanted) if seats else tally for tally, p in ranked if p >= ranked[0][1] * _HARDLY_LESS)

    def _may_be_seated(self, spot: Spot, wanted: Tally) -> bool:
        """True unless it is sure who is beside a boat and who in it. Never is where a boat has come to swimmers.

        Nobody has seen the two apart there, and boarding at once is rarer than that they are taken for one.
        """
        before = self.known.get(spot, NOTHING)
        has_come = not before[BOAT] and any(before[BESIDE])
        return wanted[BOAT] > 0 and (has_come or self.sureness(spot) < _SURE_OF_SEATS)

    def closest(self, spot: Spot, bounds: Span) -> Tally:
        """The most probable reading within the bounds; the best of all if none listed is."""
        return next((t for t, _ in self.ranked[spot] if within(t, bounds)), self.best(spot))


def _is_same_doubt(now: Sequence[tuple[Tally, float]], before: Sequence[tuple[Tally, float]]) -> bool:
    if len(now) < 2 or len(before) < 2:
        return False
    return all(now[i][0] == before[i][0] and abs(now[i][1] - before[i][1]) <= _AS_DOUBTFUL for i in (0, 1))


def is_same_light(looks: Mapping[Spot, int], before: Mapping[Spot, int]) -> bool:
    """True if most spots look as they did."""
    compared = looks.keys() & before.keys()
    return sum(looks[spot] == before[spot] for spot in compared) > _SAME_LIGHT * len(compared)


def _staying(before: Tally, bounds: Span) -> tuple[int, ...]:
    """Of each kind of creature how many were known to stand there and would still."""
    low, high = bounds
    if low[CREATURES_PART] != high[CREATURES_PART]:
        return ()
    return tuple(map(min, before[CREATURES_PART], low[CREATURES_PART]))


def _tile_staying(before: Tally, bounds: Span) -> bool:
    """True if a tile was known to lie there and would still."""
    low, high = bounds
    return any(before[TILES]) and before[TILES] == low[TILES] == high[TILES]


def _lacks_a_creature(read: Tally, bounds: Span) -> bool:
    """True if several creatures are read, and with another one it would be within the bounds."""
    several = sum(read[CREATURES_PART]) > 1
    indices = range(CREATURES_PART.start, CREATURES_PART.stop)
    return several and any(within((*read[:i], read[i] + 1, *read[i + 1 :]), bounds) for i in indices)


def _is_overfull(tally: Tally) -> bool:
    return sum(tally[ABOARD]) > BOAT_CAPACITY


def _mean(looks: Sequence[Sequence[tuple[Tally, float]]]) -> list[tuple[Tally, float]]:
    total: dict[Tally, float] = {}
    for ranked in looks:
        for tally, probability in ranked:
            total[tally] = total.get(tally, 0.0) + probability / len(looks)
    return sorted(total.items(), key=_probability, reverse=True)


def _with_tile(read: Tally, wanted: Tally) -> Tally:
    """The reading with the wanted tile in the place of its own, if it has one."""
    return (*wanted[TILES], *read[TILES.stop :]) if has_tile(read) else read


def _seated(read: Tally, wanted: Tally) -> Tally:
    """The reading with its people beside and in the boat as nearly as wanted as they are.

    Four aboard are never read for nothing: where there are three recognition hardly ever sees them.
    """
    if not read[BOAT] or _is_overfull(read):
        return read
    people = [i + j for i, j in zip(read[BESIDE], read[ABOARD], strict=True)]
    aboard = [min(n, m) for n, m in zip(people, wanted[ABOARD], strict=True)]
    beside = [n - m for n, m in zip(people, aboard, strict=True)]
    return (*read[: BESIDE.start], *beside, read[BOAT], *aboard, *read[ABOARD.stop :])


def _renamed(read: Tally, wanted: Tally, staying: Sequence[int]) -> Tally:
    """The reading with the wanted creatures in the place of its own, if only those that stay are called otherwise."""
    here, there = read[CREATURES_PART], wanted[CREATURES_PART]
    if not any(staying):
        return read
    come_are_read = all(n >= all_ - stay for n, all_, stay in zip(here, there, staying, strict=True))
    return (*read[: CREATURES_PART.start], *there) if sum(here) == sum(there) and come_are_read else read


def _probability(reading: tuple[Tally, float]) -> float:
    return reading[1]
