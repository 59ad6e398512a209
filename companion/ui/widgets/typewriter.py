"""Writing by touch: the keyboard on the screen, and the field that it writes in."""

from __future__ import annotations

from typing import Protocol

from companion.ui.screens.keyboard import OTHER, Script, keyboard
from companion.ui.screens.kit import Page
from companion.ui.widgets.stage import Stage


class Field(Protocol):
    """What can be written in."""

    @property
    def text(self) -> str:
        """The text so far."""

    def insert(self, letter: str) -> None:
        """Add a letter at the cursor."""

    def erase(self) -> None:
        """Take the letter before the cursor away."""

    def close(self) -> None:
        """Writing has ended."""


class Typewriter:
    """Shows the keyboard on `stage` while a field is written in; its keys' presses come here, not to the view model."""

    def __init__(self, page: Page) -> None:
        self.stage: Stage | None = None
        self._page = page
        self._field: Field | None = None
        self._script: Script = "latin"
        self._capitals = True

    def open(self, field: Field) -> None:
        """Write in `field`, in the script that it is in."""
        if self._field is not None and self._field is not field:
            self._field.close()
        self._field = field
        if field.text:
            self._script = "cyrillic" if any("Ѐ" <= letter <= "ӿ" for letter in field.text) else "latin"
        self.refresh()

    def close(self) -> None:
        """Take the keyboard away."""
        field, self._field = self._field, None
        if self.stage is not None:
            self.stage.clear()
        if field is not None:
            field.close()

    def press(self, key: str) -> None:
        """A key of the keyboard."""
        if self._field is None:
            return
        if key.startswith("letter:"):
            self._field.insert(key.removeprefix("letter:"))
            self._capitals = False
        elif key == "erase":
            self._field.erase()
        elif key == "shift":
            self._capitals = not self._capitals
        elif key == "script":
            self._script = OTHER[self._script][0]
        elif key == "done":
            self.close()
            return
        self.refresh()

    def refresh(self) -> None:
        """Show the text as it is now; a name begins with a capital."""
        if self._field is None or self.stage is None:
            return
        capitals = self._capitals or not self._field.text
        self.stage.show(tuple(keyboard(self._page, self._field.text, self._script, capitals=capitals)))
