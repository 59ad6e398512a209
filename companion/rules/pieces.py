"""The pieces as data (1.1 to 1.4). Every count, back, value and face that the rules use stands here."""

from __future__ import annotations

from types import MappingProxyType
from typing import Literal

from companion.rules.actions import Back, Creature, DiveFace, DiveHexes, Face
from companion.rules.layout import TERRAINS, Colour, Terrain

EXPLORERS_PER_COLOUR = 10
BOATS = 12
BOAT_CAPACITY = 3
CREATURE_COUNTS: MappingProxyType[Creature, int] = MappingProxyType(
    {"serpent": 5, "shark": 6, "whale": 5, "dolphin": 4}
)
"""1.1; as many dolphins as `dolphin` backs (13.1)."""

TILE_COUNTS = MappingProxyType({"beach": 16, "forest": 16, "mountain": 8})
"""1.1."""

TILE_DECK: tuple[Terrain, ...] = tuple(terrain for terrain in TERRAINS for _ in range(TILE_COUNTS[terrain]))
"""The forty tiles, unshuffled."""

EXPLORER_VALUES = (1, 1, 1, 2, 2, 3, 3, 4, 5, 6)
"""1.2: what stands under a colour's ten explorers."""

When = Literal["at once", "own turn", "defence"]

_TABLE: tuple[tuple[Back, When, int, int, int], ...] = (
    # back, when, beach, forest, mountain
    ("shark", "at once", 3, 2, 1),
    ("whale", "at once", 3, 2, 0),
    ("boat", "at once", 1, 3, 0),
    ("whirlpool", "at once", 0, 2, 4),
    ("volcano", "at once", 0, 0, 1),
    ("dolphin", "own turn", 3, 1, 0),
    ("wind", "own turn", 2, 0, 0),
    ("move_serpent", "own turn", 1, 1, 0),
    ("move_shark", "own turn", 1, 1, 0),
    ("move_whale", "own turn", 1, 1, 0),
    ("shark_defence", "defence", 1, 1, 1),
    ("whale_defence", "defence", 0, 2, 1),
)

WHEN: MappingProxyType[Back, When] = MappingProxyType({row[0]: row[1] for row in _TABLE})
"""1.3: when each back is played; `when_played` knows of 13.1."""

BACKS: MappingProxyType[Terrain, MappingProxyType[Back, int]] = MappingProxyType(
    {
        terrain: MappingProxyType({row[0]: count for row in _TABLE if (count := (row[2], row[3], row[4])[i])})
        for i, terrain in enumerate(TERRAINS)
    }
)
"""1.3: how many of each back lie under the tiles of each terrain."""

DIE: MappingProxyType[Face, int] = MappingProxyType({"serpent": 2, "shark": 2, "whale": 2})
"""1.4: how many faces of the creature die show each creature."""

DIVE_CREATURES: tuple[DiveFace, ...] = ("serpent", "shark", "whale", "dolphin", "boat", "star")
"""13.2: the six faces of one blue die."""

DIVE_HEXES: MappingProxyType[DiveHexes, int] = MappingProxyType({1: 2, 2: 2, 3: 1, "D": 1})
"""13.2: how many faces of the other show each number of hexes, D for dive."""

STEPS: MappingProxyType[Creature, int] = MappingProxyType({"serpent": 1, "shark": 2, "whale": 3})
"""7.2: how many hexes the die moves each creature at most."""

MOVED_BY_TILE: MappingProxyType[Back, Creature] = MappingProxyType(
    {"move_serpent": "serpent", "move_shark": "shark", "move_whale": "whale"}
)
"""10.3."""

DEFENCE_TILE: MappingProxyType[Creature, Back] = MappingProxyType({"shark": "shark_defence", "whale": "whale_defence"})
"""9.1."""

FLIGHT = 3
"""10.1, 10.2: how many hexes a dolphin carries a swimmer and the wind a boat at most."""

MOVES_PER_TURN = 3
"""3.2."""

Load = tuple[Colour, ...]
"""Explorers of several colours together, sorted: the passengers of a boat or the swimmers on a hex."""


def spoken(back: Back) -> str:
    """A back's name as people say it: `shark defence`."""
    return back.replace("_", " ")
