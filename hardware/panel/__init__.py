"""The button panel: four player buttons with LEDs, OK, undo and roll; drivers are chosen by name.

In: a driver's name and its options. Out: `ButtonEvent`s, to be polled; both press and release, so that a button can be
held. A driver's module, and the library it needs, is imported only when the driver is chosen.
"""

from __future__ import annotations

from typing import Any, Protocol, Self, runtime_checkable

from hardware.drivers import Drivers, make
from hardware.errors import HardwareError, PanelError
from hardware.panel.events import BUTTONS, OPTIONAL, PLAYERS, ButtonEvent

__all__ = [
    "BUTTONS",
    "DRIVERS",
    "OPTIONAL",
    "PLAYERS",
    "ButtonEvent",
    "HardwareError",
    "Panel",
    "PanelError",
    "open_panel",
]


@runtime_checkable
class Panel(Protocol):
    """What every driver does."""

    def open(self) -> None:
        """Claim the pins; harmless when it is open. Raises PanelError."""

    def poll(self) -> list[ButtonEvent]:
        """What has happened since the last call, oldest first. Does not wait. Raises PanelError for a lost panel."""
        ...

    def set_led(self, player: str, on: bool) -> None:
        """Light the LED in a player's button, or put it out. Raises PanelError for a name without one, a lost panel."""

    def close(self) -> None:
        """Put the LEDs out and let the pins go; harmless when it is not open."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *exc: object) -> None: ...


DRIVERS: Drivers = {
    "gpio": ("hardware.panel.gpio", "GpioPanel"),
    "keyboard": ("hardware.panel.keyboard", "KeyboardPanel"),
    "none": ("hardware.panel.keyboard", "NoPanel"),
}
"""Driver name to module and class."""


def open_panel(name: str, **options: Any) -> Panel:
    """Open the panel of that driver; the options are those of its class. Raises PanelError."""
    panel: Panel = make("panel", DRIVERS, name, options, PanelError)
    panel.open()
    return panel
