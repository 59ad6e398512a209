"""The live picture: shows what the camera sees in one texture, and lets the board's corners be dragged over it."""

from __future__ import annotations

import math
from typing import Any

import simplejpeg
from kivy.graphics import (
    Color,
    Ellipse,
    InstructionGroup,
    Rectangle,
    SmoothLine,
    StencilPop,
    StencilPush,
    StencilUnUse,
    StencilUse,
)
from kivy.graphics.texture import Texture

from companion.ui import textures
from companion.ui import tokens as t
from companion.ui.box import Box
from companion.ui.drawing import live
from companion.ui.drawing.live import HANDLE, SPOT, Frame
from companion.ui.parts import Live, Picture
from companion.ui.widgets.scene import Finger, PartWidget, Scene
from companion.viewmodel.states import Handle

_GROW = 2.5
_ABOVE = 90.0
_RADIUS = 62.0


class LiveWidget(PartWidget):
    """Draws a `Live` part and calls the view model's `drag` when a handle that was dragged is let go."""

    def __init__(self, scene: Scene, part: Live) -> None:
        self._texture: Any = None
        self._decoded = b""
        self._drag: tuple[int, str] | None = None  # finger, handle
        self._at = (0.0, 0.0)  # where that handle is, in u
        self._grip = (0.0, 0.0)  # from the finger to the handle
        self._layers = {name: InstructionGroup() for name in ("picture", "over", "loupe")}
        super().__init__(scene, part)
        for layer in self._layers.values():
            self.canvas.add(layer)

    def draw(self) -> None:
        """Draw the picture, what lies over it, and the handle that is being dragged."""
        if self._drag and all(handle.id != self._drag[1] for handle in self.part.handles):
            self._drag = None
        self._decode()
        self._draw_picture()
        self._draw_over()
        self._draw_loupe()

    @property
    def _frame(self) -> Frame:
        return Frame(self.part.box, self.part.picture.window)

    def _decode(self) -> None:
        """The same texture takes every picture of the same size."""
        jpeg = self.part.picture.jpeg
        if jpeg == self._decoded:
            return
        self._decoded = jpeg
        try:
            pixels = simplejpeg.decode_jpeg(jpeg, colorspace="RGBA")
        except ValueError:  # torn: the last one stays until the next comes
            return
        size = pixels.shape[1], pixels.shape[0]
        if self._texture is None or self._texture.size != size:
            self._texture = Texture.create(size=size, colorfmt="rgba")
            self._texture.flip_vertical()
        self._texture.blit_buffer(pixels.tobytes(), colorfmt="rgba", bufferfmt="ubyte")

    def _region(self, x: float, y: float, w: float, h: float) -> Any:
        """A part of the picture (px of the camera, within it) as a texture."""
        across = self._texture.width / self.part.picture.size[0]
        down = self._texture.height / self.part.picture.size[1]
        from_below = self._texture.height - (y + h) * down  # Kivy counts from the lower edge
        return self._texture.get_region(x * across, from_below, w * across, h * down)

    def _draw_picture(self) -> None:
        layer, frame = self._layers["picture"], self._frame
        layer.clear()
        if self._texture is None:
            return
        box, scale = frame.box, self.scene.scale
        layer.add(Color(1, 1, 1, 1))
        place = {"pos": self.scene.origin(box, box.h * scale), "size": (round(box.w * scale), round(box.h * scale))}
        layer.add(Rectangle(texture=self._region(*frame.window), **place))
        if self.part.picture.hatched:
            layer.add(self.scene.draw((Picture(box, live.hatching(box.w, box.h)),)))

    def _draw_over(self) -> None:
        layer = self._layers["over"]
        layer.clear()
        if not self._drag:
            for outline in self.part.outlines:
                self._draw_outline(layer, outline)
        for spot in self.part.spots:
            layer.add(self._sprite(self._frame.place(spot.x, spot.y), SPOT, live.spot(spot.tone)))
        for handle in self.part.handles:
            layer.add(self._sprite(self._place(handle), HANDLE, live.handle(self._tone(handle))))

    def _draw_outline(self, layer: InstructionGroup, outline: tuple[tuple[float, float], ...]) -> None:
        """A card line between two of ink: seen on any table."""
        if len(outline) < 3:
            return
        points = [v for x, y in outline for v in self._window_place(*self._frame.place(x, y))]
        for colour, width in ((t.INK, 2.6), (t.LIT_RING, 1.4)):
            layer.add(Color(*_rgb(colour), 1))
            layer.add(SmoothLine(points=points, width=width * self.scene.scale, close=True))

    def _draw_loupe(self) -> None:
        """What is under the handle that is dragged, large, above the finger; below it where there is no room above."""
        layer = self._layers["loupe"]
        layer.clear()
        if not self._drag or self._texture is None:
            return
        x, y = self._at
        box: Box = self.part.box
        middle_y = y - _ABOVE if y - _ABOVE - _RADIUS > box.y else y + _ABOVE
        middle_x = min(max(x, box.x + _RADIUS), box.right - _RADIUS)
        side = 2 * _RADIUS / _GROW / self._frame.scale
        px, py = self._frame.pixel(x, y)
        width, height = self.part.picture.size
        left, top = (min(max(0.0, at - side / 2), most - side) for at, most in ((px, width), (py, height)))
        cross = tuple((at - edge) / side * 2 * _RADIUS for at, edge in ((px, left), (py, top)))
        place, scale = Box(middle_x - _RADIUS, middle_y - _RADIUS, 2 * _RADIUS, 2 * _RADIUS), self.scene.scale
        pos, size = self.scene.origin(place, place.h * scale), (place.w * scale, place.h * scale)
        disc, enlarged = (kind(pos=pos, size=size) for kind in (Ellipse, Rectangle))
        enlarged.texture = self._region(left, top, side, side)
        for instruction in (StencilPush(), disc, StencilUse(), Color(1, 1, 1, 1), enlarged):
            layer.add(instruction)
        for instruction in (StencilUnUse(), Ellipse(pos=pos, size=size), StencilPop()):
            layer.add(instruction)
        layer.add(self.scene.draw((Picture(place, live.loupe(_RADIUS, round(cross[0]), round(cross[1]))),)))

    def _sprite(self, at: tuple[float, float], r: float, body: str) -> InstructionGroup:
        """A small drawing of radius `r` centred at `at`."""
        group = InstructionGroup()
        tex = textures.texture(body, (2 * r, 2 * r), self.scene.scale)
        group.add(Color(1, 1, 1, 1))
        box = Box(at[0] - r, at[1] - r, 2 * r, 2 * r)
        group.add(Rectangle(texture=tex, pos=self.scene.origin(box, tex.height), size=tex.size))
        return group

    def _window_place(self, x: float, y: float) -> tuple[float, float]:
        return x * self.scene.scale, self.scene.height - y * self.scene.scale

    def _place(self, handle: Handle) -> tuple[float, float]:
        return self._at if self._holds(handle) else self._frame.place(handle.x, handle.y)

    def _tone(self, handle: Handle) -> str:
        return "given" if self._holds(handle) else handle.tone

    def _holds(self, handle: Handle) -> bool:
        return self._drag is not None and self._drag[1] == handle.id

    # --- fingers

    def reach(self, x: float, y: float) -> float | None:
        """How far the nearest handle is, within a finger's width."""
        near = self._nearest(x, y)
        return None if near is None else near[0]

    def _nearest(self, x: float, y: float) -> tuple[float, Handle] | None:
        away = [(math.dist((x, y), self._place(handle)), handle) for handle in self.part.handles]
        near = [item for item in away if item[0] <= t.TOUCH / 2]
        return min(near, key=lambda item: item[0]) if near else None

    def touch_down(self, finger: Finger) -> None:
        """Take hold of the nearest handle."""
        near = self._nearest(finger.x, finger.y)
        if self._drag is None and near is not None:
            at = self._place(near[1])
            self._grip = (at[0] - finger.x, at[1] - finger.y)
            self._at = at
            self._drag = (finger.id, near[1].id)
            self._redraw()

    def touch_move(self, finger: Finger) -> None:
        """The handle goes with the finger, within the picture."""
        if self._drag and self._drag[0] == finger.id:
            box = self._frame.box
            self._at = (
                min(max(finger.x + self._grip[0], box.x), box.right),
                min(max(finger.y + self._grip[1], box.y), box.bottom),
            )
            self._redraw()

    def touch_up(self, finger: Finger) -> None:
        """Put it down, unless it was only touched."""
        if not self._drag or self._drag[0] != finger.id:
            return
        self.touch_move(finger)
        name, at = self._drag[1], self._at
        start = next(self._frame.place(h.x, h.y) for h in self.part.handles if h.id == name)
        self.touch_lost(finger.id)
        if math.dist(at, start) > 1.0:
            self.scene.view_model.drag(name, *self._frame.pixel(*at))

    def touch_lost(self, finger_id: int) -> None:
        """It goes back to where it was."""
        if self._drag and self._drag[0] == finger_id:
            self._drag = None
            self._redraw()

    def _redraw(self) -> None:
        self._draw_over()
        self._draw_loupe()


def _rgb(colour: str) -> tuple[float, float, float]:
    r, g, b = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return r, g, b
