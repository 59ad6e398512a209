"""Which wire goes to which pin, read from a TOML file.

In: a file like `pins.toml` beside this module. Out: `Pins`, checked: every name there, no pin given twice.
"""

from __future__ import annotations

import importlib.resources
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from hardware.errors import PanelError
from hardware.panel.events import BUTTONS, OPTIONAL, PLAYERS

LAST_GPIO = 27
"""The 40-pin header carries GPIO 0 to 27; 0 and 1 belong to the HAT's identification chip."""
FIRST_GPIO = 2


class Pins(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """GPIO numbers (Broadcom's) by button and by the player button that holds the LED; `settle_ms` is the debounce.

    What is not fitted has no pin: `buzzer`, and the `power` button, which is one of `buttons`.
    """

    buttons: dict[str, int]
    leds: dict[str, int]
    settle_ms: int = 20
    buzzer: int | None = None


def load_pins(path: Path | None = None) -> Pins:
    """The pins of a file, or the default wiring. Raises PanelError that names the file and what is wrong in it."""
    where = str(path or "pins.toml")
    try:
        default = importlib.resources.files("hardware.panel") / "pins.toml"
        text = path.read_text("utf-8") if path else default.read_text("utf-8")
        return check_pins(tomllib.loads(text))
    except OSError as missing:
        raise PanelError(
            f"{where}: cannot be read ({missing.strerror}); name the file of your wiring, a copy of pins.toml."
        ) from missing
    except tomllib.TOMLDecodeError as wrong:
        raise PanelError(f"{where}: not TOML: {wrong}; mend it, or begin with a new copy of pins.toml.") from wrong
    except PanelError as wrong:
        raise PanelError(f"{where}: {wrong}") from None


def check_pins(data: Mapping[str, Any]) -> Pins:
    """Read the tables of a pin file. Raises PanelError saying which entry is wrong."""
    try:
        pins = msgspec.convert(data, Pins)
    except msgspec.ValidationError as wrong:
        raise PanelError(f"{wrong}.") from None
    _check_names("buttons", pins.buttons, BUTTONS, OPTIONAL)
    _check_names("leds", pins.leds, PLAYERS)
    entries = [(f"buttons.{name}", gpio) for name, gpio in pins.buttons.items()]
    entries += [(f"leds.{name}", gpio) for name, gpio in pins.leds.items()]
    entries += [("buzzer", pins.buzzer)] if pins.buzzer is not None else []
    owners: dict[int, str] = {}
    for entry, gpio in entries:
        if not FIRST_GPIO <= gpio <= LAST_GPIO:
            raise PanelError(f"{entry} = {gpio}: there is no such pin, use GPIO {FIRST_GPIO} to {LAST_GPIO}.")
        if gpio in owners:
            raise PanelError(f"GPIO {gpio} is given to both {owners[gpio]} and {entry}: choose another pin for one.")
        owners[gpio] = entry
    if not 1 <= pins.settle_ms <= 200:
        raise PanelError(f"settle_ms = {pins.settle_ms}: use 1 to 200 milliseconds.")
    return pins


def _check_names(
    table: str, entries: Mapping[str, int], known: tuple[str, ...], optional: tuple[str, ...] = ()
) -> None:
    for name in entries:
        if name not in known + optional:
            raise PanelError(f"{table}.{name}: there is no such name; there are {', '.join(known + optional)}.")
    for name in known:
        if name not in entries:
            raise PanelError(f"{table}.{name} is missing: add its pin.")
