"""The swatch layout: a plan of the board with what to lay where, and what to take out of the box for it."""

from __future__ import annotations

from collections import Counter

import msgspec

from calibration.swatch import PRESCRIBED
from companion.i18n import N_, _
from companion.printing.frame import MARGIN, Page, foot, head
from companion.printing.sheet import HEADING, SMALL, Style
from companion.rules.geometry import load_board
from companion.rules.layout import COLOURS, TERRAINS, HexContent
from companion.ui import tokens as t
from companion.ui.drawing import chart, svg
from companion.ui.drawing.marks import mark
from companion.ui.drawing.pieces import pieces

BOARD = load_board()
_LETTER = Style("LatoBold", 10, t.CHART_LETTER)
_NUMBER = Style("Lato", 5, t.ISLAND_LINE)
_COUNT = Style("LatoBold", 11)

_COLUMNS = 6
_SCALE = 0.26
"""mm a u, of the drawings in the list."""

_NAMES = {
    "beach": N_("Beach"),
    "forest": N_("Forest"),
    "mountain": N_("Mountain"),
    "boat": N_("Boat"),
    "serpent": N_("Sea serpent"),
    "shark": N_("Shark"),
    "whale": N_("Whale"),
    "red": N_("Red"),
    "blue": N_("Blue"),
    "yellow": N_("Yellow"),
    "green": N_("Green"),
}


def swatch_page(page: Page) -> None:
    """Draw the page."""
    lead = _("For the second calibration picture. Anywhere in their hex will do, turned as you like, all standing.")
    y = head(page, _("What to lay where"), lead) + 4
    width, height = BOARD.physical.board
    scale = page.inner / width
    plan = chart.Projection(page.inner, height * scale, page.inner / 2, height * scale / 2, BOARD.side_mm * scale)
    _plan(page, plan, y)
    _box(page, y + plan.height + 9)
    foot(page)


def contents() -> Counter[str]:
    """How many of each tile and piece the layout needs, boats' passengers among the explorers."""
    needed: Counter[str] = Counter()
    for s in PRESCRIBED:
        needed.update(s.explorers)
        needed.update(s.boat or {})
        needed.update({"serpent": s.serpents, "shark": s.sharks, "whale": s.whales, "boat": s.boat is not None})
        needed.update([s.tile] if s.tile else [])
    return needed


def _plan(page: Page, plan: chart.Projection, y: float) -> None:
    """The board with its pieces; row letters, and in each hex its number, counted from the west."""
    sheet = page.sheet
    k = plan.side / t.HEX_SIDE
    held = {s.hex: msgspec.convert(msgspec.to_builtins(s), HexContent) for s in PRESCRIBED}
    tiles = "".join(chart.tile(c.tile, *plan.centre(h), plan.side) for h, c in held.items() if c.tile)
    sheet.clipped(chart.sea(BOARD, plan, row_letters=False) + tiles, MARGIN, y, plan.width, plan.height)
    for h, label in BOARD.labels.items():
        x, down = plan.centre(h)
        sheet.text(MARGIN + x, y + down - plan.side * 0.57, label[1:], _NUMBER, align="C")
        if label[1:] == "1":
            sheet.text(MARGIN + x - 1.4 * plan.side, y + down + 1.3, label[0], _LETTER, align="C")
    standing = "".join(svg.at(*plan.centre(h), pieces(c), scale=k) for h, c in held.items())
    sheet.draw(standing + svg.rect(0, 0, plan.width, plan.height, stroke=t.INK, stroke_width=0.5), MARGIN, y)


def _box(page: Page, y: float) -> None:
    """What to take out of the box: a drawing, a number and a name each."""
    sheet = page.sheet
    sheet.text(MARGIN, y, _("Take out of the box"), HEADING)
    needed = contents()
    step = page.inner / _COLUMNS
    for i, (name, words) in enumerate(_NAMES.items()):
        x, top = MARGIN + step * (i % _COLUMNS), y + 10 + 14 * (i // _COLUMNS)
        sheet.draw(svg.at(5.5, 0, _drawing(name), scale=_SCALE), x, top)
        sheet.text(x + 12.5, top + 0.4, f"{needed[name]} ×", _COUNT)
        sheet.text(x + 12.5, top + 4.4, _(words), SMALL)


def _drawing(name: str) -> str:
    """A tile, an explorer's mark or a piece about the origin, in u."""
    if name in TERRAINS:
        return chart.tile(name, 0, 0, t.HEX_SIDE)
    if name in COLOURS:
        return mark(name, 0, 0, 24)
    return pieces(HexContent(boat={}) if name == "boat" else msgspec.convert({f"{name}s": 1}, HexContent))
