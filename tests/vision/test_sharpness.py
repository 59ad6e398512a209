"""How much of the print's detail is seen: in any light, under whatever stands on it; less the more it is smeared."""

import cv2
import numpy as np
import pytest

from calibration.light import to_linear
from calibration.pictures import read_picture
from companion.vision.evidence import PixelStep
from companion.vision.sharpness import BLURRED, CELL, SharpnessStep


@pytest.fixture(scope="module")
def pixels(table_calibration):
    return PixelStep(table_calibration)


@pytest.fixture(scope="module")
def sharpness(table_calibration, pixels):
    return SharpnessStep(table_calibration, pixels.inside)


@pytest.fixture(scope="module")
def game(table_dir):
    return read_picture(table_dir / "f01.jpg")


def smeared(image, sigma):
    """By so many px of the picture, of 1536 its width."""
    return cv2.GaussianBlur(image, (0, 0), sigma * image.shape[1] / 1536)


def in_light(image, times):
    linear = np.clip(times * to_linear(image), 0, 1)
    encoded = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    return np.rint(255 * encoded).astype(np.uint8)


@pytest.mark.parametrize("times", [0.25, 1.0, 1.6])
def test_the_whole_detail_is_seen_in_any_light_and_under_pieces(sharpness, pixels, game, times):
    assert 0.7 < sharpness(pixels(in_light(game, times)).lab) < 1.3


def test_the_more_a_picture_is_smeared_the_less_is_seen(sharpness, pixels, game):
    shares = [sharpness(pixels(smeared(game, sigma)).lab) for sigma in (1, 2, 3, 5, 8)]
    assert shares == sorted(shares, reverse=True)
    assert shares[0] > BLURRED > shares[2]


def test_half_of_the_board_may_be_covered(sharpness, pixels, game):
    lab = pixels(game).lab.copy()
    lab[: len(lab) // 2] = (40, 0, 0)
    assert sharpness(lab) > 0.7


def test_a_print_without_detail_tells_nothing(table_calibration, pixels):
    plain = Plain(table_calibration, lines=0)
    assert SharpnessStep(plain, pixels.inside)(np.zeros_like(plain.lab())) == 1.0


def test_a_print_with_one_line_tells_something(table_calibration, pixels):
    lined = Plain(table_calibration, lines=1)
    step = SharpnessStep(lined, pixels.inside)
    assert step(lined.lab()) == pytest.approx(1.0)
    assert step(np.zeros_like(lined.lab())) == 0.0


class Plain:
    """A calibration of which the board is a plain sea with upright lines."""

    def __init__(self, calibration, lines):
        self.on_board = calibration.on_board
        self._lab = np.zeros((*calibration.view.shape, 3), np.float32)
        self._lab[..., 0] = 50.0
        for i in range(lines):
            self._lab[:, CELL * (i + 1) + CELL // 2] = 80.0
        self.ground = self

    def lab(self):
        return self._lab
