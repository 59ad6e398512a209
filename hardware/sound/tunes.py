"""The sounds, as notes: soft, short, told apart by their movement and not by their pitch alone.

In: nothing. Out: `TUNES` for what plays notes, `samples` for what plays samples.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

RATE_HZ = 22050
LOUDEST_PART = 0.5
"""Of what a sample can hold: half, so that nothing rattles in a small loudspeaker."""

_ATTACK_S = 0.004
_RELEASE_S = 0.012
_OVERTONES = (1.0, 0.3, 0.1)
"""How strong a note's first tones are: a little wood, no edge."""


class Note(NamedTuple):
    """A tone that begins at `start_s` and lasts `length_s`, gliding from `hz` to `to_hz` (0: it stays).

    `fade_s` is how fast it dies away, as struck wood does.
    """

    hz: float
    start_s: float
    length_s: float
    fade_s: float = 0.12
    to_hz: float = 0.0


TUNES: Mapping[str, tuple[Note, ...]] = {
    "turn": (Note(392.0, 0.0, 0.16), Note(523.3, 0.13, 0.28)),
    "wrong": (Note(233.1, 0.0, 0.2), Note(174.6, 0.16, 0.34)),
    "right": (Note(523.3, 0.0, 0.12), Note(659.3, 0.09, 0.12), Note(784.0, 0.18, 0.26)),
    "roll": tuple(
        Note(hz, start, 0.05, 0.014) for hz, start in ((880.0, 0.0), (740.0, 0.09), (830.6, 0.16), (622.3, 0.25))
    ),
    "sunk": (Note(330.0, 0.0, 0.45, 0.22, to_hz=110.0),),
    "time": (Note(659.3, 0.0, 0.16), Note(659.3, 0.2, 0.26)),
}
"""Whose turn it is now; something is wrong; it has been put right; a roll; a tile has gone; the time is over."""


@functools.cache
def samples(name: str) -> NDArray[np.float64]:
    """A sound of the table at `RATE_HZ`, shape (n,), within -`LOUDEST_PART` and `LOUDEST_PART`. KeyError if unknown."""
    notes = TUNES[name]
    wave = np.zeros(round(max(note.start_s + note.length_s for note in notes) * RATE_HZ))
    for note in notes:
        begin = round(note.start_s * RATE_HZ)
        tone = _tone(note)[: len(wave) - begin]
        wave[begin : begin + len(tone)] += tone
    loudest: float = np.abs(wave).max()
    wave *= LOUDEST_PART / loudest
    wave.setflags(write=False)
    return wave


def _tone(note: Note) -> NDArray[np.float64]:
    t = np.arange(round(note.length_s * RATE_HZ)) / RATE_HZ
    hz = np.linspace(note.hz, note.to_hz or note.hz, len(t))
    phase = 2 * np.pi * np.cumsum(hz) / RATE_HZ
    tone = sum(strength * np.sin((i + 1) * phase) for i, strength in enumerate(_OVERTONES))
    shape = np.minimum(t / _ATTACK_S, 1.0) * np.exp(-t / note.fade_s) * np.minimum((t[-1] - t) / _RELEASE_S, 1.0)
    return np.asarray(tone * shape)
