"""Things that are only looked at."""

from __future__ import annotations

from companion.ui.box import Box
from companion.ui.widgets.scene import PartWidget


class ArtWidget(PartWidget):
    """Draws an `Art` part."""

    def draw(self) -> None:
        """Draw all of it again."""
        self.canvas.clear()
        self.canvas.add(self.scene.draw(self.part.drawn))

    @property
    def ground(self) -> Box | None:
        """Where fingers end."""
        solid: Box | None = self.part.solid
        return solid
