"""A game as one JSON object, for people who want to keep or study it.

Of a game that is over it holds everything: the position it began with, every action with its outcome, the seed's proof.
So it replays exactly: each action is legal where it stands and leads to the next. Of a game that is still on, it
holds what everybody may know, and says so (`complete` is false): secrets leave the companion with the game's end only.
"""

from __future__ import annotations

from typing import Any

import msgspec

from companion.table.journal import Journal
from companion.table.start import resume

FORMAT = "companion game record 1"


def export(journal: Journal, game_id: str) -> dict[str, Any]:
    """The game's record. Raises JournalError if there is no such game or it cannot be read.

    `start` and `end`: positions by the referee protocol, in a game that is still on those that everybody may see;
    `actions`: what is in effect, in order, each with `number` and `at` of the journal, `turn`, `player`, `phase`,
    `source`, `notation` and `action` (null where nothing of it is public).
    """
    session = resume(journal, game_id)
    summary = journal.summary(game_id)
    at = {record.number: record.at for record in journal.records(game_id)}
    exported = session.exported()
    return {
        "format": FORMAT,
        "game": summary.game,
        "id": game_id,
        "complete": exported.complete,
        "started": summary.started.isoformat(),
        "players": msgspec.to_builtins(summary.players),
        "options": summary.options,
        "fingerprint": session.fingerprint,
        "proof": session.proof,
        "start": exported.start,
        "actions": [
            {
                "number": entry.serial,
                "at": at[entry.serial],
                "turn": entry.turn,
                "player": entry.player,
                "phase": entry.phase,
                "source": entry.source,
                "notation": entry.notation,
                "action": action,
            }
            for entry, action in zip(session.record[: session.told], exported.actions, strict=True)
        ],
        "end": exported.end,
        "winners": list(summary.winners),
        "totals": list(summary.totals),
    }
