"""What was acknowledged lies in the write-ahead log for a while: damage to it is told, a torn end is none."""

from __future__ import annotations

import random
import resource
import shutil
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from companion.rules import Options
from companion.table import Journal, start_game, store, wal
from companion.table.carve import PAGE
from companion.table.dealer import Dealer
from companion.table.records import Record
from companion.table.recovery import _carved, _sound_records
from tests.table.helpers import PEOPLE, play_at_random
from tests.table.test_journal import START, write_game
from tests.table.test_kill import in_a_child

FRAME = wal.FRAME_HEADER + PAGE


class Left(NamedTuple):
    """A journal as `kill -9` leaves it, and what it had acknowledged."""

    file: bytes
    log: bytes
    records: tuple[Record, ...]

    def lay_out(self, folder: Path) -> Path:
        path = folder / "games.db"
        path.write_bytes(self.file)
        store.log_of(path).write_bytes(self.log)
        return path


def left_by_a_kill(path: Path, journal: Journal, game: str) -> Left:
    return Left(path.read_bytes(), store.log_of(path).read_bytes(), journal.records(game))


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> Left:
    path = tmp_path_factory.mktemp("played") / "games.db"
    with Journal(path) as journal:
        session = start_game(journal, PEOPLE, Options(), dealer=Dealer(1))
        play_at_random(session, 40, seed=1)
        return left_by_a_kill(path, journal, session.game_id)


def saved(journal: Journal) -> tuple[Record, ...]:
    """The records of the only game, without the mark that it was damaged."""
    return tuple(r for game in journal.games() for r in journal.records(game.id) if r.kind != "recovered")


def assert_set_aside(path: Path, damaged: Left) -> None:
    aside = path.with_name("games.db.damaged-1")
    assert aside.read_bytes() == damaged.file
    assert store.log_of(aside).read_bytes() == damaged.log


def flipped(log: bytes, at: int, bit: int) -> bytes:
    return log[:at] + bytes([log[at] ^ 1 << bit]) + log[at + 1 :]


def places(log: bytes, rng: random.Random) -> Sequence[int]:
    """Everywhere in the log: its header, of some frames each field of the header and a few bytes of the page."""
    first, last = wal.LOG_HEADER, len(log) - FRAME
    frames = {first, last, *(rng.randrange(first, last, FRAME) for _ in range(8))}
    fields = [frame + rng.randrange(at, at + 4) for frame in frames for at in range(0, wal.FRAME_HEADER, 4)]
    pages = [frame + rng.randrange(wal.FRAME_HEADER, FRAME) for frame in frames for _ in range(3)]
    return [*range(0, wal.LOG_HEADER, 4), *sorted(fields), *sorted(pages), len(log) - 1]


@pytest.mark.parametrize("seed", range(4))
def test_no_flipped_bit_in_the_log_loses_anything_in_silence(left: Left, tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    whole = 0
    spots = places(left.log, rng)
    for at in spots:
        damaged = left._replace(log=flipped(left.log, at, rng.randrange(8)))
        folder = tmp_path / str(at)
        folder.mkdir(exist_ok=True)
        path = damaged.lay_out(folder)
        proven = tuple(_sound_records(_carved(path))[0])
        with Journal(path) as journal:
            assert journal.notice is not None, f"byte {at}"
            assert "games.db.damaged-1" in str(journal.notice)
            assert saved(journal) == proven == left.records[: len(proven)]
            assert not proven or journal.games()[0].damaged
            whole += len(proven) == len(left.records)
        assert_set_aside(path, damaged)
        shutil.rmtree(folder)
    assert whole > 0.8 * len(spots)  # a row lies in the log several times, a game's beginning but once


@pytest.mark.parametrize("gone", ["empty", "missing"])
def test_a_log_without_its_file_is_set_aside_and_its_games_are_saved(left: Left, tmp_path: Path, gone: str) -> None:
    path = left._replace(file=b"").lay_out(tmp_path)
    if gone == "missing":
        path.unlink()
    with Journal(path) as journal:
        assert journal.notice is not None
        assert saved(journal) == left.records
    assert_set_aside(path, left._replace(file=b""))


def test_a_log_of_which_a_sector_reads_as_zeros_is_damaged(left: Left, tmp_path: Path) -> None:
    at = len(left.log) // 2 // 512 * 512
    damaged = left._replace(log=left.log[:at] + bytes(512) + left.log[at + 512 :])
    path = damaged.lay_out(tmp_path)
    with Journal(path) as journal:
        assert journal.notice is not None
        assert saved(journal) == left.records
    assert_set_aside(path, damaged)


@pytest.mark.parametrize("sectors", [1, 3, 7])
def test_a_last_frame_that_ends_in_zeros_is_damaged(left: Left, tmp_path: Path, sectors: int) -> None:
    """It may have been acknowledged: what becomes of it is said, and all before it is there."""
    at = (len(left.log) // 512 - sectors) * 512
    damaged = left._replace(log=left.log[:at] + bytes(len(left.log) - at))
    path = damaged.lay_out(tmp_path)
    with Journal(path) as journal:
        assert journal.notice is not None
        assert saved(journal) in (left.records, left.records[:-1])
        assert journal.games()[0].damaged
    assert_set_aside(path, damaged)


def test_a_file_found_damaged_keeps_its_log_unmerged(left: Left, tmp_path: Path) -> None:
    damaged = left._replace(file=b"\0" + left.file[1:])
    path = damaged.lay_out(tmp_path)
    with Journal(path) as journal:
        assert saved(journal) == left.records
    assert_set_aside(path, damaged)


# What is no damage


@pytest.mark.parametrize("seed", range(20))
def test_a_log_that_a_kill_cut_short_anywhere_in_its_last_step_is_sound(left: Left, tmp_path: Path, seed: int) -> None:
    """At the end of a frame as well: the step is there without its end."""
    rng = random.Random(seed)
    frames = range(wal.LOG_HEADER, len(left.log), FRAME)
    ends = [at + FRAME for at in frames if any(left.log[at + 4 : at + 8])]
    before, end = ends[-2:]
    at = rng.choice([rng.randrange(before, end), rng.randrange(before, end, FRAME), before + wal.FRAME_HEADER])
    path = left._replace(log=left.log[:at]).lay_out(tmp_path)
    with Journal(path) as journal:
        assert journal.notice is None
        assert saved(journal) == left.records[:-1]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["games.db", "games.db.lock"]


@pytest.mark.parametrize("torn", [0, wal.FRAME_HEADER, 600])
def test_what_an_earlier_log_left_behind_a_later_one_is_no_damage(path: Path, tmp_path: Path, torn: int) -> None:
    """Journals of earlier versions wrote their logs on top of one another; the last frame may be torn there too."""
    with Journal(path) as journal:
        write_game(journal, "g", 12)
        assert journal._connection is not None
        journal._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        on_top = store.log_of(path).read_bytes()
        journal.append("g", [("action", {"turn": 13})])
        before = left_by_a_kill(path, journal, "g")
        journal.append("g", [("action", {"turn": 14})])
        after = left_by_a_kill(path, journal, "g")
    assert len(on_top) == len(before.log) == len(after.log)
    beyond = next(at for at in range(len(before.log)) if before.log[at] != after.log[at])
    killed = before._replace(log=after.log[: beyond + torn] + before.log[beyond + torn :])
    for number, left in enumerate((before, after, killed) if torn else (before, after)):
        folder = tmp_path / str(number)
        folder.mkdir()
        with Journal(left.lay_out(folder)) as journal:
            assert journal.notice is None
            assert saved(journal) == left.records


def test_what_a_full_disk_leaves_of_a_step_is_no_damage(path: Path) -> None:
    def write_into_the_limit() -> bool:
        journal = Journal(path)
        write_game(journal, "g", 3)
        full = store.log_size(path) + 3 * FRAME + 100
        resource.setrlimit(resource.RLIMIT_FSIZE, (full, resource.RLIM_INFINITY))
        with pytest.raises(store.JournalError):
            journal.append("g", [("action", {"turn": 4, "note": "x" * 20_000})])
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        journal.append("g", [("action", {"turn": 4})])
        return True  # and the process ends without closing it

    assert in_a_child(write_into_the_limit)
    assert store.log_size(path) > 0
    with Journal(path) as journal:
        assert journal.notice is None
        assert [r.number for r in journal.records("g")] == [0, 1, 2, 3, 4]


def test_a_log_that_was_never_begun_is_no_damage(path: Path) -> None:
    Journal(path).close()
    for log in (b"", bytes(7), bytes(2 * FRAME)):
        store.log_of(path).write_bytes(log)
        with Journal(path) as journal:
            assert journal.notice is None


# When the log goes into the file


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games" / "games.db"


@pytest.mark.parametrize("kind", ["finished", "abandoned"])
def test_a_game_that_has_ended_is_in_the_file(path: Path, kind: str) -> None:
    with Journal(path) as journal:
        write_game(journal, "g", 5)
        assert store.log_size(path) > 0
        journal.append("g", [(kind, {"winners": [0], "totals": [1]})])  # type: ignore[list-item]
        assert store.log_size(path) == 0
        file = path.read_bytes()
    alone = path.with_name("alone.db")
    alone.write_bytes(file)
    with Journal(alone) as journal:
        assert [r.kind for r in journal.records("g")][-1] == kind


def test_a_log_does_not_grow_for_ever(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "LOG_LIMIT", 100_000)
    with Journal(path) as journal:
        journal.append("g", [("start", START)])
        for turn in range(100):
            journal.append("g", [("action", {"turn": turn})])
            assert store.log_size(path) < 100_000 + 10 * FRAME


def test_what_a_kill_left_in_the_log_is_in_the_file_once_it_is_opened(left: Left, tmp_path: Path) -> None:
    path = left.lay_out(tmp_path)
    with Journal(path) as journal:
        assert store.log_size(path) == 0
        assert saved(journal) == left.records


def test_sqlite_reads_of_a_log_what_is_read_without_it(left: Left, tmp_path: Path) -> None:
    rng = random.Random(3)
    for _ in range(20):
        cut = left._replace(log=left.log[: rng.randrange(len(left.log))])
        image = wal.replay(cut.file, wal.read(cut.log))
        path = cut.lay_out(tmp_path)
        connection = sqlite3.connect(path)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        connection.close()
        assert bytes(image) == path.read_bytes()


# Who may read it


def test_a_journal_is_its_owners_alone(path: Path) -> None:
    with Journal(path) as journal:
        write_game(journal, "g", 1)
        assert path.stat().st_mode & 0o777 == 0o600
        assert store.log_of(path).stat().st_mode & 0o777 == 0o600
        assert path.parent.stat().st_mode & 0o777 == 0o700
    data = path.read_bytes()
    path.write_bytes(data[:100] + bytes(len(data) - 100))
    with Journal(path) as journal:
        assert journal.notice is not None
    assert {p.stat().st_mode & 0o777 for p in path.parent.iterdir()} == {0o600}
