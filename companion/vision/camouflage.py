"""Explorers whose paint has the colours of what they are on: a tile's flowers, leaves or sand, a boat's wood.

In: the calibration's colours. Out: readings whose probability says how often such readings are right. The network is as
sure of these as of others, and is not right as often.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from calibration import Calibration
from calibration.assessment import colour_distances, wood_distances
from calibration.swatch import COLOURS, TERRAINS
from companion.vision.observation import HexHypothesis

DISTANCE = (0.2, 0.9)
"""Bhattacharyya distances of a paint and a terrain: up to the first they are as good as alike, from the second on
nothing gets lost."""

OVERLOOKED, SEEN_FOR_NOTHING = 0.1, 0.4
"""Of tiles as good as like a paint: how probably somebody of that colour stands where none is read, and one less than
is read. At 133 tables, by distances up to 0.2, 0.4, 0.6, 0.8, 1: of 14, 49, 104, 105, 173 counts of somebody 8, 15, 23,
19, 14 were wrong, further off 36 of 5230; of 57, 611, 910, 1076, 1531 counts of nobody 0, 9, 12, 6, 6. But few
tiles have anybody on them, and of those who do stand on one like them a third is overlooked. Who follows a game has to
know that: with 0.015 of 240 pictures of play 210 are said rightly and 21 are questions, with 0.1 213 and 18."""

DISTANCE_ABOARD = (0.4, 0.5)
"""The same of a paint and the boats."""

SEEN_ABOARD_FOR_NOTHING = 0.4
"""Of boats as good as like a paint: how often one less of that colour is aboard than is read. Of 87 sets of pieces, 24
of them chosen for it, 5 of 10 such claims were wrong up to a distance of 0.4, all at one of four tables; to 0.6 one of
22, to 1 none of 56. Of who is overlooked aboard, in 4 of 85 boats up to 1, nothing is said."""


class Camouflage:
    """Which explorers get lost on which tiles of one table, and which are seen in its boats for nothing."""

    def __init__(self, calibration: Calibration) -> None:
        distances = colour_distances(calibration)
        self._ashore = {t: _likenesses({c: distances[c, t] for c in COLOURS}, DISTANCE) for t in TERRAINS}
        self._aboard = _likenesses(wood_distances(calibration), DISTANCE_ABOARD)

    def doubted(self, ranked: Sequence[HexHypothesis]) -> list[HexHypothesis]:
        """The readings of a hex, most probable first, with those of one such explorer more or less."""
        found = list(ranked)
        for colour in COLOURS:
            if any(colour in self._ashore.get(h.content.tile or "", ()) for h in found):
                found = _summed(other for h in found for other in self._on_the_tile(h, colour))
            if colour in self._aboard and any(h.content.boat for h in found):
                found = _summed(other for h in found for other in self._in_the_boat(h, colour))
        return found

    def _on_the_tile(self, reading: HexHypothesis, colour: str) -> Iterator[HexHypothesis]:
        people = reading.content.explorers
        alike = self._ashore.get(reading.content.tile or "", {}).get(colour, 0.0)
        there = people.get(colour, 0)
        wrong, count = (alike * SEEN_FOR_NOTHING, there - 1) if there else (alike * OVERLOOKED, 1)
        yield from _split(reading, wrong, explorers=_with(people, colour, count))

    def _in_the_boat(self, reading: HexHypothesis, colour: str) -> Iterator[HexHypothesis]:
        crew = reading.content.boat or {}
        if there := crew.get(colour, 0):
            wrong = self._aboard[colour] * SEEN_ABOARD_FOR_NOTHING
            yield from _split(reading, wrong, boat=_with(crew, colour, there - 1))
        else:
            yield reading


def _likenesses(distances: Mapping[str, float], limits: tuple[float, float]) -> dict[str, float]:
    """How like something the paints are, up to 1; only those that are at all."""
    near, far = limits
    return {paint: min(1.0, (far - d) / (far - near)) for paint, d in distances.items() if d < far}


def _with(people: Mapping[str, int], colour: str, count: int) -> dict[str, int]:
    """So many of one colour, and the others."""
    return {c: n for c in COLOURS if (n := count if c == colour else people.get(c, 0)) > 0}


def _split(reading: HexHypothesis, wrong: float, **other: Mapping[str, int]) -> Iterator[HexHypothesis]:
    """A reading that is wrong with that probability, and what is there then: the content with the other people."""
    yield HexHypothesis(reading.content, reading.probability * (1 - wrong))
    if wrong:
        yield HexHypothesis(msgspec.structs.replace(reading.content, **other), reading.probability * wrong)


def _summed(readings: Iterable[HexHypothesis]) -> list[HexHypothesis]:
    """Each content once, most probable first."""
    found: list[HexHypothesis] = []
    for reading in readings:
        at = next((i for i, h in enumerate(found) if h.content == reading.content), None)
        if at is None:
            found.append(reading)
        else:
            found[at] = HexHypothesis(reading.content, found[at].probability + reading.probability)
    return sorted(found, key=lambda h: -h.probability)
