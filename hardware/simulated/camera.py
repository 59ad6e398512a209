"""The simulated table seen as a camera, for the drivers' table in `hardware.camera`."""

from __future__ import annotations

import time
from typing import Self

from hardware.camera import WIDE_DEG, Focus, Frame, LensKind
from hardware.camera.pace import Clock, Pace, Wait
from hardware.errors import CameraError
from hardware.simulated.table import SimulatedTable


class SimulatedCamera:
    """Pictures of a `SimulatedTable`, at most `rate_hz` a second (0: whenever one is asked for)."""

    name = "simulated table"
    focus: Focus | None = None

    def __init__(
        self, table: SimulatedTable, rate_hz: float = 0.0, clock: Clock = time.monotonic, wait: Wait = time.sleep
    ) -> None:
        self.table = table
        self._pace = Pace(rate_hz, clock, wait)
        self._number = 0
        self._open = False

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in px."""
        return self.table.size

    @property
    def lens(self) -> LensKind:
        """That of the table's style."""
        return "wide" if self.table.style.lens.view_deg > WIDE_DEG else "normal"

    def open(self) -> None:
        """Start; the first picture is due at once."""
        self._open = True
        self._pace.restart()

    def read(self, timeout_s: float) -> Frame:
        """The next picture when it is due. Raises CameraError (passing) if that is later than the time allows."""
        if not self._open:
            raise CameraError("The simulated camera is closed: open it first.", final=False)
        now = self._pace.next(timeout_s)
        frame = Frame(self._number, now, self.table.picture())
        self._number += 1
        return frame

    def settle(self, focus: Focus | None = None) -> None:
        """Nothing is held."""

    def close(self) -> None:
        """Stop."""
        self._open = False

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()
