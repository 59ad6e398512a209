"""Every value and every byte of every JSON file may be wrong; it is told, with the file's name."""

import codecs
import copy
import itertools
import json
import os
import warnings

import numpy as np
import pytest

from calibration import CalibrationError, calibrate_session, load_calibration, save_calibration
from calibration.lens import charuco_board
from calibration.session import read_info
from calibration.swatch import decode_swatches

CHARUCO = {"squares": [7, 5], "square_mm": 30, "marker_mm": 22, "dict": "DICT_5X5_100"}
WRONG = (None, True, 0, -1, 1e308, "", "x\0y", "\udcff", "xx", [], [0, 0], {}, {"xx": 0})


def spoilt(whole, at=()):
    """Each copy of a JSON value in which one value is wrong or gone."""
    here = whole
    for key in at:
        here = here[key]
    children = here if isinstance(here, dict) else range(min(2, len(here))) if isinstance(here, list) else ()
    for key in children:
        for wrong in WRONG:
            part = copy.deepcopy(whole)
            inner = part
            for step in at:
                inner = inner[step]
            inner[key] = wrong
            yield part
        yield from spoilt(whole, (*at, key))


NO_JSON = (
    b"",
    b"\0" * 500,
    '{"calib_board": "På bordet.jpg", "hexes": [{"hex": [0, 1], "tile": "på"}], "format": 2}'.encode("latin-1"),
    '{"calib_board": "calib_board.jpg", "hexes": [], "format": 2}'.encode("utf-16"),
    b"[" * 100_000,
    b'{"x":' * 100_000,
    b'{"format": 2, "hexes": ' + b"[" * 100_000,
)


def broken_bytes(data, times):
    """Copies of a file with a few bytes overwritten, or torn off."""
    rng = np.random.default_rng(1)
    for turn in range(times):
        at = int(rng.integers(len(data)))
        yield data[:at] + rng.bytes(4) + data[at + 4 :] if turn % 4 else data[:at]


def read_or_refused(read, path):
    """What is read, None where it is refused by name."""
    try:
        return read(path)
    except CalibrationError as error:
        if str(error).startswith(f"{path}: "):
            return None
        raise


def session(table_dir):
    whole = json.loads((table_dir / "session.json").read_text())
    return whole | {"lens_pictures": {"folder": "lens", "charuco": CHARUCO}}


def test_a_session_is_refused_by_name_or_can_be_used(table_dir, tmp_path):
    path = tmp_path / "session.json"
    for broken in spoilt(session(table_dir)):
        path.write_text(json.dumps(broken))
        info = read_or_refused(read_info, path)
        if info is None:
            continue
        _ = info.board.hex_edges
        assert not (tmp_path / info.calib_board).is_file()
        if info.lens_pictures:
            charuco_board(info.lens_pictures.charuco)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"lens": "fisheye"}, "fisheye"),
        ({"board_mm": [1e6, 1e6]}, "board_mm"),
        ({"board_mm": [0, 0]}, "board_mm"),
        ({"board_mm": [300, 300]}, "hexes are too large"),
        ({"hex_flat_to_flat_mm": 2}, "hex_flat_to_flat_mm"),
        ({"cards": {"marker_dict": "ArucoDetector"}}, "ArucoDetector is not known"),
        ({"cards": {"ids": {"xx": 1}}}, "nw, ne, se and sw"),
        ({"cards": {"ids": {"nw": 0, "ne": 1, "se": 2, "sw": 50}}}, "has 50 markers"),
        ({"lens_pictures": {"charuco": CHARUCO | {"squares": [0, 0]}}}, "squares"),
        ({"lens_pictures": {"charuco": CHARUCO | {"squares": [40, 40]}}}, "800 are needed"),
        ({"lens_pictures": {"charuco": CHARUCO | {"marker_mm": 31}}}, "smaller than its squares"),
        ({"lens_pictures": {"charuco": CHARUCO | {"dict": "Dictionary"}}}, "Dictionary is not known"),
    ],
)
def test_what_is_wrong_with_a_session_is_said(tmp_path, change, said):
    path = tmp_path / "session.json"
    path.write_text(json.dumps(change))
    with pytest.raises(CalibrationError, match=rf"session\.json: .*{said}"):
        read_info(path)


@pytest.mark.parametrize(
    "piece",
    [
        {"hex": [0, 1], "tile": "lava"},
        {"hex": [0, 1], "tile": "beach"},
        {"hex": [0, 1], "tile": "beach", "explorers": {"purple": 1}},
        {"hex": [0, 1], "tile": "beach", "explorers": {"red": 1, "blue": 0}},
        {"hex": [0, 1], "boat": {"red": 0}},
        {"hex": [0, 1], "boat": {"red": 4}},
        {"hex": [0, 1], "sharks": 1, "whales": 1},
        {"hex": [0, 1]},
        {"hex": [9, 9], "sharks": 1},
    ],
)
def test_a_swatch_layout_that_cannot_be_is_refused_by_name(piece):
    with pytest.raises(CalibrationError, match=r"^c\.json: "):
        decode_swatches(json.dumps({"hexes": [piece]}).encode(), "c.json")


def test_a_swatch_layout_without_any_piece_is_told():
    """Compared with it every tile of the swatch picture would lie where nothing should."""
    with pytest.raises(
        CalibrationError, match=r"^c\.json: The swatch layout is empty: .*; write it anew, or take it away"
    ):
        decode_swatches(b'{"hexes": []}', "c.json")


def test_a_hex_that_is_named_twice_is_told():
    twice = [{"hex": [0, 1], "sharks": 1}, {"hex": [0, 1], "whales": 1}]
    with pytest.raises(CalibrationError, match=r"names hex \[0, 1\] twice"):
        decode_swatches(json.dumps({"hexes": twice}).encode(), "c.json")


def without_checksum(path):
    """What a calibration file holds, as older ones do: then all that is wrong with it has to be found."""
    whole = json.loads(path.read_text())
    del whole["checksum"]
    return whole


@pytest.mark.parametrize("part", ["reference", "swatch", "red"])
def test_a_letter_that_is_wrong_in_a_picture_or_a_paint_is_told(table_calibration, tmp_path, part):
    """A decoder repairs what it can: boards were read wrongly by such a file, and surely."""
    path = tmp_path / "c.json"
    save_calibration(path, table_calibration)
    data = path.read_text()
    at = data.index(f'"{part}"') + len(f'"{part}":"')
    at += (data.index('"', at) - at) // 2
    path.write_text(f"{data[:at]}{'A' if data[at] != 'A' else 'B'}{data[at + 1 :]}")
    with pytest.raises(CalibrationError, match=r"c\.json: the calibration is damaged; calibrate again"):
        load_calibration(path)


def test_a_calibration_that_was_laid_out_anew_is_whole(table_calibration, tmp_path):
    path = tmp_path / "c.json"
    save_calibration(path, table_calibration)
    path.write_text(json.dumps(json.loads(path.read_text()), indent=1))
    assert load_calibration(path) == table_calibration


def test_a_calibration_is_refused_by_name_or_can_be_used(table_calibration, tmp_path):
    path = tmp_path / "c.json"
    save_calibration(path, table_calibration)
    whole = without_checksum(path)
    whole["samples"]["red"] = ""
    path.write_text(json.dumps(whole))
    with pytest.raises(CalibrationError, match=r"c\.json: .*colours"):
        load_calibration(path)
    save_calibration(path, table_calibration)
    whole = without_checksum(path)
    whole["camera"]["distortion"][0] = 1e6
    path.write_text(json.dumps(whole))
    with pytest.raises(CalibrationError, match=r"c\.json: .*camera is damaged"):
        load_calibration(path)
    save_calibration(path, table_calibration)
    whole = without_checksum(path)
    for name in ("camera", "board", "view", "noise", "cards", "swatches", "swatch_eye"):
        for broken in itertools.islice(spoilt({name: whole[name]}), None, None, 7):
            path.write_text(json.dumps(whole | broken))
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                found = read_or_refused(load_calibration, path)
                assert found is None or found.camera.project(found.board.corners()).shape == (4, 2)


@pytest.mark.parametrize("data", NO_JSON, ids=[repr(data[:12]) for data in NO_JSON])
def test_what_is_no_json_is_refused_by_name(tmp_path, data):
    path = tmp_path / "x.json"
    path.write_bytes(data)
    for read in (read_info, load_calibration, lambda path: decode_swatches(path.read_bytes(), str(path))):
        with pytest.raises(CalibrationError) as caught:
            read(path)
        assert str(caught.value).startswith(f"{path}: ")


@pytest.mark.parametrize("data", [data for data in NO_JSON if b"\xe5" in data or data.startswith(b"\xff")])
def test_what_is_no_text_is_said_to_be_that(tmp_path, data):
    path = tmp_path / "x.json"
    path.write_bytes(data)
    for read in (read_info, load_calibration):
        with pytest.raises(
            CalibrationError, match="this is no text in UTF-8: if it is the right file, save it as that"
        ):
            read(path)


def test_the_mark_that_some_editors_put_before_a_text_is_none_of_it(table_dir, table_calibration, tmp_path):
    for name in ("session.json", "calib_board.jpg", "calib_pieces.jpg", "calib_pieces.json"):
        mark = codecs.BOM_UTF8 if name.endswith(".json") else b""
        (tmp_path / name).write_bytes(mark + (table_dir / name).read_bytes())
    calibrate_session(tmp_path)
    path = tmp_path / "c.json"
    save_calibration(path, table_calibration)
    path.write_bytes(codecs.BOM_UTF8 + path.read_bytes())
    assert load_calibration(path).samples == table_calibration.samples


def test_whatever_bytes_are_wrong_a_file_is_refused_by_name_or_can_be_used(table_dir, table_calibration, tmp_path):
    path = tmp_path / "x.json"
    for data in broken_bytes(json.dumps(session(table_dir), ensure_ascii=False).encode(), 400):
        path.write_bytes(data)
        read_or_refused(read_info, path)
    for data in broken_bytes((table_dir / "calib_pieces.json").read_bytes(), 400):
        path.write_bytes(data)
        read_or_refused(lambda path: decode_swatches(path.read_bytes(), str(path)), path)
    save_calibration(path, table_calibration)
    path.write_text(json.dumps(without_checksum(path)))
    whole = path.read_bytes()
    head = whole[: whole.index(b'"reference"')]  # most of the file is its pictures
    for data in broken_bytes(head, 40):
        path.write_bytes(data + whole[len(head) :])
        read_or_refused(load_calibration, path)


def test_a_swatch_layout_that_cannot_be_read_is_named(table_dir, tmp_path):
    for name in ("session.json", "calib_board.jpg", "calib_pieces.jpg"):
        (tmp_path / name).write_bytes((table_dir / name).read_bytes())
    (tmp_path / "calib_pieces.json").mkdir()
    with pytest.raises(CalibrationError, match=r"calib_pieces\.json: the swatch layout cannot be read"):
        calibrate_session(tmp_path)


@pytest.mark.parametrize("kind", ["a pipe", "a device", "far too large"])
def test_what_is_no_file_or_far_too_large_is_refused_and_not_waited_for(table_dir, tmp_path, kind):
    def put(path):
        if kind == "a pipe":
            os.mkfifo(path)
        elif kind == "a device":
            path.symlink_to("/dev/null")
        else:
            with path.open("wb") as file:
                file.truncate(3 << 30)  # takes no room on the disk

    put(tmp_path / "c.json")
    with pytest.raises(CalibrationError, match=r"c\.json: the calibration cannot be read"):
        load_calibration(tmp_path / "c.json")
    put(tmp_path / "session.json")
    with pytest.raises(CalibrationError, match=r"session\.json: the session cannot be read"):
        read_info(tmp_path / "session.json")
    (tmp_path / "session.json").unlink()
    for name in ("session.json", "calib_board.jpg", "calib_pieces.jpg"):
        (tmp_path / name).write_bytes((table_dir / name).read_bytes())
    put(tmp_path / "calib_pieces.json")
    with pytest.raises(CalibrationError, match=r"calib_pieces\.json: the swatch layout cannot be read"):
        calibrate_session(tmp_path)
