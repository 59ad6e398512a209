"""Rectangles in u."""

from __future__ import annotations

from typing import NamedTuple


def px_a_unit(width: float, height: float) -> float:
    """How many px a u is on a screen of that size, whichever way up it stands."""
    short, long = sorted((width, height))
    return min(short / 480, long / 800)


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
