"""What the lens adds everywhere is measured on the cards' black, and taken out; nothing that is none."""

import cv2
import numpy as np
import pytest
from lights import from_linear

from calibration.cards import find_cards
from calibration.haze import INK, NO_HAZE, black_and_white, black_share, cleared, measure_haze
from calibration.light import to_linear
from calibration.pictures import read_picture
from calibration.print import BoardPrint

BOARD = BoardPrint()
MUCH = 0.2


def hazed(image, share):
    """The picture with that share of white added everywhere, taken a little darker so that nothing is cut off."""
    return from_linear(to_linear(image) * (0.9 - share) + share)


@pytest.fixture(scope="module")
def empty(table_dir):
    return read_picture(table_dir / "calib_board.jpg")


@pytest.fixture(scope="module")
def cards(empty):
    return find_cards(empty, BOARD)


def marked(image, cards, name, level):
    """The picture with that level, BGR, all over the marker of one card."""
    return cv2.fillConvexPoly(image.copy(), cards[name].round().astype(np.int32), level)


def test_printed_black_without_haze_is_none(empty, cards):
    assert black_share(empty, BOARD, cards) < 0.8 * INK
    assert measure_haze(empty, BOARD, cards) == NO_HAZE


@pytest.mark.parametrize("share", [0.15, MUCH, 0.3])
def test_haze_is_measured_by_what_ink_cannot_be_and_never_too_much(empty, cards, share):
    for found in measure_haze(hazed(empty, share), BOARD, cards):
        assert 0.5 * share < found < 1.02 * share
    assert black_share(hazed(empty, share), BOARD, cards) > black_share(empty, BOARD, cards) + share / 2


def test_a_lamp_that_is_mirrored_in_some_cards_is_no_haze(empty, cards):
    seen = empty
    for name in list(cards)[1:]:
        seen = marked(seen, cards, name, (90, 90, 90))
    assert measure_haze(seen, BOARD, cards) == NO_HAZE
    seen = marked(seen, cards, next(iter(cards)), (90, 90, 90))
    assert min(measure_haze(seen, BOARD, cards)) > 0


def test_one_card_and_cards_whose_white_is_cut_off_tell_nothing(empty, cards):
    seen = hazed(empty, MUCH)
    one = dict(list(cards.items())[:1])
    for image, told in ((seen, one), (seen, {}), (cv2.convertScaleAbs(seen, alpha=1.6), cards)):
        assert black_and_white(image, BOARD, told).shape == (0, 2, 3)
        assert measure_haze(image, BOARD, told) == NO_HAZE
        assert black_share(image, BOARD, told) is None


def grey(light):
    """A picture of one row, as much light in all channels."""
    return from_linear(np.asarray(light, np.float32)[None, :, None].repeat(3, axis=2))


ALL = np.ones((1, 200), bool)
RAMP = np.linspace(0, 1, 200)


def test_without_haze_a_picture_is_left_alone():
    np.testing.assert_array_equal(cleared(grey(RAMP), NO_HAZE, ALL), grey(RAMP))


def test_clearing_brings_back_the_light():
    seen = cleared(grey(RAMP * (1 - MUCH) + MUCH), (MUCH, MUCH, MUCH), ALL)
    assert np.abs(to_linear(seen)[0, :, 0] - RAMP).max() < 0.012


def test_of_a_lens_that_was_wiped_no_more_is_taken_out_than_it_has():
    wiped = cleared(grey(RAMP), (MUCH, MUCH, MUCH), ALL)
    assert np.abs(to_linear(wiped)[0, :, 0] - RAMP).max() < 0.012
    little = cleared(grey(RAMP * 0.9 + 0.1), (MUCH, MUCH, 0.05), ALL)
    assert np.abs(to_linear(little)[0, :, 0] - RAMP).max() < 0.012
    assert to_linear(little)[0, 0, 2] == pytest.approx(0.05 / 0.95, abs=0.01)


def test_what_the_picture_does_not_show_is_no_dark_thing():
    seen = grey(RAMP * (1 - MUCH) + MUCH)
    seen[:, :50] = 0  # beyond the picture's edge
    there = ALL.copy()
    there[:, :50] = False
    assert (cleared(seen, (MUCH, MUCH, MUCH), there)[there] < seen[there]).mean() > 0.9
