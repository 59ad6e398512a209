"""`companion export GAME`: a game's record as JSON."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from companion.settings import folders
from companion.table.errors import TableError
from companion.table.export import export
from companion.table.journal import Journal


class ExportError(Exception):
    """The file cannot be written; the text says why."""


ERRORS: tuple[type[Exception], ...] = (TableError, ExportError)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which game, and where to."""
    parser.add_argument("game", metavar="GAME", help="its id, from `companion games`")
    parser.add_argument("--out", metavar="FILE", type=Path, help="instead of standard output")


def run(args: argparse.Namespace) -> int:
    """Write the record. Raises TableError if there is no such game, ExportError if the file cannot be written."""
    with Journal(folders().journal) as journal:
        text = json.dumps(export(journal, args.game), ensure_ascii=False, indent=1)
    if args.out is None:
        print(text)
        return 0
    try:
        args.out.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise ExportError(f"{args.out}: cannot be written ({error.strerror or error}).") from error
    return 0
