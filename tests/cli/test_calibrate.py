"""`companion calibrate`: a session becomes a file, with words on how good it is."""

import json

from calibration import load_calibration
from companion.cli.program import main


def run(*words):
    return main(["calibrate", *(str(w) for w in words)])


def test_a_session_becomes_a_calibration_file(table_dir, tmp_path, capsys):
    out = tmp_path / "table.json"
    assert run(table_dir, "--out", out) == 0
    assert load_calibration(out).camera.image_size == (1536, 864)
    printed = capsys.readouterr().out
    assert "reprojection error" in printed
    assert printed.strip().endswith("All is well.")


def test_the_quality_can_be_had_as_json(table_dir, tmp_path, capsys):
    assert run(table_dir, "--out", tmp_path / "t.json", "--json") == 0
    assert json.loads(capsys.readouterr().out)["line_rms_mm"] < 0.4


def test_a_session_that_is_not_there_is_named_and_nothing_is_written(tmp_path, capsys):
    assert run(tmp_path / "nowhere", "--out", tmp_path / "t.json") == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "session.json" in printed.err
    assert printed.err.count("\n") == 1
    assert not (tmp_path / "t.json").exists()
