"""12. Settings: the rail of groups at the left or above, the rows of the open one beside it or below."""

from __future__ import annotations

import math

from companion.ui import tokens as t
from companion.ui.box import Box
from companion.ui.drawing import surfaces, svg
from companion.ui.parts import Art, Drawn, Part, Picture, Press, Span
from companion.ui.screens import kit
from companion.ui.screens.choices import rows
from companion.ui.screens.heads import header
from companion.ui.screens.kit import Page
from companion.viewmodel.states import Button, SettingsScreen

_RAIL = 236.0
_GROUP = 56.0


def settings(page: Page, s: SettingsScreen) -> list[Part]:
    """The parts of the settings screen."""
    parts, _ = header(page, s.title, s.back)
    top = t.HEADER_HEIGHT + 5
    columns = 2 if page.upright else 1
    rail = Box(0, top, page.width if page.upright else _RAIL, 10 + _GROUP * math.ceil(len(s.groups) / columns))
    w = (rail.w - 20) / columns
    for i, group in enumerate(s.groups):
        box = Box(10 + i % columns * w, top + 5 + i // columns * _GROUP, w, _GROUP)
        parts.append(_group(page, group, box, chosen=group.id == s.chosen))
    if page.upright:
        line = Box(0, rail.bottom, page.width, 2)
        body = Box(0, line.bottom, page.width, page.height - line.bottom)
    else:
        line = Box(rail.right, top + 1, 2, page.height - top)
        body = Box(line.right, top, page.width - line.right, page.height - top)
    parts.append(Art("rail", (Picture(line, svg.rect(0, 0, line.w, line.h, fill=t.RULE)),)))
    column = Box(body.x + 20, body.y, body.w - 44, body.h)
    return parts + rows(page, s.rows, s.note, body, column, note_first=True)


def _group(page: Page, b: Button, box: Box, *, chosen: bool) -> Press:
    """Icon and name; the open one is dark."""
    ink = t.CARD if chosen else t.INK
    middle = box.y + box.h / 2
    ground = surfaces.plain(box.w, box.h, t.INK) if chosen else ""
    face: tuple[Drawn, ...] = (
        kit.icon_picture(b.icon or "settings", box.x + 28, middle, 30, ink),
        page.type.fit(Span(b.text, ink), "button", Box(box.x + 54, box.y + 2, box.w - 60, box.h - 4), valign="middle",
                      lines=2),
    )  # fmt: skip
    up = (Picture(box, ground), *face) if chosen else face
    down = Picture(box, surfaces.plain(box.w, box.h, t.INK if chosen else t.WELL))
    return Press(b.id, b.id, box, up, (down, *face), b.enabled)
