"""The four players' marks: disc, square, triangle, cross, which survive being seen from any side of the table."""

from __future__ import annotations

from companion.rules.layout import Colour
from companion.ui.drawing import svg
from companion.ui.tokens import CARD, INK, PLAYER, SMALLEST_TEXT

OUTLINE = 1.6
HALO = 1.3

LETTERED = 24.0
"""A mark so wide has room for its colour's letter."""

_BELOW: dict[Colour, float] = {"yellow": 0.1}
"""By which share of its size a letter stands below a mark's middle, where the shape is wider."""


def mark(colour: Colour, x: float, y: float, size: float, *, halo: bool = True, letter: str = "") -> str:
    """A mark `size` u wide, centred on (x, y), with its ink outline and, on the chart, a `card` halo.

    `letter`: of the colour's name, a letter or two; drawn where there is room.
    """
    line = max(1.2, OUTLINE * min(1.0, size / 17))
    outline = _shape(colour, x, y, size - line)
    body = ""
    if halo:
        body = svg.path(outline, fill=CARD, stroke=CARD, stroke_width=line + 2 * HALO, stroke_linejoin="round")
    body += svg.path(outline, fill=PLAYER[colour], stroke=INK, stroke_width=line, stroke_linejoin="round")
    if letter and size >= LETTERED:
        ink = INK if colour in ("yellow", "green") else CARD
        body += svg.figure(letter, x, y + _BELOW.get(colour, 0.0) * size, max(SMALLEST_TEXT, size * 0.5),
                           fill=ink, halo=PLAYER[colour], width=2)  # fmt: skip
    return body


def _shape(colour: Colour, x: float, y: float, s: float) -> str:
    match colour:
        case "red":
            r = s / 2
            return (
                f"M{svg.num(x - r)} {svg.num(y)}a{svg.num(r)} {svg.num(r)} 0 1 0 {svg.num(2 * r)} 0"
                f"a{svg.num(r)} {svg.num(r)} 0 1 0 {svg.num(-2 * r)} 0Z"
            )
        case "blue":
            r = s * 0.45
            return svg.polyline([(x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r)], closed=True)
        case "yellow":
            w, h = s * 0.58, s * 0.54
            return svg.polyline([(x, y - h), (x + w, y + h * 0.9), (x - w, y + h * 0.9)], closed=True)
        case _:
            a, b = s * 0.52, s * 0.2
            points = [(-b, -a), (b, -a), (b, -b), (a, -b), (a, b), (b, b)]
            points += [(b, a), (-b, a), (-b, b), (-a, b), (-a, -b), (-b, -b)]
            return svg.polyline([(x + dx, y + dy) for dx, dy in points], closed=True)
