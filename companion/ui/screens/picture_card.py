"""The card with a part of the camera's picture: what it shows, and the way back."""

from __future__ import annotations

from companion.ui import tokens as t
from companion.ui.box import Box
from companion.ui.drawing import surfaces, svg
from companion.ui.parts import Art, Drawn, Live, Part, Picture, Span
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
    veil = Picture(Box(0, 0, page.width, page.height), surfaces.plain(page.width, page.height, t.VEIL, radius=0),
                   t.DIALOG_VEIL_STRENGTH)  # fmt: skip
    ground = Picture(Box(left, top, whole, height), surfaces.card(whole, height, width=3, radius=14))
    close = Box(x, top + height - _EDGE - 64, words_w, 61)
    shown: list[Part] = [Art("veil", (veil, ground, title, text)), Art("well", tuple(_well(page, card, place)))]
    if card.picture is not None:
        shown.append(Live("picture", place, card.picture, card.outlines))
    return [*shown, button(page, close, card.safe)]


def _well(page: Page, card: PictureCard, place: Box) -> list[Drawn]:
    """Where the picture comes, and that it is on its way."""
    well = Picture(place, svg.rect(0, 0, place.w, place.h, fill=t.WELL))
    if card.picture is not None:
        return [well]
    sign = kit.icon_picture("camera", place.x + place.w / 2, place.y + place.h / 2 - 34, 72, t.INK_SOFT)
    room = Box(place.x + 24, place.y + place.h / 2 + 16, place.w - 48, 60)
    return [well, sign, page.type.fit(Span(card.blank, t.INK_SOFT), "lead", room, halign="center")]
