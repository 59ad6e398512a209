"""One line of the journal and the checksum chain that ties the lines of a game together.

Each game has a chain of its own: a record's checksum is the SHA-256 of the checksum before it and of everything the
record says, so no record can be changed, dropped or put in between without breaking all that follow. What comes in
and goes out are plain values; nothing here knows SQLite.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any, Literal, get_args

import msgspec

Kind = Literal["start", "action", "undo", "looked", "finished", "abandoned", "recovered"]
"""`start` comes first and once; `recovered` marks a game whose later records were damaged and could not be saved."""

KINDS: tuple[Kind, ...] = get_args(Kind)

GENESIS = bytes(32)
"""Stands for the checksum before a game's first record."""


class Record(msgspec.Struct, frozen=True):
    """One record of a game. `number` counts from 0 in its game and gives the order; `at` (ISO 8601) is for show only.

    `body` is JSON text; it may hold secrets (the dealer's seed, a back that went into a hand), so it stays out of
    the `repr`.
    """

    game: str
    number: int
    kind: Kind
    at: str
    body: str
    checksum: bytes

    def content(self) -> dict[str, Any]:
        """The body as an object."""
        content: dict[str, Any] = msgspec.json.decode(self.body)
        return content

    def __repr__(self) -> str:
        return f"Record({self.game} #{self.number} {self.kind})"


class Head(msgspec.Struct, frozen=True):
    """Where a game's chain ends: the number the next record gets and the checksum it builds on."""

    number: int = 0
    checksum: bytes = GENESIS


def checksum_of(previous: bytes, *fields: str | int) -> bytes:
    """SHA-256 over the checksum before and the fields of the record: game, number, kind, at, body."""
    return hashlib.sha256(previous + msgspec.json.encode(fields)).digest()


def seal(head: Head, game: str, kind: Kind, at: str, body: str) -> Record:
    """The next record of a game."""
    checksum = checksum_of(head.checksum, game, head.number, kind, at, body)
    return Record(game, head.number, kind, at, body, checksum)


def follows(record: Record, head: Head) -> bool:
    """True if the record is sound and is the very next one after the head."""
    return (
        record.number == head.number
        and record.kind in KINDS
        and (record.kind == "start") == (record.number == 0)
        and record.checksum
        == checksum_of(head.checksum, record.game, record.number, record.kind, record.at, record.body)
    )


def is_whole(records: Iterable[Record], head: Head) -> bool:
    """True if these are all records of a game whose chain ends with `head`, in order and sound."""
    at = Head()
    for record in records:
        if not follows(record, at):
            return False
        at = head_after(record)
    return at == head


def head_after(record: Record) -> Head:
    """The head of a chain that ends with this record."""
    return Head(record.number + 1, record.checksum)
