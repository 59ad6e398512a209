"""What stands up is where the camera sees it; of a hex at the rim of the view those pixels count that the view has."""

from __future__ import annotations

import numpy as np
import pytest
from cameras import TILTED

from calibration.hexes import hex_outline, hex_pixels, lean
from calibration.view import View

EYE = np.array([-20.0, 30.0, 700.0])
SIDE = 21.7
HEIGHTS = (0.0, 20.0)

SMALL = View((140.0, 120.0), px_per_mm=1.0, margin=0.0)
ROOM = 60
LARGE = View(SMALL.board, px_per_mm=1.0, margin=ROOM)
"""The same raster with so many more pixels all round."""


@pytest.mark.parametrize("height", [-4.0, 2.0, 6.0, 20.0, 35.0])
def test_what_leans_is_seen_in_the_same_pixel_as_the_boards_face_under_it(height):
    points = np.array([[0.0, 0.0], [-250.0, -220.0], [250.0, -220.0], [-250.0, 220.0], [180.0, 40.0]])
    standing = TILTED.project(np.column_stack([points, np.full(len(points), height)]))
    leaning = TILTED.project(np.column_stack([lean(TILTED.eye, points, height), np.zeros(len(points))]))
    np.testing.assert_allclose(leaning, standing, atol=1e-6)


def test_what_lies_on_the_boards_face_does_not_lean():
    points = np.array([[-250.0, 220.0], [180.0, 40.0]])
    np.testing.assert_array_equal(lean(EYE, points, 0.0), points)


@pytest.mark.parametrize(
    "centre",
    [(0, 0), (-68, 5), (68, 5), (5, -58), (5, 58), (-68, -58), (68, -58), (-68, 58), (68, 58)],
    ids=["middle", "west", "east", "north", "south", "nw", "ne", "sw", "se"],
)
def test_of_a_hex_at_the_rim_what_the_view_shows_of_it_is_left(centre):
    outline = hex_outline(centre, SIDE)
    whole = np.zeros(LARGE.shape, bool)
    whole.ravel()[hex_pixels(LARGE, EYE, outline, HEIGHTS)] = True
    shown = whole[ROOM:-ROOM, ROOM:-ROOM]
    assert shown.shape == SMALL.shape
    assert shown.any()
    assert shown.sum() == whole.sum() if centre == (0, 0) else shown.sum() < whole.sum()
    np.testing.assert_array_equal(hex_pixels(SMALL, EYE, outline, HEIGHTS), np.flatnonzero(shown))


def test_of_a_hex_beside_the_view_nothing_is_left():
    assert not len(hex_pixels(SMALL, EYE, hex_outline((-120.0, 0.0), SIDE), HEIGHTS))
