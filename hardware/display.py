"""The screen's own light: how bright the panel behind the picture shines.

In: percents. Out: figures in `/sys/class/backlight`, where the kernel shows the lights that a program may set. A screen
on HDMI has none there. Which program may write is the system's business (a udev rule, the group video).
"""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from hardware.errors import HardwareError

BACKLIGHTS = Path("/sys/class/backlight")

_NEAREST_FIRST = ("firmware", "platform", "raw")
"""Where several lights are the same one seen twice, the kernel wants this order."""


class DisplayError(HardwareError):
    """A light that cannot be set."""


class Display(Protocol):
    """What every driver does."""

    name: str

    def shine(self, percent: int) -> None:
        """Shine with 1 to 100 percent of what it can. Raises DisplayError."""


class Backlight:
    """One light in `/sys/class/backlight`. Raises DisplayError if it is not one, or may not be set by this user."""

    def __init__(self, folder: Path) -> None:
        self.name = folder.name
        self._file = folder / "brightness"
        try:
            self._most = int((folder / "max_brightness").read_text())
            self._write(int(self._file.read_text()))
        except (OSError, ValueError) as error:
            raise DisplayError(
                f"The light of the screen ({self.name}) cannot be set by this user: the picture is darkened instead."
            ) from error

    def shine(self, percent: int) -> None:
        """Rounded up, so that the least percentage is still a light."""
        try:
            self._write(max(1, -(-self._most * percent // 100)))
        except OSError as error:
            raise DisplayError(f"The light of the screen ({self.name}) does not answer: check its cable.") from error

    def _write(self, figure: int) -> None:
        self._file.write_text(str(figure))


def open_backlight(root: Path = BACKLIGHTS) -> Backlight | None:
    """The screen's light; None where it has none. Raises DisplayError if there is one that cannot be set."""
    lights = sorted(root.glob("*/brightness"), key=lambda file: (_rank(file.parent), file.parent.name))
    return Backlight(lights[0].parent) if lights else None


def _rank(folder: Path) -> int:
    file = folder / "type"
    kind = file.read_text().strip() if file.is_file() else "raw"
    return _NEAREST_FIRST.index(kind) if kind in _NEAREST_FIRST else len(_NEAREST_FIRST)
