"""The machine under the screen, put together from the parts that are there: its light, its power, its disk.

In: drivers, the household's folders, what ends the program. Out: the view model's `Machine`.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import companion
from companion.settings import Folders
from hardware.display import Display, DisplayError
from hardware.power import Power


class ThisMachine:
    """`close` ends the program where there is no `power` to switch off."""

    def __init__(
        self, where: Folders, *, light: Display | None, power: Power | None, close: Callable[[], None]
    ) -> None:
        self._where = where
        self._light = light
        self._power = power
        self._close = close

    @property
    def appliance(self) -> bool:
        """Its power is ours to switch off."""
        return self._power is not None

    @property
    def version(self) -> str:
        """The program's version."""
        return companion.__version__

    @property
    def folders(self) -> tuple[str, str]:
        """Where the games and where the settings lie."""
        return _written(self._where.journal), _written(self._where.settings)

    @property
    def free_mb(self) -> int | None:
        """What the disk of the games still holds."""
        try:
            return shutil.disk_usage(self._where.data).free // 1_000_000
        except OSError:
            return None

    def shine(self, percent: int) -> bool:
        """A light that stops answering is given up: the picture is darkened from then on."""
        if self._light is None:
            return False
        try:
            self._light.shine(percent)
        except DisplayError:
            self._light = None
            return False
        return True

    def shut_down(self) -> None:
        """Switch the machine off, or end the program. Raises PowerError."""
        if self._power is None:
            self._close()
        else:
            self._power.off()


def _written(path: Path) -> str:
    """With `~` for the user's own folder."""
    home = Path.home()
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)
