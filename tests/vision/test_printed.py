"""How much of its print each hex shows: all of it if it is bare, nothing under a cloth that has the print's colours."""

import dataclasses

import cv2
import msgspec
import numpy as np
import pytest

from calibration.model import encode_view
from calibration.view import Rectifier
from companion.rules.geometry import load_board
from companion.vision.evidence import PixelStep
from companion.vision.field import Field
from companion.vision.printed import PrintStep

BOARD = load_board()
SEA = (55.0, -5.0, -30.0)


@pytest.fixture(scope="module")
def field(table_calibration):
    return Field(BOARD, table_calibration)


@pytest.fixture(scope="module")
def step(table_calibration, field):
    return PrintStep(table_calibration, field, np.ones(field.view.shape, bool))


@pytest.fixture(scope="module")
def read(table_calibration):
    return PixelStep(table_calibration)


@pytest.fixture(scope="module")
def empty(table_calibration, read):
    """The empty board, as it was taken."""
    return read.read_view(table_calibration.reference_image)


def covered(evidence, field, noise):
    """The western half of it under what has the sea's colour, and which hexes lie there."""
    there = field.view.grid_mm()[..., 0] < 0
    plain = np.array(SEA) + np.random.default_rng(3).normal(0, noise, evidence.lab.shape)
    lab = np.where(there[..., None], plain, evidence.lab).astype(np.float32)
    west = np.array([BOARD.centre_mm(h)[0] < -25 for h in BOARD.hexes])
    return dataclasses.replace(evidence, lab=lab), west, np.array([BOARD.centre_mm(h)[0] > 25 for h in BOARD.hexes])


def test_the_empty_board_shows_its_print(step, empty):
    shown = step(empty)
    assert not shown.missing().any()
    told = np.isfinite(shown.error)
    assert told.mean() > 0.8
    assert (shown.contrast[told] > 0.99).all(), "the very picture, noise and all"


@pytest.mark.parametrize("noise", [0.5, 1.5])
def test_what_has_the_prints_colours_shows_nothing_of_it(step, empty, field, noise):
    evidence, west, east = covered(empty, field, noise)
    shown = step(evidence)
    assert shown.missing()[west & np.isfinite(shown.error)].mean() > 0.9
    assert shown.doubtful()[west].all()
    assert not shown.missing()[east].any()


def test_a_picture_that_is_less_sharp_misses_nothing(table_calibration, read, step, field):
    """As a whole; what is covered in it is told all the same."""
    soft = read.read_view(cv2.GaussianBlur(table_calibration.reference_image, (0, 0), 1.5))
    assert not step(soft).missing().any()
    evidence, west, east = covered(soft, field, 0.5)
    missing = step(evidence).missing()
    assert missing[west].mean() > 0.6
    assert not missing[east].any()


def test_pieces_that_lean_in_do_not_count(step, empty, field):
    """A third of each hex shows something that is no print, and the rest of it all that there is."""
    rows = np.arange(field.view.shape[0])
    leaning = np.broadcast_to((rows % 30 < 10)[:, None], field.view.shape)
    lab = np.where(leaning[..., None], np.array(SEA) + 40.0 * (rows % 4 < 2)[:, None, None], empty.lab)
    ground = np.where(leaning, -20.0, empty.ground)
    evidence = dataclasses.replace(empty, lab=lab.astype(np.float32), ground=ground.astype(np.float32))
    assert not step(evidence).missing().any()


@pytest.mark.parametrize("noise", [0.0, 3.0])
def test_of_a_print_without_structure_nothing_can_be_told(table_calibration, field, read, noise):
    """Noise is on the picture of the empty board, too, and in no other picture is the same."""
    smooth = np.full((*field.view.shape, 3), (150, 110, 60), np.uint8)
    rng = np.random.default_rng(9)
    first, second = (np.round(smooth + rng.normal(0, noise, smooth.shape)).astype(np.uint8) for _ in range(2))
    plain = msgspec.structs.replace(table_calibration, reference=encode_view(first))
    shown = PrintStep(plain, field, np.ones(field.view.shape, bool))(read.read_view(second))
    assert not shown.missing().any()
    assert shown.doubtful().all()


def test_what_the_camera_does_not_see_is_not_told(table_calibration, field, read, table_dir):
    inside = field.view.grid_mm()[..., 0] > 0
    step = PrintStep(table_calibration, field, inside)
    view = Rectifier(table_calibration.camera, table_calibration.view)
    west = np.array([BOARD.centre_mm(h)[0] < -25 for h in BOARD.hexes])
    shown = step(read.read_view(view(np.zeros((*table_calibration.camera.image_size[::-1], 3), np.uint8))))
    assert np.isinf(shown.error[west]).all()
