"""The sounds as data, and how they become samples."""

from __future__ import annotations

import io
import wave

import numpy as np

RATE_HZ = 16_000
LOUDNESS = 0.25

SOUNDS: dict[str, tuple[tuple[float, int], ...]] = {
    "tap": ((880, 30),),
    "accepted": ((660, 70), (880, 90)),
    "warning": ((330, 140), (262, 200)),
    "roll": ((520, 35), (0, 25), (560, 35), (0, 25), (600, 35), (0, 25), (640, 60)),
    "volcano": ((196, 160), (165, 160), (131, 320)),
    "end": ((523, 110), (659, 110), (784, 110), (1047, 260)),
}
"""Name to notes: frequency in Hz (0 is a rest) and milliseconds."""

_FADE_MS = 8


class NoSound:
    """Silence."""

    def play(self, name: str) -> None:
        """Nothing is heard; KeyError if there is no such sound."""
        SOUNDS[name]

    def close(self) -> None:
        """Nothing to stop."""


def wav(name: str) -> bytes:
    """A sound as a WAV file, mono, 16 bit; KeyError if there is none of that name."""
    samples = np.concatenate([_note(hz, ms) for hz, ms in SOUNDS[name]])
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(RATE_HZ)
        out.writeframes((samples * 32767).astype("<i2").tobytes())
    return file.getvalue()


def _note(hz: float, ms: int) -> np.ndarray:
    """A sine that swells and fades, so that it does not click."""
    time = np.arange(RATE_HZ * ms // 1000) / RATE_HZ
    swell = np.clip(np.minimum(time, time[::-1]) * 1000 / _FADE_MS, 0, 1)
    return LOUDNESS * swell * np.sin(2 * np.pi * hz * time)
