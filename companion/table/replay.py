"""A game looked at again, step by step: what everybody could see of it, as far as its record can be read.

In: a session, or a game's id in the journal. Out: the public record and the public view after each entry of it. Nothing
can be done here: a game that was read in part must not be written to.
"""

from __future__ import annotations

from companion import rules
from companion.rules.options import Player
from companion.table.errors import UnreadableStep
from companion.table.journal import Journal
from companion.table.session import Entry, GameSession, Session
from companion.table.start import game_of


class Replay:
    """The entries of `record` in order, as far as `GameSession.told`.

    `whole`: all of them could be read. `damaged`: more may have been lost with a damaged file.
    """

    def __init__(self, session: Session, *, whole: bool = True, damaged: bool = False) -> None:
        self._session = session
        self.whole = whole
        self.damaged = damaged
        self.game_id = session.game_id
        self.started = session.started
        self.over = session.proof is not None
        self.record: tuple[Entry, ...] = session.record[: session.told]

    @property
    def players(self) -> tuple[Player, ...]:
        """In the order of their turns."""
        return self.view(0).players

    @property
    def turns(self) -> int:
        """How many turns have begun."""
        return max((entry.turn for entry in self.record), default=0)

    def view(self, after: int) -> rules.PlayerView:
        """What everybody saw when so many entries had happened, 0 being the start."""
        return self._session.view(None, after=after)


def watch_again(journal: Journal, game_id: str) -> Replay:
    """The game, or as much of it as this version can read. Raises JournalError if that is nothing."""
    records = journal.records(game_id)
    game = game_of(records)
    try:
        return Replay(GameSession(journal, game, records), damaged=journal.summary(game_id).damaged)
    except UnreadableStep as unreadable:
        if unreadable.number == records[0].number:
            raise
        return Replay(GameSession(journal, game, records[: unreadable.number]), whole=False)
