"""The plan of the table: a mark dragged to another's seat changes places with it."""

from __future__ import annotations

from kivy.graphics import PopMatrix, PushMatrix, Translate

from companion.ui.parts import Box, Seats
from companion.ui.widgets.press import distance
from companion.ui.widgets.scene import PartWidget, Scene


class SeatsWidget(PartWidget):
    """Draws `Seats` and presses `swap_seats:{i}:{j}`."""

    def __init__(self, scene: Scene, part: Seats) -> None:
        self._drag: tuple[int, int, float, float] | None = None  # finger, seat, where it came down
        self._offset = (0.0, 0.0)
        super().__init__(scene, part)

    def show(self, part: Seats, before: Seats | None) -> None:
        """Draw the marks, the dragged one moved with the finger."""
        self.canvas.clear()
        for i, face in enumerate(part.faces):
            moved = self._drag is not None and self._drag[1] == i
            if moved:
                self.canvas.add(PushMatrix())
                self.canvas.add(Translate(self._offset[0] * self.scene.scale, -self._offset[1] * self.scene.scale))
            self.canvas.add(self.scene.draw((face,)))
            if moved:
                self.canvas.add(PopMatrix())

    def reach(self, x: float, y: float) -> float | None:
        """Near a mark."""
        i = self._seat_at(x, y)
        return None if i is None else distance(self.part.places[i], x, y)

    def touch_down(self, touch: int, x: float, y: float) -> None:
        """Take a mark up."""
        seat = self._seat_at(x, y)
        if self._drag is None and seat is not None:
            self._drag = (touch, seat, x, y)

    def touch_move(self, touch: int, x: float, y: float) -> None:
        """Move it."""
        if self._drag and self._drag[0] == touch:
            self._offset = (x - self._drag[2], y - self._drag[3])
            self.show(self.part, self.part)

    def touch_up(self, touch: int, x: float, y: float) -> None:
        """Put it down; on another seat the two change places."""
        if not self._drag or self._drag[0] != touch:
            return
        origin = self._drag[1]
        self.touch_lost(touch)
        seat = self._seat_at(x, y)
        if seat is not None and seat != origin:
            self.scene.view_model.press(f"swap_seats:{origin}:{seat}")

    def touch_lost(self, touch: int) -> None:
        """Put it back."""
        if self._drag and self._drag[0] == touch:
            self._drag = None
            self._offset = (0.0, 0.0)
            self.show(self.part, self.part)

    def _seat_at(self, x: float, y: float) -> int | None:
        places: tuple[Box, ...] = self.part.places
        near = [(distance(place, x, y), i) for i, place in enumerate(places) if place.at_least(60, 60).holds(x, y)]
        return min(near)[1] if near else None
