"""5. Contradiction: which hex, what stands there, the rule, and the way back. The board stays undimmed."""

from __future__ import annotations

from companion.ui import tokens as t
from companion.ui.box import Box
from companion.ui.drawing import surfaces
from companion.ui.parts import Art, Drawn, Part, Picture, Span, Words
from companion.ui.screens import kit
from companion.ui.screens.buttons import HELP, button_row, helped
from companion.ui.screens.kit import Page
from companion.viewmodel.states import ContradictionScreen, Line

_PENCIL = 10.0


def contradiction(page: Page, s: ContradictionScreen) -> list[Part]:
    """The parts of the screen. The rule and the way back never give way to longer words; the hint does."""
    panel = page.panel
    left = t.BOARD_WIDTH + t.NEATLINE
    parts = kit.board(page, s.board)
    bar = Picture(Box(left, 0, page.width - left, _PENCIL),
                  surfaces.plain(page.width - left, _PENCIL, t.RED_PENCIL, radius=0))  # fmt: skip
    title = page.type.fit(Span(s.title, t.RED_PENCIL), "panel_title", Box(panel.x + 49, 12, panel.w - 49, 56),
                          valign="middle")  # fmt: skip
    head: list[Drawn] = [bar, kit.icon_picture("warning", panel.x + 19, 43, 40, t.RED_PENCIL), title]
    strong = (Span(s.strong, bold=True),) if s.strong else ()
    foot = page.height - 77
    words, rule_and_way, y = _rule_and_way(page, s, (Span(s.sentence + (" " if strong else "")), *strong))
    if strong and y > foot - 8:
        words, rule_and_way, y = _rule_and_way(page, s, strong)
    parts += [Art("words", (*head, words)), *rule_and_way]
    if s.hint:
        height = page.type.height((Span(s.hint),), "body", panel.w)
        if y + 4 + height <= foot - 4:
            hint = kit.paragraph(page, Span(s.hint, t.INK_SOFT), "body", foot - 9 - height)
            parts.append(Art("hint", (hint,)))
    parts += button_row(page, s.buttons, foot)
    return parts


def _rule_and_way(page: Page, s: ContradictionScreen, spans: tuple[Span, ...]) -> tuple[Words, list[Part], float]:
    """What is wrong; the rule's number, to be pressed, and the way back; where they end."""
    panel = page.panel
    words = kit.paragraph(page, spans, "lead", 69, room=160)
    y = words.box.bottom
    parts: list[Part] = []
    if s.rule:
        number = Span(s.rule.text, t.INK_SOFT)
        box = Box(panel.x, y + 2, min(panel.w, page.type.width((number,), "body") + HELP + 1), 24)
        parts.append(helped(page, number, "body", box, s.rule, key="rule", lines=1))
        y = box.bottom
    way, y = _way_back(page, s.way_back, y + 12)
    return words, [*parts, way], y


def _way_back(page: Page, lines: tuple[Line, ...], y: float) -> tuple[Art, float]:
    """What to put where: one bordered card with a line for each piece."""
    if not lines:
        return Art("way", ()), y
    panel = page.panel
    indent = 62.0
    room = panel.w - indent - 14
    heights = [max(40.0, page.type.height((Span(line.text, bold=True),), "body", room) + 10) for line in lines]
    height = max(64.0, sum(heights) + 8)
    box = Box(panel.x, y, panel.w, height)
    drawn: list[Drawn] = [Picture(box, surfaces.card(box.w, box.h, line=t.RED_PENCIL))]
    at = y + (height - sum(heights)) / 2
    for line, h in zip(lines, heights, strict=True):
        middle = at + h / 2
        if line.mark:
            drawn.append(kit.mark_picture(line.mark, panel.x + 32, middle, 28))
        else:
            drawn.append(kit.icon_picture(line.icon or "forward", panel.x + 32, middle, 32))
        words = page.type.fit(Span(line.text, bold=True), "body", Box(panel.x + indent, at, room, h), valign="middle")
        drawn.append(words)
        at += h
    return Art("way", tuple(drawn)), y + height
