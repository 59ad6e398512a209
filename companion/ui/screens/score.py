"""9a. Score: the values under one colour's rescued explorers, put right on six keys."""

from __future__ import annotations

import math
import re

from companion.rules.layout import Colour
from companion.ui import tokens as t
from companion.ui.box import Box
from companion.ui.drawing import svg
from companion.ui.drawing.icons import icon
from companion.ui.parts import Art, Drawn, Part, Picture, Press, Span
from companion.ui.screens.buttons import Look, button, icon_button
from companion.ui.screens.heads import header
from companion.ui.screens.kit import Page
from companion.ui.screens.notes import note_box
from companion.viewmodel.states import Button, ScoreScreen, ValueSlot

_IN_A_ROW = 5
_PITCH = 92.0
_MENU, _MARK = 64.0, 48.0


def score(page: Page, s: ScoreScreen) -> list[Part]:
    """The parts of the score's entry."""
    progress = page.type.width((Span(s.progress),), "button") + 1
    menu = Box(page.width - _MENU, 6, _MENU, 60)
    kept = progress + _MARK
    parts, _ = header(page, s.title, right=_MENU if page.upright else kept + _MENU + 16)
    parts.append(icon_button(s.menu, menu, "menu", key="menu", size=34))
    right, top = (page.width - t.EDGE, 88) if page.upright else (menu.x, 18)
    head = Box(right - progress, top, progress, 34)
    parts.append(Art("progress", (
        page.mark(s.colour, head.x - 26, top + 18, 29),
        page.type.fit(Span(s.progress), "button", head, valign="middle"),
    )))  # fmt: skip
    foot = page.height - 78
    keys, keys_box = _keys(page, s, foot)
    room = page.width - 2 * t.EDGE if page.upright else keys_box.x - t.EDGE - 28
    beside = room - kept - 12 if page.upright else room
    sentence = page.type.fit(Span(s.sentence), "lead", Box(t.EDGE, 91, beside, 72))
    drawn: list[Drawn] = [sentence]
    y = 151.0 + max(0.0, page.type.height(sentence.spans, "lead", beside, sentence.size) - 54)
    slots, y = _slots(page, s, y)
    parts += slots
    total = page.type.fit(_figures_bold(s.total), "lead", Box(t.EDGE, y, room, 34), valign="middle", lines=1)
    drawn.append(total)
    y += 40
    parts += keys
    drawn.append(page.type.fit(Span(s.help, t.INK_SOFT), "body", _below(keys_box, foot - 8)))
    if s.note:
        note, _ = note_box(page, s.note, Box(t.EDGE, y, room, 0))
        parts.append(note)
    parts.append(Art("words", tuple(drawn)))
    parts.append(button(page, Box(t.EDGE, foot, 152 if page.upright else 230, 61), s.secondary))
    parts.append(button(page, Box(page.width - 300, foot, 284, 61), s.primary))
    return parts


def _below(box: Box, end: float) -> Box:
    return Box(box.x, box.bottom, box.w, end - box.bottom)


def _figures_bold(text: str) -> tuple[Span, ...]:
    return tuple(Span(run, bold=run.isdigit()) for run in re.split(r"(\d+)", text) if run)


def _slots(page: Page, s: ScoreScreen, y: float) -> tuple[list[Part], float]:
    """A piece for each rescued explorer, five in a row; the chosen one has the amber ring."""
    parts: list[Part] = []
    crowded = len(s.slots) > _IN_A_ROW
    r = 30.0 if crowded else 40.0
    row_height = 2 * r + (8 if crowded else 34)
    for i, slot in enumerate(s.slots):
        x = t.EDGE + 40 + _PITCH * (i % _IN_A_ROW)
        middle = y + r + 11 + row_height * (i // _IN_A_ROW)
        box = Box(x - r, middle - r, 2 * r, 2 * r)
        ground = Box(box.x - 8, box.y - 8, box.w + 16, box.h + (16 if crowded else 42))
        picture = Picture(ground, _slot(s.colour, slot, r, crowded=crowded))
        face: list[Drawn] = [picture]
        if slot.value is not None:
            face.append(page.type.fit(Span(str(slot.value)), "key", box, halign="center", valign="middle"))
        pressed = (Picture(ground, svg.circle(r + 8, r + 8, r + 6, fill=t.WELL)), *face)
        parts.append(Press(slot.id, slot.id, box, tuple(face), pressed))
    lines = (len(s.slots) + _IN_A_ROW - 1) // _IN_A_ROW
    return parts, y + row_height * max(1, lines) + (22 if crowded else 14)


def _slot(colour: Colour, slot: ValueSlot, r: float, *, crowded: bool) -> str:
    """A piece seen from below, its middle at r + 8; a tick or a question mark below it, on it where it is crowded."""
    c = r + 8.0
    body = ""
    if slot.chosen:
        body = svg.circle(c, c, r + 5, stroke=t.AMBER, stroke_width=4.5)
    body += svg.circle(c, c, r - 1.2, fill=t.PLAYER[colour], stroke=t.INK, stroke_width=2.4)
    body += svg.circle(c, c, r * 0.64, fill=t.CARD, stroke=t.INK, stroke_width=1.2)
    if slot.tone == "normal":
        return body
    x, y = (c + r * 0.72, c + r * 0.66) if crowded else (c, c + r + 20)
    if crowded:
        body += svg.circle(x, y, 9.5, fill=t.CARD, stroke=t.INK, stroke_width=1.2)
    if slot.tone == "ok":
        return body + icon("check", x, y, 14 if crowded else 22, t.OK)
    badge = svg.circle(x, y, 9.5 if crowded else 11, fill=t.RED_PENCIL)
    return body + badge + svg.figure("?", x, y, 17, fill=t.CARD)


def _keys(page: Page, s: ScoreScreen, foot: float) -> tuple[list[Part], Box]:
    """Three in a row at the right, or across an upright screen over its foot. Where they lie."""
    columns, gap, pitch = 3, 10.0, 86.0
    height = pitch * math.ceil(len(s.keys) / columns) + 2
    if page.upright:
        box = Box(t.EDGE, foot - 8 - 50 - height, page.width - 2 * t.EDGE, height)
    else:
        box = Box(page.width - 300, 92, 284, height)
    w = (box.w - gap * (columns - 1)) / columns
    value = next((slot.value for slot in s.slots if slot.chosen), None)
    parts: list[Part] = []
    for i, b in enumerate(s.keys):
        at = Box(box.x + (w + gap) * (i % columns), box.y + pitch * (i // columns), w, 73)
        kind = "primary" if b.kind == "primary" or b.text == str(value) else b.kind
        look = Button(id=b.id, text=b.text, kind=kind, enabled=b.enabled)
        parts.append(button(page, at, look, Look(style="key")))
    return parts, box
