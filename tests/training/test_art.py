"""The textures of the training tables: reproducible, of the agreed sizes, of plausible inks, lines in their places."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from calibration.print import HEXES, BoardPrint
from companion.rules.geometry import load_board
from hardware.simulated.arrays import Image
from training.art import (
    bare_lands,
    bare_sea,
    beaches,
    board_art,
    card,
    forests,
    lands,
    mountains,
    sea,
    table_top,
    tabletops,
    tile_faces,
)
from training.art.canvas import Canvas, circle
from training.art.emblems import SERPENTS
from training.art.grid import LineStyle, print_grid
from training.art.shore import CORNERS, Coast, distance_off_shore
from training.art.water import Water

SEEDS = (11, 12, 13)


def _rng(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.fixture(scope="module", params=SEEDS)
def board(request: pytest.FixtureRequest) -> Image:
    return board_art(_rng(request.param))


def test_the_board_is_510_by_450_mm_at_4_px_per_mm(board: Image) -> None:
    assert (board.shape, board.dtype) == ((1800, 2040, 3), np.uint8)


def test_the_scale_of_the_board_can_be_chosen() -> None:
    assert board_art(_rng(1), px_per_mm=2.0).shape == (900, 1020, 3)


def test_the_same_seed_paints_the_same_table() -> None:
    assert np.array_equal(board_art(_rng(5), 2.0), board_art(_rng(5), 2.0))
    assert np.array_equal(table_top(_rng(5)), table_top(_rng(5)))
    first, second = tile_faces(_rng(5), 2), tile_faces(_rng(5), 2)
    assert all(np.array_equal(a, b) for t in first for a, b in zip(first[t], second[t], strict=True))


def test_another_seed_paints_another_table() -> None:
    assert cv2.absdiff(board_art(_rng(5), 2.0), board_art(_rng(6), 2.0)).mean() > 3


def test_bare_sea_is_what_lies_in_the_middle_of_the_seas_hexes() -> None:
    face = np.zeros((900, 1020, 3), np.uint8)
    board = load_board()
    for h in set(HEXES) - set(board.serpent_starts):
        x, y = np.round(np.array(BoardPrint().centre(h)) * 2 + (510, 450)).astype(int).tolist()
        cv2.circle(face, (x, y), 20, (0, 0, 200) if h in board.island else (200, 0, 0), -1)
    found = bare_sea(face)
    assert np.array_equal(np.unique(found.reshape(-1, 3), axis=0), [(200, 0, 0)])
    assert found.shape[1] == found.shape[0] * (len(HEXES) - len(board.island) - len(board.serpent_starts))


def test_bare_lands_are_what_is_printed_in_the_corners() -> None:
    face = np.zeros((900, 1020, 3), np.uint8)
    for rows in (slice(0, 120), slice(-120, None)):
        for columns in (slice(0, 120), slice(-120, None)):
            face[rows, columns] = (0, 200, 0)
    found = bare_lands(face)
    assert np.array_equal(np.unique(found.reshape(-1, 3), axis=0), [(0, 200, 0)])
    assert found.shape[1] == 4 * found.shape[0] > 200


def _contrast_across(image: Image, off_mm: float) -> float:
    """The median contrast across lines parallel to all hex lines, `off_mm` beside them."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32)
    normals = np.tile(circle(6), (len(HEXES), 1))
    directions = np.stack([-normals[:, 1], normals[:, 0]], axis=1)
    board = BoardPrint()
    middles = np.repeat([board.centre(h) for h in HEXES], 6, axis=0) + board.hex_flat_to_flat / 2 * normals
    along = np.linspace(-7, 7, 29)[None, :, None] * directions[:, None]

    def level(shift: float) -> np.ndarray:
        points = middles[:, None] + along + shift * normals[:, None]
        at = (np.add(points, (255, 225)) * 4 - 0.5).astype(np.float32)
        return cv2.remap(grey, at[..., 0], at[..., 1], cv2.INTER_LINEAR).mean(axis=1)

    sides = (level(off_mm - 1.6) + level(off_mm + 1.6)) / 2
    middle = max((level(off_mm + s) for s in (-0.5, 0.0, 0.5)), key=lambda values: np.median(np.abs(values - sides)))
    return float(np.median(np.abs(middle - sides)))


def test_hex_lines_are_where_the_calibration_looks_for_them(board: Image) -> None:
    assert _contrast_across(board, 0.0) > 2.5 * max(_contrast_across(board, 6.0), _contrast_across(board, -6.0))


def test_hex_lines_are_not_shifted_to_a_side() -> None:
    canvas = Canvas((510, 450), 4.0, (255, 225))
    style = LineStyle("solid", (255, 255, 255), (0, 0, 0), 1.0, 1.0, 1.0, 1.0, 0.0, 0.0)
    print_grid(canvas, style, _rng(0))
    grey = canvas.image[..., 0].astype(np.float32)
    # The east edge of hex (0, 0) is a vertical line at x = 19 mm.
    row = grey[900, 1080:1112]
    middle_mm = (np.average(np.arange(len(row)), weights=row) + 0.5) / 4 + 270 - 255
    assert middle_mm == pytest.approx(19.0, abs=0.13)


def test_faces_of_one_terrain_look_alike_but_are_not_the_same() -> None:
    for seed in SEEDS:
        faces = tile_faces(_rng(seed), 4)
        assert list(faces) == ["beach", "forest", "mountain"]
        for terrain in faces.values():
            assert [f.shape for f in terrain] == [(220, 220, 3)] * 4
            assert all(not np.array_equal(terrain[0], other) for other in terrain[1:])
            means = np.array([f[30:190, 30:190].mean(axis=(0, 1)) for f in terrain])
            assert np.ptp(means, axis=0).max() < 40


def _hue(image: Image) -> tuple[float, float]:
    """Hue in degrees and saturation in 0..255 of the mean colour."""
    mean = image.reshape(-1, 3).mean(axis=0).astype(np.uint8)[None, None]
    hue, saturation, _ = cv2.cvtColor(mean, cv2.COLOR_BGR2HSV)[0, 0].tolist()
    return 2.0 * hue, float(saturation)


def test_seas_are_blue_or_green_blue_and_woods_not() -> None:
    for seed in SEEDS:
        board = board_art(_rng(seed), 2.0)
        hue, _ = _hue(board[250:650, 200:820])
        assert 155 < hue < 255
        assert 20 < _hue(tile_faces(_rng(seed), 1)["forest"][0])[0] < 175


@pytest.mark.parametrize("design", sea.DESIGNS, ids=lambda d: d.__name__)
def test_every_sea_covers_the_whole_sheet(design: Callable[[Water], None]) -> None:
    canvas = Canvas((510, 450), 2.0, (255, 225))
    design(Water(canvas, distance_off_shore(canvas, _rng(3)), _rng(3)))
    assert (canvas.image.max(axis=2) > 0).mean() > 0.999
    hue, saturation = _hue(canvas.image)
    assert 160 < hue < 250
    assert saturation > 20


@pytest.mark.parametrize("design", lands.DESIGNS, ids=lambda d: d.__name__)
def test_every_land_leaves_the_open_sea_alone(design: Callable[[np.random.Generator], lands.Painter]) -> None:
    canvas = Canvas((510, 450), 2.0, (255, 225))
    off = distance_off_shore(canvas, _rng(4))
    paint = design(_rng(4))
    for corner in CORNERS:
        paint(Coast(canvas, off, corner, _rng(4)))
    assert canvas.image[:40, :40].max() > 0
    assert canvas.image[300:600, 400:620].max() == 0


@pytest.mark.parametrize("design", [*beaches.DESIGNS, *forests.DESIGNS, *mountains.DESIGNS], ids=lambda d: d.__name__)
def test_every_tile_design_paints_a_face(
    design: Callable[[np.random.Generator], Callable[[np.random.Generator], Image]],
) -> None:
    face = design(_rng(7))(_rng(8))
    assert (face.shape, face.dtype) == ((220, 220, 3), np.uint8)
    assert face.std() > 0.5


@pytest.mark.parametrize("design", tabletops.DESIGNS, ids=lambda d: d.__name__)
def test_every_table_top_is_2000_by_1600_mm(design: Callable[[np.random.Generator], Image]) -> None:
    top = design(_rng(9))
    assert (top.shape, top.dtype) == ((1600, 2000, 3), np.uint8)


def test_each_variety_is_as_wide_as_promised() -> None:
    assert len(set(sea.DESIGNS)) >= 6
    assert len(set(lands.DESIGNS)) >= 4
    assert len(SERPENTS) >= 4
    assert all(len(set(designs)) >= 5 for designs in (beaches.DESIGNS, forests.DESIGNS, mountains.DESIGNS))


@pytest.mark.parametrize("number", range(4))
def test_a_card_bears_its_marker(number: int) -> None:
    image = card(number)
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    corners, ids, _ = detector.detectMarkers(image)
    assert ids.tolist() == [[number]]
    across = np.linalg.norm(corners[0][0][1] - corners[0][0][0]) / image.shape[1] * 60
    assert across == pytest.approx(40, abs=0.4)


def test_a_marker_of_no_corner_is_refused() -> None:
    with pytest.raises(ValueError, match="marker 7"):
        card(7)
