"""What tells people about hexes: veil, lit rings, badges, dashes, hatching and the red pencil.

Light, line and badge differ in every state, never the hue alone. All but the veil are sprites: small fragments about a
point of the board, for hexes of side `HEX_SIDE`, which are drawn once and then only moved.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import NamedTuple

from companion.rules.geometry import Board, Hex
from companion.rules.layout import Land, Terrain
from companion.ui import tokens as t
from companion.ui.drawing import svg
from companion.ui.drawing.chart import LAND_CORNERS, Projection, land_shape, tile
from companion.ui.drawing.marks import mark
from companion.viewmodel.states import Arrow, BoardView, HexView, Light

LIT = frozenset({"legal", "deadly", "chosen", "contradicted"})
"""Lights that the veil spares."""

_ORDER: tuple[Light, ...] = ("veiled", "bare", "hidden", "contradicted", "legal", "deadly", "chosen", "doubt")
_LAND_REACH = 112.0
_PENCIL = {"stroke_linecap": "round", "stroke_linejoin": "round"}

CIRCLE_PIECES = 26
"""A red-pencil circle is drawn in so many pieces, one after the other."""


class Sprite(NamedTuple):
    """A fragment about the point `centre` (u of the board's picture), reaching `reach` u from it before scaling."""

    centre: svg.Point
    body: str
    reach: float = 32.0


def veil(board: Board, projection: Projection, spared: tuple[Land, ...]) -> str:
    """The dimming of all hexes and of the safe lands but the spared ones; what is lit is painted over it."""
    k = projection.side / t.HEX_SIDE
    hexes = "".join(svg.polyline(projection.hexagon(h), closed=True) for h in board.hexes)
    lands = "".join(land_shape(projection, land) for land in LAND_CORNERS if land not in spared)
    dark = svg.path(hexes + lands, fill=t.VEIL, fill_opacity=t.VEIL_STRENGTH)
    return dark + svg.path(hexes, stroke=t.VEIL, stroke_width=1.1 * k, stroke_opacity=0.22, stroke_linejoin="round")


def dimmed(view: BoardView, v: HexView) -> bool:
    """True if the hex lies under the veil."""
    return v.light == "veiled" or (view.veiled and v.light not in LIT)


def lights(view: BoardView, projection: Projection) -> list[Sprite]:
    """What lies over the veil and under the pieces, the chosen hex on top."""
    sprites = [_legal_land(projection, land) for land in view.legal_lands]
    for light in _ORDER:
        for v in view.hexes:
            if v.light == light and (body := _light(light, v.content.tile, veiled=view.veiled)):
                sprites.append(Sprite(projection.centre(v.hex), body))
    return sprites


def circled(view: BoardView) -> frozenset[Hex]:
    """The hexes with a red-pencil circle."""
    return frozenset(v.hex for v in view.hexes if v.light == "contradicted")


def pencil(
    view: BoardView, projection: Projection, growing: Hex | None = None, drawn: int = CIRCLE_PIECES
) -> list[Sprite]:
    """What lies over the pieces: badges and the red-pencil circles, of the one that is `growing` so many pieces."""
    sprites = []
    for v in view.hexes:
        centre = projection.centre(v.hex)
        match v.light:
            case "deadly":
                sprites.append(Sprite(centre, _badge("!", t.RED_PENCIL)))
            case "doubt":
                sprites.append(Sprite(centre, _badge("?", t.BRASS)))
            case "contradicted":
                sprites.append(Sprite(centre, _circle(drawn if v.hex == growing else CIRCLE_PIECES), 40.0))
    return sprites


def way_back(view: BoardView, projection: Projection) -> list[Sprite]:
    """The arrow to the place where a piece belongs, if there is one."""
    return [_arrow(view.arrow, projection)] if view.arrow else []


@functools.cache
def _light(light: Light, terrain: Terrain | None, *, veiled: bool) -> str:
    """The fragment of a hex's light; a lit hex is painted anew where the veil lies over it."""
    drawn = _DRAWN[light](terrain)
    if light == "veiled":
        return "" if veiled else drawn
    return _repaint(terrain) + drawn if veiled and light in LIT else drawn


def _hexagon(grow: float = 0.0) -> list[svg.Point]:
    return svg.hexagon(0, 0, t.HEX_SIDE + grow)


def _repaint(terrain: Terrain | None) -> str:
    """A hex as it is without the veil."""
    sea = svg.polygon(_hexagon(), fill=t.CHART_SEA, stroke=t.CHART_LINE, stroke_width=1.1)
    return sea + (tile(terrain, 0, 0, t.HEX_SIDE) if terrain else "")


def _face(terrain: Terrain | None, grow: float, on_tile: float) -> str:
    """The sea turns light; a tile shows through a sheen of strength `on_tile`."""
    return svg.polygon(_hexagon(grow), fill=t.LIT_SEA, fill_opacity=0.88 if terrain is None else on_tile)


def _ring(colour: str, width: float, line: float, grow: float) -> str:
    """A ring `width` u wide between two ink lines of `line` u, its outer edge `grow` u outside the hex's corners."""
    middle = _hexagon(grow - width / 2)
    across = width * math.cos(math.radians(30))  # a distance at the corners is that much less at the sides
    ink = svg.polygon(middle, stroke=t.INK, stroke_width=across + 2 * line)
    return ink + svg.polygon(middle, stroke=colour, stroke_width=across)


def _deadly(terrain: Terrain | None) -> str:
    corners = _hexagon(-1.9)
    fill = svg.polygon(corners, fill=t.DEADLY_FILL, fill_opacity=0.94 if terrain is None else 0.5)
    ring = svg.polygon(corners, stroke=t.INK, stroke_width=4.0)
    return fill + ring + svg.polygon(corners, stroke=t.DEADLY_RING, stroke_width=3.0, stroke_dasharray="5 4")


def _doubt(_terrain: Terrain | None) -> str:
    corners = _hexagon(-0.6)
    halo = svg.polygon(corners, stroke=t.CARD, stroke_width=5.0, stroke_linejoin="round")
    return halo + svg.polygon(corners, stroke=t.BRASS, stroke_width=3.2, stroke_dasharray="7.5 4")


def _bare(_terrain: Terrain | None) -> str:
    corners = _hexagon(-1.5)
    paper = svg.polygon(corners, fill=t.CARD, fill_opacity=0.66)
    return paper + svg.polygon(corners, stroke=t.INK, stroke_width=2.0, stroke_dasharray="4.5 3.2")


def _hidden(_terrain: Terrain | None) -> str:
    corners = _hexagon(-0.4)
    hatches = "".join(svg.polyline([(d - 40, 32), (d + 40, -32)]) for d in range(-54, 60, 6))
    clip = f'<clipPath id="hex">{svg.polygon(corners, fill="#000")}</clipPath>'
    return (
        clip
        + svg.polygon(corners, fill="#DDD3C4", fill_opacity=0.9)
        + svg.path(hatches, stroke="#6E6A68", stroke_width=1.1, clip_path="url(#hex)")
        + svg.polygon(corners, stroke="#5A585A", stroke_width=1.4)
    )


_DRAWN: dict[Light, Callable[[Terrain | None], str]] = {
    "plain": lambda _: "",
    "veiled": lambda _: svg.polygon(_hexagon(), fill=t.VEIL, fill_opacity=t.VEIL_STRENGTH),
    "legal": lambda terrain: _face(terrain, -1.0, 0.22) + _ring(t.LIT_RING, 3.2, 1.1, 0.2),
    "chosen": lambda terrain: _face(terrain, 0.0, 0.0) + _ring(t.AMBER, 5.0, 1.5, 3.0),
    "contradicted": lambda _: "",
    "deadly": _deadly,
    "doubt": _doubt,
    "bare": _bare,
    "hidden": _hidden,
}


def _legal_land(projection: Projection, land: Land) -> Sprite:
    x, y = projection.corner(land)
    coast = svg.smooth(projection.coast(land))
    body = (
        svg.path(land_shape(projection, land), fill=t.LIT_RING, fill_opacity=0.45)
        + svg.path(coast, stroke=t.INK, stroke_width=6.0)
        + svg.path(coast, stroke=t.LIT_RING, stroke_width=3.4)
    )
    frame = f'<clipPath id="board">{svg.rect(0, 0, projection.width, projection.height, fill="#000")}</clipPath>'
    return Sprite((x, y), svg.at(-x, -y, frame + svg.group(body, clip_path="url(#board)")), _LAND_REACH)


def _badge(sign: str, colour: str) -> str:
    x, y = 11.0, -14.4
    disc = svg.circle(x, y, 9.0, fill=colour, stroke=t.CARD, stroke_width=1.6)
    return disc + svg.figure(sign, x, y, 15.5, fill=t.CARD)


@functools.cache
def _circle(drawn: int) -> str:
    """So many pieces of a circle as a hand draws it: not quite round, its ends crossing."""
    points = []
    for i in range(CIRCLE_PIECES + 1):
        angle = -0.35 - i * (math.tau + 0.32) / CIRCLE_PIECES
        grow = 1.0 - 0.004 * i
        points.append((31.0 * grow * math.cos(angle), 28.0 * grow * math.sin(angle) - 0.4))
    return _pencil_stroke(svg.smooth(points, first=drawn))


def _arrow(arrow: Arrow, projection: Projection) -> Sprite:
    """From beside the piece, in a bow above both hexes, to the dashed place it belongs to."""
    origin, target = projection.centre(arrow.origin), projection.centre(arrow.target)
    k = projection.side / t.HEX_SIDE
    x, y = (target[0] - origin[0]) / k, (target[1] - origin[1]) / k
    length = math.hypot(x, y) or 1.0
    ux, uy = x / length, y / length
    nx, ny = (uy, -ux) if ux >= 0 else (-uy, ux)  # across the way, upwards
    start = (nx * 26 + ux * 12, ny * 26 + uy * 12)
    tip = (x + nx * 17, y + ny * 17)
    bend = ((start[0] + tip[0]) / 2 + nx * 22, (start[1] + tip[1]) / 2 + ny * 22)
    heading = math.atan2(tip[1] - bend[1], tip[0] - bend[0])
    barbs = [(tip[0] - 11 * math.cos(heading + a), tip[1] - 11 * math.sin(heading + a)) for a in (0.55, -0.55)]
    way = " ".join(svg.num(c) for c in (*bend, *tip))
    d = f"M{svg.num(start[0])} {svg.num(start[1])}Q{way}" + svg.polyline([barbs[0], tip, barbs[1]])
    return Sprite(origin, _place(arrow, x, y) + _pencil_stroke(d), length + 52)


def _place(arrow: Arrow, x: float, y: float) -> str:
    """The dashed empty mark."""
    disc = svg.circle(x, y, 13.0, fill=t.CARD, fill_opacity=0.85)
    disc += svg.circle(x, y, 13.0, stroke=t.RED_PENCIL, stroke_width=2.6, stroke_dasharray="4.4 3.1")
    if arrow.colour:
        disc += svg.group(mark(arrow.colour, x, y, 12, halo=False), opacity=0.35)
    return disc


def _pencil_stroke(d: str) -> str:
    halo = svg.path(d, stroke=t.CARD, stroke_width=6.0, **_PENCIL)
    return halo + svg.path(d, stroke=t.RED_PENCIL, stroke_width=3.6, **_PENCIL)
