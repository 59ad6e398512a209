"""Which hexes are worth a look: those that show something else than the print, or the print in no soft shadow."""

import cv2
import numpy as np
import pytest
from planes import empty_planes

from calibration.view import View
from companion.rules.geometry import load_board
from companion.vision.field import Field
from companion.vision.inputs import plane
from companion.vision.look import (
    LAND_MARGIN,
    PLAIN_ASHORE,
    PLAIN_AT_SEA,
    WITHIN_MM,
    are_plain,
    foreign,
    land_boxes,
    middles,
    worth_a_look,
)
from companion.vision.questions import QUESTIONS
from companion.vision.windows import LAND_FRAME, LAND_SIDES, LAND_STEP, Window

BOARD = load_board()
VIEW = View(tuple(float(v) for v in BOARD.physical.board))
HEX = BOARD.hexes[40]


@pytest.fixture
def planes():
    """A striped board that is explained by its print everywhere, with the noise of a camera."""
    made = empty_planes(VIEW.shape)
    plane(made, "print")[:] = 200
    stripes = 100 + 30 * np.sign(np.sin(VIEW.grid_mm()[..., 0]))
    plane(made, "reference L")[:] = stripes
    plane(made, "picture L")[:] = (stripes + np.random.default_rng(5).normal(0, 2.5, VIEW.shape)).round()
    return made


@pytest.fixture(scope="module")
def hexes(table_calibration):
    return middles(Field(BOARD, table_calibration))


def within(size_mm, east=0.0):
    """H x W: what lies in a rectangle of that size round the middle of `HEX`, or so far (mm) beside it."""
    return (np.abs(VIEW.grid_mm() - BOARD.centre_mm(HEX) - (east, 0.0)) < np.array(size_mm) / 2).all(axis=2)


def shade(planes, size_mm, by, soft_px=0.8):
    """A rectangle in the middle of `HEX`, lighter by so much of 255, its edge as soft as that; the print explains it
    less well, between `PRINT_BYTE` and `WELL_BYTE`."""
    shape = cv2.GaussianBlur(within(size_mm).astype(np.float32), (0, 0), soft_px)
    light = plane(planes, "picture L")
    light[:] = (light + by * shape).round()
    plane(planes, "print")[abs(by) * shape > 3] = 160


def looked_at(planes, hexes):
    return [h for h, yes in zip(BOARD.hexes, worth_a_look(planes, foreign(planes), hexes), strict=True) if yes]


def test_the_bare_print_is_not(planes, hexes):
    assert looked_at(planes, hexes) == []


def test_what_the_print_does_not_explain_is(planes, hexes):
    plane(planes, "print")[within((6, 6))] = 60
    assert looked_at(planes, hexes) == [HEX]


def test_what_leans_over_an_edge_from_the_hex_beside_is_looked_at_there_only(planes, hexes):
    edge = BOARD.physical.hex_flat_to_flat / 2
    reach = WITHIN_MM - 1.5
    plane(planes, "print")[within((20, 10), edge - reach + 10)] = 60
    (beside,) = looked_at(planes, hexes)
    assert BOARD.centre_mm(beside)[0] == pytest.approx(BOARD.centre_mm(HEX)[0] + 2 * edge)


def test_a_small_piece_at_the_very_edge_is(planes, hexes):
    """A swimmer of 8 mm, its middle 3 mm within the edge."""
    plane(planes, "print")[within((8, 8), BOARD.physical.hex_flat_to_flat / 2 - 3)] = 60
    assert HEX in looked_at(planes, hexes)


def test_few_pixels_of_something_else_are_a_neighbour_that_leans_in(planes, hexes):
    plane(planes, "print")[within((4, 4))] = 60
    assert looked_at(planes, hexes) == []


@pytest.mark.parametrize("by", [-20, 20])
def test_a_piece_of_the_sea_s_own_colour_is_though_the_print_in_another_light_would_look_so(planes, hexes, by):
    shade(planes, (9, 7), by)
    assert looked_at(planes, hexes) == [HEX]


def test_what_the_print_explains_as_well_as_anything_is_not(planes, hexes):
    """However uneven it is: bare prints have such noise."""
    explained = plane(planes, "print").copy()
    shade(planes, (9, 7), -20)
    plane(planes, "print")[:] = explained
    assert looked_at(planes, hexes) == []


@pytest.mark.parametrize(("size_mm", "by"), [((30, 10), -6), ((4, 4), -25)])
def test_what_is_hardly_darker_or_too_small_for_a_piece_is_not(planes, hexes, size_mm, by):
    shade(planes, size_mm, by)
    assert looked_at(planes, hexes) == []


@pytest.mark.parametrize(("size_mm", "by", "soft_px"), [((150, 150), -25, 40), ((60, 60), -20, 12), ((30, 30), -12, 5)])
def test_a_soft_shadow_is_not(planes, hexes, size_mm, by, soft_px):
    shade(planes, size_mm, by, soft_px)
    assert looked_at(planes, hexes) == []


@pytest.mark.parametrize("tile", [0, 2])
@pytest.mark.parametrize("what", [q.name for q in QUESTIONS if q.name != "tile"])
def test_the_coarse_look_answers_alone_where_all_is_plain_and_at_sea_only_if_it_is_surer(tile, what):
    claimed = [0.5, (PLAIN_ASHORE + PLAIN_AT_SEA) / 2, (1 + PLAIN_AT_SEA) / 2]
    answers = {q.name: np.tile(np.eye(q.values)[0], (len(claimed), q.count, 1)) for q in QUESTIONS}
    answers["tile"][:] = np.eye(4)[tile]
    for of_hex, probability in zip(answers[what], claimed, strict=True):
        of_hex[-1, :2] = 1 - probability, probability
    assert are_plain(answers).tolist() == [False, tile > 0, True]


@pytest.fixture(scope="module")
def field(table_calibration):
    return Field(BOARD, table_calibration)


@pytest.fixture
def lands(field):
    return field.cutter.safe_lands(field.eye, range(len(LAND_SIDES)))


def put_on(planes, at):
    """Something that is not the print, of 3 x 3 px."""
    for row, column in at:
        plane(planes, "print")[row - 1 : row + 2, column - 1 : column + 2] = 60


@pytest.mark.parametrize("number", range(len(LAND_SIDES)))
def test_of_a_safe_land_the_part_is_read_in_which_something_stands_and_what_is_round_it(field, planes, lands, number):
    window = Window(LAND_FRAME, field.eye, field.cutter.lands[number])
    land = field.cutter.land_pixels()[number]
    some = land[:: len(land) // 5][1:4]
    put_on(planes, np.transpose(np.unravel_index(some, VIEW.shape)))
    ((found, (rows, columns)),) = land_boxes(lands, foreign(planes)).items()
    assert found == tuple(LAND_SIDES)[number]
    at = window.pixels(VIEW.grid_mm().reshape(-1, 2)[some])
    for along, span, side in zip(at.T, (rows, columns), LAND_FRAME[:2], strict=True):
        assert span.start % LAND_STEP == span.stop % LAND_STEP == 0
        assert max(0, along.min() - LAND_MARGIN - LAND_STEP - 2) <= span.start <= max(0, along.min() - LAND_MARGIN + 2)
        assert min(side, along.max() + LAND_MARGIN - 2) <= span.stop
        assert span.stop <= min(side, along.max() + LAND_MARGIN + LAND_STEP + 3)


def test_what_is_seen_on_the_hexes_beside_a_safe_land_is_not_its(planes, lands):
    plane(planes, "print")[within((30, 30))] = 60
    assert land_boxes(lands, foreign(planes)) == {}
