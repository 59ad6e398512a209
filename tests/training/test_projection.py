"""Pictures that are drawn show things where the camera sees them, and maps of shadows all that can throw one."""

import numpy as np
import pytest

from hardware.simulated.optics import Lens, Pose, View
from training.photo import Window
from training.projection import HIGHEST_MM, from_camera, from_far, from_lamp, parts_of_sky, points_of, square
from training.tables import Lamp

BOARD = np.array([(x, y, 0.0) for x in (-300.0, 300.0) for y in (-260.0, 260.0)])
RADIUS = 420.0
LAMPS = [
    Lamp((0.0, 0.0, 1200.0), 300.0, (1.0, 1.0, 1.0)),
    Lamp((900.0, -400.0, 450.0), 80.0, (1.0, 1.0, 1.0)),
    Lamp((-300.0, 800.0, 1500.0), 900.0, (1.0, 1.0, 1.0)),
]


def clipped(matrix, points):
    """N x 3: what OpenGL makes of points of the world, x and y and depth from -1 to 1."""
    seen = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    assert (seen[:, 3] > 0).all()
    return seen[:, :3] / seen[:, 3:]


def in_ball(rng, count=2000):
    """Points on and in the ball about the board's middle, over the table."""
    points = rng.normal(size=(count, 3))
    points *= RADIUS * rng.uniform(0.5, 1.0, (count, 1)) / np.linalg.norm(points, axis=1, keepdims=True)
    points[:, 2] = np.abs(points[:, 2])
    return points


@pytest.mark.parametrize("pose", [Pose(0.0, 0.0, 0.0), Pose(33.0, 70.0, 200.0)])
def test_the_picture_shows_points_where_the_camera_sees_them(pose):
    view = View((1536, 864), Lens(66.0, (0.0, 0.0, 0.0, 0.0, 0.0)), pose, BOARD)
    window = Window(view, (300, 100, 1200, 800), 100_000)
    rng = np.random.default_rng(4)
    points = np.column_stack([rng.uniform(-250, 250, (50, 2)), rng.uniform(0, 40, 50)])
    px = view.project(points)
    scale = window.focal / view.matrix[0, 0]
    expected = (px - view.matrix[:2, 2]) * scale + window.centre
    seen = clipped(from_camera(view, window), points * (1, -1, 1))
    drawn = (seen[:, :2] + 1) / 2 * (window.width, window.height) - 0.5  # pixel centres lie at whole numbers
    assert drawn == pytest.approx(expected, abs=1e-6)
    assert (np.abs(seen[:, 2]) < 1).all()


@pytest.mark.parametrize("lamp", LAMPS)
def test_a_lamp_sees_all_of_the_ball_and_what_is_nearer_as_nearer(lamp):
    rng = np.random.default_rng(5)
    for point in points_of(lamp, 6):
        seen = clipped(from_lamp(point, RADIUS), in_ball(rng))
        assert (np.abs(seen) <= 1 + 1e-9).all()
    towards = np.array(lamp.at) * (1, -1, 1) / np.linalg.norm(lamp.at)
    near, far = clipped(from_lamp(points_of(lamp, 1)[0], RADIUS), np.array([towards * 50, -towards * 50]))[:, 2]
    assert near < far


def test_every_part_of_the_sky_sees_all_of_the_ball_and_what_is_over_it():
    rng = np.random.default_rng(6)
    points = np.vstack([in_ball(rng), [(0.0, 0.0, HIGHEST_MM)]])
    for part in parts_of_sky(12):
        matrix = from_far(part, RADIUS)
        assert (np.abs(clipped(matrix, points)[:-1]) <= 1 + 1e-9).all()
        assert np.abs(clipped(matrix, points)[-1, 2]) <= 1
        near, far = clipped(matrix, np.array([part * 50, -part * 50]))[:, 2]
        assert near < far


def test_the_parts_of_the_sky_are_spread_over_half_of_a_sphere():
    parts = parts_of_sky(12)
    assert np.linalg.norm(parts, axis=1) == pytest.approx(1.0)
    assert (parts[:, 2] > 0).all()
    assert parts.mean(axis=0) == pytest.approx([0, 0, 0.5], abs=0.1)


@pytest.mark.parametrize("lamp", LAMPS)
def test_a_lamp_is_a_square_that_looks_at_the_board_and_its_points_lie_about_its_middle(lamp):
    at, right, up = square(lamp)
    assert [np.linalg.norm(side) for side in (right, up)] == pytest.approx([lamp.side / 2] * 2)
    assert [right @ up, right @ at, up @ at] == pytest.approx([0.0] * 3, abs=1e-6)
    for count, turn in ((12, 0.0), (4, 0.25), (4, 0.75)):
        points = points_of(lamp, count, turn)
        off = points - at
        assert points.mean(axis=0) == pytest.approx(at)
        assert np.abs(off @ right / (right @ right)).max() < 1.5
        assert len(np.unique(np.round(points, 3), axis=0)) == count
    assert not np.allclose(points_of(lamp, 4, 0.0), points_of(lamp, 4, 0.5))
