"""Board or camera was bumped, a card was nudged, somebody leans over the table: each is told from the others."""

import numpy as np
import pytest
from pushes import board_moved, card_moved, covered, table_moved

from calibration.pictures import read_picture
from companion.vision.observation import Moved, NotSeen, Still
from companion.vision.registration import PATIENCE, RegistrationStep


@pytest.fixture(scope="module")
def game(table_dir):
    return read_picture(table_dir / "f01.jpg")


@pytest.fixture
def step(table_calibration):
    return RegistrationStep(table_calibration)


@pytest.fixture
def away(table_calibration, game):
    """A cloth lies over the whole board."""
    cloth = table_calibration.board.corners()[:, :2]
    return covered(game, table_calibration.camera, cloth)


def test_a_board_that_lies_still_keeps_its_calibration(step, table_calibration, game, table_dir):
    assert step(game) == step(read_picture(table_dir / "f03.jpg")) == Still()
    assert step.calibration is table_calibration


def test_less_than_a_millimetre_is_no_bump(step, table_calibration, game):
    assert step(table_moved(game, table_calibration.camera, 0.5, -0.5)) == Still()


@pytest.mark.parametrize("name", ["nw", "ne", "se", "sw"])
def test_a_nudged_card_is_no_moved_board(step, table_calibration, game, name):
    assert step(card_moved(game, table_calibration, name, (-12, 10))) == Still()
    assert step.calibration is table_calibration


def test_a_covered_card_says_nothing(step, table_calibration, game):
    hidden = game.copy()
    for corners in table_calibration.cards.values():
        low, high = np.min(corners, axis=0).astype(int) - 12, np.max(corners, axis=0).astype(int) + 12
        hidden[low[1] : high[1], low[0] : high[0]] = 90
    assert step(hidden) == Still()


@pytest.mark.parametrize("push", [(2.5, 0.0, 0.0), (-9.0, 12.0, 0.0), (6.0, 4.0, -3.0), (-20.0, 30.0, 12.0)])
def test_a_board_that_was_pushed_between_its_cards_is_told_and_followed(step, table_calibration, game, push):
    seen = step(board_moved(game, table_calibration, *push))
    assert isinstance(seen, Moved)
    assert seen.what == "board"
    assert (seen.east_mm, seen.south_mm, seen.turn_degrees) == pytest.approx(push, abs=0.5)
    assert step(board_moved(game, table_calibration, *push)) == Still()
    assert step.calibration is not table_calibration


@pytest.mark.parametrize("push", [(8.0, -6.0, 0.0), (15.0, 10.0, 4.0)])
def test_a_bumped_camera_is_told_by_its_cards_that_moved_along(step, table_calibration, game, push):
    seen = step(table_moved(game, table_calibration.camera, *push))
    assert isinstance(seen, Moved)
    assert seen.what == "camera"


def test_without_cards_a_bump_is_followed_all_the_same(step, table_calibration, game):
    """Of a card that is not seen any more nobody knows whether it was moved."""
    bare = table_moved(game, table_calibration.camera, 9.0, 5.0, 2.0)
    for at in (bare[:170], bare[-170:]):
        at[:] = 90
    seen = step(bare)
    assert isinstance(seen, Moved)
    assert seen.what in {"either", "camera"}
    assert (seen.east_mm, seen.south_mm) == pytest.approx((9.0, 5.0), abs=0.5)


def test_pushed_and_put_back_is_told_twice(step, table_calibration, game):
    pushed = board_moved(game, table_calibration, 10.0, 0.0)
    told = [step(image) for image in (game, pushed, pushed, game, game)]
    assert [type(t) for t in told] == [Still, Moved, Still, Moved, Still]


def test_a_covered_board_is_not_seen_and_not_moved(step, away, game):
    assert [step(away), step(away), step(game)] == [NotSeen(), NotSeen(), Still()]


def test_a_board_that_was_moved_under_cover_is_found_before_a_second_has_passed(step, table_calibration, away, game):
    """It is looked for everywhere in every third picture only; there are four pictures a second."""
    moved = board_moved(game, table_calibration, 30.0, 20.0, 5.0)
    assert step(away) == NotSeen()
    told = [step(moved) for _ in range(PATIENCE)]
    assert isinstance(told[-1], Moved)
    assert told[:-1] == [NotSeen()] * (PATIENCE - 1)
