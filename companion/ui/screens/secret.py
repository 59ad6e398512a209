"""7 and 8 in private: the curtain, the quarter disc in the viewer's own corner, and the card while it is held.

Everything but the card is drawn from values that do not depend on any secret, and the card has one size whatever is
on it. The parts are laid out for a viewer at the lower edge; the root turns the whole screen for one opposite.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from companion.rules.layout import Colour
from companion.ui import tokens as t
from companion.ui.box import Box
from companion.ui.drawing import surfaces, svg
from companion.ui.parts import Art, Drawn, HoldCorner, Part, Picture, Press, Span, Words
from companion.ui.screens import kit
from companion.ui.screens.kit import Page
from companion.ui.text import whole
from companion.viewmodel.states import Button, Corner, SecretCard, SecretScreen

_CARD, _HIGH_CARD = Box(214, 35, 552, 338), Box(16, 66, 448, 486)
"""Where the card lies for a viewer's left corner, on the smallest screen, wide and upright."""
_R = t.CORNER_RADIUS
_BACK = 156.0
_LINE_ROOM = 44.0
"""An answer's second line is there where all of it fits, and two lines would."""
_IN_ONE_ROW = 4
"""More answers than these come in two rows, and smaller."""


class _Side(NamedTuple):
    """Where things lie for a viewer whose corner is left or right."""

    west: bool
    width: float

    def box(self, x: float, y: float, w: float, h: float) -> Box:
        """A box given for the left corner, mirrored for the right one."""
        return Box(x if self.west else self.width - x - w, y, w, h)


def turned(s: SecretScreen) -> bool:
    """True if the viewer sits at the upper edge: the screen is turned by 180 degrees for them."""
    return s.corner in ("nw", "ne")


def secret(page: Page, s: SecretScreen) -> list[Part]:
    """The parts of the curtain."""
    corner: Corner = s.corner
    if turned(s):
        corner = "se" if s.corner == "nw" else "sw"
    side = _Side(corner == "sw", page.width)
    grow = (page.height - (800 if page.upright else 480)) / 2
    parts: list[Part] = [
        Art("waves", (Picture(Box(0, 0, page.width, page.height), surfaces.waves(page.width, page.height)),)),
    ]
    card = _card(page, s.card, side, grow) if s.card else []
    answers = tuple(part.area for part in card if isinstance(part, Press))
    parts += [HoldCorner("hold", s.player, corner, page.width, page.height, answers), _disc(page, s, side), *card]
    if s.card is None:
        parts.append(_closed(page, s, side, grow))
        if s.not_now:
            parts.append(_not_now(page, s.not_now, side))
    return parts


def _disc(page: Page, s: SecretScreen, side: _Side) -> Art:
    """The quarter disc: dashed and of paper while shut, with a heavy ring while open."""
    held = s.card is not None
    cx = 0.0 if side.west else _R + 2
    cy = _R + 2
    body = svg.circle(cx, cy, _R, fill=t.CARD if held else t.PAPER, stroke=t.INK, stroke_width=3)
    if held:
        body += svg.circle(cx, cy, _R - 14, stroke=t.INK, stroke_width=7)
    else:
        body += svg.circle(cx, cy, _R - 14, stroke=t.INK, stroke_width=2.4, stroke_dasharray="7 6")
    top = page.height - _R - 2
    box = Box(0, top, _R + 2, _R + 2) if side.west else Box(page.width - _R - 2, top, _R + 2, _R + 2)
    x = 14.0 if side.west else page.width - 134
    room = 128.0 if side.west else 122.0
    words = page.type.fit(Span(s.hold_text), "button", Box(x, page.height - 66, room, 48), valign="bottom", lines=2)
    lines = page.type.height(words.spans, words.style, room, words.size)
    words = Words(words.box.moved(0, -2 if lines < 30 else 0), words.spans, words.style, words.size, "left", "bottom")
    y = page.height - (72 if lines < 30 else 95)
    drawn: list[Drawn] = [Picture(box, body)]
    drawn += _viewer(page, s.colours, x + 25, y)
    drawn.append(kit.icon_picture("eye" if held else "eye_closed", x + 25 + 52 * len(s.colours[:2]), y, 38))
    return Art("disc", (*drawn, words))


def _viewer(page: Page, colours: tuple[Colour, ...], x: float, y: float) -> list[Drawn]:
    size = 40.0 if len(colours) == 1 else 30.0
    return [page.mark(c, x + i * 38, y, size) for i, c in enumerate(colours)]


def _closed(page: Page, s: SecretScreen, side: _Side, grow: float) -> Art:
    """Who is meant and what to do."""
    w = 438.0
    title_height = page.type.height((Span(s.title),), "display", w - 40)
    text = page.type.fit(Span(s.text, t.CARD), "curtain", Box(0, 0, w - 48, 180), halign="center")
    text_height = page.type.height(text.spans, "curtain", w - 48, text.size)
    height = 16 + min(title_height, 92) + 8 + text_height + 28
    box = side.box(256, 66 + grow, w, height)
    if page.upright:
        box = Box((page.width - w) / 2, max(24.0, (page.height - _R - height) / 2), w, height)
    title = page.type.fit(Span(s.title, t.CARD), "display", Box(box.x + 20, box.y + 16, w - 40, min(title_height, 92)),
                          halign="center", valign="middle")  # fmt: skip
    words = kit.move(text, box.x + 24, title.box.bottom + 12)
    ground = surfaces.card(w, box.h, line=t.CURTAIN_FRAME, width=1.4, radius=14, fill=t.CURTAIN)
    return Art("closed", (Picture(box, ground), title, words))


def _not_now(page: Page, b: Button, side: _Side) -> Press:
    w = max(109.0, page.type.width((Span(b.text),), "button") + 32)
    box = side.box(page.width - 18 - w, page.height - 83, w, 63)
    text = page.type.fit(Span(b.text, t.CARD), "button", box.inset(8, 4), halign="center", valign="middle", lines=2)
    up = Picture(box, surfaces.ghost(box.w, box.h))
    down = Picture(box, surfaces.ghost(box.w, box.h, pressed=True))
    return Press("not_now", b.id, box, (up, text), (down, text), b.enabled)


def _card(page: Page, c: SecretCard, side: _Side, grow: float) -> list[Part]:
    """The card of one size: a back, a hand, or a question."""
    box = _HIGH_CARD.moved((page.width - 480) / 2, grow) if page.upright else side.box(*_CARD).moved(0, grow)
    ground = Picture(box, surfaces.card(box.w, box.h, width=3, radius=14))
    if c.answers:
        return _question(page, c, box, ground)
    if c.tiles:
        return [Art("card", (ground, *_hand(page, c, box)))]
    return [Art("card", (ground, *_back(page, c, box)))]


def _runs(c: SecretCard) -> tuple[Span, ...]:
    strong = (Span(c.strong, bold=True),) if c.strong else ()
    return (Span(c.text + (" " if c.text and c.strong else "")), *strong)


def _back(page: Page, c: SecretCard, box: Box) -> list[Drawn]:
    """A tile's back: its picture at the left or above, its name and what it does beside it or below."""
    beside = c.icon and not page.upright
    x = box.x + (201 if beside else 30)
    room = box.right - 26 - x
    over = page.type.flow(Span(c.over, t.INK_SOFT), "body", x, 0, room) if c.over else None
    title = page.type.flow(Span(c.title), "display", x, 0, room)
    text = page.type.flow(Span(c.text), "lead", x, 0, room, room=156)
    strong = page.type.flow(Span(c.strong, bold=True), "lead", x, 0, room, room=52) if c.strong else None
    blocks = [(w, gap) for w, gap in ((over, 0.0), (title, 4.0), (text, 10.0), (strong, 0.0)) if w is not None]
    height = sum(w.box.h + gap for w, gap in blocks)
    above = _BACK + 24 if c.icon and page.upright else 0.0
    top = box.y + max(12.0, (box.h - height - above) / 2 - 14)
    y = top + above
    drawn: list[Drawn] = []
    for words, gap in blocks:
        y += gap
        drawn.append(Words(Box(x, y, words.box.w, words.box.h), words.spans, words.style, words.size))
        y += words.box.h
    if c.icon:
        at = (box.x + 102, box.y + box.h / 2) if beside else (box.x + box.w / 2, top + _BACK / 2)
        drawn.append(kit.icon_picture(c.icon, *at, _BACK))
    return drawn


def _hand(page: Page, c: SecretCard, box: Box) -> list[Drawn]:
    """All tiles of a hand side by side, in several rows if there are many; empty places are dashed."""
    drawn: list[Drawn] = [
        page.type.fit(Span(c.title), "title", Box(box.x + 23, box.y + 14, box.w - 46, 40), valign="middle", lines=1)
    ]
    rows, size, row_height = _rows_of_hand(page, len(c.tiles))
    columns = math.ceil(len(c.tiles) / rows)
    pitch = (box.w - 48) / columns
    for i, (name, text) in enumerate(c.tiles):
        x = box.x + 24 + pitch * (i % columns + 0.5)
        y = box.y + (66 if rows == 1 else 56) + row_height * (i // columns)
        middle = y + size / 2 + (9 if rows == 1 else 0)
        if name:
            drawn.append(kit.icon_picture(name, x, middle, size))
        else:
            body = svg.polygon(svg.hexagon(size / 2, size / 2, size * 0.45), stroke=t.RULE,
                               stroke_width=3, stroke_dasharray="6.5 6")  # fmt: skip
            drawn.append(Picture(Box(x - size / 2, middle - size / 2, size, size), body))
        if text:
            label = Box(x - pitch / 2 + 2, middle + size / 2 + (5 if rows == 1 else 2), pitch - 4, 46)
            drawn.append(page.type.fit(Span(text), "button", label, halign="center", lines=2))
    foot = Box(box.x + 23, box.bottom - (92 if rows == 1 else 64), box.w - 46, 78 if rows == 1 else 52)
    drawn.append(page.type.fit(_runs(c), "lead" if rows == 1 else "body", foot))
    return drawn


def _rows_of_hand(page: Page, count: int) -> tuple[int, float, float]:
    """In how many rows so many tiles stand, how large each is, and how high its row."""
    if not page.upright:
        return (1, 114.0 if count <= 3 else 96.0, 182.0) if count <= 4 else (2, 54.0, 108.0)
    return (1, 114.0, 182.0) if count <= 3 else (2, 96.0, 164.0) if count <= 6 else (3, 54.0, 108.0)


def _question(page: Page, c: SecretCard, box: Box, ground: Picture) -> list[Part]:
    """A question with its answers side by side, always alike, and the time that is left."""
    inner = box.w - 52
    drawn: list[Drawn] = [ground]
    head, y = 40.0, box.y + 14
    if c.over:
        drawn.append(page.type.fit(Span(c.over, t.INK_SOFT), "body", Box(box.x + 26, y - 2, inner, 24), lines=1))
        head, y = 34.0, y + 20
    drawn.append(page.type.fit(Span(c.title), "title", Box(box.x + 26, y, inner, head), valign="middle", lines=1))
    many = len(c.answers) > _IN_ONE_ROW
    columns = _columns(page, len(c.answers))
    h, gap, side = (117.0, 18.0, 26.0) if not many else (92.0, 9.0, 26.0) if columns < 5 else (92.0, 6.0, 14.0)
    if many and columns == 4 and page.upright:
        gap, side = 4.0, 10.0
    if not many and c.left is None:
        h = 124.0 if page.upright else 148.0  # there is no time to show below
    icon_size = 34.0 if many else 40.0 if any(b.line for b in c.answers) else 54.0
    top = box.y + (126 if many else 132) + (48 if page.upright else 0)
    y += head + (0 if c.over else 4)
    drawn.append(page.type.fit(_runs(c), "lead", Box(box.x + 26, y, inner, top - 4 - y)))
    w = (box.w - 2 * side - gap * (columns - 1)) / columns
    if c.left is not None:
        bar = Box(box.x + 26, top + 138, box.w - 52, 14)
        drawn.append(Picture(bar, surfaces.progress(bar.w, bar.h, c.left)))
    parts: list[Part] = [Art("card", tuple(drawn))]
    for i, b in enumerate(c.answers):
        place = Box(box.x + side + i % columns * (w + gap), top + i // columns * (h + t.BUTTON_EDGE + 4), w, h)
        parts.append(_answer(page, b, place, icon_size))
    return parts


def _columns(page: Page, count: int) -> int:
    """How many answers stand in a row."""
    if not page.upright:
        return math.ceil(count / 2) if count > _IN_ONE_ROW else count
    return min(count, 2 if count <= _IN_ONE_ROW else 3 if count <= 9 else 4)


def _answer(page: Page, b: Button, box: Box, icon_size: float) -> Press:
    """One answer, its icon above its words; the one chosen is dark."""
    h = box.h + t.BUTTON_EDGE
    chosen = b.enabled and b.kind == "primary"
    ink = t.CARD if chosen else t.INK if b.enabled else t.OFF_TEXT
    face: list[Drawn] = []
    if b.icon:
        middle = icon_size / 2 + (18 if icon_size >= 54 else 6)
        face.append(kit.icon_picture(b.icon, box.x + box.w / 2, box.y + middle, icon_size, ink))
        top = middle + icon_size / 2 + 2
        side = 6.0 if box.w > 105 else 2.0
        label = Box(box.x + side, box.y + top, box.w - 2 * side, box.h - top - 3)
    else:
        label = box.inset(8, 6)
    words = page.type.fit(Span(b.text, ink), "button", label, halign="center",
                          valign="top" if b.icon else "middle", lines=2)  # fmt: skip
    face.append(words)
    below = label.y + page.type.height(words.spans, words.style, label.w, words.size) + 2
    if b.line and b.icon and label.bottom - below >= _LINE_ROOM:
        line = page.type.fit(Span(b.line, t.INK_SOFT if b.enabled else t.OFF_TEXT), "body",
                             Box(label.x, below, label.w, label.bottom - below), halign="center")  # fmt: skip
        face += [line] if whole(line, b.line) else []
    outer = Box(box.x, box.y, box.w, h)
    surface = surfaces.primary if chosen else surfaces.secondary
    rest = surface(box.w, h) if b.enabled else surfaces.off(box.w, h)
    down = tuple(kit.move(d, 0, t.BUTTON_EDGE) for d in face)
    low = surface(box.w, h, pressed=True)
    return Press(b.id, b.id, box, (Picture(outer, rest), *face), (Picture(outer, low), *down), b.enabled)
