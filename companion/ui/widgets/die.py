"""The creature die: it tumbles once for each roll, then shows its face."""

from __future__ import annotations

from kivy.clock import Clock

from companion.ui import tokens as t
from companion.ui.box import Box
from companion.ui.drawing.die import SHADOW, die
from companion.ui.parts import DiePart, Drawn, Picture
from companion.ui.widgets.scene import PartWidget, Scene

_FACES = ("serpent", "shark", "whale")
_TUMBLE_STEPS = 7


class DieWidget(PartWidget):
    """Draws a `DiePart`. A die that is there from the start lies still: only a new serial is a roll."""

    def __init__(self, scene: Scene, part: DiePart) -> None:
        self._step = _TUMBLE_STEPS
        self._event = None
        super().__init__(scene, part)

    def changed(self, before: DiePart) -> None:
        """Tumble if it was rolled, else show the face."""
        if before.die.serial != self.part.die.serial:
            self.tumble()
        else:
            self.draw()

    def tumble(self) -> None:
        """Roll: faces pass by, turning less and less."""
        self.leave()
        self._step = 0
        self._event = Clock.schedule_interval(self._next, t.DIE_TUMBLE / _TUMBLE_STEPS)
        self.draw()

    def leave(self) -> None:
        """Stop tumbling."""
        if self._event is not None:
            self._event.cancel()
            self._event = None

    def _next(self, _dt: float) -> None:
        self._step += 1
        if self._step >= _TUMBLE_STEPS:
            self.leave()
        self.draw()

    def draw(self) -> None:
        """Draw the face, or one that passes by."""
        box: Box = self.part.box
        size = box.w
        left = _TUMBLE_STEPS - self._step
        face = self.part.die.face if left <= 0 else _FACES[self._step % len(_FACES)]
        turn = 0.0 if left <= 0 else (-1) ** self._step * 6.0 * left
        drawn: list[Drawn] = [Picture(box.inset(-SHADOW, -SHADOW), die(size, face, turn))]
        self.canvas.clear()
        self.canvas.add(self.scene.draw(drawn))
