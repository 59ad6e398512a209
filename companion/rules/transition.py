"""Carrying out an action: `check` says whether and why not, `apply` gives the next position and the events.

Chance is an input: `outcomes` says what can come and how likely, `with_outcome` puts it into the action.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec

from companion.rules import actions as a
from companion.rules.boats import check_move_boat, do_move_boat
from companion.rules.creatures import check_move_creature, check_roll, do_move_creature, do_roll
from companion.rules.draft import Draft
from companion.rules.encounters import check_decline, check_defend, check_protect, do_decline, do_defend, do_protect
from companion.rules.ending import check_score, do_score
from companion.rules.errors import BadAction, IllegalAction
from companion.rules.events import Event
from companion.rules.hand import check_play_tile, do_play_tile
from companion.rules.movement import check_move_explorer, do_move_explorer
from companion.rules.pieces import DIE, DIVE_CREATURES, DIVE_HEXES, WHEN
from companion.rules.position import Phase, Position, State
from companion.rules.setup import check_place_boat, check_place_explorer, do_place_boat, do_place_explorer
from companion.rules.sinking import (
    check_load_boat,
    check_reveal,
    check_sink_tile,
    do_load_boat,
    do_reveal,
    do_sink_tile,
    terrain_at,
)
from companion.rules.squares import SQUARE
from companion.rules.turn import proceed

Outcome = str
"""A back, a face of the red die, or with `dive_dice` both dice in one word: `shark 2`, `star D`."""


_RED: tuple[tuple[Outcome, int], ...] = tuple(DIE.items())
_DIVES: Mapping[Outcome, tuple[a.DiveRoll, int]] = MappingProxyType(
    {
        f"{creature} {hexes}": (a.DiveRoll(creature=creature, hexes=hexes), weight)
        for creature in DIVE_CREATURES
        for hexes, weight in DIVE_HEXES.items()
    }
)


class Transition(NamedTuple):
    """The position after an action, and what everybody saw happen, in order."""

    position: Position
    events: tuple[Event, ...]


class _Kind(NamedTuple):
    """How one type of action is handled: in which phases, what else must hold, what it does."""

    phases: tuple[Phase, ...]
    check: Callable[[Any, Any], None]
    do: Callable[[Any, Any], None]


def _check_nothing(p: State, action: a.Action) -> None:
    """Legal whenever the phase is right."""


def _do_end_phase(d: Draft, action: a.EndPhase) -> None:  # noqa: ARG001 - one signature for all actions
    """Leave `play_tile`, `move` or `creature`."""
    if d.phase == "move":
        d.moves_left = 0
    proceed(d, d.phase)  # type: ignore[arg-type]


_KINDS: Mapping[type, _Kind] = MappingProxyType(
    {
        a.PlaceExplorer: _Kind(("place_explorers",), check_place_explorer, do_place_explorer),
        a.PlaceBoat: _Kind(("place_boats",), check_place_boat, do_place_boat),
        a.PlayTile: _Kind(("play_tile",), check_play_tile, do_play_tile),
        a.MoveExplorer: _Kind(("move",), check_move_explorer, do_move_explorer),
        a.MoveBoat: _Kind(("move",), check_move_boat, do_move_boat),
        a.SinkTile: _Kind(("sink",), check_sink_tile, do_sink_tile),
        a.Reveal: _Kind(("reveal",), check_reveal, do_reveal),
        a.LoadBoat: _Kind(("load_boat",), check_load_boat, do_load_boat),
        a.Roll: _Kind(("roll",), check_roll, do_roll),
        a.MoveCreature: _Kind(("creature",), check_move_creature, do_move_creature),
        a.Defend: _Kind(("reaction",), check_defend, do_defend),
        a.Decline: _Kind(("reaction",), check_decline, do_decline),
        a.Protect: _Kind(("protect",), check_protect, do_protect),
        a.EndPhase: _Kind(("play_tile", "move", "creature"), _check_nothing, _do_end_phase),
        a.Score: _Kind(("scoring",), check_score, do_score),
    }
)


def check(position: Position, action: a.Action) -> None:
    """Nothing if the action is legal; raises IllegalAction with the rule, or BadAction if it is malformed."""
    kind = _KINDS[type(action)]
    if position.phase not in kind.phases:
        raise IllegalAction("3", _out_of_phase(position))
    kind.check(position, action)


def is_legal(position: Position, action: a.Action) -> bool:
    """True if `check` raises nothing."""
    try:
        check(position, action)
    except (IllegalAction, BadAction):
        return False
    return True


def apply(position: Position, action: a.Action) -> Transition:
    """Carry out a legal action that carries its outcome of chance (see `outcomes`).

    Raises IllegalAction and BadAction like `check`; BadAction also if the outcome is missing.
    """
    kind = _KINDS[type(action)]
    if position.phase not in kind.phases:
        raise IllegalAction("3", _out_of_phase(position))
    kind.check(position, action)
    draft = Draft.of(position)
    kind.do(draft, action)
    return Transition(draft.freeze(), tuple(draft.events))


def outcomes(position: Position, action: a.Action) -> tuple[tuple[Outcome, int], ...]:
    """What chance can still add to a legal action, with weights; empty if nothing (more) is left to chance."""
    if isinstance(action, a.SinkTile) and action.back is None and position.options.backs == "dealt":
        return tuple(position.backs[terrain_at(position, SQUARE[action.hex])].items())
    if isinstance(action, a.Roll) and action.face is None:
        return tuple((name, weight) for name, (_, weight) in _DIVES.items()) if position.options.dive_dice else _RED
    return ()


def with_outcome(action: a.Action, outcome: Outcome) -> a.Action:
    """The action carrying what came."""
    if isinstance(action, a.SinkTile) and outcome in WHEN:
        return msgspec.structs.replace(action, back=outcome)
    if isinstance(action, a.Roll) and (outcome in DIE or outcome in _DIVES):
        return msgspec.structs.replace(action, face=_DIVES[outcome][0] if outcome in _DIVES else outcome)
    raise BadAction(f"{type(action).__name__}: {outcome!r} cannot come of this")


_NOW: Mapping[Phase, str] = MappingProxyType(
    {
        "place_explorers": "{name} is to place an explorer",
        "place_boats": "{name} is to place a boat",
        "play_tile": "{name} may play a tile from the hand",
        "move": "{name} is moving explorers and boats",
        "sink": "{name} must remove a tile",
        "reveal": "{name} must enter what is under the tile",
        "load_boat": "{name} chooses who boards the boat",
        "roll": "{name} must roll the die",
        "creature": "{name} may move a creature of the kind rolled",
        "reaction": "a threatened player is asked for a defence",
        "protect": "a swimmers' owner is asked whom the dolphins protect",
        "scoring": "the rescued explorers' values are entered",
        "over": "the game is over",
    }
)


def _out_of_phase(p: Position) -> str:
    return f"Not now: {_NOW[p.phase].format(name=p.players[p.active].name)}."
