"""The pictures of whole screens that a game will need, drawn before they are asked for: one a frame, after the start.

A veil that appears when a finger chooses a piece, or the curtain of a secret, must not wait for its first drawing.
"""

from __future__ import annotations

from collections.abc import Callable

from kivy.clock import Clock

from companion.ui import textures
from companion.ui.screens.kit import Page, projection
from companion.ui.widgets.board import sea_body, veil_body


def warm_up(page: Page, board: str, scale: float) -> None:
    """Draw the sea and the veil of `board` for screens like `page`."""
    box = page.board_box
    place = projection(box)
    bodies: list[Callable[[], str]] = [lambda: sea_body(board, place, True), lambda: veil_body(board, place, ())]

    def draw_next(_dt: float) -> None:
        textures.large_texture(bodies.pop(0)(), (box.w, box.h), scale)
        if bodies:
            Clock.schedule_once(draw_next)

    Clock.schedule_once(draw_next)
