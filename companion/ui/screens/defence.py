"""8. Defence, in public: the creature, everybody who is asked alike, and who answers now."""

from __future__ import annotations

import math

import msgspec

from companion.ui import tokens as t
from companion.ui.box import Box
from companion.ui.drawing import surfaces
from companion.ui.parts import Art, Drawn, Part, Picture, Span
from companion.ui.screens import kit
from companion.ui.screens.buttons import Look, button
from companion.ui.screens.heads import panel_title
from companion.ui.screens.kit import Page
from companion.viewmodel.states import DefenceScreen, Line


def defence(page: Page, s: DefenceScreen) -> list[Part]:
    """The parts of the screen. It is drawn from what everybody knows, so that it tells nothing of any hand."""
    panel = page.panel
    parts = kit.board(page, s.board)
    parts += panel_title(page, s.title, (), s.menu, icon_name=s.icon)
    foot = page.foot
    words = kit.paragraph(page, Span(s.sentence), "lead", panel.y + 64, room=130)
    drawn: list[Drawn] = [words]
    y = words.box.bottom + 8
    columns = 2 if page.upright else 1
    w = (panel.w - t.GAP * (columns - 1)) / columns
    for i, line in enumerate(s.asked):
        drawn += _asked(page, line, Box(panel.x + i % columns * (w + t.GAP), y + i // columns * 62, w, 54))
    y += 62 * math.ceil(len(s.asked) / columns)
    bottom = foot - 14
    if s.left is not None:
        drawn.append(Picture(Box(panel.x, foot - 28, panel.w, 14), surfaces.progress(panel.w, 14, s.left)))
        bottom = foot - 36
    if s.hint:
        height = page.type.height((Span(s.hint),), "body", panel.w)
        if bottom - height > y:
            drawn.append(kit.paragraph(page, Span(s.hint, t.INK_SOFT), "body", bottom - height))
    parts.append(Art("asked", tuple(drawn)))
    x = panel.x
    if s.undo:
        parts.append(button(page, Box(x, foot, 64, 64), msgspec.structs.replace(s.undo, text=""), Look(icon_size=34)))
        x += 64 + t.GAP
    parts.append(button(page, Box(x, foot, panel.right - x, 64), s.primary))
    return parts


def _asked(page: Page, line: Line, box: Box) -> list[Drawn]:
    now = line.tone == "strong"
    if now:
        box = box.inset(-2, -2)
    ground = surfaces.card(box.w, box.h, line=t.INK if now else t.RULE_SOFT, width=3 if now else 1.4,
                           fill=t.CARD if now else t.PAPER)  # fmt: skip
    middle = box.y + box.h / 2
    drawn: list[Drawn] = [Picture(box, ground)]
    x = box.x + 18
    if line.mark:
        drawn.append(page.mark(line.mark, box.x + 31, middle, 27))
        x = box.x + 59
    figure_width = page.type.width((Span(line.figure),), "body") + 6 if line.figure else 0.0
    name = Box(x, box.y, box.right - 16 - figure_width - x, box.h)
    drawn.append(page.type.fit(Span(line.text), "strong", name, valign="middle", lines=1))
    if line.figure:
        at = Box(box.right - 14 - figure_width, box.y, figure_width, box.h)
        drawn.append(page.type.fit(Span(line.figure, t.INK if now else t.INK_SOFT), "body", at, halign="right",
                                   valign="middle", lines=1))  # fmt: skip
    return drawn
