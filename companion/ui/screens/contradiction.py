"""5. Contradiction: which hex, what stands there, the rule, and the way back. The board stays undimmed."""

from __future__ import annotations

from companion.ui import tokens as t
from companion.ui.box import Box
from companion.ui.drawing import surfaces
from companion.ui.parts import Art, Drawn, Part, Picture, Span, Words
from companion.ui.screens import kit
from companion.ui.screens.buttons import HELP, as_icon, button_row, helped
from companion.ui.screens.kit import Page
from companion.viewmodel.states import ContradictionScreen, Line

_PENCIL = 10.0


def contradiction(page: Page, s: ContradictionScreen) -> list[Part]:
    """The parts of the screen. The rule and the way back never give way to longer words; the hint does."""
    panel = page.panel
    ground = page.ground
    parts = kit.board(page, s.board)
    bar = Picture(Box(ground.x, ground.y, ground.w, _PENCIL),
                  surfaces.plain(ground.w, _PENCIL, t.RED_PENCIL, radius=0))  # fmt: skip
    beside = _rule_width(page, s) + t.GAP if page.upright and s.rule else 0.0
    room = Box(panel.x + 49, ground.y + 12, panel.w - 49 - beside, 56)
    title = page.type.fit(Span(s.title, t.RED_PENCIL), "panel_title", room, valign="middle")
    head: list[Drawn] = [bar, kit.icon_picture("warning", panel.x + 19, ground.y + 43, 40, t.RED_PENCIL), title]
    strong = (Span(s.strong, bold=True),) if s.strong else ()
    foot = page.foot
    words, rule_and_way, y = _rule_and_way(page, s, (Span(s.sentence + (" " if strong else "")), *strong))
    if strong and y > foot - 8:
        words, rule_and_way, y = _rule_and_way(page, s, strong)
    parts += [Art("words", (*head, words)), *rule_and_way]
    if s.hint:
        height = page.type.height((Span(s.hint),), "body", panel.w)
        if y + 4 + height <= foot - 4:
            hint = kit.paragraph(page, Span(s.hint, t.INK_SOFT), "body", foot - 9 - height)
            parts.append(Art("hint", (hint,)))
    parts += button_row(page, tuple(as_icon(b) if b.icon == "menu" else b for b in s.buttons), foot)
    return parts


def _rule_and_way(page: Page, s: ContradictionScreen, spans: tuple[Span, ...]) -> tuple[Words, list[Part], float]:
    """What is wrong; the rule's number, to be pressed, and the way back; where they end.

    In a low panel the number stands beside the title.
    """
    panel, top = page.panel, page.ground.y
    words = kit.paragraph(page, spans, "lead", top + (62 if page.upright else 69), room=160)
    y = words.box.bottom
    parts: list[Part] = []
    if s.rule:
        w = _rule_width(page, s)
        box = Box(panel.right - w, top + 31, w, 24) if page.upright else Box(panel.x, y + 2, w, 24)
        parts.append(helped(page, Span(s.rule.text, t.INK_SOFT), "body", box, s.rule, key="rule", lines=1))
        y = max(y, box.bottom)
    way, y = _way_back(page, s.way_back, y + (9 if page.upright else 12))
    return words, [*parts, way], y


def _rule_width(page: Page, s: ContradictionScreen) -> float:
    """How wide the rule's number is with the sign of help after it."""
    return min(page.panel.w, page.type.width((Span(s.rule.text),), "body") + HELP + 1) if s.rule else 0.0


def _way_back(page: Page, lines: tuple[Line, ...], y: float) -> tuple[Art, float]:
    """What to put where: one bordered card with a line for each piece."""
    if not lines:
        return Art("way", ()), y
    panel = page.panel
    indent = 62.0
    room = panel.w - indent - 14
    least, pad = (30.0, 6.0) if page.upright else (40.0, 10.0)
    heights = [max(least, page.type.height((Span(line.text, bold=True),), "body", room) + pad) for line in lines]
    height = max(least + 24, sum(heights) + 8)
    box = Box(panel.x, y, panel.w, height)
    drawn: list[Drawn] = [Picture(box, surfaces.card(box.w, box.h, line=t.RED_PENCIL))]
    at = y + (height - sum(heights)) / 2
    for line, h in zip(lines, heights, strict=True):
        middle = at + h / 2
        if line.mark:
            drawn.append(page.mark(line.mark, panel.x + 32, middle, 28))
        else:
            drawn.append(kit.icon_picture(line.icon or "forward", panel.x + 32, middle, 32))
        words = page.type.fit(Span(line.text, bold=True), "body", Box(panel.x + indent, at, room, h), valign="middle")
        drawn.append(words)
        at += h
    return Art("way", tuple(drawn)), y + height
