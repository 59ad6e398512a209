"""A position: everything that is needed to go on with a game, immutable and comparable by value.

Its public attributes carry the referee protocol's names. Inside, hexes are squares and masks (`squares`), and the
pieces are kept by what the rules ask of them; `layout()` is the same table as people and cameras write it down.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.rules.actions import Back, Creature, DiveRoll, Face, On
from companion.rules.geometry import Board, Hex, load_board
from companion.rules.layout import COLOURS, TERRAINS, Colour, Counts, HexContent, Land, Layout, Terrain
from companion.rules.options import Options, Player, Setup
from companion.rules.pieces import Load
from companion.rules.squares import HEX, squares

Phase = Literal[
    "place_explorers",
    "place_boats",
    "play_tile",
    "move",
    "sink",
    "reveal",
    "load_boat",
    "roll",
    "creature",
    "reaction",
    "protect",
    "scoring",
    "over",
]
Resume = Literal["play_tile", "move", "sink", "creature"]


class Supply(msgspec.Struct, frozen=True):
    """What is beside the board (2.5)."""

    boats: int
    sharks: int
    whales: int


class Unplaced(msgspec.Struct, frozen=True):
    """What is still to be placed (2.3, 2.4): explorers by colour, boats by player."""

    explorers: Counts
    boats: tuple[int, ...]


class Threat(msgspec.Struct, frozen=True):
    """A creature about to strike (9, 13.4): the players still to answer, in order, and the phase in which it arose.

    With `dive_dice` also the swimmers that dolphins protect, and whether it is the creature of 9.5 `moved`.
    """

    creature: Creature
    hex: Hex
    asked: tuple[int, ...]
    resume: Resume
    protected: Counts = {}
    moved: bool = False


class Sunk(msgspec.Struct, frozen=True):
    """The tile just removed, in `reveal` and `load_boat`."""

    hex: Hex
    tile: Terrain


class Swum(msgspec.Struct, frozen=True):
    """Explorers of a colour on one place that have used up their swimming move of this turn (4.5)."""

    hex: Hex
    on: On
    colour: Colour
    count: int


class Carried(msgspec.Struct, frozen=True):
    """Dolphins on a hex that have moved along with a swimmer this turn (13.5)."""

    hex: Hex
    count: int


class State(msgspec.Struct, gc=False):
    """The fields of `Position` and of `Draft`, its working copy. Containers are replaced, never changed.

    Squares are numbers, masks are sets of squares. Dicts hold no empty entries, except that `dry` and `safe` have one
    for each colour in play and `tiles`, `backs`, `creatures` and `lairs` have all their keys.
    """

    setup: Setup
    phase: Phase
    active: int
    moves_left: int
    die: Face | DiveRoll | None
    hands: tuple[tuple[Back, ...], ...]
    backs: dict[Terrain, dict[Back, int]]
    supply: Supply
    unplaced: Unplaced
    threat: Threat | None
    sunk: Sunk | None
    scores: dict[Colour, int]
    winners: tuple[int, ...] | None
    swum_at: dict[tuple[On, int, Colour], int]
    """How many on this place have swum this turn."""
    carried_at: dict[int, int]
    """How many dolphins on this square have been taken along this turn."""
    land: int
    """Mask of all tiles."""
    tiles: dict[Terrain, int]
    """Masks of the tiles by terrain."""
    dry: dict[Colour, dict[int, int]]
    """Explorers on tiles: how many of the colour on which square."""
    swimmers: dict[int, Load]
    boats: dict[int, Load]
    safe: dict[Colour, dict[Land, int]]
    creatures: dict[Creature, tuple[int, ...]]
    """The squares where creatures of each kind are, ascending, one entry a creature."""
    lairs: dict[Creature, int]
    """The same as masks."""
    swim_mask: int
    boat_mask: int
    laden_mask: int
    """Boats with passengers."""
    room_mask: int
    """Boats with room."""


class Position(State, frozen=True):  # type: ignore[misc] # a frozen struct may extend an unfrozen one
    """One position of a game. Made by `new_game`, `apply` and `decode_position`; keep the old one to undo."""

    @property
    def edition(self) -> str:
        """The edition's name."""
        return self.setup.edition

    @property
    def options(self) -> Options:
        """The game's options."""
        return self.setup.options

    @property
    def players(self) -> tuple[Player, ...]:
        """The players, clockwise from the first."""
        return self.setup.players

    @property
    def board(self) -> Board:
        """The printed board."""
        return load_board(self.setup.edition)

    @property
    def swum(self) -> tuple[Swum, ...]:
        """Who has used up the swimming move of this turn, by place (4.5)."""
        return tuple(
            Swum(hex=HEX[s], on=on, colour=colour, count=count)
            for (on, s, colour), count in sorted(self.swum_at.items())
        )

    @property
    def carried(self) -> tuple[Carried, ...]:
        """Dolphins that have been taken along this turn (13.5)."""
        return tuple(Carried(hex=HEX[s], count=count) for s, count in sorted(self.carried_at.items()))

    def layout(self) -> Layout:
        """What stands where on the table."""
        tile_at = {s: terrain for terrain in TERRAINS for s in squares(self.tiles[terrain])}
        occupied = self.land | self.swim_mask | self.boat_mask
        for lair in self.lairs.values():
            occupied |= lair
        return Layout(
            hexes={HEX[s]: self._content(s, tile_at.get(s)) for s in squares(occupied)},
            safe={
                land: counts
                for land in ("nw", "ne", "sw", "se")
                if (counts := {str(c): n for c, lands in self.safe.items() if (n := lands.get(land, 0))})
            },
        )

    def _content(self, s: int, tile: Terrain | None) -> HexContent:
        dry: Counts = {colour: n for colour in COLOURS if (n := self.dry.get(colour, {}).get(s, 0))}
        boat = self.boats.get(s)
        return HexContent(
            tile=tile,
            explorers=dry if tile else counts_of(self.swimmers.get(s, ())),
            boat=None if boat is None else counts_of(boat),
            serpents=self.creatures["serpent"].count(s),
            sharks=self.creatures["shark"].count(s),
            whales=self.creatures["whale"].count(s),
            dolphins=self.creatures["dolphin"].count(s),
        )

    def __repr__(self) -> str:
        """Whose turn it is, and no more: a repr ends up in logs, and a position holds every hand and back."""
        return (
            f"<Position {self.edition}: {self.players[self.active].name}, {self.phase}, {self.moves_left} moves left>"
        )

    def __hash__(self) -> int:
        return hash(
            (
                self.phase,
                self.active,
                self.moves_left,
                self.die,
                self.hands,
                self.land,
                self.swim_mask,
                self.boat_mask,
                *self.lairs.values(),
                *(frozenset(there.items()) for there in self.dry.values()),
            )
        )


def counts_of(load: Load) -> Counts:
    """How many of each colour, in the order of COLOURS."""
    return {colour: n for colour in COLOURS if (n := load.count(colour))}
