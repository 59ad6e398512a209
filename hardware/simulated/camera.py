"""The simulated table seen as a camera, for the drivers' table in `hardware.camera`."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Self

from hardware.camera import Frame
from hardware.errors import CameraError
from hardware.simulated.table import SimulatedTable


class SimulatedCamera:
    """Pictures of a `SimulatedTable`, at most `rate_hz` a second (0: as fast as they are asked for)."""

    name = "simulated table"

    def __init__(
        self,
        table: SimulatedTable,
        rate_hz: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        if rate_hz < 0:
            raise ValueError("rate_hz must be 0 or more.")
        self.table = table
        self._period = 1 / rate_hz if rate_hz else 0.0
        self._clock = clock
        self._wait = wait
        self._number = 0
        self._due = 0.0
        self._open = False

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in px."""
        return self.table.size

    def open(self) -> None:
        """Start; the first picture is due at once."""
        self._open = True
        self._due = self._clock()

    def read(self, timeout_s: float) -> Frame:
        """The next picture when it is due. Raises CameraError (passing) if that is later than the time allows."""
        if not self._open:
            raise CameraError("The simulated camera is closed: open it first.", final=False)
        early = self._due - self._clock()
        if early > timeout_s:
            self._wait(timeout_s)
            raise CameraError(f"No picture came within {timeout_s:g} s: ask again.", final=False)
        if early > 0:
            self._wait(early)
        now = self._clock()
        self._due = now + self._period
        frame = Frame(self._number, now, self.table.picture())
        self._number += 1
        return frame

    def close(self) -> None:
        """Stop."""
        self._open = False

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()
