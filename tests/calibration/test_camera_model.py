"""The camera model: what it projects it finds again, and what is far off it says."""

import cv2
import msgspec
import numpy as np
import pytest
from double_lines import ABOVE, double_lined_board

from calibration.camera import Camera
from calibration.camera_model import LENS_PRIORS, CameraModel
from calibration.grid import Look, measure_lines
from calibration.least_squares import minimise
from calibration.print import HEXES, BoardPrint
from calibration.view import Rectifier, View, board_view

WIDE = Camera(
    image_size=(1536, 864),
    focal=(860.0, 860.0),
    centre=(767.5, 431.5),
    distortion=(-0.25, 0.06, 0.0, 0.0, -0.006),
    rotation=(0.35, 0.2, 0.6),
    translation=(10.0, -20.0, 700.0),
)


def test_the_board_has_133_hexes_and_each_line_is_listed_once():
    middles, directions = BoardPrint().hex_edges
    assert len(HEXES) == len(set(HEXES)) == 133
    assert len(middles) == len(directions) == len({tuple(np.round(m, 3)) for m in middles})


@pytest.mark.parametrize("height", [-4.0, 0.0, 35.0])
def test_a_point_at_a_known_height_is_found_again_from_its_pixel(height):
    points = np.array([[0.0, 0.0], [200.0, -180.0], [-250.0, 210.0]])
    pixels = WIDE.project(np.column_stack([points, np.full(3, height)]))
    np.testing.assert_allclose(WIDE.ground(pixels, height), points, atol=0.05)


def test_the_eye_is_above_the_board_and_height_leans_away_from_it():
    assert WIDE.eye[2] > 500
    foot, head = WIDE.ground(WIDE.project([[150.0, 120.0, 0.0], [150.0, 120.0, 35.0]]))
    away = foot - WIDE.eye[:2]
    assert (head - foot) @ away > 0
    np.testing.assert_allclose(
        (head - foot) / np.linalg.norm(away), away / np.linalg.norm(away) * 35 / (WIDE.eye[2] - 35), atol=1e-3
    )


def test_the_view_maps_the_board_to_a_fixed_scale():
    view = View((510.0, 450.0))
    at = np.array([[0.0, 0.0], [100.0, -50.0]])
    np.testing.assert_allclose(view.mm(view.pixels(at)), at)
    assert np.ptp(view.pixels(at), axis=0) == pytest.approx([125.0, 62.5])


def test_the_rectifier_puts_a_mark_on_the_board_where_the_view_says():
    image = np.zeros((864, 1536, 3), np.uint8)
    x, y = np.round(WIDE.project([[60.0, 40.0, 0.0]])[0]).astype(int)
    image[y - 2 : y + 3, x - 2 : x + 3] = 255
    view = board_view(BoardPrint())
    seen = Rectifier(WIDE, view)(image)[..., 0]
    rows, columns = np.nonzero(seen > 100)
    assert view.mm([columns.mean(), rows.mean()]) == pytest.approx([60.0, 40.0], abs=0.8)


def test_a_camera_that_is_turned_has_the_same_lens():
    """Its field of view is that of the picture's longer side."""
    wide, upright = (CameraModel(size, None, LENS_PRIORS["normal"]) for size in ((1536, 864), (864, 1536)))
    for ours, theirs in zip(wide.starts(), upright.starts(), strict=True):
        assert upright.camera(theirs).focal == wide.camera(ours).focal


def test_a_plain_picture_shows_no_lines():
    found = measure_lines(np.full((864, 1536, 3), 90, np.uint8), WIDE, BoardPrint(), 3.0)
    assert found.hits < 0.5


def test_a_line_with_two_edges_of_another_colour_is_one():
    """Each time the other edge is the brighter one: by itself that one would be taken for the line."""
    image = double_lined_board()
    one, both = (measure_lines(image, ABOVE, BoardPrint(), 3.0, look) for look in (Look(), Look(merged=1.0)))
    assert np.abs(one.offsets).mean() > 0.7
    assert np.abs(both.offsets).max() < 0.4


def test_least_squares_finds_the_bottom_of_a_curved_valley():
    def valley(x):
        return np.array([10 * (x[1] - x[0] ** 2), 1 - x[0]]), np.array([[-20 * x[0], 10.0], [-1.0, 0.0]])

    np.testing.assert_allclose(minimise(valley, np.array([-1.2, 1.0]), 200), [1.0, 1.0], atol=1e-6)


@pytest.mark.parametrize(
    "distortion",
    [(), (-0.25, 0.06, 0.001, -0.002), WIDE.distortion, (-0.25, 0.06, 0.001, -0.002, 0.01, 0.02, -0.03, 0.004)],
    ids=["no lens", "4", "5", "8"],
)
@pytest.mark.parametrize("count", [0, 1, 9001])
def test_points_are_projected_as_opencv_does(distortion, count):
    points = np.random.default_rng(1).uniform(-300, 300, (count, 3))
    camera = msgspec.structs.replace(WIDE, distortion=distortion)
    pose = np.array(camera.rotation), np.array(camera.translation), camera.matrix, np.array(distortion)
    expected = cv2.projectPoints(points * (1, 1, -1), *pose)[0] if count else np.empty((0, 1, 2))
    np.testing.assert_allclose(camera.project(points), expected[:, 0], rtol=0, atol=1e-9)


def test_a_point_beside_the_camera_is_seen_nowhere_and_is_no_error():
    """In its plane, where a pinhole has no place for it."""
    level = Camera((1536, 864), (860.0, 860.0), (767.5, 431.5), (), (0.0, 0.0, 0.0), (0.0, 0.0, 700.0))
    assert np.isfinite(level.project([[50.0, 0.0, 700.0]])).all()


@pytest.mark.filterwarnings("error")
def test_a_board_that_lies_beside_the_camera_is_not_seen_and_is_no_error():
    """A camera that looks along the board, with the rim of the view just in its own plane."""
    along = msgspec.structs.replace(WIDE, rotation=(np.pi / 2, 0.0, 0.0), translation=(0.0, 300.0, 1e-12))
    rectify = Rectifier(along, board_view(BoardPrint()))
    assert not rectify.inside.all()
    assert rectify(np.zeros((864, 1536, 3), np.uint8)).shape == (*board_view(BoardPrint()).shape, 3)


def test_a_camera_sees_an_averaged_picture_in_the_same_places():
    points = np.random.default_rng(1).uniform(-200, 200, (50, 3))
    smaller = WIDE.coarser(3)
    assert smaller.image_size == (512, 288)
    np.testing.assert_allclose((smaller.project(points) + 0.5) * 3 - 0.5, WIDE.project(points), atol=1e-9)
    np.testing.assert_allclose(smaller.eye, WIDE.eye)
