"""A panel that becomes another one comes in out of its paper; one in which a figure or a line changes does not.

The words are there at once and answer at once: what passes is a thin sheet over them, which is soon gone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kivy.animation import Animation
from kivy.graphics import Color, Rectangle
from kivy.uix.widget import Widget
from kivy.utils import get_color_from_hex

from companion.ui import tokens as t
from companion.ui.screens.kit import Page
from companion.ui.widgets.scene import Scene
from companion.viewmodel import states as s

_STRENGTH = 0.6
"""Of the sheet as it comes: ink has a contrast of 4.5 after 50 ms, red pencil and the softest ink after 100 ms."""

_ABOUT: Mapping[type[Any], Callable[[Any], object]] = {
    s.SetupScreen: lambda screen: bool(screen.tiles),
    s.TurnScreen: lambda screen: (screen.name, [cell.icon for cell in screen.cells if cell.state == "now"]),
    s.ContradictionScreen: lambda _: None,
    s.DefenceScreen: lambda _: None,
}
"""The screens that have a panel beside the board in play, and what one of them is about: that and the kind of screen
make it another panel."""


def is_another(before: s.AppState, after: s.AppState) -> bool:
    """True if the panel of a game has become another one, with no dialog over either."""
    kinds = type(before.screen), type(after.screen)
    if before.dialog or after.dialog or any(kind not in _ABOUT for kind in kinds):
        return False
    return kinds[0] is not kinds[1] or _ABOUT[kinds[0]](before.screen) != _ABOUT[kinds[1]](after.screen)


class PanelChange(Widget):
    """The sheet; lies over the screen and under all else, and hears no finger."""

    def __init__(self, scene: Scene) -> None:
        super().__init__(size_hint=(None, None), size=(0, 0))
        self._scene = scene
        self._going: Animation | None = None
        with self.canvas:
            self._paper = Color(*get_color_from_hex(t.PAPER)[:3], 0)
            self._sheet = Rectangle(size=(0, 0))

    @property
    def strength(self) -> float:
        """How much of the panel it takes away now."""
        return float(self._paper.a) if self._going else 0.0

    def follow(self, page: Page, before: s.AppState, after: s.AppState) -> None:
        """A panel that changes while one is coming in comes in with it: nothing is veiled for longer than once."""
        if type(after.screen) not in _ABOUT or after.dialog:
            self.end()
        elif self._going is None and self._scene.motion.panel and is_another(before, after):
            box = page.ground
            self._sheet.size = round(box.w * self._scene.scale), round(box.h * self._scene.scale)
            self._sheet.pos = self._scene.origin(box, self._sheet.size[1])
            self._paper.a = _STRENGTH
            self._going = Animation(a=0, duration=self._scene.motion.panel, t="out_quad")
            self._going.bind(on_complete=lambda *_: self.end())
            self._going.start(self._paper)

    def end(self) -> None:
        """Nothing lies over the panel."""
        going, self._going = self._going, None
        if going is not None:
            going.cancel(self._paper)
            self._sheet.size = (0, 0)  # what nobody sees is not blended over every pixel
