"""What `companion doctor` looks at.

In: where the kernel tells of the machine (`System`; tests give folders of their own), the household's folders. Out: a
`Finding` a part, in the order in which a person would look. What is "missing" keeps the companion from working as it
is meant to on this machine: on a Raspberry Pi, or where the settings name it, that is the camera too; on a laptop all
parts have a stand-in. Nothing is changed, but a damaged journal is set aside and saved, as the next start would do.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import os
import platform
import shutil
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

import companion
from calibration import CalibrationError, load_calibration
from companion.cli import devices
from companion.settings import Folders, Settings, SettingsError, load_settings
from companion.table.errors import JournalError
from companion.table.journal import Journal
from hardware.camera import Camera, list_cameras, open_camera
from hardware.errors import HardwareError
from hardware.panel import open_panel

State = Literal["ok", "note", "missing"]

PICTURE_S = 5.0
"""A camera that works has sent a picture by then."""

DARK, BRIGHT = 20, 235
"""Mean brightness (of 255) outside which a picture is of no use: the lens is covered, or the exposure wrong."""

LOW_MB, LEAST_MB = 500, 50
"""A game takes a tenth of a megabyte; what fills a disk is something else, and it goes on."""

HOT_C = 75
"""At 80 degrees a Raspberry Pi slows itself down."""

EARLIEST = datetime(2026, 1, 1, tzinfo=UTC)
"""A clock that says less has never been set."""

_THROTTLED = (
    (0, "Too little voltage: use the power supply that was made for this Raspberry Pi."),
    (2, "It is slowed down: let air to it, or use a better power supply."),
    (16, "There was too little voltage since it was switched on: use the power supply made for it."),
)
"""Bits of the firmware's report, the most urgent first."""


class Finding(msgspec.Struct, frozen=True):
    """One part: in order, worth knowing, or missing; `text` says what is there or what to do."""

    part: str
    state: State
    text: str


class System(msgspec.Struct, frozen=True):
    """Where Linux tells of the machine, and how devices are opened."""

    model: Path = devices.MODEL
    drm: Path = Path("/sys/class/drm")
    cards: Path = Path("/dev/dri")
    inputs: Path = Path("/sys/class/input")
    heat: Path = Path("/sys/class/thermal/thermal_zone0/temp")
    throttled: Path = Path("/sys/devices/platform/soc/soc:firmware/get_throttled")
    synchronised: Path = Path("/run/systemd/timesync/synchronized")
    open_camera: Callable[[str], Camera] = open_camera
    list_cameras: Callable[[], list[tuple[str, str]]] = list_cameras
    screen: Callable[[], str | None] = devices.screen

    @property
    def is_raspberry_pi(self) -> bool:
        """True on the machine that all this was made for."""
        return devices.is_raspberry_pi(self.model)


def check_up(system: System, where: Folders) -> Iterator[Finding]:
    """Look at one part after the other."""
    try:
        settings = load_settings(where.settings)
    except SettingsError as error:
        yield Finding("settings", "missing", str(error))
        settings = Settings()
    camera, size = _camera(system, settings)
    yield camera
    yield _calibration(where.calibration, size)
    yield _panel(system, settings)
    yield _screen(system)
    yield _touch(system)
    yield _disk(where.data)
    yield _games(where.journal)
    yield _clock(system)
    yield _heat(system)
    yield _versions(system)


def _camera(system: System, settings: Settings) -> tuple[Finding, tuple[int, int] | None]:
    """What the camera says, and the size of its pictures."""
    name, needed = settings.camera, system.is_raspberry_pi or settings.camera not in ("auto", "simulated")
    if name == "simulated":
        return Finding("camera", "note", "The settings say: the simulated table."), None
    found = system.list_cameras()
    if name == "auto" and not found:
        text = "No camera is connected: check its cable. Without one everything can be entered by touch."
        return Finding("camera", "missing" if needed else "note", text), None
    driver = found[0][0] if name == "auto" else name
    try:
        with system.open_camera(driver) as camera:
            frame = camera.read(PICTURE_S)
            label, size = camera.name, camera.size
    except HardwareError as error:
        return Finding("camera", "missing", str(error)), None
    return _picture(label, size, frame.image), size


def _picture(label: str, size: tuple[int, int], image: NDArray[np.uint8]) -> Finding:
    told = f"{label}, {size[0]} x {size[1]}"
    brightness = float(image.mean())
    if brightness < DARK:
        return Finding("camera", "missing", f"{told}: the picture is black. Is the lens covered, is there light?")
    if brightness > BRIGHT:
        return Finding("camera", "missing", f"{told}: the picture is white. Turn the lamp away from the camera.")
    return Finding("camera", "ok", f"{told}.")


def _calibration(file: Path, size: tuple[int, int] | None) -> Finding:
    if not file.is_file():
        text = "This camera has not been calibrated yet: `companion calibrate` does it, with the printed cards."
        return Finding("calibration", "note" if size is None else "missing", text)
    try:
        calibration = load_calibration(file)
    except (CalibrationError, OSError) as error:
        return Finding("calibration", "missing", str(error))
    known = tuple(calibration.camera.image_size)
    if size is not None and known != size:
        text = (
            f"It is for pictures of {known[0]} x {known[1]}, the camera gives {size[0]} x {size[1]}: calibrate again."
        )
        return Finding("calibration", "missing", text)
    return Finding("calibration", "ok", f"For pictures of {known[0]} x {known[1]}.")


def _panel(system: System, settings: Settings) -> Finding:
    name = devices.panel_name(settings, system.model)
    if name != "gpio":
        return Finding("panel", "ok" if name == settings.panel else "note", "No buttons: the keyboard does the same.")
    try:
        with open_panel(name):
            pass
    except HardwareError as error:
        return Finding("panel", "missing", str(error))
    return Finding("panel", "ok", "All pins can be used; `companion doctor --buttons` tries each button.")


def _screen(system: System) -> Finding:
    driver = system.screen()
    if driver is None:
        text = "There is no screen: connect one and switch it on before the companion starts."
        return Finding("screen", "missing" if system.is_raspberry_pi else "note", text)
    if driver == "kmsdrm":
        cards = sorted(system.cards.glob("card*"))
        if not any(os.access(card, os.R_OK | os.W_OK) for card in cards):
            text = "The screen may not be used by this user: add it to the groups video and render."
            return Finding("screen", "missing", text)
    sizes = [modes.read_text().split("\n")[0] for modes in sorted(system.drm.glob("card*-*/modes"))]
    known = ", ".join(size for size in sizes if size)
    return Finding("screen", "ok", f"By {driver}{f', {known}' if known else ''}.")


def _touch(system: System) -> Finding:
    names = (path.read_text().strip() for path in sorted(system.inputs.glob("event*/device/name")))
    touched = [name for name in names if any(word in name.lower() for word in ("touch", "ft5x06", "goodix", "ilitek"))]
    if touched:
        return Finding("touch", "ok", f"{touched[0]}.")
    text = "No touchscreen is found: a mouse or the buttons can be used."
    return Finding("touch", "note", text)


def _disk(data: Path) -> Finding:
    there = next(folder for folder in (data, *data.parents) if folder.is_dir())
    try:
        with tempfile.NamedTemporaryFile(dir=there, prefix=".companion-") as file:
            file.write(b"companion")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        text = f"{there} cannot be written to ({error.strerror}): games could not be kept. Free space or mend the card."
        return Finding("disk", "missing", text)
    free = shutil.disk_usage(there).free // 1_000_000
    if free < LEAST_MB:
        return Finding("disk", "missing", f"{free} MB are free in {there}: delete what is not needed.")
    if free < LOW_MB:
        return Finding("disk", "note", f"Only {free} MB are free in {there}.")
    return Finding("disk", "ok", f"{free // 1000} GB are free." if free >= 10_000 else f"{free} MB are free.")


def _games(file: Path) -> Finding:
    if not file.is_file():
        return Finding("games", "ok", "None yet.")
    try:
        with Journal(file) as journal:
            if journal.notice is not None:
                return Finding("games", "note", str(journal.notice))
            return Finding("games", "ok", f"{len(journal.games())} in {file}.")
    except JournalError as error:
        return Finding("games", "note" if error.fault == "locked" else "missing", str(error))


def _clock(system: System) -> Finding:
    now = datetime.now().astimezone()
    told = f"{now:%Y-%m-%d %H:%M}"
    if now < EARLIEST:
        text = f"It says {told}: set it, or connect to a network. Games are kept in their order all the same."
        return Finding("clock", "note", text)
    return Finding("clock", "ok", f"{told}{', set by the network' if system.synchronised.exists() else ''}.")


def _heat(system: System) -> Finding:
    with contextlib.suppress(OSError, ValueError):
        bits = int(system.throttled.read_text().strip(), 16)
        for bit, text in _THROTTLED:
            if bits >> bit & 1:
                return Finding("heat", "note", text)
    try:
        degrees = int(system.heat.read_text()) / 1000
    except (OSError, ValueError):
        return Finding("heat", "ok", "This machine does not tell its temperature.")
    if degrees > HOT_C:
        return Finding("heat", "note", f"{degrees:.0f} degrees: let air to it.")
    return Finding("heat", "ok", f"{degrees:.0f} degrees.")


def _versions(system: System) -> Finding:
    found = [f"companion {companion.__version__}", f"Python {platform.python_version()}", f"OpenCV {cv2.__version__}"]
    for package in ("Kivy", "picamera2", "gpiozero"):
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            found.append(f"{package} {importlib.metadata.version(package)}")
    model = system.model.read_text().strip("\0\n") if system.model.is_file() else platform.machine()
    return Finding("versions", "ok", f"{', '.join(found)}; {model}.")
