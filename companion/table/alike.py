"""What looks alike and may matter later: who of two of a colour has moved, where one of them has swum this turn (4.5).

In: the moves of this turn, as they were taken over or entered. Out: all other ways to have done them. One of them is
assumed; where that does not explain what is done next, and another does, it was that one.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

import msgspec

from companion import rules
from companion.rules import Position
from companion.rules.actions import Action, MoveBoat, MoveExplorer
from companion.table.session import Past

Way: TypeAlias = tuple[tuple[Action, ...], Position]
"""Actions, and the position that they lead to."""


class Tie(NamedTuple):
    """Between two positions of the game, `ways` explained what was to be seen as well as what was taken over."""

    before: Position
    after: Position
    ways: tuple[tuple[Action, ...], ...]


def moves_of_turn(lately: Iterable[Past]) -> tuple[Past, ...]:
    """What explorers and boats have done in this turn, in order, since somebody was asked for an answer (9)."""
    moves = itertools.takewhile(_is_move, lately)
    return tuple(moves)[::-1]


def _is_move(step: Past) -> bool:
    return step.before.phase == "move" and isinstance(step.action, MoveExplorer | MoveBoat)


def other_ways(moves: Sequence[Past], now: Position, ties: Iterable[Tie]) -> Iterator[Way]:
    """All other ways to have made the moves that the rules allow and nobody could have told; `now`: after them.

    Who moved is known of what was entered on the screen.
    """
    if not moves:
        return
    positions = [step.before for step in moves] + [now]
    found: list[list[Way]] = [[((), moves[0].before)]]  # to each of these positions
    for step, after in zip(moves, positions[1:], strict=True):
        here = [on for way in found[-1] for action in _alike(step) for on in _followed(way, (action,))]
        for tie in ties:
            start = next((i for i, position in enumerate(positions[: len(found)]) if position is tie.before), None)
            if tie.after is after and start is not None:
                here += [on for way in found[start] for actions in tie.ways for on in _followed(way, actions)]
        found.append(list({position: (actions, position) for actions, position in reversed(here)}.values()))
    yield from (way for way in found[-1] if way[1] != now)


def _alike(step: Past) -> list[Action]:
    """The action, done by one that has not swum or by one that has."""
    action = step.action
    if step.source == "touch" or not isinstance(action, MoveExplorer):
        return [action]
    return [msgspec.structs.replace(action, swum=swum) for swum in (action.swum, not action.swum)]


def _followed(way: Way, actions: Sequence[Action]) -> Iterator[Way]:
    """With these actions after it, if they are legal then."""
    done, position = way
    for action in actions:
        if not rules.is_legal(position, action):
            return
        position = rules.apply(position, action).position
    yield (*done, *actions), position


def tied(
    moves: Sequence[Past], now: Position, done: Sequence[Action], ways: Iterable[Sequence[Action]]
) -> Iterator[Tie]:
    """The tie, if there is one, between what was `done` last, of which these are the `moves`, and all other ways."""
    count = sum(1 for _ in itertools.takewhile(lambda action: isinstance(action, MoveExplorer | MoveBoat), done[::-1]))
    first = len(done) - count
    others = tuple(tuple(way[first:]) for way in ways if list(way[:first]) == list(done[:first]))
    if others and 0 < count <= len(moves):
        yield Tie(moves[-count].before, now, others)
