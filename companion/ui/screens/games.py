"""10a. The games played, newest first."""

from __future__ import annotations

from companion.ui import tokens as t
from companion.ui.box import Box
from companion.ui.drawing import surfaces
from companion.ui.parts import Art, Drawn, Part, Picture, Press, Scroll, Span
from companion.ui.screens import kit
from companion.ui.screens.buttons import button
from companion.ui.screens.heads import header
from companion.ui.screens.kit import Page
from companion.viewmodel.states import GameRow, GamesScreen

_ROW = 74.0


def games(page: Page, s: GamesScreen) -> list[Part]:
    """The parts of the list, or of the sentence that stands for an empty one."""
    count = page.type.width((Span(s.count),), "body") + 1
    parts, _ = header(page, s.title, s.back, right=count + 32)
    at = Box(page.width - t.EDGE - count, 18, count, 32)
    parts.append(Art("count", (page.type.fit(Span(s.count, t.INK_SOFT), "body", at, valign="middle"),)))
    foot = 79.0 if s.primary else 0.0
    body = Box(0, t.HEADER_HEIGHT + 5, page.width, page.height - t.HEADER_HEIGHT - 5 - foot)
    if s.empty:
        words = page.type.fit(Span(s.empty), "lead", Box(80, body.y + 40, page.width - 160, 120), halign="center")
        parts.append(Art("empty", (words,)))
    width = page.width - 38
    rows = tuple(_row(page, row, Box(14, body.y + 2 + i * _ROW, width, _ROW)) for i, row in enumerate(s.rows))
    height = 2 + _ROW * len(rows)
    parts.append(Scroll("rows", Box(0, body.y, page.width - 18, body.h), rows, height))
    bar = kit.scroll_bar(Box(page.width - 16, body.y + 11, 7, body.h - 23), body.h, height)
    if bar:
        parts.append(bar)
    if s.primary:
        parts.append(button(page, Box(page.width - t.EDGE - 284, page.height - 79, 284, 62), s.primary))
    return parts


def _row(page: Page, row: GameRow, box: Box) -> Press:
    """Date, marks, result, arrow."""
    y = box.y + 12
    drawn: list[Drawn] = [
        page.type.fit(Span(row.date), "button", Box(box.x + 10, y, 120, 26), valign="middle", lines=1),
        page.type.fit(Span(row.time, t.INK_SOFT), "body", Box(box.x + 10, y + 25, 120, 24), valign="middle", lines=1),
    ]
    drawn += [kit.mark_picture(c, box.x + 155 + 26 * i, box.y + 38, 20, halo=False) for i, c in enumerate(row.colours)]
    x = box.x + 272
    room = box.right - 50 - x
    drawn.append(page.type.fit(Span(row.result), "button", Box(x, y, room, 26), valign="middle", lines=1))
    if row.line:
        line = Box(x, y + 25, room, 24)
        drawn.append(page.type.fit(Span(row.line, t.INK_SOFT), "body", line, valign="middle", lines=1))
    drawn.append(kit.icon_picture("forward", box.right - 18, box.y + 38, 29))
    rule = Picture(Box(box.x, box.bottom - 1, box.w, 1), surfaces.rule(box.w))
    low = Picture(Box(box.x, box.y, box.w, box.h - 1), surfaces.plain(box.w, box.h - 1, t.WELL, radius=6))
    return Press(row.id, row.id, box, (*drawn, rule), (low, *drawn, rule))
