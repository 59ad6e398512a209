"""What looks as it did gets the number that it had, whatever noise and light do; what has changed does not."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from calibration.arrays import Floats32, Indices
from companion.vision.memory import REMEMBERED, LookMemory, coarse_view

SHAPE = (64, 160)
FIRST, SECOND = (slice(8, 56), slice(8, 56)), (slice(8, 56), slice(80, 150))
"""Two places, the second of another size."""


def places() -> list[Indices]:
    found = []
    for place in (FIRST, SECOND):
        mask = np.zeros(SHAPE, bool)
        mask[place] = True
        found.append(np.flatnonzero(mask))
    return found


def view(seed: int = 0, piece: tuple[slice, slice] | None = None, light: tuple[float, float, float] = (0, 0, 0)):
    """A patterned table in Lab, with the noise of one picture; a piece darkens what it stands on."""
    pattern = np.random.default_rng(99).uniform(20, 80, (*SHAPE, 3))
    lab = pattern + np.random.default_rng(seed).normal(0, 4, (*SHAPE, 3)) + light
    if piece is not None:
        lab[piece] -= (25, 0, 0)
    return lab.astype(np.float32)


@pytest.fixture
def memory() -> LookMemory:
    return LookMemory(places(), SHAPE, itertools.count(1))


def look(memory: LookMemory, lab: Floats32, seen: tuple[bool, bool] = (True, True), *, anew: bool = True) -> list[int]:
    return memory(coarse_view(lab), np.array(seen), anew=anew).tolist()


PIECE = (slice(20, 44), slice(20, 32))
"""24 x 12 view px on the first place."""


def test_noise_and_a_little_light_leave_a_look_what_it_is(memory):
    assert look(memory, view(1)) == [1, 2]
    assert look(memory, view(2)) == [1, 2]
    assert look(memory, view(3, light=(8, -3, 3))) == [1, 2]


def test_a_piece_of_nearly_the_colour_of_the_ground_is_another_look(memory):
    """A swimmer as blue as the sea in a dim light: hardly any pixel differs by more than noise, but all of them do."""
    look(memory, view(1))
    faint = view(2)
    faint[16:48, 18:38] += (5, 3, -6)
    assert look(memory, faint) == [3, 2]


def test_what_has_come_is_another_look_and_what_has_gone_the_former_one(memory):
    look(memory, view(1))
    assert look(memory, view(2, PIECE)) == [3, 2]
    assert look(memory, view(3)) == [1, 2]
    assert look(memory, view(4, PIECE)) == [3, 2]


def test_another_light_is_another_look(memory):
    look(memory, view(1))
    assert look(memory, view(2, light=(-30, 0, 0))) == [3, 4]


def test_what_is_not_seen_has_no_number_and_is_not_forgotten(memory):
    look(memory, view(1))
    assert look(memory, view(2, PIECE), seen=(False, True)) == [0, 2]
    assert look(memory, view(3)) == [1, 2]


def test_beside_an_arm_nothing_new_is_remembered(memory):
    look(memory, view(1))
    assert look(memory, view(2, PIECE), anew=False) == [0, 2]
    assert look(memory, view(3, PIECE)) == [3, 2]


def test_the_look_longest_not_seen_is_forgotten(memory):
    for i in range(REMEMBERED):
        assert look(memory, view(i, light=(-30.0 * i, 0, 0)))[0] == 1 + 2 * i
    assert look(memory, view(20))[0] == 1
    newest = look(memory, view(21, light=(60, 0, 0)))[0]
    assert newest == 1 + 2 * REMEMBERED
    assert look(memory, view(22))[0] == 1
    assert look(memory, view(23, light=(-30, 0, 0)))[0] > newest


def test_who_begins_anew_goes_on_with_the_numbers():
    numbers = itertools.count(1)
    before = look(LookMemory(places(), SHAPE, numbers), view(1))
    assert set(before).isdisjoint(look(LookMemory(places(), SHAPE, numbers), view(1)))


def grey(spot: tuple[slice, slice] | None = None) -> Floats32:
    """A table without noise; a light spot on it, which smoothing makes a pixel of the coarse view wider all round."""
    lab = np.full((*SHAPE, 3), (50, 0, 0), np.float32)
    if spot is not None:
        lab[spot] += (40, 0, 0)
    return lab


def test_a_spot_too_small_for_a_piece_does_not_make_another_look(memory):
    """9 pixels differ: 3 x 3."""
    look(memory, grey())
    assert look(memory, grey((slice(32, 36), slice(112, 116)))) == [1, 2]


def test_a_spot_nearly_as_large_as_what_shows_least_of_a_piece_makes_another_look(memory):
    """20 pixels differ: 4 x 5. A swimmer as dark as the sea shows 22."""
    look(memory, grey())
    assert look(memory, grey((slice(32, 40), slice(112, 124)))) == [1, 3]


def test_what_the_smaller_place_is_filled_up_with_is_not_counted(memory):
    """It is the pixels of its upper rows once more: a spot there would count twice."""
    look(memory, grey())
    assert look(memory, grey((slice(12, 16), slice(28, 32)))) == [1, 2]


def test_what_looks_like_two_that_are_remembered_has_the_number_of_the_earlier(memory):
    assert look(memory, view(1)) == [1, 2]
    assert look(memory, view(2, light=(20, 0, 0))) == [3, 4]
    assert look(memory, view(3, light=(10, 0, 0))) == [1, 2]
