"""The creature die: it tumbles once for each roll, then shows its face."""

from __future__ import annotations

from kivy.clock import Clock

from companion.ui import tokens as t
from companion.ui.drawing import svg
from companion.ui.drawing.icons import icon
from companion.ui.parts import Box, DiePart, Drawn, Picture
from companion.ui.widgets.scene import PartWidget, Scene

_FACES = ("serpent", "shark", "whale")
_TUMBLE_STEPS = 7


def die(size: float, face: str, turn: float = 0.0) -> str:
    """The die in a box of `size` by `size` + 5, the silhouette of its face in `card`, turned by `turn` degrees."""
    radius = 8 if size < 80 else 15
    shade = (
        f'<defs><linearGradient id="g" x1="0" y1="0" x2="0.6" y2="1"><stop offset="0" stop-color="{t.DIE_TOP}"/>'
        f'<stop offset="1" stop-color="{t.DIE_BOTTOM}"/></linearGradient></defs>'
    )
    body = svg.rect(1, 5, size - 2, size - 1, radius=radius, fill=t.DIE_EDGE)
    body += svg.rect(0, 0, size, size, radius=radius, fill="url(#g)")
    body += icon(face, size / 2, size / 2, size * 0.72, t.CARD)
    if turn:
        middle = svg.num(size / 2)
        body = svg.group(body, transform=f"rotate({svg.num(turn)} {middle} {middle})")
    return shade + body


class DieWidget(PartWidget):
    """Draws a `DiePart`. A die that is there from the start lies still: only a new serial is a roll."""

    def __init__(self, scene: Scene, part: DiePart) -> None:
        self._step = _TUMBLE_STEPS
        self._event = None
        super().__init__(scene, part)

    def show(self, part: DiePart, before: DiePart | None) -> None:
        """Tumble if it was rolled, else show the face."""
        if before is not None and before.die.serial != part.die.serial:
            self.tumble()
        else:
            self._draw()

    def tumble(self) -> None:
        """Roll: faces pass by, turning less and less."""
        self.leave()
        self._step = 0
        self._event = Clock.schedule_interval(self._next, t.DIE_TUMBLE / _TUMBLE_STEPS)
        self._draw()

    def leave(self) -> None:
        """Stop tumbling."""
        if self._event is not None:
            self._event.cancel()
            self._event = None

    def _next(self, _dt: float) -> None:
        self._step += 1
        if self._step >= _TUMBLE_STEPS:
            self.leave()
        self._draw()

    def _draw(self) -> None:
        box: Box = self.part.box
        size = box.w
        left = _TUMBLE_STEPS - self._step
        face = self.part.die.face if left <= 0 else _FACES[self._step % len(_FACES)]
        turn = 0.0 if left <= 0 else (-1) ** self._step * 6.0 * left
        drawn: list[Drawn] = [Picture(box, die(size, face, turn))]
        self.canvas.clear()
        self.canvas.add(self.scene.draw(drawn))
