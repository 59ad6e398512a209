"""The kernel's video devices that give pictures: one for each camera, sorted by how it is connected."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

DEVICES = Path("/dev")
VIDEO = Path("/sys/class/video4linux")

_RIBBON = ("unicam", "rp1-cfe")
_NO_CAMERA = ("bcm2835-", "pispbe", "rpi-hevc", "rpivid")


@dataclass(frozen=True)
class VideoNode:
    """`device` as it is opened, `label` as the kernel names the camera."""

    device: Path
    label: str
    kind: Literal["ribbon", "usb"]


def video_nodes(devices: Path = DEVICES, system: Path = VIDEO) -> Iterator[VideoNode]:
    """Those that are there now, by number; codecs and a camera's second node, which carries metadata, are left out."""
    for node in sorted(system.glob("video*"), key=lambda path: int(path.name.removeprefix("video") or 0)):
        label = _text(node / "name", node.name)
        if _text(node / "index", "0") != "0" or not (devices / node.name).exists() or label.startswith(_NO_CAMERA):
            continue
        yield VideoNode(devices / node.name, label, "ribbon" if label.startswith(_RIBBON) else "usb")


def _text(file: Path, otherwise: str) -> str:
    """A line of the kernel's; a camera may be pulled out at any moment."""
    try:
        return file.read_text().strip()
    except OSError:
        return otherwise
