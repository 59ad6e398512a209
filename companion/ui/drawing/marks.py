"""The four players' marks: disc, square, triangle, cross, which survive being seen from any side of the table."""

from __future__ import annotations

from companion.rules.layout import Colour
from companion.ui.drawing import svg
from companion.ui.tokens import CARD, INK, PLAYER, SMALLEST_TEXT

OUTLINE = 1.6
HALO = 1.3

LETTERED = 24.0
"""A mark so wide bears its colour's letter, if people like."""

_ROOM: dict[Colour, float] = {"red": 1.54, "blue": 1.5, "yellow": 1.95, "green": 1.65}
"""How wide a mark with letters is at least, in sizes of the letters: none reaches its outline, all weigh alike."""

_TRIANGLE_BASE = 0.486
"""How far below its middle the triangle's base lies, as a share of its width."""

_CAPITAL = 0.73
"""How high a capital is, as a share of the letters' size."""

_CLEAR = 0.7
"""What is free between a letter and the outline."""


def mark(colour: Colour, x: float, y: float, size: float, *, halo: bool = True, letter: str = "") -> str:
    """A mark `size` u wide, centred on (x, y), with its ink outline and, on the chart, a `card` halo.

    `letter`: of the colour's name, a letter or two, borne by marks of `LETTERED` and more. What has no room for it is
    drawn as large, and the arms of a cross as thick, as it needs.
    """
    letter = letter if size >= LETTERED else ""
    line = max(1.2, OUTLINE * min(1.0, size / 17))
    size, letters = _with_letters(colour, size, letter)
    outline = _shape(colour, x, y, size - line, arm=letters * _CAPITAL / 2 + line / 2 + _CLEAR if letter else 0.0)
    body = ""
    if halo:
        body = svg.path(outline, fill=CARD, stroke=CARD, stroke_width=line + 2 * HALO, stroke_linejoin="round")
    body += svg.path(outline, fill=PLAYER[colour], stroke=INK, stroke_width=line, stroke_linejoin="round")
    if letter:
        ink = INK if colour in ("yellow", "green") else CARD
        base = _TRIANGLE_BASE * (size - line) - line / 2 - 2 * _CLEAR
        down = base - _CAPITAL / 2 * letters if colour == "yellow" else 0.0
        body += svg.figure(letter, x, y + down, letters, fill=ink)
    return body


def extent(size: float, *, letters: bool) -> float:
    """How far from its middle a mark reaches at most, its halo included."""
    return size * 0.65 + (7.0 if letters and size >= LETTERED else 2.0)


def _with_letters(colour: Colour, size: float, letter: str) -> tuple[float, float]:
    """How wide the mark becomes so that its letters have room, and their size; as wide as it is without any."""
    if not letter:
        return size, 0.0
    letters = max(SMALLEST_TEXT, size * 0.5)
    return max(size, _ROOM[colour] * letters), letters


def _shape(colour: Colour, x: float, y: float, s: float, *, arm: float) -> str:
    """The outline `s` u wide; half a cross's arm is at least `arm` thick."""
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
            w, h, base = s * 0.58, s * 0.54, s * _TRIANGLE_BASE
            return svg.polyline([(x, y - h), (x + w, y + base), (x - w, y + base)], closed=True)
        case _:
            a, b = s * 0.52, max(s * 0.2, arm)
            points = [(-b, -a), (b, -a), (b, -b), (a, -b), (a, b), (b, b)]
            points += [(b, a), (-b, a), (-b, b), (-a, b), (-a, -b), (-b, -b)]
            return svg.polyline([(x + dx, y + dy) for dx, dy in points], closed=True)
