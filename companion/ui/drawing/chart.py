"""The ground of the board: sea, grid, safe lands, landing hexes, row letters; water-lines and the tiles that are left.

The sea is one picture, drawn once; the water-lines are drawn again when a tile is laid or sinks; a tile is a sprite.
"""

from __future__ import annotations

import functools
import math
import random
from collections.abc import Iterable
from typing import NamedTuple

from companion.rules.geometry import Board, Hex
from companion.rules.layout import Land, Terrain
from companion.ui import tokens as t
from companion.ui.drawing import svg

WATER_LINES = (26.0, 15.0, 7.0)
WATER_STRENGTH = 0.14
LAND_CORNERS: tuple[Land, ...] = ("nw", "ne", "sw", "se")
_COAST = [(97.5, -4.0), (91.0, 9.0), (64.0, 21.5), (53.0, 34.0), (30.5, 54.5), (16.0, 80.0), (-4.0, 101.0)]


class Projection(NamedTuple):
    """Where the board lies in its picture: `width` x `height` u, hex (0, 0) at (x, y), hexes of that `side`."""

    width: float
    height: float
    x: float
    y: float
    side: float

    def centre(self, h: Hex) -> svg.Point:
        """The centre of a hex in u."""
        q, r = h
        return self.x + math.sqrt(3) * self.side * (q + r / 2), self.y + 1.5 * self.side * r

    def hexagon(self, h: Hex, grow: float = 0.0) -> list[svg.Point]:
        """The six corners of a hex in u, its side made longer by `grow`."""
        return svg.hexagon(*self.centre(h), self.side + grow)

    def coast(self, land: Land) -> list[svg.Point]:
        """The coast of a safe land, from the picture's edge to its edge."""
        k = self.side / t.HEX_SIDE
        cx, cy = self.corner(land)
        right, down = (1 if cx == 0 else -1), (1 if cy == 0 else -1)
        return [(cx + right * x * k, cy + down * y * k) for x, y in _COAST]

    def corner(self, land: Land) -> svg.Point:
        """The corner of the picture that a safe land fills."""
        return (0.0 if land in ("nw", "sw") else self.width), (0.0 if land in ("nw", "ne") else self.height)

    def anchor(self, land: Land) -> svg.Point:
        """Where the rescued pieces of a safe land stand."""
        x, y = self.corner(land)
        inward = 30.0 * self.side / t.HEX_SIDE
        return x + (inward if x == 0 else -inward), y + (inward if y == 0 else -inward) * 0.933


def land_shape(projection: Projection, land: Land) -> str:
    """Path data of a safe land, closed beyond the picture's corner."""
    points = projection.coast(land)
    x, y = projection.corner(land)
    far_x = x + (-400 if x < projection.x else 400)
    far_y = y + (-400 if y < projection.y else 400)
    first, last = points[0], points[-1]
    return (
        svg.smooth(points)
        + svg.polyline([last, (far_x, last[1]), (far_x, far_y), (first[0], far_y)]).replace("M", "L", 1)
        + "Z"
    )


def sea(board: Board, projection: Projection, *, row_letters: bool = True) -> str:
    """What never changes: sea, coasts, grid, landing hexes, the printed outline of the island and the row letters."""
    k = projection.side / t.HEX_SIDE
    parts = [svg.rect(0, 0, projection.width, projection.height, fill=t.CHART_SEA_DEEP)]
    parts += [svg.polygon(projection.hexagon(h), fill=t.CHART_SEA) for h in board.hexes]
    coasts = "".join(svg.smooth(projection.coast(land)) for land in LAND_CORNERS)
    parts += [
        svg.path(coasts, stroke=t.CARD, stroke_width=width * k, stroke_opacity=WATER_STRENGTH) for width in WATER_LINES
    ]
    grid = "".join(svg.polyline(projection.hexagon(h), closed=True) for h in board.hexes)
    parts.append(svg.path(grid, stroke=t.CHART_LINE, stroke_width=1.1 * k, stroke_linejoin="round"))
    parts += [landing(projection.hexagon(h, -2.6 * k), k) for hexes in board.landings.values() for h in hexes]
    parts += [svg.path(land_shape(projection, land), fill=t.SAFE_LAND) for land in LAND_CORNERS]
    parts.append(svg.path(coasts, stroke=t.COAST, stroke_width=1.7 * k))
    parts.append(
        svg.path(island_outline(board, projection), stroke=t.ISLAND_LINE, stroke_width=1.9 * k, stroke_linecap="round")
    )
    if row_letters:
        parts.append(_row_letters(board, projection))
    return "".join(parts)


def water_lines(tiles: Iterable[Hex], projection: Projection) -> str:
    """The lines in the water round the tiles that are left. Empty if there is none."""
    k = projection.side / t.HEX_SIDE
    return "".join(
        svg.path("".join(_rounded(*projection.centre(h), projection.side, width / 2 * k) for h in tiles),
                 fill=t.CARD, fill_opacity=WATER_STRENGTH)
        for width in WATER_LINES
    )  # fmt: skip


def island_outline(board: Board, projection: Projection) -> str:
    """Path data of the printed outline of the island: the edges between its places and the open sea."""
    lakes = {h for h in board.hexes if len(board.neighbours[h]) == 6 and set(board.neighbours[h]) <= set(board.island)}
    island = set(board.island) | lakes
    edges: list[str] = []
    for h in board.island:
        corners = projection.hexagon(h)
        # corner i to i+1 faces: north-east, east, south-east, south-west, west, north-west
        for i, (dq, dr) in enumerate(((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))):
            if (h[0] + dq, h[1] + dr) not in island:
                edges.append(svg.polyline([corners[i], corners[(i + 1) % 6]]))
    return "".join(edges)


@functools.lru_cache(maxsize=64)
def tile(terrain: Terrain, x: float, y: float, side: float) -> str:
    """A tile about (x, y): its face, the edge of its real thickness below, its drawing."""
    look = t.TERRAIN[terrain]
    k = side / t.HEX_SIDE
    whole = svg.hexagon(x, y, side - 0.6 * k)
    face = [*whole[:2], *((px, py - look.thickness * k) for px, py in whole[2:5]), whole[5]]
    edge = svg.polygon(whole, fill=look.edge, stroke=look.edge, stroke_width=0.9 * k, stroke_linejoin="round")
    return edge + svg.polygon(face, fill=look.face) + svg.at(x, y, _drawing(terrain), scale=k)


@functools.lru_cache(maxsize=512)
def _rounded(x: float, y: float, side: float, grow: float) -> str:
    """Path data of a hex grown by `grow` on every side, its corners rounded: cheaper to fill than a wide stroke."""
    corners = svg.hexagon(x, y, side)
    points: list[str] = []
    for i, (cx, cy) in enumerate(corners):
        before, after = math.radians(-120 + 60 * i), math.radians(-60 + 60 * i)
        radius = grow / math.cos(math.radians(30))
        peak = math.radians(-90 + 60 * i)
        start = (cx + grow * math.cos(before), cy + grow * math.sin(before))
        bend = (cx + radius * math.cos(peak), cy + radius * math.sin(peak))
        end = (cx + grow * math.cos(after), cy + grow * math.sin(after))
        points.append(
            f"{'L' if i else 'M'}{svg.num(start[0])} {svg.num(start[1])}"
            f"Q{svg.num(bend[0])} {svg.num(bend[1])} {svg.num(end[0])} {svg.num(end[1])}"
        )
    return "".join(points) + "Z"


def landing(corners: list[svg.Point], k: float) -> str:
    """A hex from which safe land is reached; `k` is its side by `HEX_SIDE`."""
    return svg.polygon(
        corners,
        fill=t.LANDING,
        stroke=t.COAST,
        stroke_width=1.2 * k,
        stroke_dasharray=f"{svg.num(3 * k)} {svg.num(2.4 * k)}",
        stroke_linejoin="round",
    )


def _row_letters(board: Board, projection: Projection) -> str:
    k = projection.side / t.HEX_SIDE
    firsts: dict[int, float] = {}
    for h in board.hexes:
        x = projection.centre(h)[0]
        firsts[h[1]] = min(x, firsts.get(h[1], x))
    return "".join(
        svg.figure(
            board.labels[min(h for h in board.hexes if h[1] == r)][0],
            max(10.0 * k, x - 30.0 * k),
            projection.centre((0, r))[1],
            19 * k,
            fill=t.CHART_LETTER,
            halo="#CFE1E2",
            width=2.6 * k,
            weight=700,
        )
        for r, x in firsts.items()
    )


@functools.cache
def _drawing(terrain: Terrain) -> str:
    """Stipple, trees or a peak, about the hex's centre, for a side of `HEX_SIDE`."""
    ink = t.TERRAIN[terrain].drawing
    match terrain:
        case "beach":
            rng = random.Random(7)
            spots = [
                (13.5 * math.cos(a) + rng.uniform(-2.5, 2.5), 13.5 * math.sin(a) + rng.uniform(-2.5, 2.5))
                for a in (i * math.tau / 9 for i in range(9))
            ]
            spots += [(-5.0, -4.0), (5.5, -3.0), (0.5, 5.0)]
            return "".join(svg.circle(x, y, 1.0, fill=ink) for x, y in spots)
        case "forest":
            return "".join(_tree(x, y, ink) for x, y in ((0, -13.2), (-11.6, -0.6), (11.6, -0.6), (0, 10.6)))
        case _:
            ridge = [(-13.5, 11.0), (-4.0, -10.5), (2.2, 1.8), (5.8, -4.2), (13.5, 9.5)]
            snow = [(-4.0, -11.0), (-8.0, -2.2), (-5.2, -4.0), (-3.4, -0.6), (-1.2, -3.8), (0.6, -2.2)]
            return svg.path(
                svg.polyline(ridge), stroke=ink, stroke_width=2.1, stroke_linecap="round", stroke_linejoin="round"
            ) + svg.polygon(snow, fill="#E3DACF")


def _tree(x: float, y: float, ink: str) -> str:
    crown = svg.polygon([(x, y - 5.0), (x + 3.4, y + 0.2), (x - 3.4, y + 0.2)], fill=ink)
    skirt = svg.polygon([(x, y - 2.6), (x + 4.6, y + 3.3), (x - 4.6, y + 3.3)], fill=ink)
    return crown + skirt + svg.rect(x - 0.75, y + 3.0, 1.5, 2.2, fill=ink)
