"""9b. The podium: who won, everybody's values, and the proof that the deal was fair."""

from __future__ import annotations

import math

from companion.rules.layout import Colour
from companion.ui import tokens as t
from companion.ui.box import Box
from companion.ui.drawing import surfaces, svg
from companion.ui.parts import Art, Drawn, Part, Picture, Press, Span
from companion.ui.screens import kit
from companion.ui.screens.buttons import Look, button
from companion.ui.screens.heads import header
from companion.ui.screens.kit import Page
from companion.ui.screens.notes import note_box
from companion.viewmodel.states import Button, PodiumScreen, PodiumStep

_HEIGHTS = {1: 159.0, 2: 105.0, 3: 77.0, 4: 53.0}
_LEFT_WIDTH = 370.0
_STEPS_HEIGHT = 252.0
"""What the highest step and who stands on it need."""


def podium(page: Page, s: PodiumScreen) -> list[Part]:
    """The parts of the end of a game."""
    export = next((b for b in s.buttons if b.icon == "export"), None)
    others = tuple(b for b in s.buttons if b is not export)
    parts, _ = header(page, s.title, right=170 if export else 20)
    if export:
        parts.append(_export(page, export))
    buttons = _foot(page, (*others, s.primary))
    steps, values = _places(page, buttons[0].box.y)
    parts.append(_steps(page, s, steps))
    parts += _values(page, s, values)
    return [*parts, *buttons]


def _places(page: Page, foot: float) -> tuple[Box, Box]:
    """Where the steps stand, and where the values begin: beside them, or below them."""
    if not page.upright:
        left = t.EDGE + _LEFT_WIDTH + 20
        top = t.HEADER_HEIGHT + 13
        steps = Box(t.EDGE, top, _LEFT_WIDTH, foot - 13 - top)
        return steps, Box(left, top, page.width - t.EDGE - left, foot - top)
    w = page.width - 2 * t.EDGE
    base = t.HEADER_HEIGHT + _STEPS_HEIGHT + (page.height - 800) / 3
    return Box(t.EDGE, t.HEADER_HEIGHT, w, base - t.HEADER_HEIGHT), Box(t.EDGE, base + 14, w, foot - base - 14)


def _foot(page: Page, buttons: tuple[Button, ...]) -> list[Press]:
    """In one row, or in an upright screen two in a row; the last one lies at the right."""
    gap = 12.0
    columns = 2 if page.upright else len(buttons)
    rows = math.ceil(len(buttons) / columns)
    room = page.width - 2 * t.EDGE
    w = (room - gap * (columns - 1)) / columns if len(buttons) > 1 else 248.0
    first = columns * rows - len(buttons)
    placed = []
    for i, b in enumerate(buttons, start=first):
        x = page.width - t.EDGE - w - (columns - 1 - i % columns) * (w + gap)
        y = page.height - 77 - (rows - 1 - i // columns) * 73
        placed.append(button(page, Box(x, y, w, 61), b, Look(icon_size=30)))
    return placed


def _export(page: Page, b: Button) -> Press:
    w = page.type.width((Span(b.text),), "button") + 1
    box = Box(page.width - 30 - w - 44, 6, w + 54, 60)
    ink = t.INK if b.enabled else t.OFF_TEXT
    face: tuple[Drawn, ...] = (
        kit.icon_picture("export", box.x + 22, 36, 29, ink),
        page.type.fit(Span(b.text, ink), "button", Box(box.x + 44, box.y, w, 58), valign="middle", lines=1),
    )
    return Press("export", b.id, box, face, (Picture(box, surfaces.plain(box.w, box.h, t.WELL)), *face), b.enabled)


def _steps(page: Page, s: PodiumScreen, box: Box) -> Art:
    """Columns in the order given; equal totals share a height."""
    base = box.bottom
    drawn: list[Drawn] = []
    gap = 8.0
    count = max(1, len(s.steps))
    w = min(110.0, (box.w - 2 - gap * (count - 1)) / count)
    x = t.EDGE
    for step in s.steps:
        drawn += _column(page, step, Box(x, base - _HEIGHTS.get(step.rank, 53.0), w, _HEIGHTS.get(step.rank, 53.0)))
        x += w + gap
    drawn.append(Picture(Box(box.x - 2, base - 1, box.w + 2, 3), svg.rect(0, 0, box.w + 2, 3, fill=t.INK)))
    return Art("podium", tuple(drawn))


def _column(page: Page, step: PodiumStep, box: Box) -> list[Drawn]:
    first = step.rank == 1
    fill = t.SEA_INK if first else t.SEA_INK_PALE
    d = f"M0 {svg.num(box.h)}V8a8 8 0 0 1 8 -8H{svg.num(box.w - 8)}a8 8 0 0 1 8 8V{svg.num(box.h)}Z"
    number = Box(box.x, box.y + (4 if first else 2), box.w, 42)
    middle = box.x + box.w / 2
    name = page.type.fit(Span(step.name), "subtitle", Box(box.x - 3, box.y - 33, box.w + 6, 28), halign="center",
                         valign="middle", lines=1)  # fmt: skip
    style = "big_number" if first else "key"
    total = page.type.fit(Span(str(step.total), t.CARD), style, number, halign="center", valign="middle")
    spread = 34.0 if len(step.colours) == 1 else 30.0
    marks = [
        page.mark(c, middle + (i - (len(step.colours) - 1) / 2) * spread, box.y - 55,
                  36 if len(step.colours) == 1 else 26, halo=False)
        for i, c in enumerate(step.colours)
    ]  # fmt: skip
    return [Picture(box, svg.path(d, fill=fill)), total, name, *marks]


def _values(page: Page, s: PodiumScreen, box: Box) -> list[Part]:
    """A row a colour with its values and total, and the note of fairness below."""
    left, y, w, _ = box
    drawn: list[Drawn] = []
    for i, (colour, values, total) in enumerate(s.rows):
        if i:
            drawn.append(Picture(Box(left, y, w, 1), surfaces.rule(w)))
        drawn += _row(page, colour, values, total, Box(left, y, w, 50))
        y += 50
    parts: list[Part] = [Art("values", tuple(drawn))]
    if s.fairness:
        note, _ = note_box(page, s.fairness, Box(left, y + 10, w, 0))
        parts.append(note)
    return parts


def _row(page: Page, colour: Colour, values: tuple[int, ...], total: int, box: Box) -> list[Drawn]:
    middle = box.y + box.h / 2
    drawn: list[Drawn] = [page.mark(colour, box.x + 14, middle + 1, 22, halo=False)]
    pitch = min(41.0, (box.w - 46 - 52) / max(1, len(values)))
    r = min(17.0, pitch / 2 + 3)
    for i, value in enumerate(values):
        x = box.x + 63 + pitch * i
        disc = svg.circle(r + 1, r + 1, r - 1, fill=t.CARD, stroke=t.INK, stroke_width=1.8)
        drawn.append(Picture(Box(x - r - 1, middle - r - 1, 2 * r + 2, 2 * r + 2), disc))
        drawn.append(page.type.fit(Span(str(value)), "button", Box(x - r, middle - r, 2 * r, 2 * r - 1),
                                   halign="center", valign="middle"))  # fmt: skip
    drawn.append(page.type.fit(Span(str(total)), "number", Box(box.right - 60, box.y, 60, 48), halign="right",
                               valign="middle"))  # fmt: skip
    return drawn
