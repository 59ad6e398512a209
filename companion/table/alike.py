"""Who of a colour has moved is not to be seen, and may matter later: one who has swum this turn swims no more (4.5).

In: the moves of this turn, and which tables were seen between them. Out: the other ways to have made them. One way is
taken over; where it does not explain what is done next, and another does, it was that one.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TypeAlias

from companion import rules
from companion.rules import Position
from companion.rules.actions import Action, MoveBoat, MoveExplorer
from companion.table.gestures import gesture, may_strike
from companion.table.session import Past, Source
from companion.table.tally import NOTHING, Spot, Table, tallies

Done: TypeAlias = tuple[Action, Source]

Way: TypeAlias = tuple[tuple[Done, ...], Position]
"""Actions with where they come from, and the position that they lead to."""

_SPOTS_OF_A_MOVE = 2


def moves_of_turn(lately: Iterable[Past]) -> tuple[Past, ...]:
    """What explorers and boats have done in this turn, in order, since somebody was asked for an answer (9)."""
    moves = itertools.takewhile(_is_move, lately)
    return tuple(moves)[::-1]


def _is_move(past: Past) -> bool:
    return past.before.phase == "move" and isinstance(past.action, MoveExplorer | MoveBoat)


def other_ways(moves: Sequence[Past], now: Position, seen: Collection[Table]) -> list[Way]:
    """All other ways to have made the moves by which somebody may still swim who may not `now`, after them.

    They are legal, take no fewer moves, and lead from each table that was `seen` to the next. What was entered on the
    screen was done so.
    """
    if not (moves and now.swum):
        return []
    positions = [*(past.before for past in moves), now]
    ways: list[Way] = [((), positions[0])]
    start = 0
    for end, after in enumerate(positions[1:], 1):
        table = tallies(after.layout())
        part = moves[start:end]
        is_known = after is now or "touch" in (part[-1].source, moves[end].source) or table in seen
        if is_known:
            ways = _most_free(
                ((*done, *((action, part[-1].source) for action in actions)), position)
                for done, before in ways
                for actions, position in _ways_like(part, before, table)
            )
            start = end
    return [way for way in ways if way[1].moves_left <= now.moves_left and not _is_as_free(now, way[1])]


def _ways_like(part: Sequence[Past], position: Position, table: Table) -> Iterator[tuple[tuple[Action, ...], Position]]:
    """The action that was entered, or all sequences of hardly more moves that lead to the same table.

    A move is left after them: else it matters to nobody who has swum.
    """
    if part[-1].source != "touch":
        yield from _moves_to(position, table, min(position.moves_left - 1, len(part) + 1))
    elif rules.is_legal(position, part[-1].action):
        yield (part[-1].action,), rules.apply(position, part[-1].action).position


def _moves_to(position: Position, table: Table, left: int) -> Iterator[tuple[tuple[Action, ...], Position]]:
    """Sequences of at most so many moves that lead to the table, where people may move on."""
    here = tallies(position.layout())
    differing = _differing(here, table)
    for action in rules.legal_actions(position):
        if not isinstance(action, MoveExplorer | MoveBoat):
            continue
        moved = gesture(here, action)
        if not any(may_strike(tally) for tally in moved.values()):  # else the rules tell what is left
            still_differing = differing - _differing(here, table, moved) + _differing(moved, table, moved)
            if still_differing > _SPOTS_OF_A_MOVE * (left - 1):
                continue
        after = rules.apply(position, action).position
        if after.phase != "move":
            continue
        now_differing = _differing(tallies(after.layout()), table)
        if not now_differing:
            yield (action,), after
        elif now_differing <= _SPOTS_OF_A_MOVE * (left - 1):
            for actions, end in _moves_to(after, table, left - 1):
                yield (action, *actions), end


def _differing(one: Table, other: Table, spots: Collection[Spot] | None = None) -> int:
    """On how many of the spots, of all if none are said, the tables differ."""
    among = one.keys() | other.keys() if spots is None else spots
    return sum(one.get(spot, NOTHING) != other.get(spot, NOTHING) for spot in among)


def _most_free(ways: Iterable[Way]) -> list[Way]:
    """Those by which no other leaves people as free as they do."""
    kept: list[Way] = []
    for way in sorted(ways, key=lambda way: len(way[0])):
        if not any(_is_as_free(other[1], way[1]) for other in kept):
            kept.append(way)
    return kept


def _is_as_free(one: Position, other: Position) -> bool:
    """True if in one position everybody may swim who may in the other, and as many moves are left."""
    swum = {(item.hex, item.on, item.colour): item.count for item in other.swum}
    return one.moves_left >= other.moves_left and all(
        swum.get((item.hex, item.on, item.colour), 0) >= item.count for item in one.swum
    )
