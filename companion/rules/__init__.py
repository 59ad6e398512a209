"""The rules of the game: pure functions over immutable positions.

    position = new_game(players, Options(), tiles)
    for action in legal_actions(position): ...
    position, events = apply(position, with_outcome(action, outcome))   # `outcomes` says what can come

Keep the old position to undo. Nothing here reads a clock, a file of the game or a random generator.
"""

from companion.rules.decoding import decode_position
from companion.rules.encoding import decode_action, encode_action, encode_event, encode_position, encode_view
from companion.rules.errors import BadAction, BadPosition, BadSetup, IllegalAction, RulesError
from companion.rules.legal import legal_actions
from companion.rules.notation import notation
from companion.rules.options import EDITIONS, Options, Player, when_played
from companion.rules.pieces import BACKS, DIE, EXPLORER_VALUES, TILE_COUNTS, TILE_DECK, WHEN
from companion.rules.position import Carried, Position, Sunk, Supply, Swum, Threat, Unplaced
from companion.rules.secrets import Hand, PlayerView, legal_for, public_action, to_act, view
from companion.rules.setup import new_game
from companion.rules.transition import Outcome, Transition, apply, check, is_legal, outcomes, with_outcome

__all__ = [
    "BACKS",
    "DIE",
    "EDITIONS",
    "EXPLORER_VALUES",
    "TILE_COUNTS",
    "TILE_DECK",
    "WHEN",
    "BadAction",
    "BadPosition",
    "BadSetup",
    "Carried",
    "Hand",
    "IllegalAction",
    "Options",
    "Outcome",
    "Player",
    "PlayerView",
    "Position",
    "RulesError",
    "Sunk",
    "Supply",
    "Swum",
    "Threat",
    "Transition",
    "Unplaced",
    "apply",
    "check",
    "decode_action",
    "decode_position",
    "encode_action",
    "encode_event",
    "encode_position",
    "encode_view",
    "is_legal",
    "legal_actions",
    "legal_for",
    "new_game",
    "notation",
    "outcomes",
    "public_action",
    "to_act",
    "view",
    "when_played",
    "with_outcome",
]
