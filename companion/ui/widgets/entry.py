"""A field of text, for players' names."""

from __future__ import annotations

from typing import Any

from kivy.uix.textinput import TextInput
from kivy.utils import get_color_from_hex

from companion.ui import fonts
from companion.ui import tokens as t
from companion.ui.drawing import surfaces
from companion.ui.parts import Entry, Picture
from companion.ui.widgets.scene import PartWidget, Scene

MOST_LETTERS = 24


class EntryWidget(PartWidget):
    """Draws an `Entry` and calls `edit` after every letter."""

    def __init__(self, scene: Scene, part: Entry) -> None:
        fonts.register()
        self._silent = False
        self.input = TextInput(
            multiline=False,
            write_tab=False,
            font_name="LatoBold",
            background_color=(0, 0, 0, 0),
            foreground_color=get_color_from_hex(t.INK),
            cursor_color=get_color_from_hex(t.SEA_INK),
            selection_color=(*get_color_from_hex(t.AMBER)[:3], 0.5),
            size_hint=(None, None),
        )
        super().__init__(scene, part)
        self.add_widget(self.input)
        self.input.bind(text=self._changed)

    def show(self, part: Entry, before: Entry | None) -> None:
        """Lay the field out; the text is only set if it differs, so that the cursor stays."""
        box, scale = part.box, self.scene.scale
        self.canvas.before.clear()
        ground = Picture(box, surfaces.card(box.w, box.h, line=t.RULE))
        self.canvas.before.add(self.scene.draw((ground,)))
        font = round(22 * scale)
        self.input.font_size = font
        self.input.padding = [16 * scale, (box.h * scale - font * 1.2) / 2 - 1, 12 * scale, 0]
        self.input.size = (box.w * scale, box.h * scale)
        self.input.pos = self.scene.origin(box, box.h * scale)
        if self.input.text != part.text:
            self._silent = True
            self.input.text = part.text
            self._silent = False

    def reach(self, x: float, y: float) -> float | None:
        """The field's box."""
        return 0.0 if self.part.box.holds(x, y) else None

    def touch_up(self, touch: int, x: float, y: float) -> None:
        """Begin to write."""
        if self.part.box.holds(x, y):
            self.input.focus = True
            self.input.cursor = (len(self.input.text), 0)

    def on_touch_down(self, touch: Any) -> bool:
        """The stage gives touches; the field itself takes none."""
        return False

    def leave(self) -> None:
        """Give the keyboard back."""
        self.input.focus = False

    def _changed(self, _input: object, text: str) -> None:
        if len(text) > MOST_LETTERS:
            self.input.text = text[:MOST_LETTERS]
        elif not self._silent:
            self.scene.view_model.edit(self.part.field, text)
