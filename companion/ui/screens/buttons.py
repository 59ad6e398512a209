"""Buttons: a face of icon or mark and words on a ground which can be pressed down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from companion.ui import tokens as t
from companion.ui.box import Box
from companion.ui.drawing import surfaces
from companion.ui.drawing.marks import LETTERED
from companion.ui.parts import Art, Drawn, Part, Picture, Press, Span, Words
from companion.ui.screens.kit import Page, icon_picture, move
from companion.ui.text import Halign, Valign, whole
from companion.viewmodel.states import Button, Icon

USUAL_HEIGHT = 61.0
"""Of a face: with a hard edge below it a button is 64 high."""
_TEXT, _LINE = 22.0, 23.0
_PAD = 12.0
_BELOW = 34.0
"""How far down words begin that stand below a mark or an icon."""


class Look(NamedTuple):
    """How a button's face is set: text style, from where, the icon's size. `below`: the words below icon or mark."""

    style: str = ""
    align: Literal["center", "left", "below"] = "center"
    icon_size: float = 32.0


HELP = 30.0
"""The room that a sign of help takes after the words it explains."""


class Inks(NamedTuple):
    """The colours of a button's text and of its second line."""

    text: str
    line: str


def button(page: Page, box: Box, b: Button, look: Look = Look(), *, key: str | None = None) -> Press:  # noqa: B008
    """A button whose face fills `box`; its hard edge reaches `BUTTON_EDGE` below."""
    outer = Box(box.x, box.y, box.w, box.h + t.BUTTON_EDGE)
    up, down, inks = grounds(b, outer)
    style = look.style or ("primary" if b.kind == "primary" else "button")
    face = _face(page, box, b, inks, look._replace(style=style))
    pressed = tuple(move(d, 0, t.BUTTON_EDGE) for d in face)
    return Press(key or b.id, b.id, box, (up, *face), (down, *pressed), b.enabled)


def height_for(page: Page, b: Button, width: float, look: Look = Look(align="left")) -> float:  # noqa: B008
    """How high a button has to be across `width` u: higher if its text or its line takes two."""
    if not b.line:
        return USUAL_HEIGHT
    if look.align == "below" and (b.mark or b.icon):
        return max(USUAL_HEIGHT, _BELOW + sum(_heights(page, b, width - 8)) + 8)
    room = width - 2 * _PAD - _before(page, b, Look(align="left"))
    return USUAL_HEIGHT + sum(_heights(page, b, room)) - _TEXT - _LINE


def _heights(page: Page, b: Button, room: float) -> tuple[float, float]:
    """Of its text and its line, wrapped to `room` u."""
    return page.type.height((Span(b.text),), "button", room), page.type.height((Span(b.line),), "body", room)


def grounds(b: Button, outer: Box) -> tuple[Picture, Picture, Inks]:
    """The button's ground at rest and pressed, and the inks on it."""
    w, h = outer.w, outer.h
    if not b.enabled:
        flat = Picture(outer, surfaces.off(w, h))
        return flat, flat, Inks(t.OFF_TEXT, t.OFF_TEXT)
    if b.kind == "primary":
        up, down = surfaces.primary(w, h), surfaces.primary(w, h, pressed=True)
        return Picture(outer, up), Picture(outer, down), Inks(t.CARD, t.CARD)
    rim = t.RED_PENCIL if b.kind == "danger" else t.INK
    up, down = surfaces.secondary(w, h, line=rim), surfaces.secondary(w, h, pressed=True, line=rim)
    return Picture(outer, up), Picture(outer, down), Inks(rim, t.INK_SOFT)


def _face(page: Page, box: Box, b: Button, inks: Inks, look: Look) -> tuple[Drawn, ...]:
    """Icon or mark, then the words; centred together, or from the left. `forward` stands after the words."""
    middle_y = box.y + box.h / 2
    if not b.text:
        return (_sign(page, b, (box.x + box.w / 2, middle_y), inks.text, (min(31.0, box.h * 0.56), look.icon_size)),)
    if look.align == "below" and (b.mark or b.icon):
        return _upright(page, box, b, inks)
    left = look.align == "left"
    onward = b.icon == "forward"
    before = _before(page, b, look)
    after = 32.0 if onward else 0.0
    pad = _pad(b, box.w)
    room = box.w - 2 * pad - before - after
    words = _words(page, b, inks, look.style, Box(0, box.y, room, box.h))
    width = room if left else min(room, max(_natural_width(page, w) for w in words) + 1)
    x = box.x + (pad if left else (box.w - before - width - after) / 2)
    drawn: list[Drawn] = []
    if before:
        sign_x = x + (19 if left else 15) + _lettered(page) / 2 if b.mark else x + look.icon_size / 2
        drawn.append(_sign(page, b, (sign_x, middle_y), inks.text, (LETTERED, look.icon_size)))
    halign: Halign = "left" if left or before or b.line else "center"
    for w in words:
        place = Box(x + before, w.box.y, width, w.box.h)
        drawn.append(Words(place, w.spans, w.style, w.size, halign, "middle"))
    if onward:
        drawn.append(icon_picture("forward", x + before + width + 22, middle_y, 26, inks.text))
    return tuple(drawn)


def _pad(b: Button, width: float) -> float:
    return _PAD if width > 150 else 10.0 if b.kind == "primary" else 7.0


def _before(page: Page, b: Button, look: Look) -> float:
    """How far in the words begin after a mark or an icon."""
    if b.mark:
        return (42.0 if look.align == "left" else 38.0) + _lettered(page)
    return look.icon_size + 8.0 if b.icon and b.icon != "forward" else 0.0


def _lettered(page: Page) -> float:
    """How much wider marks with letters are."""
    return 6.0 if page.mark_letters else 0.0


def _upright(page: Page, box: Box, b: Button, inks: Inks) -> tuple[Drawn, ...]:
    """The words below the mark or icon, and the line below them where the button is high enough for it."""
    sign = _sign(page, b, (box.x + box.w / 2, box.y + 20), inks.text, (LETTERED, 26.0))
    room = Box(box.x + 4, box.y + _BELOW, box.w - 8, box.h - _BELOW - 3)
    text, line = _heights(page, b, room.w)
    if not b.line or text + line > room.h:
        lines = max(1, int(room.h / 22))
        return sign, page.type.fit(
            Span(b.text, inks.text), "button", room, halign="center", valign="middle", lines=lines
        )
    at = Box(room.x, room.y + (room.h - text - line) / 2, room.w, text)
    words = page.type.fit(Span(b.text, inks.text), "button", at, halign="center")
    return (
        sign,
        words,
        page.type.fit(Span(b.line, inks.line), "body", Box(at.x, at.bottom, at.w, line), halign="center"),
    )


def _sign(page: Page, b: Button, at: tuple[float, float], ink: str, sizes: tuple[float, float]) -> Picture:
    """The mark or the icon, in the first or second of the sizes."""
    if b.mark:
        return page.mark(b.mark, *at, sizes[0])
    return icon_picture(b.icon or "forward", *at, sizes[1], ink)


def _words(page: Page, b: Button, inks: Inks, style: str, box: Box) -> list[Words]:
    """The text, over its line if it has one, for a box as wide as there is room."""
    middle_y, room = box.y + box.h / 2, box.w
    if not b.line:
        words = page.type.fit(Span(b.text, inks.text), style, Box(0, box.y + 3, room, box.h - 6), lines=2)
        if whole(words, b.text):
            return [words]
        return [page.type.fit(Span(b.text, inks.text), "button", Box(0, box.y + 1, room, box.h - 2), lines=3)]
    more = box.h - USUAL_HEIGHT
    text = page.type.fit(Span(b.text, inks.text), style, Box(0, 0, room, 25 + more))
    text_height = page.type.height(text.spans, text.style, room, text.size)
    line = page.type.fit(Span(b.line, inks.line), "body", Box(0, 0, room, _LINE + more - (text_height - _TEXT)))
    line_height = page.type.height(line.spans, line.style, room, line.size)
    top = middle_y - (text_height + 2 + line_height) / 2
    return [
        replace(text, box=Box(0, top, room, text_height)),
        replace(line, box=Box(0, top + text_height + 2, room, line_height)),
    ]


def _natural_width(page: Page, words: Words) -> float:
    """The width of text on one line; all the room if it takes two."""
    one_line = page.type.width(words.spans, words.style, words.size)
    return one_line if one_line <= words.box.w else words.box.w


def as_icon(b: Button, icon: Icon | None = None) -> Button:
    """The button as its icon alone; `icon` is for one that has none."""
    return Button(id=b.id, text="", icon=b.icon or icon, kind=b.kind, enabled=b.enabled)


def icon_button(b: Button, box: Box, icon: Icon, *, key: str | None = None, size: float = 30,
                colour: str = t.INK) -> Press:  # fmt: skip
    """An icon without a ground, in the header or at the end of a row; `icon` is for a button that has none."""
    middle = (box.x + box.w / 2, box.y + box.h / 2)
    ink = colour if b.enabled else t.RULE_SOFT
    up = icon_picture(b.icon or icon, *middle, size, ink)
    down = Picture(box, surfaces.plain(box.w, box.h, t.WELL))
    return Press(key or b.id, b.id, box, (up,), (down, up), b.enabled)


def helped(page: Page, said: Span, style: str, box: Box, b: Button | None, *, key: str,
           lines: int | None = None) -> Part:  # fmt: skip
    """Words that are explained when they are touched, a small sign after them; without `b` words alone.

    On a single line that has no room for both the sign gives way.
    """
    valign: Valign = "middle" if lines else "top"
    alone = page.type.fit(said, style, box, valign=valign, lines=lines)
    if b is None:
        return Art(key, (alone,))
    low = Picture(box.inset(-6, -2), surfaces.plain(box.w + 12, box.h + 4, t.WELL, radius=8))
    words = page.type.fit(said, style, Box(box.x, box.y, box.w - HELP, box.h), valign=valign, lines=lines)
    if lines == 1 and not whole(words, said.text):
        return Press(key, b.id, box, (alone,), (low, alone), b.enabled)
    end = min(box.w - HELP, page.type.width(words.spans, style, words.size)) if lines == 1 else box.w - HELP
    sign = icon_picture("info", box.x + end + HELP / 2 + 2, box.y + min(box.h, 28) / 2, 21, t.RULE)
    return Press(key, b.id, box, (words, sign), (low, words, sign), b.enabled)


def button_row(page: Page, buttons: tuple[Button, ...], y: float, *, column: Box | None = None) -> list[Part]:
    """Buttons side by side along the foot of the panel, or of another `column`.

    Those with an icon only are square, the others share the rest.
    """
    panel = column or page.panel
    side = t.BUTTON_HEIGHT
    squares = sum(1 for b in buttons if not b.text)
    rest = panel.w - squares * side - t.GAP * (len(buttons) - 1)
    texts = tuple(b for b in buttons if b.text)
    shares = _shares(page, texts, rest)
    look = look_in_row(page, texts, shares)
    widths = iter(shares)
    parts: list[Part] = []
    x = panel.x
    for b in buttons:
        w = next(widths) if b.text else side
        parts.append(button(page, Box(x, y, w, side), b, look))
        x += w + t.GAP
    return parts


def look_in_row(page: Page, buttons: Sequence[Button], widths: Sequence[float]) -> Look:
    """How buttons beside each other look: where one has no room beside its mark or icon, all have their words below."""
    fit = all(_fits_beside(page, b, w) for b, w in zip(buttons, widths, strict=True))
    return Look() if fit else Look(align="below")


def _fits_beside(page: Page, b: Button, width: float) -> bool:
    """True if no word has to be cut beside the mark or icon."""
    before = _before(page, b, Look())
    if not before:
        return True
    room = width - 2 * _pad(b, width) - before
    return whole(_words(page, b, Inks(t.INK, t.INK), "button", Box(0, 0, room, t.BUTTON_HEIGHT))[0], b.text)


def _shares(page: Page, buttons: tuple[Button, ...], room: float) -> list[float]:
    """How wide each becomes: all alike, unless one needs more and another less."""
    if not buttons:
        return []
    need = [page.type.width((Span(b.text),), "button") + _before(page, b, Look()) + 2 * _PAD for b in buttons]
    alike = room / len(buttons)
    if sum(need) > room or max(need) <= alike:
        return [alike] * len(buttons)
    return [width + (room - sum(need)) / len(buttons) for width in need]
