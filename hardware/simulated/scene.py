"""Draws the table: the empty board once, then tiles, shadows and pieces over it, from far to near.

In: the plan, a style, an arrangement. Out: a BGR picture of the size of the sensor, as it would look under even light
through a perfect sensor (`exposure` adds the rest).
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated.arrangement import Arrangement, Piece, Tile
from hardware.simulated.arrays import Image, Points
from hardware.simulated.art import BOARD_PX_PER_MM, CARD_PX_PER_MM, paint_board, paint_card
from hardware.simulated.optics import View
from hardware.simulated.painter import Painter, Sheet
from hardware.simulated.plan import BOARD_THICKNESS_MM, CARD_MM, CORNER_SIGNS, BoardPlan, hexagon
from hardware.simulated.solids import Solid, boat, piece, place, slab
from hardware.simulated.styles import Style
from hardware.simulated.texture import TILE_MM, TILE_PX_PER_MM, Bgr, forest, plain, rock, sand, wood

TABLE_MM = (2000, 1600)
"""How much of the table top is painted, around the middle of the board."""
TABLE_TURN = 0.3
"""How the grain of the table runs to the board, rad."""
TILE_FACES = 5
"""Different pictures of each terrain."""
CARDBOARD: Bgr = (128, 146, 152)
BOARD_EDGE: Bgr = (90, 84, 80)
_TILE_GAP_MM = 0.35
_CARD_OFF_MM, _CARD_OFF_DEG = 0.9, 1.3
_RIM = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], dtype=np.float64) / 2


class Scene:
    """The table under a fixed camera."""

    def __init__(self, plan: BoardPlan, style: Style, view: View, rng: np.random.Generator) -> None:
        self._plan = plan
        self._style = style
        self._view = view
        self._painter = Painter(view, style.lamps, style.ambient)
        inks = style.inks
        self._faces: dict[str, list[Image]] = {
            "beach": [sand(rng, inks.sand) for _ in range(TILE_FACES)],
            "forest": [forest(rng, inks.leaf, inks.flower) for _ in range(TILE_FACES)],
            "mountain": [rock(rng, inks.rock_dark, inks.rock_light) for _ in range(TILE_FACES)],
        }
        self._shapes: dict[tuple[str, bool], tuple[Solid, ...]] = {
            (kind, False): (piece(kind),) for kind in ("explorer", "serpent", "shark", "whale", "dolphin")
        }
        self._shapes["explorer", True] = (piece("explorer", lying=True),)
        self._shapes["boat", False] = boat()
        self._empty = self._paint_empty(rng)
        self._tiles: list[Tile] = []
        self._tiled = self._empty

    def draw(self, arrangement: Arrangement) -> Image:
        """The picture (H, W, 3) of everything that stands on the table."""
        places = [*arrangement.hexes.values(), *arrangement.lands.values()]
        canvas = self._with_tiles([p.tile for p in places if p.tile]).copy()
        standing = [(s, p.ground) for place_ in places for p in place_.pieces for s in self._solids(p)]
        self._painter.shadows(canvas, standing, blur_px=2.8)
        groups = [[p, *(at.passengers() if p.kind == "boat" else ())] for at in places for p in at.pieces]
        for group in sorted(groups, key=lambda group: -self._distance(group[0].at)):
            self._draw_group(canvas, group)
        return self._painter.finish(canvas)

    def outline(self, p: Piece) -> NDArray[np.float32]:
        """Convex outline of a piece in the picture, px, shape (N, 2)."""
        points = np.vstack([solid.corners for solid in self._solids(p)])
        hull = cv2.convexHull(self._view.project(points).astype(np.float32))
        return np.asarray(hull, np.float32).reshape(-1, 2)

    def _with_tiles(self, tiles: list[Tile]) -> Image:
        """The table with nothing but tiles; kept, since they change once a turn."""
        if tiles != self._tiles:
            canvas = self._empty.copy()
            self._painter.shadows(canvas, [(self._tile_solid(t), 0.0) for t in tiles], blur_px=1.2)
            for t in sorted(tiles, key=lambda t: -self._distance(t.at)):
                self._painter.faces(canvas, self._tile_solid(t).without_top(), CARDBOARD)
                self._painter.lay(canvas, self._tile_face(t))
            self._tiles, self._tiled = tiles, canvas
        return self._tiled

    def _paint_empty(self, rng: np.random.Generator) -> Image:
        """Table top, cards, the board's edge and face."""
        canvas = self._painter.blank()
        floor = -BOARD_THICKNESS_MM
        top = _table_top(self._style, rng)
        self._painter.cover(canvas, Sheet(top, 1, _RIM * np.array(TABLE_MM), turn=TABLE_TURN, h=floor))
        for corner in CORNER_SIGNS:
            x, y = self._plan.card_centre(corner) + rng.uniform(-_CARD_OFF_MM, _CARD_OFF_MM, 2)
            turn = math.radians(rng.uniform(-_CARD_OFF_DEG, _CARD_OFF_DEG))
            card = Sheet(paint_card(corner), CARD_PX_PER_MM, _RIM * CARD_MM, (float(x), float(y)), turn, floor)
            self._painter.lay(canvas, card)
        outline = _subdivide(_RIM * np.array(self._plan.size))
        board = slab(outline, floor, 0.0)
        self._painter.shadows(canvas, [(board, floor)], blur_px=2.0)
        self._painter.faces(canvas, board.without_top(), BOARD_EDGE)
        art = paint_board(self._plan, self._style.inks, rng)
        self._painter.lay(canvas, Sheet(art, BOARD_PX_PER_MM, outline))
        return canvas

    def _solids(self, p: Piece) -> list[Solid]:
        """A piece's solids in the world."""
        at = np.array([*p.at, p.ground])
        return [place(solid, at, p.yaw) for solid in self._shapes[p.kind, p.lying]]

    def _tile_face(self, t: Tile) -> Sheet:
        faces = self._faces[t.terrain]
        outline = hexagon(self._plan.side - _TILE_GAP_MM)
        scale = TILE_PX_PER_MM * min(1.0, TILE_MM / (2 * self._plan.side))
        return Sheet(faces[t.face % len(faces)], scale, outline, t.at, t.yaw, self._plan.tile_thickness[t.terrain])

    def _tile_solid(self, t: Tile) -> Solid:
        return slab(self._tile_face(t).edge()[:, :2], 0.0, self._plan.tile_thickness[t.terrain])

    def _draw_group(self, canvas: Image, group: Iterable[Piece]) -> None:
        """A piece, or a boat with those who stand in it: the hull, then walls and passengers from far to near."""
        parts: list[tuple[float, Solid, Bgr]] = []
        for p in group:
            paint = self._style.paint[p.colour or p.kind]
            for i, solid in enumerate(self._solids(p)):
                x, y, _ = solid.middles.mean(axis=0)
                is_hull = p.kind == "boat" and i == 0
                parts.append((math.inf if is_hull else self._distance((x, y)), solid, paint))
        for _, solid, paint in sorted(parts, key=lambda part: -part[0]):
            self._painter.faces(canvas, solid, paint)

    def _distance(self, at: tuple[float, float]) -> float:
        """From the point below the camera."""
        return math.dist(at, self._view.eye[:2])


def _table_top(style: Style, rng: np.random.Generator) -> Image:
    top, shape = style.top, (TABLE_MM[1], TABLE_MM[0])
    if top.kind == "plain":
        return plain(rng, shape, top.dark, top.light)
    return wood(rng, shape, top.dark, top.light, planks=top.kind == "planks")


def _subdivide(outline: Points, steps: int = 24) -> Points:
    """More corners along straight edges, so that the lens can bend them."""
    share = np.arange(steps)[:, None] / steps
    after = np.roll(outline, -1, axis=0)
    return np.vstack([a + (b - a) * share for a, b in zip(outline, after, strict=True)])
