"""Sounds through ALSA's own player: one short-lived process a sound, nothing that could hold the screen up.

In: samples. Out: `aplay` with a WAV on its standard input. It belongs to alsa-utils, which is on every Raspberry Pi OS.
A sound fits into the pipe whole, so that writing it never waits for the device.
"""

from __future__ import annotations

import contextlib
import io
import logging
import shutil
import subprocess
import wave
from collections.abc import Callable, Sequence
from typing import Any, Self

import numpy as np

from hardware.errors import SoundError
from hardware.sound.tunes import RATE_HZ, samples

COMMAND = ("aplay", "--quiet", "-")
_END_S = 1.0

log = logging.getLogger(__name__)


def wav(name: str, volume: float) -> bytes:
    """The sound as a WAV of 16 bits, mono."""
    levels = np.round(samples(name) * min(1.0, max(0.0, volume)) * 32767).astype("<i2")
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(RATE_HZ)
        out.writeframes(levels.tobytes())
    return file.getvalue()


def _start(command: Sequence[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


class AlsaSpeaker:
    """`start` begins the player's process, `find` says where a program lies."""

    def __init__(
        self,
        start: Callable[[Sequence[str]], Any] = _start,
        find: Callable[[str], str | None] = shutil.which,
    ) -> None:
        self._start = start
        self._find = find
        self._playing: Any = None
        self._ending: list[Any] = []  # told to end, and perhaps not gone yet
        self._fault = ""

    def open(self) -> None:
        """See that the player is there. Raises SoundError."""
        if self._find(COMMAND[0]) is None:
            raise SoundError("There is no aplay here: install alsa-utils, or set the speaker to none.")

    def play(self, name: str, volume: float) -> None:
        """Begin the sound; if the one before has failed, say so once and be silent."""
        self._end()
        if self._fault:
            return
        try:
            self._playing = self._start(COMMAND)
            self._playing.stdin.write(wav(name, volume))
            self._playing.stdin.close()
        except OSError as fault:
            self._give_up(str(fault))

    def _end(self) -> None:
        """The sound before: cut it off if it is still heard, look what became of it if not. Waits for nothing."""
        self._ending = [process for process in self._ending if process.poll() is None]
        process, self._playing = self._playing, None
        if process is None:
            return
        if process.poll() is None:
            process.terminate()
            self._ending.append(process)
        elif process.returncode:
            self._give_up(process.stderr.read().decode(errors="replace").strip().partition("\n")[0])
        process.stderr.close()

    def _give_up(self, fault: str) -> None:
        if not self._fault:
            self._fault = fault or "aplay has failed"
            log.warning("No sounds: %s", self._fault)

    def close(self) -> None:
        """Be silent."""
        self._end()
        for process in self._ending:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_END_S)
        self._ending = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()
