"""Why a screen may be black, for `companion doctor`: cable, rights, drivers, light, another program that has it."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator

from companion.cli.finding import Finding, System

LIBRARIES = ("libdrm.so.2", "libgbm.so.1", "libEGL.so.1", "libGLESv2.so.2")
"""What draws without a desktop; SDL loads them when it starts, and says little if one is not there."""


def screen(system: System) -> Iterator[Finding]:
    """The screen itself, and what draws on it where there is no desktop."""
    driver = system.screen()
    if driver is None:
        yield _nothing_connected(system)
        return
    sizes = [modes.read_text().split("\n")[0] for modes in sorted(system.drm.glob("card*-*/modes"))]
    known = ", ".join(size for size in sizes if size)
    if driver == "kmsdrm" and not any(os.access(card, os.R_OK | os.W_OK) for card in system.cards.glob("card*")):
        text = "The screen may not be used by this user: add it to the groups video and render."
        yield Finding("screen", "missing", text)
    else:
        yield Finding("screen", "ok", f"By {driver}{f', {known}' if known else ''}.")
    if driver == "kmsdrm":
        yield _drawing(system)
        yield _light(system)


def _nothing_connected(system: System) -> Finding:
    if system.is_raspberry_pi and not list(system.cards.glob("card*")):
        text = "The kernel has no screen driver: is dtoverlay=vc4-kms-v3d in /boot/firmware/config.txt?"
        return Finding("screen", "missing", text)
    unplugged = ", ".join(sorted(status.parent.name.split("-", 1)[1] for status in system.drm.glob("card*-*/status")))
    where = f" Nothing is on {unplugged}." if unplugged else ""
    text = f"There is no screen: connect one and switch it on before the companion starts.{where}"
    return Finding("screen", "missing" if system.is_raspberry_pi else "note", text)


def _drawing(system: System) -> Finding:
    if system.unit_state("display-manager.service") == "active":
        text = "A desktop has the screen: sudo systemctl set-default multi-user.target, then start the machine again."
        return Finding("drawing", "missing", text)
    missing = [name for name in LIBRARIES if not _loads(name)]
    if missing:
        text = f"{', '.join(missing)} cannot be loaded: sudo ./deploy/install puts the packages there."
        return Finding("drawing", "missing", text)
    gpus = sorted(system.cards.glob("renderD*"))
    if not gpus:
        return Finding("drawing", "note", "There is no GPU: everything is drawn by the processor, slowly.")
    if not any(os.access(gpu, os.R_OK | os.W_OK) for gpu in gpus):
        return Finding("drawing", "missing", "The GPU may not be used by this user: add it to the group render.")
    return Finding("drawing", "ok", f"By {gpus[0].name}.")


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def _light(system: System) -> Finding:
    """Of the screens that have one that a program may set."""
    for light in sorted(system.lights.glob("*")):
        try:
            power, figure = (int((light / name).read_text()) for name in ("bl_power", "brightness"))
        except (OSError, ValueError):
            continue
        if power != 0 or figure == 0:
            text = f"The light of the screen ({light.name}) is off: the brightness in the settings sets it again."
            return Finding("backlight", "missing", text)
        return Finding("backlight", "ok", f"{light.name} is on.")
    return Finding("backlight", "ok", "This screen's light is its own affair.")
