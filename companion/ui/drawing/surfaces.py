"""The grounds that things lie on: buttons, cards, cells, rules, switches. Each fills a box of (0, 0, w, h)."""

from __future__ import annotations

from companion.ui import tokens as t
from companion.ui.box import Box
from companion.ui.drawing import svg

LINE = 2.0
KNOB = 38.0


def primary(w: float, h: float, *, pressed: bool = False) -> str:
    """The one button that ends things; `h` includes the hard edge below its face."""
    face = h - t.BUTTON_EDGE
    if pressed:
        return _outlined(Box(0, t.BUTTON_EDGE, w, face), 10, t.SEA_INK_PRESSED, t.SEA_INK_EDGE)
    edge = svg.rect(0, t.BUTTON_EDGE, w, face, radius=10, fill=t.SEA_INK_EDGE)
    return edge + _outlined(Box(0, 0, w, face), 10, t.SEA_INK, t.SEA_INK_EDGE)


def secondary(w: float, h: float, *, pressed: bool = False, line: str = t.INK, fill: str = t.CARD) -> str:
    """Any other button."""
    face = h - t.BUTTON_EDGE
    if pressed:
        return _outlined(Box(0, t.BUTTON_EDGE, w, face), 10, t.WELL, line)
    edge = svg.rect(0.5, t.BUTTON_EDGE, w - 1, face, radius=10, fill=t.HARD_EDGE)
    return edge + _outlined(Box(0, 0, w, face), 10, fill, line)


def off(w: float, h: float) -> str:
    """A button that waits for something: flat and dashed."""
    return _outlined(Box(0, 0, w, h - t.BUTTON_EDGE), 10, t.WELL, t.RULE, dash="7 4.5")


def ghost(w: float, h: float, *, pressed: bool = False) -> str:
    """A button on the curtain."""
    return _outlined(Box(0, 0, w, h), 10, t.CURTAIN_ENGRAVING if pressed else t.CURTAIN, t.CARD, width=1.6)


def card(w: float, h: float, *, line: str = t.INK, width: float = LINE, radius: float = 10, fill: str = t.CARD) -> str:
    """A bordered card."""
    return _outlined(Box(0, 0, w, h), radius, fill, line, width=width)


def plain(w: float, h: float, fill: str, *, radius: float = 10) -> str:
    """A filled card without a border."""
    return svg.rect(0, 0, w, h, radius=radius, fill=fill)


def rule(w: float, colour: str = t.RULE_SOFT) -> str:
    """A thin line between rows, in a box 1 u high."""
    return svg.rect(0, 0, w, 1, fill=colour)


def double_rule(w: float) -> str:
    """The double line under a screen's title, in a box 5 u high."""
    return svg.rect(0, 0, w, 1.2, fill=t.INK) + svg.rect(0, 3.8, w, 1.2, fill=t.INK)


def neatline(w: float, h: float) -> str:
    """The chart's border with alternating ticks along its longer side."""
    tick = 20.0
    ticks = (
        [svg.rect(1, y, w - 2, tick, fill=t.CARD) for y in _every(tick, h, 2 * tick)]
        if h > w
        else [svg.rect(x, 1, tick, h - 2, fill=t.CARD) for x in _every(tick, w, 2 * tick)]
    )
    return svg.rect(0, 0, w, h, fill=t.INK) + "".join(ticks)


def phase_cell(w: float, h: float, state: str, *, pressed: bool = False) -> str:
    """A cell of the phase strip; `now` has a pointer reaching 6 u below the box."""
    if state == "now":
        pointer = svg.polygon([(w / 2 - 8, h - 1), (w / 2 + 8, h - 1), (w / 2, h + 6)], fill=t.INK)
        return svg.rect(0, 0, w, h, radius=8, fill=t.INK) + pointer
    if state == "done" or pressed:
        return svg.rect(0, 0, w, h, radius=8, fill=t.WELL)
    return _outlined(Box(0, 0, w, h), 8, t.PAPER, t.RULE)


def tick_badge(r: float) -> str:
    """A green disc with a tick, in a box of 2r + 3."""
    c = r + 1.5
    disc = svg.circle(c, c, r, fill=t.OK, stroke=t.PAPER, stroke_width=1.5)
    points = [(c - r * 0.45, c + r * 0.02), (c - r * 0.1, c + r * 0.38), (c + r * 0.48, c - r * 0.34)]
    return disc + svg.path(
        svg.polyline(points), stroke=t.CARD, stroke_width=2.2, stroke_linecap="round", stroke_linejoin="round"
    )


def pips(left: int, total: int) -> str:
    """Moves left: full discs are left, dashed ones used; each 20 wide, in a box of 27 a pip by 22."""
    body = ""
    for i in range(total):
        x = 13.5 + 26.5 * i
        if i < left:
            body += svg.circle(x, 11, 10, fill=t.INK)
        else:
            body += svg.circle(x, 11, 9.2, stroke=t.RULE, stroke_width=1.6, stroke_dasharray="4 2.8")
    return body


def switch(on: bool, *, enabled: bool = True) -> str:
    """A switch of 76x42; a bar shows when it is on."""
    line = t.INK if enabled else t.RULE
    track = _outlined(Box(0, 0, 76, 42), 21, t.SEA_INK if on and enabled else t.WELL, line)
    bar = svg.rect(14, 14, 3, 14, radius=1.5, fill=t.CARD) if on else ""
    return track + bar + svg.circle(54 if on else 21, 21, 15, fill=t.CARD, stroke=line, stroke_width=LINE)


def slider(w: float, h: float, part: float, *, enabled: bool = True) -> str:
    """A line with its knob at `part` of the way; the knob stays within the box."""
    middle, knob = h / 2, KNOB / 2
    line = t.INK if enabled else t.RULE
    x = knob + (w - KNOB) * part
    body = svg.rect(1, middle - 4, w - 2, 8, radius=4, fill=t.WELL, stroke=line, stroke_width=LINE)
    if enabled:
        body += svg.rect(1, middle - 4, x - 1, 8, radius=4, fill=t.SEA_INK, stroke=line, stroke_width=LINE)
    shadow = svg.circle(x, middle + 2, knob - 1, fill=t.HARD_EDGE) if enabled else ""
    return body + shadow + svg.circle(x, middle, knob - 1.5, fill=t.CARD, stroke=line, stroke_width=3)


def cursor(w: float, h: float, *, radius: float, held: bool = False) -> str:
    """A frame of amber between two ink lines, about what OK would choose; it fills the box.

    What is held has a second line of ink along its middle.
    """
    lines = [(t.INK, 7.0), (t.AMBER, 4.0), *([(t.INK, 1.6)] if held else [])]
    return "".join(
        svg.rect(3.5, 3.5, w - 7, h - 7, radius=radius, stroke=colour, stroke_width=width) for colour, width in lines
    )


def progress(w: float, h: float, part: float) -> str:
    """A bar filled to `part` of its length."""
    part = min(1.0, max(0.0, part))
    body = svg.rect(1, 1, w - 2, h - 2, radius=h / 2 - 1, fill=t.WELL)
    if part > 0:
        body += svg.rect(1, 1, max(h - 2, (w - 2) * part), h - 2, radius=h / 2 - 1, fill=t.SEA_INK)
    return body + svg.rect(1, 1, w - 2, h - 2, radius=h / 2 - 1, stroke=t.INK, stroke_width=LINE)


def waves(w: float, h: float) -> str:
    """The curtain: engraved waves in a frame. The same whatever lies under it."""
    period, pitch = 100.0, 21.5
    lines = []
    for i, y in enumerate(_every(14.0, h + pitch, pitch)):
        start = -period + (period / 4 if i % 2 else 0.0)
        d = f"M{svg.num(start)} {svg.num(y)}" + "q25 -16 50 0t50 0" * (int(w / period) + 3)
        lines.append(svg.path(d, stroke=t.CURTAIN_ENGRAVING, stroke_width=1.4))
    frame = svg.rect(5, 5, w - 10, h - 10, stroke=t.CURTAIN_FRAME, stroke_width=1.4)
    return svg.rect(0, 0, w, h, fill=t.CURTAIN) + "".join(lines) + frame


def _every(start: float, stop: float, step: float) -> list[float]:
    return [start + i * step for i in range(max(0, int((stop - start) / step) + 1))]


def _outlined(box: Box, radius: float, fill: str, line: str, *, width: float = LINE, dash: str | None = None) -> str:
    """A rounded rectangle whose stroke stays inside the box."""
    inner = box.inset(width / 2)
    return svg.rect(
        *inner, radius=radius - width / 2, fill=fill, stroke=line, stroke_width=width, stroke_dasharray=dash
    )
