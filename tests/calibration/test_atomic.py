"""A file is replaced whole or not at all, and nothing but a file is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from calibration.atomic import write_atomically

OLD, NEW = b"of last week", b"of today"


def test_missing_folders_are_made(tmp_path: Path) -> None:
    write_atomically(tmp_path / "a" / "b" / "file", NEW)
    assert (tmp_path / "a" / "b" / "file").read_bytes() == NEW


def test_the_old_file_stays_where_the_new_one_does_not_get_onto_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_handle: int) -> None:
        raise OSError

    (tmp_path / "file").write_bytes(OLD)
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError):  # noqa: PT011 - as it comes
        write_atomically(tmp_path / "file", NEW)
    assert {place.name: place.read_bytes() for place in tmp_path.iterdir()} == {"file": OLD}


@pytest.mark.parametrize("before", [OLD, None])
def test_a_link_stays_and_the_file_that_it_leads_to_is_replaced(tmp_path: Path, before: bytes | None) -> None:
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
    file = tmp_path / "there" / "file"
    if before is not None:
        file.write_bytes(before)
    link = tmp_path / "here" / "link"
    link.symlink_to("../there/file")
    write_atomically(link, NEW)
    assert link.readlink() == Path("../there/file")
    assert not file.is_symlink()
    assert file.read_bytes() == NEW
    assert len(list(tmp_path.glob("*/*"))) == 2


def test_a_link_that_leads_nowhere_but_to_itself_is_refused(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to("link")
    with pytest.raises(OSError, match="symbolic links"):
        write_atomically(link, NEW)
    assert link.is_symlink()


@pytest.mark.parametrize("name", ["pipe", "link", "folder"])
def test_what_is_no_file_is_refused_in_a_sentence(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="a folder, a device or a pipe has that name"):
        write_atomically(tmp_path / name, NEW)
    assert sorted(place.name for place in tmp_path.iterdir()) == ["folder", "link", "pipe"]
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "pipe").is_fifo()


def test_a_folder_that_may_not_be_listed_may_be_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = os.open

    def refuse(path: str | Path, flags: int, mode: int = 0o777) -> int:
        if path == tmp_path:
            raise PermissionError
        return opened(path, flags, mode)

    monkeypatch.setattr(os, "open", refuse)
    write_atomically(tmp_path / "file", NEW)
    assert (tmp_path / "file").read_bytes() == NEW


def test_a_memory_stick_needs_no_modes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_handle: int, _mode: int) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "fchmod", refuse)
    write_atomically(tmp_path / "file", NEW)
    assert (tmp_path / "file").read_bytes() == NEW
