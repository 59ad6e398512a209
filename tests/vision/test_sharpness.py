"""How much of the print's detail is seen: in any light, under whatever stands on it; less the more it is smeared."""

import cv2
import numpy as np
import pytest
from lights import from_linear

from calibration.light import to_linear
from calibration.pictures import read_picture
from calibration.view import Rectifier
from companion.vision.sharpness import BLURRED, CELL, SharpnessStep


@pytest.fixture(scope="module")
def rectify(table_calibration):
    return Rectifier(table_calibration.camera, table_calibration.view)


@pytest.fixture(scope="module")
def sharpness(table_calibration, rectify):
    return SharpnessStep(table_calibration, rectify.inside)


@pytest.fixture(scope="module")
def game(table_dir):
    return read_picture(table_dir / "f01.jpg")


@pytest.mark.parametrize("times", [0.25, 1.0, 1.6])
def test_the_detail_is_seen_in_any_light_and_under_pieces(sharpness, rectify, game, times):
    assert 0.7 < sharpness(rectify(from_linear(times * to_linear(game)))) < 1.2


def test_the_more_a_picture_is_smeared_the_less_is_seen(sharpness, rectify, game):
    """Smeared by so many px of the picture, of 1536 its width."""
    unit = game.shape[1] / 1536
    shares = [sharpness(rectify(cv2.GaussianBlur(game, (0, 0), sigma * unit))) for sigma in (1, 2, 3, 5, 8)]
    assert shares == sorted(shares, reverse=True)
    assert shares[0] > BLURRED > shares[2]


def test_half_of_the_board_may_be_covered(sharpness, rectify, game):
    view = rectify(game)
    view[: len(view) // 2] = (70, 60, 50)
    assert sharpness(view) > 0.6


class Plain:
    """A calibration of which the board is a plain sea with upright lines."""

    def __init__(self, calibration, lines):
        self.on_board = calibration.on_board
        self.reference_image = np.full((*calibration.view.shape, 3), 100, np.uint8)
        for i in range(lines):
            self.reference_image[:, CELL * (i + 1) + CELL // 2] = 180


def test_a_print_without_detail_tells_nothing(table_calibration, rectify):
    plain = Plain(table_calibration, lines=0)
    assert SharpnessStep(plain, rectify.inside)(np.zeros_like(plain.reference_image)) == 1.0


def test_a_print_with_one_line_tells_something(table_calibration, rectify):
    lined = Plain(table_calibration, lines=1)
    step = SharpnessStep(lined, rectify.inside)
    assert step(lined.reference_image) == pytest.approx(1.0)
    assert step(np.zeros_like(lined.reference_image)) == 0.0
