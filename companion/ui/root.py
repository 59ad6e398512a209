"""The root widget: draws one `AppState` after another in layers, and gives every finger to one of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kivy.animation import Animation
from kivy.clock import Clock
from kivy.graphics import Color, Rectangle
from kivy.uix.widget import Widget
from kivy.utils import get_color_from_hex

from companion.rules.geometry import Hex
from companion.ui import tokens as t
from companion.ui.screens.catalogue import dialog_parts, is_turned, screen_parts, toast_parts
from companion.ui.screens.keyboard import keyboard_top
from companion.ui.screens.kit import Page
from companion.ui.widgets.entry import EntryWidget
from companion.ui.widgets.opening import Opening
from companion.ui.widgets.panel_change import PanelChange
from companion.ui.widgets.pointer import point_at
from companion.ui.widgets.scene import Finger, Scene
from companion.ui.widgets.stage import Stage
from companion.ui.widgets.typewriter import Typewriter
from companion.ui.widgets.warm import warm_up
from companion.viewmodel.states import AppState, Cursor, Display, Screen, Toast, ViewModel

_USUAL_BOARD = "anniversary"


class CompanionRoot(Widget):
    """All of the touchscreen. Needs a window to draw in, but no running app; `close` ends the subscription."""

    def __init__(self, view_model: ViewModel, size: tuple[float, float] = (800, 480)) -> None:
        super().__init__(size_hint=(None, None), size=size)
        self.view_model = view_model
        self._state: AppState | None = None
        self._seen: Screen | None = None
        self._toast_ends: Any = None
        with self.canvas.after:
            self._darkness = Color(0, 0, 0, 0)
            self._veil = Rectangle(size=(0, 0))
        self._build()
        self._unsubscribe = view_model.subscribe(self.show)
        self.show(view_model.state)

    def _build(self) -> None:
        self.clear_widgets()
        self.scene = Scene(self.width, self.height, self.view_model)
        scale = self.scene.scale
        self.page = Page(self.width / scale, self.height / scale, self.scene.type)
        self.typewriter = self.scene.typewriter = Typewriter(self.page)
        self.screen, self.dialog, self.toast = Stage(self.scene), Stage(self.scene), Stage(self.scene)
        self.keys = Stage(Scene(self.width, self.height, self.view_model, press=self.typewriter.press))
        self.typewriter.stage = self.keys
        self._stages = (self.screen, self.dialog, self.keys, self.toast)  # back to front
        self.pointer = Stage(self.scene)
        self.panel_change = PanelChange(self.scene)
        self.opening = Opening(self.scene, whole=self._show_again)
        for layer in (self.screen, self.panel_change, *self._stages[1:], self.pointer):
            self.add_widget(layer)

    def close(self) -> None:
        """Let go of everything that is held, and of the view model."""
        self._unsubscribe()
        self._show_toast(None, at_once=True)
        self.panel_change.end()
        self.opening.end()
        for stage in (*self._stages, self.pointer):
            stage.lose_touches()
            stage.clear()

    # --- what is shown

    def show(self, state: AppState) -> None:
        """Draw `state`; what is equal to the last state's is left alone."""
        before, self._state = self._state, state
        page = self.page
        self._follow(state.display)
        seen = self.opening.seen(before.screen if before else None, state.screen)
        if before is None or self._seen != seen or page is not self.page:
            self._show_screen(seen)
        if seen is not state.screen:
            self.opening.fade(self.screen.widgets["card"])
        if before is not None:
            self.panel_change.follow(self.page, before, state)
        if before is None or before.dialog != state.dialog:
            if state.dialog is not None:
                self.screen.lose_touches()
            self.dialog.show(dialog_parts(self.page, state.dialog))
        if before is None or before.toast != state.toast:
            self._show_toast(state.toast, at_once=before is None)
        self._show_pointer(state.cursor)

    def _show_again(self) -> None:
        if self._state is not None:
            self.show(self._state)

    def _show_screen(self, screen: Screen) -> None:
        """Nothing of another kind of screen stays."""
        if type(self._seen) is not type(screen):
            self.screen.clear()
        self._seen = screen
        self.screen.turn(is_turned(screen))
        self.screen.show(screen_parts(self.page, screen))

    def _show_pointer(self, cursor: Cursor | None) -> None:
        """The cursor lies over everything; it hears no finger."""
        front = self.dialog if self.dialog.widgets else self.screen
        self.pointer.turn(front is self.screen and is_turned(self._state.screen) if self._state else False)
        self.pointer.show(point_at(cursor, (self.toast, front)) if cursor else ())
        if cursor is not None:
            self._write_at(cursor)

    def _write_at(self, cursor: Cursor) -> None:
        """A name that OK has taken hold of is written in; a cursor that goes on ends that."""
        entry = next((w for w in self.screen.every() if isinstance(w, EntryWidget) and w.part.field == cursor.id), None)
        if entry is not None and cursor.held and not self.keys.widgets:
            entry.begin()
        elif not cursor.held:
            self.typewriter.close()

    def _follow(self, display: Display) -> None:
        """As dark and as quick as it is to be; which way up is the window's business."""
        self._darkness.a = display.veil
        self._veil.size = self.size if display.veil else (0, 0)  # what nobody sees is not blended over every pixel
        usual = t.USUAL_MOTION._replace(die_tumble=display.tumble_s)
        self.scene.motion = t.LESS_MOTION if display.less_movement else usual
        page = replace(self.page, mark_letters=display.mark_letters, board_right=display.board_right)
        if page != self.page:
            self.page = page

    def _show_toast(self, toast: Toast | None, *, at_once: bool = False) -> None:
        """A toast fades in and stays for a few seconds, unless the view model takes it away before; it fades out."""
        if self._toast_ends is not None:
            self._toast_ends.cancel()
            self._toast_ends = None
        Animation.cancel_all(self.toast, "opacity")
        if toast is None:
            self._end_toast(0.0 if at_once else self.scene.motion.toast_out)
            return
        self.toast.show(toast_parts(self.page, toast))
        self.toast.opacity = 1.0
        if not at_once and self.scene.motion.toast_in:
            self.toast.opacity = 0.0
            Animation(opacity=1.0, duration=self.scene.motion.toast_in, t="out_quad").start(self.toast)
        self._toast_ends = Clock.schedule_once(lambda _dt: self._show_toast(None), toast.stays_s)

    def _end_toast(self, seconds: float) -> None:
        """It goes in so long, and hears no finger meanwhile."""
        self.toast.lose_touches()
        if not seconds or not self.toast.widgets:
            self.toast.clear()
            return
        going = Animation(opacity=0.0, duration=seconds, t="out_quad")
        going.bind(on_complete=lambda *_: self.toast.clear())
        going.start(self.toast)

    def put_finger(self, h: Hex) -> None:
        """A finger comes down on a hex of the board, and stays."""
        part = self.screen.widgets["board"].part
        x, y = part.projection.centre(h)
        self.screen.touch_down(Finger(0, part.box.x + x, part.box.y + y))

    def follow_window(self, window: Any) -> None:
        """Fill the window, and fill it again when its size changes; losing the focus lets go of every finger.

        The paper is the window's own ground: cleared, not drawn.
        """
        window.clearcolor = get_color_from_hex(t.PAPER)
        self._resize(window.size)
        warm_up(self.page, _USUAL_BOARD, self.scene.scale)
        window.bind(size=lambda _window, size: self._resize(size))
        window.bind(focus=lambda _window, focused: None if focused else self.lose_touches())

    def lose_touches(self) -> None:
        """All fingers are lost: nothing is pressed, and a secret shuts."""
        for stage in self._stages:
            stage.lose_touches()

    def _resize(self, size: tuple[float, float]) -> None:
        if tuple(size) == (self.width, self.height):
            return
        self.lose_touches()
        self.panel_change.end()
        for stage in self._stages:
            stage.clear()
        self.size = size
        self._build()
        state, self._state = self._state, None
        if state is not None:
            self.show(state)

    # --- fingers

    def on_touch_down(self, touch: Any) -> bool:
        """The toast first, then the keyboard; a dialog keeps every finger from the screen under it.

        A finger that wakes a dimmed screen is for nothing else.
        """
        if "button" in touch.profile and touch.button.startswith("scroll"):
            return False
        if not self.view_model.stir():
            return True
        finger = self._finger(touch)
        touch.grab(self)
        stays = self._toast_ends is not None
        if not (stays and self.toast.touch_down(finger)) and not self._write(finger):
            (self.dialog if self.dialog.widgets else self.screen).touch_down(finger)
        return True

    def _write(self, finger: Finger) -> bool:
        """True if the finger is on the keyboard; above it, it ends the writing and is for what lies there."""
        if not self.keys.widgets:
            return False
        if finger.y < keyboard_top(self.page):
            self.typewriter.close()
            return False
        self.keys.touch_down(finger)
        return True

    def on_touch_move(self, touch: Any) -> bool:
        """To whoever has that finger."""
        return self._forward("touch_move", touch)

    def on_touch_up(self, touch: Any) -> bool:
        """To whoever has that finger. Kivy calls this twice: on the way through the tree, and then as the grabber."""
        answered = self._forward("touch_up", touch)
        if touch.grab_current is self:
            touch.ungrab(self)
        return answered

    def _forward(self, method: str, touch: Any) -> bool:
        if touch.grab_current is not self:
            return False
        finger = self._finger(touch)
        return any(getattr(stage, method)(finger) for stage in reversed(self._stages))

    def _finger(self, touch: Any) -> Finger:
        return Finger(touch.uid, *self.scene.to_units(*touch.pos))
