"""No more of anything than the box holds: what to claim of all hexes together, and how probable each reading is then.

In: the readings of the hexes, each hex by itself, and those of the safe lands. Out: the same readings of the hexes with
other probabilities, what is claimed first.
"""

from __future__ import annotations

import functools
import operator
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np

from calibration.arrays import Floats, Indices
from calibration.swatch import CREATURES
from companion.rules.geometry import Hex
from companion.rules.layout import COLOURS, Counts, HexContent
from companion.vision.observation import HexHypothesis, LandEvidence
from companion.vision.totals import Count, weigh

BOX = {
    **{f"tile {name}": n for name, n in (("beach", 16), ("forest", 16), ("mountain", 8))},
    **{f"explorer {c}": 10 for c in COLOURS},
    "boat": 12, "serpent": 5, "shark": 6, "whale": 5,
}  # fmt: skip
"""What the box holds."""

UNSAID = 0.01
"""Where more would be claimed than the box holds, what speaks against a claim by no more than that (by what is said of
the hex alone, and of serpents and tiles by the whole board) is no reason to take it back: where that is all, all
stay."""

BEYOND = 0.02
"""By what a board with more of a kind than the box holds is less probable: the readings of single hexes are not as
independent as that."""


def things(contents: Iterable[HexContent], ashore: Iterable[Counts] = ()) -> Counter[str]:
    """What of the box these hexes hold, and the safe lands on which these explorers stand."""
    found: Counter[str] = Counter()
    for content in (*contents, *(HexContent(explorers=counts) for counts in ashore)):
        found.update(_things(content))
    return found


def beyond_box(there: Counter[str]) -> list[str]:
    """Of what more is there than the box holds."""
    return [name for name, most in BOX.items() if there[name] > most]


def settle(readings: dict[Hex, list[HexHypothesis]], lands: Sequence[LandEvidence], weighed: Collection[str]) -> None:
    """Give the readings, in place, the probabilities that they have on a board that holds hardly more than the box, and
    put those first that are claimed.

    `lands`: who stands on the safe lands counts, too. `weighed`: the kinds whose totals have been weighed before.
    """
    held = {id(r.content): _things(r.content) for ranked in readings.values() for r in ranked}  # each counted once
    ashore = things((), (claim.explorers for land in lands if (claim := land.claim)))
    claims = _claims(readings, held, ashore)
    most: Counter[str] = Counter()
    for ranked in readings.values():
        most.update(functools.reduce(operator.or_, (held[id(r.content)] for r in ranked)))
    on_lands = [[(things((), [r.explorers]), r.probability) for r in land.hypotheses] for land in lands]
    for on_land in on_lands:
        most.update(functools.reduce(operator.or_, (there for there, _ in on_land), Counter()))
    for name in beyond_box(most):
        if name not in weighed:
            weigh(
                readings,
                functools.partial(_count, name, held),
                functools.partial(_within_box, BOX[name], _ashore(name, on_lands)),
            )
    for h, ranked in readings.items():
        ranked.insert(0, ranked.pop(next(i for i, r in enumerate(ranked) if r.content is claims[h])))


def _claims(
    readings: Mapping[Hex, Sequence[HexHypothesis]], held: Mapping[int, Counter[str]], ashore: Counter[str]
) -> dict[Hex, HexContent]:
    """What to claim of the hexes together: where their first readings have more than the box holds, the least certain
    of them are taken back for the next ones that have less of it.

    `held`: by `id` what each content holds; `ashore`: what is claimed of the safe lands.
    """
    left = dict(readings)
    given_up: set[str] = set()  # nothing else is likely enough anywhere: let the table say what is wrong
    claimed = sum((held[id(ranked[0].content)] for ranked in left.values()), Counter(ashore))
    while over := [name for name in beyond_box(claimed) if name not in given_up]:
        name = over[0]
        rivals = {}
        for h, ranked in left.items():
            if have := held[id(ranked[0].content)][name]:
                other = next((r.probability for r in ranked[1:] if held[id(r.content)][name] < have), 0.0)
                rivals[h] = other / ranked[0].probability
        if max(rivals.values(), default=0.0) <= UNSAID:
            given_up.add(name)
            continue
        h = max(rivals, key=lambda h: (rivals[h], h))
        before = held[id(left[h][0].content)]
        left[h] = [r for r in left[h] if held[id(r.content)][name] < before[name]]
        claimed.subtract(before)
        claimed.update(held[id(left[h][0].content)])
    return {h: ranked[0].content for h, ranked in left.items()}


def _count(name: str, held: Mapping[int, Counter[str]], content: HexContent) -> Count:
    return (held[id(content)][name],)


def _ashore(name: str, on_lands: Sequence[Sequence[tuple[Counter[str], float]]]) -> Floats:
    """How probable each number of it is on the safe lands together, from none on. By land what each reading of it has
    of the box, and the reading's probability."""
    found = np.ones(1)
    for on_land in on_lands:
        if on_land:
            counts = [there[name] for there, _ in on_land]
            of_land = np.bincount(counts, weights=[p for _, p in on_land])
            of_land[counts[0]] += max(0.0, 1.0 - of_land.sum())
            found = np.convolve(found, of_land)
    return found


def _within_box(most: int, ashore: Floats, there: Indices) -> Floats:
    """How probable it is that so many are on the hexes together, and `ashore` any number so probably."""
    within = there[..., None] + np.arange(len(ashore)) <= most
    return np.asarray(np.where(within, 1.0, BEYOND) @ ashore, float)


def _things(content: HexContent) -> Counter[str]:
    found: Counter[str] = Counter()
    if content.tile:
        found[f"tile {content.tile}"] = 1
    for counts in (content.explorers, content.boat or {}):
        for colour, n in counts.items():
            found[f"explorer {colour}"] += n
    found["boat"] = int(content.boat is not None)
    for name in CREATURES:
        found[name] = getattr(content, f"{name}s")
    return found
