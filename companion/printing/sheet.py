"""A PDF whose unit is the millimetre: text in the product's type faces, drawings as vectors.

In: texts ready for people, SVG fragments and rectangles in mm. Out: pages. All places are in mm from the page's top
left corner, y down; type sizes are in points.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Literal, NamedTuple
from xml.etree import ElementTree

from fpdf import FPDF
from fpdf.enums import Align, WrapMode
from fpdf.prefs import ViewerPreferences
from fpdf.svg import SVGObject

from calibration.targets import Rect
from companion.ui import tokens as t
from companion.ui.drawing import svg
from companion.ui.fonts import font_file
from companion.ui.tokens import Face

logging.getLogger("fontTools").setLevel(logging.ERROR)  # it warns of dates in the fonts' headers

LEADING = 1.36
"""Line height, in sizes of the type."""

MM_PER_POINT = 25.4 / 72


class Style(NamedTuple):
    """A face, a size in points and a colour."""

    face: Face
    size: float
    colour: str = t.INK

    @property
    def line(self) -> float:
        """Height of a line in mm."""
        return self.size * MM_PER_POINT * LEADING


TITLE = Style("Vollkorn", 25)
HEADING = Style("Vollkorn", 14)
LEAD = Style("Lato", 12)
LEAD_STRONG = Style("LatoBold", 12)
BODY = Style("Lato", 10.5)
STRONG = Style("LatoBold", 10.5)
SMALL = Style("Lato", 8.5, t.INK_SOFT)
FIGURE = Style("LatoBold", 8.5)
_FACES: tuple[Face, ...] = ("Vollkorn", "Lato", "LatoBold")


class Sheet:
    """Pages of one paper's size, drawn one after the other."""

    def __init__(self, title: str) -> None:
        self._pdf = FPDF(unit="mm")
        self._pdf.set_auto_page_break(False)
        self._pdf.set_margin(0)
        self._pdf.c_margin = 0
        self._pdf.set_title(title)
        self._pdf.set_creator("companion print")
        # a viewer that obeys does not offer to shrink the page to the printer's margins
        self._pdf.viewer_preferences = ViewerPreferences(print_scaling="None")
        for face in _FACES:
            self._pdf.add_font(face, fname=font_file(face))

    def page(self, width: float, height: float) -> None:
        """Begin a page."""
        self._pdf.add_page(format=(width, height))

    def width(self, text: str, style: Style) -> float:
        """How wide one line is, mm."""
        self._use(style)
        return float(self._pdf.get_string_width(text))

    def text(self, x: float, y: float, text: str, style: Style, *, align: Literal["L", "C", "R"] = "L") -> None:
        """One line; `x` is its left end, middle or right end, `y` its base line."""
        width = self.width(text, style)
        self._pdf.text(x - {"L": 0.0, "C": width / 2, "R": width}[align], y, text)

    def paragraph(self, x: float, y: float, width: float, text: str, style: Style) -> float:
        """Lines of at most that width under each other, the first one's top at `y`; returns where they end."""
        self._use(style)
        self._pdf.set_xy(x, y)
        self._pdf.multi_cell(width, style.line, text, align=Align.L, wrapmode=WrapMode.WORD)
        return float(self._pdf.get_y())

    def draw(self, fragment: str, x: float = 0.0, y: float = 0.0) -> None:
        """SVG elements whose unit is the millimetre, their origin at (x, y)."""
        self._pdf.set_xy(0, 0)
        width, height = self._pdf.w, self._pdf.h
        size = f'width="{width}mm" height="{height}mm" viewBox="0 0 {width} {height}"'
        body = f'<g transform="translate({x} {y})">{fragment}</g>'
        picture = ElementTree.fromstring(f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{body}</svg>')
        _resolve_colour(picture, t.INK)
        SVGObject(ElementTree.tostring(picture)).draw_to_page(self._pdf, 0, 0)

    def clipped(self, fragment: str, x: float, y: float, width: float, height: float) -> None:
        """As `draw`, without what reaches out of a frame of that size."""
        with self._pdf.rect_clip(x, y, width, height):
            self.draw(fragment, x, y)

    def black(self, cells: Iterable[Rect], x: float, y: float) -> None:
        """Black rectangles as one shape, so that no seam shows between neighbours."""
        d = "".join(f"M{left} {top}h{w}v{h}h{-w}Z" for left, top, w, h in cells)
        self.draw(svg.path(d, fill="#000000"), x, y)

    def data(self) -> bytes:
        """The finished PDF."""
        return bytes(self._pdf.output())

    def _use(self, style: Style) -> None:
        self._pdf.set_font(style.face, size=style.size)
        self._pdf.set_text_color(style.colour)


def _resolve_colour(element: ElementTree.Element, colour: str) -> None:
    """Put the colour in force in the place of `currentColor`, which the PDF library takes for black."""
    colour = element.attrib.pop("color", colour)
    for name, value in element.items():
        if value == "currentColor":
            element.set(name, colour)
    for child in element:
        _resolve_colour(child, colour)
