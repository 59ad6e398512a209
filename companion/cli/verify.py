"""`companion verify GAME`: checks a finished game's record against the fingerprint published at its start."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence

import msgspec

from companion.cli.opened import games_so_far
from companion.table.errors import TableError
from companion.table.fairness import SHOWN_DIGITS
from companion.table.verify import Verdict, verify


class DealError(Exception):
    """The record is not that of the deal; the text says what differs."""


ERRORS: tuple[type[Exception], ...] = (TableError, DealError)

_FEWEST = 8
"""Digits of a noted fingerprint; fewer are those of many a game."""

_MOST = 3
"""So much of what differs is said in a sentence."""


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
    """Say that every roll and every back came as the fingerprint says. Raises TableError; DealError if one did not."""
    noted = args.fingerprint or ""
    with games_so_far() as journal:
        verdict = verify(journal, args.game, noted)
    if args.json:
        print(msgspec.json.encode(verdict).decode())
    if verdict.problems:
        raise DealError(_different(verdict.problems))
    if not args.json:
        print("\n".join(_fair(verdict, noted)))
    return 0


def _different(problems: Sequence[str]) -> str:
    said, left = " ".join(problems[:_MOST]), len(problems) - _MOST
    return f"{said} And {left} more: --json tells them all." if left > 0 else said


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
    if verdict.undone:
        said.append(f"{verdict.undone} of these draws were taken back, and what was done again was drawn anew.")
    if verdict.entered:
        said.append(f"{verdict.entered} more rolls or backs were entered by people: no seed says what had to come.")
    return said


def _noted(text: str) -> str:
    """The digits, in whatever groups they were written. Raises ArgumentTypeError."""
    digits = re.sub(r"[\s-]", "", text).lower()
    if not re.fullmatch(rf"[0-9a-f]{{{_FEWEST},64}}", digits):
        raise argparse.ArgumentTypeError(f"{text!r} is no fingerprint: {_FEWEST} to 64 of the digits 0 to 9 and A to F")
    return digits
