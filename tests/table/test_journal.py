"""The journal keeps what it acknowledged, whatever happens to the file."""

from __future__ import annotations

import random
import shutil
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion.table import Journal, JournalError
from companion.table.records import Head, follows, head_after

START = {"game": "atlantis", "players": [{"name": "Ann", "colours": ["red"]}], "options": {}, "seed": "5ec7e7"}


def write_game(journal: Journal, game: str, steps: int) -> None:
    journal.append(game, [("start", START)])
    for turn in range(1, steps + 1):
        journal.append(game, [("action", {"turn": turn, "action": {"type": "roll", "face": "shark"}})])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games" / "games.db"


def test_records_come_back_in_order_with_an_unbroken_chain(path: Path) -> None:
    with Journal(path) as journal:
        write_game(journal, "g", 10)
    with Journal(path) as journal:
        records = journal.records("g")
        assert [r.number for r in records] == list(range(11))
        head = Head()
        for record in records:
            assert follows(record, head)
            head = head_after(record)
        assert journal.notice is None


def test_a_folder_that_is_closed_to_us_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(_path: Path) -> bool:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "exists", closed)
    with pytest.raises(JournalError, match="may not be written to") as caught:
        Journal(path)
    assert caught.value.fault == "readonly"


def test_several_records_are_appended_all_or_none(path: Path) -> None:
    with Journal(path) as journal:
        write_game(journal, "g", 1)
        journal.append("g", [("action", {"turn": 2}), ("finished", {"winners": [0], "totals": [7]})])
        assert [r.kind for r in journal.records("g")] == ["start", "action", "action", "finished"]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE records SET body = '{}' WHERE serial = 2",
        "DELETE FROM records WHERE serial = 2",
        "INSERT OR REPLACE INTO records SELECT * FROM records WHERE serial = 2",
        "INSERT OR REPLACE INTO records (game, number, kind, at, body, checksum) "
        "SELECT game, number, kind, at, '{}', checksum FROM records WHERE serial = 2",
    ],
)
def test_nothing_can_be_changed_or_deleted_by_a_database_tool(path: Path, statement: str) -> None:
    with Journal(path) as journal:
        write_game(journal, "g", 3)
    tool = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        tool.execute(statement)
    tool.close()


def test_games_are_listed_with_the_one_written_to_last_first_whatever_the_clock_says(path: Path) -> None:
    days = iter([datetime(year, 1, 1, tzinfo=UTC) for year in (2031, 2026, 2027)])
    with Journal(path, clock=lambda: next(days)) as journal:
        journal.append("old", [("start", START)])
        journal.append("new", [("start", START)])
        assert [g.id for g in journal.games()] == ["new", "old"]
        journal.append("old", [("action", {"turn": 3})])
    with Journal(path) as journal:
        assert [g.id for g in journal.games()] == ["old", "new"]
        summary = journal.games()[0]
        assert (summary.turns, summary.players[0].name, summary.started.year) == (3, "Ann", 2031)


def test_the_open_game_is_the_unfinished_one_written_to_last(path: Path) -> None:
    with Journal(path) as journal:
        assert journal.open_game() is None
        for game in ("a", "b", "c"):
            write_game(journal, game, 1)
        journal.append("c", [("finished", {"winners": [0], "totals": [5]})])
        journal.append("b", [("abandoned", {})])
        assert (open_game := journal.open_game()) is not None
        assert open_game.id == "a"
        assert journal.games()[1].totals == (5,)
        journal.append("b", [("action", {"turn": 2})])
        assert (open_game := journal.open_game()) is not None
        assert open_game.id == "b"


def test_an_undo_behind_the_end_opens_the_game_again(path: Path) -> None:
    with Journal(path) as journal:
        write_game(journal, "g", 1)
        journal.append("g", [("finished", {"winners": [0], "totals": [5]})])
        journal.append("g", [("undo", {"undoes": 1, "turn": 1})])
        assert journal.games()[0].open
        assert journal.games()[0].winners == ()


def test_a_game_that_is_not_there_is_named(path: Path) -> None:
    with Journal(path) as journal, pytest.raises(JournalError, match="no game g") as caught:
        journal.records("g")
    assert caught.value.fault == "unknown_game"


# What is not ours to write


def test_a_newer_schema_is_named_and_not_touched(path: Path) -> None:
    with Journal(path) as journal:
        write_game(journal, "g", 3)
    tool = sqlite3.connect(path)
    tool.execute("PRAGMA user_version = 2")
    tool.close()
    before = path.read_bytes()
    with pytest.raises(JournalError, match="newer companion") as caught:
        Journal(path)
    assert caught.value.fault == "newer"
    assert path.read_bytes() == before
    assert sorted(p.name for p in path.parent.iterdir()) == ["games.db", "games.db.lock"]


@pytest.mark.parametrize("application", [0, 77])
def test_another_programs_database_is_named_and_not_touched(path: Path, application: int) -> None:
    path.parent.mkdir()
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE recipes (name TEXT)")
    other.execute(f"PRAGMA application_id = {application}")
    other.commit()
    other.close()
    before = path.read_bytes()
    with pytest.raises(JournalError, match="another program") as caught:
        Journal(path)
    assert caught.value.fault == "foreign"
    assert path.read_bytes() == before


def test_a_journal_is_not_opened_twice(path: Path) -> None:
    with Journal(path) as journal:
        write_game(journal, "g", 1)
        with pytest.raises(JournalError, match="open in another companion") as caught:
            Journal(path)
        assert caught.value.fault == "locked"
        journal.append("g", [("action", {"turn": 2})])
    with Journal(path) as journal:
        assert len(journal.records("g")) == 3


def test_a_file_that_may_not_be_written_to_is_named(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Journal(path) as journal:
        write_game(journal, "g", 1)
    before = path.read_bytes()

    def denied(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", denied)  # the tests may run as root, whom no permission stops
    with pytest.raises(JournalError, match="may not be written to") as caught:
        Journal(path)
    assert caught.value.fault == "readonly"
    monkeypatch.undo()
    assert path.read_bytes() == before


def test_a_disk_that_does_not_give_the_log_is_named(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = Path.read_bytes

    def broken(self: Path) -> bytes:
        if self.name == "games.db-wal":
            raise OSError(5, "Input/output error")
        return read(self)

    path.parent.mkdir()
    path.with_name("games.db-wal").touch()
    monkeypatch.setattr(Path, "read_bytes", broken)
    with pytest.raises(JournalError, match="disk") as caught:
        Journal(path)
    assert caught.value.fault == "disk"


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(JournalError, match="cannot be made") as caught:
        Journal(tmp_path / "file" / "games.db")
    assert caught.value.fault == "readonly"


def test_a_closed_journal_says_so(path: Path) -> None:
    journal = Journal(path)
    write_game(journal, "g", 1)
    journal.close()
    journal.close()
    with pytest.raises(JournalError, match="closed"):
        journal.append("g", [("action", {"turn": 2})])


# Disk full


def test_a_full_disk_refuses_the_step_and_takes_it_when_there_is_space_again(path: Path) -> None:
    with Journal(path) as journal:
        write_game(journal, "g", 3)
        connection = journal._connection
        assert connection is not None
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")
        large = {"turn": 4, "note": "x" * 20_000}
        with pytest.raises(JournalError, match="disk is full") as caught:
            journal.append("g", [("action", large)])
        assert caught.value.fault == "full"
        assert len(journal.records("g")) == 4
        connection.execute("PRAGMA max_page_count = 1000000")
        journal.append("g", [("action", large)])
    with Journal(path) as journal:
        assert journal.notice is None
        assert [r.number for r in journal.records("g")] == [0, 1, 2, 3, 4]


# Damage


def test_a_changed_byte_cuts_the_game_there_and_keeps_the_file_aside(path: Path) -> None:
    with Journal(path) as journal:
        write_game(journal, "a", 20)
        write_game(journal, "b", 20)
    data = bytearray(path.read_bytes())
    at = data.rfind(b'{"turn":13,')  # the record of b: it lies before that of a, rows grow from the end of a page
    at = at if b'"turn":13,' in data[:at] else data.find(b'{"turn":13,')
    data[at + 8] = ord("7")
    path.write_bytes(data)
    with Journal(path) as journal:
        assert journal.notice is not None
        assert "games.db.damaged-1" in str(journal.notice)
        by_id = {g.id: g for g in journal.games()}
        assert sorted(g.damaged for g in by_id.values()) == [False, True]
        cut = next(g for g in by_id.values() if g.damaged)
        whole = next(g for g in by_id.values() if not g.damaged)
        assert (cut.turns, whole.turns) == (12, 20)
        assert cut.open
        journal.append(cut.id, [("action", {"turn": 13})])
    assert path.with_name("games.db.damaged-1").read_bytes() == bytes(data)
    with Journal(path) as journal:
        assert journal.notice is None


@pytest.mark.parametrize("seed", range(12))
def test_any_page_may_be_destroyed_and_every_game_keeps_a_sound_beginning(path: Path, seed: int) -> None:
    rng = random.Random(seed)
    written = {}
    with Journal(path) as journal:
        for game in ("a", "b", "c"):
            write_game(journal, game, 60)
            written[game] = journal.records(game)
    data = bytearray(path.read_bytes())
    pages = len(data) // 4096
    page = rng.randrange(pages)
    data[page * 4096 : (page + 1) * 4096] = rng.randbytes(4096)
    path.write_bytes(data)
    with Journal(path) as journal:
        assert journal.notice is not None
        for game in journal.games():
            saved = [r for r in journal.records(game.id) if r.kind != "recovered"]
            assert tuple(saved) == written[game.id][: len(saved)]
            assert game.damaged or len(saved) == 61
        assert journal.games()
    assert path.with_name("games.db.damaged-1").read_bytes() == bytes(data)


@pytest.mark.parametrize("data", [b"not a database" * 500, bytes(8192), b"SQLite format 3\0" + bytes(84)])
def test_a_file_past_reading_is_kept_aside_and_a_fresh_one_begun(path: Path, data: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(data)
    with Journal(path) as journal:
        assert journal.notice is not None
        assert "no game could be saved" in str(journal.notice)
        write_game(journal, "g", 1)
    assert path.with_name("games.db.damaged-1").read_bytes() == data
    path.write_bytes(data)
    with Journal(path) as journal:
        assert journal.notice is not None
        assert "games.db.damaged-2" in str(journal.notice)


def test_a_file_cut_short_keeps_what_is_left(path: Path) -> None:
    with Journal(path) as journal:
        write_game(journal, "g", 300)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    with Journal(path) as journal:
        assert journal.notice is not None
        assert 50 < journal.games()[0].turns < 200
        assert journal.games()[0].damaged
    assert path.with_name("games.db.damaged-1").stat().st_size == len(data) // 2


def test_records_larger_than_a_page_are_saved_too(path: Path) -> None:
    with Journal(path) as journal:
        journal.append("g", [("start", {**START, "note": "x" * 9000})])
        journal.append("g", [("action", {"turn": 1, "note": "y" * 4050})])
        written = journal.records("g")
    data = bytearray(path.read_bytes())
    data[:100] = bytes(100)
    path.write_bytes(data)
    with Journal(path) as journal:
        assert journal.records("g")[:-1] == written


def test_records_still_in_the_log_are_saved_too(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    with Journal(path) as journal:
        write_game(journal, "g", 30)
        copy.write_bytes(bytes(4096))
        log = bytearray(path.with_name("games.db-wal").read_bytes())
        log[200] ^= 1  # then SQLite trusts none of it
        copy.with_name("copy.db-wal").write_bytes(log)
    with Journal(copy) as journal:
        assert journal.notice is not None
        assert journal.games()[0].turns == 30


@pytest.mark.parametrize("renamed", [1, 2])
def test_a_recovery_cut_short_after_some_of_its_renamings_keeps_the_damaged_files_together(
    path: Path, monkeypatch: pytest.MonkeyPatch, renamed: int
) -> None:
    with Journal(path) as journal:
        write_game(journal, "g", 5)
        log = path.with_name("games.db-wal").read_bytes()
    path.write_bytes(b"\0" + path.read_bytes()[1:])
    path.with_name("games.db-wal").write_bytes(log)
    damaged, rename, left = path.read_bytes(), Path.rename, [renamed]

    def pulled(self: Path, target: Path) -> Path:
        if not left[0]:
            raise OSError(5, "the plug is pulled")
        left[0] -= 1
        return rename(self, target)

    with monkeypatch.context() as plug:
        plug.setattr(Path, "rename", pulled)
        plug.setattr(Path, "replace", pulled)
        with pytest.raises(JournalError):
            Journal(path)
    with Journal(path) as journal:
        assert journal.notice is not None
        assert "games.db.damaged-1" in str(journal.notice)
        assert len(journal.games()) == 1
    assert path.with_name("games.db.damaged-1").read_bytes() == damaged
    assert path.with_name("games.db.damaged-1-wal").read_bytes() == log


def test_a_recovery_cut_short_between_its_renamings_is_completed(path: Path) -> None:
    with Journal(path) as journal:
        write_game(journal, "g", 5)
    path.rename(path.with_name("games.db.recovered"))
    path.with_name("games.db.damaged-1").write_bytes(b"the damaged file")
    path.with_name("games.db-wal").write_bytes(b"of the damaged file")
    with Journal(path) as journal:
        assert [g.id for g in journal.games()] == ["g"]
    assert path.with_name("games.db.damaged-1-wal").read_bytes() == b"of the damaged file"


def flip_in(path: Path, text: bytes) -> None:
    data = bytearray(path.read_bytes())
    data[data.index(text)] ^= 1
    path.write_bytes(data)


@pytest.mark.parametrize("is_cut", [False, True])
def test_a_game_whose_beginning_is_damaged_is_counted_as_lost(path: Path, is_cut: bool) -> None:
    with Journal(path) as journal:
        write_game(journal, "a", 5)
        journal.append("b", [("start", {**START, "note": "the beginning of b"})])
        journal.append("b", [("action", {"turn": 1})])
        journal.append("c", [("start", START)])
        journal.append("c", [("action", {"turn": 77}), ("finished", {"winners": [0], "totals": [7]})])
    flip_in(path, b"the beginning of b")
    if is_cut:
        flip_in(path, b'{"turn":77')
    with Journal(path) as journal:
        said = str(journal.notice)
        assert {g.id for g in journal.games()} == {"a", "c"}
    assert "Games saved: 2; " in said
    assert said.endswith("lost, because their beginning is damaged: 1.")
    assert ("perhaps only in part: 1" in said) == is_cut


def test_a_row_that_has_another_games_name_by_its_damage_is_no_lost_game(path: Path) -> None:
    with Journal(path) as journal:
        write_game(journal, "one-game", 5)
    data = bytearray(path.read_bytes())
    data[data.index(b"one-game\x04action")] ^= 1  # the number 4 between them
    path.write_bytes(data)
    with Journal(path) as journal:
        assert "Games saved: 1; of these perhaps only in part: 1." in str(journal.notice)


def test_a_game_lost_in_a_recovery_that_was_cut_short_is_told_of_too(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal(path) as journal:
        journal.append("b", [("start", {**START, "note": "the beginning of b"})])
        journal.append("b", [("action", {"turn": 1})])
        write_game(journal, "a", 5)
    flip_in(path, b"the beginning of b")
    with monkeypatch.context() as plug:
        plug.setattr(Path, "replace", refused)
        with pytest.raises(JournalError):
            Journal(path)
    assert not path.exists()
    with Journal(path) as journal:
        assert "lost, because their beginning is damaged: 1." in str(journal.notice)


def refused(*_: object) -> None:
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize("refuses", ["companion.table.store.insert", "pathlib.Path.rename"])
def test_a_recovery_that_failed_leaves_nothing_that_is_taken_for_one(
    path: Path, monkeypatch: pytest.MonkeyPatch, refuses: str
) -> None:
    """The damaged file is moved away then, as the sentence says; an older one is there still."""
    with Journal(path) as journal:
        write_game(journal, "g", 5)
    path.with_name("games.db.damaged-1").write_bytes(b"an older one")
    path.write_bytes(b"\0" + path.read_bytes()[1:])
    with monkeypatch.context() as full:
        full.setattr(refuses, refused)
        with pytest.raises(JournalError, match="Move it away"):
            Journal(path)
    path.rename(path.with_name("elsewhere"))
    with Journal(path) as journal:
        assert (journal.notice, journal.games()) == (None, [])


@pytest.mark.parametrize("with_older", [False, True])
def test_a_fresh_file_that_nothing_was_written_to_is_no_recovery(path: Path, with_older: bool) -> None:
    """The plug was pulled while it was begun, and somebody has moved the damaged file away."""
    path.parent.mkdir()
    path.with_name("games.db.recovered").touch()
    if with_older:
        path.with_name("games.db.damaged-1").write_bytes(b"an older one")
    Journal(path, reading=True).close()
    with Journal(path) as journal:
        assert (journal.notice, journal.games()) == (None, [])


def test_a_whole_fresh_file_without_a_damaged_one_set_aside_is_no_recovery(path: Path) -> None:
    with Journal(path) as journal:
        write_game(journal, "g", 5)
    path.rename(path.with_name("games.db.recovered"))
    with Journal(path) as journal:
        assert (journal.notice, journal.games()) == (None, [])
    assert path.with_name("games.db.recovered").exists()


@pytest.mark.parametrize("seed", range(25))
def test_a_torn_tail_loses_nothing_that_was_synced_before_it(path: Path, tmp_path: Path, seed: int) -> None:
    """The plug is pulled while the last bytes are on their way: the write-ahead log ends anywhere."""
    rng = random.Random(seed)
    with Journal(path) as journal:
        sizes = []
        wal = path.with_name("games.db-wal")
        write_game(journal, "g", 2)
        for turn in range(3, 12):
            journal.append("g", [("action", {"turn": turn})])
            sizes.append(wal.stat().st_size)
        copy = tmp_path / "copy.db"
        shutil.copy(path, copy)
        data = wal.read_bytes()
    end = rng.randrange(sizes[0], sizes[-1])
    tail = rng.randbytes(rng.randrange(200))
    copy.with_name("copy.db-wal").write_bytes(data[:end] + tail)
    acknowledged = 4 + max(i for i, size in enumerate(sizes) if size <= end)
    with Journal(copy) as journal:
        assert journal.notice is None
        assert len(journal.records("g")) == acknowledged


def test_what_is_printed_of_a_journal_holds_no_seed(path: Path) -> None:
    with Journal(path) as journal:
        write_game(journal, "g", 1)
        assert "5ec7e7" not in f"{journal!r} {journal.records('g')!r} {journal.games()!r}"
