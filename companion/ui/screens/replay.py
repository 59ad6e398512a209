"""10b. A game looked at again: the board, the turn in words, the slider and the way through the steps."""

from __future__ import annotations

from companion.ui import tokens as t
from companion.ui.box import Box
from companion.ui.drawing import surfaces
from companion.ui.parts import Art, Drawn, Part, Picture, Slider, Span
from companion.ui.screens import kit
from companion.ui.screens.buttons import Look, as_icon, button, icon_button
from companion.ui.screens.kit import Page
from companion.ui.screens.notes import note_box
from companion.viewmodel.states import Button, Line, ReplayScreen

_HEADING_TOP = 70.0
_SLIDER_HEIGHT = 44.0


def replay(page: Page, s: ReplayScreen) -> list[Part]:
    """The parts of the screen; of the lines the oldest give way."""
    panel = page.panel
    foot = panel.bottom - 73
    steps = (foot if s.buttons else panel.bottom - 3) - 74
    heading_top, above = (panel.y + 64, 52.0) if page.upright else (_HEADING_TOP, 60.0)
    slider = Box(panel.x + 8, steps - above, panel.w - 16, _SLIDER_HEIGHT)
    parts = kit.board(page, s.board)
    parts.append(icon_button(s.back, Box(panel.x - 16, panel.y + 7, 60, 60), "back", key="back", size=36))
    title = page.type.fit(
        Span(s.title), "panel_title", Box(panel.x + 46, panel.y + 12, panel.w - 46, 52), valign="middle", lines=1
    )
    parts.append(Art("head", (title, *_heading(page, s.heading, Box(panel.x, heading_top, panel.w, 36)))))
    y = heading_top + (36 if page.upright else 40)
    if s.note:
        note, y = note_box(page, s.note, Box(panel.x, y, panel.w, 0))
        parts.append(note)
        y += 4
    parts.append(_lines(page, s.lines, Box(panel.x, y, panel.w, slider.y - 4 - y)))
    parts.append(Slider("slider", "step", slider, s.step, 0, max(1, s.steps), 1, enabled=s.steps > 0))
    parts += _steps(page, s, Box(panel.x, steps, panel.w, 64))
    parts += _foot(page, s.buttons, Box(panel.x, foot, panel.w, 61))
    return parts


def _heading(page: Page, line: Line, box: Box) -> list[Drawn]:
    """Whose turn, larger than the lines below."""
    indent = 40.0 if line.mark else 0.0
    words = page.type.fit(Span(line.text, bold=True), "strong", Box(box.x + indent, box.y, box.w - indent, box.h),
                          valign="middle", lines=1)  # fmt: skip
    return [*([page.mark(line.mark, box.x + 14, box.y + box.h / 2, 25)] if line.mark else []), words]


def _lines(page: Page, lines: tuple[Line, ...], box: Box) -> Art:
    """As many of the last lines as there is room for, in order, with rules between them."""
    indent = 32.0
    shown: list[tuple[Line, float]] = []
    free = box.h
    for line in reversed(lines):
        room = box.w - (indent if line.mark or line.icon else 0) - (40 if line.figure else 0)
        height = max(34.0, page.type.height(kit.spans_of(line), "body", room) + 10)
        if height > free:
            break
        shown.insert(0, (line, height))
        free -= height
    drawn: list[Drawn] = []
    y = box.y
    for line, height in shown:
        if y > box.y:
            drawn.append(Picture(Box(box.x, y, box.w, 1), surfaces.rule(box.w)))
        drawn += kit.list_line(page, line, Box(box.x, y, box.w, height), indent=indent)
        y += height
    return Art("lines", tuple(drawn))


def _steps(page: Page, s: ReplayScreen, box: Box) -> list[Part]:
    """Back, play, on: icons, play the widest."""
    side = 75.0
    look = Look(icon_size=30)
    middle = Box(box.x + side + t.GAP, box.y, box.w - 2 * (side + t.GAP), box.h)
    return [
        button(page, Box(box.x, box.y, side, box.h), as_icon(s.before, "back"), look),
        button(page, middle, as_icon(s.play, "play"), look),
        button(page, Box(box.right - side, box.y, side, box.h), as_icon(s.after, "forward"), look),
    ]


def _foot(page: Page, buttons: tuple[Button, ...], box: Box) -> list[Part]:
    """One button in words across the foot, the others before it as squares."""
    parts: list[Part] = []
    x = box.x
    for b in buttons[:-1]:
        parts.append(button(page, Box(x, box.y, t.BUTTON_HEIGHT, box.h), as_icon(b, "export"), Look(icon_size=30)))
        x += t.BUTTON_HEIGHT + t.GAP
    for b in buttons[-1:]:
        parts.append(button(page, Box(x, box.y, box.right - x, box.h), b, Look(icon_size=30)))
    return parts
