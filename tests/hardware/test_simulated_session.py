"""A session's folder has the form of the recognition set."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest

from hardware.simulated import swatch_layout, write_frame, write_session
from hardware.simulated.session import LENS_PICTURES


@pytest.fixture(scope="module")
def wide_session(table_of, tmp_path_factory):
    directory = tmp_path_factory.mktemp("wide")
    table = table_of("wide")
    write_session(table, directory)
    return directory


def test_it_tells_the_sizes_and_markers(wide_session):
    session = json.loads((wide_session / "session.json").read_text())
    assert session["image_size"] == [1536, 864]
    assert session["lens"] == "wide"
    assert session["board_mm"] == [510, 450]
    assert session["hex_flat_to_flat_mm"] == pytest.approx(38)
    assert session["cards"]["ids"] == {"nw": 0, "ne": 1, "se": 2, "sw": 3}


def test_the_empty_board_and_the_swatches_are_the_same_view(wide_session):
    empty, swatches = (cv2.imread(str(wide_session / f"calib_{k}.jpg")).astype(int) for k in ("board", "pieces"))
    assert empty.shape == swatches.shape == (864, 1536, 3)
    changed = (np.abs(empty - swatches).max(axis=2) > 60).mean()
    assert 0.005 < changed < 0.1


def test_the_swatch_truth_is_the_prescribed_layout(wide_session):
    truth = json.loads((wide_session / "calib_pieces.json").read_text())
    assert truth["hexes"] == swatch_layout()["hexes"]
    counts = {}
    for item in truth["hexes"]:
        for colour in item.get("explorers", {}):
            counts[item.get("tile"), colour] = counts.get((item.get("tile"), colour), 0) + 1
    assert set(counts.values()) == {1}
    assert len(counts) == 16


def test_the_lens_pictures_show_the_sheet_all_over_the_picture(wide_session):
    paths = sorted((wide_session / "lens").iterdir())
    assert [p.name for p in paths] == [f"{i:02d}.jpg" for i in range(LENS_PICTURES)]
    board = cv2.aruco.CharucoBoard((7, 5), 30, 22, cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100))
    detector = cv2.aruco.CharucoDetector(board)
    seen = [detector.detectBoard(cv2.imread(str(p)))[0] for p in paths]
    assert all(corners is not None and len(corners) >= 12 for corners in seen)
    spread = np.ptp(np.vstack(seen).reshape(-1, 2), axis=0)
    assert (spread > (0.8 * 1536, 0.8 * 864)).all()


def test_a_normal_lens_needs_no_lens_pictures(table_of, tmp_path):
    write_session(table_of("pine"), tmp_path)
    assert not (tmp_path / "lens").exists()
    assert "lens_pictures" not in json.loads((tmp_path / "session.json").read_text())


def test_a_frame_has_its_truth_beside_it(table_of, tmp_path):
    table = table_of("pine")
    table.put(swatch_layout())
    table.hand((40.0, 0.0))
    write_frame(table, tmp_path, "f01")
    truth = json.loads((tmp_path / "f01.json").read_text())
    assert truth["occluded"]
    assert cv2.imread(str(tmp_path / "f01.jpg")).shape == (864, 1536, 3)
