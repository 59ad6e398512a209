"""Explorers that get lost on a tile: where their paint has the colours of its flowers, leaves or sand.

In: the calibration's colours. Out: readings whose probability says how often such readings are right. The network is as
sure of these as of others, and is not right as often.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from calibration import Calibration
from calibration.assessment import colour_distances
from calibration.swatch import COLOURS, TERRAINS
from companion.vision.observation import HexHypothesis

DISTANCE = (0.4, 0.8)
"""Bhattacharyya distances of a paint and a terrain: up to the first they are as good as alike, from the second on
nothing gets lost."""

OVERLOOKED, SEEN_FOR_NOTHING = 0.1, 0.5
"""Of tiles as good as like a paint: how often somebody of that colour stands where none is read, and how often one
less than is read."""


class Camouflage:
    """Which explorers get lost on which tiles of one table."""

    def __init__(self, calibration: Calibration) -> None:
        distances = colour_distances(calibration)
        near, far = DISTANCE
        alike = {pair: min(1.0, (far - d) / (far - near)) for pair, d in distances.items() if d < far}
        self._alike = {t: {c: alike[c, t] for c in COLOURS if (c, t) in alike} for t in TERRAINS}

    def doubted(self, ranked: Sequence[HexHypothesis]) -> list[HexHypothesis]:
        """The readings of a hex, most probable first, with those of one such explorer more or less."""
        found = list(ranked)
        for colour in COLOURS:
            if any(colour in self._alike.get(h.content.tile or "", ()) for h in found):
                found = _summed(other for h in found for other in self._with_others(h, colour))
        return found

    def _with_others(self, reading: HexHypothesis, colour: str) -> Iterable[HexHypothesis]:
        content, probability = reading.content, reading.probability
        alike = self._alike.get(content.tile or "", {}).get(colour, 0.0)
        there = content.explorers.get(colour, 0)
        wrong, count = (alike * SEEN_FOR_NOTHING, there - 1) if there else (alike * OVERLOOKED, 1)
        yield HexHypothesis(content, probability * (1 - wrong))
        if wrong:
            others = {c: n for c in COLOURS if (n := count if c == colour else content.explorers.get(c, 0))}
            yield HexHypothesis(msgspec.structs.replace(content, explorers=others), probability * wrong)


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
