"""The board's plan in millimetres, read from a board file as plain data.

In: the JSON object of a board file (`hexes`, `island`, `landings`, `serpent_starts`, `physical_mm`).
Out: `BoardPlan`: hex centres, corners and safe lands. x points east, y south, origin in the middle of hex (0, 0).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from hardware.simulated.arrays import Points

Hex = tuple[int, int]

BOARD_THICKNESS_MM = 4.0
CARD_MM = 60.0
MARKER_MM = 40.0
LANDS = ("nw", "ne", "sw", "se")
CORNER_SIGNS: dict[str, tuple[int, int]] = {"nw": (-1, -1), "ne": (1, -1), "se": (1, 1), "sw": (-1, 1)}
"""Which way from the middle each corner of the board lies: (east, south)."""
MARKER_IDS: dict[str, int] = {"nw": 0, "ne": 1, "se": 2, "sw": 3}
"""The ArUco marker on the card beyond each corner."""


@dataclass(frozen=True)
class BoardPlan:
    """One printed board; sizes in mm."""

    hexes: tuple[Hex, ...]
    island: frozenset[Hex]
    serpent_starts: tuple[Hex, ...]
    landings: dict[str, tuple[Hex, ...]]
    size: tuple[float, float]
    side: float
    tile_thickness: dict[str, float]

    @classmethod
    def from_json(cls, board: Mapping[str, Any]) -> BoardPlan:
        """Read the object of a board file. Raises ValueError naming the field that is missing or malformed."""
        try:
            physical = board["physical_mm"]
            return cls(
                hexes=_hexes(board["hexes"]),
                island=frozenset(_hexes(board["island"])),
                serpent_starts=_hexes(board["serpent_starts"]),
                landings={land: _hexes(board["landings"][land]) for land in LANDS},
                size=(float(physical["board"][0]), float(physical["board"][1])),
                side=float(physical["hex_flat_to_flat"]) / math.sqrt(3),
                tile_thickness={k: float(v) for k, v in physical["tile_thickness"].items()},
            )
        except KeyError as missing:
            raise ValueError(f"The board file lacks the field {missing}.") from None
        except (TypeError, ValueError, IndexError) as wrong:
            raise ValueError(f"The board file cannot be read: {wrong}.") from None

    @property
    def inradius(self) -> float:
        """From a hex's centre to the middle of its edge."""
        return self.side * math.sqrt(3) / 2

    def centre(self, h: Hex) -> Points:
        """Centre of a hex, shape (2,)."""
        q, r = h
        return np.array([math.sqrt(3) * self.side * (q + r / 2), 1.5 * self.side * r])

    def corners(self, h: Hex) -> Points:
        """The six corners of a hex, clockwise from the north, shape (6, 2)."""
        return self.centre(h) + hexagon(self.side)

    def safe_land(self, land: str) -> tuple[Points, float]:
        """Where explorers stand on a safe land: centre of a disc, shape (2,), and its radius."""
        sx, sy = CORNER_SIGNS[land]
        return np.array([sx * (self.size[0] / 2 - 42), sy * (self.size[1] / 2 - 38)]), 24.0

    def card_centre(self, corner: str) -> Points:
        """Centre of the card whose inner corner touches that corner of the board, shape (2,)."""
        sx, sy = CORNER_SIGNS[corner]
        return np.array([sx * (self.size[0] + CARD_MM) / 2, sy * (self.size[1] + CARD_MM) / 2])

    def card_corners(self) -> Points:
        """The corners of the four cards as world points, shape (16, 3)."""
        rim = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * CARD_MM / 2
        flat = np.vstack([self.card_centre(c) + rim for c in CORNER_SIGNS])
        return np.column_stack([flat, np.full(len(flat), -BOARD_THICKNESS_MM)])


def hexagon(radius: float) -> Points:
    """Corners of a pointy-top hexagon around the origin, clockwise from the north, shape (6, 2)."""
    angles = np.radians(-90 + 60 * np.arange(6))
    return radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)


def _hexes(data: Any) -> tuple[Hex, ...]:
    return tuple((int(q), int(r)) for q, r in data)
