"""A ruler and the outline of a bank card: whether the printer has kept the size."""

from __future__ import annotations

from companion.i18n import N_, _
from companion.printing.frame import MARGIN, Page, foot, head, true_size
from companion.printing.sheet import BODY, FIGURE, LEAD, LEAD_STRONG, SMALL
from companion.ui import tokens as t
from companion.ui.drawing import svg

RULER = 150
"""Length of the ruler, mm."""

BANK_CARD = (85.60, 53.98, 3.18)
"""Width, height and corner radius of a bank card in mm (ISO/IEC 7810, ID-1)."""

_LINE = 0.2

_STEPS = (
    N_("In the print window choose “actual size” or 100 %. Switch off “fit to page”, “shrink” and “borderless”."),
    N_("Lay a ruler on the one above, or a bank card on its outline. A hair's breadth is well enough."),
    N_("If it does not match, the other pages are not of true size either: print them again."),
)


def ruler_page(page: Page) -> None:
    """Draw the page."""
    sheet = page.sheet
    y = head(page, _("Is the size right?"), _("Look here before you cut anything.")) + 16
    left = (page.width - RULER) / 2
    sheet.draw(_ruler(), left, y)
    for cm in range(RULER // 10 + 1):
        sheet.text(left + 10 * cm, y + 12.6, str(10 * cm), FIGURE, align="C")
    sheet.text(left, y - 3.2, _("{length} mm").format(length=RULER), LEAD)
    y += 34
    width, height, radius = BANK_CARD
    left = (page.width - width) / 2
    sheet.draw(svg.rect(0, 0, width, height, radius=radius, stroke=t.INK, stroke_width=_LINE), left, y)
    middle = page.width / 2
    sheet.text(middle, y + height / 2 - 1.5, _("A bank card covers this outline"), LEAD, align="C")
    sheet.text(middle, y + height / 2 + 5, "85.60 × 53.98 mm", SMALL, align="C")
    y += height + 22
    sheet.text(MARGIN, y, true_size(), LEAD_STRONG)
    y += 4
    for step in _STEPS:
        y = sheet.paragraph(MARGIN, y, page.inner, _(step), BODY) + 2.0
    foot(page)


def _ruler() -> str:
    """The ticks of the ruler, its zero at the origin; the outer edges of the first and last are `RULER` apart."""
    d = f"M0 0H{RULER}"
    for mm in range(RULER + 1):
        d += f"M{mm} 0V{8 if mm % 10 == 0 else 5.5 if mm % 5 == 0 else 3.5}"
    return svg.path(d, stroke=t.INK, stroke_width=_LINE)
