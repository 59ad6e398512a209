"""The loupe: while a finger is on the board, what it would choose is shown large above it."""

from __future__ import annotations

from kivy.graphics import Color, InstructionGroup, Rectangle

from companion.rules.geometry import Hex, load_board
from companion.ui import textures
from companion.ui import tokens as t
from companion.ui.box import Box
from companion.ui.drawing import chart, pieces, svg
from companion.ui.parts import BoardPart
from companion.ui.widgets.scene import Scene
from companion.viewmodel.states import HexView

_GROW = 2.5
_ABOVE = 90.0
_RADIUS = 62.0


class Loupe:
    """Draws into `layer`."""

    def __init__(self, scene: Scene, layer: InstructionGroup) -> None:
        self._scene = scene
        self._layer = layer
        self._shown: tuple[object, ...] | None = None

    def show(self, part: BoardPart, h: Hex, x: float, y: float) -> None:
        """Show hex `h` 90 u above the finger at (x, y) u, or below it where there is no room above."""
        view = next(v for v in part.view.hexes if v.hex == h)
        middle_y = y - _ABOVE if y - _ABOVE - _RADIUS > part.box.y else y + _ABOVE
        middle_x = min(max(x, part.box.x + _RADIUS), part.box.right - _RADIUS)
        name = load_board(part.view.board).labels[h]
        tex = textures.texture(_picture(view, name), (2 * _RADIUS, 2 * _RADIUS), self._scene.scale)
        place = Box(middle_x - _RADIUS, middle_y - _RADIUS, 2 * _RADIUS, 2 * _RADIUS)
        shown = (view, self._scene.origin(place, tex.height))
        if shown == self._shown:
            return
        self._shown = shown
        self._layer.clear()
        self._layer.add(Color(1, 1, 1, 1))
        self._layer.add(Rectangle(texture=tex, pos=shown[1], size=tex.size))

    def hide(self) -> None:
        """Take it away."""
        self._shown = None
        self._layer.clear()


def _picture(view: HexView, name: str) -> str:
    c = _RADIUS
    content = view.content
    body = svg.circle(c, c, c - 2, fill=t.CHART_SEA, stroke=t.INK, stroke_width=3)
    inner = chart.tile(content.tile, 0, 0, t.HEX_SIDE) if content.tile else svg.polygon(
        svg.hexagon(0, 0, t.HEX_SIDE), fill=t.LIT_SEA, stroke=t.CHART_LINE, stroke_width=0.8
    )  # fmt: skip
    inner += svg.polygon(svg.hexagon(0, 0, t.HEX_SIDE - 1), stroke=t.AMBER, stroke_width=2.0)
    inner += svg.at(0, 0, pieces.pieces(content), scale=0.92)
    body += svg.at(c, c - 4, inner, scale=_GROW * 0.84)
    return body + svg.figure(name, c, 2 * c - 13, 18, fill=t.INK, halo=t.CARD)
