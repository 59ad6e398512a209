"""Public facts that follow from an action, in the order they happen: what a screen can announce.

An event never tells a secret: not what went into a hand, not who could have defended.
"""

from __future__ import annotations

import msgspec

from companion.rules.actions import Back, Creature, DiveFace, DiveHexes, Face, Place
from companion.rules.geometry import Hex
from companion.rules.layout import Colour, Counts, Land, Terrain


class _Event(msgspec.Struct, frozen=True, tag_field="event", omit_defaults=True, kw_only=True, gc=False):
    pass


class ExplorerPlaced(_Event, frozen=True, kw_only=True, tag="explorer_placed"):
    """2.3."""

    colour: Colour
    hex: Hex


class BoatPlaced(_Event, frozen=True, kw_only=True, tag="boat_placed"):
    """2.4 by a player, or 6.4 from under a tile (`player` None)."""

    hex: Hex
    player: int | None = None


class TilePlayed(_Event, frozen=True, kw_only=True, tag="tile_played"):
    """10, and 9.1 for a defence: the tile has left the hand and the game."""

    player: int
    tile: Back


class ExplorerMoved(_Event, frozen=True, kw_only=True, tag="explorer_moved"):
    """4 and 10.1."""

    colour: Colour
    origin: Place = msgspec.field(name="from")
    target: Place = msgspec.field(name="to")


class Rescued(_Event, frozen=True, kw_only=True, tag="rescued"):
    """4.2, 4.3: an explorer has reached safe land."""

    colour: Colour
    land: Land


class BoatMoved(_Event, frozen=True, kw_only=True, tag="boat_moved"):
    """5.2 and 10.2."""

    origin: Hex = msgspec.field(name="from")
    target: Hex = msgspec.field(name="to")


class CreatureMoved(_Event, frozen=True, kw_only=True, tag="creature_moved"):
    """7 and 10.3."""

    creature: Creature
    origin: Hex = msgspec.field(name="from")
    target: Hex = msgspec.field(name="to")


class TileSunk(_Event, frozen=True, kw_only=True, tag="tile_sunk"):
    """6: the tile is off the board; `explorers` now swim there."""

    hex: Hex
    tile: Terrain
    explorers: Counts = {}


class BackShown(_Event, frozen=True, kw_only=True, tag="back_shown"):
    """6.4: a back that works at once, shown to all."""

    hex: Hex
    back: Back


class TileKept(_Event, frozen=True, kw_only=True, tag="tile_kept"):
    """6.5: the back went into a hand, unseen."""

    player: int
    hex: Hex


class CreaturePlaced(_Event, frozen=True, kw_only=True, tag="creature_placed"):
    """6.4 `shark`, `whale`; 13.1 `dolphin`."""

    creature: Creature
    hex: Hex


class SupplyEmpty(_Event, frozen=True, kw_only=True, tag="supply_empty"):
    """6.4: nothing was left to place."""

    piece: Creature
    hex: Hex


class Boarded(_Event, frozen=True, kw_only=True, tag="boarded"):
    """6.4 `boat`: swimmers on the hex are in the boat now."""

    hex: Hex
    explorers: Counts


class Swallowed(_Event, frozen=True, kw_only=True, tag="swallowed"):
    """6.4 `whirlpool`: what left the game, hex by hex in the order of the list."""

    hexes: tuple[Hex, ...]
    explorers: Counts = {}
    boats: int = 0
    serpents: int = 0
    sharks: int = 0
    whales: int = 0
    dolphins: int = 0


class Rolled(_Event, frozen=True, kw_only=True, tag="rolled"):
    """3.4."""

    face: Face


class DiceRolled(_Event, frozen=True, kw_only=True, tag="dice_rolled"):
    """13.2."""

    creature: DiveFace
    hexes: DiveHexes


class NoSuchCreature(_Event, frozen=True, kw_only=True, tag="no_such_creature"):
    """3.4: none of that kind is on the board."""

    creature: DiveFace


class Threatened(_Event, frozen=True, kw_only=True, tag="threatened"):
    """9.2, 9.3: who is asked, in order, whatever they hold."""

    by: Creature
    hex: Hex
    players: tuple[int, ...]


class ProtectionAsked(_Event, frozen=True, kw_only=True, tag="protection_asked"):
    """13.4: more swimmers than dolphins; whose owners are asked, in order."""

    by: Creature
    hex: Hex
    players: tuple[int, ...]


class Protected(_Event, frozen=True, kw_only=True, tag="protected"):
    """13.4: these swimmers are under the dolphins' protection."""

    player: int
    hex: Hex
    explorers: Counts


class Defended(_Event, frozen=True, kw_only=True, tag="defended"):
    """9.1: the creature leaves the game, nobody is harmed."""

    player: int
    by: Creature
    hex: Hex


class Eaten(_Event, frozen=True, kw_only=True, tag="eaten"):
    """8.2, 8.4: swimmers leave the game."""

    by: Creature
    hex: Hex
    explorers: Counts


class BoatLost(_Event, frozen=True, kw_only=True, tag="boat_lost"):
    """8.1 serpent (the passengers are lost too), 8.3 whale (they swim there)."""

    by: Creature
    hex: Hex
    explorers: Counts = {}


class PhaseBegan(_Event, frozen=True, kw_only=True, tag="phase"):
    """3: the phase that waits for an action now."""

    phase: str
    player: int


class TurnBegan(_Event, frozen=True, kw_only=True, tag="turn"):
    """3: the turn has passed to this player."""

    player: int


class GameEnded(_Event, frozen=True, kw_only=True, tag="ended"):
    """11.1, 12: why no more turns follow: `volcano`, `last_survivor` or `atlantis_sinks`."""

    reason: str


class Scored(_Event, frozen=True, kw_only=True, tag="scored"):
    """11.2."""

    colour: Colour
    total: int


class Won(_Event, frozen=True, kw_only=True, tag="won"):
    """11.2, 12.3: equal sums share the win."""

    players: tuple[int, ...]


Event = (
    ExplorerPlaced
    | BoatPlaced
    | TilePlayed
    | ExplorerMoved
    | Rescued
    | BoatMoved
    | CreatureMoved
    | TileSunk
    | BackShown
    | TileKept
    | CreaturePlaced
    | SupplyEmpty
    | Boarded
    | Swallowed
    | Rolled
    | DiceRolled
    | NoSuchCreature
    | Threatened
    | ProtectionAsked
    | Protected
    | Defended
    | Eaten
    | BoatLost
    | PhaseBegan
    | TurnBegan
    | GameEnded
    | Scored
    | Won
)
