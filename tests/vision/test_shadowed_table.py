"""A board over which somebody's shadow lies is read as it is without it."""

import cv2
import msgspec
import numpy as np
import pytest
from readings_of import misread, read_in_light

from calibration.pictures import read_picture
from calibration.shadow import ShadowMeter
from companion.rules.geometry import load_board
from companion.vision.evidence import PixelStep
from companion.vision.field import Field
from companion.vision.recogniser import Recogniser

BOARD = load_board()
WARM_LAMP, WINDOW = (0.32, 0.22, 0.17), (0.15, 0.2, 0.25)
"""What is left in the shadow of a warm lamp, and of a window."""

CAST = tuple((colour, middle) for colour in (WARM_LAMP, WINDOW) for middle in ((0.35, 0.3), (0.7, 0.75)))
"""Shadows over the sea, a coast and a part of the island."""


def left(shape, colour, middle):
    """H x W x 3: the share of the light that a head leaves; `middle`: where it is, of the view's height and width."""
    rows, columns = shape
    inside = np.zeros(shape, np.float32)
    at = round(middle[1] * columns), round(middle[0] * rows)
    cv2.ellipse(inside, at, (columns // 5, rows // 4), 20, 0, 360, 1.0, -1)
    shadow = cv2.GaussianBlur(inside, (0, 0), rows / 30)[..., None]
    return 1 - shadow + shadow * np.array(colour, np.float32)


@pytest.fixture(scope="module")
def recogniser(table_calibration):
    return Recogniser(table_calibration, BOARD, patience=0)


def seen(recogniser, picture, colour, middle):
    """What is read of it with such a shadow over it."""
    return read_in_light(recogniser, picture, lambda light: light * left(light.shape[:2], colour, middle))


@pytest.fixture(scope="module")
def wrong_in(recogniser, table_dir, truth):
    """How many hexes are not read as they are in such a shadow."""
    picture = read_picture(table_dir / "f01.jpg")
    return lambda colour, middle: misread(seen(recogniser, picture, colour, middle), truth)


@pytest.mark.parametrize(("colour", "middle"), CAST)
def test_what_stands_in_a_shadow_is_read_as_beside_it(wrong_in, recogniser, colour, middle):
    assert wrong_in(colour, middle) <= 1
    assert recogniser.trace.evidence.measured.shadow is not None


def test_more_is_misread_if_nobody_takes_the_shadow_out(wrong_in, monkeypatch):
    monkeypatch.setattr(ShadowMeter, "measure", lambda *_: None)
    assert sum(wrong_in(colour, middle) for colour, middle in CAST) >= 5


@pytest.mark.parametrize(("colour", "middle"), CAST)
def test_under_an_arm_nothing_is_claimed_with_a_shadow_over_it_too(recogniser, table_dir, colour, middle):
    covered = {tuple(h) for h in msgspec.json.decode((table_dir / "f03.json").read_bytes())["occluded"]}
    board = seen(recogniser, read_picture(table_dir / "f03.jpg"), colour, middle)
    assert covered
    assert all(e.hidden for e in board.hexes if e.hex in covered)


def test_a_board_as_it_was_calibrated_has_no_shadow(table_calibration, table_dir):
    step = PixelStep(table_calibration, island=Field(BOARD, table_calibration).island)
    for view in (step.rectify(read_picture(table_dir / "f01.jpg")), table_calibration.reference_image):
        assert step.read_view(view).measured.shadow is None
