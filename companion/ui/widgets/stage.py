"""A layer of the screen: keeps one widget for each part, changes only what changed, and gives fingers to widgets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kivy.graphics import PopMatrix, PushMatrix, Rotate
from kivy.uix.widget import Widget

from companion.ui import parts as p
from companion.ui.widgets.art import ArtWidget
from companion.ui.widgets.board import BoardWidget
from companion.ui.widgets.die import DieWidget
from companion.ui.widgets.entry import EntryWidget
from companion.ui.widgets.hold_corner import HoldCornerWidget
from companion.ui.widgets.live import LiveWidget
from companion.ui.widgets.press import PressWidget
from companion.ui.widgets.scene import Finger, PartWidget, Scene
from companion.ui.widgets.seats import SeatsWidget
from companion.ui.widgets.slider import SliderWidget

_WIDGETS: dict[type[Any], type[PartWidget]] = {
    p.Art: ArtWidget,
    p.Press: PressWidget,
    p.BoardPart: BoardWidget,
    p.DiePart: DieWidget,
    p.Entry: EntryWidget,
    p.HoldCorner: HoldCornerWidget,
    p.Seats: SeatsWidget,
    p.Slider: SliderWidget,
    p.Live: LiveWidget,
}


class Stage(Widget):
    """Shows a tuple of parts. Keys must be unique among them."""

    def __init__(self, scene: Scene) -> None:
        super().__init__(size_hint=(None, None), size=(0, 0))
        self.scene = scene
        self.widgets: dict[str, PartWidget] = {}
        self._fingers: dict[int, PartWidget] = {}
        self._turn = Rotate(angle=0, origin=(scene.width / 2, scene.height / 2))
        self.canvas.before.add(PushMatrix())
        self.canvas.before.add(self._turn)
        self.canvas.after.add(PopMatrix())

    def turn(self, turned: bool) -> None:
        """Show everything turned by 180 degrees, for a viewer opposite."""
        self._turn.angle = 180 if turned else 0

    def show(self, parts: tuple[p.Part, ...]) -> None:
        """Show these parts, back to front. Widgets of parts that are equal to the last ones are not touched."""
        before = list(self.widgets)
        old, self.widgets = self.widgets, {}
        for part in parts:
            widget = old.pop(part.key, None)
            if widget is not None and type(widget.part) is not type(part):
                self._drop(widget)
                widget = None
            if widget is None:
                widget = _widget(self.scene, part)
            else:
                widget.update(part)
            self.widgets[part.key] = widget
        for widget in old.values():
            self._drop(widget)
        if list(self.widgets) != before or any(w.parent is None for w in self.widgets.values()):
            self.clear_widgets()
            for widget in self.widgets.values():
                self.add_widget(widget)

    def clear(self) -> None:
        """Show nothing."""
        self.show(())

    def every(self) -> Iterator[PartWidget]:
        """All widgets, also those in lists."""
        for widget in self.widgets.values():
            yield widget
            yield from widget.within()

    def touch_down(self, finger: Finger) -> bool:
        """Give a finger to the nearest widget that wants it; on a tie to the front one. True if it was taken."""
        finger = self._local(finger)
        for widget in self.widgets.values():
            widget.other_down(finger.x, finger.y)
        reaches = ((w.reach(finger.x, finger.y), -i, w) for i, w in enumerate(self.widgets.values()))
        wanted = [(reach, order, widget) for reach, order, widget in reaches if reach is not None]
        if not wanted:
            return False
        target = min(wanted, key=lambda item: item[:2])[2]
        self._fingers[finger.id] = target
        target.touch_down(finger)
        return True

    def touch_move(self, finger: Finger) -> bool:
        """A finger moved."""
        target = self._fingers.get(finger.id)
        if target:
            target.touch_move(self._local(finger))
        return target is not None

    def grips(self, finger_id: int) -> bool:
        """Whether what has that finger keeps it."""
        target = self._fingers.get(finger_id)
        return target is not None and target.grips

    def touch_up(self, finger: Finger) -> bool:
        """A finger was lifted."""
        target = self._fingers.pop(finger.id, None)
        if target:
            target.touch_up(self._local(finger))
        return target is not None

    def lose_touches(self) -> None:
        """All fingers are lost, as when a dialog opens over this layer or the window loses its focus."""
        fingers, self._fingers = self._fingers, {}
        for touch, target in fingers.items():
            target.touch_lost(touch)

    def _local(self, finger: Finger) -> Finger:
        if not self._turn.angle:
            return finger
        width, height = self.scene.width / self.scene.scale, self.scene.height / self.scene.scale
        return Finger(finger.id, width - finger.x, height - finger.y)

    def _drop(self, widget: PartWidget) -> None:
        for touch in [touch for touch, target in self._fingers.items() if target is widget]:
            del self._fingers[touch]
            widget.touch_lost(touch)
        widget.leave()


def _widget(scene: Scene, part: p.Part) -> PartWidget:
    if isinstance(part, p.Scroll):
        from companion.ui.widgets.scroll import ScrollWidget  # holds a stage itself

        return ScrollWidget(scene, part)
    return _WIDGETS[type(part)](scene, part)
