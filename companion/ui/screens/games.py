"""10a. The games played, newest first."""

from __future__ import annotations

from companion.ui import tokens as t
from companion.ui.box import Box
from companion.ui.parts import Art, Drawn, Part, Press, Scroll, Span
from companion.ui.screens import kit
from companion.ui.screens.buttons import button
from companion.ui.screens.heads import header
from companion.ui.screens.kit import Page
from companion.viewmodel.states import GameRow, GamesScreen

_ROW, _HIGH_ROW = 74.0, 102.0


def games(page: Page, s: GamesScreen) -> list[Part]:
    """The parts of the list, or of the sentence that stands for an empty one."""
    count = page.type.width((Span(s.count),), "body") + 1
    parts, _ = header(page, s.title, s.back, right=count + 32)
    at = Box(page.width - t.EDGE - count, 18, count, 32)
    parts.append(Art("count", (page.type.fit(Span(s.count, t.INK_SOFT), "body", at, valign="middle"),)))
    foot = 79.0 if s.primary else 0.0
    body = Box(0, t.HEADER_HEIGHT + 5, page.width, page.height - t.HEADER_HEIGHT - 5 - foot)
    if s.empty:
        words = page.type.fit(
            Span(s.empty), "lead", Box(page.width / 10, body.y + 40, page.width * 0.8, 120), halign="center"
        )
        parts.append(Art("empty", (words,)))
    width = page.width - 38
    rows: list[Press] = []
    y = body.y + 2
    for row in s.rows:
        rows.append(_row(page, row, Box(14, y, width, _height(page, row, width))))
        y = rows[-1].box.bottom
    height = y - body.y
    bar = Box(page.width - 16, body.y + 11, t.BAR, body.h - 23)
    parts.append(Scroll("rows", Box(0, body.y, page.width - 18, body.h), tuple(rows), height, bar))
    if s.primary:
        parts.append(button(page, Box(page.width - t.EDGE - 284, page.height - 79, 284, 62), s.primary))
    return parts


def _height(page: Page, row: GameRow, width: float) -> float:
    """Of a row; in a narrow one what is said of the game may take two lines."""
    if not page.upright:
        return _ROW
    return _HIGH_ROW + max(0.0, page.type.height((Span(row.line),), "body", width - 60) - 23)


def _row(page: Page, row: GameRow, box: Box) -> Press:
    """Date, marks, result, arrow; in a narrow row the result below the date and the marks."""
    y = box.y + 12
    date, result = Box(box.x + 10, y, 120, 26), Box(box.x + 272, y, box.right - 50 - box.x - 272, 26)
    time, marks = Box(date.x, y + 25, 120, 24), (box.x + 155, box.y + 38)
    if page.upright:
        date = Box(date.x, y, page.type.width((Span(row.date),), "button") + 1, 26)
        time = Box(date.right + 10, y, 60, 26)
        marks = (box.right - 52 - 26 * (len(row.colours) - 1), y + 13)
        result = Box(date.x, y + 29, box.right - 50 - date.x, 26)
    drawn: list[Drawn] = [
        page.type.fit(Span(row.date), "button", date, valign="middle", lines=1),
        page.type.fit(Span(row.time, t.INK_SOFT), "body", time, valign="middle", lines=1),
    ]
    drawn += [page.mark(c, marks[0] + 26 * i, marks[1], 20, halo=False) for i, c in enumerate(row.colours)]
    drawn.append(page.type.fit(Span(row.result), "button", result, valign="middle", lines=1))
    if row.line:
        line = Box(result.x, result.y + 25, result.w, box.bottom - 10 - result.y - 25)
        drawn.append(page.type.fit(Span(row.line, t.INK_SOFT), "body", line))
    return kit.list_row(row.id, box, tuple(drawn))
