"""A calibration by a camera whose guide says what it is told to say."""

from __future__ import annotations

from companion.viewmodel.calibration_link import Card, Guided, GuideStep
from companion.viewmodel.table_link import LinkStatus, Seeing


class StagedCalibration:
    """A `CalibrationLink`; what is said to it is written down, in the words of its calls."""

    def __init__(self) -> None:
        self.status: LinkStatus = Seeing()
        self.guided: Guided | None = None
        self.picture = b""
        self.said: list[object] = []

    def begin(self) -> None:
        """Remember it."""
        self.said.append("begin")

    def take(self) -> None:
        """Remember it."""
        self.said.append("take")

    def skip(self) -> None:
        """Remember it."""
        self.said.append("skip")

    def go(self, step: GuideStep) -> None:
        """Remember where to."""
        self.said.append(("go", step))

    def anew(self) -> None:
        """Remember it."""
        self.said.append("anew")

    def put_corner(self, card: Card, x: float, y: float) -> None:
        """Remember which, and where."""
        self.said.append((card, x, y))

    def end(self) -> None:
        """Remember it."""
        self.said.append("end")
