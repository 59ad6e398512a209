"""Lamps that the empty board mirrors: how much they add is told, of pale print and of one bright hex it is not said."""

import cv2
import numpy as np
import pytest

from calibration.light import to_linear
from calibration.pictures import read_picture
from calibration.print import HEXES
from calibration.quality import SHINY, white_level
from calibration.shine import WHERE, by_hex, mirrored
from tests.lights import from_linear


@pytest.fixture(scope="module")
def empty(table_dir):
    return read_picture(table_dir / "calib_board.jpg")


@pytest.fixture(scope="module")
def told(empty, table_calibration):
    """What is told of a picture, and the light there of `share` of white in a blob of `reach` mm about (mm) `at`."""
    camera, board, cards = table_calibration.camera, table_calibration.board, table_calibration.cards
    grey = np.asarray(cv2.cvtColor(empty, cv2.COLOR_BGR2GRAY), np.uint8)
    white = white_level(grey, camera, board, dict(cards))
    rows, columns = empty.shape[:2]
    full = float(to_linear(np.full((1, 1, 3), round(white), np.uint8)).mean())

    def tell(share=0.0, reach=100.0, at=(20.0, -30.0), gain=1.0, haze=0.0):
        middle, beside = camera.project(np.array([(*at, 0.0), (at[0] + reach, at[1], 0.0)]))
        y, x = np.mgrid[:rows, :columns]
        off = np.hypot(x - middle[0], y - middle[1]) / np.hypot(*(beside - middle))
        added = share * full * np.exp(-(off**2) / 2)
        picture = from_linear((to_linear(empty) + added[..., None]) * gain + haze)
        hexes = np.array([board.centre(h) for h in HEXES]) - at
        true = share * np.exp(-((hexes**2).sum(axis=1)) / reach**2 / 2)
        level = float(from_linear(np.float32(full * gain + haze)))
        lamp = float(np.quantile(true, WHERE) - np.median(true))
        return mirrored(by_hex(picture, camera, board, level)), lamp

    return tell


@pytest.mark.parametrize("share", [0.3, 0.5])
@pytest.mark.parametrize("at", [(20.0, -30.0), (-90.0, 60.0)])
@pytest.mark.parametrize("gain", [1.0, 0.4])
def test_how_much_a_lamp_adds_is_told_in_any_light(told, share, at, gain):
    found, true = told(share, at=at, gain=gain)
    assert found == pytest.approx(true, abs=0.07)
    assert 100 * found > SHINY or share < 0.5


def test_without_a_lamp_there_is_little_and_one_shiny_hex_is_not_a_lamp(told):
    assert 100 * told()[0] < SHINY / 2
    assert told(0.6, reach=15.0)[0] == pytest.approx(told()[0], abs=0.02)


def test_more_is_told_where_there_is_more(told):
    found = [told(share)[0] for share in (0.0, 0.1, 0.2, 0.4, 0.6)]
    assert found == sorted(found)
    assert found[-1] > found[0] + 0.2


@pytest.mark.parametrize("haze", [0.05, 0.1, 0.2])
def test_haze_is_no_lamp(told, haze):
    assert 100 * told(gain=0.7, haze=haze)[0] < 0.9 * SHINY


def test_of_a_black_picture_nothing_is_told(empty, table_calibration):
    black = np.zeros_like(empty)
    assert mirrored(by_hex(black, table_calibration.camera, table_calibration.board, 0.0)) == 0.0
