"""Where a sprite lies on a board: drawn for the fraction of a pixel that it lies off, in quarters, and kept."""

from __future__ import annotations

from typing import Any

from kivy.graphics import Rectangle

from companion.ui import textures
from companion.ui import tokens as t
from companion.ui.box import Box
from companion.ui.drawing import svg
from companion.ui.drawing.chart import Projection
from companion.ui.drawing.lights import Sprite
from companion.ui.parts import BoardPart
from companion.ui.widgets.scene import Scene


def stamped(sprite: Sprite, part: BoardPart, scene: Scene) -> Rectangle:
    """What shows a sprite at its place on that board."""
    x, y, tex = placed(sprite, part.box, part.projection, scene.scale)
    return Rectangle(texture=tex, pos=(x, round(scene.height) - y - tex.height), size=tex.size)


def placed(sprite: Sprite, box: Box, projection: Projection, scale: float) -> tuple[int, int, Any]:
    """Left and top edge in px of a sprite on a board that fills `box`, and its texture."""
    k = projection.side / t.HEX_SIDE
    reach = sprite.reach * k
    x, dx = _whole_and_quarters((box.x + sprite.centre[0] - reach) * scale)
    y, dy = _whole_and_quarters((box.y + sprite.centre[1] - reach) * scale)
    body = svg.at(reach + dx / scale, reach + dy / scale, sprite.body, scale=k)
    return x, y, textures.texture(body, (2 * reach + 1 / scale, 2 * reach + 1 / scale), scale)


def _whole_and_quarters(pixels: float) -> tuple[int, float]:
    quarters = round(pixels * 4)
    return quarters // 4, quarters % 4 / 4
