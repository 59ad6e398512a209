"""From u to pixels: where drawn things lie in the window, and the instructions that draw them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from kivy.graphics import Color, InstructionGroup, Rectangle
from kivy.uix.widget import Widget

from companion.rules.geometry import Hex
from companion.ui import text, textures
from companion.ui import tokens as t
from companion.ui.box import Box, px_a_unit
from companion.ui.parts import Drawn, Part, Picture, Words
from companion.ui.text import Typesetter, measure
from companion.viewmodel.states import ViewModel

if TYPE_CHECKING:
    from companion.ui.widgets.typewriter import Typewriter


class Scene:
    """The window at one size: `scale` px a u, `width` x `height` px, and what the widgets in it call.

    `press` hears of buttons in place of the view model; `typewriter` is there where fields can be written in. `motion`
    is how long what moves takes; who begins to move asks then. `circled` are the hexes with a red-pencil circle on the
    last board that was shown, None before the first: a circle is drawn once, on whatever board it comes back.
    """

    def __init__(
        self, width: float, height: float, view_model: ViewModel, press: Callable[[str], None] | None = None
    ) -> None:
        self.scale = px_a_unit(width, height)
        self.width, self.height = width, height
        self.view_model = view_model
        self.type = Typesetter(self.scale)
        self.press = press or view_model.press
        self.typewriter: Typewriter | None = None
        self.motion = t.USUAL_MOTION
        self.circled: frozenset[Hex] | None = None

    def origin(self, box: Box, pixel_height: float) -> tuple[int, int]:
        """Lower left corner in px of a picture `pixel_height` high whose top left is the box's, on whole pixels."""
        return round(box.x * self.scale), round(self.height - box.y * self.scale) - round(pixel_height)

    def to_units(self, x: float, y: float) -> tuple[float, float]:
        """A place in the window (px, y up) in u, y down."""
        return x / self.scale, (self.height - y) / self.scale

    def draw(self, drawn: Iterable[Drawn]) -> InstructionGroup:
        """Instructions that show these pictures and texts."""
        group = InstructionGroup()
        for thing in drawn:
            group.add(Color(1, 1, 1, thing.opacity if isinstance(thing, Picture) else 1))
            picture = self.picture(thing) if isinstance(thing, Picture) else self.words(thing)
            if picture is not None:
                group.add(picture)
        return group

    def picture(self, picture: Picture) -> Rectangle:
        """A drawing as a textured rectangle."""
        tex = textures.texture(picture.svg, (picture.box.w, picture.box.h), self.scale)
        return Rectangle(texture=tex, pos=self.origin(picture.box, tex.height), size=tex.size)

    def words(self, words: Words) -> Rectangle | None:
        """Text as a textured rectangle, placed in its box; None if it is empty."""
        tex = text.texture(words, self.scale)
        if tex is None:
            return None
        x, top = words.box.x * self.scale, words.box.y * self.scale
        height = measure(words.spans, words.style, words.size, words.box.w, self.scale)[1]
        room = (words.box.h - height) * self.scale
        if words.valign == "middle":
            top += room / 2
        elif words.valign == "bottom":
            top += room
        top += text.lead(words, tex.height, self.scale)
        extra = words.box.w * self.scale - tex.width
        if words.halign == "center":
            x += extra / 2
        elif words.halign == "right":
            x += extra
        return Rectangle(texture=tex, pos=(round(x), round(self.height - top - tex.height)), size=tex.size)


class Finger(NamedTuple):
    """A finger on the screen: which one, and where it is in u."""

    id: int
    x: float
    y: float


class PartWidget(Widget):
    """Base of all widgets: shows one part, and is asked by the stage whether a finger is for it.

    What `grips` keeps its finger in a list too, however that moves.
    """

    grips = False

    def __init__(self, scene: Scene, part: Any) -> None:
        super().__init__(size_hint=(None, None), size=(0, 0))
        self.scene = scene
        self.part = part
        self.draw()

    def update(self, part: Part) -> None:
        """Show another value of the same part; does nothing if it is equal."""
        if part != self.part:
            before, self.part = self.part, part
            self.changed(before)

    def draw(self) -> None:
        """Draw the part."""
        raise NotImplementedError

    def changed(self, before: Any) -> None:  # noqa: ARG002 - some widgets ask what was shown before
        """The part is another one than `before`: draw it."""
        self.draw()

    @property
    def ground(self) -> Box | None:
        """Where a finger is for this widget; None if it cannot be touched."""
        return None

    def reach(self, x: float, y: float) -> float | None:
        """How far (u) a finger at (x, y) u is from what can be touched here; None if it is for somebody else."""
        return 0.0 if self.ground is not None and self.ground.holds(x, y) else None

    def within(self) -> Iterable[PartWidget]:
        """The widgets in this one."""
        return ()

    def touch_down(self, finger: Finger) -> None:
        """A finger came down here."""

    def touch_move(self, finger: Finger) -> None:
        """That finger moved."""

    def touch_up(self, finger: Finger) -> None:
        """That finger was lifted."""

    def touch_lost(self, finger_id: int) -> None:
        """That finger is no longer ours: nothing is done for it."""

    def other_down(self, x: float, y: float) -> None:
        """Another finger came down anywhere on the screen."""

    def leave(self) -> None:
        """The widget goes: let go of everything."""
