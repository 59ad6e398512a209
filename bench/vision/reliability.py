"""Are the probabilities right: of what is claimed with 90 %, is 90 % right?

In: observations and truths. Out: by bin of claimed probability the share that is right, and the expected calibration
error: the mean distance between the two, weighted by how often each bin is used (Naeini et al. 2015).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from bench.vision.scoring import Share
from companion.rules.layout import Layout
from companion.vision.observation import Observation

EDGES = (0.0, 0.5, 0.7, 0.9, 0.97, 0.99, 0.999, 1.0)
"""Finer towards certainty, where nearly all claims are."""


class Bin(NamedTuple):
    """The claims with a probability from `low` to below `high` (the last bin: up to and with)."""

    low: float
    high: float
    claimed: float
    share: Share


class Claim(NamedTuple):
    """What is claimed of a hex: its probability, whether it is right."""

    probability: float
    right: bool


def claims(observation: Observation, truth: Layout) -> list[Claim]:
    """Of the hexes that hold something or are said to; bare sea that is seen as such would drown the others."""
    found = []
    for evidence in observation.hexes:
        if evidence.hidden or not evidence.hypotheses:
            continue
        best = evidence.hypotheses[0]
        there = truth.at(evidence.hex)
        if not (there.is_empty and best.content.is_empty):
            found.append(Claim(best.probability, best.content == there))
    return found


def bins(found: Iterable[Claim]) -> list[Bin]:
    """The bins that are used."""
    sorted_in: list[list[Claim]] = [[] for _ in EDGES[1:]]
    for claim in found:
        at = next((i for i, high in enumerate(EDGES[1:]) if claim.probability < high), len(EDGES) - 2)
        sorted_in[at].append(claim)
    return [
        Bin(
            low,
            high,
            sum(c.probability for c in inside) / len(inside),
            Share(sum(c.right for c in inside), len(inside)),
        )
        for low, high, inside in zip(EDGES, EDGES[1:], sorted_in, strict=False)
        if inside
    ]


def expected_calibration_error(used: Iterable[Bin]) -> float:
    """0 (honest) to 1; NaN without claims."""
    listed = list(used)
    total = sum(b.share.total for b in listed)
    if not total:
        return float("nan")
    return sum(b.share.total * abs(b.claimed - b.share.value) for b in listed) / total
