"""Figures of the calibration's picture: the width of an edge is the same in millimetres whatever the picture's size."""

import math

import numpy as np
import pytest

from calibration.print import BoardPrint
from calibration.quality import edge_width

BOARD = BoardPrint()


def card(width_mm, px_per_mm):
    """A marker's black square on white whose edges go from 10 to 90 % over that width, with noise; and its corners."""
    size = round(80 * px_per_mm)
    middle, half = (size - 1) / 2, BOARD.marker / 2 * px_per_mm
    spread = width_mm * px_per_mm / 2.563 * math.sqrt(2)
    white = np.array([0.5 + 0.5 * math.erf((abs(x - middle) - half) / spread) for x in range(size)])
    picture = 20 + 200 * (1 - np.outer(1 - white, 1 - white))
    noise = np.random.default_rng(0).normal(0, 2, picture.shape)
    corners = middle + half * np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
    return np.clip(np.round(picture + noise), 0, 255).astype(np.uint8), {"nw": corners}


@pytest.mark.parametrize("px_per_mm", [1.22, 3.65], ids=["a small picture", "one three times as large"])
@pytest.mark.parametrize("width", [2.0, 3.0, 4.0, 5.0])
def test_a_blur_has_the_same_width_in_pictures_of_all_sizes(width, px_per_mm):
    grey, corners = card(width, px_per_mm)
    assert edge_width(grey, corners, BOARD, px_per_mm) == pytest.approx(width, abs=0.25)


def test_a_picture_without_contrast_tells_no_width():
    grey, corners = card(1.0, 2.0)
    assert edge_width(np.full_like(grey, 90), corners, BOARD, 2.0) is None
    assert edge_width(grey, {}, BOARD, 2.0) is None
