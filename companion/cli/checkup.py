"""What `companion doctor` looks at.

In: where the kernel tells of the machine, the household's folders. Out: a `Finding` a part, in the order in which a
person would look. What is "missing" keeps the companion from working as it is meant to on this machine: on a Raspberry
Pi, or where the settings name it, that is the camera too; on a laptop all parts have a stand-in. Nothing is changed,
but a damaged journal is set aside and saved, as the next start would do.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import importlib.util
import os
import platform
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import cv2

import companion
from calibration import Calibration, CalibrationError, load_calibration
from companion.cli import check_picture, check_screen, check_storage, devices
from companion.cli.finding import SERVICE, Finding, State, System, in_use
from companion.settings import Folders, Settings, read_settings
from companion.table.errors import JournalError
from companion.table.journal import Journal
from hardware.camera import Frame
from hardware.errors import HardwareError
from hardware.panel import open_panel
from hardware.sound import open_speaker
from hardware.sound.cards import cards_to_try

PICTURE_S = 5.0
"""A camera that works has sent a picture by then."""

HOT_C = 75
"""At 80 degrees a Raspberry Pi slows itself down."""

EARLIEST = datetime(2026, 1, 1, tzinfo=UTC)
"""A clock that says less has never been set."""

_THROTTLED = (
    (0, "Too little voltage: use the power supply that was made for this Raspberry Pi."),
    (2, "It is slowed down: let air to it, or use a better power supply."),
    (3, "It is so warm that it slows itself down: let air to it."),
    (1, "Its processor is held back: let air to it, or use a better power supply."),
    (16, "There was too little voltage since it was switched on: use the power supply made for it."),
    (18, "It was slowed down since it was switched on: let air to it, or use a better power supply."),
    (19, "It was so warm since it was switched on that it slowed itself down: let air to it."),
    (17, "Its processor was held back since it was switched on: let air to it, or use a better power supply."),
)
"""Bits of the firmware's report, the most urgent first."""

DIRECT = 1 << 1
"""The kernel's INPUT_PROP_DIRECT: touched where it shows, as no touchpad is."""
TOUCHED = 1 << 0x35 | 1 << 0x00
"""ABS_MT_POSITION_X, or ABS_X of those that feel one finger only."""


def check_up(system: System, where: Folders) -> Iterator[Finding]:
    """Look at one part after the other."""
    reading = read_settings(where.settings)
    settings = reading.settings
    if reading.fault is not None:
        yield Finding("settings", "missing", str(reading.fault))
    if reading.unknown:
        names = ", ".join(reading.unknown)
        text = f"{where.settings} says what this version does not know; it is left alone: {names}."
        yield Finding("settings", "note", text)
    if state := system.unit_state(SERVICE):
        yield _service(state)
    calibration = _kept(where.calibration)
    camera, frame = _camera(system, settings, calibration)
    yield camera
    if frame is not None:
        yield check_picture.focus(frame.image)
        yield check_picture.exposure(frame.image)
    yield _calibration(calibration, frame)
    yield _panel(system, settings)
    yield _pins(system, settings)
    yield from check_screen.screen(system)
    yield _touch(system)
    yield _sound(system, settings)
    yield check_storage.disk(where.data)
    yield check_storage.card(system, where.data)
    yield _games(where.journal)
    yield _clock(system)
    yield _heat(system)
    yield _versions(system)


def _service(state: str) -> Finding:
    """The companion as it starts by itself."""
    if state == "active":
        return Finding("service", "ok", "It runs.")
    if state in ("activating", "reloading"):
        text = f"It is starting, or waiting for a screen; journalctl -u {SERVICE} -e says which."
        return Finding("service", "note", text)
    text = f"It does not run ({state}): sudo systemctl start {SERVICE}; journalctl -u {SERVICE} -e says why it ended."
    return Finding("service", "note", text)


def _kept(file: Path) -> Calibration | Exception | None:
    """The calibration that is played by, or why it cannot be read; None if there is none yet."""
    if not file.is_file():
        return None
    try:
        return load_calibration(file)
    except (CalibrationError, OSError) as error:
        return error


def _camera(
    system: System, settings: Settings, calibration: Calibration | Exception | None
) -> tuple[Finding, Frame | None]:
    """What the camera says, and a picture of it, opened as for a game."""
    name, needed = settings.camera, system.is_raspberry_pi or settings.camera not in ("auto", "simulated")
    if name == "simulated":
        return Finding("camera", "note", "The settings say: the simulated table."), None
    found = system.list_cameras()
    if name == "auto" and not found:
        text = "No camera is connected: check its cable. Without one everything can be entered by touch."
        return Finding("camera", "missing" if needed else "note", text), None
    if system.in_use:
        return in_use("camera"), None
    driver = found[0][0] if name == "auto" else name
    focus = calibration.focus if isinstance(calibration, Calibration) else None
    try:
        with system.open_camera(driver, settings.mains_hz, focus) as camera:
            frame = camera.read(PICTURE_S)
            told = f"{camera.name}, {camera.size[0]} x {camera.size[1]}."
    except HardwareError as error:
        return Finding("camera", "missing", str(error)), None
    return Finding("camera", "ok", told), frame


def _calibration(calibration: Calibration | Exception | None, frame: Frame | None) -> Finding:
    size = None if frame is None else (frame.image.shape[1], frame.image.shape[0])
    if calibration is None:
        text = "This camera has not been calibrated yet: `companion calibrate` does it, with the printed cards."
        return Finding("calibration", "note" if size is None else "missing", text)
    if isinstance(calibration, Exception):
        return Finding("calibration", "missing", str(calibration))
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
    if system.in_use:
        return in_use("panel")
    try:
        with open_panel(name):
            pass
    except HardwareError as error:
        return Finding("panel", "missing", str(error))
    return Finding("panel", "ok", "All pins can be used; `companion doctor --buttons` tries each button.")


def _pins(system: System, settings: Settings) -> Finding:
    """What speaks to the pins: gpiozero's factory by name, and the kernel's devices."""
    if devices.panel_name(settings, system.model) != "gpio" and settings.speaker != "buzzer":
        return Finding("pins", "ok", "Not used.")
    factory = os.environ.get("GPIOZERO_PIN_FACTORY", "lgpio")
    if importlib.util.find_spec(factory) is None:
        return Finding("pins", "missing", f"The package {factory} is not there: sudo apt install python3-{factory}.")
    chips = sorted(system.chips.glob("gpiochip*"))
    if not any(os.access(chip, os.R_OK | os.W_OK) for chip in chips):
        text = (
            "The pins may not be used by this user: add it to the group gpio." if chips else "The kernel has no pins."
        )
        return Finding("pins", "missing", text)
    return Finding("pins", "ok", f"By {factory}.")


def _touch(system: System) -> Finding:
    for device in sorted(system.inputs.glob("event*/device")):
        if _bits(device / "properties") & DIRECT and _bits(device / "capabilities/abs") & TOUCHED:
            return Finding("touch", "ok", f"{(device / 'name').read_text().strip()}.")
    text = "No touchscreen is found: a mouse or the buttons can be used."
    return Finding("touch", "note", text)


def _bits(file: Path) -> int:
    """What the kernel writes as words of 64 bits in hex, the highest first."""
    bits = 0
    with contextlib.suppress(OSError, ValueError):
        for word in file.read_text().split():
            bits = bits << 64 | int(word, 16)
    return bits


def _sound(system: System, settings: Settings) -> Finding:
    name = devices.speaker_name(settings, system.sound_cards)
    if name == "none":
        state: State = "ok" if settings.speaker == "none" else "note"
        return Finding(
            "sound", state, "No sounds: there is no sound card. Nothing is missed that the screen does not show."
        )
    if name == "buzzer" and system.in_use:
        return in_use("sound")
    try:
        with open_speaker(name):
            pass
    except HardwareError as error:
        return Finding("sound", "missing", str(error))
    on = f" on {cards_to_try(system.sound_cards)[0].name}" if name == "aplay" else ""
    return Finding("sound", "ok", f"By {name}{on}; `companion doctor --sound` plays one.")


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
    if system.is_raspberry_pi and not system.synchronised.exists():
        text = f"It says {told}, which no network has confirmed since the start: games may bear another day."
        return Finding("clock", "note", text)
    return Finding("clock", "ok", f"{told}{', set by the network' if system.synchronised.exists() else ''}.")


def _heat(system: System) -> Finding:
    report = _firmwares_report(system)
    for bit, text in _THROTTLED:
        if report is not None and report >> bit & 1:
            return Finding("heat", "note", text)
    try:
        degrees = int(system.heat.read_text()) / 1000
    except (OSError, ValueError):
        return Finding("heat", "ok", "This machine does not tell its temperature.")
    if degrees > HOT_C:
        return Finding("heat", "note", f"{degrees:.0f} degrees: let air to it.")
    if report is None and system.is_raspberry_pi:
        text = f"{degrees:.0f} degrees; whether it was slowed down or had too little voltage cannot be told here."
        return Finding("heat", "note", text)
    return Finding("heat", "ok", f"{degrees:.0f} degrees.")


def _firmwares_report(system: System) -> int | None:
    """`_THROTTLED`'s bits; None where the kernel does not pass them on."""
    for report in system.firmware.glob("soc*/soc*:firmware/get_throttled"):  # a Pi 5 has another name for its soc
        with contextlib.suppress(OSError, ValueError):
            return int(report.read_text().strip(), 16)
    return None


def _versions(system: System) -> Finding:
    found = [f"companion {companion.__version__}", f"Python {platform.python_version()}", f"OpenCV {cv2.__version__}"]
    for package in ("Kivy", "picamera2", "gpiozero"):
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            found.append(f"{package} {importlib.metadata.version(package)}")
    model = system.model.read_text().strip("\0\n") if system.model.is_file() else platform.machine()
    return Finding("versions", "ok", f"{', '.join(found)}; {model}.")
