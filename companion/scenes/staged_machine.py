"""A machine under the screen that does what it is told and says so."""

from __future__ import annotations


class StagedMachine:
    """A `Machine` that is a companion on a table; `shone` and `downs` are what was asked of it.

    `light`: its screen has one that can be set.
    """

    appliance = True
    version = "0.1.0"
    folders = ("/var/lib/atlantis/games.sqlite", "/var/lib/atlantis/settings.toml")

    def __init__(self, *, light: bool = True) -> None:
        self.light = light
        self.free_mb: int | None = 24_000
        self.shone: list[int] = []
        self.downs = 0

    def shine(self, percent: int) -> bool:
        """Write it down."""
        self.shone.append(percent)
        return self.light

    def shut_down(self) -> None:
        """Count it; it stays on."""
        self.downs += 1
