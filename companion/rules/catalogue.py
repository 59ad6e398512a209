"""Every action on the board, made once: listing what is legal hands out ready objects, by square.

Rows are tuples by square (None off the board), so that `pick(row, mask)` lists the actions of a whole mask at once.
"""

from __future__ import annotations

import functools

from companion.rules.actions import (
    Back,
    Creature,
    EndPhase,
    MoveBoat,
    MoveCreature,
    MoveExplorer,
    On,
    Place,
    PlaceBoat,
    PlaceExplorer,
    PlayTile,
    Roll,
    SinkTile,
)
from companion.rules.layout import COLOURS, Colour, Land
from companion.rules.squares import COUNT, HEX

END_PHASE = EndPhase()
ROLL = Roll()

PLACE_EXPLORER = {colour: tuple(PlaceExplorer(colour=colour, hex=HEX[s]) for s in range(COUNT)) for colour in COLOURS}
PLACE_BOAT = tuple(PlaceBoat(hex=HEX[s]) for s in range(COUNT))
SINK_TILE = tuple(SinkTile(hex=HEX[s]) for s in range(COUNT))


@functools.cache
def place(on: On, s: int) -> Place:
    """The place of an explorer on a square."""
    return Place(hex=HEX[s], on=on)


@functools.cache
def shore(land: Land) -> Place:
    """The place of an explorer on safe land."""
    return Place(safe=land)


@functools.cache
def move_explorer(
    colour: Colour, origin: Place, target: Place, *, swum: bool = False, dolphin: bool = False
) -> MoveExplorer:
    """The move of one explorer."""
    return MoveExplorer(colour=colour, origin=origin, target=target, swum=swum, dolphin=dolphin)


@functools.cache
def move_boat(s: int) -> tuple[MoveBoat, ...]:
    """The row of all moves of a boat from a square."""
    return tuple(MoveBoat(origin=HEX[s], target=HEX[t]) for t in range(COUNT))


@functools.cache
def move_creature(kind: Creature, s: int) -> tuple[MoveCreature, ...]:
    """The row of all moves of a creature from a square."""
    return tuple(MoveCreature(creature=kind, origin=HEX[s], target=HEX[t]) for t in range(COUNT))


@functools.cache
def play_tile(tile: Back, s: int, colour: Colour | None = None) -> tuple[PlayTile, ...]:
    """The row of all ways to play a tile on a piece on a square."""
    return tuple(PlayTile(tile=tile, colour=colour, origin=HEX[s], target=HEX[t]) for t in range(COUNT))
