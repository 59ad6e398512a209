"""Keeps a camera that could deliver at any moment to a rate, as a real one keeps to its own."""

from __future__ import annotations

import time
from collections.abc import Callable

from hardware.errors import CameraError

Clock = Callable[[], float]
Wait = Callable[[float], None]


class Pace:
    """At most `rate_hz` pictures a second; 0 means whenever one is asked for. Tests give clock and wait."""

    def __init__(self, rate_hz: float, clock: Clock = time.monotonic, wait: Wait = time.sleep) -> None:
        if rate_hz < 0:
            raise ValueError("rate_hz must be 0 or more.")
        self._period = 1 / rate_hz if rate_hz else 0.0
        self._clock = clock
        self._wait = wait
        self._due: float | None = None

    def next(self, timeout_s: float) -> float:
        """Wait until the next picture is due; the time then. Raises CameraError (passing) if that is too late."""
        now = self._clock()
        early = self._due - now if self._due is not None else 0.0
        if early > timeout_s:
            self._wait(timeout_s)
            raise CameraError("No picture came within {seconds:g} s: ask again.", seconds=timeout_s, final=False)
        if early > 0:
            self._wait(early)
            now = self._clock()
        self._due = now + self._period
        return now

    def restart(self) -> None:
        """The next picture is due at once."""
        self._due = None
