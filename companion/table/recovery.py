"""What becomes of a damaged journal: it is set aside unchanged, and the sound beginning of each game is taken over.

The order makes a plug pulled in between harmless: first the fresh file is written whole beside the damaged one, then
the damaged one is renamed, then the fresh one takes its place. `finish` does what is left of that at the next start.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from companion.table import store
from companion.table.errors import JournalError
from companion.table.records import Record, seal
from companion.table.summary import Track

_COMPANIONS = ("", "-wal", "-shm")
_SMALLEST_ROW = 100  # bytes; bounds the number of rows of a file whose own count cannot be read


def recover(path: Path, damage: str) -> str:
    """Save what is sound of the journal at `path` into a fresh one there; returns a sentence about it.

    `damage` says what was found wrong. Raises JournalError if the disk does not let it happen; the damaged file is
    still at its place then.
    """
    aside = _free_name(path)
    try:
        records, cut, lost = _sound_records(path)
        fresh = _fresh_name(path)
        for end in _COMPANIONS:
            fresh.with_name(fresh.name + end).unlink(missing_ok=True)
        _write(fresh, records, cut, aside.name)
        _rename(path, aside)
        fresh.replace(path)
    except sqlite3.Error as error:
        meaning = store.as_journal_error(error, path)
        raise (meaning if isinstance(meaning, JournalError) else hopeless(path, damage)) from error
    except OSError as error:
        raise hopeless(path, damage) from error
    return _sentence(len({r.game for r in records}), len(cut), lost, aside)


def finish(path: Path) -> None:
    """Complete a recovery that was cut short between its two renamings."""
    fresh = _fresh_name(path)
    if fresh.exists() and not path.exists():
        _rename(path, _free_name(path))
        fresh.replace(path)


def hopeless(path: Path, damage: str) -> JournalError:
    """The error for a damaged journal that could not be put right."""
    return JournalError(
        "unreadable",
        f"The record of games {path} is damaged ({damage}) and could not be set aside. Move it away, then start again.",
    )


def _sentence(games: int, cut: int, lost: bool, aside: Path) -> str:
    saved = f"{games} game{'s were' if games != 1 else ' was'} saved" if games else "no game could be saved"
    if cut:
        saved += f", {cut} of them only in part"
    if lost and not cut:
        saved += ", some records could not be read"
    return f"The record of games was damaged and has been set aside as {aside.name}; {saved}."


def _fresh_name(path: Path) -> Path:
    return path.with_name(f"{path.name}.recovered")


def _free_name(path: Path) -> Path:
    n = 1
    while any(path.with_name(f"{path.name}.damaged-{n}{end}").exists() for end in _COMPANIONS):
        n += 1
    return path.with_name(f"{path.name}.damaged-{n}")


def _rename(path: Path, aside: Path) -> None:
    for end in _COMPANIONS:
        part = path.with_name(path.name + end)
        if part.exists():
            part.rename(aside.with_name(aside.name + end))


def _sound_records(path: Path) -> tuple[list[Record], dict[str, Track], bool]:
    """The sound records in order, the games of which later ones are lost, and whether rows could not be read."""
    tracks: dict[str, Track] = {}
    cut: dict[str, Track] = {}
    ends: dict[str, int] = {}
    sound: list[Record] = []
    unread = 0
    for serial, record in _rows(path):
        if record is None:
            unread = serial
            continue
        track = tracks.setdefault(record.game, Track())
        if record.game not in cut and track.add(record):
            sound.append(record)
            ends[record.game] = serial
        else:
            cut[record.game] = track
    # a row that cannot be read may be the next step of any game that was still open then
    for game, track in tracks.items():
        if ends.get(game, 0) < unread and track.head.number and track.summary().open:
            cut[game] = track
    return sound, {game: track for game, track in cut.items() if track.head.number}, bool(unread)


def _rows(path: Path) -> Iterator[tuple[int, Record | None]]:
    """Every row by its serial, None for one that cannot be read; nothing at all if the file is past reading."""
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
    except sqlite3.Error:
        return
    try:
        for serial in range(1, _last_serial(connection, path) + 1):
            try:
                record = next(store.select(connection, "serial = ?", (serial,)), None)
            except sqlite3.Error:
                yield serial, None
            else:
                if record is not None and _well_formed(record):
                    yield serial, record
                else:
                    yield serial, None
    finally:
        connection.close()


def _well_formed(record: Record) -> bool:
    """A damaged page can hold any value in any column."""
    try:
        msgspec.convert(msgspec.structs.asdict(record), Record)
        return isinstance(record.content(), dict)
    except (msgspec.DecodeError, UnicodeError):
        return False


def _last_serial(connection: sqlite3.Connection, path: Path) -> int:
    for query in ("SELECT max(serial) FROM records", "SELECT seq FROM sqlite_sequence"):
        try:
            row = connection.execute(query).fetchone()
        except sqlite3.Error:
            continue
        if row and isinstance(row[0], int):
            return row[0]
    try:
        connection.execute("SELECT name FROM sqlite_master").fetchall()
    except sqlite3.Error:
        return 0
    return path.stat().st_size // _SMALLEST_ROW


def _write(fresh: Path, records: list[Record], cut: dict[str, Track], aside: str) -> None:
    at = datetime.now(UTC).isoformat(timespec="seconds")
    body = msgspec.json.encode({"file": aside}).decode()
    marks = [seal(track.head, game, "recovered", at, body) for game, track in cut.items()]
    connection = store.connect(fresh)
    try:
        if records:
            store.insert(connection, records + marks)
    finally:
        connection.close()
