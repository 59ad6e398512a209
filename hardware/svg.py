"""A drawing for the guides as SVG text: lines, boxes, circles and words in the project's colours.

In: positions in px, y down. Out: the file's text, the same for the same drawing, so that it can be compared.
"""

from __future__ import annotations

from typing import Literal
from xml.sax.saxutils import escape

PAPER, CARD, WELL, INK, SOFT, RULE = "#F4EBD6", "#FCF7EA", "#E6D9BA", "#1D2B36", "#4A5560", "#8A7A55"
RED, SEA, AMBER = "#A8281E", "#AFCDD1", "#F2B632"

Anchor = Literal["start", "middle", "end"]
Point = tuple[float, float]


class Drawing:
    """Takes in one thing after the other, the later above the earlier."""

    def __init__(self, width: int, height: int, title: str) -> None:
        self._parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            'font-family="Lato, Helvetica, Arial, sans-serif">',
            f"<title>{escape(title)}</title>",
            f'<rect width="{width}" height="{height}" fill="{PAPER}"/>',
        ]

    def line(self, *points: Point, colour: str = INK, width: float = 2, dash: str = "") -> None:
        """From point to point."""
        path = " ".join(f"{x:.5g},{y:.5g}" for x, y in points)
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        self._parts.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width:g}" '
            f'stroke-linejoin="round" stroke-linecap="round"{dashed}/>'
        )

    def shape(self, *points: Point, fill: str, colour: str = "none", width: float = 0, opacity: float = 1) -> None:
        """A filled polygon."""
        path = " ".join(f"{x:.5g},{y:.5g}" for x, y in points)
        self._parts.append(
            f'<polygon points="{path}" fill="{fill}" fill-opacity="{opacity:g}" stroke="{colour}" '
            f'stroke-width="{width:g}" stroke-linejoin="round"/>'
        )

    def box(self, corner: Point, size: Point, *, fill: str = CARD, colour: str = INK, radius: float = 4) -> None:
        """A box with round corners; `corner` is the upper left."""
        self._parts.append(
            f'<rect x="{corner[0]:.5g}" y="{corner[1]:.5g}" width="{size[0]:.5g}" height="{size[1]:.5g}" '
            f'rx="{radius:g}" fill="{fill}" stroke="{colour}" stroke-width="2"/>'
        )

    def dot(self, centre: Point, radius: float = 5, *, fill: str = INK, colour: str = INK) -> None:
        """A disc."""
        self._parts.append(
            f'<circle cx="{centre[0]:.5g}" cy="{centre[1]:.5g}" r="{radius:g}" fill="{fill}" stroke="{colour}" '
            'stroke-width="2"/>'
        )

    def text(self, at: Point, words: str, *, size: float = 16, anchor: Anchor = "start", bold: bool = False,
             colour: str = INK) -> None:  # fmt: skip
        """Words, their baseline at `at`."""
        weight = ' font-weight="bold"' if bold else ""
        self._parts.append(
            f'<text x="{at[0]:.5g}" y="{at[1]:.5g}" font-size="{size:g}" text-anchor="{anchor}" fill="{colour}"'
            f"{weight}>{escape(words)}</text>"
        )

    def __str__(self) -> str:
        return "\n".join([*self._parts, "</svg>", ""])
