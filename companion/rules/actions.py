"""What people can do: one immutable struct an action, with the JSON shape of the referee protocol.

Chance is part of the action: `SinkTile.back` and `Roll.face` carry what came. Legal actions are listed without.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.rules.geometry import Hex
from companion.rules.layout import Colour, Counts, Land

Back = Literal[
    "shark",
    "whale",
    "boat",
    "whirlpool",
    "volcano",
    "dolphin",
    "wind",
    "move_serpent",
    "move_shark",
    "move_whale",
    "shark_defence",
    "whale_defence",
]
Face = Literal["serpent", "shark", "whale"]
Creature = Literal["serpent", "shark", "whale", "dolphin", "boat"]
On = Literal["tile", "sea", "boat"]
DiveFace = Literal["serpent", "shark", "whale", "dolphin", "boat", "star"]
DiveHexes = Literal[1, 2, 3, "D"]


class DiveRoll(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """13.2: what the two blue dice show."""

    creature: DiveFace
    hexes: DiveHexes


class Place(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """Where an explorer stands: on a hex (`on` a tile, swimming in the `sea`, in a `boat`) or on safe land."""

    hex: Hex | None = None
    on: On | None = None
    safe: Land | None = None


class _Action(
    msgspec.Struct,
    frozen=True,
    tag_field="type",
    omit_defaults=True,
    forbid_unknown_fields=True,
    kw_only=True,
    gc=False,  # they hold no cycles, and there are many: the collector need not look at them
):
    pass


class PlaceExplorer(_Action, frozen=True, kw_only=True, tag="place_explorer"):
    """2.3."""

    colour: Colour
    hex: Hex


class PlaceBoat(_Action, frozen=True, kw_only=True, tag="place_boat"):
    """2.4."""

    hex: Hex


class PlayTile(_Action, frozen=True, kw_only=True, tag="play_tile"):
    """3.1, 10; `colour` with the dolphin only."""

    tile: Back
    colour: Colour | None = None
    origin: Hex = msgspec.field(name="from")
    target: Hex = msgspec.field(name="to")


class MoveExplorer(_Action, frozen=True, kw_only=True, tag="move_explorer"):
    """4; `swum` names one that has used up its swimming move, `dolphin` takes a dolphin along (13.5)."""

    colour: Colour
    origin: Place = msgspec.field(name="from")
    target: Place = msgspec.field(name="to")
    swum: bool = False
    dolphin: bool = False


class MoveBoat(_Action, frozen=True, kw_only=True, tag="move_boat"):
    """5."""

    origin: Hex = msgspec.field(name="from")
    target: Hex = msgspec.field(name="to")


class SinkTile(_Action, frozen=True, kw_only=True, tag="sink_tile"):
    """6; `back` is what was dealt under the tile."""

    hex: Hex
    back: Back | None = None


class Reveal(_Action, frozen=True, kw_only=True, tag="reveal"):
    """6.3 with printed backs: what the player found under the tile."""

    back: Back


class LoadBoat(_Action, frozen=True, kw_only=True, tag="load_boat"):
    """6.4 `boat`: the three swimmers that board."""

    explorers: Counts


class Roll(_Action, frozen=True, kw_only=True, tag="roll"):
    """3.4; `face` is what came, with `dive_dice` on both dice."""

    face: Face | DiveRoll | None = None


class MoveCreature(_Action, frozen=True, kw_only=True, tag="move_creature"):
    """7."""

    creature: Creature
    origin: Hex = msgspec.field(name="from")
    target: Hex = msgspec.field(name="to")


class Defend(_Action, frozen=True, kw_only=True, tag="defend"):
    """9."""

    player: int


class Decline(_Action, frozen=True, kw_only=True, tag="decline"):
    """9.2."""

    player: int


class Protect(_Action, frozen=True, kw_only=True, tag="protect"):
    """13.4: which of the own swimmers the dolphins protect, none if empty."""

    explorers: Counts


class EndPhase(_Action, frozen=True, kw_only=True, tag="end_phase"):
    """3: leaves play_tile, move or creature without doing (more) there."""


class Score(_Action, frozen=True, kw_only=True, tag="score"):
    """11.2: the values found under one colour's rescued explorers."""

    colour: Colour
    values: tuple[int, ...]


Action = (
    PlaceExplorer
    | PlaceBoat
    | PlayTile
    | MoveExplorer
    | MoveBoat
    | SinkTile
    | Reveal
    | LoadBoat
    | Roll
    | MoveCreature
    | Defend
    | Decline
    | Protect
    | EndPhase
    | Score
)
