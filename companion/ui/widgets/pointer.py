"""The cursor of who plays without touching: a ring about the place or the button that OK would choose.

It finds what it points at among the widgets, so that no screen has to know of it; a list is scrolled to it.
"""

from __future__ import annotations

from collections.abc import Iterable

from companion.ui.box import Box
from companion.ui.drawing import surfaces
from companion.ui.drawing.live import HANDLE, Frame
from companion.ui.parts import Art, BoardPart, Entry, Live, Part, Picture, Press, Seats, Slider
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
                return (_ring(box.inset(-_GROW, -_GROW), 13.0, held=cursor.held),)
        elif round_box := _place(cursor, stage):
            return (_ring(round_box, round_box.w / 2 - 3.5),)
    return ()


def _ring(box: Box, radius: float, *, held: bool = False) -> Art:
    return Art("cursor", (Picture(box, surfaces.cursor(box.w, box.h, radius=radius, held=held)),))


def _pressed(thing_id: str, stage: Stage) -> Box | None:
    """Where that lies now."""
    for widget in stage.widgets.values():
        if isinstance(widget, ScrollWidget) and (box := _pressed(thing_id, widget.stage)):
            widget.show_box(box)
            return box.moved(0, -widget.scrolled)
        if box := _box_of(thing_id, widget.part):
            return box
    return None


def _box_of(thing_id: str, part: Part) -> Box | None:
    """Where it lies on that part, if it is there."""
    match part:
        case Press(id=found, box=box) | Slider(id=found, box=box) | Entry(field=found, box=box) if found == thing_id:
            return box
        case Seats(places=places) if thing_id.startswith("swap_seats:"):
            return places[int(thing_id.split(":")[1])]
        case Live():
            return _corner(thing_id, part)
    return None


def _corner(handle_id: str, part: Live) -> Box | None:
    """About a handle of the picture."""
    for handle in part.handles:
        if handle.id == handle_id:
            x, y = Frame(part.box, part.picture.window).place(handle.x, handle.y)
            return Box(x - HANDLE, y - HANDLE, 2 * HANDLE, 2 * HANDLE)
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
