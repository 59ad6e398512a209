"""What the network looks through: every window shows its hex, leaning straight up."""

import numpy as np
import pytest
from planes import empty_planes

from calibration.hexes import lean
from calibration.view import View
from companion.rules.geometry import load_board
from companion.vision.inputs import CHANNELS, plane, shrunk
from companion.vision.windows import (
    COARSE_FRAME,
    CREATURE_FRAME,
    HEX_FRAME,
    LAND_FRAME,
    LAND_SIDES,
    WINDOW_CHANNELS,
    Cuts,
    Jitter,
    Window,
    WindowCutter,
)

BOARD = load_board()
CENTRES = np.array([BOARD.centre_mm(h) for h in BOARD.hexes])
SIZE = tuple(float(v) for v in BOARD.physical.board)
VIEW = View(SIZE)
EYE = np.array([60.0, 300.0, 800.0])


@pytest.fixture(scope="module")
def cutter():
    return WindowCutter(VIEW, SIZE, CENTRES, BOARD.physical.hex_flat_to_flat / 2)


def random_planes(seed):
    rng = np.random.default_rng(seed)
    return [rng.integers(0, 256, group.shape, np.uint8) for group in empty_planes(VIEW.shape)]


def test_windows_within_others_show_the_same_as_if_cut_for_themselves(cutter):
    which, planes = [0, 60, 132], random_planes(3)
    within = cutter.hexes(EYE, which).within(CREATURE_FRAME)
    for_themselves = cutter.hexes(EYE, which, frame=CREATURE_FRAME)
    for some in (np.arange(3), np.array([2])):
        cut = within.cut(planes, some)
        assert cut.shape == (len(some), CREATURE_FRAME.rows, CREATURE_FRAME.columns, len(WINDOW_CHANNELS))
        np.testing.assert_array_equal(cut, for_themselves.cut(planes, some))


@pytest.mark.parametrize("frame", [HEX_FRAME, COARSE_FRAME])
@pytest.mark.parametrize("jitter", [Jitter(), Jitter(0.3, (1.5, -2.0), (1.1, 0.9), flip=True)])
def test_pixels_is_the_inverse_of_points(frame, jitter):
    window = Window(frame, EYE, CENTRES[7], jitter)
    points = window.points()
    at = window.pixels(points.reshape(-1, 2)).reshape(frame.rows, frame.columns, 2)
    rows, columns = np.mgrid[: frame.rows, : frame.columns]
    np.testing.assert_allclose(at, np.stack([rows, columns], axis=-1), atol=1e-9)


@pytest.mark.parametrize("place", [0, 60, 132])
def test_what_stands_up_leans_up(place):
    window = Window(HEX_FRAME, EYE, CENTRES[place])
    foot, head = window.pixels(np.concatenate([CENTRES[place][None], lean(EYE, CENTRES[place][None], 20.0)]))
    assert foot == pytest.approx([HEX_FRAME.rows - 1 - HEX_FRAME.below, (HEX_FRAME.columns - 1) / 2])
    assert head[1] == pytest.approx(foot[1])
    assert head[0] < foot[0]


@pytest.mark.parametrize("name", ["picture L", "reference L", "print", "detail"])
def test_a_mark_on_the_board_is_seen_where_the_window_says(cutter, name):
    planes = empty_planes(VIEW.shape)
    mark = CENTRES[40] + (6.0, -4.0)
    column, row = np.round(VIEW.pixels(mark)).astype(int)
    plane(planes, name)[row - 1 : row + 2, column - 1 : column + 2] = 255
    (window,) = cutter.hexes(EYE, [40]).cut(planes)
    seen = np.unravel_index(window[..., WINDOW_CHANNELS.index(name)].argmax(), window.shape[:2])
    assert np.abs(Window(HEX_FRAME, EYE, CENTRES[40]).pixels(mark[None])[0] - seen).max() < 1.5
    assert set(np.flatnonzero(window[..., : len(CHANNELS)].any(axis=(0, 1)))) == {CHANNELS.index(name)}


def test_inside_is_the_hex_and_lean_grows_with_the_distance_from_the_camera(cutter):
    planes = empty_planes(VIEW.shape)
    windows = cutter.hexes(EYE, range(len(CENTRES))).cut(planes)
    inside = windows[..., WINDOW_CHANNELS.index("inside")] > 127
    area = BOARD.side_mm**2 * 1.5 * np.sqrt(3) * 1.25**2
    np.testing.assert_allclose(inside.sum(axis=(1, 2)), area, rtol=0.03)
    leans = windows[:, 0, 0, WINDOW_CHANNELS.index("lean")].astype(float)
    away = np.linalg.norm(CENTRES - EYE[:2], axis=1)
    assert np.corrcoef(leans, away)[0, 1] > 0.999


def test_the_windows_of_safe_lands_leave_the_hexes_out(cutter):
    planes = empty_planes(VIEW.shape)
    windows = cutter.safe_lands(EYE, range(len(LAND_SIDES))).cut(planes)
    for window, centre in zip(windows, cutter.lands, strict=True):
        points = Window(LAND_FRAME, EYE, centre).points().reshape(-1, 2)
        inside = (window[..., WINDOW_CHANNELS.index("inside")] > 130).ravel()
        assert inside.sum() > 1000
        to_hexes = np.linalg.norm(points[inside][:, None] - CENTRES[None], axis=2).min(axis=1)
        assert to_hexes.min() > BOARD.physical.hex_flat_to_flat / 2
        assert (np.abs(points[inside]) < np.array(SIZE) / 2).all()


def test_some_windows_are_cut_as_all_are(cutter):
    planes = random_planes(0)
    maps = cutter.hexes(EYE, range(len(CENTRES)))
    which = np.array([5, 3, 100])
    np.testing.assert_array_equal(maps.cut(planes, which), maps.cut(planes)[which])


def test_a_part_of_a_window_is_cut_as_it_lies_in_the_whole_one(cutter):
    planes, which = random_planes(2), 3
    lands = cutter.safe_lands(EYE, range(len(LAND_SIDES)))
    rows, columns = slice(16, 120), slice(40, 176)
    (part,) = lands.part(which, rows, columns).cut(planes)
    whole = lands.cut(planes)[which]
    np.testing.assert_array_equal(part, whole[rows, columns])
    seen = lands.seen(np.ascontiguousarray(plane(planes, "print")), which)
    np.testing.assert_array_equal(seen, whole[..., WINDOW_CHANNELS.index("print")])


def test_windows_that_are_cut_when_they_are_read_are_the_same(cutter):
    planes = random_planes(1)
    maps, which = cutter.hexes(EYE, range(len(CENTRES))), np.array([7, 2, 130, 64])
    cuts, all_at_once = Cuts(maps, planes, which), maps.cut(planes, which)
    assert len(cuts) == 4
    np.testing.assert_array_equal(np.concatenate([cuts[:3], cuts[3:6]]), all_at_once)
    mirrored = cuts.in_a_mirror(np.array([3, 1]))
    np.testing.assert_array_equal(mirrored[:2], all_at_once[[3, 1], :, ::-1])
    np.testing.assert_array_equal(mirrored.in_a_mirror(np.array([1]))[:1], all_at_once[[1]])


def test_a_jittered_window_is_cut_where_it_says(cutter):
    jitter = Jitter(0.2, (1.0, -1.0), (1.05, 0.95), flip=True)
    planes = empty_planes(VIEW.shape)
    mark = CENTRES[40] + (6.0, -4.0)
    column, row = np.round(VIEW.pixels(mark)).astype(int)
    plane(planes, CHANNELS[0])[row - 1 : row + 2, column - 1 : column + 2] = 255
    (window,) = cutter.hexes(EYE, [40], [jitter]).cut(planes)
    seen = np.unravel_index(window[..., 0].argmax(), window.shape[:2])
    assert np.abs(Window(HEX_FRAME, EYE, CENTRES[40], jitter).pixels(mark[None])[0] - seen).max() < 1.6


@pytest.mark.parametrize("eye", [(0.0, 0.0, 900.0), (60.0, 300.0, 800.0), (-500.0, 200.0, 700.0)])
def test_the_whole_of_a_safe_land_is_in_its_window(cutter, eye):
    pixels = VIEW.grid_mm().reshape(-1, 2)
    for at, centre in zip(cutter.land_pixels(), cutter.lands, strict=True):
        seen = Window(LAND_FRAME, np.array(eye), centre).pixels(pixels[at])
        assert len(at) > 2000
        inside = (seen >= 0).all(axis=1) & (seen < (LAND_FRAME.rows, LAND_FRAME.columns)).all(axis=1)
        assert inside.mean() > 0.98


@pytest.mark.parametrize("size", [SIZE, (SIZE[0] + 1.0, SIZE[1] + 1.0)])
def test_a_coarse_window_shows_the_same_piece_of_the_board(size):
    """On a board of any size, of an odd number of pixels too."""
    cutter = WindowCutter(View(size), size, CENTRES, BOARD.physical.hex_flat_to_flat / 2)
    planes = empty_planes(View(size).shape)
    marks = CENTRES + np.array([6.0, -4.0])
    for column, row in np.round(View(size).pixels(marks)).astype(int):
        plane(planes, "print")[row - 2 : row + 3, column - 2 : column + 3] = 255
    name = WINDOW_CHANNELS.index("print")
    windows = cutter.hexes(EYE, range(len(CENTRES)), frame=COARSE_FRAME).cut(shrunk(planes, COARSE_FRAME.shrink))
    weights = windows[..., name].astype(float) * (windows[..., WINDOW_CHANNELS.index("inside")] > 127)
    rows, columns = np.mgrid[: COARSE_FRAME.rows, : COARSE_FRAME.columns]
    seen = np.stack([(weights * along).sum(axis=(1, 2)) for along in (rows, columns)], axis=1)
    seen /= weights.sum(axis=(1, 2))[:, None]
    there = np.concatenate(
        [Window(COARSE_FRAME, EYE, centre).pixels(mark[None]) for centre, mark in zip(CENTRES, marks, strict=True)]
    )
    off = seen - there
    assert np.abs(off).max() < 0.5
    assert np.abs(off.mean(axis=0)).max() < 0.03


def test_no_windows_are_no_windows(cutter):
    planes = empty_planes(VIEW.shape)
    assert cutter.hexes(EYE, []).cut(planes).shape == (0, HEX_FRAME.rows, HEX_FRAME.columns, len(WINDOW_CHANNELS))
