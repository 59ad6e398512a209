"""3. Set-up: the tiles counted as they are laid, then explorers and boats placed one after another."""

from __future__ import annotations

import math

from companion.rules.layout import Terrain
from companion.ui import tokens as t
from companion.ui.box import Box
from companion.ui.drawing import chart, surfaces
from companion.ui.drawing.icons import icon
from companion.ui.parts import Art, Drawn, Part, Picture, Span
from companion.ui.screens import kit
from companion.ui.screens.buttons import HELP, Look, as_icon, button, button_row, helped
from companion.ui.screens.heads import panel_title
from companion.ui.screens.kit import Page
from companion.ui.screens.notes import note_box
from companion.ui.screens.prompt import prompt
from companion.viewmodel.states import Button, Line, SetupScreen

_SQUARE = ("undo", "back")
"""Buttons with these icons are small squares beside the primary one."""
_NARROW = 200.0
"""A count that has less room keeps its figures close to its tile."""


def setup(page: Page, s: SetupScreen) -> list[Part]:
    """The parts of the set-up screen."""
    panel = page.panel
    menu = next((b for b in s.buttons if b.icon == "menu"), None)
    others = tuple(b for b in s.buttons if b is not menu)
    parts = kit.board(page, s.board)
    parts += panel_title(page, s.title, (s.mark,) if s.mark else (), menu)
    foot = page.foot
    y = panel.y + 71.0
    drawn: list[Drawn] = []
    if s.sentence:
        width = panel.w - (HELP if s.help else 0)
        height = min(78.0, page.type.flow(Span(s.sentence), "phase", panel.x, y, width, room=78).box.h)
        parts.append(helped(page, Span(s.sentence), "phase", Box(panel.x, y, panel.w, height), s.help, key="sentence"))
        y += height + 13
    columns = max(1, len(s.tiles)) if page.upright else 1
    w, h = (panel.w + t.GAP) / columns, 45 if s.lines or s.sentence else 47.5
    for i, count in enumerate(s.tiles):
        place = Box(panel.x + i % columns * w, y + i // columns * h, w - t.GAP, h)
        drawn += _count(page, count, place)
    y += h * math.ceil(len(s.tiles) / columns)
    parts.append(Art("counts", tuple(drawn)))
    if s.note:
        note, y = note_box(page, s.note, Box(panel.x, y + 4, panel.w, 0))
        parts.append(note)
        y += 6
    if s.prompt and page.upright:
        answers, y = prompt(page, s.prompt, Box(panel.x, y - t.GAP, panel.w, foot - y))
        parts += answers
    elif s.prompt:
        y = min(y, foot - t.GAP / 2 - t.BUTTON_HEIGHT * len(s.prompt))
        pitch = min(t.BUTTON_HEIGHT + t.GAP, (foot - t.GAP / 2 - y) / len(s.prompt))
        for b in s.prompt:
            parts.append(button(page, Box(panel.x, y, panel.w, 61), b, Look(align="left")))
            y += pitch
    hint_height = page.type.height((Span(s.hint),), "body", panel.w) if s.hint else 0.0
    lines, left_out = _lines(page, s.lines, y, foot - hint_height - 12)
    if left_out and s.hint:
        lines, _ = _lines(page, s.lines, y, foot - 8)
    elif s.hint and (at := foot - 11 - hint_height) >= y - 4:  # else a note needs the room
        parts.append(Art("hint", (kit.paragraph(page, Span(s.hint, t.INK_SOFT), "body", at),)))
    parts.append(lines)
    parts += button_row(page, _foot(others, s.primary), foot)
    return parts


def _foot(others: tuple[Button, ...], primary: Button | None) -> tuple[Button, ...]:
    squares = tuple(as_icon(b) if b.icon in _SQUARE else b for b in others)
    return (*squares, primary) if primary else squares


def _count(page: Page, count: tuple[Terrain, str, int, int], box: Box) -> list[Drawn]:
    """A tile, what it is called, how many of it lie, of how many; a tick when it is complete."""
    terrain, name, laid, whole = count
    middle = box.y + box.h / 2 - 3
    tile = Picture(Box(box.x, middle - 22, 38, 44), chart.tile(terrain, 19, 20, 19.5))
    if box.w > _NARROW:
        called = page.type.fit(
            Span(name), "lead", Box(box.x + 50, middle - 15, box.w - 172, 30), valign="middle", lines=1
        )
        number_at, rest_at = Box(box.right - 120, middle - 15, 40, 30), Box(box.right - 73, middle - 14, 42, 30)
    else:
        called = None
        number_at = Box(box.x + 16, middle - 15, 60, 30)
        rest_at = Box(box.x + 82, middle - 14, box.w - 82, 30)
    number = page.type.fit(Span(str(laid)), "figure", number_at, halign="right", valign="middle")
    rest = page.type.fit(Span(f"/ {whole}", t.INK_SOFT), "body", rest_at, valign="middle", lines=1)
    drawn: list[Drawn] = [tile, *([called] if called else []), number, rest]
    if laid == whole:
        tick = Picture(Box(box.right - 27, middle - 13, 26, 26), icon("check", 13, 13, 24, t.OK))
        drawn.append(tick)
    elif laid > whole:
        drawn.append(kit.icon_picture("warning", box.right - 14, middle, 24, t.RED_PENCIL))
    return drawn


def _lines(page: Page, lines: tuple[Line, ...], y: float, end: float) -> tuple[Art, bool]:
    """Rows with a mark, a name and how many are left; plain text below. True if some had to be left out."""
    panel = page.panel
    drawn: list[Drawn] = []
    row = 40.0 if page.upright else 42.0
    for line in lines:
        if line.mark:
            if y + 40 > end:
                return Art("lines", tuple(drawn)), True
            drawn.append(Picture(Box(panel.x, y, panel.w, 1), surfaces.rule(panel.w)))
            bold = Line(text=line.text, mark=line.mark, tone="strong" if line.tone == "normal" else line.tone)
            drawn += kit.list_line(page, bold, Box(panel.x, y, panel.w - 62, row - 1), indent=39, mark_size=22)
            number, gap, rest = line.figure.partition(" ")
            figure = (Span(number, bold=True), *((Span(gap + " " + rest, t.INK_SOFT),) if rest else ()))
            place = Box(panel.right - 120, y, 120, row - 1)
            drawn.append(page.type.fit(figure, "lead", place, halign="right", valign="middle", lines=1))
            y += row
        elif line.icon:
            spans = kit.spans_of(line)
            height = max(31.0, page.type.height(spans, "body", panel.w - 36) + 6)
            if y + height > end + 2:
                return Art("lines", tuple(drawn)), True
            drawn += kit.list_line(page, line, Box(panel.x, y, panel.w, height), indent=36)
            y += height
        else:
            spans = kit.spans_of(line)
            if line.figure:  # too long to stand beside what it is: where it has no room, it stands below
                spans = (*spans, Span(f" {line.figure}", bold=True))
            words = kit.paragraph(page, spans, "body", y)
            if words.box.bottom > end + 2:
                return Art("lines", tuple(drawn)), True
            drawn.append(words)
            y = words.box.bottom + 2
    return Art("lines", tuple(drawn)), False
