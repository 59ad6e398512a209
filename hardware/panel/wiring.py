"""The panel's wiring as a drawing, made of the pin file, so that the two cannot disagree.

In: `Pins`. Out: the text of an SVG file: the header as one looks down on it, and what each wire goes to.
`python -m hardware.panel.wiring [PINS.toml]` prints it.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec

from hardware.panel.pins import Pins, load_pins
from hardware.svg import AMBER, CARD, INK, RED, RULE, SOFT, Drawing, Point

HEADER: tuple[int | str, ...] = (
    "3V3", "5V", 2, "5V", 3, "GND", 4, 14, "GND", 15,
    17, 18, 27, "GND", 22, 23, "3V3", 24, 10, "GND",
    9, 25, 11, 8, "GND", 7, 0, 1, 5, "GND",
    6, 12, 13, "GND", 19, 16, 26, 20, "GND", 21,
)  # fmt: skip
"""What the header's pins 1 to 40 carry: a GPIO number, or what it is."""

Kind = Literal["button", "led", "buzzer"]

WORDS = {"ok": "OK", "undo": "Undo", "roll": "Roll", "power": "Power", "buzzer": "Buzzer"}

WIDTH, ROW, TOP, COLUMN = 1040, 36, 120, 22
MIDDLE = WIDTH / 2
RAIL = 470
"""How far the ground's wire runs beside the middle."""
GROUNDS = {-1: 39, 1: 34}
"""Which pin the ground of the left and of the right side goes to."""


@dataclass(frozen=True)
class Part:
    """Something with a wire to a pin: `pin` is the position on the header, 1 to 40."""

    name: str
    kind: Kind
    gpio: int

    @property
    def pin(self) -> int:
        """Where on the header."""
        return HEADER.index(self.gpio) + 1


def parts(pins: Pins) -> list[Part]:
    """Everything that has a pin, by its position on the header."""
    rest = {k: v for k, v in msgspec.structs.asdict(pins).items() if isinstance(v, int) and k != "settle_ms"}
    found = [Part(_words(name), "button", gpio) for name, gpio in pins.buttons.items()]
    found += [Part(f"{_words(name)} light", "led", gpio) for name, gpio in pins.leds.items()]
    found += [Part(_words(name), "buzzer", gpio) for name, gpio in rest.items()]
    return sorted(found, key=lambda part: part.pin)


def wiring(pins: Pins) -> str:
    """The drawing."""
    drawing = Drawing(WIDTH, TOP + 20 * ROW + 130, "Wiring of the button panel")
    drawing.text((40, 48), "The button panel", size=30, bold=True)
    drawing.text(
        (40, 78), "The Raspberry Pi's header from above; pin 1 is at the corner away from the USB sockets.", colour=SOFT
    )
    wired = parts(pins)
    _header(drawing, {part.pin for part in wired})
    for part in wired:
        _part(drawing, part)
    for side, ground in GROUNDS.items():
        heights = [_place(part.pin)[1] for part in wired if _side(part.pin) == side]
        if heights:
            _ground(drawing, side, ground, heights)
    foot = TOP + 20 * ROW + 50
    drawing.text((40, foot), "Buttons close their pin to ground: no resistor, the Pi has its own.")
    drawing.text((40, foot + 26), "Lights: pin, 330 ohms, the LED's long leg; its short leg to ground.")
    drawing.text((40, foot + 52), "Never connect 5V to a GPIO: it ends the Pi.", colour=RED, bold=True)
    return str(drawing)


def _words(name: str) -> str:
    return f"Player {name[-1]}" if name.startswith("player") else WORDS.get(name, name.capitalize())


def _side(pin: int) -> int:
    """-1 left (odd pins), 1 right."""
    return -1 if pin % 2 else 1


def _place(pin: int) -> Point:
    """Where a pin's middle is drawn."""
    return MIDDLE + _side(pin) * COLUMN, TOP + ROW / 2 + (pin - 1) // 2 * ROW


def _header(drawing: Drawing, used: set[int]) -> None:
    """The forty pins; those with a wire are amber, and what they carry is said on the wire."""
    drawing.box((MIDDLE - 86, TOP - 6), (172, 20 * ROW + 12), radius=8)
    for pin, carries in enumerate(HEADER, 1):
        x, y = _place(pin)
        named = isinstance(carries, str)
        fill = AMBER if pin in used else CARD if not named else INK if carries == "GND" else RED
        if pin == 1:
            drawing.box((x - 12, y - 12), (24, 24), fill=fill, radius=2)
        else:
            drawing.dot((x, y), 12, fill=fill)
        drawing.text((x, y + 4), str(pin), size=11, anchor="middle", colour=CARD if fill in (INK, RED) else INK)
        if named and pin not in GROUNDS.values():
            drawing.text((MIDDLE + _side(pin) * 44, y + 4), str(carries), size=13, anchor="end" if pin % 2 else "start",
                         colour=SOFT if carries == "GND" else RED)  # fmt: skip


def _part(drawing: Drawing, part: Part) -> None:
    """A wire from the pin outwards, the part, its name, and on to the ground's wire."""
    side = _side(part.pin)
    x, y = _place(part.pin)

    def at(out: float, down: float = 0.0) -> Point:
        return MIDDLE + side * out, y + down

    drawing.line((x + side * 12, y), at(190), colour=INK)
    if part.kind == "button":
        drawing.dot(at(196), 4, fill=CARD)
        drawing.dot(at(228), 4, fill=CARD)
        drawing.line(at(192, -9), at(232, -9), width=3)
        drawing.line(at(212, -9), at(212, -15), width=3)
        drawing.line(at(232), at(RAIL))
    elif part.kind == "led":
        drawing.box((min(at(190)[0], at(222)[0]), y - 6), (32, 12), radius=1)
        drawing.line(at(222), at(236))
        drawing.shape(at(236, -9), at(236, 9), at(252), fill=CARD, colour=INK, width=2)
        drawing.line(at(252, -9), at(252, 9))
        drawing.line(at(246, -9), at(252, -15), width=1.5)
        drawing.line(at(252, -8), at(258, -14), width=1.5)
        drawing.line(at(252), at(RAIL))
    else:
        drawing.line(at(190), at(200))
        drawing.dot(at(212), 12, fill=CARD)
        drawing.dot(at(212), 3)
        drawing.line(at(224), at(RAIL))
    left, right = sorted((at(276)[0], at(440)[0]))
    drawing.box((left, y - 14), (right - left, 28), colour=RULE)
    drawing.text(((left + right) / 2, y + 6), part.name, anchor="middle", bold=part.kind == "button")
    drawing.text(at(122, -6), f"GPIO {part.gpio}", size=13, anchor="middle", colour=SOFT)


def _ground(drawing: Drawing, side: int, pin: int, heights: list[float]) -> None:
    """The wire that all parts of a side share, and its pin."""
    x, y = _place(pin)
    rail = MIDDLE + side * RAIL
    for height in heights:
        drawing.dot((rail, height), 4)
    drawing.line((rail, min(heights)), (rail, max(*heights, y)), width=4)
    drawing.line((rail, y), (x + side * 12, y), width=4)
    drawing.text((MIDDLE + side * 122, y - 8), "ground", size=13, anchor="middle", colour=SOFT)


def main(arguments: list[str]) -> None:
    """Print the drawing of a pin file, or of the default wiring."""
    print(wiring(load_pins(Path(arguments[0]) if arguments else None)), end="")


if __name__ == "__main__":
    main(sys.argv[1:])
