"""The die, or the two blue dice: they tumble or fade in once for each roll, then show their faces."""

from __future__ import annotations

from kivy.animation import Animation
from kivy.clock import Clock
from kivy.graphics import Color

from companion.ui.box import Box
from companion.ui.drawing.die import BLUE, RED, SHADOW, die
from companion.ui.parts import DiePart, Drawn, Picture
from companion.ui.tokens import GAP
from companion.ui.widgets.scene import PartWidget, Scene
from companion.viewmodel.states import Die

_PASSING = (("serpent", "shark", "whale"), ("1", "2", "3"))
_TUMBLE_STEPS = 7


class DieWidget(PartWidget):
    """Draws a `DiePart`. A later serial is a roll; one that is taken back has an earlier one.

    A die that is there from the start lies still, unless its roll tumbles: then a curtain came between.
    """

    def __init__(self, scene: Scene, part: DiePart) -> None:
        self._step = _TUMBLE_STEPS
        self._step_s = 0.0
        self._event = None
        super().__init__(scene, part)
        if part.die.tumbles and scene.motion.die_tumble:
            self.tumble()

    def changed(self, before: DiePart) -> None:
        """Tumble or fade in if it was rolled, else show the face."""
        motion = self.scene.motion
        if self.part.die.serial <= before.die.serial:
            lies = before.die.tumbles and not self.part.die.tumbles
            if lies or self.part.die.serial < before.die.serial:
                self.leave()
                self._step = _TUMBLE_STEPS
            self.draw()
        elif motion.die_tumble:
            self.tumble()
        else:
            self._fade(motion.die_fade)

    def _fade(self, seconds: float) -> None:
        """The face is there, and gets clear."""
        self.leave()
        self._step = _TUMBLE_STEPS
        self.draw()
        for instruction in self.canvas.children[0].children:
            if isinstance(instruction, Color):
                instruction.a = 0.0
                Animation(a=1.0, duration=seconds).start(instruction)

    def tumble(self) -> None:
        """Roll: faces pass by, turning less and less."""
        self.leave()
        self._step = 0
        self._step_s = self.scene.motion.die_tumble / _TUMBLE_STEPS
        self._event = Clock.schedule_interval(self._next, self._step_s)
        self.draw()

    def leave(self) -> None:
        """Stop tumbling."""
        if self._event is not None:
            self._event.cancel()
            self._event = None

    def _next(self, dt: float) -> None:
        # by the time that has gone: a slow machine shows fewer faces, not a longer roll
        self._step += max(1, round(dt / self._step_s))
        if self._step >= _TUMBLE_STEPS:
            self.leave()
        self.draw()

    def draw(self) -> None:
        """Draw the faces, or some that pass by."""
        shown: Die = self.part.die
        box: Box = self.part.box
        left = _TUMBLE_STEPS - self._step
        turn = 0.0 if left <= 0 else (-1) ** self._step * 6.0 * left
        faces = (shown.face, shown.second) if shown.second else (shown.face,)
        lacquer = BLUE if shown.second else RED
        size = (box.w - GAP * (len(faces) - 1)) / len(faces)
        drawn: list[Drawn] = []
        for i, face in enumerate(faces):
            passing = face if left <= 0 else _PASSING[i][self._step % len(_PASSING[i])]
            place = Box(box.x + i * (size + GAP), box.y, size, box.h).inset(-SHADOW, -SHADOW)
            drawn.append(Picture(place, die(size, passing, turn if i == 0 else -turn, lacquer)))
        self.canvas.clear()
        self.canvas.add(self.scene.draw(drawn))
