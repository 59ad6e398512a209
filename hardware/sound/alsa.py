"""Plays through ALSA's own `aplay`, which every Raspberry Pi OS has.

A process a sound: a sound card that hangs cannot hang the companion, and no library is needed.
"""

from __future__ import annotations

import contextlib
import shutil
import subprocess
from collections.abc import Callable

from hardware.errors import HardwareError
from hardware.sound.tones import SOUNDS, wav


class AlsaSound:
    """One sound at a time; one that is asked for while another plays is left out. Tests give `command` and `start`."""

    def __init__(
        self,
        command: str = "aplay",
        start: Callable[..., subprocess.Popen[bytes]] = subprocess.Popen,
    ) -> None:
        path = shutil.which(command)
        if path is None:
            raise HardwareError(f"Sound needs {command}: install alsa-utils, or switch sound off.")
        self._command = [path, "-q", "-"]
        self._start = start
        self._files = {name: wav(name) for name in SOUNDS}
        self._playing: subprocess.Popen[bytes] | None = None

    def play(self, name: str) -> None:
        """Start a sound and return at once; KeyError if there is none of that name."""
        file = self._files[name]
        if self._playing is not None and self._playing.poll() is None:
            return
        self._playing = self._start(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        with contextlib.suppress(BrokenPipeError):  # there is no sound card; the screen shows all that is said
            if self._playing.stdin is not None:
                self._playing.stdin.write(file)  # fits in the pipe: the longest sound has 20 kB, a pipe 64
                self._playing.stdin.close()

    def close(self) -> None:
        """Stop what is playing."""
        if self._playing is not None and self._playing.poll() is None:
            self._playing.kill()
            self._playing.wait()
