"""The tables that can be simulated, as data: camera, table top, print, paint and light of each.

Colours are BGR, 0..255, as they look under the middle of the lamp. A style's name is what `SimulatedTable` takes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from hardware.simulated.optics import NORMAL, WIDE, Lens, Pose
from hardware.simulated.texture import Bgr


@dataclass(frozen=True)
class Top:
    """The table top: its kind and the two colours that it is painted with; `gloss` is the lamp's reflection."""

    kind: Literal["planks", "wood", "plain"]
    dark: Bgr
    light: Bgr
    gloss: float


@dataclass(frozen=True)
class Lamp:
    """A light above the table: where it hangs in mm, and its share of the light where it is brightest."""

    east: float
    south: float
    height: float
    share: float


@dataclass(frozen=True)
class Print:
    """The board's and the tiles' inks."""

    deep: Bgr
    sea: Bgr
    shallow: Bgr
    shore: Bgr
    wood: Bgr
    lines: Bgr
    sand: Bgr
    leaf: Bgr
    flower: Bgr
    rock_dark: Bgr
    rock_light: Bgr


@dataclass(frozen=True)
class Sensor:
    """The small camera behind the lens: blur and noise in px and grey levels, sharpening, white-balance gains (BGR)."""

    blur_px: float
    noise: float
    sharpen: float
    gains: Bgr
    vignette: float
    jpeg: int


@dataclass(frozen=True)
class Style:
    """One table as it stands in somebody's room."""

    words: str
    lens: Lens
    pose: Pose
    top: Top
    lamps: tuple[Lamp, ...]
    ambient: float
    inks: Print
    paint: dict[str, Bgr]
    sensor: Sensor


_VIVID = Print(
    deep=(104, 40, 16),
    sea=(158, 70, 22),
    shallow=(205, 150, 30),
    shore=(50, 195, 232),
    wood=(35, 135, 50),
    lines=(14, 10, 8),
    sand=(138, 200, 228),
    leaf=(38, 122, 84),
    flower=(30, 205, 242),
    rock_dark=(62, 70, 84),
    rock_light=(172, 182, 196),
)
_MUTED = Print(
    deep=(92, 44, 30),
    sea=(142, 84, 40),
    shallow=(180, 150, 60),
    shore=(80, 185, 215),
    wood=(48, 118, 60),
    lines=(235, 232, 228),
    sand=(150, 196, 214),
    leaf=(56, 112, 80),
    flower=(60, 195, 225),
    rock_dark=(66, 68, 72),
    rock_light=(168, 170, 174),
)
_BROWN_ROCK = Print(
    deep=(108, 42, 18),
    sea=(164, 76, 24),
    shallow=(212, 158, 40),
    shore=(60, 205, 240),
    wood=(40, 150, 62),
    lines=(18, 14, 12),
    sand=(118, 190, 226),
    leaf=(42, 128, 92),
    flower=(34, 200, 235),
    rock_dark=(48, 66, 92),
    rock_light=(150, 176, 204),
)

_PAINT: dict[str, Bgr] = {
    "red": (42, 34, 208),
    "blue": (164, 48, 42),
    "yellow": (30, 200, 240),
    "green": (56, 132, 28),
    "boat": (32, 48, 86),
    "serpent": (24, 24, 28),
    "shark": (92, 80, 72),
    "whale": (62, 46, 38),
    "dolphin": (150, 130, 112),
}

STYLES: dict[str, Style] = {
    "pine": Style(
        "Light pine table, ceiling lamp, little tilt, board nearly upright in the picture.",
        NORMAL,
        Pose(7, 200, 4),
        Top("wood", (92, 152, 205), (150, 205, 238), 0.35),
        (Lamp(80, -260, 1150, 0.75),),
        0.45,
        _VIVID,
        _PAINT,
        Sensor(0.75, 2.2, 0.35, (0.97, 1.0, 1.02), 0.22, 92),
    ),
    "oak": Style(
        "Oak planks, daylight from a window, camera tilted, board upside down in the picture.",
        NORMAL,
        Pose(22, 15, 176),
        Top("planks", (78, 118, 158), (130, 172, 205), 0.2),
        (Lamp(-900, 300, 1000, 0.8),),
        0.5,
        _MUTED,
        {**_PAINT, "red": (40, 30, 190), "blue": (182, 56, 44), "green": (48, 118, 22), "shark": (98, 88, 78)},
        Sensor(0.7, 2.6, 0.4, (1.03, 1.0, 0.97), 0.15, 92),
    ),
    "laminate": Style(
        "Grey laminate table, two lamps (double shadows), board turned a quarter.",
        NORMAL,
        Pose(14, 250, 87),
        Top("plain", (138, 138, 142), (172, 172, 174), 0.25),
        (Lamp(-420, -200, 900, 0.45), Lamp(460, 150, 1000, 0.4)),
        0.4,
        _BROWN_ROCK,
        {**_PAINT, "blue": (172, 54, 44), "yellow": (26, 190, 232)},
        Sensor(0.85, 3.0, 0.3, (1.0, 1.0, 1.0), 0.2, 90),
    ),
    "walnut": Style(
        "Dark walnut table, warm lamp in the evening, strongest tilt, board slanted in the picture.",
        NORMAL,
        Pose(27, 140, 38),
        Top("planks", (22, 42, 72), (52, 88, 132), 0.5),
        (Lamp(330, 180, 850, 0.85),),
        0.32,
        _VIVID,
        {**_PAINT, "red": (34, 26, 196), "boat": (36, 52, 90)},
        Sensor(0.8, 3.6, 0.35, (0.82, 0.97, 1.07), 0.25, 90),
    ),
    "wide": Style(
        "White table, wide lens close to the board (lens pictures included).",
        WIDE,
        Pose(12, 330, 350),
        Top("plain", (192, 198, 204), (212, 218, 222), 0.1),
        (Lamp(-150, -350, 1200, 0.6),),
        0.55,
        _VIVID,
        _PAINT,
        Sensor(0.7, 2.6, 0.4, (1.02, 1.0, 0.98), 0.3, 92),
    ),
}
