"""`companion recognise`: a layout a picture; a bad picture is named, the others go on."""

import json

import cv2
import pytest

from calibration import save_calibration
from companion.cli.program import main
from companion.rules.geometry import load_board
from companion.rules.layout import decode_layout


def run(*words):
    return main(["recognise", *(str(w) for w in words)])


@pytest.fixture
def calibration_file(table_calibration, tmp_path):
    path = tmp_path / "calibration.json"
    save_calibration(path, table_calibration)
    return path


def test_a_picture_becomes_a_layout_and_its_time_is_told(table_dir, calibration_file, tmp_path, capsys):
    assert run("--calibration", calibration_file, "--out", tmp_path / "out", table_dir / "f01.jpg") == 0
    layout = decode_layout(json.loads((tmp_path / "out" / "f01.json").read_text()), load_board())
    assert len(layout.hexes) > 40
    assert capsys.readouterr().out.strip().endswith(" ms")


def test_bad_pictures_are_named_and_the_others_go_on(table_dir, calibration_file, tmp_path, capsys):
    torn, small, grey = (tmp_path / f"{n}.jpg" for n in ("torn", "small", "grey"))
    data = (table_dir / "f01.jpg").read_bytes()
    torn.write_bytes(data[: len(data) // 2])
    image = cv2.imread(str(table_dir / "f01.jpg"))
    cv2.imwrite(str(small), cv2.resize(image, (768, 432)))
    cv2.imwrite(str(grey), cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))
    missing = tmp_path / "missing.jpg"
    out = tmp_path / "out"
    pictures = [torn, small, grey, missing, table_dir / "f01.jpg"]
    assert run("--calibration", calibration_file, "--out", out, *pictures) == 1
    errors = capsys.readouterr().err.splitlines()
    assert len(errors) == 4
    for line, path in zip(errors, pictures, strict=False):
        assert str(path) in line
    assert [p.name for p in out.iterdir()] == ["f01.json"]


def test_a_picture_of_another_place_is_named(table_dir, calibration_file, tmp_path, capsys):
    turned = tmp_path / "turned.jpg"
    cv2.imwrite(str(turned), cv2.rotate(cv2.imread(str(table_dir / "f01.jpg")), cv2.ROTATE_180))
    assert run("--calibration", calibration_file, "--out", tmp_path / "out", turned) == 1
    assert "turned.jpg: the board does not lie where the calibration says" in capsys.readouterr().err


def test_a_file_that_is_no_calibration_is_named(table_dir, tmp_path, capsys):
    bad = tmp_path / "bad.json"
    bad.write_text("{}")
    assert run("--calibration", bad, "--out", tmp_path / "out", table_dir / "f01.jpg") == 1
    assert "bad.json" in capsys.readouterr().err
