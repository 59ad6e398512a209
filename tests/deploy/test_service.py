"""The program as systemd starts it: ready, then fed by the screen's clock, and a stop is an ordinary end."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys

import pytest

from tests.deploy.conftest import REPOSITORY, ROOTFS

UNIT = (ROOTFS / "etc/systemd/system/atlantis-companion.service").read_text()


def setting(name: str) -> str:
    """What the unit says, the last time if it says so more than once."""
    return re.findall(rf"^{name}=(.*)$", UNIT, re.MULTILINE)[-1]


@pytest.fixture
def manager(tmp_path):
    """The service manager's ear."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
        ear.bind(str(tmp_path / "notify"))
        ear.settimeout(120)
        yield ear


@pytest.fixture
def service(tmp_path, manager):
    """The command of the unit in its environment, with a screen that nobody sees, one look a second."""
    text = (ROOTFS / "usr/local/lib/atlantis-companion/environment").read_text()
    told = dict(line.split("=", 1) for line in text.splitlines() if line and not line.startswith("#"))
    command = setting("ExecStart").split()
    assert command[0].endswith("/bin/companion")
    environment = os.environ | told | {
        "ATLANTIS_HOME": str(tmp_path),
        "NOTIFY_SOCKET": str(tmp_path / "notify"),
        "SDL_VIDEODRIVER": "offscreen",
        "WATCHDOG_USEC": "2000000",
    }  # fmt: skip
    program = subprocess.Popen(
        [sys.executable, "-m", "companion", *command[1:], "--simulate"], cwd=REPOSITORY, env=environment
    )
    yield program
    program.kill()
    program.wait()


def test_it_is_ready_then_lives_then_stops_when_it_is_told_to(service, manager):
    assert setting("Type") == "notify"
    assert manager.recv(100) == b"READY=1"
    assert [manager.recv(100) for _ in range(3)] == [b"WATCHDOG=1"] * 3
    service.send_signal(signal.SIGTERM)
    assert service.wait(timeout=30) == int(setting("SuccessExitStatus"))


def test_systemd_waits_longer_than_the_script_does_for_a_screen():
    waits = int(setting("ExecStartPre").split()[-1])
    assert int(setting("TimeoutStartSec")) > waits + 30


MODULES = {
    "char-drm": "drm",
    "char-video4linux": "videodev",
    "char-media": "mc",
    "char-alsa": "snd",
    "char-input": None,  # these three are part of the kernel itself
    "char-gpiochip": None,
    "char-dma_heap": None,
}
"""What registers the numbers of a group of devices. systemd looks these up once, when the service starts."""


def test_devices_are_allowed_after_the_module_that_numbers_them_was_loaded():
    groups = re.findall(r"^DeviceAllow=(char-\w+) ", UNIT, re.MULTILINE)
    loaded = [f"modprobe@{MODULES[group]}.service" for group in groups if MODULES[group]]
    assert len(loaded) >= 4
    for when in ("Wants", "After"):
        named = " ".join(re.findall(rf"^{when}=(.*)$", UNIT, re.MULTILINE)).split()
        assert [unit for unit in loaded if unit not in named] == []
