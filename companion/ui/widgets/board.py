"""The board: layers of pictures and sprites, and the finger that chooses the nearest thing that can be chosen."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Mapping
from typing import Any

from kivy.animation import Animation
from kivy.clock import Clock
from kivy.graphics import Color, InstructionGroup, PopMatrix, PushMatrix, Rectangle, Translate

from companion.rules.geometry import Hex, load_board
from companion.rules.layout import HexContent, Land, Terrain
from companion.ui import textures
from companion.ui import tokens as t
from companion.ui.box import Box
from companion.ui.drawing import chart, lights, pieces
from companion.ui.drawing.lights import Sprite
from companion.ui.drawing.moves import Move, moved
from companion.ui.parts import BoardPart
from companion.ui.widgets.loupe import Loupe
from companion.ui.widgets.red_pencil import RedPencil
from companion.ui.widgets.scene import Finger, PartWidget, Scene
from companion.ui.widgets.stamp import stamped
from companion.viewmodel.haste import SETTLES_S

Target = tuple[str, Any]
"""`("hex", (q, r))` or `("land", "nw")`."""

_LAND_REACH = 100.0
_LAYERS = ("sea", "water", "tiles", "veil", "lights", "pieces", "rescued", "glide", "pencil", "loupe")


class BoardWidget(PartWidget):
    """Draws a `BoardPart` and calls `touch_hex`, `touch_land` and `touch_away`."""

    def __init__(self, scene: Scene, part: BoardPart) -> None:
        self._finger: int | None = None
        self._tapped: tuple[float, float, Target | None, float] = 0.0, 0.0, None, -SETTLES_S
        self._layers = {name: InstructionGroup() for name in _LAYERS}
        self._keys: dict[str, object] = {}
        self._on_way: tuple[Animation, Translate] | None = None
        self._pencil = RedPencil(scene, self._layers["pencil"])
        self._loupe = Loupe(scene, self._layers["loupe"])
        super().__init__(scene, part)
        for layer in self._layers.values():
            self.canvas.add(layer)

    # --- drawing

    def draw(self) -> None:
        """Draw again the layers whose content has changed."""
        self._show(fade=False)

    def changed(self, before: BoardPart) -> None:
        """New lights fade in, and one piece that moved is seen on its way; another board is there at once."""
        same = before.view.board == self.part.view.board and before.projection == self.part.projection
        self._end_glide()
        self._show(fade=same)
        if same and before.view.hexes != self.part.view.hexes:
            old = {v.hex: v.content for v in before.view.hexes}
            move = moved(old, {v.hex: v.content for v in self.part.view.hexes})
            if move and self.scene.motion.move_most:
                self._glide(move, old[move.target])

    def _show(self, *, fade: bool) -> None:
        part: BoardPart = self.part
        view, projection = part.view, part.projection
        tiles = {v.hex: v.content.tile for v in view.hexes if v.content.tile is not None}
        seen = tuple((v.hex, v.light, v.content.tile) for v in view.hexes if v.light != "plain")
        if self._is_new("sea", view.board):
            self._whole("sea", sea_body(view.board, projection, part.row_letters))
        if self._is_new("water", tuple(tiles)):
            # Half the resolution: they are faint, and drawn at the moment a tile is taken off the table.
            self._whole("water", chart.water_lines(tiles, projection), scale=0.5)
        if self._is_new("tiles", tuple(tiles.items())):
            self._sprites("tiles", tile_sprites(tiles, projection))
        if self._is_new("veil", view.legal_lands if view.veiled else None):
            body = veil_body(view.board, projection, view.legal_lands) if view.veiled else ""
            self._whole("veil", body, fade=fade)
        if self._is_new("lights", (seen, view.veiled, view.legal_lands)):
            self._sprites("lights", lights.lights(view, projection), fade=fade)
        if self._is_new("pieces", tuple((v.content, lights.dimmed(view, v)) for v in view.hexes)):
            self._show_pieces({})
        if self._is_new("rescued", tuple(view.safe.items())):
            marks = [
                Sprite(projection.anchor(land), pieces.rescued(marks)) for land, marks in view.safe.items() if marks
            ]
            self._sprites("rescued", marks)
        if self._is_new("pencil", (seen, view.arrow)):
            self._pencil.show(part)

    def _is_new(self, layer: str, content: object) -> bool:
        """True if a layer's content is not what it shows."""
        key = (content, self.part.projection, self.part.box)
        if self._keys.get(layer) == key:
            return False
        self._keys[layer] = key
        return True

    def _whole(self, name: str, body: str, *, scale: float = 1.0, fade: bool = False) -> None:
        """Draw a layer that is one picture of the whole board."""
        layer = self._begin(name, fade=fade)
        if body:
            box: Box = self.part.box
            tex = textures.large_texture(body, (box.w, box.h), self.scene.scale * scale)
            tex.mag_filter = "nearest" if scale == 1.0 else "linear"
            size = (tex.width / scale, tex.height / scale)
            layer.add(Rectangle(texture=tex, pos=self.scene.origin(box, size[1]), size=size))

    def _sprites(self, name: str, sprites: Iterable[Sprite], *, fade: bool = False) -> None:
        """Draw a layer of sprites."""
        layer = self._begin(name, fade=fade)
        for sprite in sprites:
            layer.add(self._sprite(sprite))

    def _show_pieces(self, instead: Mapping[Hex, HexContent]) -> None:
        """All pieces, the dimmed ones first. `instead` replaces what some hexes hold."""
        view, projection = self.part.view, self.part.projection
        layer = self._layers["pieces"]
        layer.clear()
        for dim, strength in ((True, t.VEILED_PIECE_STRENGTH), (False, 1.0)):
            layer.add(Color(1, 1, 1, strength))
            for v in view.hexes:
                body = ""
                if lights.dimmed(view, v) == dim:
                    body = pieces.pieces(instead.get(v.hex, v.content))
                if body:
                    layer.add(self._sprite(Sprite(projection.centre(v.hex), body, pieces.REACH)))

    def _glide(self, move: Move, before: HexContent) -> None:
        """Show a piece on its way; the hex it goes to is as it was until it is there."""
        self._show_pieces({move.target: before})
        projection, scale = self.part.projection, self.scene.scale
        (x1, y1), (x2, y2) = projection.centre(move.origin), projection.centre(move.target)
        steps = math.hypot(x2 - x1, y2 - y1) / (math.sqrt(3) * projection.side)
        place = Translate(0, 0)
        layer = self._layers["glide"]
        layer.add(PushMatrix())
        layer.add(place)
        layer.add(Color(1, 1, 1, 1))
        layer.add(self._sprite(Sprite((x1, y1), pieces.pieces(move.content), pieces.REACH)))
        layer.add(PopMatrix())
        motion = self.scene.motion
        duration = min(motion.move_most, motion.move_a_hex * steps)
        way = Animation(x=(x2 - x1) * scale, y=(y1 - y2) * scale, duration=duration, t="out_quad")
        way.bind(on_complete=lambda *_: self._end_glide())
        self._on_way = way, place
        way.start(place)

    def _end_glide(self) -> None:
        """Everything is where it belongs."""
        if self._on_way is None:
            return
        (way, place), self._on_way = self._on_way, None
        way.cancel(place)
        self._layers["glide"].clear()
        self._show_pieces({})

    def _begin(self, name: str, *, fade: bool = False) -> InstructionGroup:
        """An empty layer, which fades in if it is to."""
        layer = self._layers[name]
        layer.clear()
        duration = self.scene.motion.light if fade else 0.0
        colour = Color(1, 1, 1, 0 if duration else 1)
        layer.add(colour)
        if duration:
            Animation(a=1, duration=duration, t="out_quad").start(colour)
        return layer

    def _sprite(self, sprite: Sprite) -> Rectangle:
        return stamped(sprite, self.part, self.scene)

    def leave(self) -> None:
        """Nothing moves any more."""
        self._end_glide()
        self._pencil.leave()

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
        target, now = self.target_at(finger.x, finger.y), Clock.get_time()
        x, y, before, when = self._tapped
        self._tapped = finger.x, finger.y, target, now
        if now - when < SETTLES_S and target != before and math.hypot(finger.x - x, finger.y - y) <= t.FINGER:
            return  # the second tap of a drumming finger: what it was for has gone
        match target:
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


def tile_sprites(tiles: Mapping[Hex, Terrain], projection: chart.Projection) -> list[Sprite]:
    """The tiles, row by row, so that each covers the edge of the one behind."""
    rows = sorted(tiles.items(), key=lambda item: (item[0][1], item[0][0]))
    return [Sprite(projection.centre(h), chart.tile(terrain, 0, 0, t.HEX_SIDE), 24.0) for h, terrain in rows]


@functools.lru_cache(maxsize=4)
def sea_body(board: str, projection: chart.Projection, row_letters: bool) -> str:
    """The drawing of a board's sea."""
    return chart.sea(load_board(board), projection, row_letters=row_letters)


@functools.lru_cache(maxsize=4)
def veil_body(board: str, projection: chart.Projection, spared: tuple[Land, ...]) -> str:
    """The drawing of a board's veil."""
    return lights.veil(load_board(board), projection, spared)
