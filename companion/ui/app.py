"""The touchscreen program: a window, the root widget that draws the view model's state, and the clock that ticks it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.ui import environment
from companion.ui.environment import NoWindowError
from companion.viewmodel.states import ViewModel

Keyboard = Callable[[str, bool], None]
"""Called with a key's name (`"a"`, `"1"`, `"enter"`) and True when it goes down, False when it comes up."""

_TICK = 1 / 20


def run(
    view_model: ViewModel,
    *,
    size: tuple[int, int] = (800, 480),
    fullscreen: bool = False,
    on_tick: Callable[[], None] | None = None,
    keyboard: Keyboard | None = None,
) -> None:
    """Open the window and draw until it is closed.

    `size` is what the people see, in px, after the rotation that the view model's first state asks for; later ones
    turn what is in the window. `on_tick` is called 20 times a second, after the view model's own `tick`; it feeds the
    watchdog and brings in what other processes have sent. `keyboard` hears the keys that no text field wants. Raises
    NoWindowError if no window can be made.
    """
    environment.prepare(size=size, rotation=view_model.state.display.rotation, fullscreen=fullscreen)
    from kivy.app import App
    from kivy.clock import Clock
    from kivy.core.window import Window

    from companion.ui.root import CompanionRoot

    if Window is None:
        raise NoWindowError("No window can be opened: is a screen connected, and may this user draw on it?")

    class CompanionApp(App):
        """Kivy's frame round the root widget."""

        title = "Atlantis"
        root: Any = None

        def build(self) -> Any:
            """The root widget; it ends with the window."""
            root = CompanionRoot(view_model)
            root.follow_window(Window)
            self.end_subscription = view_model.subscribe(lambda state: _turn(Window, state.display.rotation))
            Clock.schedule_interval(lambda _dt: _tick(view_model, on_tick), _TICK)
            if keyboard is not None:
                _listen(Window, keyboard, lambda: bool(root.keys.widgets))
            return root

        def on_stop(self) -> None:
            """Let go of the view model. Kivy says it twice where the program ends itself."""
            root, self.root = self.root, None
            if root is not None:
                self.end_subscription()
                root.close()

        def open_settings(self, *_args: object) -> bool:
            """F1 is a player's button; Kivy's own settings are nobody's business."""
            return False

    CompanionApp().run()


def close() -> None:
    """End `run`."""
    from kivy.app import App

    app = App.get_running_app()
    if app is not None:
        app.stop()


def _turn(window: Any, rotation: int) -> None:
    if window.rotation != rotation:
        window.rotation = rotation
        window.update_viewport()  # Kivy does so only where the size has changed: not for a half turn


def _tick(view_model: ViewModel, on_tick: Callable[[], None] | None) -> None:
    from kivy.clock import Clock

    view_model.tick(Clock.get_time())
    if on_tick is not None:
        on_tick()


def _listen(window: Any, keyboard: Keyboard, writing: Callable[[], bool]) -> None:
    """Tell of every key once when it goes down and once when it comes up, but not of those of a text being written."""
    held: set[str] = set()

    def down(_window: Any, key: int, _scancode: int, _text: str | None, _modifiers: list[str]) -> bool:
        name = _key_name(key)
        if name not in held and not writing():  # a key that is held repeats
            held.add(name)
            keyboard(name, True)
        return False

    def up(_window: Any, key: int, _scancode: int) -> bool:
        name = _key_name(key)
        if name in held:
            held.discard(name)
            keyboard(name, False)
        return False

    window.bind(on_key_down=down, on_key_up=up)


def _key_name(key: int) -> str:
    from kivy.core.window import Keyboard as KivyKeyboard

    names = {code: name for name, code in KivyKeyboard.keycodes.items()}
    return str(names.get(key, key))
