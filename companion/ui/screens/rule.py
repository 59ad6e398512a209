"""The card of a rule: its picture at the left, its number, what it says, and the way back."""

from __future__ import annotations

from companion.ui import tokens as t
from companion.ui.box import Box
from companion.ui.drawing import surfaces
from companion.ui.drawing.scrap import scrap
from companion.ui.parts import Art, Part, Picture, Span
from companion.ui.screens.buttons import button
from companion.ui.screens.kit import Page
from companion.viewmodel.states import RuleCard

_WIDTH = 680.0
_EDGE = 24.0
_PICTURE = 236.0
_LEAST = 250.0


def rule_card(page: Page, card: RuleCard) -> list[Part]:
    """The parts of the card; it is as high as its words need."""
    left = (page.width - _WIDTH) / 2
    x = left + _EDGE + _PICTURE + 22
    width = left + _WIDTH - _EDGE - x
    words = [page.type.flow(Span(card.rule, t.INK_SOFT), "body", x, 0, width)]
    words.append(page.type.flow(Span(card.title), "subtitle", x, words[-1].box.bottom, width))
    words.append(page.type.flow(Span(card.sentence, bold=True), "lead", x, words[-1].box.bottom + 8, width))
    if card.text:
        words.append(page.type.flow(Span(card.text), "lead", x, words[-1].box.bottom + 6, width))
    body = max(_LEAST, words[-1].box.bottom)
    height = _EDGE + body + 18 + t.BUTTON_HEIGHT + _EDGE - 6
    top = max(8.0, (page.height - height) / 2)
    veil = Picture(Box(0, 0, page.width, page.height), surfaces.plain(page.width, page.height, t.VEIL, radius=0),
                   t.DIALOG_VEIL_STRENGTH)  # fmt: skip
    ground = Picture(Box(left, top, _WIDTH, height), surfaces.card(_WIDTH, height, width=3, radius=14))
    y = top + _EDGE
    picture = Picture(Box(left + _EDGE, y, _PICTURE, body), scrap(card.picture, _PICTURE, body))
    shown = [page.type.flow(w.spans, w.style, x, y + w.box.y, width) for w in words]
    close = Box(left + _EDGE, y + body + 18, _WIDTH - 2 * _EDGE, 61)
    return [Art("veil", (veil, ground)), Art("rule", (picture, *shown)), button(page, close, card.safe)]
