"""What one table is made of, and where what does not move lies: the same for whatever draws it.

In: looks, shapes, pictures of boards and tiles. Out: `Props`; sizes in mm, x east, y south.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from hardware.simulated.arrangement import Piece
from hardware.simulated.arrays import Image
from hardware.simulated.plan import CORNER_SIGNS, BoardPlan
from hardware.simulated.solids import SLOT_FLOOR_MM
from training.shapes import Shapes
from training.tables import Look

TILE_TEXTURE_MM = 44.0
TABLE_MM = (2000.0, 1600.0)
TILE_GAP_MM = 0.35


@dataclass(frozen=True)
class Textures:
    """BGR pictures: the board, tile faces by terrain (44 mm squares), the table top (1 px a mm), the corners' cards."""

    board: Image
    tiles: dict[str, list[Image]]
    top: Image
    cards: dict[str, Image]


@dataclass(frozen=True)
class Props:
    """What one table is made of."""

    look: Look
    shapes: Shapes
    textures: Textures


def laid_cards(plan: BoardPlan, rng: np.random.Generator) -> Iterator[tuple[str, tuple[float, float], float]]:
    """The corners' cards as people lay them: the corner, the card's middle (mm) and its turn (rad, clockwise)."""
    for corner in CORNER_SIGNS:
        x, y = plan.card_centre(corner) + rng.uniform(-0.9, 0.9, 2)
        yield corner, (float(x), float(y)), -math.radians(rng.uniform(-1.3, 1.3))


def on_slot_floor(passengers: Sequence[Piece], shapes: Shapes) -> list[Piece]:
    """Passengers on this set's slot floor."""
    lift = shapes.slot_floor - SLOT_FLOOR_MM
    return [Piece(p.kind, p.colour, p.at, p.ground + lift, p.yaw, p.lying) for p in passengers]
