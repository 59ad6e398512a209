"""What is known of a board's totals counts for each hex as it does when all boards are gone through."""

import itertools
import math

import numpy as np
import pytest

from companion.rules.geometry import load_board
from companion.rules.layout import HexContent
from companion.vision import totals
from companion.vision.observation import HexHypothesis
from companion.vision.totals import weigh

HEXES = load_board().hexes


def counted(content):
    return content.serpents, content.sharks


def weight(serpents, sharks):
    return np.where(serpents + 2 * sharks == 5, 3.0, 0.5) / (1 + serpents)


def random_readings(rng, hexes):
    """Up to four readings of each hex; the first of them is taken to have the rest to 1."""
    kinds = [HexContent(serpents=s, sharks=h, whales=w) for s in range(3) for h in range(2) for w in range(2)]
    readings = {}
    for h in HEXES[:hexes]:
        chosen = rng.choice(len(kinds), rng.integers(1, 5), replace=False)
        shares = np.sort(rng.dirichlet(np.ones(len(chosen))) * rng.uniform(0.9, 1.0))[::-1]
        readings[h] = [HexHypothesis(kinds[k], float(p)) for k, p in zip(chosen, shares, strict=True)]
    return readings


def over_all_boards(readings):
    """By hex and content (in words) the probability, from every board that there can be."""
    options = []
    for h, ranked in readings.items():
        rest = 1 - sum(r.probability for r in ranked)
        options.append([(h, r.content, r.probability + rest * (i == 0)) for i, r in enumerate(ranked)])
    found, total = {}, 0.0
    for board in itertools.product(*options):
        sums = np.sum([counted(content) for _, content, _ in board], axis=0)
        share = math.prod(p for _, _, p in board) * float(weight(*sums))
        total += share
        for h, content, _ in board:
            found[h, str(content)] = found.get((h, str(content)), 0.0) + share
    return {at: share / total for at, share in found.items()}


@pytest.mark.parametrize("seed", range(12))
def test_readings_are_as_probable_as_on_all_boards_together(seed):
    readings = random_readings(np.random.default_rng(seed), 1 + seed % 6)
    rest = {h: 1 - sum(r.probability for r in ranked) for h, ranked in readings.items()}
    wanted, before = over_all_boards(readings), {h: list(ranked) for h, ranked in readings.items()}
    weigh(readings, counted, weight)
    for h, ranked in readings.items():
        assert [r.probability for r in ranked] == sorted((r.probability for r in ranked), reverse=True)
        first = before[h][0]
        for r in ranked:
            of_rest = rest[h] / (first.probability + rest[h]) if r.content == first.content else 0.0
            assert r.probability == pytest.approx(wanted[h, str(r.content)] * (1 - of_rest), abs=1e-9)


def test_what_is_as_probable_whatever_the_totals_stays_as_it_is():
    readings = random_readings(np.random.default_rng(3), 6)
    before = {h: list(ranked) for h, ranked in readings.items()}
    weigh(readings, counted, lambda *_: np.float64(7.0))
    for h, ranked in readings.items():
        assert [(r.content, pytest.approx(r.probability)) for r in before[h]] == [
            (r.content, r.probability) for r in ranked
        ]


def test_what_is_not_in_doubt_stays_as_it_is():
    for readings in ({}, {HEXES[0]: [HexHypothesis(HexContent(sharks=1), 0.9)]}):
        before = dict(readings)
        weigh(readings, counted, weight)
        assert readings == before


def test_of_more_totals_than_can_be_told_apart_the_surest_hexes_are_what_they_are_read_as(monkeypatch):
    shark, serpent = HexContent(sharks=1), HexContent(serpents=1)
    readings = {
        h: [HexHypothesis(shark, p), HexHypothesis(serpent, 1 - p)]
        for h, p in zip(HEXES, (0.99, 0.6, 0.7), strict=False)
    }
    monkeypatch.setattr(totals, "STATES", 9)
    weigh(readings, counted, lambda serpents, sharks: np.where((serpents == 2) & (sharks == 1), 1.0, 0.0))
    assert [ranked[0].content for ranked in readings.values()] == [shark, serpent, serpent]
    assert readings[HEXES[0]][0].probability == pytest.approx(0.99)
