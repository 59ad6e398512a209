"""What all pages have in common: the neatline and title above, the sentence on true size below."""

from __future__ import annotations

from typing import NamedTuple

from companion.i18n import _
from companion.printing.sheet import LEAD, SMALL, TITLE, Sheet
from companion.ui import tokens as t
from companion.ui.drawing import svg

MARGIN = 14.0
"""Free at the paper's sides, mm: more than printers leave white."""

TOP = 12.0
FOOT = 9.0
_TICK = 6.0
_NEATLINE = 1.6


class Page(NamedTuple):
    """One page of that size in mm, number so many of so many."""

    sheet: Sheet
    width: float
    height: float
    number: int
    of: int

    @property
    def inner(self) -> float:
        """The width between the margins."""
        return self.width - 2 * MARGIN


def true_size() -> str:
    """The sentence that keeps every size true."""
    return _("Print at 100 %, do not fit to page.")


def head(page: Page, title: str, lead: str) -> float:
    """Neatline, title and leading sentence; returns where the page is free, in mm from the top."""
    line = svg.rect(MARGIN, TOP, page.inner, _NEATLINE, fill=t.INK)
    ticks = range(1, int(page.inner / _TICK), 2)
    line += "".join(
        svg.rect(MARGIN + i * _TICK, TOP + 0.25, _TICK, _NEATLINE - 0.5, fill="#FFFFFF")
        for i in ticks
        if (i + 1) * _TICK < page.inner
    )
    page.sheet.draw(line)
    page.sheet.text(MARGIN, TOP + 14, title, TITLE)
    return page.sheet.paragraph(MARGIN, TOP + 18.5, page.inner, lead, LEAD)


def foot(page: Page) -> None:
    """The sentence on true size and the page's number."""
    y = page.height - FOOT
    page.sheet.text(MARGIN, y, true_size(), SMALL)
    page.sheet.text(page.width - MARGIN, y, f"{page.number} / {page.of}", SMALL, align="R")
