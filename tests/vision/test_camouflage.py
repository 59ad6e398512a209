"""Explorers whose paint is like a tile's colours, or a boat's, are not claimed surely."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from calibration.swatch import COLOURS
from companion.rules.geometry import load_board
from companion.rules.layout import HexContent
from companion.vision import camouflage
from companion.vision.camouflage import OVERLOOKED, SEEN_ABOARD_FOR_NOTHING, SEEN_FOR_NOTHING, Camouflage
from companion.vision.observation import HexHypothesis
from companion.vision.questions import QUESTIONS
from companion.vision.readings import hex_evidence


@pytest.fixture(scope="module")
def flowered(table_calibration) -> Camouflage:
    """The forest has the colours of yellow paint."""
    return painted_alike(table_calibration, "forest", "yellow")


@pytest.fixture(scope="module")
def red_boats(table_calibration) -> Camouflage:
    """The boats have the colours of red paint."""
    return painted_alike(table_calibration, "boat", "red")


def painted_alike(calibration, name: str, paint: str) -> Camouflage:
    of_paint = np.frombuffer(calibration.samples[paint], np.int8).reshape(-1, 3)
    of_it = (of_paint + np.random.default_rng(1).integers(-3, 4, of_paint.shape)).astype(np.int8)
    samples = {**calibration.samples, name: of_it.tobytes()}
    return Camouflage(msgspec.structs.replace(calibration, samples=samples))


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


def test_a_passenger_of_the_boats_own_colour_may_be_none(red_boats):
    seen = red_boats.doubted(sure(HexContent(explorers={"red": 1}, boat={"red": 1, "blue": 1})))
    assert {h.content.explorers["red"] for h in seen} == {1}, "who swims beside it is seen against the sea"
    assert [(h.content.boat, h.probability) for h in seen] == [
        ({"red": 1, "blue": 1}, 1 - SEEN_ABOARD_FOR_NOTHING),
        ({"blue": 1}, SEEN_ABOARD_FOR_NOTHING),
    ]


def test_of_two_passengers_one_may_be_none_and_what_comes_to_the_same_is_one(red_boats):
    two, one, sea = HexContent(boat={"red": 2}), HexContent(boat={"red": 1}), HexContent(explorers={"red": 1})
    seen = red_boats.doubted([HexHypothesis(two, 0.6), HexHypothesis(one, 0.3), HexHypothesis(sea, 0.1)])
    less = SEEN_ABOARD_FOR_NOTHING
    expected = {"two": 0.6 * (1 - less), "one": 0.6 * less + 0.3 * (1 - less), "none": 0.3 * less, "sea": 0.1}
    by_content = [(two, "two"), (one, "one"), (HexContent(boat={}), "none"), (sea, "sea")]
    assert len(seen) == len(expected)
    for content, name in by_content:
        assert next(h.probability for h in seen if h.content == content) == pytest.approx(expected[name])


@pytest.mark.parametrize(("distance", "wrong"), [(0.3, 0.4), (0.4, 0.4), (0.45, 0.2), (0.5, 0.0), (2.0, 0.0)])
def test_the_less_like_the_boat_the_surer(table_calibration, monkeypatch, distance, wrong):
    monkeypatch.setattr(camouflage, "wood_distances", lambda _: dict.fromkeys(COLOURS, distance))
    seen = Camouflage(table_calibration).doubted(sure(HexContent(boat={"green": 1})))
    assert seen[0].content.boat == {"green": 1}
    assert seen[0].probability == pytest.approx(1 - wrong)


def test_of_who_is_overlooked_in_a_boat_nothing_is_said(red_boats):
    for boat in ({}, {"blue": 2}):
        assert red_boats.doubted(sure(HexContent(boat=boat))) == sure(HexContent(boat=boat))


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
            content = HexContent(tile=tile, explorers={colour: 1}, boat={colour: 1})
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
