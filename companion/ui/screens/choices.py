"""Rows of switches and choices: the name, one line of what it does, the control at the right or below."""

from __future__ import annotations

from companion.ui import tokens as t
from companion.ui.box import Box
from companion.ui.drawing import surfaces, svg
from companion.ui.parts import Art, Drawn, Part, Picture, Press, Scroll, Span
from companion.ui.screens import kit
from companion.ui.screens.buttons import Look, button
from companion.ui.screens.kit import Page
from companion.ui.screens.notes import note_box
from companion.viewmodel.states import Button, Note, SegmentRow, SwitchRow

_SEGMENT = 60.0
_MOST_BESIDE = 330.0


def rows(page: Page, listed: tuple[SwitchRow | SegmentRow, ...], note: Note | None, body: Box) -> list[Part]:
    """The rows in a list that scrolls if it must, the note below the first of them, which it is about."""
    width = page.width - 56
    y = body.y + 4
    parts: list[Part] = []
    for i, row in enumerate(listed):
        if isinstance(row, SwitchRow):
            more, y = _switch(page, row, Box(20, y, width, 0))
        else:
            more, y = _segments(page, row, Box(20, y, width, 0), f"row:{i}")
        parts += more
        if note and i == 0:
            shown, y = note_box(page, note, Box(20, y - 4, width, 0))
            parts.append(shown)
            y += 12
        parts.append(Art(f"rule:{i}", (Picture(Box(20, y - 1, width, 1), surfaces.rule(width)),)))
    height = y - body.y
    out: list[Part] = [Scroll("rows", Box(0, body.y, page.width - 20, body.h), tuple(parts), height)]
    bar = kit.scroll_bar(Box(page.width - 14, body.y + 15, 7, body.h - 24), body.h, height)
    return [*out, bar] if bar else out


def _words(page: Page, title: str, line: str, box: Box, ink: str) -> tuple[list[Drawn], float]:
    head = page.type.flow(Span(title, ink), "button", box.x, box.y, box.w)
    drawn: list[Drawn] = [head]
    end = head.box.bottom
    if line:
        below = page.type.flow(Span(line, t.INK_SOFT), "body", box.x, end + 1, box.w)
        drawn.append(below)
        end = below.box.bottom
    return drawn, end


def _switch(page: Page, row: SwitchRow, box: Box) -> tuple[list[Part], float]:
    """One row with a switch; the whole row answers to a finger."""
    ink = t.INK if row.enabled else t.OFF_TEXT
    words, end = _words(page, row.title, row.line, Box(box.x, box.y + 14, box.w - 100, 0), ink)
    height = max(75.0, end + 14 - box.y)
    control = Box(box.right - 76, box.y + (height - 42) / 2, 76, 42)
    whole = Box(box.x, box.y, box.w, height - 1)
    face = Picture(control, surfaces.switch(row.on, enabled=row.enabled))
    low = Picture(Box(box.x - 8, box.y + 1, box.w + 8, height - 3), surfaces.plain(box.w + 8, height - 3, t.WELL))
    return [Press(row.id, row.id, whole, (*words, face), (low, *words, face), row.enabled)], box.y + height


def _segments(page: Page, row: SegmentRow, box: Box, key: str) -> tuple[list[Part], float]:
    """A few to choose one from: beside the words if they are short, else below, else one under the other."""
    natural = [max(62.0, page.type.width((Span(b.text),), "button") + 30) for b in row.segments]
    total = sum(natural)
    if total <= _MOST_BESIDE:
        words, end = _words(page, row.title, row.line, Box(box.x, box.y + 14, box.w - total - 24, 0), t.INK)
        height = max(75.0, end + 14 - box.y)
        group = Box(box.right - total, box.y + (height - _SEGMENT) / 2, total, _SEGMENT)
        parts = _group(page, row, group, natural)
        return [Art(key, tuple(words)), *parts], box.y + height
    words, end = _words(page, row.title, row.line, Box(box.x, box.y + 14, box.w, 0), t.INK)
    y = end + 8
    if total <= box.w:
        parts = _group(page, row, Box(box.x, y, total, _SEGMENT), natural)
        return [Art(key, tuple(words)), *parts], y + _SEGMENT + 14
    stacked: list[Part] = []
    for b in row.segments:
        look = Button(id=b.id, text=b.text, kind="primary" if b.id == row.chosen else "secondary", enabled=b.enabled)
        stacked.append(button(page, Box(box.x, y, box.w, _SEGMENT - 3), look, Look(style="button", align="left")))
        y += _SEGMENT + t.GAP
    return [Art(key, tuple(words)), *stacked], y + 6


def _group(page: Page, row: SegmentRow, box: Box, widths: list[float]) -> list[Part]:
    """Segments in one frame, the chosen one filled."""
    parts: list[Part] = []
    x = box.x
    last = len(widths) - 1
    for i, (b, w) in enumerate(zip(row.segments, widths, strict=True)):
        at = Box(x, box.y, w, box.h)
        chosen = b.id == row.chosen
        ink = t.CARD if chosen else t.INK if b.enabled else t.OFF_TEXT
        text = page.type.fit(Span(b.text, ink), "button", at.inset(6, 4), halign="center", valign="middle", lines=2)
        fill = t.SEA_INK if chosen else t.CARD if b.enabled else t.WELL
        up = Picture(at, _segment(w, box.h, fill, first=i == 0, last=i == last))
        down = Picture(at, _segment(w, box.h, t.WELL, first=i == 0, last=i == last))
        pressed = page.type.fit(Span(b.text), "button", at.inset(6, 4), halign="center", valign="middle", lines=2)
        parts.append(Press(b.id, b.id, at, (up, text), (down, pressed), b.enabled))
        x += w
    return parts


def _segment(w: float, h: float, fill: str, *, first: bool, last: bool) -> str:
    r = 9.0
    left, right = (r if first else 0.0), (r if last else 0.0)
    x0, y0, x1, y1 = 1.0 if first else 0.0, 1.0, w - (1.0 if last else 0.0), h - 1.0
    d = (
        f"M{svg.num(x0 + left)} {y0}H{svg.num(x1 - right)}"
        f"a{right} {right} 0 0 1 {right} {right}V{svg.num(y1 - right)}a{right} {right} 0 0 1 {-right} {right}"
        f"H{svg.num(x0 + left)}a{left} {left} 0 0 1 {-left} {-left}V{svg.num(y0 + left)}"
        f"a{left} {left} 0 0 1 {left} {-left}Z"
    )
    return svg.path(d, fill=fill, stroke=t.INK, stroke_width=2)
