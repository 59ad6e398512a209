"""What the lens adds everywhere is measured on the cards' black, and taken out; nothing that is none."""

import cv2
import msgspec
import numpy as np
import pytest
from cameras import TILTED
from lights import from_linear

from calibration.cards import find_cards
from calibration.haze import INK, Haze, black_and_white, black_share, cleared, measure_haze
from calibration.light import to_linear
from calibration.markers import aruco_dictionary
from calibration.pictures import read_picture
from calibration.print import BoardPrint
from calibration.view import Rectifier, board_view

BOARD = BoardPrint()
MUCH = 0.2


def hazed(image, share):
    """The picture with that share of white added everywhere, taken a little darker so that nothing is cut off."""
    return from_linear(to_linear(image) * (0.9 - share) + share)


def measured(image, cards, swatches=None):
    """The haze that the cards and the swatch picture prove; the whole picture stands for the view."""
    return measure_haze(black_and_white(image, BOARD, cards), image, np.ones(image.shape[:2], bool), swatches)


@pytest.fixture(scope="module")
def empty(table_dir):
    return read_picture(table_dir / "calib_board.jpg")


@pytest.fixture(scope="module")
def swatches(table_dir):
    return read_picture(table_dir / "calib_pieces.jpg")


@pytest.fixture(scope="module")
def cards(empty):
    return find_cards(empty, BOARD)


def marked(image, cards, name, level):
    """The picture with that level of grey all over the marker of one card."""
    return cv2.fillConvexPoly(image.copy(), cards[name].round().astype(np.int32), (level,) * 3)


def test_printed_black_without_haze_is_none(empty, cards):
    assert 0.01 < black_share(black_and_white(empty, BOARD, cards)) < 0.8 * INK
    assert measured(empty, cards) is None


@pytest.mark.parametrize("share", [0.15, MUCH, 0.3])
def test_haze_is_measured_by_what_ink_cannot_be_and_never_too_much(empty, cards, share):
    haze = measured(hazed(empty, share), cards)
    assert all(0.5 * share < added < 1.02 * share for added in haze.added)
    told = black_and_white(hazed(empty, share), BOARD, cards)
    assert black_share(told) > black_share(black_and_white(empty, BOARD, cards)) + share / 2


def test_a_lamp_that_is_mirrored_in_some_cards_is_no_haze(empty, cards):
    seen = empty
    for name in list(cards)[1:]:
        seen = marked(seen, cards, name, 120)
    assert measured(seen, cards) is None
    seen = marked(seen, cards, next(iter(cards)), 120)
    assert min(measured(seen, cards).added) > 0


def test_one_card_alone_tells_nothing(empty, cards):
    one = dict(list(cards.items())[:1])
    for some in (one, {}):
        told = black_and_white(hazed(empty, MUCH), BOARD, some)
        assert told.shape == (0, 2, 3)
        assert black_share(told) is None
        assert measured(hazed(empty, MUCH), some) is None


def test_white_that_is_cut_off_proves_haze_where_it_is_far_too_much_for_ink(empty, cards):
    bright = from_linear(1.5 * (to_linear(empty) * 0.7 + MUCH))
    assert 0 < min(measured(bright, cards).added) < 1.5 * MUCH
    assert measured(from_linear(1.5 * to_linear(empty)), cards) is None


def test_ink_may_explain_a_tenth_of_white_and_more_where_white_is_cut_off(empty, cards):
    clear = np.array([[[0.28] * 3, [1.0] * 3]] * 2)
    assert measure_haze(clear, empty, np.ones(empty.shape[:2], bool)).added == pytest.approx((0.2,) * 3)
    clear[0, 0, 0] = 0.09  # one card's black has less blue
    assert measure_haze(clear, empty, np.ones(empty.shape[:2], bool)).added == pytest.approx((0.0, 0.2, 0.2))
    pale = from_linear(np.full((1, 1, 3), 0.13))[0, 0, 0]
    seen = from_linear(1.5 * to_linear(empty))
    for name in cards:
        seen = marked(seen, cards, name, int(pale))
    assert (black_and_white(seen, BOARD, cards)[:, 0] > INK).all()
    assert measured(seen, cards) is None


def test_the_haziest_lens_is_told_as_long_as_markers_are_found(empty, cards):
    share = black_share(black_and_white(from_linear(0.3 * to_linear(empty) + 0.5), BOARD, cards))
    assert 0.6 < share < 0.8


def test_a_card_of_which_half_is_seen_tells_and_a_darker_rim_is_no_white(empty, cards):
    whole = black_and_white(empty, BOARD, cards)
    left = min(corners[:, 0].min() for corners in cards.values())
    top = min(corners[:, 1].min() for corners in cards.values())
    edge = np.array([max(0, int(left) - 1), max(0, int(top) - 1)])
    cropped = np.ascontiguousarray(empty[edge[1] :, edge[0] :])
    told = black_and_white(cropped, BOARD, {name: corners - edge for name, corners in cards.items()})
    assert 2 <= len(told) <= 4
    assert black_share(told) < 0.8 * INK
    np.testing.assert_allclose(told[:, 1].max(axis=0), whole[:, 1].max(axis=0), rtol=0.2)
    assert black_and_white(np.full_like(empty, 60), BOARD, cards).shape == (0, 2, 3)


@pytest.mark.parametrize("name", ["DICT_4X4_50", "DICT_5X5_50", "DICT_7X7_50", "DICT_APRILTAG_36h11"])
def test_black_is_looked_for_in_the_border_of_markers_of_every_size(name):
    board = BoardPrint(marker_dict=name)
    side = 600
    marker = cv2.aruco.generateImageMarker(aruco_dictionary(name), 0, side)
    corners = board.card_corners("nw")
    at = (board.card_black("nw")[:, :2] - corners[0, :2]) / board.marker * side
    cells = aruco_dictionary(name).markerSize + 2
    for column, row in at.astype(int):
        reach = int(0.4 * side / cells)
        assert not marker[max(0, row - reach) : row + reach, max(0, column - reach) : column + reach].any()


def test_among_the_swatch_pieces_something_is_dark_and_what_all_lacks_of_it_is_haze(empty, cards, swatches):
    for share in (0.0, 0.002):
        assert measured(hazed(empty, share), cards, hazed(swatches, share)) is None
    for share in (0.03, 0.06):
        assert measured(hazed(empty, share), cards) is None, "ink may explain it"
        for known in (cards, {}):
            haze = measured(hazed(empty, share), known, hazed(swatches, share))
            assert all(share - 0.015 < added < 1.02 * share for added in haze.added)
            assert haze.middle == measured(hazed(empty, share), cards, hazed(swatches, MUCH)).middle


def test_the_surer_of_cards_and_swatch_pieces_tells(empty, cards, swatches):
    by_cards = measured(hazed(empty, MUCH), cards)
    assert measured(hazed(empty, MUCH), cards, swatches) == by_cards
    assert min(measured(hazed(empty, MUCH), cards, hazed(swatches, MUCH)).added) > min(by_cards.added) + 0.03


@pytest.mark.parametrize("light", [0.5, 1.05])
def test_haze_of_the_swatch_picture_is_told_in_the_light_of_the_empty_board(empty, cards, swatches, light):
    share = 0.06
    there = measured(hazed(empty, share), cards, hazed(swatches, share))
    other = measured(hazed(empty, share), cards, from_linear(light * to_linear(hazed(swatches, share))))
    np.testing.assert_allclose(other.added, there.added, rtol=0.1)


def test_what_is_dark_in_one_channel_shows_that_no_haze_lies_over_it(empty, cards, swatches):
    """Haze is of the lamp's own colour: what has no red in it shows that there is none."""
    pale = from_linear(0.9 * to_linear(swatches) + 0.1)
    pale[..., 2] = swatches[..., 2]
    assert measured(empty, cards, pale) is None


def test_half_the_light_has_half_the_haze(empty, cards, swatches):
    hazy = [hazed(image, 0.04) for image in (empty, swatches)]
    dim, dim_swatches = (from_linear(0.5 * to_linear(image)) for image in hazy)
    full, half = measured(hazy[0], cards, hazy[1]), measured(dim, cards, dim_swatches)
    np.testing.assert_allclose(half.added, np.array(full.added) / 2, rtol=0.12)


def test_single_dark_pixels_are_noise(empty, cards, swatches):
    hazy = hazed(swatches, 0.06)
    noisy = hazy.copy()
    noisy[::20, ::20] = 0
    known = measured(hazed(empty, 0.06), cards, hazy)
    np.testing.assert_allclose(measured(hazed(empty, 0.06), cards, noisy).added, known.added, atol=0.02)


def test_what_lies_over_the_swatch_picture_alone_is_no_haze(empty, cards, swatches):
    for known in (cards, {}):
        for over in (hazed(swatches, MUCH), np.full_like(swatches, 128)):
            haze = measured(empty, known, over)
            assert haze is None or max(haze.added) < 0.01


@pytest.mark.filterwarnings("error")
def test_a_black_swatch_picture_tells_nothing_and_takes_nothing_away(empty, cards, swatches):
    hazy = hazed(empty, MUCH)
    assert measured(hazy, cards, np.zeros_like(swatches)) == measured(hazy, cards)
    nowhere = np.zeros(empty.shape[:2], bool)
    told = black_and_white(hazy, BOARD, cards)
    assert measure_haze(told, hazy, nowhere, swatches).added == measured(hazy, cards).added


def grey(light):
    """A picture of one row, as much light in all channels."""
    return from_linear(np.asarray(light, np.float32)[None, :, None].repeat(3, axis=2))


RAMP = np.linspace(0.02, 1, 200)
ALL = np.ones((1, 200), bool)
HAZE = Haze((MUCH,) * 3, (float(np.median(RAMP)) * (1 - MUCH) + MUCH,) * 3)


def test_without_haze_a_picture_is_left_alone(empty):
    size = (empty.shape[1], empty.shape[0])
    rectify = Rectifier(msgspec.structs.replace(TILTED, image_size=size), board_view(BOARD))
    assert rectify.clear(empty) is empty


@pytest.mark.parametrize("light", [1.0, 0.7, 0.5, 0.3])
def test_in_less_light_there_is_less_haze(light):
    """Seen is light * ((1 - haze) * what is there + haze); an eighth of the haze may stay where all is dark."""
    seen = to_linear(cleared(grey(light * (RAMP * (1 - MUCH) + MUCH)), HAZE, ALL))[0, :, 0]
    assert np.abs(seen - light * RAMP).max() < 0.012 + light * MUCH / 8


def test_what_has_colours_is_not_taken_for_less_light():
    bluish = grey(RAMP * (1 - MUCH) + MUCH)
    bluish[..., 1:] = grey(0.5 * RAMP * (1 - MUCH) + MUCH)[..., 1:]
    seen = to_linear(cleared(bluish, HAZE, ALL))[0]
    assert np.abs(seen[:, 0] - RAMP).max() < 0.012 + MUCH / 8
    assert np.abs(seen[:, 1] - 0.5 * RAMP).max() < 0.012 + MUCH / 6


def test_in_more_light_no_more_is_taken_out():
    seen = grey(1.2 * ((0.3 + 0.3 * RAMP) * (1 - MUCH) + MUCH))
    dim = Haze(HAZE.added, (0.1,) * 3)
    taken = to_linear(seen) - to_linear(cleared(seen, dim, ALL)) * (1 - MUCH)
    assert 0.7 * MUCH < taken.min() <= taken.max() < MUCH + 0.012


def test_of_a_lens_that_was_wiped_no_more_is_taken_out_than_it_may_have():
    wiped = to_linear(cleared(grey(RAMP), HAZE, ALL))[0, :, 0]
    assert np.abs(wiped - RAMP).max() < 0.03
    assert (wiped[3:] > 0).all()


@pytest.mark.parametrize("ramp", [RAMP, RAMP[::-1]])
def test_what_the_picture_does_not_show_is_no_dark_thing(ramp):
    seen = grey(ramp.repeat(2) * (1 - MUCH) + MUCH)
    known = cleared(seen, HAZE, np.ones((1, 400), bool))
    wider = np.zeros((1, 460, 3), np.uint8)  # black beyond the picture's edge
    wider[:, :400] = seen
    there = np.arange(460)[None] < 400
    np.testing.assert_allclose(cleared(wider, HAZE, there)[:, :400].astype(int), known, atol=2)


def test_a_channel_that_lacks_haze_hinders_no_other():
    seen = grey(RAMP * (1 - MUCH) + MUCH)
    seen[..., 0] = grey(RAMP)[..., 0]
    seen[:, :5, 0] = 0
    for little in (0.0, 0.002):
        taken = cleared(seen, Haze((little, MUCH, MUCH), HAZE.middle), ALL)
        np.testing.assert_allclose(to_linear(taken)[0, :, 1], RAMP, atol=0.012 + MUCH / 8)


def test_haze_beyond_all_light_is_refused():
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"added": [0.1, 0.1, 1.5], "middle": [0.3, 0.3, 0.3]}, Haze)
