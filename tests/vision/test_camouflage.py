"""Explorers whose paint is like a tile's colours are claimed as surely as such claims are right."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from companion.rules.geometry import load_board
from companion.rules.layout import HexContent
from companion.vision.camouflage import OVERLOOKED, SEEN_FOR_NOTHING, Camouflage
from companion.vision.observation import HexHypothesis
from companion.vision.questions import QUESTIONS
from companion.vision.readings import hex_evidence


@pytest.fixture(scope="module")
def flowered(table_calibration) -> Camouflage:
    """The forest has the colours of yellow paint."""
    yellow = np.frombuffer(table_calibration.samples["yellow"], np.int8).reshape(-1, 3)
    forest = (yellow + np.random.default_rng(1).integers(-3, 4, yellow.shape)).astype(np.int8)
    samples = {**table_calibration.samples, "forest": forest.tobytes()}
    return Camouflage(msgspec.structs.replace(table_calibration, samples=samples))


def sure(content: HexContent) -> list[HexHypothesis]:
    return [HexHypothesis(content, 1.0)]


def test_an_explorer_among_flowers_may_be_one_and_one_may_be_overlooked(flowered):
    seen = flowered.doubted(sure(HexContent(tile="forest", explorers={"yellow": 1, "red": 1})))
    assert [h.content.explorers for h in seen][:2] in (
        [{"yellow": 1, "red": 1}, {"red": 1}],
        [{"red": 1}, {"yellow": 1, "red": 1}],
    )
    assert {h.probability for h in seen} == {SEEN_FOR_NOTHING, 1 - SEEN_FOR_NOTHING}
    bare = flowered.doubted(sure(HexContent(tile="forest")))
    assert [(h.content.explorers, h.probability) for h in bare] == [({}, 1 - OVERLOOKED), ({"yellow": 1}, OVERLOOKED)]


def test_others_are_as_sure_as_the_network_is(flowered):
    for content in (
        HexContent(tile="beach", explorers={"yellow": 1}),
        HexContent(explorers={"yellow": 1}),
        HexContent(tile="forest", explorers={"yellow": 1, "blue": 2}),
    ):
        claimed = flowered.doubted(sure(content))
        assert all(h.content.explorers.get("blue", 0) == content.explorers.get("blue", 0) for h in claimed)
        assert content.tile == "forest" or claimed == sure(content)


def test_a_table_whose_colours_differ_is_read_as_before(table_calibration):
    camouflage = Camouflage(table_calibration)
    for tile in ("beach", "forest", "mountain"):
        for colour in ("red", "blue", "yellow", "green"):
            content = HexContent(tile=tile, explorers={colour: 1})
            assert camouflage.doubted(sure(content)) == sure(content)


def test_readings_that_come_to_the_same_are_one(flowered):
    two = [
        HexHypothesis(HexContent(tile="forest"), 0.6),
        HexHypothesis(HexContent(tile="forest", explorers={"yellow": 1}), 0.4),
    ]
    seen = flowered.doubted(two)
    assert len(seen) == 2
    assert sum(h.probability for h in seen) == pytest.approx(1.0)
    assert seen[0].probability == pytest.approx(0.6 * (1 - OVERLOOKED) + 0.4 * SEEN_FOR_NOTHING)


def test_what_is_not_listed_keeps_its_share(table_calibration):
    """Of answers to nothing in particular most are off the list, and the list does not sum to 1."""
    board = load_board()
    scattered = {q.name: np.full((1, q.count, q.values), 1 / q.values, np.float32) for q in QUESTIONS}
    seen, without = (
        next(e for e in hex_evidence(board, [(0, 0)], scattered, {}, camouflage=camouflage) if e.hex == (0, 0))
        for camouflage in (Camouflage(table_calibration), None)
    )
    assert seen == without
    assert sum(h.probability for h in seen.hypotheses) < 0.9
