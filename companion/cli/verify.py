"""`companion verify GAME`: checks a finished game's record against the fingerprint published at its start."""

from __future__ import annotations

import argparse

import msgspec

from companion.cli.opened import games_so_far
from companion.table.errors import TableError
from companion.table.verify import verify

ERRORS: tuple[type[Exception], ...] = (TableError,)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which game."""
    parser.add_argument("game", metavar="GAME", help="its id, from `companion games`")
    parser.add_argument("--json", action="store_true", help="the verdict as one JSON object")


def run(args: argparse.Namespace) -> int:
    """0 if every roll and every back came as the fingerprint says, else 1 with what differs."""
    with games_so_far(args.game) as journal:
        verdict = verify(journal, args.game)
    if args.json:
        print(msgspec.json.encode(verdict).decode())
    elif verdict.problems:
        print("\n".join(verdict.problems))
    else:
        print(f"The deal was fair: {verdict.draws} draws are those of the fingerprint {verdict.fingerprint}.")
        if verdict.entered:
            print(f"{verdict.entered} more rolls or backs were entered by people: no seed says what had to come.")
    return 1 if verdict.problems else 0
