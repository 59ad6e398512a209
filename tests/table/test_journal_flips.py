"""A bit flips anywhere in the file, in its index as well: what was acknowledged is there, or it is said what is not."""

from __future__ import annotations

import contextlib
import random
import sqlite3
from pathlib import Path
from typing import NamedTuple

import pytest

from companion.rules import Options
from companion.table import Journal, JournalError, resume, start_game
from companion.table.carve import PAGE
from companion.table.dealer import Dealer
from companion.table.records import Record
from tests.table.helpers import PEOPLE, play_at_random
from tests.table.test_journal import write_game

INDEX_PAGES = {0x02, 0x0A}  # first byte

NOT_OURS = range(60, 72)
"""The bytes of the file by which it is another program's, or a newer companion's: then it is refused untouched."""


class Played(NamedTuple):
    """A journal's file, closed; the game in it, all its records and where it stood."""

    file: bytes
    game: str
    records: tuple[Record, ...]
    position: object

    def pages(self) -> range:
        return range(0, len(self.file), PAGE)


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Played:
    path = tmp_path_factory.mktemp("played") / "games.db"
    with Journal(path) as journal:
        session = start_game(journal, PEOPLE, Options(), dealer=Dealer(1))
        play_at_random(session, 200, seed=3)
        records = journal.records(session.game_id)
    return Played(path.read_bytes(), session.game_id, records, session.position)


def opened(folder: Path, file: bytes) -> Journal:
    path = folder / "games.db"
    for old in folder.iterdir():
        old.unlink()
    path.write_bytes(file)
    return Journal(path)


@pytest.mark.parametrize("seed", range(4))
def test_no_flipped_bit_in_any_page_loses_anything_in_silence(game: Played, tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    said = set()
    for page in game.pages():
        most = 12 if game.file[page] in INDEX_PAGES else 4
        for at in (page + rng.randrange(PAGE) for _ in range(most)):
            file = bytearray(game.file)
            file[at] ^= 1 << rng.randrange(8)
            if at in NOT_OURS:
                continue
            with opened(tmp_path, bytes(file)) as journal:
                saved = tuple(r for g in journal.games() for r in journal.records(g.id) if r.kind != "recovered")
                if journal.notice is None:
                    assert saved == game.records, f"byte {at}"
                    assert not at % 97 or resume(journal, game.game).position == game.position
                else:
                    said.add(page)
                    assert saved == game.records[: len(saved)], f"byte {at}"
                    assert saved or page == 0 or "no game" in str(journal.notice), f"byte {at}"
    assert said


def index_leaf(game: Played) -> int:
    """Where in the file the index names this game."""
    page = next(at for at in game.pages() if game.file[at] == 0x0A and game.game.encode() in game.file[at : at + PAGE])
    return game.file.index(game.game.encode(), page + PAGE // 2)


def test_an_index_that_names_another_game_is_found_at_opening_and_nothing_is_lost(game: Played, tmp_path: Path) -> None:
    file = bytearray(game.file)
    file[index_leaf(game)] ^= 1
    with opened(tmp_path, bytes(file)) as journal:
        assert journal.notice is not None
        assert journal.records(game.game)[:-1] == game.records  # and the mark that it was damaged
        assert resume(journal, game.game).position == game.position
    assert (tmp_path / "games.db.damaged-1").read_bytes() == file
    with Journal(tmp_path / "games.db") as journal:
        assert journal.notice is None


def schema_places(game: Played) -> range:
    """Where the statements that made the table and its triggers lie."""
    return range(game.file.index(b"CREATE TABLE records"), PAGE)


@pytest.mark.parametrize(
    "statement", [b"serial = NEW.serial", b"number = NEW.number", b"RAISE(ABORT", b"body     TEXT"]
)
def test_a_schema_that_says_something_else_is_found_at_opening(game: Played, tmp_path: Path, statement: bytes) -> None:
    """A step would be refused for ever, or something else be kept than was written."""
    for at in (i for i in schema_places(game) if game.file.startswith(statement, i)):
        for bit in range(8):
            file = bytearray(game.file)
            file[at + len(statement) // 2] ^= 1 << bit
            with opened(tmp_path, bytes(file)) as journal:
                assert journal.notice is not None
                session = resume(journal, game.game)
                assert session.position == game.position
                session.do(session.legal()[0])


@pytest.mark.parametrize("serial", [3, 7, 500])
def test_a_row_whose_serial_has_changed_is_saved_at_its_place(tmp_path: Path, serial: int) -> None:
    path = tmp_path / "games.db"
    with Journal(path) as journal:
        write_game(journal, "g", 20)
        written = journal.records("g")
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as tool:
        tool.execute("DROP TRIGGER no_update")
        tool.execute("DROP TRIGGER no_delete")
        tool.execute("DELETE FROM records WHERE serial = ?", (serial,))
        tool.execute("UPDATE records SET serial = ? WHERE number = 9", (serial,))
    with Journal(path) as journal:
        assert journal.notice is not None
        saved = journal.records("g")[:-1]
        assert saved == written[: serial - 1 if serial < 20 else None]


# While it is open


def rot(journal: Journal, old: bytes, new: bytes) -> None:
    """Change the file under an open journal, which reads it anew."""
    data = journal.path.read_bytes()
    assert old in data
    with journal.path.open("r+b") as file:
        file.write(data.replace(old, new))
    assert journal._connection is not None
    journal._connection.execute("PRAGMA shrink_memory")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "games" / "games.db"
    with Journal(path) as journal:
        write_game(journal, "one", 40)
        write_game(journal, "two", 40)
    return path


@pytest.mark.parametrize(
    ("old", "new"), [(b'"turn":33,', b'"turn":37,'), (b"two\x1faction", b"twp\x1faction"), (b"two", b"one")]
)
def test_records_that_changed_since_the_opening_are_not_given_out(path: Path, old: bytes, new: bytes) -> None:
    with Journal(path) as journal:
        assert journal.notice is None
        rot(journal, old, new)
        with pytest.raises(JournalError, match=r"damaged just now\. Start the companion again") as caught:
            journal.records("two")
        assert caught.value.fault == "unreadable"
    with Journal(path) as journal:
        assert journal.notice is not None, "starting again finds it"
        for summary in journal.games():
            journal.records(summary.id)


def test_the_records_are_read_without_the_index(path: Path) -> None:
    with Journal(path) as journal:
        whole = journal.records("two")
        assert journal._connection is not None
        plan = []
        journal._connection.set_trace_callback(plan.append)
        assert journal.records("two") == whole
    (statement,) = plan
    with contextlib.closing(sqlite3.connect(path)) as tool:
        (step,) = tool.execute(f"EXPLAIN QUERY PLAN {statement}").fetchall()
    assert step[-1] == "SCAN records"
