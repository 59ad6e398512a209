"""The printed targets as rectangles: drawn from them, OpenCV finds what it drew itself."""

import cv2
import numpy as np
import pytest

from calibration import CalibrationError
from calibration.lens import CharucoSheet, charuco_board
from calibration.print import BoardPrint
from calibration.targets import LENS_SHEET, card_cells, marker_cells, sheet_cells


def drawn(cells, width, height, px_per_mm):
    """The rectangles as a picture, white around them."""
    page = np.full((round(height * px_per_mm), round(width * px_per_mm)), 255, np.uint8)
    for x, y, w, h in np.round(np.array(cells) * px_per_mm).astype(int):
        page[y : y + h, x : x + w] = 0
    return page


@pytest.mark.parametrize(("name", "number"), [("nw", 0), ("ne", 1), ("se", 2), ("sw", 3)])
def test_a_corner_card_shows_its_marker_upright(name, number):
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    own = drawn(card_cells(BoardPrint(), name), 40, 40, 6)
    assert (own == cv2.aruco.generateImageMarker(dictionary, number, 240)).all()


@pytest.mark.parametrize("legacy", [False, True])
def test_the_lens_sheet_is_the_one_that_opencv_draws(legacy):
    sheet = CharucoSheet((7, 5), 30.0, 21.0, "DICT_5X5_100", legacy)  # whole pixels a cell at 10 px a mm
    theirs = charuco_board(sheet).generateImage((2100, 1500))
    assert (drawn(sheet_cells(sheet), 210, 150, 10) != theirs).mean() < 1e-3


def test_the_lens_sheet_has_the_proportions_of_the_recognition_sets_sheet():
    assert LENS_SHEET.marker_mm / LENS_SHEET.square_mm == pytest.approx(22 / 30)
    assert (LENS_SHEET.squares, LENS_SHEET.dictionary, LENS_SHEET.legacy_pattern) == ((7, 5), "DICT_5X5_100", False)


def test_an_unknown_dictionary_is_named():
    with pytest.raises(CalibrationError, match="DICT_9X9_7"):
        marker_cells("DICT_9X9_7", 0, 40)
