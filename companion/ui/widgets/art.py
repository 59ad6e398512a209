"""Things that are only looked at."""

from __future__ import annotations

from companion.ui.parts import Art
from companion.ui.widgets.scene import PartWidget


class ArtWidget(PartWidget):
    """Draws an `Art`."""

    def show(self, part: Art, before: Art | None) -> None:
        """Draw all of it again."""
        self.canvas.clear()
        self.canvas.add(self.scene.draw(part.drawn))
