"""The board: five layers of pictures, and the finger that chooses the nearest thing that can be chosen."""

from __future__ import annotations

import math
from typing import Any

import msgspec
from kivy.animation import Animation
from kivy.graphics import Color, InstructionGroup, Rectangle

from companion.rules.geometry import load_board
from companion.rules.layout import EMPTY, HexContent
from companion.ui import textures
from companion.ui import tokens as t
from companion.ui.box import Box
from companion.ui.drawing import chart, lights, pieces, svg
from companion.ui.parts import BoardPart
from companion.ui.widgets.loupe import Loupe
from companion.ui.widgets.scene import Finger, PartWidget, Scene
from companion.viewmodel.states import BoardView

Target = tuple[str, Any]
"""`("hex", (q, r))` or `("land", "nw")`."""

_LAND_REACH = 100.0


class BoardWidget(PartWidget):
    """Draws a `BoardPart` and calls `touch_hex`, `touch_land` and `touch_away`."""

    def __init__(self, scene: Scene, part: BoardPart) -> None:
        self._finger: int | None = None
        self._layers = {name: InstructionGroup() for name in ("sea", "island", "lights", "pieces", "pencil", "loupe")}
        self._keys: dict[str, object] = {}
        self._pieces: dict[object, tuple[Color, Rectangle]] = {}
        self._light: Color | None = None
        self._loupe = Loupe(scene, self._layers["loupe"])
        super().__init__(scene, part)
        for layer in self._layers.values():
            self.canvas.add(layer)

    # --- drawing

    def draw(self) -> None:
        """Draw again the layers whose content has changed."""
        self._show(fade=False)

    def changed(self, before: BoardPart) -> None:
        """New lights fade in; on another board everything is there at once."""
        self._show(fade=before.view.board == self.part.view.board)

    def _show(self, *, fade: bool) -> None:
        part: BoardPart = self.part
        view, projection = part.view, part.projection
        board = load_board(view.board)
        tiles = {v.hex: v.content.tile for v in view.hexes if v.content.tile is not None}
        self._layer("sea", (view.board, projection), lambda: chart.sea(board, projection, letters=part.letters))
        self._layer("island", (tuple(tiles.items()), projection), lambda: chart.island(tiles, projection))
        seen = tuple((v.hex, v.light, v.content.tile is None) for v in view.hexes if v.light != "plain")
        self._layer("lights", (seen, view.veiled, view.legal_lands, projection),
                    lambda: lights.lights(view, projection), fade=fade)  # fmt: skip
        marked = tuple(s for s in seen if s[1] in ("deadly", "doubt", "contradicted"))
        self._layer("pencil", (marked, view.arrow, projection), lambda: lights.pencil(view, projection))
        self._show_pieces(view, part)

    def _layer(self, name: str, key: object, draw: Any, *, fade: bool = False) -> None:
        if self._keys.get(name) == key:
            return
        self._keys[name] = key
        layer = self._layers[name]
        layer.clear()
        body = draw()
        if not body:
            return
        box: Box = self.part.box
        tex = textures.large_texture(body, (box.w, box.h), self.scene.scale)
        colour = Color(1, 1, 1, 0 if fade else 1)
        layer.add(colour)
        layer.add(Rectangle(texture=tex, pos=self.scene.origin(box, tex.height), size=tex.size))
        if fade:
            Animation(a=1, duration=t.LIGHT_TIME, t="out_quad").start(colour)

    def _show_pieces(self, view: BoardView, part: BoardPart) -> None:
        wanted: dict[object, tuple[str, svg.Point, float]] = {}
        for v in view.hexes:
            content = standing(v.content)
            if content != EMPTY:
                dim = v.light == "veiled" or (view.veiled and v.light not in lights.LIT)
                strength = t.VEILED_PIECE_STRENGTH if dim else 1.0
                wanted[v.hex] = (_drawn(content, v.content.tile is None), part.projection.centre(v.hex), strength)
        for land, marks in view.safe.items():
            if marks:
                wanted[land] = (pieces.rescued(marks), part.projection.anchor(land), 1.0)
        key = (tuple(wanted.items()), part.projection)
        if self._keys.get("pieces") == key:
            return
        self._keys["pieces"] = key
        layer = self._layers["pieces"]
        layer.clear()
        for body, centre, strength in wanted.values():
            layer.add(Color(1, 1, 1, strength))
            layer.add(self._sprite(body, centre, part.projection.side / t.HEX_SIDE))

    def _sprite(self, body: str, centre: svg.Point, k: float) -> Rectangle:
        reach = pieces.REACH * k
        tex = textures.texture(svg.at(reach, reach, body, scale=k), (2 * reach, 2 * reach), self.scene.scale)
        x, y = self.part.box.x + centre[0], self.part.box.y + centre[1]
        place = Box(x - reach, y - reach, 2 * reach, 2 * reach)
        return Rectangle(texture=tex, pos=self.scene.origin(place, tex.height), size=tex.size)

    # --- fingers

    def target_at(self, x: float, y: float) -> Target | None:
        """The nearest thing that can be chosen within a finger's reach of (x, y) u; a land counts where it is seen."""
        part: BoardPart = self.part
        px, py = x - part.box.x, y - part.box.y
        best: tuple[float, Target] | None = None
        for v in part.view.hexes:
            if v.touchable:
                cx, cy = part.projection.centre(v.hex)
                d = math.hypot(px - cx, py - cy)
                if d <= t.FINGER and (best is None or d < best[0]):
                    best = d, ("hex", v.hex)
        if best is None:
            for land in part.view.legal_lands:
                cx, cy = part.projection.corner(land)
                if abs(px - cx) + abs(py - cy) <= _LAND_REACH + t.FINGER:
                    return "land", land
        return best[1] if best else None

    @property
    def ground(self) -> Box | None:
        """The whole board answers, if it is live."""
        return self.part.box if self.part.live else None

    def touch_down(self, finger: Finger) -> None:
        """Show under the loupe what would be chosen."""
        if self._finger is None:
            self._finger = finger.id
            self._look(finger.x, finger.y)

    def touch_move(self, finger: Finger) -> None:
        """The loupe follows."""
        if finger.id == self._finger:
            self._look(finger.x, finger.y)

    def touch_up(self, finger: Finger) -> None:
        """Choose, unless the finger slid off the board."""
        if finger.id != self._finger:
            return
        self.touch_lost(finger.id)
        if not self.part.box.holds(finger.x, finger.y):
            return
        match self.target_at(finger.x, finger.y):
            case ("hex", h):
                self.scene.view_model.touch_hex(h)
            case ("land", land):
                self.scene.view_model.touch_land(land)
            case _:
                self.scene.view_model.touch_away()

    def touch_lost(self, finger_id: int) -> None:
        """Take the loupe away."""
        if finger_id == self._finger:
            self._finger = None
            self._loupe.hide()

    def _look(self, x: float, y: float) -> None:
        match self.target_at(x, y) if self.part.box.holds(x, y) else None:
            case ("hex", h):
                self._loupe.show(self.part, h, x, y)
            case _:
                self._loupe.hide()


def standing(content: HexContent) -> HexContent:
    """What is on a hex without its tile."""
    return msgspec.structs.replace(content, tile=None) if content.tile is not None else content


def _drawn(content: HexContent, swims: bool) -> str:
    # Pieces are drawn the same on any tile: a beach stands for all, so that equal pieces share a picture.
    return pieces.pieces(content if swims else msgspec.structs.replace(content, tile="beach"))
