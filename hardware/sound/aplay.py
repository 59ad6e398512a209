"""Sounds through ALSA's own player: one short-lived process a sound, nothing that could hold the screen up.

In: samples. Out: `aplay` with a WAV on its standard input. It belongs to alsa-utils, which is on every Raspberry Pi OS.
A sound fits into the pipe whole, so that writing it never waits for the device. A card that fails is not asked again,
as long as it is there: the same sound goes to the next one.
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
from hardware.sound import Outcome
from hardware.sound.cards import Card, cards_to_try
from hardware.sound.tunes import RATE_HZ, samples

PLAYER = "aplay"
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


def command(card: Card) -> tuple[str, ...]:
    """What plays standard input on that card."""
    return (PLAYER, "--quiet", *(("-D", card.device) if card.device else ()), "-")


def _start(command: Sequence[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


class AlsaSpeaker:
    """`start` begins the player's process, `find` says where a program lies, `cards` which cards there are now."""

    def __init__(
        self,
        start: Callable[[Sequence[str]], Any] = _start,
        find: Callable[[str], str | None] = shutil.which,
        cards: Callable[[], Sequence[Card]] = cards_to_try,
    ) -> None:
        self._start = start
        self._find = find
        self._cards = cards
        self._failed: set[Card] = set()
        self._sound = b""
        self._playing: tuple[Card, Any] | None = None
        self._ending: list[Any] = []  # told to end, and perhaps not gone yet
        self.outcome: Outcome | None = None

    def open(self) -> None:
        """See that the player is there. Raises SoundError."""
        if self._find(PLAYER) is None:
            raise SoundError("There is no aplay here: install alsa-utils, or set the speaker to none.")

    def play(self, name: str, volume: float) -> None:
        """Begin the sound on the first card that has not failed; if all have, be silent."""
        self._look()
        self._cut_off()
        self._sound, self.outcome = wav(name, volume), None
        self._begin()

    def _begin(self) -> None:
        cards = self._cards()
        self._failed &= set(cards)  # what is plugged in anew is tried anew
        for card in cards:
            if card in self._failed:
                continue
            try:
                process = self._start(command(card))
            except OSError as fault:
                self._fail(card, str(fault))
                continue
            self._playing = card, process
            with contextlib.suppress(OSError):  # it has ended already: `poll` finds out why
                process.stdin.write(self._sound)
                process.stdin.close()
            return

    def poll(self) -> None:
        """If the sound could not be played, begin it on the next card."""
        if self._look():
            self._begin()

    def _look(self) -> bool:
        """Whether the sound has ended and was not played."""
        self._ending = [process for process in self._ending if process.poll() is None]
        if self._playing is None or self._playing[1].poll() is None:
            return False
        (card, process), self._playing = self._playing, None
        code, said = process.returncode, process.stderr.read().decode(errors="replace").strip().partition("\n")[0]
        process.stderr.close()
        if code:
            self._fail(card, f"{PLAYER} ended with {code}, {said}" if said else f"{PLAYER} ended with {code}")
        else:
            self.outcome = Outcome(True, f"{card.name}: {PLAYER} ended with 0")
        return bool(code)

    def _fail(self, card: Card, why: str) -> None:
        self._failed.add(card)
        self.outcome = Outcome(False, f"{card.name}: {why}")
        log.warning("No sounds from %s", self.outcome.text)

    def _cut_off(self) -> None:
        if self._playing is not None:
            process = self._playing[1]
            process.terminate()
            process.stderr.close()
            self._ending.append(process)
            self._playing = None

    def close(self) -> None:
        """Be silent."""
        self._look()
        self._cut_off()
        for process in self._ending:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_END_S)
        self._ending = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()
