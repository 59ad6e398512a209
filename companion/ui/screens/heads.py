"""The heads of screens: title and way back over a double rule, or the name and the menu at the top of the panel."""

from __future__ import annotations

from companion.rules.layout import Colour
from companion.ui import tokens as t
from companion.ui.box import Box
from companion.ui.drawing import surfaces
from companion.ui.parts import Art, Drawn, Part, Picture, Span
from companion.ui.screens.buttons import icon_button
from companion.ui.screens.kit import Page, icon_picture
from companion.viewmodel.states import Button


def header(page: Page, title: str, back: Button | None = None, *, right: float = 16.0) -> tuple[list[Part], float]:
    """Title, double rule and the way back; `right` is what is kept free at the right. Returns the title's end too."""
    parts: list[Part] = []
    x = 22.0
    if back:
        parts.append(icon_button(back, Box(8, 6, 60, 60), "back", key="back", size=38))
        x = 80.0
    room = Box(x, 8, page.width - x - right, 56)
    words = page.type.fit(Span(title), "title", room, valign="middle", lines=2 if page.upright else 1)
    rule = Picture(Box(0, t.HEADER_HEIGHT - 1, page.width, 5), surfaces.double_rule(page.width))
    parts.append(Art("header", (words, rule)))
    return parts, x + page.type.width(words.spans, "title", words.size)


def panel_title(page: Page, name: str, colours: tuple[Colour, ...], menu: Button | None, *, icon_name: str = "",
                colour: str = t.INK, free: float = 0.0) -> list[Part]:  # fmt: skip
    """The head of the panel: marks or an icon, the name, the menu; before that so much is kept free."""
    panel = page.panel
    drawn: list[Drawn] = []
    x = panel.x
    for c in colours:
        drawn.append(page.mark(c, x + 20, panel.y + 37, 32))
        x += 40
    if icon_name:
        drawn.append(icon_picture(icon_name, x + 20, panel.y + 40, 40, colour))
        x += 44
    if x > panel.x:
        x += 9
    right = panel.right - (52 if menu else 0) - free
    style, lines = ("name", 1) if colours else ("panel_title", 2)
    drawn.append(
        page.type.fit(Span(name, colour), style, Box(x, panel.y + 8, right - x, 58), valign="middle", lines=lines)
    )
    parts: list[Part] = [Art("title", tuple(drawn))]
    if menu:
        parts.append(icon_button(menu, Box(panel.right - 48, panel.y + 7, 60, 60), "menu", key="menu", size=34))
    return parts
