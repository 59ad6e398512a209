"""Answers of the network serve again where two pictures gave them, surely, of the same look; and not for ever."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.kept import SERVES, KeptAnswers
from companion.vision.questions import QUESTIONS, Answers

PLACE, ELSEWHERE = np.array([2]), np.array([1])
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
    assert not kept.holds(ELSEWHERE, LOOK)


@pytest.mark.parametrize(
    ("look", "value", "sure"),
    [(LOOK, 0, NO), (LOOK, 1, YES), (OTHER, 0, YES), (NONE, 0, YES)],
    ids=["in doubt", "another answer", "another look", "a look without a number"],
)
def test_an_answer_that_does_not_confirm_the_last_one_does_not_serve(kept, look, value, sure):
    kept.keep(PLACE, look, answers(value), sure)
    assert not kept.holds(PLACE, look)
    assert not kept.holds(PLACE, LOOK)


def test_what_is_taken_of_one_place_is_left_of_another(kept):
    for _ in range(2):
        kept.keep(ELSEWHERE, OTHER, answers(), YES)
    for _ in range(SERVES):
        kept.take(PLACE)
    assert not kept.holds(PLACE, LOOK)
    assert kept.holds(ELSEWHERE, OTHER)


def test_what_is_said_of_one_place_is_not_said_of_another(kept):
    kept.keep(ELSEWHERE, OTHER, answers(1), YES)
    taken = kept.take(PLACE)
    assert all((taken[name] == said).all() for name, said in answers().items())


@pytest.mark.parametrize(("name", "slot"), [(q.name, slot) for q in QUESTIONS for slot in range(q.count)])
def test_one_slot_that_is_answered_otherwise_confirms_nothing(kept, name, slot):
    nearly = answers()
    nearly[name][:, slot] = answers(1)[name][:, slot]
    kept.keep(PLACE, LOOK, nearly, YES)
    assert not kept.holds(PLACE, LOOK)


def test_looks_without_a_number_are_never_the_same_look():
    kept = KeptAnswers(4)
    for _ in range(3):
        kept.keep(PLACE, NONE, answers(), YES)
        assert not kept.holds(PLACE, NONE)
