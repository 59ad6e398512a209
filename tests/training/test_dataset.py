"""Sessions are prepared one by one: a bad one costs itself, a full disk ends it."""

from __future__ import annotations

import errno
import os
import shutil

import numpy as np
import pytest

from calibration import CalibrationError
from training import dataset


@pytest.fixture
def sessions(table_dir, tmp_path):
    """Two sessions: the first has a frame and no truth, the other is whole."""
    folder = tmp_path / "sessions"
    shutil.copytree(table_dir, folder / "bad")
    (folder / "bad" / "f01.json").unlink()
    shutil.copytree(table_dir, folder / "good")
    return folder


def prepare_all(sessions, out, monkeypatch):
    monkeypatch.setattr("sys.argv", ["dataset", str(sessions), "--out", str(out)])
    dataset.main()
    return sorted(path.name for path in out.glob("*.npz"))


def test_a_session_that_cannot_be_read_is_left_out_and_the_others_go_on(sessions, tmp_path, monkeypatch, capsys):
    assert prepare_all(sessions, tmp_path / "out", monkeypatch) == ["good.npz"]
    assert "bad: left out: " in (said := capsys.readouterr().out)
    assert "f01.json: the frame's truth cannot be read" in said


@pytest.mark.parametrize("truth", [b"", b"{", b"\xff"])
def test_a_truth_that_is_none_is_named(tmp_path, truth):
    (tmp_path / "f01.json").write_bytes(truth)
    with pytest.raises(CalibrationError, match=r"f01\.json: the frame's truth cannot be read"):
        dataset._truth(tmp_path / "f01.json")


def test_a_full_disk_is_no_bad_session(sessions, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    shutil.rmtree(sessions / "bad")
    monkeypatch.setattr(np, "save", full)
    with pytest.raises(OSError, match="No space left"):
        prepare_all(sessions, tmp_path / "out", monkeypatch)
