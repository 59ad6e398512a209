"""Short sounds: what is played is a table (`tunes`), what plays it is a driver chosen by name.

In: the name of a sound and how loud. Out: the sound, begun; nothing waits for its end. A driver's module, and the
library it needs, is imported only when the driver is chosen.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol, Self, runtime_checkable

from hardware.drivers import Drivers, make
from hardware.errors import HardwareError, SoundError
from hardware.sound.tunes import TUNES

__all__ = ["DRIVERS", "TUNES", "HardwareError", "Outcome", "SoundError", "Speaker", "open_speaker"]


class Outcome(NamedTuple):
    """What became of a sound, as far as the device can know; `text` names the device and says how it went."""

    played: bool
    text: str


@runtime_checkable
class Speaker(Protocol):
    """What every driver does. `outcome` is the last sound's; None if it is not over, or the device does not tell."""

    outcome: Outcome | None

    def open(self) -> None:
        """Make ready; harmless when it is open. Raises SoundError."""

    def play(self, name: str, volume: float) -> None:
        """Begin a sound of `TUNES`, `volume` from 0 to 1; one that is still playing gives way. Raises nothing.

        A device that fails says so once in the log, and is silent from then on.
        """

    def poll(self) -> None:
        """Look after the sound that plays; called a few times a second. Waits for nothing."""

    def close(self) -> None:
        """Be silent and let go of everything; harmless when it is not open."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *exc: object) -> None: ...


DRIVERS: Drivers = {
    "aplay": ("hardware.sound.aplay", "AlsaSpeaker"),
    "buzzer": ("hardware.sound.buzzer", "BuzzerSpeaker"),
    "none": ("hardware.sound.silence", "Silence"),
}
"""Driver name to module and class."""


def open_speaker(name: str, **options: Any) -> Speaker:
    """Open the speaker of that driver; the options are those of its class. Raises SoundError."""
    speaker: Speaker = make("sound", DRIVERS, name, options, SoundError)
    speaker.open()
    return speaker
