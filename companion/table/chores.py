"""What hands have to do so that the table shows what it should: pieces to take, to put down and to carry.

Plain data, no words: a screen says it in the language of the people.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec

from companion.rules.actions import On
from companion.rules.geometry import Hex
from companion.rules.layout import Colour, Land, Terrain
from companion.table.tally import NOTHING, SORTS, Piece, Sort, Spot, Tally, ground


class Chore(msgspec.Struct, frozen=True, kw_only=True):
    """One piece to take off a hex or safe land, or to put there; with an origin, to carry from there.

    Of `hex` and `land` one is set, likewise of the origin's if it is a carrying. `on` tells an explorer's places on one
    hex apart.
    """

    do: Literal["put", "take"]
    piece: Piece
    colour: Colour | None = None
    terrain: Terrain | None = None
    hex: Hex | None = None
    land: Land | None = None
    on: On | None = None
    origin_hex: Hex | None = None
    origin_land: Land | None = None


def chores(shown: Mapping[Spot, Tally], wanted: Mapping[Spot, Tally], spots: Iterable[Spot]) -> tuple[Chore, ...]:
    """What leads from the table as shown to the table as wanted, on these spots; carryings first."""
    surplus: dict[tuple[Piece, Colour | None, Terrain | None], list[tuple[Spot, Sort]]] = {}
    puts: list[tuple[Spot, Sort]] = []
    for spot in sorted(spots, key=str):
        here, there = shown.get(spot, NOTHING), wanted.get(spot, NOTHING)
        for sort, has, needs in zip(SORTS, here, there, strict=True):
            surplus.setdefault(_kind(sort), []).extend([(spot, sort)] * (has - needs))
            puts += [(spot, sort)] * (needs - has)
    carried, put = [], []
    for spot, sort in puts:
        spare = surplus.get(_kind(sort))
        if spare:
            origin, _ = spare.pop(0)
            carried.append(_chore("put", spot, sort, wanted, origin))
        else:
            put.append(_chore("put", spot, sort, wanted))
    taken = [_chore("take", spot, sort, shown) for spare in surplus.values() for spot, sort in spare]
    return (*carried, *taken, *put)


def _kind(sort: Sort) -> tuple[Piece, Colour | None, Terrain | None]:
    """Pieces of one kind can stand in for each other, aboard or not."""
    return sort.piece, sort.colour, sort.terrain


def _chore(
    do: Literal["put", "take"], spot: Spot, sort: Sort, table: Mapping[Spot, Tally], origin: Spot | None = None
) -> Chore:
    on: On | None = None
    if sort.piece == "explorer" and not isinstance(spot, str):
        on = "boat" if sort.aboard else ground(table.get(spot, NOTHING))
    return Chore(
        do=do,
        piece=sort.piece,
        colour=sort.colour,
        terrain=sort.terrain,
        hex=None if isinstance(spot, str) else spot,
        land=spot if isinstance(spot, str) else None,
        on=on,
        origin_hex=None if isinstance(origin, str) else origin,
        origin_land=origin if isinstance(origin, str) else None,
    )
