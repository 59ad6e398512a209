"""What tells people about hexes: veil, lit rings, badges, dashes, hatching and the red pencil.

Light, line and badge differ in every state, never the hue alone.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from companion.rules.layout import Land
from companion.ui import tokens as t
from companion.ui.drawing import svg
from companion.ui.drawing.chart import LAND_CORNERS, Projection, land_shape
from companion.ui.drawing.marks import mark
from companion.viewmodel.states import Arrow, BoardView, HexView

LIT = frozenset({"legal", "deadly", "chosen", "contradicted"})
"""Lights that the veil spares."""


def lights(view: BoardView, projection: Projection) -> str:
    """Everything between the tiles and the pieces: veil first, then the rings, the chosen one on top."""
    k = projection.side / t.HEX_SIDE
    lit = {light: [v for v in view.hexes if v.light == light] for light in
           ("bare", "hidden", "legal", "deadly", "chosen", "doubt")}  # fmt: skip
    parts = []
    if view.veiled or any(v.light == "veiled" for v in view.hexes):
        parts.append(_veil(view, projection))
    parts += [_legal_land(projection, land, k) for land in view.legal_lands]
    parts += [_bare(projection.hexagon(v.hex, -1.5 * k), k) for v in lit["bare"]]
    parts += [_hidden(projection, v, k) for v in lit["hidden"]]
    parts += [_legal(projection, v, k) for v in lit["legal"]]
    parts += [_deadly(projection, v, k) for v in lit["deadly"]]
    parts += [_chosen(projection, v) for v in lit["chosen"]]
    parts += [_doubt(projection.hexagon(v.hex, -1.0 * k), k) for v in lit["doubt"]]
    return "".join(parts)


def pencil(view: BoardView, projection: Projection) -> str:
    """Everything over the pieces: badges, the red-pencil circles and the arrow of the way back."""
    k = projection.side / t.HEX_SIDE
    parts = []
    for v in view.hexes:
        x, y = projection.centre(v.hex)
        match v.light:
            case "deadly":
                parts.append(_badge(x + 11.0 * k, y - 14.4 * k, "!", t.RED_PENCIL, k))
            case "doubt":
                parts.append(_badge(x + 11.0 * k, y - 14.4 * k, "?", t.BRASS, k))
            case "contradicted":
                parts.append(_circle(x, y, k))
    if view.arrow:
        parts.append(_arrow(view.arrow, projection, k))
    return "".join(parts)


def _veiled(view: BoardView, v: HexView) -> bool:
    return v.light == "veiled" or (view.veiled and v.light not in LIT)


def _veil(view: BoardView, projection: Projection) -> str:
    shapes = "".join(svg.polyline(projection.hexagon(v.hex), closed=True) for v in view.hexes if _veiled(view, v))
    k = projection.side / t.HEX_SIDE
    lines = svg.path(shapes, stroke=t.VEIL, stroke_width=1.1 * k, stroke_opacity=0.22, stroke_linejoin="round")
    lands = "".join(
        svg.path(land_shape(projection, land), fill=t.VEIL, fill_opacity=t.VEIL_STRENGTH)
        for land in LAND_CORNERS
        if view.veiled and land not in view.legal_lands
    )
    return svg.path(shapes, fill=t.VEIL, fill_opacity=t.VEIL_STRENGTH) + lines + lands


class _Ring(NamedTuple):
    """A ring of `colour`, `width` u wide, between two ink lines of `line` u; its outer one `grow` u outside the hex."""

    colour: str
    width: float
    line: float
    grow: float

    def draw(self, projection: Projection, v: HexView) -> str:
        k = projection.side / t.HEX_SIDE
        middle = projection.hexagon(v.hex, (self.grow - self.width / 2) * k)
        across = self.width * k * math.cos(math.radians(30))  # from corner distance to side distance
        ink = svg.polygon(middle, stroke=t.INK, stroke_width=across + 2 * self.line * k)
        return ink + svg.polygon(middle, stroke=self.colour, stroke_width=across)


_LEGAL_RING = _Ring(t.LIT_RING, 3.2, 1.1, 0.2)
_CHOSEN_RING = _Ring(t.AMBER, 5.0, 1.5, 3.0)


def _legal(projection: Projection, v: HexView, k: float) -> str:
    return _lit_face(projection, v, -1.0 * k, 0.22) + _LEGAL_RING.draw(projection, v)


def _chosen(projection: Projection, v: HexView) -> str:
    return _lit_face(projection, v, 0.0, 0.0) + _CHOSEN_RING.draw(projection, v)


def _lit_face(projection: Projection, v: HexView, grow: float, on_tile: float) -> str:
    """The sea turns light; a tile shows through a sheen of strength `on_tile`."""
    strength = 0.88 if v.content.tile is None else on_tile
    return svg.polygon(projection.hexagon(v.hex, grow), fill=t.LIT_SEA, fill_opacity=strength)


def _deadly(projection: Projection, v: HexView, k: float) -> str:
    corners = projection.hexagon(v.hex, -1.9 * k)
    fill = svg.polygon(corners, fill=t.DEADLY_FILL, fill_opacity=0.94 if v.content.tile is None else 0.5)
    ring = svg.polygon(corners, stroke=t.INK, stroke_width=4.0 * k, stroke_linejoin="miter")
    dashes = svg.polygon(corners, stroke=t.DEADLY_RING, stroke_width=3.0 * k,
                         stroke_dasharray=f"{svg.num(5 * k)} {svg.num(4 * k)}")  # fmt: skip
    return fill + ring + dashes


def _doubt(corners: list[svg.Point], k: float) -> str:
    halo = svg.polygon(corners, stroke=t.CARD, stroke_width=4.6 * k, stroke_linejoin="round")
    return halo + svg.polygon(
        corners, stroke=t.BRASS, stroke_width=2.8 * k, stroke_dasharray=f"{svg.num(7 * k)} {svg.num(4 * k)}"
    )


def _bare(corners: list[svg.Point], k: float) -> str:
    return svg.polygon(corners, fill=t.CARD, fill_opacity=0.66) + svg.polygon(
        corners, stroke=t.INK, stroke_width=2.0 * k, stroke_dasharray=f"{svg.num(4.5 * k)} {svg.num(3.2 * k)}"
    )


def _hidden(projection: Projection, v: HexView, k: float) -> str:
    x, y = projection.centre(v.hex)
    corners = projection.hexagon(v.hex, -0.4 * k)
    name = f"h{v.hex[0] + 50}_{v.hex[1] + 50}"
    reach = projection.side * 2
    hatches = "".join(
        svg.polyline([(x + d - reach, y + reach * 0.8), (x + d + reach, y - reach * 0.8)])
        for d in (i * 6.0 * k for i in range(-9, 10))
    )
    clip = f'<clipPath id="{name}">{svg.polygon(corners, fill="#000")}</clipPath>'
    return (
        clip
        + svg.polygon(corners, fill="#DDD3C4", fill_opacity=0.9)
        + svg.path(hatches, stroke="#6E6A68", stroke_width=1.1 * k, clip_path=f"url(#{name})")
        + svg.polygon(corners, stroke="#5A585A", stroke_width=1.4 * k)
    )


def _legal_land(projection: Projection, land: Land, k: float) -> str:
    coast = svg.smooth(projection.coast(land))
    return (
        svg.path(land_shape(projection, land), fill=t.LIT_RING, fill_opacity=0.45)
        + svg.path(coast, stroke=t.INK, stroke_width=6.0 * k)
        + svg.path(coast, stroke=t.LIT_RING, stroke_width=3.4 * k)
    )


def _badge(x: float, y: float, sign: str, colour: str, k: float) -> str:
    disc = svg.circle(x, y, 9.0 * k, fill=colour, stroke=t.CARD, stroke_width=1.6 * k)
    return disc + svg.figure(sign, x, y, 15.5 * k, fill=t.CARD)


def _circle(x: float, y: float, k: float) -> str:
    """A circle as a hand draws it: not quite round, its ends crossing."""
    points = []
    for i in range(27):
        a = -0.35 - i * (math.tau + 0.32) / 26
        grow = 1.0 - 0.004 * i
        points.append((x + 31.0 * k * grow * math.cos(a), y + 28.0 * k * grow * math.sin(a) - 0.4 * k))
    return _pencil_stroke(svg.smooth(points), k)


def _arrow(arrow: Arrow, projection: Projection, k: float) -> str:
    """From beside the piece, in a bow above both hexes, to the dashed place it belongs to."""
    (x1, y1), (x2, y2) = projection.centre(arrow.origin), projection.centre(arrow.target)
    length = math.hypot(x2 - x1, y2 - y1) or 1.0
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    nx, ny = (uy, -ux) if ux >= 0 else (-uy, ux)  # across the way, upwards
    start = (x1 + (nx * 26 + ux * 12) * k, y1 + (ny * 26 + uy * 12) * k)
    tip = (x2 + nx * 17 * k, y2 + ny * 17 * k)
    bend = ((start[0] + tip[0]) / 2 + nx * 22 * k, (start[1] + tip[1]) / 2 + ny * 22 * k)
    way = " ".join(svg.num(c) for c in (*bend, *tip))
    heading = math.atan2(tip[1] - bend[1], tip[0] - bend[0])
    barbs = [(tip[0] - 11 * k * math.cos(heading + a), tip[1] - 11 * k * math.sin(heading + a)) for a in (0.55, -0.55)]
    d = f"M{svg.num(start[0])} {svg.num(start[1])}Q{way}" + svg.polyline([barbs[0], tip, barbs[1]])
    return _place(arrow, x2, y2, k) + _pencil_stroke(d, k)


def _place(arrow: Arrow, x: float, y: float, k: float) -> str:
    """The dashed empty mark."""
    disc = svg.circle(x, y, 13.0 * k, fill=t.CARD, fill_opacity=0.85)
    dashes = f"{svg.num(4.4 * k)} {svg.num(3.1 * k)}"
    disc += svg.circle(x, y, 13.0 * k, stroke=t.RED_PENCIL, stroke_width=2.6 * k, stroke_dasharray=dashes)
    if arrow.colour:
        disc += svg.group(mark(arrow.colour, x, y, 12 * k, halo=False), opacity=0.35)
    return disc


def _pencil_stroke(d: str, k: float) -> str:
    common = {"stroke_linecap": "round", "stroke_linejoin": "round"}
    halo = svg.path(d, stroke=t.CARD, stroke_width=6.0 * k, **common)
    return halo + svg.path(d, stroke=t.RED_PENCIL, stroke_width=3.6 * k, **common)
