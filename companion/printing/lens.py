"""The ChArUco sheet by which the camera's lens is measured."""

from __future__ import annotations

from calibration.targets import LENS_SHEET, sheet_cells
from companion.i18n import _
from companion.printing.frame import Page, true_size
from companion.printing.sheet import SMALL, STRONG

_TOP = 11.0


def lens_page(page: Page) -> None:
    """Draw the page: the sheet as large as the paper allows, all words below it."""
    columns, rows = LENS_SHEET.squares
    width, height = columns * LENS_SHEET.square_mm, rows * LENS_SHEET.square_mm
    left = (page.width - width) / 2
    page.sheet.black(sheet_cells(LENS_SHEET), left, _TOP)
    y = _TOP + height + 6.2
    page.sheet.text(left, y, _("Lens sheet"), STRONG)
    page.sheet.text(left + width, y, f"{true_size()}   {page.number} / {page.of}", SMALL, align="R")
    use = _(
        "Only for wide lenses (beyond 80 degrees): glue it to stiff card, hold it before the camera in ten "
        "different ways, the corners of the picture too."
    )
    page.sheet.paragraph(left, y + 1.4, width, use, SMALL)
