"""Feet on safe lands: where they are, of which colour, and when a land is to be looked at once more."""

import numpy as np
import pytest

from companion.rules.layout import COLOURS
from companion.vision.feet import feet_on, in_doubt, is_peak, mean_rates

RED, BLUE = COLOURS.index("red"), COLOURS.index("blue")


@pytest.fixture
def rates():
    return np.full((len(COLOURS), 16, 16), 0.005, np.float32)


def test_cells_side_by_side_are_one_foot_and_the_likeliest_of_them_counts(rates):
    rates[RED, 5, 5:7] = 0.9, 0.95
    rates[BLUE, 6, 5] = 0.4
    assert np.argwhere(is_peak(rates)[RED]).tolist() == [[5, 6]]
    assert not is_peak(rates)[BLUE].any()


def test_a_foot_is_nobodys_or_of_one_of_the_colours_that_are_likely_there(rates):
    rates[RED, 5, 5], rates[BLUE, 6, 5] = 0.6, 0.2
    (foot,) = feet_on(rates, np.ones((16, 16), bool))
    assert foot.sum() == pytest.approx(1.0)
    assert foot[0] == pytest.approx(0.2, abs=0.02), "a rate is that of one colour"
    assert foot[1 + RED] / foot[1 + BLUE] == pytest.approx(9.0)


def test_where_nobody_knows_of_which_colour_it_is_somebody_stands_all_the_same(rates):
    rates[RED, 5, 5], rates[BLUE, 5, 5] = 0.5, 0.49
    (foot,) = feet_on(rates, np.ones((16, 16), bool))
    assert foot.argmax() == 1 + RED
    assert foot[0] < 0.02


def test_one_who_stands_two_cells_away_has_little_part_in_a_foot(rates):
    rates[RED, 5, 5:8] = 0.9, 0.005, 0.005
    rates[BLUE, 5, 5:8] = 0.005, 0.6, 0.95
    one, other = feet_on(rates, np.ones((16, 16), bool))
    assert (one.argmax(), other.argmax()) == (1 + RED, 1 + BLUE)
    assert one[1 + BLUE] == pytest.approx(0.36 / 1.17, abs=0.01), "the cell between them"
    assert other[1 + RED] < 0.001


def test_feet_at_the_rim_of_the_map_are_read_and_those_off_the_land_are_not(rates):
    rates[RED, 0, 15] = rates[BLUE, 15, 0] = 0.9
    inside = np.ones((16, 16), bool)
    assert len(feet_on(rates, inside)) == 2
    inside[15] = False
    (foot,) = feet_on(rates, inside)
    assert foot.argmax() == 1 + RED


def test_no_foot_is_certain(rates):
    rates[RED, 5, 5] = 1.0
    (foot,) = feet_on(rates, np.ones((16, 16), bool))
    assert 0 < foot[0] < 0.01


@pytest.mark.parametrize(
    ("red", "beside", "blue", "doubt"),
    [(0.99, 0.4, 0.005, False), (0.6, 0.01, 0.005, True), (0.98, 0.4, 0.97, True), (0.03, 0.01, 0.005, False)],
)
def test_a_land_is_in_doubt_where_it_is_not_sure_whether_or_of_which_colour_somebody_is(
    rates, red, beside, blue, doubt
):
    rates[RED, 5, 5:7], rates[BLUE, 5, 5] = (red, beside), blue
    assert in_doubt(rates) is doubt


def test_two_looks_say_the_mean_of_their_logits():
    one, other = np.array([0.9, 0.5, 1.0, 0.0], np.float32), np.array([0.9, 0.8, 0.5, 0.0], np.float32)
    together = mean_rates(one, other)
    np.testing.assert_allclose(together[:2], [0.9, 2 / 3], atol=1e-5)
    assert 0.99 < together[2] <= 1.0
    assert together[3] == 0.0
