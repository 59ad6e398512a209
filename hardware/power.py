"""Switching the machine off, so that the plug can be pulled.

In: nothing. Out: `systemctl poweroff`, where the companion is a service that systemd started. A program that somebody
has opened on a computer of many uses has no business with its power: there, there is no `Power`.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from hardware.errors import HardwareError

_WAIT_S = 5.0
"""systemd answers at once; the shutting down itself comes after."""


class PowerError(HardwareError):
    """The machine does not go off."""


class Power(Protocol):
    """What every driver does."""

    def off(self) -> None:
        """Begin to shut down; all programs are told to end. Raises PowerError."""


def _run(command: Sequence[str]) -> None:
    subprocess.run(command, check=True, capture_output=True, timeout=_WAIT_S)


class Systemd:
    """Asks systemd. `run` runs a command and raises OSError or subprocess.SubprocessError if it does not succeed."""

    def __init__(self, run: Callable[[Sequence[str]], object] = _run) -> None:
        self._run = run

    def off(self) -> None:
        """Without a password: nobody can type one here."""
        try:
            self._run(("systemctl", "--no-ask-password", "poweroff"))
        except (OSError, subprocess.SubprocessError) as error:
            raise PowerError(
                "The computer cannot be switched off from here: this user may not do it. "
                "The game is kept; press the computer's own button, or pull the plug when you must."
            ) from error


def open_power(environment: Mapping[str, str] = os.environ) -> Power | None:
    """The machine's power if this is its own service (`NOTIFY_SOCKET` says so); None on anybody's computer."""
    return Systemd() if environment.get("NOTIFY_SOCKET") else None
