"""Something to press: acts when it is let go, and not if the finger slid off."""

from __future__ import annotations

from companion.ui.parts import Box, Press
from companion.ui.widgets.scene import PartWidget

_SLACK = 12.0


class PressWidget(PartWidget):
    """Draws a `Press` and calls the view model's `press`."""

    def __init__(self, scene: object, part: Press) -> None:
        self._finger: int | None = None
        self.pressed = False
        super().__init__(scene, part)  # type: ignore[arg-type]

    def show(self, part: Press, before: Press | None) -> None:
        """Draw it at rest or pressed."""
        if self._finger is not None and before is not None and (before.id != part.id or not part.enabled):
            self.touch_lost(self._finger)
        self._draw()

    def reach(self, x: float, y: float) -> float | None:
        """Within the box 0; in the touch area around it the distance."""
        if not self.part.enabled:
            return 0.0 if self.part.box.holds(x, y) else None
        if self.part.box.holds(x, y):
            return 0.0
        return distance(self.part.box, x, y) if self.part.area.holds(x, y) else None

    def touch_down(self, touch: int, x: float, y: float) -> None:
        """Go down."""
        if self.part.enabled and self._finger is None:
            self._finger = touch
            self._set(True)

    def touch_move(self, touch: int, x: float, y: float) -> None:
        """Come up while the finger is off, and go down again when it is back."""
        if touch == self._finger:
            self._set(self._over(x, y))

    def touch_up(self, touch: int, x: float, y: float) -> None:
        """Act, unless the finger slid off."""
        if touch != self._finger:
            return
        self._finger = None
        over = self._over(x, y)
        self._set(False)
        if over:
            self.scene.view_model.press(self.part.id)

    def touch_lost(self, touch: int) -> None:
        """Come up and do nothing."""
        if touch == self._finger:
            self._finger = None
            self._set(False)

    def _over(self, x: float, y: float) -> bool:
        area: Box = self.part.area.inset(-_SLACK)
        return area.holds(x, y)

    def _set(self, pressed: bool) -> None:
        if pressed != self.pressed:
            self.pressed = pressed
            self._draw()

    def _draw(self) -> None:
        self.canvas.clear()
        self.canvas.add(self.scene.draw(self.part.down if self.pressed else self.part.up))


def distance(box: Box, x: float, y: float) -> float:
    """How far a point is from a box; 0 inside."""
    dx = max(box.x - x, 0.0, x - box.right)
    dy = max(box.y - y, 0.0, y - box.bottom)
    return float((dx * dx + dy * dy) ** 0.5)
