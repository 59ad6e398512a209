"""The journal as it stands on the disk, put together in memory: SQLite does not get near the file.

When SQLite opens a file it throws away what it does not trust of the log, and writes the rest into the file: a damaged
journal must not be opened before it has been looked at. Nor could it be while another companion has it, or where
nothing may be written to. So the file and its log are read as bytes, and SQLite is given what they amount to.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from companion.i18n import N_
from companion.table import store, wal
from companion.table.errors import JournalError

_TRIES = 5
"""Another companion may write the log into the file, and begin a new one, while who only reads reads the two."""

_MODES = slice(18, 20)  # of the file's header
_PLAIN, _LOGGED = b"\1\1", b"\2\2"


def snapshot(path: Path) -> sqlite3.Connection:
    """A database in memory with what the file and its log hold, which is nothing if there are none.

    Raises Damaged, JournalError for a newer schema or another program's file, and if they cannot be read.
    """
    file, logged = _files(path)
    if file:
        store.check_header(file, path)
    log = wal.read(logged)
    if log.damage is not None:
        raise store.Damaged(log.damage)
    if log.pages and not file:
        raise store.Damaged("there is but its log")
    image = wal.replay(file, log)
    del file, log, logged  # many games are many bytes
    if image and image[_MODES] not in (_PLAIN, _LOGGED):
        raise store.Damaged("its header")
    connection = sqlite3.connect(store.MEMORY, isolation_level=None)
    if image:
        image[_MODES] = _PLAIN  # there is no log in memory
        connection.deserialize(image)
    return connection


def _files(path: Path) -> tuple[bytes, bytes]:
    """The file and its log, of one moment.

    A log that goes into the file changes it, and the file never is again what it was. So the two belong together if
    the file reads the same before the log is read and after it.
    """
    for _ in range(_TRIES):
        file, log = _read(path), _read(store.log_of(path))
        if _read(path) == file:
            break
    return file, log


def _read(path: Path) -> bytes:
    try:
        store.require_file(path)
        return path.read_bytes()
    except FileNotFoundError:
        return b""
    except OSError as error:
        sentence = N_("{path} cannot be read ({why}). Check the disk or memory card, and who may read the file.")
        raise JournalError("disk", sentence, path=path, why=error.strerror) from error
