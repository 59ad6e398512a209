"""Answers of the network serve again where two pictures gave them, surely, of the same look; and not for ever."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.kept import SERVES, KeptAnswers
from companion.vision.questions import QUESTIONS, Answers

PLACE = np.array([2])
LOOK, OTHER, NONE = np.array([7]), np.array([8]), np.array([0])
YES, NO = np.array([True]), np.array([False])


def answers(value: int = 0) -> Answers:
    """That value of each question, for one place."""
    said = {q.name: np.full((1, q.count, q.values), 0.01, np.float32) for q in QUESTIONS}
    for probabilities in said.values():
        probabilities[:, :, min(value, probabilities.shape[2] - 1)] = 0.9
    return said


@pytest.fixture
def kept() -> KeptAnswers:
    """Asked twice of the same look, and sure both times."""
    kept = KeptAnswers(4)
    for _ in range(2):
        assert not kept.holds(PLACE, LOOK)
        kept.keep(PLACE, LOOK, answers(), YES)
    return kept


def test_what_two_pictures_have_said_serves_so_often_and_no_more(kept):
    for _ in range(SERVES):
        assert kept.holds(PLACE, LOOK)
        taken = kept.take(PLACE)
        assert all((taken[name] == said).all() for name, said in answers().items())
    assert not kept.holds(PLACE, LOOK)


def test_what_is_confirmed_then_serves_again(kept):
    for _ in range(SERVES):
        kept.take(PLACE)
    kept.keep(PLACE, LOOK, answers(), YES)
    assert kept.holds(PLACE, LOOK)


def test_another_look_or_none_is_asked_about(kept):
    assert not kept.holds(PLACE, OTHER)
    assert not kept.holds(PLACE, NONE)
    assert not kept.holds(np.array([1]), LOOK)


@pytest.mark.parametrize(
    ("look", "value", "sure"),
    [(LOOK, 0, NO), (LOOK, 1, YES), (OTHER, 0, YES), (NONE, 0, YES)],
    ids=["in doubt", "another answer", "another look", "a look without a number"],
)
def test_an_answer_that_does_not_confirm_the_last_one_does_not_serve(kept, look, value, sure):
    kept.keep(PLACE, look, answers(value), sure)
    assert not kept.holds(PLACE, look)
    assert not kept.holds(PLACE, LOOK)
