"""What a list of games says of each: folded from its records, free of secrets."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec

from companion.table.records import Head, Record, follows, head_after


class PlayerSummary(msgspec.Struct, frozen=True):
    """Who played, and in which colours."""

    name: str
    colours: tuple[str, ...]


class GameSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A game in the list. `winners` are numbers of players, `totals` their points in the order of the players.

    `turns` counts the turns begun. `damaged`: later steps of it were, or may have been, lost with a damaged file.
    """

    id: str
    game: str
    started: datetime
    players: tuple[PlayerSummary, ...]
    options: dict[str, Any]
    turns: int = 0
    finished: bool = False
    abandoned: bool = False
    damaged: bool = False
    winners: tuple[int, ...] = ()
    totals: tuple[int, ...] = ()

    @property
    def open(self) -> bool:
        """True while there is something left to play."""
        return not self.finished and not self.abandoned


class Track:
    """One game while its records go by: where its chain ends, and the few records a summary is made of."""

    def __init__(self) -> None:
        self.head = Head()
        self.damaged = False
        self._start: Record | None = None
        self._tail: list[Record] = []  # the last step and what came after it

    def add(self, record: Record) -> bool:
        """Take the next record; False, and nothing taken, if it is damaged or not the next one."""
        if not follows(record, self.head):
            return False
        self.head = head_after(record)
        match record.kind:
            case "start":
                self._start = record
            case "action" | "undo":
                self._tail = [record]
            case "finished" | "abandoned":
                self._tail.append(record)
            case "recovered":
                self.damaged = True
        return True

    def summary(self) -> GameSummary:
        """The summary as of now; there has to be a start. A finished or abandoned game that went on is open."""
        assert self._start is not None
        body = self._start.content()
        found: dict[str, Any] = {}
        for record in self._tail:
            if record.kind == "finished":
                end = record.content()
                found |= {"finished": True, "winners": tuple(end["winners"]), "totals": tuple(end["totals"])}
            elif record.kind == "abandoned":
                found["abandoned"] = True
            else:
                found["turns"] = record.content()["turn"]
        return GameSummary(
            id=self._start.game,
            game=body["game"],
            started=datetime.fromisoformat(self._start.at),
            players=msgspec.convert(body["players"], tuple[PlayerSummary, ...]),
            options=body["options"],
            damaged=self.damaged,
            **found,
        )
