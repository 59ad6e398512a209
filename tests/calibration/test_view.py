"""The rectifier sees the same table whatever the size of the picture, and averages what is finer than the view."""

import cv2
import msgspec
import numpy as np
import pytest
from cameras import TILTED

from calibration.print import BoardPrint
from calibration.view import Rectifier, board_view

VIEW = board_view(BoardPrint())


def finer(factor):
    """The same camera with that many times as many pixels along each side."""
    return msgspec.structs.replace(
        TILTED,
        image_size=(TILTED.image_size[0] * factor, TILTED.image_size[1] * factor),
        focal=(TILTED.focal[0] * factor, TILTED.focal[1] * factor),
        centre=((TILTED.centre[0] + 0.5) * factor - 0.5, (TILTED.centre[1] + 0.5) * factor - 0.5),
    )


@pytest.mark.parametrize("factor", [2, 3, 4])
def test_a_finer_picture_gives_the_same_view(factor):
    size = TILTED.image_size
    rows, columns = np.mgrid[: size[1], : size[0]]
    picture = np.stack([columns % 256, rows % 256, (rows + columns) // 8 % 256], axis=-1).astype(np.uint8)
    picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), 2.0), np.uint8)
    fine = np.asarray(picture.repeat(factor, axis=0).repeat(factor, axis=1), np.uint8)
    known, seen = Rectifier(TILTED, VIEW), Rectifier(finer(factor), VIEW)
    both = known.inside & seen.inside
    assert both.mean() > 0.8
    difference = np.abs(known(picture).astype(int) - seen(fine))[both]
    assert difference.mean() < 1.0


def test_noise_of_single_pixels_of_a_large_picture_is_averaged():
    camera = finer(4)
    width, height = camera.image_size
    chequered = np.zeros((height, width, 3), np.uint8)
    chequered[::2, ::2] = chequered[1::2, 1::2] = 200
    rectify = Rectifier(camera, VIEW)
    inner = cv2.erode(rectify.inside.astype(np.uint8), np.ones((9, 9), np.uint8)) > 0
    assert np.abs(rectify(chequered)[inner].astype(int) - 100).max() <= 2


@pytest.mark.parametrize("factor", [1, 3])
def test_a_board_that_lies_wholly_beside_the_picture_is_black(factor):
    aside = msgspec.structs.replace(finer(factor), translation=(4000.0, -20.0, 760.0), distortion=(0.0,) * 5)
    rectify = Rectifier(aside, VIEW)
    assert not rectify.inside.any()
    assert not rectify(np.full((*aside.image_size[::-1], 3), 200, np.uint8)).any()


@pytest.mark.parametrize("factor", [1, 3])
def test_what_the_picture_does_not_show_is_black_and_known_to_be_outside(factor):
    camera = finer(factor)
    rectify = Rectifier(msgspec.structs.replace(camera, image_size=(700 * factor + 1, 500 * factor + 1)), VIEW)
    seen = rectify(np.full((500 * factor + 1, 700 * factor + 1, 3), 200, np.uint8))
    assert 0.2 < rectify.inside.mean() < 0.9
    assert (seen[rectify.inside] == 200).all()
    far = cv2.dilate(rectify.inside.astype(np.uint8), np.ones((7, 7), np.uint8)) == 0
    assert not seen[far].any()


@pytest.mark.parametrize("factor", [1, 2, 3])
def test_nothing_black_is_mixed_into_what_the_picture_shows(factor):
    camera = finer(factor)
    above = msgspec.structs.replace(camera, translation=(10.0, -20.0, 1100.0))
    rectify = Rectifier(above, VIEW)
    width, height = above.image_size
    assert rectify.inside.all()
    assert (rectify(np.full((height, width, 3), 200, np.uint8)) == 200).all()
