"""A field of text, for players' names: drawn like any other text until it is written in."""

from __future__ import annotations

from typing import Any

from kivy.uix.textinput import TextInput
from kivy.utils import get_color_from_hex

from companion.ui import fonts
from companion.ui import tokens as t
from companion.ui.box import Box
from companion.ui.drawing import surfaces
from companion.ui.parts import Entry, Picture, Span
from companion.ui.widgets.scene import Finger, PartWidget, Scene

MOST_LETTERS = 24
_SIZE = 22.0


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
            unfocus_on_touch=False,
            opacity=0,
        )
        super().__init__(scene, part)
        self.add_widget(self.input)
        self.input.bind(text=self._changed, focus=self._focused)

    def draw(self) -> None:
        """Lay the field out; the text is only set if it differs, so that the cursor stays."""
        part: Entry = self.part
        box, scale = part.box, self.scene.scale
        font = round(_SIZE * scale)
        self.input.font_size = font
        self.input.padding = [16 * scale, (box.h * scale - font * 1.2) / 2 - 1, 12 * scale, 0]
        self.input.size = (box.w * scale, box.h * scale)
        self.input.pos = self.scene.origin(box, box.h * scale)
        if self.input.text != part.text:
            self._silent = True
            self.input.text = part.text
            self._silent = False
        self._draw()

    @property
    def ground(self) -> Box | None:
        """The field's box."""
        box: Box = self.part.box
        return box

    def touch_up(self, finger: Finger) -> None:
        """Begin to write."""
        if self.part.box.holds(finger.x, finger.y):
            self.begin()

    def begin(self) -> None:
        """Write here."""
        self.input.focus = True
        self.input.cursor = (len(self.input.text), 0)
        if self.scene.typewriter is not None:
            self.scene.typewriter.open(self)

    @property
    def text(self) -> str:
        """The text so far."""
        return str(self.input.text)

    def insert(self, letter: str) -> None:
        """Add a letter at the cursor."""
        self.input.insert_text(letter)

    def erase(self) -> None:
        """Take the letter before the cursor away."""
        self.input.do_backspace()

    def close(self) -> None:
        """Writing has ended."""
        self.input.focus = False

    def on_touch_down(self, _touch: Any) -> bool:
        """The stage gives touches; the field itself takes none."""
        return False

    def leave(self) -> None:
        """Give the keyboard back."""
        if self.input.focus and self.scene.typewriter is not None:
            self.scene.typewriter.close()
        self.input.focus = False

    def _draw(self) -> None:
        box: Box = self.part.box
        writing = self.input.focus
        rim = surfaces.card(box.w, box.h, line=t.SEA_INK if writing else t.RULE, width=3 if writing else 2)
        self.canvas.before.clear()
        self.canvas.before.add(self.scene.draw((Picture(box, rim),)))
        if not writing:
            place = Box(box.x + 16, box.y, box.w - 28, box.h)
            name = self.scene.type.fit(Span(self.part.text), "phase", place, valign="middle", lines=1)
            self.canvas.before.add(self.scene.draw((name,)))

    def _focused(self, _input: object, focused: bool) -> None:
        self.input.opacity = 1 if focused else 0
        self._draw()
        if not focused and self.scene.typewriter is not None:
            self.scene.typewriter.close()

    def _changed(self, _input: object, text: str) -> None:
        if len(text) > MOST_LETTERS:
            self.input.text = text[:MOST_LETTERS]
        elif not self._silent:
            self.scene.view_model.edit(self.part.field, text)
        if self.scene.typewriter is not None:
            self.scene.typewriter.refresh()
