"""The record of all games: one append-only SQLite file that survives a plug pulled at any moment.

In: records, one small JSON body each. `append` returns when they are on the disk. Out: the records of a game in order,
checked against their checksum chain, and the list of games. The state of a game is a fold over its records
(`session`); nothing is ever changed or deleted.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from companion.faults import Said
from companion.i18n import N_
from companion.table import recovery, store
from companion.table.errors import JournalError
from companion.table.records import Kind, Record, head_after, is_whole, seal
from companion.table.snapshot import snapshot
from companion.table.summary import GameSummary, Track

_TRIES = 3
"""Another companion that is just writing can make a journal look damaged to who reads it."""

_LAST: tuple[Kind, ...] = ("finished", "abandoned")


def _now() -> datetime:
    return datetime.now(UTC)


def no_such_game(game: str, path: Path) -> JournalError:
    """What is said to whoever asks for a game that is not there."""
    return JournalError("unknown_game", N_("There is no game {game} in {path}."), game=game, path=path)


class Journal:
    """The open record of games. Close it, or use it as a context manager; one at a time may have a file open.

    The path ":memory:" keeps it in memory only, for practice games. `clock` says what time a record is written at.
    `reading`: it is only read, as it stands now. Then nothing on the disk is changed or made, not even where
    it is damaged; a companion may have it open, and the disk need not be writable.

    Raises JournalError if the file is newer than this program, another program's, locked, not writable, or the disk is
    full; the file is as it was then. A damaged file is set aside under another name and what is sound of it is
    taken over into a fresh one: `notice` then says so in a sentence. Who is only reading gets a JournalError.
    """

    def __init__(self, path: Path | str, clock: Callable[[], datetime] = _now, *, reading: bool = False) -> None:
        self.path = Path(path)
        self._clock = clock
        self.notice: Said | None = None
        self._tracks: dict[str, Track] = {}  # in the order in which the games were last written to
        self._connection: sqlite3.Connection | None = None
        self._claim: BinaryIO | None = None
        if str(path) == store.MEMORY:
            self._connection = store.connect(self.path)
        elif reading:
            self._read_only()
        else:
            self._make_folder()
            self._claim = store.claim(self.path)
            try:
                self._open()
            except BaseException:
                self.close()
                raise

    def _make_folder(self) -> None:
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise JournalError(
                "readonly",
                N_("The folder for the games {folder} cannot be made: {why}."),
                folder=self.path.parent,
                why=error.strerror,
            ) from error

    def _open(self) -> None:
        """Look at the file before SQLite may touch it, then open it; a damaged one is set aside first."""
        aside = recovery.finish(self.path)
        store.make(self.path)
        try:
            self._connect()
            self.notice = None if aside is None else recovery.completed(self.games(), aside)
        except store.Damaged as damage:
            self._disconnect()
            self.notice = recovery.recover(self.path, str(damage))
            try:
                self._connect()
            except store.Damaged as again:
                raise recovery.hopeless(self.path, str(again)) from again

    def _connect(self) -> None:
        self._look(self.path).close()
        try:
            self._connection = store.connect(self.path)
            read = store.count(self._connection)
        except sqlite3.Error as error:
            raise store.as_journal_error(error, self.path) from error
        if read != sum(track.head.number for track in self._tracks.values()):  # it reads the log in its own way
            raise store.Damaged("SQLite reads other records of it")

    def _read_only(self) -> None:
        for tries_left in reversed(range(_TRIES)):
            try:
                self._connection = self._look(recovery.in_force(self.path))
            except store.Damaged as damage:
                if not tries_left:
                    raise recovery.left_alone(self.path, str(damage)) from damage
            else:
                self._connection.execute("PRAGMA query_only = ON")
                return

    def _look(self, path: Path) -> sqlite3.Connection:
        """A copy of the file in memory, all of it checked; the file is not touched. Raises Damaged, JournalError."""
        self._tracks = {}
        connection = snapshot(path)
        try:
            if not store.is_empty(connection, path):
                self._check(connection)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            connection.close()
            raise store.as_journal_error(error, path) from error
        except BaseException:
            connection.close()
            raise
        return connection

    def _check(self, connection: sqlite3.Connection) -> None:
        """Read every record once: the file has to be whole, its index too, and every chain unbroken."""
        verdict = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if verdict != "ok":
            raise store.Damaged(" ".join(verdict.split()))
        for record in store.select(connection):
            track = self._tracks.pop(record.game, None) or Track()
            if not track.add(record):
                raise store.Damaged(f"record {record.number} of game {record.game}")
            self._tracks[record.game] = track

    def append(self, game: str, entries: Sequence[tuple[Kind, dict[str, Any]]]) -> tuple[Record, ...]:
        """Append records to a game, all or none, and sync them to the disk before returning.

        `entries` are kinds with bodies; a game begins with `start`. Raises JournalError; then nothing was recorded.
        """
        track = self._tracks.get(game) or Track()
        at = self._clock().isoformat(timespec="seconds")
        records: list[Record] = []
        head = track.head
        for kind, content in entries:
            record = seal(head, game, kind, at, msgspec.json.encode(content).decode())
            records.append(record)
            head = head_after(record)
        connection = self._opened()
        log = store.log_size(self.path)
        try:
            store.insert(connection, records)
        except sqlite3.Error as error:
            store.cut_log(self.path, log)
            raise self._journal_error(error) from error
        if log > store.LOG_LIMIT or records[-1].kind in _LAST:
            store.empty_log(connection)
        for record in records:
            track.add(record)
        self._tracks.pop(game, None)
        self._tracks[game] = track
        return tuple(records)

    def next_number(self, game: str) -> int:
        """The number that the next record of the game will get."""
        return self._tracks[game].head.number

    def records(self, game: str) -> tuple[Record, ...]:
        """The records of a game from its start on, all of them.

        Raises JournalError if there is no such game, or the disk does not give back what was written.
        """
        if game not in self._tracks:
            raise no_such_game(game, self.path)
        try:
            records = tuple(store.select(self._opened(), game))
        except sqlite3.Error as error:
            raise self._journal_error(error) from error
        if not is_whole(records, self._tracks[game].head):
            raise self._damaged_now()
        return records

    def games(self) -> list[GameSummary]:
        """All games, the one written to last first."""
        return [track.summary() for track in reversed(self._tracks.values())]

    def summary(self, game: str) -> GameSummary:
        """One game of the list. Raises JournalError if there is no such game."""
        if game not in self._tracks:
            raise no_such_game(game, self.path)
        return self._tracks[game].summary()

    def open_game(self) -> GameSummary | None:
        """The unfinished game that was written to last, None if every game is finished or abandoned."""
        return next((summary for summary in self.games() if summary.open), None)

    def close(self) -> None:
        """Let go of the file. Closing twice is fine."""
        self._disconnect()
        if self._claim is not None:  # after SQLite has written its log into the file
            self._claim.close()
            self._claim = None

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _opened(self) -> sqlite3.Connection:
        if self._connection is None:
            raise JournalError("closed", "The record of games has been closed.")
        return self._connection

    def _journal_error(self, error: sqlite3.Error) -> JournalError:
        meaning = store.as_journal_error(error, self.path)
        return meaning if isinstance(meaning, JournalError) else self._damaged_now()

    def _damaged_now(self) -> JournalError:
        """The error for what was whole when it was opened; the next opening looks at all of it again."""
        return JournalError(
            "unreadable",
            N_("The record of games {path} was damaged just now. Start the companion again: it saves what is sound."),
            path=self.path,
        )

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Journal({str(self.path)!r}, {len(self._tracks)} games)"
