"""Only one companion has the journal, from before it looks at it until it has let go of it."""

from __future__ import annotations

import contextlib
import errno
import os
import select
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.table import Journal, JournalError, recovery
from companion.table.records import Record
from tests.table.test_journal import write_game
from tests.table.test_kill import in_a_child

STEPS = 30


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games" / "games.db"


@pytest.fixture
def damaged(path: Path) -> Path:
    with Journal(path) as journal:
        write_game(journal, "g", STEPS)
    data = path.read_bytes()
    path.write_bytes(data.replace(b'"turn":20,', b'"turn":21,'))
    return path


def is_locked(path: Path) -> bool:
    """True if a companion in another process is told that this one has it."""

    def refused() -> bool:
        try:
            Journal(path)
        except JournalError as error:
            return error.fault == "locked" and "open in another companion" in str(error)
        return False

    return in_a_child(refused)


def watched(monkeypatch: pytest.MonkeyPatch, owner: object, name: str, path: Path) -> list[bool]:
    """Whether the journal was locked to others before and after each call of this function."""
    seen: list[bool] = []
    real: Callable[..., Any] = getattr(owner, name)

    def call(*args: Any, **more: Any) -> Any:
        seen.append(is_locked(path))
        try:
            return real(*args, **more)
        finally:
            seen.append(is_locked(path))

    monkeypatch.setattr(owner, name, call)
    return seen


@pytest.mark.parametrize(
    ("owner", "name", "calls"),
    [
        (recovery, "finish", 1),
        (Journal, "_look", 2),
        (recovery, "carve", 1),
        (recovery, "recover", 1),
        (recovery, "_rename", 1),
        (sqlite3, "connect", 4),  # two looks, the fresh file and the journal
    ],
)
def test_another_companion_is_refused_at_every_step_of_an_opening(
    damaged: Path, monkeypatch: pytest.MonkeyPatch, owner: object, name: str, calls: int
) -> None:
    seen = watched(monkeypatch, owner, name, damaged)
    with Journal(damaged) as journal:
        monkeypatch.undo()
        assert journal.notice is not None
        assert is_locked(damaged)
    assert seen == [True] * 2 * calls
    assert not is_locked(damaged)


def test_reading_it_in_the_same_process_lets_nobody_in(path: Path) -> None:
    with Journal(path) as journal:
        write_game(journal, "g", 1)
        path.read_bytes()
        with Journal(path, reading=True) as reading:
            assert len(reading.records("g")) == 2
        with pytest.raises(JournalError, match="open in another companion"):
            Journal(path)
        opening = "import sys; from companion.table import Journal; Journal(sys.argv[1])"  # not in a fork
        other = subprocess.run([sys.executable, "-c", opening, path], capture_output=True, text=True, check=False)
        assert "open in another companion" in other.stderr
        journal.append("g", [("action", {"turn": 2})])
    assert not is_locked(path)


def test_a_journal_that_cannot_be_opened_is_let_go(path: Path) -> None:
    Journal(path).close()
    with contextlib.closing(sqlite3.connect(path)) as tool:
        tool.execute("PRAGMA user_version = 2")
    with pytest.raises(JournalError, match="newer companion"):
        Journal(path)
    assert not is_locked(path)


def test_a_database_tool_that_has_it_open_is_not_disturbed(damaged: Path) -> None:
    with contextlib.closing(sqlite3.connect(damaged, isolation_level=None)) as tool:
        tool.execute("BEGIN")
        tool.execute("SELECT count(*) FROM records").fetchone()
        assert is_locked(damaged)
    assert not damaged.with_name("games.db.damaged-1").exists()


@pytest.mark.parametrize(
    ("code", "fault"),
    [(errno.EACCES, "readonly"), (errno.EROFS, "readonly"), (errno.ENOSPC, "full"), (errno.EIO, "disk")],
)
def test_a_folder_that_takes_no_file_is_named(
    path: Path, monkeypatch: pytest.MonkeyPatch, code: int, fault: str
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(Path, "touch", refuse)
    with pytest.raises(JournalError) as caught:
        Journal(path)
    assert caught.value.fault == fault
    assert list(path.parent.iterdir()) == []


# Two at once


class Companion:
    """A companion in a process of its own, which does one thing for each byte that it is sent."""

    def __init__(self, path: Path, steps: Callable[[Path], Iterator[bytes]]) -> None:
        hear, self._tell = os.pipe()
        self._hear, tell = os.pipe()
        self._child = os.fork()
        if self._child == 0:  # pragma: no cover - runs in the child
            try:
                todo = steps(path)
                while os.read(hear, 1):
                    os.write(tell, next(todo))
            finally:
                os._exit(0)
        os.close(hear)
        os.close(tell)

    def begin(self) -> None:
        """The next thing; not waited for."""
        os.write(self._tell, b".")

    def answer(self) -> bytes:
        """What came of it, b"" if nothing did."""
        return os.read(self._hear, 1) if select.select([self._hear], [], [], 20)[0] else b""

    def close(self) -> None:
        os.kill(self._child, signal.SIGKILL)
        os.waitpid(self._child, 0)
        os.close(self._tell)
        os.close(self._hear)


def open_and_play(path: Path) -> Iterator[bytes]:
    try:
        journal = Journal(path)
    except JournalError as error:
        yield b"l" if error.fault == "locked" else b"e"
        return
    yield b"r" if journal.notice else b"o"
    for turn in range(100, 120):
        journal.append("g", [("action", {"turn": turn})])
    yield b"p"
    journal.close()
    yield b"c"


def played(path: Path) -> list[Record]:
    """The records of what was played after the recovery; there was but one."""
    assert sorted(p.name for p in path.parent.iterdir()) == ["games.db", "games.db.damaged-1", "games.db.lock"]
    with Journal(path) as journal:
        assert journal.notice is None
        return [r for r in journal.records("g") if r.kind == "action" and r.content()["turn"] >= 100]


@pytest.mark.parametrize("_round", range(8))
def test_of_two_that_start_at_once_on_a_damaged_journal_one_has_it(damaged: Path, _round: int) -> None:
    both = [Companion(damaged, open_and_play) for _ in range(2)]
    try:
        for companion in both:
            companion.begin()
        answers = [companion.answer() for companion in both]
        assert sorted(answers) == [b"l", b"r"]
        one = both[answers.index(b"r")]
        for done in (b"p", b"c"):
            one.begin()
            assert one.answer() == done
    finally:
        for companion in both:
            companion.close()
    assert len(played(damaged)) == 20


def test_one_that_recovers_slowly_loses_nothing_that_another_played(damaged: Path) -> None:
    """Halfway through the recovery a second one starts; once the first has played and gone, a third."""

    def recover_slowly(path: Path) -> Iterator[bytes]:
        real = recovery.recover
        opening = open_and_play(path)
        answers: list[bytes] = []

        def recover(path: Path, damage: str) -> Any:
            second = Companion(path, open_and_play)
            second.begin()
            answers.append(second.answer())
            second.close()
            return real(path, damage)

        recovery.recover = recover
        first = next(opening)
        yield first if answers == [b"l"] else b"?"
        yield from opening

    first = Companion(damaged, recover_slowly)
    try:
        for done in (b"r", b"p", b"c"):
            first.begin()
            assert first.answer() == done
    finally:
        first.close()
    assert len(played(damaged)) == 20
