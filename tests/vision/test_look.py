"""Which hexes are worth a look: those that show something else than the print, or the print in no soft shadow."""

import cv2
import numpy as np
import pytest

from calibration.view import View
from companion.rules.geometry import load_board
from companion.vision.inputs import empty_planes, plane
from companion.vision.look import worth_a_look

BOARD = load_board()
VIEW = View(tuple(float(v) for v in BOARD.physical.board))
HEX = BOARD.hexes[40]


@pytest.fixture
def planes():
    """A grey board that is explained by its print everywhere, with the noise of a camera."""
    made = empty_planes(VIEW.shape)
    plane(made, "print")[:] = 200
    plane(made, "reference L")[:] = 100
    plane(made, "picture L")[:] = np.random.default_rng(5).normal(100, 2.5, VIEW.shape).round()
    return made


@pytest.fixture(scope="module")
def hexes():
    """Flat indices of the pixels of discs that fill the hexes."""
    grid = VIEW.grid_mm().reshape(-1, 2)
    radius = BOARD.physical.hex_flat_to_flat / 2
    return [np.flatnonzero(np.linalg.norm(grid - BOARD.centre_mm(h), axis=1) < radius) for h in BOARD.hexes]


def within(size_mm):
    """H x W: what lies in a rectangle of that size round the middle of `HEX`."""
    return (np.abs(VIEW.grid_mm() - BOARD.centre_mm(HEX)) < np.array(size_mm) / 2).all(axis=2)


def darker(planes, size_mm, soft_px):
    """A rectangle of half the light in the middle of `HEX`, its edge as soft as that."""
    shade = cv2.GaussianBlur(within(size_mm).astype(np.float32), (0, 0), soft_px)
    light = plane(planes, "picture L")
    light[:] = (light * (1 - 0.25 * shade)).round()


def looked_at(planes, hexes):
    return [h for h, yes in zip(BOARD.hexes, worth_a_look(planes, hexes), strict=True) if yes]


def test_the_bare_print_is_not(planes, hexes):
    assert looked_at(planes, hexes) == []


def test_what_the_print_does_not_explain_is(planes, hexes):
    plane(planes, "print")[within((5, 5))] = 60
    assert looked_at(planes, hexes) == [HEX]


def test_a_dark_piece_is_though_the_print_in_a_shadow_would_look_so(planes, hexes):
    darker(planes, size_mm=(30, 10), soft_px=0.8)
    assert looked_at(planes, hexes) == [HEX]


def test_a_soft_shadow_is_not(planes, hexes):
    darker(planes, size_mm=(150, 150), soft_px=40)
    assert looked_at(planes, hexes) == []
