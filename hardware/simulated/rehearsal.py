"""The simulated table with somebody at it who lays and holds up what a calibration asks for."""

from __future__ import annotations

import itertools
from typing import Literal

from hardware.camera import Frame
from hardware.simulated.arrays import Image
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.session import lens_pictures, swatch_layout
from hardware.simulated.table import SimulatedTable

Scene = Literal["empty", "swatch", "lens"]


class RehearsalCamera(SimulatedCamera):
    """A `SimulatedCamera` whose table is set out by a word."""

    def __init__(self, table: SimulatedTable) -> None:
        super().__init__(table)
        self._sheets = itertools.cycle(lens_pictures(table.view))
        self._held: Image | None = None

    def show(self, scene: Scene) -> None:
        """The empty board, the swatch layout, or the lens sheet before the camera, each time in another place."""
        self._held = None
        if scene == "lens":
            self._held = next(self._sheets)
        else:
            self.table.put(swatch_layout() if scene == "swatch" else {})

    def read(self, timeout_s: float) -> Frame:
        """The next picture: of the table, or of what is held before the camera."""
        frame = super().read(timeout_s)
        return frame if self._held is None else Frame(frame.number, frame.time, self._held)
