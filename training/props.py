"""What one table is made of, and where what does not move lies: the same for whatever draws it.

In: looks, shapes, pictures of boards and tiles. Out: `Props`; sizes in mm, x east, y south.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from hardware.simulated.arrangement import Arrangement, Piece, Tile
from hardware.simulated.arrays import Image
from hardware.simulated.plan import CORNER_SIGNS, BoardPlan
from hardware.simulated.solids import SLOT_FLOOR_MM
from training.shapes import Mesh, Shapes, tipped
from training.tables import Look, Paint

TILE_TEXTURE_MM = 44.0
TABLE_MM = (2000.0, 1600.0)
TILE_GAP_MM = 0.35
CUT_ROUGHNESS = 0.8
"""Of cut cardboard."""

SKIN_ROUGHNESS = 0.7
"""Of skin and cloth."""

COAT_ROUGHNESS = 0.15
"""Of clear lacquer."""

PAPER = Paint((1.0, 1.0, 1.0), 0.7)


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


def poses(shapes: Shapes) -> Iterator[tuple[tuple[str, bool], list[Mesh], float]]:
    """Every kind of piece as it stands, and explorers as they lie, too: kind and whether it lies, its solids, how round
    their edges are (mm)."""
    for kind, meshes in shapes.solids.items():
        yield (kind, False), list(meshes), shapes.bevel[kind]
        if kind == "explorer":
            yield (kind, True), [tipped(m) for m in meshes], shapes.bevel[kind]


def tiles_of(arrangement: Arrangement) -> Iterator[Tile]:
    """All tiles."""
    return (place.tile for place in arrangement.hexes.values() if place.tile)


def standing(arrangement: Arrangement, shapes: Shapes) -> Iterator[Piece]:
    """All pieces, passengers on this set's slot floor."""
    lift = shapes.slot_floor - SLOT_FLOOR_MM
    for place in (*arrangement.hexes.values(), *arrangement.lands.values()):
        yield from place.pieces
        yield from (dataclasses.replace(p, ground=p.ground + lift) for p in place.passengers())
