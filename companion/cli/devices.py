"""Which real or simulated parts a run is put together from: camera, panel, screen. Chosen by name, told to people."""

from __future__ import annotations

import argparse
import logging
import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from companion.cli.arguments import place, seed
from companion.faults import Fault
from companion.i18n import N_
from companion.settings import Folders, Settings
from companion.watch.messages import CameraName, WatchPlan
from hardware.camera import list_cameras
from hardware.panel import open_panel
from hardware.panel.patient import PatientPanel
from hardware.sound import SoundError, Speaker, open_speaker
from hardware.sound.cards import CARDS

log = logging.getLogger(__name__)


class CameraChoiceError(Exception):
    """A camera was asked for by a name that is none, or a folder that is not there."""


def add_camera_arguments(parser: argparse.ArgumentParser) -> None:
    """Which camera; without any the settings' one, else the first that is there, else the simulated table.

    On the thing that stands on a table there is a camera or there will be one: `--await-camera`.
    """
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--simulate", action="store_true", help="the simulated table")
    which.add_argument("--camera", metavar="NAME", help="picamera2 or v4l2")
    which.add_argument("--pictures", metavar="DIR", type=place, help="frames from a folder instead of a camera")
    parser.add_argument("--await-camera", action="store_true", help="where there is none wait for one, do not simulate")
    parser.add_argument("--calibration", metavar="FILE", type=place, help="the calibration file of that camera")
    parser.add_argument("--every", metavar="SECONDS", type=float, help="with --pictures: go on to the next by itself")
    parser.add_argument("--seed", type=seed, default=1, help="with --simulate: which table, which players")


def plan(args: argparse.Namespace, settings: Settings, folders: Folders) -> tuple[WatchPlan, str]:
    """What to watch, and a line that tells people so. Raises CameraChoiceError."""
    if args.pictures is not None:
        if not args.pictures.is_dir():
            raise CameraChoiceError(f"There is no folder {args.pictures}: check the name.")
        if args.calibration is None and not (args.pictures / "session.json").is_file():
            raise CameraChoiceError(f"{args.pictures} has no session.json to calibrate by: say --calibration FILE.")
        watch = WatchPlan(
            camera="pictures", folder=_text(args.pictures), every_s=args.every, calibration=_text(args.calibration)
        )
        return watch, f"Pictures from {args.pictures}. The key N shows the next one."
    name = "simulated" if args.simulate else args.camera or settings.camera
    label = str(name)
    calibration = _text(args.calibration or folders.calibration)
    if name == "auto":
        found = list_cameras()
        if not found and args.await_camera:
            watch = WatchPlan(camera="auto", calibration=calibration, mains_hz=settings.mains_hz)
            return watch, "No camera here yet: waiting for one."
        if not found:
            return WatchPlan(camera="simulated", seed=args.seed), "No camera here: playing on the simulated table."
        name, label = found[0]
    if name == "simulated":
        return WatchPlan(camera="simulated", seed=args.seed), "Playing on the simulated table."
    if name not in ("picamera2", "v4l2"):
        raise CameraChoiceError(f"There is no camera named {name!r}: there are picamera2 and v4l2, or use --simulate.")
    watch = WatchPlan(camera=cast(CameraName, name), calibration=calibration, mains_hz=settings.mains_hz)
    return watch, f"Camera: {label}."


NO_BUTTONS = Fault(
    N_("The button panel cannot be used: everything can be touched on the screen. companion doctor says why.")
)

MODEL = Path("/proc/device-tree/model")


def is_raspberry_pi(model: Path = MODEL) -> bool:
    """What the firmware says it is."""
    return model.is_file() and b"Raspberry Pi" in model.read_bytes()


def panel_name(settings: Settings, model: Path = MODEL) -> str:
    """The panel's driver: what the settings say, with `auto` the pins of a Raspberry Pi, elsewhere the keyboard."""
    if settings.panel != "auto":
        return settings.panel
    return "gpio" if is_raspberry_pi(model) else "keyboard"


def panel(settings: Settings, model: Path = MODEL) -> PatientPanel:
    """The panel. Where it cannot be used people touch the screen, are to be told its `fault`, and it is tried again."""
    name = panel_name(settings, model)
    return PatientPanel(lambda: open_panel(name))


def speaker_name(settings: Settings, cards: Path = CARDS) -> str:
    """The speaker's driver: what the settings say, with `auto` the sound card where there is one."""
    if settings.speaker != "auto":
        return settings.speaker
    return "aplay" if cards.is_file() and "[" in cards.read_text() else "none"


def speaker(settings: Settings) -> Speaker:
    """The speaker, opened; where it cannot be used a line says so, and the game is silent."""
    try:
        return open_speaker(speaker_name(settings))
    except SoundError as fault:
        log.warning("No sounds: %s", fault)
        return open_speaker("none")


def screen(
    environ: Mapping[str, str] = os.environ,
    drm: Path = Path("/sys/class/drm"),
    sockets: Path = Path("/tmp/.X11-unix"),
) -> str | None:
    """SDL's name of the driver that can open a window here; None where there is no screen.

    A desktop, a screen on KMS/DRM, or what SDL has been told to use. To be named to SDL: left to itself it draws
    into nothing, without a word, where the display that is named does not answer.
    """
    if told := environ.get("SDL_VIDEODRIVER"):
        return told
    display = environ.get("DISPLAY", "")
    local = re.fullmatch(r":(\d+)(\.\d+)?", display)  # a local one that does not run has no socket
    if display and not (local and not (sockets / f"X{local[1]}").exists()):
        return "x11"
    if environ.get("WAYLAND_DISPLAY"):
        return "wayland"
    if any(status.read_text().strip() == "connected" for status in drm.glob("card*-*/status")):
        return "kmsdrm"
    return {"darwin": "cocoa", "win32": "windows"}.get(sys.platform)


def card(drm: Path = Path("/sys/class/drm")) -> int | None:
    """Which of the kernel's cards to draw on where screens are connected to several: that of the ribbon cable first.

    A Pi 5 has one for DSI and one for HDMI, and SDL would take the one whose file it happens to find first. None leaves
    it to SDL. The number is that of /dev/dri/card*, as SDL_KMSDRM_DEVICE_INDEX has it.
    """
    connected = []
    for status in drm.glob("card*-*/status"):
        number, _, connector = status.parent.name.removeprefix("card").partition("-")
        if status.read_text().strip() == "connected":
            connected.append((not connector.startswith("DSI"), int(number)))
    return min(connected)[1] if len({number for _, number in connected}) > 1 else None


def _text(path: Path | None) -> str | None:
    """For a process that may stand in another folder: what speaks to the pins changes it."""
    return None if path is None else str(path.resolve())
