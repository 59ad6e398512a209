"""Sounds on a piezo buzzer: one tone at a time, as the notes say, through gpiozero.

In: the buzzer's pin from the panel's pin file. Out: tones. A thread plays, so that nobody waits for the end of a note.
"""

from __future__ import annotations

import logging
import queue
import threading
from typing import Any, Self

from gpiozero import GPIOZeroError, TonalBuzzer
from gpiozero.tones import Tone

from hardware.errors import SoundError
from hardware.panel.pins import Pins, load_pins
from hardware.sound import Outcome
from hardware.sound.tunes import TUNES, Note

_GLIDE_STEP_S = 0.05
_JOIN_S = 1.0
_OCTAVES = 3
"""About A4: 55 to 3520 Hz holds all notes of the table."""

log = logging.getLogger(__name__)


def beeps(notes: tuple[Note, ...]) -> list[tuple[float, float]]:
    """What one voice plays of the notes: (hz, seconds) one after the other, 0 Hz for a pause; glides are steps."""
    found: list[tuple[float, float]] = []
    now = 0.0
    for i, note in enumerate(notes):
        if note.start_s > now:
            found.append((0.0, note.start_s - now))
        following = notes[i + 1].start_s if i + 1 < len(notes) else note.start_s + note.length_s
        length = min(note.length_s, following - note.start_s)
        steps = max(1, round(length / _GLIDE_STEP_S)) if note.to_hz else 1
        to_hz = note.to_hz or note.hz
        found += [(note.hz + (to_hz - note.hz) * step / steps, length / steps) for step in range(steps)]
        now = note.start_s + length
    return found


class BuzzerSpeaker:
    """A buzzer knows no loudness: at volume 0 it is silent, else as loud as it is."""

    def __init__(self, pins: Pins | None = None, pin_factory: Any = None) -> None:
        self._pins = pins or load_pins()
        self._factory = pin_factory
        self._buzzer: Any = None
        self._sounds: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self.outcome: Outcome | None = None  # it does not tell

    def open(self) -> None:
        """Claim the pin. Raises SoundError if none is fitted, or somebody has it."""
        if self._buzzer is not None:
            return
        if self._pins.buzzer is None:
            raise SoundError("No buzzer is fitted: give its pin in pins.toml (buzzer = 12), or choose another speaker.")
        try:
            self._buzzer = TonalBuzzer(
                self._pins.buzzer, mid_tone=Tone(frequency=440.0), octaves=_OCTAVES, pin_factory=self._factory
            )
        except (GPIOZeroError, OSError) as fault:
            raise SoundError(f"The buzzer cannot be used: {fault}. Check pins.toml.") from fault
        self._stop.clear()
        self._thread = threading.Thread(target=self._run, name="buzzer", daemon=True)
        self._thread.start()

    def play(self, name: str, volume: float) -> None:
        """Begin the sound; one that is still playing is cut off."""
        if self._buzzer is not None and volume > 0:
            self._sounds.put(name)

    def poll(self) -> None:
        """The thread looks after it."""

    def _run(self) -> None:
        try:
            while (name := self._sounds.get()) is not None:
                for hz, seconds in beeps(TUNES[name]):
                    self._buzzer.play(Tone(frequency=hz) if hz else None)
                    if self._stop.wait(seconds) or not self._sounds.empty():
                        break
                self._buzzer.stop()
        except (GPIOZeroError, OSError, ValueError) as fault:
            log.warning("No sounds: %s", fault)

    def close(self) -> None:
        """Be silent and let the pin go."""
        if self._thread is not None:
            self._stop.set()
            self._sounds.put(None)
            self._thread.join(_JOIN_S)
            self._thread = None
        if self._buzzer is not None:
            self._buzzer.close()
            self._buzzer = None

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()
