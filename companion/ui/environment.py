"""Kivy's environment, set before Kivy is imported for the first time.

Kivy reads these variables at import: it must not parse our command line, write a configuration into the user's home,
nor read one touchscreen through two providers (which doubles every tap).
"""

from __future__ import annotations

import atexit
import logging
import os
import shutil
import sys
import tempfile
from pathlib import Path


class NoWindowError(RuntimeError):
    """No window could be made; the text says what may be missing."""


def prepare(*, size: tuple[int, int] = (800, 480), rotation: int = 0, fullscreen: bool = False) -> None:
    """Set Kivy up for a window of `size` px, turned by `rotation` degrees (0, 90, 180, 270) in the app.

    `size` is what the people see: a screen of 720x1280 turned by 90 degrees is asked for as 1280x720. The first call
    counts; Kivy cannot be told anything else later. Raises RuntimeError if Kivy was imported by somebody else before.
    """
    if "kivy" in sys.modules:
        if "KIVY_HOME" in os.environ:
            return
        raise RuntimeError("Kivy was imported before companion.ui.environment.prepare() set its environment")
    os.environ.setdefault("KIVY_NO_ARGS", "1")
    os.environ.setdefault("KIVY_LOG_MODE", "PYTHON")  # Kivy logs as any library does, and leaves stderr alone
    os.environ.setdefault("KIVY_NO_FILELOG", "1")
    os.environ.setdefault("KIVY_METRICS_DENSITY", "1")
    os.environ.setdefault("SDL_TOUCH_MOUSE_EVENTS", "0")  # a touch must not come again as a mouse's click
    os.environ.setdefault("SDL_MOUSE_TOUCH_EVENTS", "0")
    if "KIVY_HOME" not in os.environ:
        home = tempfile.mkdtemp(prefix="companion-kivy-")
        atexit.register(shutil.rmtree, home, ignore_errors=True)
        os.environ["KIVY_HOME"] = home
    Path(os.environ["KIVY_HOME"]).mkdir(parents=True, exist_ok=True)
    log = logging.getLogger("kivy")
    log.setLevel(logging.ERROR)  # a new home makes Kivy warn that it writes a configuration
    # A touch provider and a clipboard that are not used; they may be missing.
    log.addFilter(lambda record: not any(name in record.getMessage() for name in ("MTDev", "Cutbuffer")))
    _configure(size, rotation, fullscreen)


def _configure(size: tuple[int, int], rotation: int, fullscreen: bool) -> None:
    from kivy.config import Config

    width, height = size if rotation % 180 == 0 else size[::-1]
    settings = {
        "width": width,
        "height": height,
        "rotation": rotation,
        "fullscreen": "auto" if fullscreen else 0,
        "borderless": int(fullscreen),
        "resizable": int(not fullscreen),
        "show_cursor": int(not fullscreen),
        "multisamples": 0,  # everything is drawn antialiased into textures
        "maxfps": 60,
        "vsync": 1,
    }
    for key, value in settings.items():
        Config.set("graphics", key, str(value))
    Config.set("kivy", "exit_on_escape", "0")
    Config.set("kivy", "log_level", "warning")
    # One provider only: the window itself (SDL2) delivers the touches; `mouse` is for a laptop.
    Config.remove_section("input")
    Config.add_section("input")
    Config.set("input", "mouse", "mouse,disable_multitouch")
