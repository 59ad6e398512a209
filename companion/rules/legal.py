"""Every legal action of a position, by the phase's own section of the rules."""

from __future__ import annotations

from collections.abc import Callable

from companion.rules.actions import Action
from companion.rules.boats import list_move_boat
from companion.rules.catalogue import END_PHASE
from companion.rules.creatures import list_move_creature, list_roll
from companion.rules.encounters import list_protect, list_reaction
from companion.rules.hand import list_play_tile
from companion.rules.movement import list_move_explorer
from companion.rules.position import Phase, Position, State
from companion.rules.setup import list_place_boat, list_place_explorer
from companion.rules.sinking import list_load_boat, list_reveal, list_sink_tile


def _list_move(p: State) -> list[Action]:
    out = list_move_explorer(p)
    out += list_move_boat(p)
    out.append(END_PHASE)
    return out


def _list_none(p: State) -> list[Action]:  # noqa: ARG001 - one signature for all phases
    return []


_LIST: dict[Phase, Callable[[State], list[Action]]] = {
    "place_explorers": list_place_explorer,
    "place_boats": list_place_boat,
    "play_tile": list_play_tile,
    "move": _list_move,
    "sink": list_sink_tile,
    "reveal": list_reveal,
    "load_boat": list_load_boat,
    "roll": list_roll,
    "creature": list_move_creature,
    "reaction": list_reaction,
    "protect": list_protect,
    "scoring": _list_none,
    "over": _list_none,
}


def legal_actions(position: Position) -> list[Action]:
    """Every legal action once, without outcomes of chance; `score` is not listed.

    It knows every hand: in `play_tile` and `reaction` the list is for the eyes of the player who is to act.
    """
    return _LIST[position.phase](position)
