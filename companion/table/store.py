"""The journal's SQLite file: its schema, how it is opened, and what SQLite's errors mean to people.

The file is append-only: triggers refuse every update and delete, also to somebody with a database tool. Only one
companion writes: it holds a lock on a file beside it (`claim`), and SQLite's own, which keeps database tools away.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import functools
import os
import sqlite3
import stat
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from companion.i18n import N_
from companion.table.carve import PAGE
from companion.table.errors import JournalError, JournalFault
from companion.table.records import Record

SCHEMA = 1
"""Version of the schema, in the file's `user_version`. A version is its text to the letter: what differs is damaged."""

APPLICATION = 0x41544C4E
"""Marks the file as ours, in its `application_id`: "ATLN"."""

MEMORY = ":memory:"
"""Instead of a path: a journal that is on no disk."""

COLUMNS = "game, number, kind, at, body, checksum"

_CREATE = f"""
CREATE TABLE records (
    serial   INTEGER PRIMARY KEY AUTOINCREMENT,
    game     TEXT NOT NULL,
    number   INTEGER NOT NULL,
    kind     TEXT NOT NULL,
    at       TEXT NOT NULL,
    body     TEXT NOT NULL,
    checksum BLOB NOT NULL,
    UNIQUE (game, number)
);
CREATE TRIGGER no_update BEFORE UPDATE ON records BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER no_delete BEFORE DELETE ON records BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER no_replace BEFORE INSERT ON records
    WHEN EXISTS (SELECT 1 FROM records WHERE serial = NEW.serial OR (game = NEW.game AND number = NEW.number))
    BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {SCHEMA};
"""

_LOCK_WAIT_S = 0.2

_LOCK_AT, _LOCK_LENGTH = 0x40000000, 512
"""The bytes that SQLite locks, far behind the end of the file."""

_OWNER_ONLY = 0o600
"""Seed and hands are in it. SQLite gives its log the rights of the file."""

_HEADER = 100  # bytes

LOG_LIMIT = 2_000_000
"""Bytes of log, some 140 steps, at which it goes into the file, as it does when a game ends and at closing.

A row lies in the log several times and in the file once: a longer log survives more that hits either of them. A
shorter one loses less if all of it should go, which nobody could tell, and is looked through sooner.
"""

_CACHE_KIB = 256
"""A journal is written to its end and read as a whole: SQLite's usual 2 MB of pages would fill up for nothing."""

READONLY = N_(
    "The record of games {path} may not be written to. Make the file and its folder writable, then start again."
)
_NO_FILE = N_(
    "No games can be kept in {path}: a folder, a device or a pipe has that name. Move it away, then start again."
)
_FOREIGN = N_("{path} is the file of another program. Choose another place for the games.")

_FAULTS: dict[int, tuple[JournalFault, str]] = {
    sqlite3.SQLITE_FULL: (
        "full",
        N_("The disk is full: nothing was recorded and nothing has changed. Free some space, then do the step again."),
    ),
    sqlite3.SQLITE_BUSY: (
        "locked",
        N_("The record of games {path} is open in another companion. Close that one first."),
    ),
    sqlite3.SQLITE_READONLY: ("readonly", READONLY),
    sqlite3.SQLITE_IOERR: (
        "disk",
        N_(
            "The disk did not take the record: nothing has changed."
            " Check the disk or memory card, then do the step again."
        ),
    ),
}
_SAME_AS = {
    sqlite3.SQLITE_LOCKED: sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_CANTOPEN: sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_PERM: sqlite3.SQLITE_READONLY,
}

_SAME_FOR_OS = {
    errno.ENOSPC: sqlite3.SQLITE_FULL,
    errno.EDQUOT: sqlite3.SQLITE_FULL,
    errno.EIO: sqlite3.SQLITE_IOERR,
}

_MARKS = ("user_version", "application_id")


class Damaged(Exception):  # noqa: N818 - not an error to people: the journal repairs itself
    """The file is no sound journal; the text says in what."""


def as_journal_error(error: sqlite3.Error | UnicodeDecodeError, path: Path) -> JournalError | Damaged:
    """What an error of SQLite means: a sentence for people, or that the file is damaged.

    Where it quotes a damaged schema, its own words cannot be decoded.
    """
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)  # none: text that cannot be decoded
    primary = code & 0xFF
    fault = _FAULTS.get(_SAME_AS.get(primary, primary))
    if fault is None:
        return Damaged(str(error))
    return JournalError(*fault, path=path)


def claim(path: Path) -> BinaryIO:
    """Keep other companions from the journal at `path` until the file that is returned is closed.

    That file is `<name>.lock` beside it. It is locked with flock: reading the journal, which drops the locks that
    SQLite's way of locking gives a process, does it nothing, and a second claim in this process is refused as well. It
    holds nothing and stays for ever: were it deleted, two companions might each have one of its name.

    Raises JournalError if another companion has the journal open, or nothing may be written there.
    """
    lock = _open_or_made(path.with_name(f"{path.name}.lock"), path)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        lock.close()
        raise JournalError(*_FAULTS[sqlite3.SQLITE_BUSY], path=path) from error
    return lock


def make(path: Path) -> None:
    """Make the file if there is none, readable to its owner only; only for who has claimed it.

    Raises JournalError if it may not be written to, or somebody has it open who claims nothing: a database tool.
    """
    with _open_or_made(path, path) as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, _LOCK_LENGTH, _LOCK_AT)
        except OSError as error:
            raise JournalError(*_FAULTS[sqlite3.SQLITE_BUSY], path=path) from error


def require_file(file: Path) -> None:
    """Raises JournalError if something else has that name: a pipe would be waited for. OSError if there is nothing."""
    if not stat.S_ISREG(file.stat().st_mode):
        raise JournalError("foreign", _NO_FILE, path=file)


def _open_or_made(file: Path, path: Path) -> BinaryIO:
    """The file, open for writing; what is wrong is said of the journal at `path`."""
    try:
        if not file.exists():
            file.touch(_OWNER_ONLY)
        require_file(file)
        return file.open("r+b")
    except OSError as error:
        fault = _FAULTS[_SAME_FOR_OS.get(error.errno or 0, sqlite3.SQLITE_READONLY)]
        raise JournalError(*fault, path=path) from error


def check_header(file: bytes, path: Path) -> None:
    """Look at the file's first bytes, before SQLite does: a file that is not ours to write is left untouched.

    Raises JournalError for a newer schema and another program's database, Damaged if it is no database at all.
    """
    if len(file) < _HEADER or not file.startswith(b"SQLite format 3\0"):
        raise Damaged("it does not begin like one")
    version, application = struct.unpack(">I4xI", file[60:72])
    refuse_foreign(version, application, path)


def refuse_foreign(version: int, application: int, path: Path) -> None:
    """Raises JournalError unless schema version and application mark a journal that this program may write."""
    if application not in {APPLICATION, 0}:
        raise JournalError("foreign", _FOREIGN, path=path)
    if version > SCHEMA:
        raise JournalError(
            "newer",
            N_(
                "The record of games {path} was written by a newer companion"
                " (format {version}, this one knows {known}). Update the companion; nothing was changed."
            ),
            path=path,
            version=version,
            known=SCHEMA,
        )


def connect(path: Path) -> sqlite3.Connection:
    """Open the file for writing, creating the schema if it is empty, and take the lock.

    Raises sqlite3.Error, JournalError for a file that is not ours, Damaged for one without its table.
    """
    with contextlib.suppress(OSError):  # SQLite says what is wrong
        if str(path) != MEMORY and not path.exists():
            path.touch(_OWNER_ONLY)
    connection = sqlite3.connect(path, timeout=_LOCK_WAIT_S, isolation_level=None)
    try:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        empty = is_empty(connection, path)
        connection.execute(f"PRAGMA page_size = {PAGE}")
        connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA wal_autocheckpoint = 0")  # `empty_log` does it
        connection.execute("BEGIN IMMEDIATE")
        for statement in _statements(_CREATE) if empty else ():
            connection.execute(statement)
        connection.execute("COMMIT")
        empty_log(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def is_empty(connection: sqlite3.Connection, path: Path) -> bool:
    """True for a file to be filled, False for a journal; raises for anything else, before it is written to."""
    version, application = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in _MARKS)
    refuse_foreign(version, application, path)
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not tables:
        return True
    if application != APPLICATION:
        raise JournalError("foreign", _FOREIGN, path=path)
    if not _schema() <= _schema_of(connection):
        raise Damaged("its schema")
    return False


@functools.cache
def _schema() -> frozenset[str]:
    with contextlib.closing(sqlite3.connect(MEMORY)) as connection:
        connection.executescript(_CREATE)
        return _schema_of(connection)


def _schema_of(connection: sqlite3.Connection) -> frozenset[str]:
    """The statements that made what is in the file."""
    return frozenset(sql for (sql,) in connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL"))


def _statements(script: str) -> Iterator[str]:
    """The statements of a script one by one: `executescript` would commit before it starts."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def insert(connection: sqlite3.Connection, records: list[Record]) -> None:
    """Append the records, all or none, and sync them to the disk. Raises sqlite3.Error."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.executemany(
            f"INSERT INTO records ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)",
            [(r.game, r.number, r.kind, r.at, r.body, r.checksum) for r in records],
        )
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def select(connection: sqlite3.Connection, game: str | None = None) -> Iterator[Record]:
    """The records of a game, or all, in the order they were written; read from the table without its index."""
    where, values = ("1", ()) if game is None else ("+game = ?", (game,))
    for row in connection.execute(f"SELECT {COLUMNS} FROM records WHERE {where} ORDER BY serial", values):
        yield Record(*row)


def count(connection: sqlite3.Connection) -> int:
    """How many records there are. Raises sqlite3.Error."""
    number: int = connection.execute("SELECT count(*) FROM records").fetchone()[0]
    return number


# The log: what was appended last


def log_of(path: Path) -> Path:
    """The write-ahead log of the file."""
    return path.with_name(f"{path.name}-wal")


def log_size(path: Path) -> int:
    """Bytes of its log, 0 if there is none."""
    try:
        return log_of(path).stat().st_size
    except OSError:
        return 0


def empty_log(connection: sqlite3.Connection) -> None:
    """Bring what is in the log into the file, synced, and cut the log to nothing.

    If the disk does not take it, it stays in the log. Never begun anew on top of the old one, a log holds no remains of
    another: what is in it was meant to be there (`wal`).
    """
    with contextlib.suppress(sqlite3.Error):
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def cut_log(path: Path, size: int) -> None:
    """Take off the log what a refused transaction has left: SQLite would ignore it, and `wal` take it for damage.

    `size`: bytes of the log before it. Only for who holds the file's lock.
    """
    with contextlib.suppress(OSError):
        if log_size(path) > size:
            os.truncate(log_of(path), size)
