"""Something to press: acts when it is let go, and not if the finger slid off."""

from __future__ import annotations

from companion.ui.box import Box
from companion.ui.parts import Press
from companion.ui.widgets.scene import Finger, PartWidget, Scene

_SLACK = 12.0


class PressWidget(PartWidget):
    """Draws a `Press` and calls the view model's `press`."""

    def __init__(self, scene: Scene, part: Press) -> None:
        self._finger: int | None = None
        self.pressed = False
        super().__init__(scene, part)

    def draw(self) -> None:
        """Draw it at rest or pressed."""
        self.canvas.clear()
        self.canvas.add(self.scene.draw(self.part.down if self.pressed else self.part.up))

    def changed(self, before: Press) -> None:
        """A finger on what has become something else is lost."""
        if self._finger is not None and (before.id != self.part.id or not self.part.enabled):
            self.touch_lost(self._finger)
        self.draw()

    def reach(self, x: float, y: float) -> float | None:
        """Within the box 0; in the touch area around it the distance."""
        if not self.part.enabled:
            return 0.0 if self.part.box.holds(x, y) else None
        if self.part.box.holds(x, y):
            return 0.0
        return distance(self.part.box, x, y) if self.part.area.holds(x, y) else None

    def touch_down(self, finger: Finger) -> None:
        """Go down."""
        if self.part.enabled and self._finger is None and self.scene.view_model.hears(self.part.id):
            self._finger = finger.id
            self._set(True)

    def touch_move(self, finger: Finger) -> None:
        """Come up while the finger is off, and go down again when it is back."""
        if finger.id == self._finger:
            self._set(self._over(finger.x, finger.y))

    def touch_up(self, finger: Finger) -> None:
        """Act, unless the finger slid off."""
        if finger.id != self._finger:
            return
        self._finger = None
        self._set(False)
        if self._over(finger.x, finger.y):
            self.scene.press(self.part.id)

    def touch_lost(self, finger_id: int) -> None:
        """Come up and do nothing."""
        if finger_id == self._finger:
            self._finger = None
            self._set(False)

    def _over(self, x: float, y: float) -> bool:
        area: Box = self.part.area.inset(-_SLACK)
        return area.holds(x, y)

    def _set(self, pressed: bool) -> None:
        if pressed != self.pressed:
            self.pressed = pressed
            self.draw()


def distance(box: Box, x: float, y: float) -> float:
    """How far a point is from a box; 0 inside."""
    dx = max(box.x - x, 0.0, x - box.right)
    dy = max(box.y - y, 0.0, y - box.bottom)
    return float((dx * dx + dy * dy) ** 0.5)
