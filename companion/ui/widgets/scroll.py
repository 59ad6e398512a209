"""A list that may be longer than its box: dragging moves it, and then nothing in it is pressed."""

from __future__ import annotations

from collections.abc import Iterable

from kivy.graphics import (
    Instruction,
    PopMatrix,
    PushMatrix,
    Rectangle,
    StencilPop,
    StencilPush,
    StencilUnUse,
    StencilUse,
    Translate,
)

from companion.ui import tokens as t
from companion.ui.box import Box
from companion.ui.drawing import surfaces
from companion.ui.parts import Picture, Scroll
from companion.ui.widgets.scene import Finger, PartWidget, Scene
from companion.ui.widgets.stage import Stage

_DRAG = 10.0
_MARGIN = 10.0
_BESIDE = 10.0
"""What belongs to the bar beside it, for a finger."""
_THUMB = 40.0
"""The least height of the bar's thumb."""


class ScrollWidget(PartWidget):
    """Draws a `Scroll`: a stage within a stencil, moved up by what is scrolled, and the bar beside it."""

    def __init__(self, scene: Scene, part: Scroll) -> None:
        self.stage = Stage(scene)
        self.scrolled = 0.0
        self._finger: int | None = None
        self._on_bar = False
        self._from = (0.0, 0.0)
        self._dragging = False
        self._move = Translate(0, 0)
        self._thumb = Translate(0, 0)
        super().__init__(scene, part)
        self.add_widget(self.stage)

    def within(self) -> Iterable[PartWidget]:
        """The rows."""
        return self.stage.every()

    def draw(self) -> None:
        """Show the list, as far scrolled as it was."""
        part: Scroll = self.part
        box, scale = part.box, self.scene.scale
        place = Rectangle(pos=self.scene.origin(box, box.h * scale), size=(box.w * scale, box.h * scale))
        for group, instructions in (
            (self.canvas.before, (StencilPush(), place, StencilUse(), PushMatrix(), self._move)),
            (self.canvas.after, (PopMatrix(), StencilUnUse(), place, StencilPop(), *self._bar())),
        ):
            group.clear()
            for instruction in instructions:
                group.add(instruction)
        self.stage.show(part.parts)
        self._scroll_to(self.scrolled)

    def _bar(self) -> Iterable[Instruction]:
        """Its track, and the thumb on it, which is as long as what is seen of the list."""
        if not self._most:
            return ()
        bar: Box = self.part.bar
        track, knob = (
            self.scene.draw((Picture(box, surfaces.plain(box.w, box.h, fill, radius=box.w / 2)),))
            for box, fill in ((bar, t.WELL), (Box(bar.x, bar.y, bar.w, self.thumb.h), t.RULE))
        )
        return (track, PushMatrix(), self._thumb, knob, PopMatrix())

    @property
    def thumb(self) -> Box:
        """The part of the bar that stands for what is seen of the list."""
        part: Scroll = self.part
        height = max(_THUMB, part.bar.h * min(1.0, part.box.h / part.height))
        way = (part.bar.h - height) * self.scrolled / self._most if self._most else 0.0
        return Box(part.bar.x, part.bar.y + way, part.bar.w, height)

    @property
    def ground(self) -> Box | None:
        """The whole box, and the bar with what is beside it."""
        part: Scroll = self.part
        return Box(part.box.x, part.box.y, max(part.box.right, part.bar.right + _BESIDE) - part.box.x, part.box.h)

    def touch_down(self, finger: Finger) -> None:
        """Perhaps a press, perhaps the begin of a drag."""
        if self._finger is None:
            self._finger, self._from, self._dragging = finger.id, (finger.y, self.scrolled), False
            self._on_bar = finger.x > self.part.box.right and self._most > 0
            if not self._on_bar:
                self.stage.touch_down(self._inside(finger))

    def touch_move(self, finger: Finger) -> None:
        """Beyond a few u it is a drag, and nothing is pressed."""
        if finger.id != self._finger:
            return
        if self._on_bar:
            way = self.part.bar.h - self.thumb.h
            self._scroll_to(self._from[1] + (finger.y - self._from[0]) * self._most / max(1.0, way))
            return
        far = abs(finger.y - self._from[0]) > _DRAG
        if not self._dragging and far and self._most > 0 and not self.stage.grips(finger.id):
            self._dragging = True
            self.stage.lose_touches()
        if self._dragging:
            self._scroll_to(self._from[1] + self._from[0] - finger.y)
        else:
            self.stage.touch_move(self._inside(finger))

    def touch_up(self, finger: Finger) -> None:
        """Press what is under the finger, unless it dragged."""
        if finger.id != self._finger:
            return
        self._finger = None
        if not self._dragging and not self._on_bar:
            self.stage.touch_up(self._inside(finger))

    def touch_lost(self, finger_id: int) -> None:
        """Nothing is pressed."""
        if finger_id == self._finger:
            self._finger = None
            self.stage.lose_touches()

    def show_box(self, box: Box) -> None:
        """Scroll as little as is needed for that part of the list to be seen."""
        part: Scroll = self.part
        least = box.bottom + _MARGIN - part.box.bottom
        most = box.y - _MARGIN - part.box.y
        self._scroll_to(min(max(self.scrolled, least), most))

    def leave(self) -> None:
        """The list's own widgets go too."""
        self.stage.clear()

    def _inside(self, finger: Finger) -> Finger:
        return Finger(finger.id, finger.x, finger.y + self.scrolled)

    @property
    def _most(self) -> float:
        return max(0.0, float(self.part.height - self.part.box.h))

    def _scroll_to(self, scrolled: float) -> None:
        self.scrolled = min(max(0.0, scrolled), self._most)
        self._move.y = round(self.scrolled * self.scene.scale)
        self._thumb.y = -round((self.thumb.y - self.part.bar.y) * self.scene.scale)
