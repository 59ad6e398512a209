"""The pieces on one hex: marks, counts, swimmers, boats and creatures, laid out so that each is seen.

One fragment a hex, about the hex's centre, for a side of `HEX_SIDE`; it reaches at most `REACH` u from the centre.
"""

from __future__ import annotations

from companion.rules.layout import COLOURS, EMPTY, Colour, Counts, HexContent
from companion.ui import tokens as t
from companion.ui.drawing import svg
from companion.ui.drawing.icons import icon
from companion.ui.drawing.marks import mark
from companion.viewmodel.states import Marks

REACH = 32.0
_ICON_OF = {"serpents": "serpent", "sharks": "shark", "whales": "whale", "dolphins": "dolphin"}
# Where 1, 2, 3 and 4 marks stand, and how wide they are drawn.
_PLACES: dict[int, tuple[float, tuple[svg.Point, ...]]] = {
    1: (22.4, ((0, 0),)),
    2: (18.4, ((-8.2, 0), (8.2, 0.5))),
    3: (16.2, ((0.2, -8.4), (-7.8, 5.4), (8.4, 6.0))),
    4: (15.0, ((0, -12.0), (-9.8, -1.2), (9.8, -0.4), (0, 10.6))),
}
_IN_BOAT: dict[int, tuple[float, tuple[svg.Point, ...]]] = {
    1: (18.0, ((-1.0, 0),)),
    2: (15.6, ((-10.0, 0), (6.4, 0))),
    3: (13.6, ((-10.0, -7.2), (-10.0, 7.0), (5.0, 0))),
}


def pieces(content: HexContent) -> str:
    """All that stands, swims or floats on a hex; empty if nothing does. The tile is not drawn."""
    if content == EMPTY:
        return ""
    creatures = [name for field, name in _ICON_OF.items() for _ in range(getattr(content, field))]
    swims = content.tile is None
    explorers = _each(content.explorers)
    if content.boat is not None:
        return _boat_hex(creatures, _each(content.boat), explorers)
    if creatures and explorers:
        return _creatures(creatures, 24.0, -9.0) + _row(explorers, 14.5, 9.0)
    if creatures:
        return _creatures(creatures, 35.0, 0.0)
    return _explorers(explorers, swims=swims) if explorers else ""


def rescued(marks: Marks) -> str:
    """Rescued explorers about the anchor of their safe land: one mark a colour with its count, two in a row."""
    rows = [marks] if len(marks) <= 2 else [marks[:2], marks[2:]]
    body = []
    for i, row in enumerate(rows):
        size = 18 if sum(count > 1 for _, count in row) < 2 else 16
        widths = [size + 2.0 if count == 1 else size + 13.0 for _, count in row]
        x = -sum(widths) / 2
        y = (i - (len(rows) - 1) / 2) * 22.0
        for (colour, count), width in zip(row, widths, strict=True):
            body.append(mark(colour, x + size / 2 + 1, y, size))
            if count > 1:
                body.append(svg.figure(str(count), x + size + 6.0, y, 18, fill=t.INK, halo=t.CARD))
            x += width
    return "".join(body)


def _each(counts: Counts) -> list[Colour]:
    return [c for c in COLOURS for _ in range(counts.get(c, 0))]


def _explorers(explorers: list[Colour], *, swims: bool) -> str:
    kinds = list(dict.fromkeys(explorers))
    count = len(explorers)
    if count <= 4:
        size, places = _PLACES[count]
        marks = "".join(mark(c, x, y, size) for c, (x, y) in zip(explorers, places, strict=True))
    elif len(kinds) == 1:
        marks = mark(kinds[0], -6.5, 0, 17) + svg.figure(str(count), 9.5, 0, 19, fill=t.INK, halo=t.CARD)
    else:
        size, places = _PLACES[len(kinds)]
        marks = "".join(mark(c, x, y, size) for c, (x, y) in zip(kinds, places, strict=True))
        marks += svg.figure(str(count), 0, 0, 19, fill=t.INK, halo=t.CARD)
    if not swims:
        return marks
    return _pool() + marks + _wave(11.8 if count < 3 else 15.0)


def _pool() -> str:
    return svg.path(
        "M-16.5 10a16.5 10 0 0 1 33 0a16.5 6 0 0 1 -33 0Z",
        fill=t.LIT_SEA, fill_opacity=0.72, stroke=t.SEA_INK, stroke_width=1.3, stroke_opacity=0.85,
    )  # fmt: skip


def _wave(y: float) -> str:
    d = f"M-15 {svg.num(y + 1)}q3.75 -4 7.5 0t7.5 0t7.5 0t7.5 0"
    round_ends = {"stroke_linecap": "round"}
    return svg.path(d, stroke=t.CARD, stroke_width=4.6, **round_ends) + svg.path(
        d, stroke=t.SEA_INK, stroke_width=2.1, **round_ends
    )


def _creatures(names: list[str], size: float, y: float) -> str:
    if len(names) == 1:
        return icon(names[0], 0, y, size, t.INK, halo=t.CARD)
    if len(names) == 2:
        small = size * 0.68
        return icon(names[0], -size * 0.25, y - size * 0.1, small, t.INK, halo=t.CARD) + icon(
            names[1], size * 0.27, y + size * 0.14, small, t.INK, halo=t.CARD
        )
    small = size * 0.52
    places = [(-0.27, -0.2), (0.27, -0.2), (-0.27, 0.27), (0.27, 0.27)]
    body = "".join(
        icon(name, dx * size, y + dy * size, small, t.INK, halo=t.CARD)
        for name, (dx, dy) in zip(names, places, strict=False)
    )
    if len(names) > len(places):
        body += svg.figure(str(len(names)), 0, y, 19, fill=t.INK, halo=t.CARD)
    return body


def _row(explorers: list[Colour], size: float, y: float) -> str:
    """Marks side by side with a count where there are more than fit."""
    kinds = explorers if len(explorers) <= 3 else list(dict.fromkeys(explorers))[:2]
    step = size if len(kinds) < 3 else size * 0.8
    body = "".join(mark(c, (i - (len(kinds) - 1) / 2) * step, y, size) for i, c in enumerate(kinds))
    if len(explorers) > len(kinds):
        body += svg.figure(str(len(explorers)), 15.0, y, 19, fill=t.INK, halo=t.CARD)
    return body


def _boat_hex(creatures: list[str], passengers: list[Colour], swimmers: list[Colour]) -> str:
    above = bool(creatures or swimmers)
    hull = svg.at(0, 5.0 if above else 0, _boat(passengers))
    if not above:
        return hull
    if creatures and swimmers:
        return hull + _creatures(creatures, 20.0, -15.0) + svg.at(0, 16.0, _row(swimmers, 12.0, 0))
    if creatures:
        return hull + _creatures(creatures, 23.0, -13.0)
    return hull + _row(swimmers, 15.0, -11.5)


def _boat(passengers: list[Colour]) -> str:
    hull = "M-15 -13.2H1C10 -12.6 15 -5.5 19 0C15 5.5 10 12.6 1 13.2H-15A4 4 0 0 1 -19 9.2V-9.2A4 4 0 0 1 -15 -13.2Z"
    body = svg.path(hull, fill=t.CARD, stroke=t.CARD, stroke_width=4.2, stroke_linejoin="round")
    body += svg.path(hull, fill=t.HULL, stroke=t.INK, stroke_width=1.8, stroke_linejoin="round")
    if not passengers:
        return body + "".join(svg.rect(x, -11.0, 3.3, 22.0, radius=1.2, fill=t.BENCH) for x in (-12.2, -3.9, 4.4))
    size, places = _IN_BOAT[min(3, len(passengers))]
    return body + "".join(mark(c, x, y, size) for c, (x, y) in zip(passengers, places, strict=False))
