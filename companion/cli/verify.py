"""`companion verify GAME`: checks a finished game's record against the fingerprint published at its start."""

from __future__ import annotations

import argparse
import re

import msgspec

from companion.cli.opened import games_so_far
from companion.table.errors import TableError
from companion.table.fairness import SHOWN_DIGITS
from companion.table.verify import Verdict, verify

ERRORS: tuple[type[Exception], ...] = (TableError,)

_FEWEST = 8
"""Digits of a noted fingerprint; fewer are those of many a game."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which game."""
    parser.add_argument("game", metavar="GAME", help="its id, from `companion games`")
    parser.add_argument(
        "--fingerprint",
        metavar="TEXT",
        type=_noted,
        help="what was shown when the game began, or at least its first eight digits: is this the record of that deal?",
    )
    parser.add_argument("--json", action="store_true", help="the verdict as one JSON object")


def run(args: argparse.Namespace) -> int:
    """0 if every roll and every back came as the fingerprint says, else 1 with what differs."""
    noted = args.fingerprint or ""
    with games_so_far() as journal:
        verdict = verify(journal, args.game, noted)
    if args.json:
        print(msgspec.json.encode(verdict).decode())
    else:
        print("\n".join(verdict.problems or _fair(verdict, noted)))
    return 1 if verdict.problems else 0


def _fair(verdict: Verdict, noted: str) -> list[str]:
    """What was found in order, and what nothing can be said of."""
    said = [f"The deal was fair: {verdict.draws} draws are those of the fingerprint {verdict.fingerprint}."]
    if noted:
        said.append(f"It is the one that was noted: its first {len(noted)} digits are the same.")
    if noted and len(noted) < SHOWN_DIGITS:
        said.append(f"So few can be matched by trying many seeds: note {SHOWN_DIGITS} next time.")
    if verdict.shuffled is not None:
        said.append(
            "The tiles were shuffled by the same seed."
            if verdict.shuffled
            else "The tiles are not as the seed shuffles them: people have laid them out."
        )
    if verdict.entered:
        said.append(f"{verdict.entered} more rolls or backs were entered by people: no seed says what had to come.")
    return said


def _noted(text: str) -> str:
    """The digits, in whatever groups they were written. Raises ArgumentTypeError."""
    digits = re.sub(r"[\s-]", "", text).lower()
    if not re.fullmatch(rf"[0-9a-f]{{{_FEWEST},64}}", digits):
        raise argparse.ArgumentTypeError(f"{text!r} is no fingerprint: {_FEWEST} to 64 of the digits 0 to 9 and A to F")
    return digits
