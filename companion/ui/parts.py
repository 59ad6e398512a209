"""What a screen is made of: plain values which say what lies where, in u from the screen's top left corner.

A screen is a function from its state to a tuple of parts; the stage compares them with those of the last state by
equality and touches only the widgets whose part has changed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from companion.ui.box import Box
from companion.ui.drawing.chart import Projection
from companion.ui.tokens import INK, TOUCH
from companion.viewmodel.states import BoardView, Corner, Die, Handle, LivePicture, PictureSpot


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
    """Things that are only looked at. In `solid` no finger reaches through them to what lies under them."""

    key: str
    drawn: tuple[Drawn, ...]
    solid: Box | None = None


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
    row_letters: bool = True


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
    """A list that may be longer than its box. The parts lie as if nothing were scrolled; `height` is all of it.

    In `bar` it is shown how far it is scrolled, if it is longer.
    """

    key: str
    box: Box
    parts: tuple[Part, ...]
    height: float
    bar: Box


@dataclass(frozen=True)
class HoldCorner:
    """The quarter disc which shows a secret to `player` while it is held. `answers` are touched meanwhile."""

    key: str
    player: int
    corner: Corner
    width: float
    height: float
    answers: tuple[Box, ...] = ()


@dataclass(frozen=True)
class Seats:
    """Marks round the plan of the table; dragging one to another's place swaps the seats."""

    key: str
    places: tuple[Box, ...]
    faces: tuple[Picture, ...] = field(default=())


@dataclass(frozen=True)
class Slider:
    """A knob on a line: `slide(id, value, done=...)` is called as it moves. The knob goes over all of `box`'s width."""

    key: str
    id: str
    box: Box
    value: int
    least: int
    most: int
    step: int
    enabled: bool = True


@dataclass(frozen=True)
class Live:
    """The camera's picture with outlines, marked places and handles to drag; all of them in its px."""

    key: str
    box: Box
    picture: LivePicture
    outlines: tuple[tuple[tuple[float, float], ...], ...] = ()
    spots: tuple[PictureSpot, ...] = ()
    handles: tuple[Handle, ...] = ()


Part = Art | Press | BoardPart | DiePart | Entry | Scroll | HoldCorner | Seats | Slider | Live
