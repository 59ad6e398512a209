"""How much of its print each hex shows: all of it if it is bare, nothing under a cloth that has the print's colours."""

import dataclasses

import cv2
import msgspec
import numpy as np
import pytest

from calibration.model import encode_view
from companion.rules.geometry import load_board
from companion.vision.evidence import PixelStep
from companion.vision.field import Field
from companion.vision.printed import LEAST_AGAIN, PrintStep, Shown

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


@pytest.mark.parametrize("sigma", [1.5, 3.0])
def test_a_picture_that_is_less_sharp_misses_nothing(table_calibration, read, step, field, sigma):
    """As a whole; what is covered in it is told all the same."""
    soft = read.read_view(cv2.GaussianBlur(table_calibration.reference_image, (0, 0), sigma))
    assert not step(soft).missing().any()
    evidence, west, east = covered(soft, field, 0.5)
    missing = step(evidence).missing()
    assert missing[west].mean() > 0.6
    assert not missing[east].any()


def test_pieces_that_lean_in_do_not_count(step, empty, field):
    """A third of each hex shows something that is no print, and the rest of it all that there is."""
    row, column = np.indices(field.view.shape)
    leaning = row % 30 < 10
    chequered = np.where(leaning & ((row // 2 + column // 2) % 2), 40.0, 0.0)[..., None] * (1, 0, 0)
    taken_for_print = dataclasses.replace(empty, lab=(empty.lab + chequered).astype(np.float32))
    ground = np.where(leaning, -20.0, empty.ground).astype(np.float32)
    shown, confused = step(dataclasses.replace(taken_for_print, ground=ground)), step(taken_for_print)
    told = np.isfinite(shown.error)
    assert told.mean() > 0.8
    assert not shown.missing().any()
    assert np.median(shown.error[told]) < 0.6 * np.median(confused.error[told])


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


def test_noise_where_it_is_dark_is_no_structure(table_calibration, field, read):
    """Darkness is brightened, and its noise: there is more of it there than on the rest of the board."""
    dark = (field.view.grid_mm()[..., 0] < -90)[..., None]
    smooth, noise = np.where(dark, (60, 44, 24), (200, 170, 120)), np.where(dark, 4.0, 0.7)
    rng = np.random.default_rng(9)
    first, second = (np.round(rng.normal(smooth, noise)).astype(np.uint8) for _ in range(2))
    plain = msgspec.structs.replace(table_calibration, reference=encode_view(first))
    shown = PrintStep(plain, field, np.ones(field.view.shape, bool))(PixelStep(plain).read_view(second))
    west = np.array([BOARD.centre_mm(h)[0] < -115 for h in BOARD.hexes])
    assert not shown.missing()[west].any()
    assert shown.doubtful()[west].all()


def test_what_of_the_print_another_picture_does_not_show_nobody_misses(step, empty, field):
    """What is noise in the picture of the empty board is there once, and under no cloth either."""
    evidence, west, east = covered(empty, field, 0.5)
    shown = step(evidence)
    assert shown.missing()[west].any()
    again = shown.again(np.ones(len(BOARD.hexes), bool), BOARD)
    assert again.shape == (len(BOARD.hexes),)
    assert (again[east] > 0.99).all()
    assert np.median(again[west]) < LEAST_AGAIN
    left = shown.of_what_is_seen(again)
    assert not left.missing().any()
    assert left.doubtful()[west].all(), "nor is it vouched for"
    assert not left.doubtful()[east & np.isfinite(shown.error) & ~shown.doubtful()].any()


def test_less_of_the_print_is_all_that_there_is():
    """Where half of it is seen again, half of it is the whole; and none of it is none."""
    half = Shown(*(np.full(len(BOARD.hexes), v, np.float32) for v in (0.4, 0.1, 1.0)))
    again = half.again(np.ones(len(BOARD.hexes), bool), BOARD)
    assert again == pytest.approx(0.5), "and one standard error more"
    seen = Shown(np.float32([0.4, 0.0]), np.float32([0.1, 0.05]), np.ones(2, np.float32)).of_what_is_seen(again[:2])
    assert seen.contrast == pytest.approx([0.8, 0.0])
    assert seen.error == pytest.approx([0.2, 0.1])
    assert seen.missing().tolist() == [False, True]


def test_what_a_hex_shows_again_is_told_with_its_neighbours():
    """A shadow over one of them does not count, nor does what lies under a piece; a dark sea is all round it."""
    count = len(BOARD.hexes)
    one = next(i for i, h in enumerate(BOARD.hexes) if len(BOARD.neighbours[h]) == 6)
    near = [BOARD.index[h] for h in BOARD.neighbours[BOARD.hexes[one]]]
    contrast, error = np.ones(count, np.float32), np.full(count, 0.1, np.float32)
    contrast[one] = 0.0
    bare = np.ones(count, bool)
    assert (Shown(contrast, error, np.ones_like(error)).again(bare, BOARD) == 1.0).all()
    contrast[near[:4]] = 0.3
    for is_bare in (True, False):
        bare[one] = is_bare
        assert Shown(contrast, error, np.ones_like(error)).again(bare, BOARD)[one] == pytest.approx(0.4)
    blind = np.where(np.isin(np.arange(count), [one, *near]), np.inf, error).astype(np.float32)
    assert Shown(contrast, blind, np.ones_like(blind)).again(bare, BOARD)[one] == 1.0, (
        "who knows nothing relies on the print"
    )


def test_a_print_that_is_seen_is_seen_again(table_calibration, step, read):
    """In the picture of the pieces, whatever shadows these throw."""
    bare = ~np.isin(np.arange(len(BOARD.hexes)), [BOARD.index[s.hex] for s in table_calibration.swatches])
    again = step(read.read_view(table_calibration.swatch_image())).again(bare, BOARD)
    assert again.min() > 2 * LEAST_AGAIN


def test_what_the_camera_does_not_see_is_not_told(table_calibration, field, empty):
    step = PrintStep(table_calibration, field, field.view.grid_mm()[..., 0] > 0)
    west, east = (np.array([side * BOARD.centre_mm(h)[0] > 25 for h in BOARD.hexes]) for side in (-1, 1))
    shown = step(empty)
    assert np.isinf(shown.error[west]).all()
    assert np.isfinite(shown.error[east]).mean() > 0.8


def test_the_print_is_surely_seen_by_its_contrast_a_small_error_and_on_most_of_a_hex():
    contrast, error = np.float32([0.9, 0.9, 0.5, 0.3, 0.9]), np.float32([0.1, 0.3, 0.04, 0.0, 0.1])
    explained = np.float32([1.0, 1.0, 0.8, 1.0, 0.2])
    assert Shown(contrast, error, explained).surely().tolist() == [True, False, True, False, False]
    assert not Shown(contrast, np.full(5, np.inf, np.float32), explained).surely().any()


def test_only_what_the_print_explains_tells_how_much_of_it_is_seen(step, empty, field):
    """A sheet in the middle of a hex leaves its edge, where all lines are."""
    ground = empty.ground.copy()
    hidden = field.middle((4, 0), 6.0)
    ground.ravel()[hidden] = -20.0
    shown, (at, beside) = step(dataclasses.replace(empty, ground=ground)), (BOARD.index[h] for h in ((4, 0), (4, 1)))
    assert shown.contrast[at] > 0.9
    assert shown.explained[at] < 0.6
    assert not shown.surely()[at]
    assert shown.explained[beside] > 0.95
