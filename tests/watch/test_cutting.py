"""The picture that a screen is shown: these hexes, north up, whatever way the camera is turned."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest
import simplejpeg

from calibration import Calibration, calibrate_session
from calibration.arrays import Image
from companion.rules.geometry import load_board
from companion.rules.layout import HexContent, Layout, encode_layout
from companion.viewmodel.cutout import Cutout
from companion.watch.cutting import ROUND_MM, SIZE, cut_out
from hardware.simulated import SimulatedTable, write_session

BOARD = load_board()
D4, F8 = BOARD.by_label["D4"], BOARD.by_label["F8"]


@pytest.fixture(scope="module", params=[1, 2, 3])
def table(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Image, Calibration]:
    """A table with one beach, at D4, as its camera sees it, and its calibration."""
    simulated = SimulatedTable(msgspec.to_builtins(BOARD), seed=request.param)
    folder = tmp_path_factory.mktemp("session")
    write_session(simulated, Path(folder))
    calibration = calibrate_session(Path(folder))
    simulated.put(encode_layout(Layout({D4: HexContent(tile="beach")})))
    return simulated.picture(), calibration


def colours(cutout: Cutout) -> Image:
    pixels = simplejpeg.decode_jpeg(cutout.jpeg, colorspace="BGR")
    assert pixels.shape == (cutout.size[1], cutout.size[0], 3)
    return np.asarray(pixels, np.uint8)


def middle(outline: tuple[tuple[float, float], ...]) -> tuple[int, int]:
    x, y = np.mean(outline, axis=0)
    return round(x), round(y)


def is_sand(pixels: Image, at: tuple[int, int]) -> bool:
    """Redder than blue: the simulated sea is not."""
    x, y = at
    blue, _, red = pixels[y - 6 : y + 7, x - 6 : x + 7].reshape(-1, 3).mean(axis=0)
    return bool(red > blue)


def test_the_outlines_lie_on_the_hexes_of_the_picture(table: tuple[Image, Calibration]) -> None:
    image, calibration = table
    cutout = cut_out(image, calibration.camera, BOARD, (D4, F8))
    pixels = colours(cutout)
    beach, sea = (middle(outline) for outline in cutout.outlines)
    assert is_sand(pixels, beach)
    assert not is_sand(pixels, sea)
    assert beach[0] < sea[0], "F8 lies east of D4"
    assert beach[1] < sea[1], "and south"


def test_one_hex_is_shown_in_the_middle_with_its_neighbours(table: tuple[Image, Calibration]) -> None:
    image, calibration = table
    cutout = cut_out(image, calibration.camera, BOARD, (D4,))
    assert middle(cutout.outlines[0]) == pytest.approx((SIZE[0] / 2, SIZE[1] / 2), abs=1)
    width = np.ptp(np.array(cutout.outlines[0])[:, 0])
    assert SIZE[1] / 6 < width < SIZE[1] / 4, "a hex and two on either side"


def test_without_hexes_the_whole_board_is_shown(table: tuple[Image, Calibration]) -> None:
    image, calibration = table
    cutout = cut_out(image, calibration.camera, BOARD, ())
    assert cutout.outlines == ()
    whole = cut_out(image, calibration.camera, BOARD, BOARD.hexes)
    assert whole.jpeg == cutout.jpeg
    corners = np.array(whole.outlines).reshape(-1, 2)
    across = np.ptp(corners, axis=0)
    mm = (np.ptp([BOARD.centre_mm(h) for h in BOARD.hexes], axis=0)[0] + BOARD.side_mm * 3**0.5) / across[0]
    assert corners.min() == pytest.approx(ROUND_MM / mm, abs=1)
    assert (corners.max(axis=0) <= SIZE).all()
