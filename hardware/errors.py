"""What can go wrong with a device; the text tells a person at the table what to do."""

from __future__ import annotations


class HardwareError(Exception):
    """A device that does not do what it should."""


class CameraError(HardwareError):
    """A picture that could not be taken. `final`: trying again is of no use until a person has done something."""

    def __init__(self, message: str, *, final: bool) -> None:
        super().__init__(message)
        self.final = final


class SoundError(HardwareError):
    """A loudspeaker or buzzer that cannot be used."""


class PanelError(HardwareError):
    """A button panel that cannot be used."""
