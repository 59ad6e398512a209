"""0. The games cannot be opened: the title page as ever, and beside it why, what to do, and the ways on."""

from __future__ import annotations

from companion.ui import tokens as t
from companion.ui.box import Box
from companion.ui.drawing import surfaces
from companion.ui.parts import Art, Part, Picture, Span
from companion.ui.screens import kit
from companion.ui.screens.buttons import button_row
from companion.ui.screens.home import beside_chart, title_page
from companion.ui.screens.kit import Page
from companion.viewmodel.states import ShutScreen

_PENCIL = 10.0
_HEAD = 76.0
"""From the pencil's line to the sentence: the sign and the heading."""
_PITCH = 12.0


def shut(page: Page, s: ShutScreen) -> list[Part]:
    """The parts of the screen; the hint gives way to a long sentence, the sentence to nothing."""
    column = beside_chart(page)
    foot = page.foot
    height = page.type.height((Span(s.sentence),), "lead", column.w)
    hint_height = page.type.height((Span(s.hint),), "body", column.w)
    parts, ground = title_page(page, s, _PENCIL + _HEAD + height + hint_height + 2 * _PITCH + page.height - foot)
    top = ground.y + _PENCIL
    bar = Picture(Box(ground.x, ground.y, ground.w, _PENCIL), surfaces.plain(ground.w, _PENCIL, t.RED_PENCIL, radius=0))
    sign = kit.icon_picture("warning", column.x + 19, top + 38, 40, t.RED_PENCIL)
    room = Box(column.x + 49, top + 8, column.w - 49, 60)
    heading = page.type.fit(Span(s.heading, t.RED_PENCIL), "panel_title", room, valign="middle")
    sentence = page.type.flow(Span(s.sentence), "lead", column.x, top + _HEAD, column.w, room=foot - top - _HEAD - 8)
    parts.append(Art("words", (bar, sign, heading, sentence)))
    y = sentence.box.bottom + _PITCH
    if y + hint_height <= foot - 4:
        parts.append(Art("hint", (page.type.flow(Span(s.hint, t.INK_SOFT), "body", column.x, y, column.w),)))
    return parts + button_row(page, (*s.buttons, s.primary), foot, column=column)
