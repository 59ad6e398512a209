"""What is known of a whole board's totals, and what that says of each hex.

In: ranked readings of hexes, each put together by itself, and how probable totals are. Out: the same readings with the
probabilities that they have on such a board. Nothing here knows what is counted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from calibration.arrays import Floats
from companion.rules.geometry import Hex
from companion.rules.layout import HexContent
from companion.vision.observation import HexHypothesis

Count = tuple[int, ...]
"""How many of each kind."""

Counted = Callable[[HexContent], Count]
"""What a hex's content counts."""

Weight = Callable[..., Floats]
"""How probable totals are, up to a factor: of as many arrays of integers as there are kinds, which broadcast. Of no
total that the readings allow less than it takes to divide by."""

STATES = 4096
"""So many totals are told apart at most. Where there would be more, the surest hexes are taken to be what they are
read as: forty hexes that may be of three kinds have 68,921."""


def weigh(readings: dict[Hex, list[HexHypothesis]], counted: Counted, weight: Weight) -> None:
    """Give the readings, in place, the probabilities that they have if totals of what is `counted` are as probable as
    `weight` says, and hexes are independent but for that (sums over all boards, hex by hex: forward-backward).

    What is missing to 1 in a hex counts as its first reading.
    """
    shares = {h: _shares(ranked, counted) for h, ranked in readings.items() if len(ranked) > 1}
    doubted = [h for h, s in shares.items() if len(s) > 1]
    doubted.sort(key=lambda h: max(shares[h].values()))
    sizes = np.cumsum([_most(shares[h]) for h in doubted], axis=0) + 1
    doubted = doubted[: int((sizes.prod(axis=1) <= STATES).sum())] if doubted else []
    if not doubted:
        return
    sizes = sizes[len(doubted) - 1]
    surely = [counted(readings[h][0].content) for h in readings.keys() - set(doubted)]
    settled = np.sum([0 * sizes, *surely], axis=0)
    totals = np.ogrid[tuple(slice(0, size) for size in sizes)]
    beyond = [np.broadcast_to(weight(*(t + s for t, s in zip(totals, settled, strict=True))), sizes).astype(float)]
    for h in reversed(doubted):
        later = np.zeros(sizes)
        for count, share in shares[h].items():
            here, there = _shifted(count)
            later[here] += share * beyond[-1][there]
        beyond.append(later)
    so_far = np.zeros(sizes)
    so_far[(0,) * len(sizes)] = 1.0
    for h, later in zip(doubted, beyond[-2::-1], strict=True):
        after = np.zeros(sizes)
        factors = {}
        for count, share in shares[h].items():
            here, there = _shifted(count)
            factors[count] = float((so_far[here] * later[there]).sum())
            after[there] += share * so_far[here]
        so_far = after
        readings[h] = _reweighted(readings[h], [factors[counted(r.content)] for r in readings[h]])


def _shares(ranked: Sequence[HexHypothesis], counted: Counted) -> dict[Count, float]:
    """How probable each count of a hex is."""
    found: dict[Count, float] = defaultdict(float)
    for reading in ranked:
        found[counted(reading.content)] += reading.probability
    found[counted(ranked[0].content)] += max(0.0, 1.0 - sum(found.values()))
    return found


def _most(counts: Iterable[Count]) -> Count:
    return tuple(max(each) for each in zip(*counts, strict=True))


def _shifted(count: Count) -> tuple[tuple[slice, ...], tuple[slice, ...]]:
    """The totals from which so many more still are totals, and those that they are then."""
    return tuple(slice(None, -n or None) for n in count), tuple(slice(n, None) for n in count)


def _reweighted(ranked: Sequence[HexHypothesis], factors: Sequence[float]) -> list[HexHypothesis]:
    """The readings that many times as probable, most probable first; the rest to 1 as the first."""
    weights = [r.probability * f for r, f in zip(ranked, factors, strict=True)]
    total = sum(weights) + max(0.0, 1.0 - sum(r.probability for r in ranked)) * factors[0]
    found = [HexHypothesis(r.content, w / total) for r, w in zip(ranked, weights, strict=True)]
    return sorted(found, key=lambda r: -r.probability)
