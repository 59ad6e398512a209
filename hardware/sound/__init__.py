"""Short sounds: one interface, drivers chosen by name.

In: the name of a sound of `tones.SOUNDS`. Out: it is heard, and nobody waits for it. Every sound accompanies something
that the screen also shows; a sound that cannot be played is therefore left out, not waited for and not an error.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any, Protocol, cast, runtime_checkable

from hardware.errors import HardwareError

__all__ = ["DRIVERS", "Sound", "open_sound"]


@runtime_checkable
class Sound(Protocol):
    """What every driver does."""

    def play(self, name: str) -> None:
        """Start a sound and return at once; KeyError if there is none of that name."""

    def close(self) -> None:
        """Stop what is playing."""


DRIVERS: dict[str, tuple[str, str]] = {
    "alsa": ("hardware.sound.alsa", "AlsaSound"),
    "none": ("hardware.sound.tones", "NoSound"),
}
"""Driver name to module and class."""


def open_sound(name: str, **options: Any) -> Sound:
    """The sound driver of that name. Raises HardwareError if there is no such driver or it cannot work here."""
    if name not in DRIVERS:
        raise HardwareError(f"There is no sound driver {name!r}; there are {', '.join(DRIVERS)}.")
    module, driver = DRIVERS[name]
    try:
        return cast(Callable[..., Sound], getattr(importlib.import_module(module), driver))(**options)
    except TypeError as wrong:
        raise HardwareError(f"The sound driver {name} cannot be set up: {wrong}") from wrong
