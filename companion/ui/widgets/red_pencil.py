"""The red pencil: what lies over the pieces, and the one circle that is new, drawn as by a hand.

A circle is drawn once, when a hex comes to have one; then the arrow to the place where the piece belongs comes in.
Several that are new at once are simply there, and so is what was there before.
"""

from __future__ import annotations

from typing import Any

from kivy.animation import Animation
from kivy.clock import Clock
from kivy.graphics import Color, InstructionGroup

from companion.rules.geometry import Hex
from companion.ui.drawing import lights
from companion.ui.parts import BoardPart
from companion.ui.widgets.scene import Scene
from companion.ui.widgets.stamp import stamped


class RedPencil:
    """Draws into `layer`."""

    def __init__(self, scene: Scene, layer: InstructionGroup) -> None:
        self._scene = scene
        self._layer = layer
        self._growing: Hex | None = None
        self._passed: float | None = None
        self._event: Any = None

    def show(self, part: BoardPart) -> None:
        """The badges, circles and arrow of a board; a circle that is being drawn goes on if it is on this one too."""
        self._part = part
        circled, before = lights.circled(part.view), self._scene.circled
        self._scene.circled = circled
        new = frozenset[Hex]() if before is None else circled - before
        if new or self._growing not in circled:
            self.leave()
        if len(new) == 1 and self._scene.motion.circle:
            (self._growing,) = new
            self._event = Clock.schedule_interval(self._next, 0)
        self._draw()

    def leave(self) -> None:
        """Stop drawing."""
        if self._event is not None:
            self._event.cancel()
        self._growing = self._passed = self._event = None

    def _next(self, dt: float) -> None:
        """Draw on, by the time that has gone since the first frame: what the screen took to come does not count."""
        self._passed = 0.0 if self._passed is None else self._passed + dt
        if self._passed < self._scene.motion.circle:
            self._draw()
        else:
            self.leave()
            self._draw(fade=self._scene.motion.light)

    def _draw(self, fade: float = 0.0) -> None:
        """All of it; without the arrow while a circle grows. The arrow takes `fade` seconds to come in."""
        view, projection = self._part.view, self._part.projection
        self._layer.clear()
        self._layer.add(Color(1, 1, 1, 1))
        for sprite in lights.pencil(view, projection, self._growing, self._pieces()):
            self._layer.add(stamped(sprite, self._part, self._scene))
        if self._growing is not None:
            return
        ink = Color(1, 1, 1, 0 if fade else 1)
        self._layer.add(ink)
        for sprite in lights.way_back(view, projection):
            self._layer.add(stamped(sprite, self._part, self._scene))
        if fade:
            Animation(a=1, duration=fade, t="out_quad").start(ink)

    def _pieces(self) -> int:
        """How much of the circle there is; from the first frame a dot."""
        duration = self._scene.motion.circle
        left = max(0.0, 1.0 - (self._passed or 0.0) / duration) if duration else 0.0
        return max(1, round((1.0 - left * left) * lights.CIRCLE_PIECES))
