"""Haze on the lens is taken out of all pictures of a table, and the board is read better."""

import msgspec
import pytest
from lights import from_linear

from calibration import calibrate, load_calibration, save_calibration, session
from calibration.haze import NO_HAZE
from calibration.light import to_linear
from calibration.pictures import read_picture
from calibration.session import read_info
from companion.rules.geometry import load_board
from companion.rules.layout import EMPTY, decode_layout
from companion.vision.recogniser import Recogniser

BOARD = load_board()
HAZE = 0.2


@pytest.fixture(scope="module")
def pictures(table_dir):
    """The empty board, the swatch layout, a board in a game, through a hazy lens."""
    seen = (read_picture(table_dir / name) for name in ("calib_board.jpg", "calib_pieces.jpg", "f01.jpg"))
    return [from_linear(to_linear(image) * (0.9 - HAZE) + HAZE) for image in seen]


def misread(calibration, picture, truth):
    """How many hexes are not read as they are."""
    seen = Recogniser(calibration, BOARD, patience=0).observe(picture).hexes
    contents = {e.hex: e.hypotheses[0].content if e.hypotheses else None for e in seen}
    return sum(contents[h] != truth.hexes.get(h, EMPTY) for h in BOARD.hexes)


def test_a_hazy_table_is_read_better_without_its_haze(table_dir, pictures, tmp_path, monkeypatch):
    empty, pieces, game = pictures
    info = read_info(table_dir / "session.json")
    seen = msgspec.json.decode((table_dir / "f01.json").read_bytes())
    truth = decode_layout({"hexes": seen["hexes"], "safe": seen["safe"]}, BOARD)
    cleared = calibrate(empty, pieces, info)
    assert min(cleared.haze) > HAZE / 2
    save_calibration(tmp_path / "table.json", cleared)
    assert load_calibration(tmp_path / "table.json").haze == cleared.haze
    with monkeypatch.context() as patched:
        patched.setattr(session, "measure_haze", lambda *_: NO_HAZE)
        hazy = calibrate(empty, pieces, info)
    wrong = misread(cleared, game, truth)
    assert wrong < misread(hazy, game, truth) / 2
    assert wrong <= 3
