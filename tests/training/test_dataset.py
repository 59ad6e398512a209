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


def test_a_frame_is_prepared_a_second_time_with_something_over_it(sessions, tmp_path):
    for twice in (False, True):
        dataset.prepare(sessions / "good", tmp_path / f"{twice}", twice=twice)
    once, both = (dataset.load_prepared(tmp_path / f"{twice}.npz") for twice in (False, True))
    frames = len(once.plain) - 1
    assert once.plain.tolist() == list(range(frames + 1))
    assert both.plain.tolist() == [0, *(2 * (i // 2) + 1 for i in range(2 * frames))]
    plain = np.flatnonzero(both.plain == np.arange(len(both.plain)))
    assert np.array_equal(both.planes[plain], once.planes)
    for i, bare in enumerate(both.plain):
        assert np.array_equal(both.labels[i].hexes, both.labels[bare].hexes)
        assert np.array_equal(both.planes[i], both.planes[bare]) == (i == bare)
    played = dataset.as_played(both)
    assert np.array_equal(played.planes, dataset.as_played(once).planes)
    assert played.plain.tolist() == list(range(len(played.labels)))


def test_packed_boards_are_measured_on_only_if_that_is_said(sessions, tmp_path, monkeypatch):
    dataset.prepare(sessions / "good", tmp_path / "good", twice=True)
    session = dataset.load_prepared(tmp_path / "good.npz")
    frames = len(dataset.as_played(session).planes) - 1
    assert frames > 0
    monkeypatch.setattr(dataset, "beyond_box", lambda _: ["boat"])
    assert len(dataset.as_played(session).planes) == 1
    packed = dataset.as_played(session, packed=True)
    assert len(packed.planes) == frames + 1
    assert len(packed.planes) < len(session.planes), "with something over them they do not count"
