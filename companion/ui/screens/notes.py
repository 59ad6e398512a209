"""A bordered note with an icon: a lesser matter than what takes the whole panel."""

from __future__ import annotations

from companion.ui import tokens as t
from companion.ui.box import Box
from companion.ui.drawing import surfaces
from companion.ui.parts import Art, Drawn, Picture, Span
from companion.ui.screens.kit import Page, icon_picture
from companion.viewmodel.states import Note

_ICON, _NO_ICON = 54.0, 14.0
"""Where the text begins."""


def note_box(page: Page, n: Note, box: Box, *, room: float | None = None) -> tuple[Art, float]:
    """A note across `box`, as high as its text needs. Returns its lower end too.

    If that is more than `room`, the icon gives its place to the text; what is still too much is cut.
    """
    note, end = _note_box(page, n, box, _ICON, None)
    if room is None or end - box.y <= room:
        return note, end
    return _note_box(page, n, box, _NO_ICON, room)


def _note_box(page: Page, n: Note, box: Box, indent: float, room: float | None) -> tuple[Art, float]:
    fault = n.kind == "fault"
    ink = t.CARD if fault else t.INK
    strong_ink = {"fault": t.CARD, "warning": t.RED_PENCIL, "info": t.OK}[n.kind]
    default_icon = {"fault": "camera_off", "warning": "warning", "info": "info"}[n.kind]
    x = box.x + indent
    width = box.right - 14 - x
    y = box.y + 9
    words: list[Drawn] = []
    headed = bool(n.strong) and not n.strong.endswith((".", "!", "?", ":"))
    if headed:
        style = "strong" if fault else "body_strong"
        head = page.type.flow(Span(n.strong, strong_ink), style, x, y, width)
        words.append(head)
        y = head.box.bottom
        spans: tuple[Span, ...] = (Span(n.text, ink),)
    else:
        spans = (*((Span(n.strong + " ", strong_ink, bold=True),) if n.strong else ()), Span(n.text, ink))
    if n.text or not fault:
        below = 0.0 if not n.line else page.type.height((Span(n.line),), "body", box.w) + 6
        rest = None if room is None else max(23.0, box.y + room - 9 - below - y)
        body = page.type.flow(spans, "body", x, y, width, room=rest)
        words.append(body)
        y = body.box.bottom
    height = max(y + 9 - box.y, 56)
    rim = {"fault": t.RED_PENCIL, "warning": t.RED_PENCIL, "info": t.RULE_SOFT}[n.kind]
    ground = surfaces.plain(box.w, height, t.RED_PENCIL) if fault else surfaces.card(
        box.w, height, line=rim, width=1.2 if n.kind == "info" else 2.0
    )  # fmt: skip
    icon_ink = t.CARD if fault else (t.OK if n.kind == "info" else t.RED_PENCIL)
    sign = icon_picture(n.icon or default_icon, box.x + 28, box.y + min(28, height / 2), 34, icon_ink)
    signs = [sign] if indent == _ICON else []
    drawn: list[Drawn] = [Picture(Box(box.x, box.y, box.w, height), ground), *signs, *words]
    end = box.y + height
    if n.line:
        small = page.type.flow(Span(n.line, t.INK_SOFT), "body", box.x, end + 6, box.w)
        drawn.append(small)
        end = small.box.bottom
    return Art("note", tuple(drawn)), end
