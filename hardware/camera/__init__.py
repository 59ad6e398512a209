"""The camera over the table: one interface, several drivers, chosen by name and never fallen back to in silence.

In: a driver's name and its options. Out: `Frame`s. A driver's module, and the library it needs, is imported only
when the driver is chosen.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from hardware.camera.nodes import DEVICES, VIDEO, video_nodes
from hardware.drivers import Drivers, make
from hardware.errors import CameraError, HardwareError

__all__ = [
    "DRIVERS",
    "WIDE_DEG",
    "Camera",
    "CameraError",
    "Focus",
    "Frame",
    "HardwareError",
    "LensKind",
    "list_cameras",
    "open_camera",
    "open_live",
]

LensKind = Literal["normal", "wide"]
"""A wide lens sees more than `WIDE_DEG` across, and bends straight lines."""
WIDE_DEG = 80

Focus = tuple[str, float]
"""Which lens, and where its motor has put it, in that camera's own measure."""


@dataclass(frozen=True)
class Frame:
    """One picture: counted from 0, taken at `time` (s, monotonic clock), `image` (H, W, 3) uint8 BGR."""

    number: int
    time: float
    image: NDArray[np.uint8]


@runtime_checkable
class Camera(Protocol):
    """What every driver does. `size` is (width, height) in px, `name` tells a person which camera it is."""

    @property
    def name(self) -> str:
        """What a person calls this camera."""
        ...

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the pictures in px; another camera in the same socket may have another one."""
        ...

    @property
    def lens(self) -> LensKind | None:
        """What the camera tells of its lens once it is open; None if it cannot know."""
        ...

    @property
    def focus(self) -> Focus | None:
        """Where the lens is held, as `settle` takes it; None where there is no motor, or it is not held."""
        ...

    def open(self) -> None:
        """Make ready for `read`, after `close` too; harmless when it is open. Raises CameraError."""

    def read(self, timeout_s: float) -> Frame:
        """The next picture, never one that was read before. Raises CameraError if none comes within the time."""
        ...

    def settle(self, focus: Focus | None = None) -> None:
        """Measure the light anew where the camera holds it: seconds. Harmless elsewhere. Raises CameraError.

        The lens goes to that `focus` if it is one of its own, else the camera focuses by itself.
        """

    def close(self) -> None:
        """Let the device go; harmless when it is not open."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *exc: object) -> None: ...


DRIVERS: Drivers = {
    "picamera2": ("hardware.camera.picamera2", "Picamera2Camera"),
    "v4l2": ("hardware.camera.v4l2", "V4l2Camera"),
    "pictures": ("hardware.camera.pictures", "PicturesCamera"),
    "simulated": ("hardware.simulated.camera", "SimulatedCamera"),
}
"""Driver name to module and class."""


def open_camera(name: str, **options: Any) -> Camera:
    """Open the camera of that driver; the options are those of its class.

    Raises CameraError, final if the name, an option or a library is wrong.
    """
    camera: Camera = make("camera", DRIVERS, name, options, functools.partial(CameraError, final=True))
    camera.open()
    return camera


def open_live(name: str, mains_hz: int, focus: Focus | None = None) -> Camera:
    """As `open_camera`, over a table whose lamps are on mains of `mains_hz`, with the lens at that `focus`.

    Without one the camera focuses by itself.
    """
    return open_camera(name, **({"mains_hz": mains_hz, "focus": focus} if name in ("picamera2", "v4l2") else {}))


def list_cameras(devices: Path = DEVICES, system: Path = VIDEO) -> list[tuple[str, str]]:
    """The cameras that are there, best first, as (driver, what a person would call it); none: an empty list.

    Asks the kernel alone, so that nothing is opened and no library is loaded. Tests give both folders.
    """
    nodes = list(video_nodes(devices, system))
    ribbon = [("picamera2", "camera on the ribbon cable")] if any(node.kind == "ribbon" for node in nodes) else []
    return ribbon + [("v4l2", f"{node.label} on {node.device}") for node in nodes if node.kind == "usb"]
