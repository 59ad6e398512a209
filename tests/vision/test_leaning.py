"""Which way answers lean is told by hexes of which it is known what lies there, and taken out of all others."""

import numpy as np
import pytest

from calibration.swatch import COLOURS, PRESCRIBED, TERRAINS
from companion.vision.leaning import ASKED, MOST, Leaning, fit_leaning
from companion.vision.questions import QUESTIONS

BEACH, MOUNTAIN = (1 + TERRAINS.index(name) for name in ("beach", "mountain"))
SHAPES = {q.name: (q.count, q.values) for q in QUESTIONS}


def truths():
    """By question what lies on the hexes of the prescribed layout: N x slots."""
    return {
        "tile": np.array([[1 + TERRAINS.index(s.tile) if s.tile else 0] for s in PRESCRIBED]),
        "free": np.array([[s.explorers.get(c, 0) for c in COLOURS] for s in PRESCRIBED]),
    }


def said(sure=0.98):
    """Answers that are right, and as sure as that, of every slot."""
    found = {name: np.full((len(PRESCRIBED), *shape), 0.25, np.float32) for name, shape in SHAPES.items()}
    for name, truth in truths().items():  # of the others nothing is said
        values = SHAPES[name][1]
        found[name] = np.where(truth[..., None] == np.arange(values), sure, (1 - sure) / (values - 1))
    return {name: answers.astype(np.float32) for name, answers in found.items()}


def test_what_is_right_and_sure_does_not_lean():
    told = fit_leaning(said(0.99999), PRESCRIBED)
    for factors in told.factors.values():
        assert factors == pytest.approx(1.0, abs=1e-3)


def test_mountains_that_look_like_sand_are_told_by_those_that_are_known():
    """Of both kinds half of the probability is lost to the other; mountains look a little more like sand than not."""
    answers = said()
    tile = truths()["tile"][:, 0]
    for kind, sand in ((BEACH, 0.8), (MOUNTAIN, 0.65)):
        answers["tile"][tile == kind] = 0.0
        answers["tile"][tile == kind, 0, BEACH], answers["tile"][tile == kind, 0, MOUNTAIN] = sand, 1 - sand
    fair = fit_leaning(answers, PRESCRIBED).taken_out(answers)["tile"][:, 0]
    assert (answers["tile"][tile == MOUNTAIN, 0].argmax(axis=1) == BEACH).all()
    for kind in (BEACH, MOUNTAIN):
        assert (fair[tile == kind].argmax(axis=1) == kind).all()
    np.testing.assert_allclose(fair[tile == 0], answers["tile"][tile == 0, 0], atol=0.01)


@pytest.mark.parametrize("factor", [20.0, 0.05])
def test_a_colour_leans_by_itself(factor):
    """Whoever is overlooked everywhere is there more often than is said, one or several; the others are as said."""
    answers, factors = said(0.9), np.ones(SHAPES["free"])
    factors[2, 1:] = factor
    answers = Leaning({"free": factors}).taken_out(answers)
    found, by_itself = (fit_leaning(a, PRESCRIBED).factors["free"] for a in (answers, said(0.9)))
    assert found.shape == SHAPES["free"]
    assert found[:, 0] == pytest.approx(1.0)
    assert (found[:, 1:] == found[:, 1:2]).all(), "how many there are it does not tell"
    others = [0, 1, 3]
    assert found[others] == pytest.approx(by_itself[others])
    back = np.log(found[2, 1] / by_itself[2, 1]) / -np.log(factor)
    assert 0.15 < back < 1.0, "nothing is believed altogether that few hexes tell"


def test_a_few_hexes_are_not_believed_beyond_what_is_thought_likely():
    """Who never sees yellow is not told that it is everywhere."""
    answers = said()
    answers["free"][:, 2] = np.eye(5)[0]
    lean = np.log(fit_leaning(answers, PRESCRIBED).factors["free"][2, 1])
    assert lean == pytest.approx(MOST)


def test_other_questions_are_answered_as_before():
    answers = said()
    fair = fit_leaning(answers, PRESCRIBED).taken_out(answers)
    assert fair.keys() == answers.keys()
    for name in set(SHAPES) - set(ASKED):
        assert fair[name] is answers[name]
    for name in ASKED:
        assert fair[name].dtype == np.float32
        np.testing.assert_allclose(fair[name].sum(axis=2), 1.0, atol=1e-6)


def test_what_does_not_lean_stays_as_it_is():
    answers = said()
    assert Leaning({}).taken_out(answers) == answers
