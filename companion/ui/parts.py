"""What a screen is made of: plain values which say what lies where, in u from the screen's top left corner.

A screen is a function from its state to a tuple of parts; the stage compares them with those of the last state by
equality and touches only the widgets whose part has changed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from companion.ui.drawing.chart import Projection
from companion.ui.tokens import INK, TOUCH
from companion.viewmodel.states import BoardView, Corner, Die


class Box(NamedTuple):
    """A rectangle in u: its left, its top, its width and height; y points down."""

    x: float
    y: float
    w: float
    h: float

    @property
    def right(self) -> float:
        """The right edge."""
        return self.x + self.w

    @property
    def bottom(self) -> float:
        """The lower edge."""
        return self.y + self.h

    def inset(self, dx: float, dy: float | None = None) -> Box:
        """The box smaller by `dx` on the left and right and by `dy` (as `dx`) above and below."""
        dy = dx if dy is None else dy
        return Box(self.x + dx, self.y + dy, self.w - 2 * dx, self.h - 2 * dy)

    def moved(self, dx: float, dy: float) -> Box:
        """The box moved."""
        return Box(self.x + dx, self.y + dy, self.w, self.h)

    def at_least(self, w: float, h: float) -> Box:
        """The box grown about its middle to at least this size: a touch area."""
        grow_x, grow_y = max(0.0, w - self.w) / 2, max(0.0, h - self.h) / 2
        return Box(self.x - grow_x, self.y - grow_y, self.w + 2 * grow_x, self.h + 2 * grow_y)

    def holds(self, x: float, y: float) -> bool:
        """True if the point is inside."""
        return self.x <= x < self.right and self.y <= y < self.bottom


class Span(NamedTuple):
    """A run of text in one colour, bold or not."""

    text: str
    colour: str = INK
    bold: bool = False


@dataclass(frozen=True)
class Picture:
    """A drawing: an SVG fragment in u, its origin at the box's top left."""

    box: Box
    svg: str
    opacity: float = 1.0


@dataclass(frozen=True)
class Words:
    """Text of a style from `tokens.STYLES` at `size` u, wrapped to the box's width. `fit` of `text` makes it."""

    box: Box
    spans: tuple[Span, ...]
    style: str
    size: float
    halign: Literal["left", "center", "right"] = "left"
    valign: Literal["top", "middle", "bottom"] = "top"


Drawn = Picture | Words


@dataclass(frozen=True)
class Art:
    """Things that are only looked at."""

    key: str
    drawn: tuple[Drawn, ...]


@dataclass(frozen=True)
class Press:
    """Something to press: `up` at rest, `down` while a finger is on it. `touch` is the area that answers."""

    key: str
    id: str
    box: Box
    up: tuple[Drawn, ...]
    down: tuple[Drawn, ...]
    enabled: bool = True
    touch: Box | None = None

    @property
    def area(self) -> Box:
        """The touch area: `touch`, or the box grown to the least target."""
        return self.touch or self.box.at_least(TOUCH, TOUCH)


@dataclass(frozen=True)
class BoardPart:
    """The board, or a chart of it that cannot be touched."""

    key: str
    box: Box
    view: BoardView
    projection: Projection
    live: bool = True
    letters: bool = True


@dataclass(frozen=True)
class DiePart:
    """The die; it tumbles when its serial changes."""

    key: str
    box: Box
    die: Die


@dataclass(frozen=True)
class Entry:
    """A field of text; `edit(field, text)` is called as it changes."""

    key: str
    box: Box
    field: str
    text: str


@dataclass(frozen=True)
class Scroll:
    """A list that may be longer than its box. The parts lie as if nothing were scrolled; `height` is all of it."""

    key: str
    box: Box
    parts: tuple[Part, ...]
    height: float


@dataclass(frozen=True)
class HoldCorner:
    """The quarter disc which shows a secret to `player` while it is held."""

    key: str
    player: int
    corner: Corner
    width: float
    height: float


@dataclass(frozen=True)
class Seats:
    """Marks round the plan of the table; dragging one to another's place swaps the seats."""

    key: str
    places: tuple[Box, ...]
    faces: tuple[Picture, ...] = field(default=())


Part = Art | Press | BoardPart | DiePart | Entry | Scroll | HoldCorner | Seats
