"""The card with a part of the camera's picture: what it shows, and the way back."""

from __future__ import annotations

from companion.ui import tokens as t
from companion.ui.box import Box
from companion.ui.drawing import svg
from companion.ui.parts import Art, Live, Part, Picture, Span
from companion.ui.screens import kit
from companion.ui.screens.buttons import button
from companion.ui.screens.kit import Page
from companion.viewmodel.states import PictureCard

_WIDTH = 760.0
_EDGE = 20.0
_WORDS = 212.0
"""How wide the words are beside the picture."""

_SHAPE = 4 / 3
"""Width by height of the picture's place."""


def picture_card(page: Page, card: PictureCard) -> list[Part]:
    """The parts of the card: the words beside the picture, on an upright screen under it."""
    whole = min(_WIDTH, page.width - 24)
    inner = whole - 2 * _EDGE
    wide = inner if page.upright else inner - _WORDS - _EDGE
    high = wide / _SHAPE
    words_w = inner if page.upright else _WORDS
    heights = (
        page.type.height((Span(card.title),), "subtitle", words_w),
        page.type.height((Span(card.text),), "lead", words_w),
    )
    words_h = sum(heights) + 10
    height = 2 * _EDGE + high + (16 + words_h + 18 + t.BUTTON_HEIGHT if page.upright else 0)
    left, top = (page.width - whole) / 2, max(8.0, (page.height - height) / 2)
    place = Box(left + _EDGE, top + _EDGE, wide, high)
    x, y = (place.x, place.bottom + 16) if page.upright else (place.right + _EDGE, place.y)
    title = page.type.flow(Span(card.title), "subtitle", x, y, words_w)
    text = page.type.flow(Span(card.text), "lead", x, title.box.bottom + 10, words_w)
    over = kit.laid_over(page, Box(left, top, whole, height))
    close = Box(x, top + height - _EDGE - 64, words_w, 61)
    parts: list[Part] = [
        Art("veil", (*over, title, text)),
        Art("well", (Picture(place, svg.rect(0, 0, place.w, place.h, fill=t.WELL)),)),
    ]
    if card.picture is not None:
        parts.append(Live("picture", place, card.picture, card.outlines))
    else:
        parts.append(Art("blank", kit.no_picture(page, place, card.blank)))
    return [*parts, button(page, close, card.safe)]
