"""`companion export GAME`: a game's record as JSON."""

from __future__ import annotations

import argparse
import contextlib
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from calibration.atomic import begins_otherwise, write_atomically
from companion.cli.arguments import place
from companion.cli.opened import games_so_far
from companion.cli.written import telling_of_a_new_folder
from companion.faults import Fault
from companion.i18n import N_
from companion.table.errors import TableError
from companion.table.export import FORMAT, export
from companion.table.journal import Journal


class ExportError(Fault):
    """The file cannot be written; the text says why."""


ERRORS: tuple[type[Exception], ...] = (TableError, ExportError)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which game, and where to."""
    parser.add_argument("game", metavar="GAME", help="its id, from `companion games`")
    parser.add_argument("--out", metavar="FILE", type=place, help="instead of standard output")


def run(args: argparse.Namespace) -> int:
    """Write the record. Raises TableError if there is no such game, ExportError if the file cannot be written, or
    something else than a record lies there.

    An older file is untouched then. Folders that are missing are made, which is told.
    """
    if args.out is not None:
        _require_record_or_nothing(args.out)
    with games_so_far() as journal:
        text = json.dumps(export(journal, args.game), ensure_ascii=False, indent=1)
    if args.out is None:
        print(text)
    else:
        with telling_of_a_new_folder("export", args.out):
            _write(args.out, text)
    return 0


MEDIA = (Path("/media"), Path("/run/media"), Path("/mnt"))
"""Where systems put a memory stick in, a folder deep or two."""


def export_from_screen(journal: Journal, game_id: str, data: Path, media: Sequence[Path] = MEDIA) -> str:
    """Write a game's record to a memory stick if one is in that can be written to, else beside the games in `data`.

    Returns the file's name with its folder. Raises TableError and ExportError.
    """
    text = json.dumps(export(journal, game_id), ensure_ascii=False, indent=1)
    day = journal.summary(game_id).started.astimezone().strftime("%Y-%m-%d")
    name = f"atlantis-{day}-{game_id}.json"
    for stick in _sticks(media):
        with contextlib.suppress(ExportError):  # full, or not to be written to: then beside the games
            return str(_write(stick / name, text))
    return str(_write(data / "exports" / name, text))


def _sticks(media: Sequence[Path]) -> Iterator[Path]:
    for root in media:
        for pattern in ("*", "*/*"):
            yield from (place for place in sorted(root.glob(pattern)) if place.is_mount())


_START = re.compile(re.escape("".join(f'{{"format":"{FORMAT}'.split()[:-1]).encode()))
"""A record begins so, of whichever version, without the white space."""


def _require_record_or_nothing(path: Path) -> None:
    """Raises ExportError if something else than a record lies there: it may be all the games."""
    if begins_otherwise(path, _START):
        raise ExportError(N_("{path}: this file is no game's record, and would be lost; name another file."), path=path)


def _write(path: Path, text: str) -> Path:
    try:
        write_atomically(path, f"{text}\n".encode())
    except OSError as error:
        sentence = N_("{path}: cannot be written ({why}); make room, or name another file.")
        raise ExportError(sentence, path=path, why=error.strerror or error) from error
    return path
