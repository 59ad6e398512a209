"""Actions on the board, made once: listing what is legal hands out ready objects, by square.

Rows are tuples by square (None off the board), so that `pick(row, mask)` lists the actions of a whole mask at once.
"""

from __future__ import annotations

import functools

from companion.rules.actions import (
    Back,
    Creature,
    EndPhase,
    MoveCreature,
    On,
    Place,
    PlaceBoat,
    PlaceExplorer,
    PlayTile,
    Roll,
    SinkTile,
)
from companion.rules.layout import COLOURS, Colour, Land
from companion.rules.squares import HEX, row

remembered = functools.lru_cache(maxsize=256)
"""Keeps what was worked out last for some surrounding. One game uses some hundreds of each kind, and hardly any of them
comes again in the next: more would be memory that fills up for hours and saves nothing."""

END_PHASE = EndPhase()
ROLL = Roll()


def _placing(colour: Colour) -> tuple[PlaceExplorer | None, ...]:
    return row(lambda h: PlaceExplorer(colour=colour, hex=h))


PLACE_EXPLORER = {colour: _placing(colour) for colour in COLOURS}
PLACE_BOAT = row(lambda h: PlaceBoat(hex=h))
SINK_TILE = row(lambda h: SinkTile(hex=h))


@functools.cache
def place(on: On, s: int) -> Place:
    """The place of an explorer on a square."""
    return Place(hex=HEX[s], on=on)


@functools.cache
def shore(land: Land) -> Place:
    """The place of an explorer on safe land."""
    return Place(safe=land)


@functools.cache
def move_creature(kind: Creature, s: int) -> tuple[MoveCreature | None, ...]:
    """The row of all moves of a creature from a square."""
    return row(lambda h: MoveCreature(creature=kind, origin=HEX[s], target=h))


@functools.cache
def play_tile(tile: Back, s: int, colour: Colour | None = None) -> tuple[PlayTile | None, ...]:
    """The row of all ways to play a tile on a piece on a square."""
    return row(lambda h: PlayTile(tile=tile, colour=colour, origin=HEX[s], target=h))
