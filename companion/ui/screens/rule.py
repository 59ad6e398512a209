"""The card of a rule: its picture, its number, what it says, and the way back."""

from __future__ import annotations

from companion.ui import tokens as t
from companion.ui.box import Box
from companion.ui.drawing.scrap import scrap
from companion.ui.parts import Art, Part, Picture, Span, Words
from companion.ui.screens import kit
from companion.ui.screens.buttons import button
from companion.ui.screens.kit import Page
from companion.viewmodel.states import RuleCard

_WIDTH = 680.0
_EDGE = 24.0
_PICTURE = 236.0
_LEAST = 250.0
_LOW, _APART = 230.0, 16.0
"""How high the picture is over the words, and how far from them."""


def rule_card(page: Page, card: RuleCard) -> list[Part]:
    """The parts of the card; it is as high as its words need. On an upright screen the picture stands over them."""
    whole = min(_WIDTH, page.width - 24)
    inner = whole - 2 * _EDGE
    right, down = (0.0, _LOW + _APART) if page.upright else (_PICTURE + 22, 0.0)
    words = _words(page, card, inner - right)
    body = max(_LEAST, down + words[-1].box.bottom)
    height = _EDGE + body + 18 + t.BUTTON_HEIGHT + _EDGE - 6
    left, top = (page.width - whole) / 2, max(8.0, (page.height - height) / 2)
    over = kit.laid_over(page, Box(left, top, whole, height))
    x, y = left + _EDGE, top + _EDGE
    w, h = (inner, _LOW) if page.upright else (_PICTURE, body)
    picture = Picture(Box(x, y, w, h), scrap(card.picture, w, h))
    shown = [kit.move(told, x + right, y + down) for told in words]
    close = Box(x, y + body + 18, inner, 61)
    return [Art("veil", over), Art("rule", (picture, *shown)), button(page, close, card.safe)]


def _words(page: Page, card: RuleCard, width: float) -> list[Words]:
    """Number, title, sentence and text, as if they began at (0, 0)."""
    words = [page.type.flow(Span(card.rule, t.INK_SOFT), "body", 0, 0, width)]
    words.append(page.type.flow(Span(card.title), "subtitle", 0, words[-1].box.bottom, width))
    words.append(page.type.flow(Span(card.sentence, bold=True), "lead", 0, words[-1].box.bottom + 8, width))
    if card.text:
        words.append(page.type.flow(Span(card.text), "lead", 0, words[-1].box.bottom + 6, width))
    return words
