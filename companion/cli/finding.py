"""What `companion doctor` says of one part, and where it looks.

In: where the kernel tells of the machine (`System`; tests give folders of their own). Out: a `Finding` a part.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import msgspec

from companion.cli import devices
from hardware.camera import Camera, Focus, list_cameras, open_live
from hardware.sound.cards import CARDS

State = Literal["ok", "note", "missing"]

SERVICE = "atlantis-companion.service"


class Finding(msgspec.Struct, frozen=True):
    """One part: in order, worth knowing, or missing; `text` says what is there or what to do."""

    part: str
    state: State
    text: str


def unit_state(unit: str) -> str:
    """systemd's word for it (`active`, `activating`, `failed`...), or nothing where there is no such unit."""
    command = ["systemctl", "show", "--property=LoadState,ActiveState", unit]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=5)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    told = dict(line.split("=", 1) for line in done.stdout.splitlines() if "=" in line)
    return told.get("ActiveState", "") if told.get("LoadState") == "loaded" else ""


class System(msgspec.Struct, frozen=True):
    """Where Linux tells of the machine, and how devices are opened."""

    model: Path = devices.MODEL
    drm: Path = Path("/sys/class/drm")
    cards: Path = Path("/dev/dri")
    lights: Path = Path("/sys/class/backlight")
    inputs: Path = Path("/sys/class/input")
    chips: Path = Path("/dev")
    sound_cards: Path = CARDS
    mounts: Path = Path("/proc/self/mounts")
    file_systems: Path = Path("/sys/fs/ext4")
    blocks: Path = Path("/sys/class/block")
    heat: Path = Path("/sys/class/thermal/thermal_zone0/temp")
    firmware: Path = Path("/sys/devices/platform")
    synchronised: Path = Path("/run/systemd/timesync/synchronized")
    open_camera: Callable[[str, int, Focus | None], Camera] = open_live
    list_cameras: Callable[[], list[tuple[str, str]]] = list_cameras
    screen: Callable[[], str | None] = devices.screen
    unit_state: Callable[[str], str] = unit_state

    @property
    def is_raspberry_pi(self) -> bool:
        """True on the machine that all this was made for."""
        return devices.is_raspberry_pi(self.model)

    @property
    def in_use(self) -> bool:
        """True if the companion itself runs, and has camera and pins."""
        return self.unit_state(SERVICE) == "active"


def in_use(part: str) -> Finding:
    """It cannot be looked at now."""
    text = f"The companion is using it. To look at it here: sudo systemctl stop {SERVICE}, and start afterwards."
    return Finding(part, "note", text)
