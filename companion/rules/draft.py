"""The working copy of a position while one action is carried out, and how pieces are taken up and put down.

A draft starts as a copy of a position that shares its containers. A container is replaced by a changed copy, never
changed in place, so that the old position stays as it was.
"""

from __future__ import annotations

import functools
from typing import Any

import msgspec

from companion.rules.actions import Back, Creature, On
from companion.rules.events import Event
from companion.rules.layout import Colour, Land
from companion.rules.pieces import BOAT_CAPACITY, Load
from companion.rules.position import Position, State
from companion.rules.squares import BIT, mask_of


class Draft(State):
    """A position in the making, with the events so far."""

    events: list[Event] = msgspec.field(default_factory=list)

    def __repr__(self) -> str:
        """As of a position."""
        return f"<Draft of {self.freeze()!r}>"

    @classmethod
    def of(cls, position: Position) -> Draft:
        """A working copy of the position."""
        return cls(*msgspec.structs.astuple(position))

    def freeze(self) -> Position:
        """The position as it is now."""
        return Position(*msgspec.structs.astuple(self)[:-1])

    # Explorers

    def put_dry(self, colour: Colour, s: int) -> None:
        """Stand one explorer on the tile."""
        there = self.dry[colour].copy()
        there[s] = there.get(s, 0) + 1
        self.dry = {**self.dry, colour: there}

    def take_dry(self, colour: Colour, s: int) -> None:
        """Take one explorer off the tile."""
        there = self.dry[colour].copy()
        if there[s] == 1:
            del there[s]
        else:
            there[s] -= 1
        self.dry = {**self.dry, colour: there}

    def put_safe(self, colour: Colour, land: Land) -> None:
        """Land one explorer."""
        there = self.safe[colour]
        self.safe = {**self.safe, colour: {**there, land: there.get(land, 0) + 1}}

    def set_swimmers(self, s: int, load: Load) -> None:
        """Let exactly these swim on the hex."""
        there = self.swimmers.copy()
        if load:
            there[s] = load
            self.swim_mask |= BIT[s]
        else:
            there.pop(s, None)
            self.swim_mask &= ~BIT[s]
        self.swimmers = there

    def set_boat(self, s: int, load: Load | None) -> None:
        """Let a boat with exactly these passengers lie on the hex; None: no boat."""
        bit = BIT[s]
        there = self.boats.copy()
        self.laden_mask &= ~bit
        self.room_mask &= ~bit
        if load is None:
            del there[s]
            self.boat_mask &= ~bit
        else:
            there[s] = load
            self.boat_mask |= bit
            if load:
                self.laden_mask |= bit
            if len(load) < BOAT_CAPACITY:
                self.room_mask |= bit
        self.boats = there

    # Who has swum (4.5)

    def add_swum(self, on: On, s: int, colour: Colour, change: int) -> None:
        """Count more or fewer explorers on the place that have swum."""
        key = (on, s, colour)
        there = self.swum_at.copy()
        count = there.pop(key, 0) + change
        if count:
            there[key] = count
        self.swum_at = there

    def forget_swum(self, on: On, s: int) -> None:
        """Nobody is on the place any more."""
        if self.swum_at:
            self.swum_at = {key: n for key, n in self.swum_at.items() if key[:2] != (on, s)}

    def lose_swum(self, s: int, load: Load) -> None:
        """These of the swimmers on the hex are gone, of each colour those first that have swum."""
        if self.swum_at:
            for colour in set(load):
                swum = self.swum_at.get(("sea", s, colour), 0)
                if swum:
                    self.add_swum("sea", s, colour, -min(swum, load.count(colour)))

    def carry_swum(self, origin: tuple[On, int], target: tuple[On, int]) -> None:
        """Everybody on the place has come to another: with a boat, or out of one."""
        if not self.swum_at:
            return
        there: dict[Any, int] = {}
        for (on, s, colour), n in self.swum_at.items():
            key = (*target, colour) if (on, s) == origin else (on, s, colour)
            there[key] = there.get(key, 0) + n
        self.swum_at = there

    # Hands, creatures and supply

    def put_in_hand(self, player: int, tile: Back) -> None:
        """6.5."""
        self._set_hand(player, tuple(sorted((*self.hands[player], tile))))

    def take_from_hand(self, player: int, tile: Back) -> None:
        """10.4: the tile leaves the hand and the game."""
        rest = list(self.hands[player])
        rest.remove(tile)
        self._set_hand(player, tuple(rest))

    def _set_hand(self, player: int, hand: tuple[Back, ...]) -> None:
        self.hands = (*self.hands[:player], hand, *self.hands[player + 1 :])

    def set_creatures(self, kind: Creature, where: tuple[int, ...]) -> None:
        """Let the creatures of a kind be on these squares, one entry a creature."""
        self.creatures = {**self.creatures, kind: where}
        self.lairs = {**self.lairs, kind: mask_of(where)}

    def put_creature(self, kind: Creature, s: int) -> None:
        """Put one creature on the hex."""
        self.set_creatures(kind, tuple(sorted((*self.creatures[kind], s))))

    def take_creature(self, kind: Creature, s: int) -> None:
        """Take one creature off the hex."""
        where = list(self.creatures[kind])
        where.remove(s)
        self.set_creatures(kind, tuple(where))

    def take_from_supply(self, piece: str) -> bool:
        """Take one `boats`, `sharks` or `whales` from beside the board; False if there is none."""
        left = getattr(self.supply, piece)
        if left:
            self.supply = msgspec.structs.replace(self.supply, **{piece: left - 1})
        return bool(left)


@functools.cache
def with_one(load: Load, colour: Colour) -> Load:
    """The load and one more."""
    return tuple(sorted((*load, colour)))


@functools.cache
def without_one(load: Load, colour: Colour) -> Load:
    """The load without one of the colour."""
    rest = list(load)
    rest.remove(colour)
    return tuple(rest)
