"""The cursor of who plays without touching: a ring about the place or the button that OK would choose.

It finds what it points at among the widgets, so that no screen has to know of it; a list is scrolled to it.
"""

from __future__ import annotations

from collections.abc import Iterable

from companion.ui.box import Box
from companion.ui.drawing import surfaces
from companion.ui.parts import Art, BoardPart, Part, Picture, Press, Seats
from companion.ui.widgets.scroll import ScrollWidget
from companion.ui.widgets.stage import Stage
from companion.viewmodel.states import Cursor

_GROW = 6.0
_HEX = 1.36
"""The ring about a hex, in its sides."""


def point_at(cursor: Cursor, stages: Iterable[Stage]) -> tuple[Part, ...]:
    """The ring, if what is pointed at is on one of the stages; the front one first."""
    for stage in stages:
        if cursor.id:
            box = _pressed(cursor.id, stage)
            if box:
                return (_ring(Box(box.x - _GROW, box.y - _GROW, box.w + 2 * _GROW, box.h + 2 * _GROW), 13.0),)
        elif round_box := _place(cursor, stage):
            return (_ring(round_box, round_box.w / 2 - 3.5),)
    return ()


def _ring(box: Box, radius: float) -> Art:
    return Art("cursor", (Picture(box, surfaces.cursor(box.w, box.h, radius=radius)),))


def _pressed(button_id: str, stage: Stage) -> Box | None:
    """Where that button lies now."""
    for widget in stage.widgets.values():
        if isinstance(widget.part, Press) and widget.part.id == button_id:
            return widget.part.box
        if isinstance(widget, ScrollWidget) and (box := _pressed(button_id, widget.stage)):
            widget.show_box(box)
            return box.moved(0, -widget.scrolled)
        if isinstance(widget.part, Seats) and button_id.startswith("swap_seats:"):
            return widget.part.places[int(button_id.split(":")[1])]
    return None


def _place(cursor: Cursor, stage: Stage) -> Box | None:
    """About a hex, or the pieces on a safe land."""
    for widget in stage.widgets.values():
        part = widget.part
        if isinstance(part, BoardPart) and part.live:
            at = part.projection
            x, y = at.centre(cursor.hex) if cursor.hex is not None else at.anchor(cursor.land or "nw")
            r = at.side * _HEX
            return Box(part.box.x + x - r, part.box.y + y - r, 2 * r, 2 * r)
    return None
