"""The whole document: which pages it has, on which paper, written whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from calibration.atomic import first_bytes, write_atomically
from companion.i18n import _
from companion.printing.cards import cards_page
from companion.printing.frame import Page
from companion.printing.lens import lens_page
from companion.printing.ruler import ruler_page
from companion.printing.sheet import Sheet
from companion.printing.swatch import swatch_page

Part = Literal["cards", "lens", "ruler", "swatch"]


class PrintError(Exception):
    """The PDF could not be written; the text says why."""


class Paper(NamedTuple):
    """A sheet of paper standing upright, mm."""

    width: float
    height: float


PAPERS: Mapping[str, Paper] = {"a4": Paper(210.0, 297.0), "letter": Paper(215.9, 279.4)}


class _Kind(NamedTuple):
    draw: Callable[[Page], None]
    across: bool = False


PARTS: Mapping[Part, _Kind] = {
    "cards": _Kind(cards_page),
    "ruler": _Kind(ruler_page),
    "swatch": _Kind(swatch_page),
    "lens": _Kind(lens_page, across=True),
}
"""The pages in the order in which they are needed; `across`: the paper lies on its long side."""


def write_targets(path: Path, paper: Paper, parts: Sequence[Part]) -> None:
    """Write those pages as a PDF in the language in force.

    Raises PrintError if the file cannot be written, or is there and no PDF; what is there is untouched then.
    """
    if first_bytes(path, 4) not in {b"%PDF", b""}:
        raise PrintError(f"{path}: this file is no PDF, and would be lost; name another file with --out.")
    data = targets(paper, parts)
    try:
        write_atomically(path, data)
    except OSError as error:
        raise PrintError(
            f"{path}: the PDF cannot be written ({error.strerror or error}); make room, or name another file with "
            "--out."
        ) from error


def targets(paper: Paper, parts: Sequence[Part]) -> bytes:
    """Those pages as a PDF, each once, in the order of `PARTS`."""
    sheet = Sheet(_("Cards and sheets for the table companion"))
    chosen = [kind for part, kind in PARTS.items() if part in parts]
    for number, kind in enumerate(chosen, start=1):
        width, height = (paper.height, paper.width) if kind.across else paper
        sheet.page(width, height)
        kind.draw(Page(sheet, width, height, number, len(chosen)))
    return sheet.data()
