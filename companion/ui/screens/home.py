"""1. Home: a chart of the open game, and what can be done, the likeliest first."""

from __future__ import annotations

import math

from companion.rules.layout import HexContent
from companion.ui import tokens as t
from companion.ui.box import Box
from companion.ui.drawing import surfaces, svg
from companion.ui.drawing.chart import Projection
from companion.ui.parts import Art, BoardPart, Drawn, Part, Picture, Press, Span
from companion.ui.screens import kit
from companion.ui.screens.buttons import grounds
from companion.ui.screens.kit import Page
from companion.viewmodel.states import BoardView, Button, HomeScreen, ShutScreen

_CHART_WIDTH = 428.0
_SIDE = 24.54
_PLAIN, _LARGE = 69.0, 94.0
"""How high the large buttons are, without more to say and with it."""
_SMALL, _CAMERA = 90.0, 52.0
"""The same of the small ones, and of the line about the camera with what is below it."""
_MARGIN, _PITCH = 18.0, 13.0
_ROSES = (44.0, 36.0)
"""How far the compass rose reaches from its middle, where there is room, and where there is less."""
_PIECE = 18.0
"""How far a piece reaches."""
_TEXT = 26.0
_WORDS_LEFT, _WORDS_RIGHT, _MARK = 74.0, 12.0, 29.0
"""Where a large button's words begin and end, and how much further in its second line begins after a mark."""
_SMALL_GAP, _SMALL_PAD = 8.0, 3.0
"""Between small buttons, and beside the name in one."""


def home(page: Page, s: HomeScreen) -> list[Part]:
    """The parts of the home screen."""
    column = beside_chart(page)
    width, x = column.w, column.x
    heights = [_height(page, b, width) for b in s.buttons]
    parts, ground = title_page(page, s, sum(heights) + _PITCH * len(heights) + _SMALL + _MARGIN + _CAMERA)
    y = ground.y + _MARGIN
    for b, height in zip(s.buttons, heights, strict=True):
        parts.append(_large(page, Box(x, y, width, height), b))
        y += height + _PITCH
    for b, w in zip(s.small_buttons, _small_widths(page, s.small_buttons, width), strict=True):
        parts.append(_small(page, Box(x, y, w, _SMALL), b))
        x += w + _SMALL_GAP
    parts.append(_camera(page, s, Box(column.x, page.height - _CAMERA, width, 44)))
    return parts


def beside_chart(page: Page) -> Box:
    """The column that words and buttons stand in, as high as the screen; over an upright screen's whole width."""
    left = _MARGIN if page.upright else _CHART_WIDTH + t.NEATLINE + _MARGIN
    right = page.width - _MARGIN
    width = min(right - left, 440)
    return Box(left + (right - left - width) / 2, 0, width, page.height)


def title_page(page: Page, s: HomeScreen | ShutScreen, needed: float) -> tuple[list[Part], Box]:
    """The chart with the title, and the paper that is left, `needed` u high at least."""
    chart, ground = _ground(page, needed)
    parts: list[Part] = [
        BoardPart("board", chart, s.board, _projection(chart), live=False, row_letters=False),
        Art("neatline", _edge(page, chart, ground)),
        _cartouche(page, s),
        *_rose(chart, s.board),
    ]
    return parts, ground


def _ground(page: Page, needed: float) -> tuple[Box, Box]:
    """The chart, and the paper beside it; below it, where `needed` u have to be left."""
    if not page.upright:
        left = _CHART_WIDTH + t.NEATLINE
        return Box(0, 0, _CHART_WIDTH, page.height), Box(left, 0, page.width - left, page.height)
    height = min(page.board_box.h, page.height - t.NEATLINE - needed)
    top = height + t.NEATLINE
    return Box(0, 0, page.width, height), Box(0, top, page.width, page.height - top)


def _projection(chart: Box) -> Projection:
    """The island in the middle of what the title leaves of the chart; the sea goes over its edges."""
    aside = 6.0 if chart.h > chart.w else 0.0
    return Projection(chart.w, chart.h, chart.w / 2 + aside, chart.h / 2 + 26.4, min(_SIDE, chart.h / 18))


def _edge(page: Page, chart: Box, ground: Box) -> tuple[Picture, Picture]:
    """The chart's edge: what hangs over it is cut, then the neatline."""
    line = (
        Box(0, chart.bottom, page.width, t.NEATLINE) if page.upright else Box(chart.right, 0, t.NEATLINE, page.height)
    )
    return (
        Picture(ground, svg.rect(0, 0, ground.w, ground.h, fill=t.PAPER)),
        Picture(line, surfaces.neatline(line.w, line.h)),
    )


def _cartouche(page: Page, s: HomeScreen | ShutScreen) -> Art:
    title_w = page.type.width((Span(s.title),), "display")
    motto_w = page.type.width((Span(s.subtitle),), "motto")
    w = min(max(title_w, motto_w) + 44, _CHART_WIDTH - 34)
    frame = svg.rect(0.7, 0.7, w + 6.6, 93.6, fill=t.CARD, stroke=t.INK, stroke_width=1.3)
    frame += svg.rect(4.5, 4.5, w - 1, 86, fill=t.CARD, stroke=t.INK, stroke_width=2.4)
    title = page.type.fit(Span(s.title), "display", Box(38, 22, w - 44 + 1, 46), lines=1)
    motto = page.type.fit(Span(s.subtitle, t.INK_SOFT), "motto", Box(38, 69, w - 44 + 1, 26), lines=1)
    return Art("cartouche", (Picture(Box(12, 12, w + 8, 96), frame), title, motto))


def _rose(chart: Box, board: BoardView) -> tuple[Art, ...]:
    """A compass rose at the chart's lower edge, as far right as it covers no piece; none if there is no such place."""
    projection = _projection(chart)
    pieces = [projection.centre(v.hex) for v in board.hexes if v.content != HexContent()]
    pieces += [projection.anchor(land) for land, people in board.safe.items() if people]
    for r in _ROSES:
        y = chart.h - 8 - r
        for x in range(int(chart.w - 12 - r), int(r), -4):
            if all(math.dist((x, y), piece) > r + _PIECE for piece in pieces):
                return (Art("rose", (Picture(Box(chart.x + x - r, chart.y + y - r, 2 * r, 2 * r), compass_rose(r)),)),)
    return ()


def compass_rose(r: float) -> str:
    """A compass rose in a box of 2r by 2r: ring, eight points, half of each dark."""
    ring = r * 0.7
    body = svg.circle(r, r, ring, fill=t.PAPER, fill_opacity=0.25, stroke=t.INK, stroke_width=1.6)
    dots = "".join(
        svg.circle(r + ring * 0.88 * math.cos(a), r + ring * 0.88 * math.sin(a), 0.8, fill=t.INK)
        for a in (i * math.tau / 32 for i in range(32))
    )
    for length, waist, turn in ((r * 0.62, r * 0.2, 45.0), (r * 0.97, r * 0.2, 0.0)):
        for quarter in range(4):
            a = math.radians(turn + 90 * quarter)
            tip = (r + length * math.sin(a), r - length * math.cos(a))
            for side, fill in ((-1, t.CARD), (1, t.INK)):
                b = a + side * math.radians(45 if turn == 0 else 22.5)
                foot = (r + waist * math.sin(b), r - waist * math.cos(b))
                body += svg.polygon(
                    [(r, r), tip, foot], fill=fill, stroke=t.INK, stroke_width=0.9, stroke_linejoin="round"
                )
    return body + dots


def _height(page: Page, b: Button, width: float) -> float:
    """How high a large button is."""
    if b.kind == "primary" and b.line:
        return _LARGE
    return max(_PLAIN, _TEXT + _line_height(page, b, width) + 18)


def _line_height(page: Page, b: Button, width: float) -> float:
    """How high its second line becomes, which may take two."""
    if not b.line:
        return 0.0
    room = width - _WORDS_LEFT - _WORDS_RIGHT - (_MARK if b.mark else 0.0)
    return min(page.type.height((Span(b.line),), "body", room), 46.0)


def _large(page: Page, box: Box, b: Button) -> Press:
    """Icon at the left, text, and below it the line with a player's mark."""
    up, down_ground, (ink, soft) = grounds(b, Box(box.x, box.y, box.w, box.h + t.BUTTON_EDGE))
    x = box.x + _WORDS_LEFT
    middle = box.y + box.h / 2
    room = box.right - _WORDS_RIGHT - x
    face: list[Drawn] = [kit.icon_picture(b.icon or "forward", box.x + 40, middle, 42, ink)]
    line_height = _line_height(page, b, box.w)
    gap = 4.0 if line_height and b.kind == "primary" and box.h - _TEXT - line_height > 24 else 0.0
    top = middle - (_TEXT + gap + line_height) / 2
    face.append(page.type.fit(Span(b.text, ink), "phase", Box(x, top, room, _TEXT), valign="middle", lines=1))
    if b.line:
        indent = _MARK if b.mark else 0.0
        top += _TEXT + gap
        if b.mark:
            face.append(page.mark(b.mark, x + 11, top + 11, 18))
        face.append(page.type.fit(Span(b.line, soft), "body", Box(x + indent, top, room - indent, line_height)))
    down = tuple(kit.move(d, 0, t.BUTTON_EDGE) for d in face)
    return Press(b.id, b.id, box, (up, *face), (down_ground, *down), b.enabled)


def _small_widths(page: Page, buttons: tuple[Button, ...], width: float) -> list[float]:
    """How wide each small button becomes: a third or less, all alike, unless a long name needs more."""
    count = max(3, len(buttons))
    alike = (width - _SMALL_GAP * (count - 1)) / count
    least = t.STYLES["button"].sizes[-1]
    need = [page.type.width((Span(b.text),), "button", least) + 2 * _SMALL_PAD for b in buttons]
    spare = width - _SMALL_GAP * (len(buttons) - 1) - sum(need)
    if spare < 0 or max(need, default=0.0) <= alike:
        return [alike] * len(buttons)
    return [w + spare / len(buttons) for w in need]


def _small(page: Page, box: Box, b: Button) -> Press:
    """Icon above its name."""
    up, down_ground, (ink, _) = grounds(b, Box(box.x, box.y, box.w, box.h + t.BUTTON_EDGE))
    middle = box.x + box.w / 2
    name = Box(box.x + _SMALL_PAD, box.y + 53, box.w - 2 * _SMALL_PAD, 25)
    face: tuple[Drawn, ...] = (
        kit.icon_picture(b.icon or "forward", middle, box.y + 32, 38, ink),
        page.type.fit(Span(b.text, ink), "button", name, halign="center", valign="middle", lines=1),
    )
    down = tuple(kit.move(d, 0, t.BUTTON_EDGE) for d in face)
    return Press(b.id, b.id, box, (up, *face), (down_ground, *down), b.enabled)


def _camera(page: Page, s: HomeScreen, box: Box) -> Art:
    line = s.camera
    ink = kit.TONES[line.tone]
    drawn: list[Drawn] = []
    x = box.x
    if line.icon:
        drawn.append(kit.icon_picture(line.icon, x + 12, box.y + box.h / 2, 25, ink))
        x += 33
    spans = (Span(line.text, ink, bold=True),)
    drawn.append(page.type.fit(spans, "body", Box(x, box.y - 2, box.right - x, 48), valign="middle", lines=2))
    return Art("camera", tuple(drawn))
