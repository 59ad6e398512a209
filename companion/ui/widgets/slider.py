"""A knob on a line: it goes where the finger is, at once, and tells of every step."""

from __future__ import annotations

from companion.ui import tokens as t
from companion.ui.box import Box
from companion.ui.drawing import surfaces
from companion.ui.parts import Picture, Slider
from companion.ui.widgets.scene import Finger, PartWidget, Scene


class SliderWidget(PartWidget):
    """Draws a `Slider` and calls the view model's `slide`."""

    grips = True

    def __init__(self, scene: Scene, part: Slider) -> None:
        self._finger: int | None = None
        self._value = part.value
        super().__init__(scene, part)

    def draw(self) -> None:
        """The knob where the finger has it, else where the value is."""
        part: Slider = self.part
        if self._finger is None:
            self._value = part.value
        where = (self._value - part.least) / (part.most - part.least)
        box = part.box
        self.canvas.clear()
        self.canvas.add(self.scene.draw((Picture(box, surfaces.slider(box.w, box.h, where, enabled=part.enabled)),)))

    def changed(self, before: Slider) -> None:
        """A finger on what has become something else is lost."""
        if before.id != self.part.id or not self.part.enabled:
            self._finger = None
        self.draw()

    @property
    def ground(self) -> Box | None:
        """The line, and as much about it as a finger needs."""
        box: Box = self.part.box.at_least(t.TOUCH, t.TOUCH)
        return box

    def touch_down(self, finger: Finger) -> None:
        """The knob comes to the finger."""
        if self.part.enabled and self._finger is None:
            self._finger = finger.id
            self._move(finger.x)

    def touch_move(self, finger: Finger) -> None:
        """... and follows it."""
        if finger.id == self._finger:
            self._move(finger.x)

    def touch_up(self, finger: Finger) -> None:
        """There it stays."""
        if finger.id == self._finger:
            self.touch_lost(finger.id)

    def touch_lost(self, finger_id: int) -> None:
        """Also where the finger was lost: what is seen is what holds."""
        if finger_id == self._finger:
            self._finger = None
            self.scene.view_model.slide(self.part.id, self._value, done=True)
            self.draw()

    def _move(self, x: float) -> None:
        value = value_at(self.part, x)
        if value != self._value:
            self._value = value
            self.draw()
            self.scene.view_model.slide(self.part.id, value, done=False)


def value_at(part: Slider, x: float) -> int:
    """The value whose knob is nearest to x u."""
    left, room = part.box.x + surfaces.KNOB / 2, part.box.w - surfaces.KNOB
    along = min(1.0, max(0.0, (x - left) / room)) * (part.most - part.least)
    return min(part.most, part.least + round(along / part.step) * part.step)
