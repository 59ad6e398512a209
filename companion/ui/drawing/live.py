"""The camera's picture on the screen: where its pixels lie, and what is drawn over it.

In: the window of the camera's picture that is shown (px) and the box it is shown in (u). Out: places, SVG fragments.
"""

from __future__ import annotations

from typing import NamedTuple

from companion.ui import tokens as t
from companion.ui.box import Box
from companion.ui.drawing import svg

HANDLE = 23.0
"""Radius of a handle."""

SPOT = 15.0
"""Radius of the ring round a place."""

_HATCH = 14.0


class Frame(NamedTuple):
    """A window (x, y, w, h) of the camera's picture, as large as it fits into the middle of `room`."""

    room: Box
    window: tuple[float, float, float, float]

    @property
    def scale(self) -> float:
        """u a px."""
        return min(self.room.w / self.window[2], self.room.h / self.window[3])

    @property
    def box(self) -> Box:
        """Where the window lies."""
        w, h = self.window[2] * self.scale, self.window[3] * self.scale
        return Box(self.room.x + (self.room.w - w) / 2, self.room.y + (self.room.h - h) / 2, w, h)

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Where px (x, y) of the camera lies, in u."""
        box = self.box
        return box.x + (x - self.window[0]) * self.scale, box.y + (y - self.window[1]) * self.scale

    def pixel(self, x: float, y: float) -> tuple[float, float]:
        """The camera's px under (x, y) u."""
        box = self.box
        return self.window[0] + (x - box.x) / self.scale, self.window[1] + (y - box.y) / self.scale


def handle(tone: str) -> str:
    """A disc with a cross in a box of twice `HANDLE`: red pencil if its place is not known, amber if people put it."""
    r = HANDLE
    ink = t.RED_PENCIL if tone == "missing" else t.INK
    fill = t.AMBER if tone == "given" else t.CARD
    body = svg.circle(r, r, r - 1.5, fill=fill, fill_opacity=0.94, stroke=ink, stroke_width=3)
    cross = f"M{r - 9} {r}H{r + 9}M{r} {r - 9}V{r + 9}"
    return body + svg.path(cross, stroke=ink, stroke_width=3.4, stroke_linecap="round")


def spot(tone: str) -> str:
    """A ring in a box of twice `SPOT`: dashed where a piece is missing, crossed where one should not be."""
    r = SPOT
    missing = tone == "missing"
    body = svg.circle(r, r, r - 2.5, stroke=t.CARD, stroke_width=6)
    dash = "5 3.4" if missing else None
    body += svg.circle(r, r, r - 2.5, stroke=t.RED_PENCIL, stroke_width=3.2, stroke_dasharray=dash)
    cross = f"M{r - 5} {r - 5}L{r + 5} {r + 5}M{r + 5} {r - 5}L{r - 5} {r + 5}"
    return body if missing else body + svg.path(cross, stroke=t.RED_PENCIL, stroke_width=3.2, stroke_linecap="round")


def hatching(w: float, h: float) -> str:
    """Over a picture that is an old one."""
    d = ""
    x = -h
    while x < w:
        d += f"M{svg.num(x)} {svg.num(h)}L{svg.num(x + h)} 0"
        x += _HATCH
    veil = svg.rect(0, 0, w, h, fill=t.PAPER, fill_opacity=0.45)
    return veil + svg.path(d, stroke=t.INK_SOFT, stroke_width=2, stroke_opacity=0.55)


def loupe(r: float, x: float, y: float) -> str:
    """The loupe's rim in a box of twice `r`, and a cross at (x, y) in it."""
    rim = svg.circle(r, r, r - 2, stroke=t.CARD, stroke_width=4) + svg.circle(
        r, r, r - 1.2, stroke=t.INK, stroke_width=2.4
    )
    cross = f"M{svg.num(x - 14)} {svg.num(y)}H{svg.num(x + 14)}M{svg.num(x)} {svg.num(y - 14)}V{svg.num(y + 14)}"
    return rim + svg.path(cross, stroke=t.INK, stroke_width=5) + svg.path(cross, stroke=t.AMBER, stroke_width=2.2)


def scale(w: float, h: float, at: float, fields: tuple[float, float] | None) -> str:
    """A bar with three fields and a mark where the figure lies; without fields filled as far as it is done."""
    radius = h / 2
    frame = svg.rect(1, 1, w - 2, h - 2, radius=radius, stroke=t.INK, stroke_width=2)
    if fields is None:
        done = svg.rect(1, 1, max(h, at * (w - 2)), h - 2, radius=radius, fill=t.OK) if at > 0 else ""
        return svg.rect(1, 1, w - 2, h - 2, radius=radius, fill=t.WELL) + done + frame
    good, usable = (w * part for part in fields)
    fields_drawn = (
        svg.path(_end(good, radius, 1, h - 1, turn=0), fill=t.OK)
        + svg.rect(good, 1, usable - good, h - 2, fill=t.AMBER)
        + svg.path(_end(usable, w - radius, 1, h - 1, turn=1), fill=t.RED_PENCIL)
    )
    x = min(max(at * w, 5.0), w - 5.0)
    mark = svg.rect(x - 4, -5, 8, h + 10, radius=2, fill=t.CARD) + svg.rect(x - 2, -5, 4, h + 10, radius=1, fill=t.INK)
    return fields_drawn + frame + mark


def _end(x: float, round_x: float, top: float, bottom: float, *, turn: int) -> str:
    """The path data of a bar's end: from `x` to `round_x`, and round that to the other edge."""
    r = svg.num((bottom - top) / 2)
    arc = f"A{r} {r} 0 0 {turn} {svg.num(round_x)} {svg.num(bottom)}"
    return f"M{svg.num(x)} {svg.num(top)}H{svg.num(round_x)}{arc}H{svg.num(x)}Z"
