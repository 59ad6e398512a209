"""A knob on a track: it follows the finger, in steps if it has any, and says each new place once."""

from __future__ import annotations

from companion.ui.box import Box
from companion.ui.drawing import surfaces
from companion.ui.parts import Picture, Slider
from companion.ui.widgets.press import distance
from companion.ui.widgets.scene import Finger, PartWidget, Scene


class SliderWidget(PartWidget):
    """Draws a `Slider` and calls the view model's `slide` while a finger moves its knob."""

    def __init__(self, scene: Scene, part: Slider) -> None:
        self._finger: int | None = None
        self._told = part.value
        super().__init__(scene, part)

    def draw(self) -> None:
        """Track and knob, where the value is."""
        part: Slider = self.part
        held = self._finger is not None
        track = Picture(part.box, surfaces.slider(part.box.w, part.box.h, part.value, enabled=part.enabled, held=held))
        self.canvas.clear()
        self.canvas.add(self.scene.draw((track,)))

    def changed(self, before: Slider) -> None:  # noqa: ARG002 - all of it is drawn anew
        """The value came from elsewhere, or from the finger."""
        self._told = self.part.value
        self.draw()

    def reach(self, x: float, y: float) -> float | None:
        """All along the track."""
        area: Box = self.part.area
        return distance(self.part.box, x, y) if area.holds(x, y) else None

    def touch_down(self, finger: Finger) -> None:
        """The knob comes to the finger."""
        if self.part.enabled and self._finger is None:
            self._finger = finger.id
            self.draw()
            self._follow(finger.x)

    def touch_move(self, finger: Finger) -> None:
        """It goes along."""
        if finger.id == self._finger:
            self._follow(finger.x)

    def touch_up(self, finger: Finger) -> None:
        """It stays where it is."""
        self.touch_lost(finger.id)

    def touch_lost(self, finger_id: int) -> None:
        """It stays where it is."""
        if finger_id == self._finger:
            self._finger = None
            self.draw()

    def _follow(self, x: float) -> None:
        part: Slider = self.part
        ends = surfaces.KNOB / 2
        value = min(1.0, max(0.0, (x - part.box.x - ends) / (part.box.w - 2 * ends)))
        if part.steps:
            value = round(value * part.steps) / part.steps
        if value != self._told:
            self._told = value
            self.scene.view_model.slide(part.id, value)
