"""What somebody knows and no picture shows: a roll, the back of a tile, an answer, which tile is played from a hand.

Facts wait until the game has reached them; a tile to be played waits for what was told before it. Of a sinking or a
tile played only what cannot be seen is given; from where to where is for the pictures to show.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

import msgspec

from companion import rules
from companion.rules import Position
from companion.rules.actions import (
    Action,
    Back,
    Decline,
    Defend,
    DiveRoll,
    Face,
    PlayTile,
    Protect,
    Reveal,
    Roll,
    SinkTile,
)
from companion.rules.layout import Counts
from companion.table.errors import TableError


class FactsError(TableError):
    """A file of facts that cannot be read as such."""


class Fact(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One fact, with the fields of the action that it belongs to (see `companion.rules.actions`)."""

    type: Literal["roll", "sink_tile", "reveal", "decline", "defend", "protect", "play_tile"]
    face: Face | DiveRoll | None = None
    back: Back | None = None
    player: int | None = None
    tile: Back | None = None
    explorers: Counts = {}


Facts: TypeAlias = tuple[Fact, ...]

_NEEDS = {
    "roll": "face", "sink_tile": "back", "reveal": "back", "decline": "player", "defend": "player", "play_tile": "tile",
}  # fmt: skip


class _Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    before: str
    actions: tuple[Fact, ...]


def decode_facts(text: str) -> dict[str, Facts]:
    """By the name of the picture the facts given before it, from JSON lines. Raises FactsError, naming the line."""
    found: dict[str, Facts] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            read = msgspec.convert(json.loads(line), _Line)
        except (ValueError, RecursionError) as error:
            raise FactsError(f"line {number} is no fact: {str(error).splitlines()[0]}") from error
        for fact in read.actions:
            field = _NEEDS.get(fact.type)
            if field and getattr(fact, field) is None:
                raise FactsError(f"line {number} is no fact: `{fact.type}` needs `{field}`")
        found[read.before] = (*found.get(read.before, ()), *read.actions)
    return found


def due(position: Position, facts: Facts) -> Action | None:
    """What a fact says is done now although no picture shows it: a roll, a back entered, an answer; None if nothing."""
    for fact in facts:
        action: Action | None = None
        match position.phase, fact:
            case "roll", Fact(type="roll"):
                action = Roll(face=fact.face)
            case "reveal", Fact(type="reveal", back=back) if back is not None:
                action = Reveal(back=back)
            case "reaction", Fact(type="decline", player=player) if player is not None:
                action = Decline(player=player)
            case "reaction", Fact(type="defend", player=player) if player is not None:
                action = Defend(player=player)
            case "protect", Fact(type="protect"):
                action = Protect(explorers=fact.explorers)
        if action is not None and rules.is_legal(position, action):
            return action
    return None


def completed(position: Position, action: Action, facts: Facts) -> Action | None:
    """What hands did, with what a fact adds; None if it cannot have happened without one."""
    if isinstance(action, SinkTile) and position.options.backs == "dealt":
        back = next((fact.back for fact in facts if fact.type == "sink_tile"), None)
        told = msgspec.structs.replace(action, back=back)
        return told if back is not None and rules.is_legal(position, told) else None
    if isinstance(action, PlayTile):
        return action if action.tile == announced(facts) else None
    return action


def without(facts: Facts, done: Sequence[Action]) -> Facts:
    """The facts that still wait after these actions."""
    left = list(facts)
    for action in done:
        said = next((fact for fact in left if tells(fact, action)), None)
        if said is not None:
            left.remove(said)
    return tuple(left)


def awaits_tile(position: Position, facts: Facts) -> bool:
    """True if the active player is about to play a tile: then that phase does not end in silence."""
    return position.phase == "play_tile" and announced(facts) in position.hands[position.active]


def tells_of_sinking(position: Position, facts: Facts) -> bool:
    """True if a tile has been sunk that the position still has."""
    return position.phase != "reveal" and name_a_back(facts)


def name_a_back(facts: Facts) -> bool:
    """True if one of the facts names the back of a tile that has been sunk."""
    return any(fact.type in {"sink_tile", "reveal"} for fact in facts)


def announced(facts: Facts) -> Back | None:
    """The tile that is played next, unless something else comes first that a player does after it."""
    first = next((fact for fact in facts if fact.type in {"play_tile", "sink_tile", "reveal", "roll"}), None)
    return first.tile if first is not None else None


_TYPES: Mapping[type, str] = {
    Roll: "roll", SinkTile: "sink_tile", Reveal: "reveal", Decline: "decline", Defend: "defend", Protect: "protect",
    PlayTile: "play_tile",
}  # fmt: skip


def tells(fact: Fact, action: Action) -> bool:
    """True if the fact is about that action."""
    if isinstance(action, Decline | Defend) and fact.player != action.player:
        return False
    return fact.type == _TYPES.get(type(action))
