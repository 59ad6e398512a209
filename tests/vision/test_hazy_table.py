"""Haze on the lens is taken out of all pictures of a table, and the board is read better."""

import msgspec
import numpy as np
import pytest
from lights import from_linear
from pushes import board_moved, table_moved
from readings_of import misread

from calibration import (
    CalibrationError,
    art_match,
    calibrate,
    load_calibration,
    save_calibration,
    session,
    swatch_check,
)
from calibration.light import to_linear
from calibration.pictures import read_picture
from calibration.session import read_info
from calibration.swatch_check import SwatchCheck
from calibration.view import Rectifier
from companion.rules.geometry import load_board
from companion.vision import evidence, recogniser
from companion.vision.observation import Moved
from companion.vision.recogniser import Recogniser

BOARD = load_board()
HAZE, LITTLE = 0.2, 0.05


def taken(table_dir, haze):
    """The empty board, the swatch layout, a board in a game, through a hazy lens."""
    seen = (read_picture(table_dir / name) for name in ("calib_board.jpg", "calib_pieces.jpg", "f01.jpg"))
    return [from_linear(to_linear(image) * (0.9 - haze) + haze) for image in seen]


@pytest.fixture(scope="module")
def pictures(table_dir):
    return taken(table_dir, HAZE)


@pytest.fixture(scope="module")
def cleared(table_dir, pictures):
    return calibrate(*pictures[:2], read_info(table_dir / "session.json"))


def read(calibration, picture):
    return Recogniser(calibration, BOARD, patience=0).observe(picture)


def test_a_hazy_table_is_read_better_without_its_haze(table_dir, pictures, cleared, truth, monkeypatch):
    assert min(cleared.haze.added) > HAZE / 2
    with monkeypatch.context() as patched:
        patched.setattr(session, "measure_haze", lambda *_, **__: None)
        hazy = calibrate(*pictures[:2], read_info(table_dir / "session.json"))
    wrong = misread(read(cleared, pictures[2]), truth)
    assert wrong < misread(read(hazy, pictures[2]), truth) / 2
    assert wrong <= 2


def test_haze_that_ink_could_explain_is_told_by_the_swatch_pieces(table_dir, truth):
    pictures = taken(table_dir, LITTLE)
    calibration = calibrate(*pictures[:2], read_info(table_dir / "session.json"))
    assert LITTLE / 2 < min(calibration.haze.added) <= max(calibration.haze.added) < 1.02 * LITTLE
    assert misread(read(calibration, pictures[2]), truth) <= 2


@pytest.mark.parametrize("light", [0.3, 0.5, 0.7, 1.1])
def test_haze_goes_with_the_light(pictures, cleared, truth, light):
    assert misread(read(cleared, from_linear(light * to_linear(pictures[2]))), truth) <= 2


def test_a_board_that_was_pushed_is_read_as_well(pictures, cleared, truth):
    seen = read(cleared, board_moved(pictures[2], cleared, 30.0, 20.0, 5.0))
    assert isinstance(seen.registration, Moved)
    assert misread(seen, truth) <= 4


def test_each_view_is_cleared(pictures, cleared, monkeypatch):
    made = []

    class Noted(Rectifier):
        def __init__(self, camera, view, haze=None):
            made.append(haze)
            super().__init__(camera, view, haze)

    for module in (art_match, evidence, recogniser, swatch_check):
        monkeypatch.setattr(module, "Rectifier", Noted)
        before = len(made)
        sight = SwatchCheck(cleared).see(pictures[1])
        assert (sight.tiles, sight.pieces, sight.gone, sight.covered) == ((), (), (), ())
        read(cleared, board_moved(pictures[2], cleared, 30.0, 20.0, 5.0))
        assert len(made) > before, module
    assert all(haze == cleared.haze for haze in made)


def test_a_table_pushed_between_its_two_pictures_is_calibrated_without_the_haze(table_dir, pictures, cleared, truth):
    empty, pieces, game = (
        table_moved(image, cleared.camera, 8.0, 5.0) if i else image for i, image in enumerate(pictures)
    )
    calibration = calibrate(empty, pieces, read_info(table_dir / "session.json"))
    assert calibration.haze == cleared.haze
    dark, known = (np.percentile(of.swatch_image()[of.on_board], 1) for of in (calibration, cleared))
    assert dark == pytest.approx(known, abs=4)
    assert misread(read(calibration, game), truth) <= 4


def test_a_hazy_calibration_is_kept_and_read(cleared, tmp_path):
    path = tmp_path / "table.json"
    save_calibration(path, cleared)
    assert load_calibration(path) == cleared
    document = msgspec.json.decode(path.read_bytes())
    assert document["format"] == 3, "programs that know of no haze refuse it"
    del document["haze"], document["checksum"]
    path.write_bytes(msgspec.json.encode(document))
    with pytest.raises(CalibrationError, match="haze is damaged"):
        load_calibration(path)
