"""The journal is read as it stands, next to a companion that has it open and where nothing may be written to."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.table import Journal, JournalError, snapshot, store
from companion.table.carve import PAGE
from tests.table.test_journal import START, write_game
from tests.table.test_kill import in_a_child


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games" / "games.db"


def everything(folder: Path) -> dict[str, tuple[bytes, int, int]]:
    return {p.name: (p.read_bytes(), p.stat().st_mtime_ns, p.stat().st_mode) for p in folder.iterdir()}


def read(path: Path) -> list[int]:
    with Journal(path, reading=True) as journal:
        return [record.number for record in journal.records("g")]


def leave_in_the_log(path: Path, steps: int) -> None:
    """Play in a process that ends without closing the journal."""

    def play() -> bool:
        write_game(Journal(path), "g", steps)
        return True

    assert in_a_child(play)
    assert store.log_size(path) > 0


def test_a_game_going_on_is_read_step_by_step(path: Path) -> None:
    with Journal(path) as journal:
        write_game(journal, "g", 3)
        assert in_a_child(lambda: read(path) == [0, 1, 2, 3])
        journal.append("g", [("action", {"turn": 4})])
        assert in_a_child(lambda: read(path) == [0, 1, 2, 3, 4])
        journal.append("g", [("finished", {"winners": [0], "totals": [7]})])
        assert in_a_child(lambda: read(path) == [0, 1, 2, 3, 4, 5])
    assert read(path) == [0, 1, 2, 3, 4, 5]


def test_what_is_written_meanwhile_is_read_whole_or_not_at_all(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "LOG_LIMIT", 40_000)  # the log goes into the file again and again
    start, started = os.pipe()
    with Journal(path) as journal:
        write_game(journal, "g", 0)
    child = os.fork()
    if child == 0:  # pragma: no cover - the writer
        try:
            journal = Journal(path)
            os.write(started, b".")
            for turn in range(400):
                journal.append("g", [("action", {"turn": turn})])
            journal.close()
        finally:
            os._exit(0)
    try:
        os.read(start, 1)
        seen = [0]
        while not os.waitpid(child, os.WNOHANG)[0]:
            seen.append(len(read(path)))
            assert seen[-1] >= seen[-2]
    finally:
        os.close(start)
        os.close(started)
    assert len(read(path)) == 401


def test_a_log_that_comes_and_goes_between_two_looks_at_it_is_noticed(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file is read while a log goes into it: some of its pages are of before. The log is empty before and after."""
    with Journal(path) as journal:
        write_game(journal, "g", 40)
    before = path.read_bytes()
    with Journal(path) as journal:
        for turn in range(41, 81):
            journal.append("g", [("action", {"turn": turn, "action": {"type": "roll", "face": "shark"}})])
    after = path.read_bytes()
    half = len(before) // PAGE // 2 * PAGE
    real, reads = snapshot._read, [before[:half] + after[half:]]
    monkeypatch.setattr(snapshot, "_read", lambda file: reads.pop() if reads and file == path else real(file))
    assert snapshot._files(path) == (after, b"")
    assert not reads


@pytest.fixture
def nothing_may_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a read-only medium; the tests may run as root, whom no permission stops."""
    opened, connect = Path.open, sqlite3.connect

    def open_to_read(self: Path, mode: str = "r", *args: Any, **more: Any) -> Any:
        if set(mode) & set("wax+"):
            raise OSError(30, os.strerror(30))
        return opened(self, mode, *args, **more)

    def refuse(*_: object, **__: object) -> None:
        raise OSError(30, os.strerror(30))

    def connect_in_memory(database: object, **more: Any) -> sqlite3.Connection:
        assert str(database) == ":memory:"
        return connect(":memory:", **more)

    monkeypatch.setattr(Path, "open", open_to_read)
    for change in ("touch", "rename", "replace", "unlink"):
        monkeypatch.setattr(Path, change, refuse)
    monkeypatch.setattr(sqlite3, "connect", connect_in_memory)


def test_where_nothing_may_be_written_it_is_read(path: Path, request: pytest.FixtureRequest) -> None:
    leave_in_the_log(path, 5)
    before = everything(path.parent)
    request.getfixturevalue("nothing_may_be_written")
    assert read(path) == [0, 1, 2, 3, 4, 5]
    with pytest.raises(JournalError, match="may not be written to"):
        Journal(path)
    assert everything(path.parent) == before


def test_where_there_is_none_it_is_empty_and_stays_away(path: Path, nothing_may_be_written: None) -> None:
    with Journal(path, reading=True) as journal:
        assert journal.games() == []
        with pytest.raises(JournalError, match="no game g"):
            journal.records("g")
    assert not path.parent.exists()


def test_nothing_can_be_appended_to_what_is_only_read(path: Path) -> None:
    leave_in_the_log(path, 1)
    with Journal(path, reading=True) as journal:
        with pytest.raises(JournalError, match="may not be written to"):
            journal.append("g", [("action", {"turn": 2})])
        assert len(journal.records("g")) == 2


def change_a_record(path: Path) -> None:
    Journal(path).close()
    data = path.read_bytes()
    path.write_bytes(data.replace(b'"turn":3,', b'"turn":4,'))


def flip_in_the_log(path: Path) -> None:
    log = store.log_of(path)
    data = bytearray(log.read_bytes())
    data[len(data) // 2] ^= 1
    log.write_bytes(data)


def cut_short(path: Path) -> None:
    Journal(path).close()
    os.truncate(path, 5000)


@pytest.mark.parametrize("damage", [change_a_record, flip_in_the_log, cut_short, Path.unlink])
def test_damage_is_told_in_a_sentence_and_nothing_is_changed(path: Path, damage: Callable[[Path], None]) -> None:
    leave_in_the_log(path, 5)
    damage(path)
    before = everything(path.parent)
    with pytest.raises(JournalError, match=r"is damaged .* Nothing was changed") as caught:
        Journal(path, reading=True)
    assert caught.value.fault == "unreadable"
    assert everything(path.parent) == before
    with Journal(path) as journal:  # this one sets it aside
        assert journal.notice is not None
    Journal(path, reading=True).close()


def test_a_recovery_cut_short_between_its_renamings_is_read_all_the_same(path: Path) -> None:
    with Journal(path) as journal:
        write_game(journal, "g", 5)
    path.rename(path.with_name("games.db.recovered"))
    path.with_name("games.db.damaged-1").write_bytes(b"the damaged file")
    store.log_of(path).write_bytes(b"of the damaged file")
    before = everything(path.parent)
    assert read(path) == [0, 1, 2, 3, 4, 5]
    assert everything(path.parent) == before


@pytest.mark.parametrize(
    ("pragma", "told"), [("user_version = 2", "newer"), ("application_id = 77", "another program")]
)
def test_what_is_not_ours_is_named(path: Path, pragma: str, told: str) -> None:
    with Journal(path) as journal:
        journal.append("g", [("start", START)])
    tool = sqlite3.connect(path)
    tool.execute(f"PRAGMA {pragma}")
    tool.close()
    with pytest.raises(JournalError, match=told):
        Journal(path, reading=True)


def test_a_file_that_cannot_be_read_is_named(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(_path: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    path.parent.mkdir(parents=True)
    path.touch()
    monkeypatch.setattr(Path, "read_bytes", closed)
    with pytest.raises(JournalError, match=r"games\.db cannot be read") as caught:
        Journal(path, reading=True)
    assert caught.value.fault == "disk"


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
@pytest.mark.parametrize("end", ["", "-wal", ".lock"])
@pytest.mark.parametrize("reading", [True, False])
def test_what_is_no_file_is_named_and_not_waited_for(
    path: Path, make: Callable[[Path], None], end: str, reading: bool
) -> None:
    path.parent.mkdir(parents=True)
    make(path.with_name(path.name + end))
    if reading and end == ".lock":
        Journal(path, reading=True).close()  # who only reads takes no lock
        return
    with pytest.raises(JournalError, match="a folder, a device or a pipe has that name") as caught:
        Journal(path, reading=reading)
    assert caught.value.fault == "foreign"
