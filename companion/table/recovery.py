"""What becomes of a damaged journal: it is set aside unchanged, and the sound beginning of each game is taken over.

The order makes a plug pulled in between harmless: first the fresh file is written whole beside the damaged one, then
the damaged one is renamed, then the fresh one takes its place. `finish` does what is left of that at the next start.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple, TypeAlias

import msgspec

from companion.faults import Said
from companion.i18n import N_
from companion.set_aside import free_name
from companion.table import store
from companion.table.carve import carve
from companion.table.errors import JournalError
from companion.table.records import Head, Record, follows, head_after, seal
from companion.table.snapshot import snapshot
from companion.table.summary import GameSummary, Track

_COMPANIONS = ("", "-wal", "-shm", "-journal")

_Numbers: TypeAlias = dict[int, dict[bytes, tuple[int, Record]]]
"""What was carved of a game: by number and checksum a record with its serial."""


class _Carved(NamedTuple):
    """All that was carved, by game; a row that is there twice may have several of the `serials`."""

    games: dict[str, _Numbers]
    serials: set[int]


def recover(path: Path, damage: str) -> Said:
    """Save what is sound of the journal at `path` into a fresh one there; returns a sentence about it.

    `damage` says what was found wrong. Raises JournalError if the disk does not let it happen; the damaged file is
    still at its place then, and nothing beside it that could be taken for a recovery once it is moved away.
    """
    aside, fresh = free_name(path, _COMPANIONS), _fresh_name(path)
    try:
        found = _carved(path)
        records, cut = _sound_records(found)
        _remove(fresh)
        _write(fresh, records, cut, aside.name)
        _rename(path, aside)
        fresh.replace(path)
    except (sqlite3.Error, OSError) as error:
        with contextlib.suppress(OSError):
            if path.exists():  # else the fresh file is on its way there
                _remove(fresh)
        meaning = store.as_journal_error(error, path) if isinstance(error, sqlite3.Error) else None
        raise (meaning if isinstance(meaning, JournalError) else hopeless(path, damage)) from error
    return _sentence(len({r.game for r in records}), len(cut), _count_lost(found), aside)


def finish(path: Path) -> Path | None:
    """Complete a recovery that was cut short between its renamings; returns what the damaged file is called then.

    None if there was none. Raises JournalError if it cannot be completed.
    """
    if (fresh := in_force(path)) == path:
        return None
    aside = _begun_aside(path)
    try:
        _rename(path, aside)
        fresh.replace(path)
    except OSError as error:  # the folder is closed to us
        raise JournalError("readonly", store.READONLY, path=path) from error
    return aside


def completed(games: Sequence[GameSummary], aside: Path) -> Said:
    """The sentence about a recovery that `finish` has completed, after which there are these games."""
    try:
        lost = _count_lost(_carved(aside))
    except OSError:  # what cannot be read tells of no game
        lost = 0
    return _sentence(len(games), sum(game.damaged for game in games), lost, aside)


def in_force(path: Path) -> Path:
    """The file with the games: the fresh one if a recovery was cut short between its two renamings.

    Then the damaged one has got its other name already. A fresh file that nothing was written to is none.
    """
    fresh = _fresh_name(path)
    is_cut_short = fresh.exists() and not path.exists() and _last_aside(path) is not None and _is_filled(fresh)
    return fresh if is_cut_short else path


def left_alone(path: Path, damage: str) -> JournalError:
    """The error for a damaged journal that is only to be read; `damage` says what was found wrong."""
    return JournalError(
        "unreadable",
        N_(
            "The record of games {path} is damaged ({how}). Nothing was changed:"
            " `companion play` sets it aside and saves what is sound."
        ),
        path=path,
        how=damage,
    )


def hopeless(path: Path, damage: str) -> JournalError:
    """The error for a damaged journal that could not be put right."""
    return JournalError(
        "unreadable",
        N_("The record of games {path} is damaged ({how}) and could not be set aside. Move it away, then start again."),
        path=path,
        how=damage,
    )


_SAVED = {
    (False, False): N_("The record of games was damaged and has been set aside as {file}. Games saved: {games}."),
    (True, False): N_(
        "The record of games was damaged and has been set aside as {file}. Games saved: {games};"
        " of these perhaps only in part: {cut}."
    ),
    (False, True): N_(
        "The record of games was damaged and has been set aside as {file}. Games saved: {games};"
        " lost, because their beginning is damaged: {lost}."
    ),
    (True, True): N_(
        "The record of games was damaged and has been set aside as {file}. Games saved: {games};"
        " of these perhaps only in part: {cut}; lost, because their beginning is damaged: {lost}."
    ),
}
"""What is said: whether some games were saved in part, whether some were lost."""


def _sentence(games: int, cut: int, lost: int, aside: Path) -> Said:
    about: dict[str, object] = {"file": aside.name, "games": games, "cut": cut, "lost": lost}
    if not games:
        return Said(
            N_("The record of games was damaged and has been set aside as {file}; no game could be saved."), about
        )
    return Said(_SAVED[bool(cut), bool(lost)], about)


def _fresh_name(path: Path) -> Path:
    return path.with_name(f"{path.name}.recovered")


def _rename(path: Path, aside: Path) -> None:
    for end in _COMPANIONS:
        part = path.with_name(path.name + end)
        if part.exists():
            part.rename(aside.with_name(aside.name + end))


def _remove(fresh: Path) -> None:
    for end in _COMPANIONS:
        fresh.with_name(fresh.name + end).unlink(missing_ok=True)


def _is_filled(fresh: Path) -> bool:
    """False if the disk took nothing of it; what is damaged in it is for whoever opens it to find."""
    try:
        with contextlib.closing(snapshot(fresh)) as connection:
            return not store.is_empty(connection, fresh)
    except (store.Damaged, JournalError, sqlite3.Error):
        return True


def _last_aside(path: Path) -> Path | None:
    """The name that a damaged file, or its log, was given last; None if there is none such."""
    number = int(free_name(path, _COMPANIONS).name.rpartition("-")[2])
    return path.with_name(f"{path.name}.damaged-{number - 1}") if number > 1 else None


def _begun_aside(path: Path) -> Path:
    """The name that the damaged file has got already; its log may still have to."""
    begun = _last_aside(path)
    parts = [end for end in _COMPANIONS if path.with_name(path.name + end).exists()]
    if begun is not None and not any(begun.with_name(begun.name + end).exists() for end in parts):
        return begun
    return free_name(path, _COMPANIONS)


def _carved(path: Path) -> _Carved:
    """What is in the file and its log. Raises OSError."""
    found = _Carved({}, set())
    for serial, record in carve(path):
        found.games.setdefault(record.game, {}).setdefault(record.number, {})[record.checksum] = (serial, record)
        found.serials.add(serial)
    return found


def _count_lost(found: _Carved) -> int:
    """How many games there were whose beginning is damaged: what came after it cannot be played again."""
    return sum(_is_chained(numbers) and not _begins(numbers) for numbers in found.games.values())


def _begins(numbers: _Numbers) -> bool:
    return any(follows(record, Head()) for _, record in numbers.get(0, {}).values())


def _is_chained(numbers: _Numbers) -> bool:
    """True if one record follows on another: a row alone may be nonsense, or have another game's name by its damage."""
    return any(
        follows(later, head_after(earlier))
        for number, candidates in numbers.items()
        for _, earlier in candidates.values()
        for _, later in numbers.get(number + 1, {}).values()
    )


def _sound_records(found: _Carved) -> tuple[list[Record], dict[str, Track]]:
    """The sound records in the order they were written, and the games of which later ones are, or may be, lost.

    The chain gives the order of a game, whatever its serials say; they tell which game was written to in between.
    """
    sound: list[tuple[int, Record]] = []
    cut: dict[str, Track] = {}
    for game, numbers in found.games.items():
        track = Track()
        last = 0
        while candidates := numbers.get(track.head.number):
            taken = next(((serial, record) for serial, record in candidates.values() if track.add(record)), None)
            if taken is None:
                break
            last = max(last, taken[0])
            sound.append((last, taken[1]))
        if not track.head.number:
            continue
        # a row that is missing may be the next step of any game that was still open then
        missing = any(serial not in found.serials for serial in range(last + 1, max(found.serials)))
        if max(numbers) >= track.head.number or (missing and track.summary().open):
            cut[game] = track
    records = [record for _, record in sorted(sound, key=lambda one: one[0])]
    if records and not cut:  # nothing is missing in between, so it is the end of the file
        last_game = records[-1].game
        track = Track()
        if all(track.add(record) for record in records if record.game == last_game) and track.summary().open:
            cut[last_game] = track
    return records, cut


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
