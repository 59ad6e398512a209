"""12. Settings: the rail of groups at the left, the rows of the open one beside it."""

from __future__ import annotations

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
    line = svg.rect(0, 0, 2, page.height - top, fill=t.RULE)
    parts.append(Art("rail", (Picture(Box(_RAIL, top + 1, 2, page.height - top), line),)))
    for i, group in enumerate(s.groups):
        box = Box(10, top + 5 + i * _GROUP, _RAIL - 20, _GROUP)
        parts.append(_group(page, group, box, chosen=group.id == s.chosen))
    body = Box(_RAIL + 2, top, page.width - _RAIL - 2, page.height - top)
    column = Box(body.x + 20, top, body.w - 44, body.h)
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
