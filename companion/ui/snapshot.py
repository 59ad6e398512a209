"""Pictures of screens without a display: one `AppState` in, one PNG out."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

from companion.rules.geometry import Hex
from companion.rules.layout import Land
from companion.ui import environment
from companion.ui.environment import NoWindowError
from companion.viewmodel.states import AppState

PACKAGES = ("libegl1", "libgles2", "libgl1", "libgl1-mesa-dri")
"""Debian packages that let SDL draw without a display, in software."""


def offscreen() -> None:
    """Make the one window that Kivy needs, without a display. Does nothing if there is one. Raises NoWindowError."""
    if "kivy.core.window" not in sys.modules:
        os.environ["SDL_VIDEODRIVER"] = "offscreen"
        environment.prepare()
    from kivy.base import EventLoop
    from kivy.core.window import Window

    if Window is None:
        raise NoWindowError(
            "No window can be made without a display. On Debian, install what draws in software: "
            f"sudo apt install {' '.join(PACKAGES)}"
        )
    EventLoop.ensure_window()


def snapshot(state: AppState, size: tuple[int, int], path: Path | str) -> None:
    """Draw `state` at `size` px into the PNG file `path`. Raises NoWindowError where nothing can be drawn, OSError."""
    Path(path).write_bytes(picture_of(state, size))


def picture_of(state: AppState, size: tuple[int, int], finger: Hex | None = None) -> bytes:
    """`state` at `size` px as a PNG file, with a finger on that hex of the board. Raises NoWindowError."""
    offscreen()
    from companion.ui.picture import png
    from companion.ui.root import CompanionRoot

    root = CompanionRoot(StillLife(state), size)
    try:
        if finger is not None:
            root.put_finger(finger)
        return png(root)
    finally:
        root.close()


class StillLife:
    """A view model that always shows the same and answers nothing."""

    def __init__(self, state: AppState) -> None:
        self.state = state

    def subscribe(self, _listener: Callable[[AppState], None]) -> Callable[[], None]:
        """There will be no change to tell of."""
        return lambda: None

    def press(self, button_id: str) -> None:
        """Nothing happens."""

    def hears(self, button_id: str) -> bool:  # noqa: ARG002 - the protocol
        """Every finger is for what it touches."""
        return True

    def touch_hex(self, h: tuple[int, int]) -> None:
        """Nothing happens."""

    def touch_land(self, land: Land) -> None:
        """Nothing happens."""

    def touch_away(self) -> None:
        """Nothing happens."""

    def hold(self, player: int) -> None:
        """Nothing happens."""

    def let_go(self, player: int) -> None:
        """Nothing happens."""

    def cover(self, player: int) -> None:
        """Nothing happens."""

    def edit(self, field: str, text: str) -> None:
        """Nothing happens."""

    def slide(self, field: str, value: int, *, done: bool) -> None:
        """Nothing happens."""

    def stir(self) -> bool:
        """Every finger is for what it touches."""
        return True

    def drag(self, handle: str, x: float, y: float) -> None:
        """Nothing happens."""

    def tick(self, now: float) -> None:
        """Nothing happens."""
