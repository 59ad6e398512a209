"""A machine whose light and power are written down."""

from __future__ import annotations


class NoPowerError(Exception):
    """The machine may not be switched off."""


class FakeMachine:
    """A `Machine`. `light`: its screen has one that can be set."""

    appliance = True
    version = "0.1.0"
    folders = ("/var/lib/atlantis/games.sqlite", "/var/lib/atlantis/settings.toml")
    free_mb: int | None = 24_000

    def __init__(self, *, light: bool = True) -> None:
        self.light = light
        self.shone: list[int] = []
        self.downs = 0
        self.may_not = False

    def shine(self, percent: int) -> bool:
        self.shone.append(percent)
        return self.light

    def shut_down(self) -> None:
        self.downs += 1
        if self.may_not:
            raise NoPowerError("The computer cannot be switched off from here.")
