"""The quarter disc in a viewer's own corner: a secret shows while it is held, and for not a moment longer.

How long it must be held before it opens is the view model's to say, for corner and button panel alike; here every
holding is told at once, and every end of it: whether the owner let go, or something came between.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from companion.ui import tokens as t
from companion.ui.parts import HoldCorner
from companion.ui.widgets.scene import Finger, PartWidget, Scene


class HoldCornerWidget(PartWidget):
    """Calls `hold` when a finger comes down, `let_go` when it goes, `cover` when something comes between."""

    def __init__(self, scene: Scene, part: HoldCorner) -> None:
        self._finger: int | None = None
        self._holding: int | None = None
        super().__init__(scene, part)

    def draw(self) -> None:
        """Nothing is drawn here: the curtain is the screen's."""

    def changed(self, before: HoldCorner) -> None:
        """Another viewer's turn ends the holding."""
        if (before.player, before.corner) != (self.part.player, self.part.corner):
            self._end(self.scene.view_model.cover)

    def reach(self, x: float, y: float) -> float | None:
        """Within the quarter disc."""
        return 0.0 if _in_corner(self.part, self.part.corner, x, y) else None

    def touch_down(self, finger: Finger) -> None:
        """Hold; a second finger in the same corner changes nothing."""
        if self._finger is None:
            self._finger = finger.id
            self._holding = self.part.player
            self.scene.view_model.hold(self.part.player)

    def touch_move(self, finger: Finger) -> None:
        """Sliding out of the corner is letting go."""
        if finger.id == self._finger and not _in_corner(self.part, self.part.corner, finger.x, finger.y):
            self._end(self.scene.view_model.let_go)

    def touch_up(self, finger: Finger) -> None:
        """Shut at once."""
        if finger.id == self._finger:
            self._end(self.scene.view_model.let_go)

    def touch_lost(self, finger_id: int) -> None:
        """Shut at once."""
        if finger_id == self._finger:
            self._end(self.scene.view_model.cover)

    def other_down(self, x: float, y: float) -> None:
        """A finger in another corner shuts the curtain: two people are reaching over the screen.

        An answer may reach into that corner; who touches it there answers.
        """
        if any(answer.holds(x, y) for answer in self.part.answers):
            return
        others = [corner for corner in ("nw", "ne", "sw", "se") if corner != self.part.corner]
        if any(_in_corner(self.part, corner, x, y) for corner in others):
            self._end(self.scene.view_model.cover)

    def leave(self) -> None:
        """Shut at once."""
        self._end(self.scene.view_model.cover)

    def _end(self, tell: Callable[[int], None]) -> None:
        self._finger = None
        if self._holding is not None:
            player, self._holding = self._holding, None
            tell(player)


def _in_corner(part: HoldCorner, corner: str, x: float, y: float) -> bool:
    cx = 0.0 if corner.endswith("w") else part.width
    cy = 0.0 if corner.startswith("n") else part.height
    return math.hypot(x - cx, y - cy) <= t.CORNER_RADIUS
