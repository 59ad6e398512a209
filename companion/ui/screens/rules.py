"""13. The rules in full: chapters down a list, a row a rule."""

from __future__ import annotations

from companion.ui import tokens as t
from companion.ui.box import Box
from companion.ui.drawing import surfaces
from companion.ui.parts import Art, Part, Picture, Press, Scroll, Span
from companion.ui.screens import kit
from companion.ui.screens.heads import header
from companion.ui.screens.kit import Page
from companion.viewmodel.states import RuleRow, RulesScreen

_ROW = 74.0
_INSET = 10.0
_NUMBER = 62.0
_ARROW = 50.0


def rules(page: Page, s: RulesScreen) -> list[Part]:
    """The parts of the list."""
    parts, _ = header(page, s.title, s.back)
    body = Box(0, t.HEADER_HEIGHT + 5, page.width, page.height - t.HEADER_HEIGHT - 5)
    column = Box(14, body.y, page.width - 38, body.h)
    listed: list[Part] = []
    y = body.y
    for i, group in enumerate(s.groups):
        heading, y = _heading(page, f"chapter:{i}", group.title, Box(column.x, y, column.w, 0))
        listed.append(heading)
        for row in group.rows:
            pressed = _row(page, row, Box(column.x, y, column.w, 0), t.INK if group.holds else t.OFF_TEXT)
            listed.append(pressed)
            y = pressed.box.bottom
    height = y - body.y
    bar = Box(page.width - 16, body.y + 11, t.BAR, body.h - 23)
    parts.append(Scroll("rules", Box(0, body.y, page.width - 18, body.h), tuple(listed), height, bar))
    return parts


def _heading(page: Page, key: str, title: str, box: Box) -> tuple[Art, float]:
    """The chapter's name over a strong rule; where it ends."""
    words = page.type.flow(Span(title), "subtitle", box.x + _INSET, box.y + 16, box.w - 2 * _INSET)
    end = words.box.bottom + 8
    return Art(key, (words, Picture(Box(box.x, end - 2, box.w, 2), surfaces.plain(box.w, 2, t.RULE, radius=0)))), end


def _row(page: Page, row: RuleRow, box: Box, ink: str) -> Press:
    """Number, name, what the rule says, arrow; as high as the words need."""
    x = box.x + _INSET + _NUMBER
    width = box.right - _ARROW - x
    number = page.type.flow(Span(row.number, t.INK_SOFT), "button", box.x + _INSET, box.y + 12, _NUMBER)
    title = page.type.flow(Span(row.title, ink), "button", x, box.y + 12, width)
    line = page.type.flow(Span(row.line, t.INK_SOFT), "body", x, title.box.bottom + 2, width)
    whole = Box(box.x, box.y, box.w, max(_ROW, line.box.bottom + 13 - box.y))
    return kit.list_row(row.id, whole, (number, title, line))
