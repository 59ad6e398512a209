"""Which of two alike has moved, where one of them has swum this turn (4.5): nobody sees it, and it may matter later.

In: what the camera has taken over, action by action. Out: the same actions, done by the other one. One is assumed
to have gone; where that does not explain what is done next, it was the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from companion import rules
from companion.rules import IllegalAction, Position
from companion.rules.actions import Action, MoveExplorer


class Twins(NamedTuple):
    """The actions since the first of which nobody knows who did it, none if all is known; the positions around them."""

    actions: tuple[Action, ...] = ()
    before: Position | None = None
    after: Position | None = None

    def followed_by(self, before: Position, action: Action, after: Position) -> Twins:
        """With one more action. What was done in between by other means, or the end of the moves, settles all."""
        if not after.swum:
            return Twins()
        if self.before is not None and self.after is before:
            return Twins((*self.actions, action), self.before, after)
        return Twins((action,), before, after) if len(_alike(before, action)) > 1 else Twins()

    def others(self) -> Iterator[tuple[tuple[Action, ...], Position]]:
        """All other ways to have done it that the rules allow, each with the position that it leads to."""
        if self.before is not None:
            yield from ((actions, end) for actions, end in _ways(self.before, self.actions) if actions != self.actions)


def _ways(position: Position, actions: Sequence[Action]) -> Iterator[tuple[tuple[Action, ...], Position]]:
    if not actions:
        yield (), position
        return
    for action in _alike(position, actions[0]):
        for more, end in _ways(rules.apply(position, action).position, actions[1:]):
            yield (action, *more), end


def _alike(position: Position, action: Action) -> list[Action]:
    """The action, done by one that has not swum and by one that has, as far as either is legal."""
    if not isinstance(action, MoveExplorer):
        return [action]
    return [way for swum in (False, True) if _is_legal(position, way := msgspec.structs.replace(action, swum=swum))]


def _is_legal(position: Position, action: Action) -> bool:
    try:
        rules.check(position, action)
    except IllegalAction:
        return False
    return True
