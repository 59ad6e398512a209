"""Where the camera stands: from cards, from four taps, on the printed lines; and when it is not known, that is said."""

import os
import warnings
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest
from cameras import with_spare_card
from double_lines import ABOVE, double_lined_board

from calibration import CalibrationError, pose
from calibration.camera import Camera
from calibration.camera_model import known_lens
from calibration.cards import find_cards
from calibration.grid import USUAL, LinePoints, measure_lines
from calibration.pictures import read_picture
from calibration.pose import fit_camera, pose_from_taps
from calibration.print import HEXES, BoardPrint
from companion.rules.geometry import load_board
from hardware.simulated import SimulatedTable

BOARD = BoardPrint()
SHARED = Path(os.environ.get("ATLANTIS_SHARED", Path(__file__).parents[2] / ".." / "shared"))
PHOTO = SHARED / "photos" / "board_from_above.jpeg"
PHOTO_CORNERS = ((10.0, 0.0), (834.0, 0.0), (838.0, 719.0), (8.0, 719.0))
"""As somebody would tap them; the photograph is cut a little inside the board's edge."""


def hex_corners(height):
    """798 x 3: every hex's corners at that height."""
    angles = np.radians(-90 + 60 * np.arange(6))
    rim = BOARD.side * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    flat = np.concatenate([np.array(BOARD.centre(h)) + rim for h in HEXES])
    return np.column_stack([flat, np.full(len(flat), height)])


def worst(table, camera, height=0.0):
    """By how many px the camera misses a hex corner at most."""
    points = hex_corners(height)
    return np.linalg.norm(table.project(points) - camera.project(points), axis=1).max()


def corners_of(table):
    return table.project(BOARD.corners())


@pytest.fixture(scope="module", params=["oak", "wide"])
def table(request):
    """One upside down and tilted, one through a wide lens whose distortion nobody told."""
    return SimulatedTable(msgspec.to_builtins(load_board()), seed=7, style=request.param, size=(1152, 648))


@pytest.fixture(scope="module")
def picture(table):
    table.put({})
    return table.picture()


@pytest.fixture
def cards_laid_by_hand():
    """The corners of cards that lie a millimetre off, in the picture of a double-lined board."""
    off = np.random.default_rng(6)
    return {
        name: ABOVE.project(BOARD.card_corners(name) + off.normal(0, (1.0, 1.0, 0.0)))
        for name in ("nw", "ne", "se", "sw")
    }


def kind_of(table):
    return "wide" if table.style.lens.view_deg > 80 else "normal"


def test_from_cards_every_hex_corner_is_met_to_half_a_pixel(table, picture):
    fit = fit_camera(picture, find_cards(picture, BOARD), BOARD, None, kind_of(table))
    assert worst(table, fit.camera) < 0.2
    assert worst(table, fit.camera, height=20.0) < 0.5
    assert fit.hits > 0.95


@pytest.mark.parametrize("seed", range(3))
def test_from_taps_15_px_off_the_same_pose_is_found_as_from_cards(table, picture, seed):
    taps = corners_of(table) + np.random.default_rng(seed).uniform(-15, 15, (4, 2))
    fit = pose_from_taps(picture, [tuple(at) for at in taps], BOARD, None, kind_of(table))
    assert worst(table, fit.camera) < 0.2
    assert fit.card_rms_mm is None


def test_taps_in_any_order_find_the_grid_either_way_up(table, picture):
    """The grid looks the same turned by half: then north is what is up in the picture."""
    taps = [tuple(at) for at in corners_of(table)[[2, 0, 3, 1]]]
    camera = pose_from_taps(picture, taps, BOARD, None, kind_of(table)).camera
    north, south = camera.project([[0, -200, 0], [0, 200, 0]])
    assert north[1] < south[1]
    nearest = np.linalg.norm(
        camera.project(hex_corners(0.0))[:, None] - table.project(hex_corners(0.0))[None], axis=2
    ).min(axis=1)
    assert nearest.max() < 0.2


def test_taps_on_the_table_beside_the_board_are_refused(table, picture):
    taps = [tuple(at) for at in corners_of(table) * 0.5]
    lens = known_lens(fit_camera(picture, find_cards(picture, BOARD), BOARD, None, kind_of(table)).camera)
    with pytest.raises(CalibrationError, match="Tap the corners of the board itself"):
        pose_from_taps(picture, taps, BOARD, lens)


def test_that_taps_fit_nothing_is_soon_known(table, picture, monkeypatch):
    """Half a second, and not ten: people wait for it, and drag the corners again."""
    looks = []
    monkeypatch.setattr(pose, "measure_lines", lambda *args: looks.append(args) or measure_lines(*args))
    middle = corners_of(table).mean(axis=0)
    taps = [tuple(at) for at in middle + 0.8 * (corners_of(table) - middle)]
    with pytest.raises(CalibrationError, match="Tap the corners of the board itself"):
        pose_from_taps(picture, taps, BOARD, None, kind_of(table))
    assert len(looks) <= 2 * 2 * len(pose.TAP_STARTS)


def test_taps_on_one_spot_and_too_few_are_refused(picture):
    with pytest.raises(CalibrationError, match="too close together"):
        pose_from_taps(picture, [(500, 300), (520, 300), (520, 320), (500, 320)], BOARD)
    with pytest.raises(CalibrationError, match="Four corners"):
        pose_from_taps(picture, [(500, 300)] * 3, BOARD)


@pytest.mark.parametrize("kept", [("nw", "se"), ("ne", "se", "sw")])
def test_two_cards_are_enough(table, picture, kept):
    cards = {name: at for name, at in find_cards(picture, BOARD).items() if name in kept}
    assert worst(table, fit_camera(picture, cards, BOARD, None, kind_of(table)).camera) < 0.2


def test_of_a_card_that_lies_there_twice_neither_counts(table_dir):
    board = read_picture(table_dir / "calib_board.jpg")
    at = find_cards(board, BOARD)
    for spare in ((4, 4), (4, 380)):
        found = find_cards(with_spare_card(board, at["nw"], spare), BOARD)
        assert set(found) == {"ne", "se", "sw"}
        assert all(np.allclose(found[name], at[name]) for name in found)


def test_cards_so_bright_that_their_white_spreads_are_found(table_dir):
    board = read_picture(table_dir / "calib_board.jpg")
    spread = cv2.dilate(board, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3)))
    assert set(find_cards(spread, BOARD)) == {"nw", "ne", "se", "sw"}


def test_one_card_is_too_few_and_the_others_are_named(picture):
    cards = {name: at for name, at in find_cards(picture, BOARD).items() if name == "nw"}
    with pytest.raises(CalibrationError, match="corner cards north-east, south-east and south-west"):
        fit_camera(picture, cards, BOARD, None)


@pytest.mark.parametrize("exchanged", [("nw", "ne"), ("ne", "se"), ("nw", "se")])
def test_cards_in_each_others_places_are_no_fit(table, picture, exchanged):
    """From a pose so far off no line at all may be found."""
    one, other = exchanged
    cards = find_cards(picture, BOARD)
    cards[one], cards[other] = cards[other], cards[one]
    with pytest.raises(CalibrationError, match=r"corner cards do not lie as they should|printed hexes do not fit"):
        fit_camera(picture, cards, BOARD, None, kind_of(table))


def test_where_no_line_is_found_from_a_first_pose_nothing_fits(table, picture, monkeypatch):
    nothing = LinePoints(np.empty((0, 2)), np.empty((0, 2)), np.empty(0))
    monkeypatch.setattr(pose, "measure_lines", lambda *_: nothing)
    with pytest.raises(CalibrationError, match="printed hexes do not fit the cards"):
        fit_camera(picture, find_cards(picture, BOARD), BOARD, None, kind_of(table))
    with pytest.raises(CalibrationError, match="do not fit these four corners"):
        pose_from_taps(picture, [tuple(at) for at in corners_of(table)], BOARD, None, kind_of(table))


def test_a_pose_that_is_none_is_no_reason_to_warn(picture):
    """Whoever calibrates is told one thing, and in a sentence."""
    size = picture.shape[1], picture.shape[0]
    nowhere = Camera(
        size, (900.0, 900.0), (500.0, 300.0), (0.0, 0.0, 0.0, 0.0, 1e6), (1e-6, 0.0, 0.0), (0.0, 0.0, 1e-6)
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(measure_lines(picture, nowhere, BOARD, 5.0).points) < pose.MIN_LINES


def test_cards_without_a_board_between_them_are_no_fit(table, picture):
    cards = find_cards(picture, BOARD)
    bare = picture.copy()
    noise = np.random.default_rng(1).normal(120, 8, picture.shape)
    inside = cv2.fillConvexPoly(np.zeros(picture.shape[:2], np.uint8), corners_of(table).astype(np.int32), 1)
    bare[inside > 0] = np.clip(noise, 0, 255).astype(np.uint8)[inside > 0]
    with pytest.raises(CalibrationError, match="printed hexes do not fit"):
        fit_camera(bare, cards, BOARD, None, kind_of(table))


def redrawn(table, picture, ink, width, scale=1):
    """The printed lines gone, others in that ink in their place; `width` in px of a picture so many times larger."""
    drawn = cv2.resize(cv2.medianBlur(picture, 5), None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    lines = np.zeros((*drawn.shape[:2], 1), np.uint8)
    corners = (table.project(hex_corners(0.0)) + 0.5) * scale - 0.5
    for outline in np.round(corners * 16).astype(np.int32).reshape(-1, 6, 2):
        cv2.polylines(lines, [outline], True, 255, width, cv2.LINE_AA, 4)
    cover = 0.6 * (lines / 255.0)
    return np.asarray(np.round(drawn * (1 - cover) + np.array(ink) * cover), np.uint8)


@pytest.mark.parametrize("ink", [(235, 232, 228), (150, 150, 40), (60, 60, 60)], ids=["white", "turquoise", "grey"])
def test_lines_of_any_ink_are_met(table, picture, ink):
    """As thin as the printed ones; grey is about as bright as the sea."""
    fit = fit_camera(redrawn(table, picture, ink, 1), find_cards(picture, BOARD), BOARD, None, kind_of(table))
    assert worst(table, fit.camera) < 0.5


def test_lines_that_are_thick_are_met_to_a_pixel(table, picture):
    """They fill most of the last rounds' reach."""
    drawn = cv2.resize(redrawn(table, picture, (235, 232, 228), 3, scale=2), None, fx=0.5, fy=0.5, interpolation=3)
    fit = fit_camera(drawn, find_cards(picture, BOARD), BOARD, None, kind_of(table))
    assert worst(table, fit.camera) < 1.0


def test_lines_with_two_edges_are_met_between_them(cards_laid_by_hand):
    """Of a grid moved by the edges' distance, 5 px, nine in ten lines are hit, too: each by one of its edges."""
    fit = fit_camera(double_lined_board(), cards_laid_by_hand, BOARD, known_lens(ABOVE))
    assert worst(ABOVE, fit.camera) < 1.0


def test_lines_too_thick_for_the_last_round_are_met_by_those_before(table, picture, monkeypatch):
    """So near to them hardly any ground is seen; the pose stays what it was."""
    seen = []

    def measured(image, camera, board, reach, look=USUAL):
        lines = measure_lines(image, camera, board, reach, look)
        seen.append(reach)
        if reach >= pose.LAST_REACH_MM:
            return lines
        return LinePoints(*(part[:50] + 1.0 for part in (lines.points, lines.normals, lines.offsets)))

    monkeypatch.setattr(pose, "measure_lines", measured)
    fit = fit_camera(picture, find_cards(picture, BOARD), BOARD, None, kind_of(table))
    assert min(seen) < pose.LAST_REACH_MM
    assert worst(table, fit.camera) < 0.3


@pytest.mark.skipif(not PHOTO.is_file(), reason=f"the photograph of a real board is not at hand ({PHOTO})")
def test_a_real_board_is_found_from_four_taps_and_its_lines_are_met_to_a_pixel():
    """No cards, no lens data, cut and stretched by a phone's scanning program: focal length, lens and the pixels'
    aspect are fitted."""
    image = read_picture(PHOTO)
    fit = pose_from_taps(image, PHOTO_CORNERS, BOARD, kind="unknown")
    lines = measure_lines(image, fit.camera, BOARD, 3.0)
    level = np.zeros((len(lines.points), 1))
    drawn = fit.camera.project(np.hstack([lines.points, level]))
    printed = fit.camera.project(np.hstack([lines.points + lines.normals * lines.offsets[:, None], level]))
    off = np.linalg.norm(printed - drawn, axis=1)
    assert len(off) > 250
    assert np.sqrt((off**2).mean()) < 0.5
    assert off.max() < 1.5
