"""The board as data: which hexes there are, what they are called, which are neighbours.

In: the board files in `boards/` (axial coordinates, pointy-top, see the Red Blob Games hexagon guide).
Out: `Board`, immutable. Coordinates `(q, r)`; in millimetres x points east, y south, the origin is the
middle of hex `(0, 0)` and so of the board: `x = sqrt(3)*s*(q + r/2)`, `y = 1.5*s*r`, `s` the hex's side.
"""

from __future__ import annotations

import functools
import importlib.resources
import math

import msgspec

Hex = tuple[int, int]
"""Axial coordinates `(q, r)` of a hex."""

LANDS = ("nw", "ne", "sw", "se")
"""The four safe lands, named by their corner."""

DIRECTIONS: tuple[Hex, ...] = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
"""Steps to the six neighbours, from east counter-clockwise as seen on the board."""


class Physical(msgspec.Struct, frozen=True):
    """Sizes in millimetres."""

    hex_flat_to_flat: float
    board: tuple[float, float]
    tile_thickness: dict[str, float]


class Board(msgspec.Struct, frozen=True, dict=True):
    """One printed board. `hexes` keep the order of the board file, row by row from the north-west."""

    name: str
    hexes: tuple[Hex, ...]
    island: tuple[Hex, ...]
    serpent_starts: tuple[Hex, ...]
    landings: dict[str, tuple[Hex, ...]]
    physical: Physical = msgspec.field(name="physical_mm")

    @functools.cached_property
    def index(self) -> dict[Hex, int]:
        """Number of each hex in `hexes`."""
        return {h: i for i, h in enumerate(self.hexes)}

    @functools.cached_property
    def neighbours(self) -> dict[Hex, tuple[Hex, ...]]:
        """The hexes of this board that share an edge with each hex (1.5)."""
        there = self.index
        return {(q, r): tuple(n for dq, dr in DIRECTIONS if (n := (q + dq, r + dr)) in there) for q, r in self.hexes}

    @functools.cached_property
    def labels(self) -> dict[Hex, str]:
        """The name people use: the row's letter from the north, then the number from the west, `F8`."""
        rows: dict[int, list[Hex]] = {}
        for h in self.hexes:
            rows.setdefault(h[1], []).append(h)
        first = min(rows)
        return {
            h: f"{chr(ord('A') + r - first)}{i}" for r, row in rows.items() for i, h in enumerate(sorted(row), start=1)
        }

    @functools.cached_property
    def by_label(self) -> dict[str, Hex]:
        """The inverse of `labels`."""
        return {text: h for h, text in self.labels.items()}

    @functools.cached_property
    def land_at(self) -> dict[Hex, str]:
        """The safe land that each landing hex gives on to."""
        return {h: land for land, hexes in self.landings.items() for h in hexes}

    @property
    def side_mm(self) -> float:
        """Side (= circumradius) of a hex in mm."""
        return self.physical.hex_flat_to_flat / math.sqrt(3)

    def centre_mm(self, h: Hex) -> tuple[float, float]:
        """Centre of a hex in mm, x east, y south, origin in the middle of the board."""
        q, r = h
        return math.sqrt(3) * self.side_mm * (q + r / 2), 1.5 * self.side_mm * r


@functools.cache
def load_board(name: str = "anniversary") -> Board:
    """The board of that name from `boards/`; KeyError if there is none."""
    source = importlib.resources.files("companion.rules") / "boards" / f"{name}.json"
    if not source.is_file():
        raise KeyError(f"there is no board named {name!r}")
    return msgspec.json.decode(source.read_bytes(), type=Board)
