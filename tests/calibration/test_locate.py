"""The board is found again by its print, wherever it or the camera was moved; what is not certain is not claimed."""

import math
import os
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest
from pushes import board_moved, covered, placed, table_moved

from calibration.locate import BoardFinder
from calibration.model import encode_view
from calibration.pictures import read_picture
from calibration.pose import pose_from_taps
from calibration.view import Rectifier

SHARED = Path(os.environ.get("ATLANTIS_SHARED", Path(__file__).parents[2] / ".." / "shared"))
PHOTO = SHARED / "photos" / "board_from_above.jpeg"


@pytest.fixture(scope="module")
def game(table_dir):
    """A picture with a game on the board, taken in another light than the calibration."""
    return read_picture(table_dir / "f01.jpg")


def test_a_board_with_a_game_on_it_is_seen_to_lie_still(table_calibration, game):
    finder = BoardFinder(table_calibration)
    motion = finder.motion(game)
    assert motion is not None
    assert finder.corner_shift(motion) < 0.3


def test_a_hand_over_the_board_does_not_move_it(table_calibration, table_dir):
    finder = BoardFinder(table_calibration)
    motion = finder.motion(read_picture(table_dir / "f03.jpg"))
    assert motion is not None
    assert finder.corner_shift(motion) < 0.5


@pytest.mark.parametrize(("east", "south", "degrees"), [(2.0, 0.0, 0.0), (-1.5, 2.5, 0.2), (0.0, 0.0, 0.5)])
def test_a_small_push_is_measured(table_calibration, game, east, south, degrees):
    finder = BoardFinder(table_calibration)
    motion = finder.motion(table_moved(game, table_calibration.camera, east, south, degrees))
    assert motion is not None
    assert (motion.east, motion.south) == pytest.approx((east, south), abs=0.2)
    assert math.degrees(motion.turn) == pytest.approx(degrees, abs=0.1)


@pytest.mark.parametrize("push", [(3.0, -2.0, 0.5), (12.0, 9.0, -3.0), (-25.0, 10.0, 8.0), (5.0, -5.0, 180.0)])
@pytest.mark.parametrize("moves", ["the board alone", "board and cards"])
def test_what_was_moved_is_found_to_half_a_pixel(table_calibration, game, push, moves):
    if moves == "the board alone":
        picture = board_moved(game, table_calibration, *push)
    else:
        picture = table_moved(game, table_calibration.camera, *push)
    found = BoardFinder(table_calibration).locate(picture)
    assert found is not None
    corners = table_calibration.board.corners()
    off = found.camera.project(corners) - table_calibration.camera.project(placed(corners, *push))
    assert np.linalg.norm(off, axis=1).max() < 0.6
    assert found.camera.focal == table_calibration.camera.focal
    assert found.reference == table_calibration.reference


@pytest.fixture
def two_hidden(table_calibration, game):
    """The same picture, two of its cards under cups."""
    hidden = game.copy()
    for name in ("nw", "se"):
        cv2.fillConvexPoly(hidden, np.round(card_place(table_calibration, name)).astype(np.int32), (90, 90, 90))
    return hidden


def card_place(calibration, name):
    """The marker's corners and some white round them, px."""
    corners = np.array(calibration.cards[name])
    return corners.mean(axis=0) + 1.2 * (corners - corners.mean(axis=0))


def test_a_card_that_is_not_in_sight_when_the_camera_is_bumped_is_not_forgotten(table_calibration, game, two_hidden):
    push = (12.0, -9.0, 3.0)
    finder = BoardFinder(table_calibration)
    found = finder.locate(table_moved(two_hidden, table_calibration.camera, *push))
    assert found.cards.keys() == table_calibration.cards.keys()
    seen = BoardFinder(table_calibration).locate(table_moved(game, table_calibration.camera, *push)).cards
    for name, corners in found.cards.items():
        assert np.linalg.norm(np.subtract(corners, seen[name]), axis=1).mean() < 3, name
    back = finder.locate(two_hidden)
    for name, corners in back.cards.items():
        assert np.linalg.norm(np.subtract(corners, table_calibration.cards[name]), axis=1).mean() < 1.5, name


@pytest.mark.parametrize("push", [(3.0, 0.0, 0.0), (12.0, -9.0, 3.0)])
def test_of_a_card_that_is_not_in_sight_when_the_board_is_pushed_nothing_is_known(table_calibration, two_hidden, push):
    """It may have been pushed along."""
    found = BoardFinder(table_calibration).locate(board_moved(two_hidden, table_calibration, *push))
    assert found.cards.keys() == {"ne", "sw"}


@pytest.mark.parametrize("along", [(38.0, 0.0), (19.0, 32.909), (-19.0, 32.909)])
def test_the_grid_one_hex_aside_is_not_taken_for_the_board_in_its_place(table_calibration, game, along):
    """All printed lines meet printed lines then; the sea between them does not."""
    moved = board_moved(game, table_calibration, *along)
    assert BoardFinder(table_calibration).motion(moved) is None
    found = BoardFinder(table_calibration).locate(moved)
    assert found is not None
    off = found.camera.project([[0, 0, 0]]) - table_calibration.camera.project([[*along, 0]])
    assert np.linalg.norm(off) < 0.6


@pytest.mark.parametrize("what", ["dark", "noise", "table"])
def test_where_no_board_is_none_is_found(table_calibration, game, what):
    image = {
        "dark": np.full_like(game, 3),
        "noise": np.random.default_rng(4).integers(0, 255, game.shape, np.uint8),
        "table": np.tile(game[:80, :256], (11, 6, 1))[: game.shape[0]],
    }[what]
    finder = BoardFinder(table_calibration)
    assert finder.motion(image) is None
    assert finder.locate(image) is None
    assert finder.calibration is table_calibration


def test_a_board_that_is_nearly_covered_is_not_claimed(table_calibration, game):
    cloth = table_calibration.board.corners()[:, :2] * 0.97
    assert BoardFinder(table_calibration).locate(covered(game, table_calibration.camera, cloth)) is None


def test_one_corner_of_the_board_is_not_enough_to_know_where_all_of_it_lies(table_calibration, game):
    """It would leave the turn open."""
    cloth = np.array(
        [(-100.0, -225.0), (255.0, -225.0), (255.0, 225.0), (-255.0, 225.0), (-255.0, -100.0), (-100, -100)]
    )
    assert BoardFinder(table_calibration).locate(covered(game, table_calibration.camera, cloth)) is None


@pytest.fixture(scope="module")
def plain(table_calibration, game):
    """A board that is one colour with a regular grid but for its safe lands; and its calibration."""
    camera, board = table_calibration.camera, table_calibration.board

    def pixels(points):
        flat = np.column_stack([points, np.zeros(len(points))])
        return np.round(8 * camera.project(flat)).astype(np.int32)

    picture, rng = game.copy(), np.random.default_rng(3)
    cv2.fillConvexPoly(picture, pixels(board.corners()[:, :2]), (70, 50, 40), cv2.LINE_AA, 3)
    points, directions = board.hex_edges
    for middle, along in zip(points, directions, strict=True):
        cv2.polylines(
            picture, [pixels(np.array([middle - 11 * along, middle + 11 * along]))], False, (180, 170, 160), 2, 16, 3
        )
    for east, south in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        land = np.array([(255, 225), (255, 130), (215, 155), (165, 180), (140, 225)]) * (east, south)
        cv2.fillConvexPoly(picture, pixels(land), (60, 130, 110), cv2.LINE_AA, 3)
        for at in rng.uniform((150, 140), (250, 220), (25, 2)) * (east, south):
            tree = at + 5 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
            if cv2.pointPolygonTest(land.astype(np.float32), at, False) > 0:
                cv2.fillConvexPoly(picture, pixels(tree), (30, 70, 50), cv2.LINE_AA, 3)
    picture = cv2.GaussianBlur(picture, (0, 0), 0.8)
    reference = encode_view(Rectifier(camera, table_calibration.view)(picture))
    return picture, msgspec.structs.replace(table_calibration, reference=reference)


@pytest.fixture(scope="module")
def plain_game(plain):
    """In another light, with tiles and an arm over it, and the sensor's noise."""
    picture, calibration = plain
    island = 95 * np.stack([np.cos(np.arange(12) * math.pi / 6), np.sin(np.arange(12) * math.pi / 6)], axis=1)
    arm = np.array([(-60.0, 225.0), (20.0, 225.0), (30.0, 90.0), (-40.0, 90.0)])
    for outline in (island, arm):
        picture = covered(picture, calibration.camera, outline)
    noise = np.random.default_rng(7).normal(0, 4, picture.shape)
    return np.clip(0.8 * picture + 10 + noise, 0, 255).astype(np.uint8)


def test_a_board_with_a_plain_sea_is_seen_to_lie_still(plain, plain_game):
    finder = BoardFinder(plain[1])
    motion = finder.motion(plain_game)
    assert motion is not None
    assert finder.corner_shift(motion) < 0.3


@pytest.mark.parametrize(
    "push",
    [
        pytest.param((38.0, 0.0, 0.0), id="one hex"),
        pytest.param((-19.0, 32.909, 0.0), id="one hex, another way"),
        pytest.param((39.5, -1.0, 0.0), id="nearly one hex"),
        pytest.param((0.0, 0.0, 180.0), id="turned by half"),
    ],
)
def test_a_plain_board_moved_by_whole_hexes_is_not_taken_for_one_in_its_place(plain, plain_game, push):
    calibration = plain[1]
    moved = board_moved(plain_game, calibration, *push)
    assert BoardFinder(calibration).motion(moved) is None
    found = BoardFinder(calibration).locate(moved)
    assert found is not None
    corners = calibration.board.corners()
    off = found.camera.project(corners) - calibration.camera.project(placed(corners, *push))
    assert np.linalg.norm(off, axis=1).max() < 1.0


@pytest.mark.parametrize(
    "push",
    [(-76.0, 0.0, 0.0), (57.0, 98.727, 0.0), (114.0, 65.818, 0.0), (38.0, 0.0, 180.0), (21.0, -13.0, 4.0)],
)
def test_a_plain_board_that_is_far_aside_or_turned_is_found_rightly_or_not_at_all(plain, plain_game, push):
    calibration = plain[1]
    moved = board_moved(plain_game, calibration, *push)
    assert BoardFinder(calibration).motion(moved) is None
    found = BoardFinder(calibration).locate(moved)
    if found is not None:
        corners = calibration.board.corners()
        off = found.camera.project(corners) - calibration.camera.project(placed(corners, *push))
        assert np.linalg.norm(off, axis=1).max() < 1.0


@pytest.mark.skipif(not PHOTO.is_file(), reason=f"the photograph of a real board is not at hand ({PHOTO})")
@pytest.mark.parametrize("push", [(10.0, -8.0, 3.0), (38.0, 0.0, 0.0), (15.0, 10.0, 180.0), (5.0, 5.0, -90.0)])
def test_a_real_board_with_hexes_covered_is_found_wherever_it_was_moved(table_calibration, push):
    """Its legends are the same turned by half, and its lines are stronger than its sea."""
    image = cv2.copyMakeBorder(read_picture(PHOTO), 140, 140, 300, 300, cv2.BORDER_CONSTANT, value=(150, 170, 190))
    corners = [(310.0, 140.0), (1134.0, 140.0), (1138.0, 859.0), (308.0, 859.0)]
    board = table_calibration.board
    camera = pose_from_taps(image, corners, board, kind="unknown").camera
    reference = encode_view(Rectifier(camera, table_calibration.view)(image))
    calibration = msgspec.structs.replace(table_calibration, camera=camera, cards={}, reference=reference)
    picture = table_moved(image, camera, *push)
    middle = placed(np.array([[0.0, 0.0, 0.0]]), *push)[0, :2]
    tiles = middle + 110 * np.stack([np.cos(np.arange(12) * math.pi / 6), np.sin(np.arange(12) * math.pi / 6)], axis=1)
    picture = covered(picture, camera, tiles)
    assert BoardFinder(calibration).motion(picture) is None
    found = BoardFinder(calibration).locate(picture)
    assert found is not None
    off = found.camera.project(board.corners()) - camera.project(placed(board.corners(), *push))
    assert np.linalg.norm(off, axis=1).max() < 1.0
