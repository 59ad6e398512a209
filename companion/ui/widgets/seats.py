"""The plan of the table: a mark dragged to another's seat changes places with it."""

from __future__ import annotations

from kivy.graphics import PopMatrix, PushMatrix, Translate

from companion.ui.box import Box
from companion.ui.parts import Seats
from companion.ui.widgets.press import distance
from companion.ui.widgets.scene import Finger, PartWidget, Scene


class SeatsWidget(PartWidget):
    """Draws `Seats` and presses `swap_seats:{i}:{j}`."""

    def __init__(self, scene: Scene, part: Seats) -> None:
        self._drag: tuple[int, int, float, float] | None = None  # finger, seat, where it came down
        self._offset = (0.0, 0.0)
        super().__init__(scene, part)

    def draw(self) -> None:
        """Draw the marks, the dragged one moved with the finger."""
        self.canvas.clear()
        for i, face in enumerate(self.part.faces):
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

    def touch_down(self, finger: Finger) -> None:
        """Take a mark up."""
        seat = self._seat_at(finger.x, finger.y)
        if self._drag is None and seat is not None:
            self._drag = (finger.id, seat, finger.x, finger.y)

    def touch_move(self, finger: Finger) -> None:
        """Move it."""
        if self._drag and self._drag[0] == finger.id:
            self._offset = (finger.x - self._drag[2], finger.y - self._drag[3])
            self.draw()

    def touch_up(self, finger: Finger) -> None:
        """Put it down; on another seat the two change places."""
        if not self._drag or self._drag[0] != finger.id:
            return
        origin = self._drag[1]
        self.touch_lost(finger.id)
        seat = self._seat_at(finger.x, finger.y)
        if seat is not None and seat != origin:
            self.scene.press(f"swap_seats:{origin}:{seat}")

    def touch_lost(self, finger_id: int) -> None:
        """Put it back."""
        if self._drag and self._drag[0] == finger_id:
            self._drag = None
            self._offset = (0.0, 0.0)
            self.draw()

    def _seat_at(self, x: float, y: float) -> int | None:
        places: tuple[Box, ...] = self.part.places
        near = [(distance(place, x, y), i) for i, place in enumerate(places) if place.at_least(60, 60).holds(x, y)]
        return min(near)[1] if near else None
