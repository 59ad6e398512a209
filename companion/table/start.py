"""How a game of Atlantis comes to be open: begun, taken up again, or laid aside."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence

import msgspec

from companion import rules
from companion.i18n import N_
from companion.rules.geometry import Hex
from companion.rules.layout import Terrain
from companion.rules.options import Options, Player
from companion.table import fairness
from companion.table.dealer import Dealer
from companion.table.errors import JournalError
from companion.table.game import ATLANTIS, GAMES, Atlantis
from companion.table.journal import Journal
from companion.table.records import Record
from companion.table.session import GameSession, Session


def start_game(
    journal: Journal,
    players: Sequence[Player],
    options: Options,
    tiles: Mapping[Hex, Terrain] | None = None,
    dealer: Dealer | None = None,
) -> Session:
    """Begin a game with the forty tiles as they lie, or with None as the dealer shuffles them.

    The dealer is a fresh one from the system's entropy unless given. Raises BadSetup of the rules (2.1, 2.2, 12) and
    JournalError.
    """
    dealer = dealer or Dealer()
    if tiles is None:
        tiles = dealer.tiles()
    return begin(journal, rules.new_game(players, options, tiles), dealer)


def begin(journal: Journal, position: rules.Position, dealer: Dealer) -> Session:
    """Begin a game from any position: the start record holds it, the seed and the fingerprint."""
    game_id = secrets.token_hex(6)
    start = {
        "game": ATLANTIS.name,
        "players": [{"name": player.name, "colours": player.colours} for player in position.players],
        "options": msgspec.to_builtins(position.options),
        "position": ATLANTIS.encode_position(position),
        "seed": dealer.seed.hex(),
        "fingerprint": fairness.fingerprint(dealer.seed, ATLANTIS.decks(position)),
    }
    records = journal.append(game_id, [("start", start)])
    return GameSession(journal, ATLANTIS, records)


def resume(journal: Journal, game_id: str) -> Session:
    """The game as it was when it was last written to. Raises JournalError."""
    records = journal.records(game_id)
    return GameSession(journal, game_of(records), records)


def game_of(records: Sequence[Record]) -> Atlantis:
    """Which game these are the records of. Raises JournalError if it is one from after this version."""
    name = records[0].content()["game"]
    if name not in GAMES:
        raise JournalError(
            "unreadable", N_("This companion does not know the game {name}. Update it to go on."), name=repr(name)
        )
    return GAMES[name]


def abandon(journal: Journal, game_id: str) -> None:
    """Lay a game aside: it stays in the list but is no longer offered as the open one. Raises JournalError."""
    journal.records(game_id)
    journal.append(game_id, [("abandoned", {})])
