"""The four corner cards, to be cut out, and how they lie round the board."""

from __future__ import annotations

from calibration.print import CARD_CORNERS, BoardPrint
from calibration.targets import card_cells
from companion.i18n import N_, _
from companion.printing.frame import MARGIN, Page, foot, head
from companion.printing.sheet import BODY, FIGURE, HEADING, SMALL, STRONG
from companion.ui import tokens as t
from companion.ui.drawing import svg

BOARD = BoardPrint()
GAP = 18.0
"""Between two cards, mm: room for the marks that guide the scissors."""

_NAMES = {"nw": N_("north-west"), "ne": N_("north-east"), "se": N_("south-east"), "sw": N_("south-west")}
_STEPS = (
    N_("Lay a ruler on a card: it is a square of 60 mm. Then cut along the lines."),
    N_("Lay them flat on the table beyond the board's corners, all with their top to the board's north."),
    N_("The black corner of each card touches its corner of the board, the edges run on straight."),
    N_("Leave them there while you play. The camera must see all four whole, and no lamp may shine on them."),
)
_CORNER = 5.5
"""Sides of the black corner, mm: clear of the marker's quiet zone and of where the card's white is measured."""

_PLAN_WIDTH = 74.0
_PLAN_HEIGHT = 60.0
"""The room for the plan below the cards, mm."""

_WHOLE = tuple(size + 2 * BOARD.card for size in BOARD.board)
"""Width and height of the board with the cards round it, mm."""


def cards_page(page: Page) -> None:
    """Draw the page."""
    y = head(page, _("Corner cards"), _("They tell the camera where the board lies. Stiff paper lies flattest."))
    block = 2 * BOARD.card + GAP
    x = (page.width - block) / 2
    y += 11
    for corner, (east, south) in CARD_CORNERS.items():
        _card(page, corner, x + (east > 0) * (BOARD.card + GAP), y + (south > 0) * (BOARD.card + GAP))
    _how_to_lay(page, y + block + 10)
    foot(page)


def _card(page: Page, corner: str, x: float, y: float) -> None:
    """One card with its top left corner at (x, y)."""
    sheet, side = page.sheet, BOARD.card
    east, south = CARD_CORNERS[corner]
    sheet.draw(_cut_marks(side) + svg.rect(0, 0, side, side, stroke=t.RULE, stroke_width=0.12), x, y)
    rim = (side - BOARD.marker) / 2
    sheet.black(card_cells(BOARD, corner), x + rim, y + rim)
    top = _("top: north")
    middle, half = side / 2, sheet.width(top, FIGURE) / 2
    signs = _inner_corner(east, south, side, _CORNER) + svg.polygon(_arrow(middle - half - 2.4, 1.4, 2.3), fill=t.INK)
    sheet.draw(signs, x, y)
    sheet.text(x + middle, y + 3.6, top, FIGURE, align="C")
    sheet.text(x + middle, y + side - 1.7, _(_NAMES[corner]), FIGURE, align="C")


def _cut_marks(side: float) -> str:
    """Short lines beyond each corner in the continuation of the card's edges."""
    near, far = 1.0, 6.0
    d = ""
    for at in (0.0, side):
        for a, b in ((-far, -near), (side + near, side + far)):
            d += f"M{a} {at}H{b}M{at} {a}V{b}"
    return svg.path(d, stroke=t.INK, stroke_width=0.2)


def _how_to_lay(page: Page, y: float) -> None:
    """The plan of board and cards, and the steps beside it."""
    left = MARGIN + _PLAN_WIDTH + 10
    page.sheet.draw(_plan(), MARGIN, y)
    page.sheet.text(MARGIN + _scale() * _WHOLE[0] / 2 + 2.6, y + 3.4, _("north"), SMALL)
    page.sheet.text(left, y + 4.2, _("How to lay them"), HEADING)
    down = y + 8.2
    for number, step in enumerate(_STEPS, start=1):
        page.sheet.text(left, down + BODY.line * 0.76, str(number), STRONG)
        down = page.sheet.paragraph(left + 5, down, page.width - MARGIN - left - 5, _(step), BODY) + 2.0


def _scale() -> float:
    """Of the plan."""
    return min(_PLAN_WIDTH / _WHOLE[0], _PLAN_HEIGHT / _WHOLE[1])


def _plan() -> str:
    """The board with the four cards at its corners, north above."""
    k = _scale()
    width, height, card, marker = (k * size for size in (*BOARD.board, BOARD.card, BOARD.marker))
    island = svg.hexagon(card + width / 2, card + height / 2, height * 0.27)
    parts = [
        svg.rect(card, card, width, height, fill=t.CHART_SEA, stroke=t.INK, stroke_width=0.3),
        svg.polygon(island, fill=t.SAFE_LAND, stroke=t.COAST, stroke_width=0.3),
        svg.polygon(_arrow(card + width / 2, 0.4, 3.2), fill=t.INK),
    ]
    for east, south in CARD_CORNERS.values():
        left, top = (east > 0) * (card + width), (south > 0) * (card + height)
        rim = (card - marker) / 2
        parts.append(svg.rect(left, top, card, card, fill="#FFFFFF", stroke=t.INK, stroke_width=0.2))
        parts.append(svg.rect(left + rim, top + rim, marker, marker, fill=t.INK))
        parts.append(svg.at(left, top, _inner_corner(east, south, card, 0.75 * rim)))
    return "".join(parts)


def _inner_corner(east: float, south: float, card: float, size: float) -> str:
    """The black triangle in that corner of a card which touches the board: the one opposite to where the card lies."""
    x, y = (0.0 if east > 0 else card), (0.0 if south > 0 else card)
    return svg.polygon([(x, y), (x + east * size, y), (x, y + south * size)], fill=t.INK)


def _arrow(x: float, y: float, size: float) -> list[svg.Point]:
    """A triangle that points up, its tip at (x, y)."""
    return [(x, y), (x + size / 2, y + size), (x - size / 2, y + size)]
