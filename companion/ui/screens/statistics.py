"""9c. Statistics: a ledger of what became of everybody's explorers, and the other figures of the game beside it."""

from __future__ import annotations

from companion.ui import tokens as t
from companion.ui.box import Box
from companion.ui.drawing import chart, surfaces
from companion.ui.parts import Art, Drawn, Part, Picture, Span
from companion.ui.screens import kit
from companion.ui.screens.heads import header
from companion.ui.screens.kit import Page
from companion.ui.text import Halign
from companion.viewmodel.states import CountRow, Fact, Figure, StatisticsScreen

_COLUMN = 44.0
_TOTAL = 68.0
_HEAD = 44.0
_ROW = 50.0
_INDENT = 42.0
_FACT, _SPREAD, _STACKED = 46.0, 76.0, 92.0
"""How high a fact is with one figure, with several below its words, and with these below their icons."""
_BESIDE = 66.0
"""A figure that has less room stands below its icon."""


def statistics(page: Page, s: StatisticsScreen) -> list[Part]:
    """The parts of the screen."""
    parts, _ = header(page, s.title, s.back)
    body = page.body
    words = page.type.flow(Span(s.sentence), "lead", body.x, body.y, body.w, room=52)
    y = words.box.bottom + 8
    w = body.w if page.upright else body.w * 0.62
    facts = (
        Box(body.x, y + _HEAD + _ROW * len(s.rows) + 14, body.w, 0)
        if page.upright
        else Box(body.x + w + 24, y, body.w - w - 24, 0)
    )
    return [
        *parts,
        Art("sentence", (words,)),
        _ledger(page, s, Box(body.x, y, w, 0)),
        _facts(page, s.facts, facts),
    ]


def _ledger(page: Page, s: StatisticsScreen, box: Box) -> Art:
    """A column a colour and their sum; nothing is faint, so that what happened stands out."""
    figures = box.right - _TOTAL - _COLUMN * len(s.columns)
    middles = [figures + _COLUMN * (i + 0.5) for i in range(len(s.columns))]
    drawn: list[Drawn] = [
        page.mark(colour, x, box.y + _HEAD / 2 - 2, 22, halo=False)
        for colour, x in zip(s.columns, middles, strict=True)
    ]
    at = Box(box.right - _TOTAL, box.y, _TOTAL, _HEAD - 4)
    drawn.append(page.type.fit(Span(s.total, t.INK_SOFT), "body", at, halign="right", valign="middle", lines=1))
    drawn.append(Picture(Box(box.x, box.y + _HEAD - 3, box.w, 5), surfaces.double_rule(box.w)))
    y = box.y + _HEAD
    for i, row in enumerate(s.rows):
        if i:
            drawn.append(Picture(Box(box.x, y, box.w, 1), surfaces.rule(box.w)))
        drawn += _row(page, row, Box(box.x, y, box.w, _ROW), middles, figures - 4)
        y += _ROW
    return Art("ledger", tuple(drawn))


def _row(page: Page, row: CountRow, box: Box, middles: list[float], end: float) -> list[Drawn]:
    ink = kit.TONES[row.tone]
    words = Box(box.x + _INDENT, box.y, end - box.x - _INDENT, box.h)
    drawn: list[Drawn] = [
        kit.icon_picture(row.icon, box.x + 17, box.y + box.h / 2, 30, ink),
        page.type.fit(Span(row.text, ink), "body", words, valign="middle", lines=2),
    ]
    for count, x in zip(row.counts, middles, strict=True):
        at = Box(x - _COLUMN / 2, box.y, _COLUMN, box.h)
        drawn.append(page.type.fit(_number(count, ink), "lead", at, halign="center", valign="middle", lines=1))
    at = Box(box.right - 60, box.y, 60, box.h)
    drawn.append(page.type.fit(_number(row.total, ink), "number", at, halign="right", valign="middle", lines=1))
    return drawn


def _number(n: int, ink: str) -> Span:
    """None at all is nothing to look at."""
    return Span(str(n), ink, bold=True) if n else Span("0", t.INK_SOFT)


def _facts(page: Page, facts: tuple[Fact, ...], box: Box) -> Art:
    """One below the other, with rules between them."""
    drawn: list[Drawn] = []
    y = box.y
    for i, fact in enumerate(facts):
        if i:
            drawn.append(Picture(Box(box.x, y, box.w, 1), surfaces.rule(box.w)))
        if len(fact.figures) == 1:
            drawn += _fact(page, fact, Box(box.x, y, box.w, _FACT))
            y += _FACT
        else:
            height = _SPREAD if box.w / len(fact.figures) >= _BESIDE else _STACKED
            drawn += _spread(page, fact, Box(box.x, y, box.w, height))
            y += height
    return Art("facts", tuple(drawn))


def _fact(page: Page, fact: Fact, box: Box) -> list[Drawn]:
    figure = Span(fact.figures[0].text, bold=True)
    w = page.type.width((figure,), "lead") + 4
    return [
        page.type.fit(Span(fact.text), "body", Box(box.x, box.y, box.w - w - 12, box.h), valign="middle", lines=2),
        page.type.fit(figure, "lead", Box(box.right - w, box.y, w, box.h), halign="right", valign="middle", lines=1),
    ]


def _spread(page: Page, fact: Fact, box: Box) -> list[Drawn]:
    """The words, and below them the figures side by side."""
    words = Box(box.x, box.y + 4, box.w, 27)
    drawn: list[Drawn] = [page.type.fit(Span(fact.text), "body", words, valign="middle", lines=1)]
    w = box.w / len(fact.figures)
    for i, figure in enumerate(fact.figures):
        drawn += _figure(page, figure, Box(box.x + i * w, box.y + 31, w, box.h - 35))
    return drawn


def _figure(page: Page, figure: Figure, box: Box) -> list[Drawn]:
    """The icon or the tile, and beside it or below it the figure."""
    beside = box.w >= _BESIDE
    x, y = (box.x + 16, box.y + box.h / 2) if beside else (box.x + box.w / 2, box.y + 15)
    drawn: list[Drawn] = []
    if figure.tile:
        drawn.append(Picture(Box(x - 17, y - 19, 34, 40), chart.tile(figure.tile, 17, 18, 16.5)))
    elif figure.icon:
        drawn.append(kit.icon_picture(figure.icon, x, y, 29))
    at = Box(box.x + 38, box.y, box.w - 38, box.h) if beside else Box(box.x, box.y + 30, box.w, 25)
    halign: Halign = "left" if beside else "center"
    drawn.append(page.type.fit(Span(figure.text, bold=True), "lead", at, halign=halign, valign="middle", lines=1))
    return drawn
