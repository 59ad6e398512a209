"""What a USB camera can be told besides its pictures' size, by Video4Linux's numbers.

In: the device. Out: values read and written. OpenCV has no name for the frequency of the mains and hides which
controls a camera lacks, so the kernel is asked itself, through a file of our own beside OpenCV's.
"""

from __future__ import annotations

import fcntl
import os
import struct
from dataclasses import dataclass
from typing import Protocol, Self

# linux/v4l2-controls.h
AUTO_WHITE_BALANCE = 0x0098090C
GAIN = 0x00980913
POWER_LINE_FREQUENCY = 0x00980918
WHITE_BALANCE_TEMPERATURE = 0x0098091A
EXPOSURE_AUTO = 0x009A0901
EXPOSURE_ABSOLUTE = 0x009A0902
FOCUS_ABSOLUTE = 0x009A090A
FOCUS_AUTO = 0x009A090C

EXPOSURE_ALL_AUTO, EXPOSURE_MANUAL, EXPOSURE_APERTURE_PRIORITY = 0, 1, 3
MAINS = {50: 1, 60: 2}
MAINS_AUTO = 3

# linux/videodev2.h: struct v4l2_control and the calls that read and write one
_CONTROL = struct.Struct("=Ii")
_GET, _SET = 0xC008561B, 0xC008561C


@dataclass(frozen=True)
class Automatic:
    """Something that a camera sets by itself: `on` are the values to try, in order, `off` the one that ends it.

    `finds` are the controls that it moves; what they stand at is what is held.
    """

    name: str
    control: int
    on: tuple[int, ...]
    off: int
    finds: tuple[int, ...]


EXPOSURE = Automatic(
    "exposure",
    EXPOSURE_AUTO,
    (EXPOSURE_APERTURE_PRIORITY, EXPOSURE_ALL_AUTO),
    EXPOSURE_MANUAL,
    (EXPOSURE_ABSOLUTE, GAIN),
)
WHITE_BALANCE = Automatic("white balance", AUTO_WHITE_BALANCE, (1,), 0, (WHITE_BALANCE_TEMPERATURE,))
FOCUS = Automatic("focus", FOCUS_AUTO, (1,), 0, (FOCUS_ABSOLUTE,))
AUTOMATICS = (EXPOSURE, WHITE_BALANCE, FOCUS)


class Controls(Protocol):
    """A camera's controls, as long as they are open."""

    def get(self, control: int) -> int | None:
        """What it stands at; None if the camera has none such."""
        ...

    def set(self, control: int, value: int) -> bool:
        """True if the camera has taken it."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *exc: object) -> None: ...


def as_it_stands(controls: Controls) -> dict[int, int]:
    """What is to be written, in that order, to have the camera again as it is now: modes, and what is set by hand."""
    found = {POWER_LINE_FREQUENCY: controls.get(POWER_LINE_FREQUENCY)}
    for automatic in AUTOMATICS:
        mode = found[automatic.control] = controls.get(automatic.control)
        if mode not in automatic.on:
            found |= {control: controls.get(control) for control in automatic.finds}
    return {control: value for control, value in found.items() if value is not None}


class DeviceControls:
    """Those of the camera at a device. Raises OSError if it cannot be opened."""

    def __init__(self, device: str) -> None:
        self._file = os.open(device, os.O_RDWR | os.O_NONBLOCK)

    def get(self, control: int) -> int | None:
        """What it stands at; None if the camera has none such, or has gone."""
        try:
            value: int = _CONTROL.unpack(fcntl.ioctl(self._file, _GET, _CONTROL.pack(control, 0)))[1]
        except OSError:
            return None
        return value

    def set(self, control: int, value: int) -> bool:
        """True if the camera has taken it."""
        try:
            fcntl.ioctl(self._file, _SET, _CONTROL.pack(control, value))
        except OSError:
            return False
        return True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        os.close(self._file)
