"""Rows of settings: the name, one line of what it does, the control (switch, choices, slider) at the right or below."""

from __future__ import annotations

from companion.ui import tokens as t
from companion.ui.box import Box
from companion.ui.drawing import surfaces, svg
from companion.ui.parts import Art, Drawn, Part, Picture, Press, Scroll, Slider, Span
from companion.ui.screens import kit
from companion.ui.screens.kit import Page
from companion.ui.screens.notes import note_box
from companion.viewmodel.states import Button, InfoRow, Note, SegmentRow, SliderRow, SwitchRow

Row = SwitchRow | SegmentRow | SliderRow | InfoRow

_SEGMENT = 60.0
_MOST_BESIDE = 0.5
"""Of the row's width; a wider row of choices stands below its words."""
_MOST_LETTERS = 9
"""Several choices of which one has more of them stand one under the other."""
_ROUND = 9.0


def rows(page: Page, listed: tuple[Row, ...], note: Note | None, body: Box, column: Box, *,
         note_first: bool = False) -> list[Part]:  # fmt: skip
    """The rows down `column` in a list that fills `body` and scrolls if it must.

    The note stands below the first row, which it is about, or `note_first` over all of them.
    """
    y = body.y + 4
    parts: list[Part] = []
    if note and note_first:
        shown, end = note_box(page, note, Box(column.x, y + 8, column.w, 0))
        parts.append(shown)
        y = end + 6
    for i, row in enumerate(listed):
        more, y = _row(page, row, Box(column.x, y, column.w, 0), f"row:{i}")
        parts += more
        if note and not note_first and i == 0:
            shown, y = note_box(page, note, Box(column.x, y - 4, column.w, 0))
            parts.append(shown)
            y += 12
        if i < len(listed) - 1:
            parts.append(_rule(f"rule:{i}", Box(column.x, y - 1, column.w, 1)))
    height = y - body.y
    within = Box(body.x, body.y, body.w - 20, body.h)
    bar = Box(page.width - 14, body.y + 15, t.BAR, body.h - 24)
    return [Scroll("rows", within, tuple(parts), height, bar)]


def _row(page: Page, row: Row, box: Box, key: str) -> tuple[list[Part], float]:
    match row:
        case SwitchRow():
            return _switch(page, row, box)
        case SegmentRow():
            return _segments(page, row, box, key)
        case SliderRow():
            return _slider(page, row, box, key)
        case InfoRow():
            return _info(page, row, box, key)


def _rule(key: str, box: Box) -> Art:
    return Art(key, (Picture(box, surfaces.rule(box.w)),))


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
    """A few to choose one from: beside the words if they are short, else below, else one under the other in a list."""
    natural = [max(62.0, page.type.width((Span(b.text),), "button") + 30) for b in row.segments]
    total = sum(natural)
    if len(row.segments) > 1 and max(len(b.text) for b in row.segments) > _MOST_LETTERS:
        total = box.w + 1
    if total <= _MOST_BESIDE * box.w:
        words, end = _words(page, row.title, row.line, Box(box.x, box.y + 14, box.w - total - 24, 0), t.INK)
        height = max(75.0, end + 14 - box.y)
        group = Box(box.right - total, box.y + (height - _SEGMENT) / 2, total, _SEGMENT)
        parts = _group(page, row, group, natural)
        return [Art(key, tuple(words)), *parts], box.y + height
    words, end = _words(page, row.title, row.line, Box(box.x, box.y + 14, box.w, 0), t.INK)
    y = end + 8
    if total <= box.w:
        share = box.w / len(natural)
        widths = [share if max(natural) <= share else w * box.w / total for w in natural]
        parts = _group(page, row, Box(box.x, y, box.w, _SEGMENT), widths)
        return [Art(key, tuple(words)), *parts], y + _SEGMENT + 14
    parts, end = _list(page, row, Box(box.x, y, box.w, 0))
    return [Art(key, tuple(words)), *parts], end + 14


def _list(page: Page, row: SegmentRow, box: Box) -> tuple[list[Part], float]:
    """The choices one under the other, the chosen one filled and ticked."""
    last = len(row.segments) - 1
    parts: list[Part] = []
    for i, b in enumerate(row.segments):
        at = Box(box.x, box.y + i * _SEGMENT, box.w, _SEGMENT)
        chosen = b.id == row.chosen
        ink, fill = _look(b, chosen=chosen)
        place = Box(at.x + 18, at.y + 4, at.w - 76, at.h - 8)
        tick = (kit.icon_picture("check", at.right - 32, at.y + at.h / 2, 28, ink),) if chosen else ()
        faces = []
        for paper, letters in ((fill, ink), (t.WELL, t.INK)):
            ground = Picture(at, _stacked(at.w, at.h, paper, first=i == 0, last=i == last))
            text = page.type.fit(Span(b.text, letters), "button", place, valign="middle", lines=2)
            faces.append((ground, text, *tick))
        parts.append(Press(b.id, b.id, at, faces[0], faces[1], b.enabled))
    return parts, box.y + _SEGMENT * len(row.segments)


def _slider(page: Page, row: SliderRow, box: Box, key: str) -> tuple[list[Part], float]:
    """The name, the figure at the right, and below them the line with its knob between a small and a large sign."""
    ink = t.INK if row.enabled else t.OFF_TEXT
    figure_w = page.type.width((Span(row.figure),), "lead") + 2
    words, end = _words(page, row.title, row.line, Box(box.x, box.y + 14, box.w - figure_w - 16, 0), ink)
    place = Box(box.right - figure_w, box.y + 11, figure_w, 28)
    drawn: list[Drawn] = [*words, page.type.fit(Span(row.figure, ink), "lead", place, halign="right", lines=1)]
    line = Box(box.x + 40, end + 5, box.w - 86, surfaces.KNOB + 2)
    middle = line.y + line.h / 2
    if row.icon:
        soft = t.INK_SOFT if row.enabled else t.RULE
        drawn.append(kit.icon_picture(row.icon, box.x + 12, middle, 24, soft))
        drawn.append(kit.icon_picture(row.icon, box.right - 15, middle, 30, ink if row.enabled else t.RULE))
    slider = Slider(f"{key}:slider", row.id, line, row.value, row.least, row.most, row.step, row.enabled)
    return [Art(key, tuple(drawn)), slider], line.bottom + 12


def _info(page: Page, row: InfoRow, box: Box, key: str) -> tuple[list[Part], float]:
    """A name with what is to be known under it; a long path is cut in its middle."""
    head = page.type.flow(Span(row.title), "button", box.x, box.y + 12, box.w)
    room = Box(box.x, head.box.bottom + 1, box.w, 69 if " " in row.line else 23)
    below = page.type.fit(Span(row.line, t.INK_SOFT), "body", room)
    height = page.type.height(below.spans, "body", box.w)
    return [Art(key, (head, below))], below.box.y + height + 12


def _group(page: Page, row: SegmentRow, box: Box, widths: list[float]) -> list[Part]:
    """Segments in one frame, the chosen one filled."""
    parts: list[Part] = []
    x = box.x
    last = len(widths) - 1
    for i, (b, w) in enumerate(zip(row.segments, widths, strict=True)):
        at = Box(x, box.y, w, box.h)
        ink, fill = _look(b, chosen=b.id == row.chosen)
        text = page.type.fit(Span(b.text, ink), "button", at.inset(6, 4), halign="center", valign="middle", lines=2)
        up = Picture(at, _beside(w, box.h, fill, first=i == 0, last=i == last))
        down = Picture(at, _beside(w, box.h, t.WELL, first=i == 0, last=i == last))
        pressed = page.type.fit(Span(b.text), "button", at.inset(6, 4), halign="center", valign="middle", lines=2)
        parts.append(Press(b.id, b.id, at, (up, text), (down, pressed), b.enabled))
        x += w
    return parts


def _look(b: Button, *, chosen: bool) -> tuple[str, str]:
    """Ink and ground of a choice; one that is chosen and locked can still be told from the others."""
    if chosen:
        return (t.CARD, t.SEA_INK) if b.enabled else (t.CARD, t.OFF_TEXT)
    return (t.INK, t.CARD) if b.enabled else (t.OFF_TEXT, t.WELL)


def _beside(w: float, h: float, fill: str, *, first: bool, last: bool) -> str:
    """A segment of a row: its left or right corners are round at the ends."""
    left, right = (_ROUND if first else 0.0), (_ROUND if last else 0.0)
    frame = Box(1.0 if first else 0.0, 1.0, w - (2.0 if first and last else 1.0 if first or last else 0.0), h - 2.0)
    return _rounded(frame, (left, right, right, left), fill)


def _stacked(w: float, h: float, fill: str, *, first: bool, last: bool) -> str:
    """An entry of a list: its upper or lower corners are round at the ends."""
    top, bottom = (_ROUND if first else 0.0), (_ROUND if last else 0.0)
    frame = Box(1.0, 1.0 if first else 0.0, w - 2.0, h - (2.0 if first and last else 1.0 if first or last else 0.0))
    return _rounded(frame, (top, top, bottom, bottom), fill)


def _rounded(box: Box, radii: tuple[float, float, float, float], fill: str) -> str:
    """A box with a radius a corner, from the upper left clockwise."""
    nw, ne, se, sw = radii
    d = (
        f"M{svg.num(box.x + nw)} {svg.num(box.y)}H{svg.num(box.right - ne)}"
        f"a{ne} {ne} 0 0 1 {ne} {ne}V{svg.num(box.bottom - se)}a{se} {se} 0 0 1 {-se} {se}"
        f"H{svg.num(box.x + sw)}a{sw} {sw} 0 0 1 {-sw} {-sw}V{svg.num(box.y + nw)}a{nw} {nw} 0 0 1 {nw} {-nw}Z"
    )
    return svg.path(d, fill=fill, stroke=t.INK, stroke_width=2)
