"""What one training table is like: paint, lamps, lens, pose, gloss; and how each picture of it is lit.

In: a random generator. Out: plain values for `scene` (linear RGB colours, mm) and `photo`.
"""

from __future__ import annotations

import colorsys
import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hardware.simulated.arrays import Image
from hardware.simulated.optics import MARGIN_PX, Lens, Pose, View

Rgb = tuple[float, float, float]

PICTURE_SIZE = (1536, 864)
"""Width, height, px: those of the recognition set."""
_PAINTS: dict[str, tuple[float, float, float, float, float, float]] = {
    # hue in degrees from..to, saturation from..to, value from..to, all as printed in sRGB
    "red": (346, 368, 0.72, 1.0, 0.55, 0.92),
    "blue": (205, 240, 0.55, 1.0, 0.4, 0.88),
    "yellow": (40, 58, 0.65, 1.0, 0.75, 1.0),
    "green": (95, 158, 0.45, 1.0, 0.32, 0.75),
}


_ENOUGH_ALIKE = 0.03
"""A hue that so many of a tile's pixels have is one that a piece can get lost among."""

_AT_SEA = 0.5
"""Share of the blending tables on which a paint is like the sea."""

_CREATURES_TOO = 0.5
"""Share of these on which a kind of creature is like it as well."""


@dataclass(frozen=True)
class Paint:
    """A colour (linear RGB) and how rough its lacquer is (0 a mirror, 1 chalk); `coat` of clear lacquer 0 to 1."""

    colour: Rgb
    roughness: float
    coat: float = 0.0


@dataclass(frozen=True)
class Lamp:
    """An area lamp that looks at the middle of the board: where it is (mm: east, south, up), how large its side is
    (mm), and the light it gives the board, linear RGB."""

    at: tuple[float, float, float]
    side: float
    light: Rgb


@dataclass(frozen=True)
class Lighting:
    """Lamps, the light from all around (linear RGB), and a head between lamp and table (mm: at, radius) if any."""

    lamps: tuple[Lamp, ...]
    ambient: Rgb
    head: tuple[tuple[float, float, float], float] | None = None


@dataclass(frozen=True)
class Look:
    """One table."""

    paints: dict[str, Paint]
    board: Paint
    tiles: Paint
    top: Paint
    edge: Rgb
    lens: Lens
    pose: Pose
    lighting: Lighting


def random_of(number: int) -> np.random.Generator:
    """What a table of that number is made from, all of it."""
    return np.random.default_rng([2026, number])


def make_table(rng: np.random.Generator, cards: NDArray[np.float64], scale: float = 1.0) -> tuple[Look, View]:
    """A table whose camera sees all of the `cards` (their corners, N x 3 mm), and how it sees it.

    `scale`: its pictures are so many times as wide and as high as `PICTURE_SIZE`.
    """
    size = round(PICTURE_SIZE[0] * scale), round(PICTURE_SIZE[1] * scale)
    while True:
        look = make_look(rng)
        try:
            return look, View(size, look.lens, look.pose, cards, MARGIN_PX * scale)
        except ValueError:
            continue


def make_look(rng: np.random.Generator) -> Look:
    """A table: a lens of 62 to 104 degrees, tilted up to 36 degrees, turned anyhow."""
    kind = rng.random()
    if kind < 0.6:
        lens = Lens(float(rng.uniform(62, 72)), _distortion(rng, -0.07, 0.0))
    elif kind < 0.72:
        lens = Lens(float(rng.uniform(73, 88)), _distortion(rng, -0.14, -0.03))
    else:
        lens = Lens(float(rng.uniform(92, 104)), _distortion(rng, -0.24, -0.12))
    pose = Pose(float(36 * rng.random() ** 0.8), float(rng.uniform(0, 360)), float(rng.uniform(0, 360)))
    gloss = rng.random() < 0.3
    sheet = float(rng.uniform(0.12, 0.3) if gloss else rng.uniform(0.35, 0.8))
    return Look(
        paints=_paints(rng),
        board=Paint((1, 1, 1), sheet),
        tiles=Paint((1, 1, 1), float(np.clip(sheet + rng.normal(0, 0.12), 0.1, 0.9))),
        top=Paint((1, 1, 1), float(rng.uniform(0.25, 0.9))),
        edge=_rgb(float(rng.uniform(20, 50)), float(rng.uniform(0.05, 0.4)), float(rng.uniform(0.35, 0.75))),
        lens=lens,
        pose=pose,
        lighting=_lighting(rng),
    )


def blending(rng: np.random.Generator, look: Look, faces: Mapping[str, Sequence[Image]], sea: Image) -> Look:
    """The same table, something on it painted `like_tiles` or `like_sea`."""
    return like_sea(rng, look, sea) if rng.random() < _AT_SEA else like_tiles(rng, look, faces)


def like_tiles(rng: np.random.Generator, look: Look, faces: Mapping[str, Sequence[Image]]) -> Look:
    """One colour's explorers painted like something on the tiles: flowers, leaves, sand.

    `faces`: by terrain, squares of BGR. The same table if nothing on the chosen terrain has the hue of any paint.
    """
    terrain = str(rng.choice(("forest", "beach", "mountain"), p=(0.6, 0.25, 0.15)))
    face = faces[terrain][int(rng.integers(len(faces[terrain])))]
    return _like(rng, look, _hsv(face[len(face) // 4 : -len(face) // 4, len(face) // 4 : -len(face) // 4]))


def like_lands(rng: np.random.Generator, look: Look, lands: Image) -> Look:
    """One colour's explorers painted like something on the safe lands (BGR): woods, sand.

    The same table if nothing there has the hue of any paint.
    """
    return _like(rng, look, _hsv(lands))


def _like(rng: np.random.Generator, look: Look, colours: NDArray[np.float64]) -> Look:
    """One colour's explorers painted like some of these colours (N x 3, HSV from 0 to 1) that have its hue."""
    found: dict[str, NDArray[np.float64]] = {}
    for name, (h0, h1, s0, *_) in _PAINTS.items():
        hue = (colours[:, 0] * 360 - h0) % 360 + h0
        alike = colours[(hue < h1) & (colours[:, 1] > 0.6 * s0)]
        if len(alike) > _ENOUGH_ALIKE * len(colours):
            strong = alike[alike[:, 1] >= np.median(alike[:, 1])]
            turns = (strong[:, 0] * 360 - h0) % 360 + h0
            found[name] = np.array([np.median(turns), *strong[:, 1:].mean(axis=0)])
    if not found:
        return look
    name = str(rng.choice(sorted(found)))
    return _repainted(look, name, (found[name] + rng.normal(0, (3, 0.06, 0.08))).tolist())


def like_sea(rng: np.random.Generator, look: Look, sea: Image) -> Look:
    """The paint of the hue nearest to the sea's (BGR) goes over to it, on half of the tables a creature's too."""
    blue, green, red = np.median(sea.reshape(-1, 3), axis=0) / 255
    hue, saturation, value = colorsys.rgb_to_hsv(red, green, blue)
    turn = hue * 360

    def away(name: str) -> float:
        h0, h1, *_ = _PAINTS[name]
        return abs((turn - (h0 + h1) / 2 + 180) % 360 - 180)

    like = (turn + rng.normal(0, 8), saturation + rng.normal(0, 0.12), value * rng.uniform(0.7, 1.35))
    look = _repainted(look, min(_PAINTS, key=away), like)
    if rng.random() < _CREATURES_TOO:
        kind = str(rng.choice(("serpent", "shark", "whale")))
        dark = (turn + rng.normal(0, 15), saturation * rng.uniform(0.2, 1.0), value * rng.uniform(0.35, 0.9))
        look = _repainted(look, kind, dark)
    return look


def _repainted(look: Look, name: str, colour: Sequence[float]) -> Look:
    """`colour`: sRGB's hue (degrees), saturation and value; the last two are brought to what a paint can be."""
    turn, saturation, value = colour
    mixed = _rgb(turn, min(max(saturation, 0.15), 1.0), min(max(value, 0.15), 1.0))
    return dataclasses.replace(look, paints=look.paints | {name: dataclasses.replace(look.paints[name], colour=mixed)})


def _hsv(picture: Image) -> NDArray[np.float64]:
    """Hue, saturation, value (0 to 1) of some 2000 pixels of a BGR picture."""
    pixels = picture.reshape(-1, 3)
    return np.array([colorsys.rgb_to_hsv(*(p[::-1] / 255)) for p in pixels[:: max(1, len(pixels) // 2000)]])


def other_light(rng: np.random.Generator, base: Lighting) -> Lighting:
    """The same lamps at another hour: moved a little, stronger or weaker, warmer or cooler, perhaps a head's shadow."""
    lamps = []
    for lamp in base.lamps:
        tint = rng.normal(0, 0.05)
        gain = float(rng.uniform(0.7, 1.3))
        r, g, b = lamp.light
        at = np.array(lamp.at) * rng.normal(1, 0.1, 3) + (*rng.normal(0, 60, 2), 0)
        light = (r * gain * (1 + tint), g * gain, b * gain * (1 - tint))
        lamps.append(Lamp((float(at[0]), float(at[1]), float(at[2])), lamp.side, light))
    gain = float(rng.uniform(0.75, 1.25))
    ambient = (base.ambient[0] * gain, base.ambient[1] * gain, base.ambient[2] * gain)
    head = None
    if rng.random() < 0.25:
        lamp = lamps[0]
        middle = rng.uniform((-280, -240), (280, 240))
        share = float(rng.uniform(0.3, 0.5))
        x, y = middle + (np.array(lamp.at[:2]) - middle) * share
        head = (float(x), float(y), lamp.at[2] * share), float(rng.uniform(70, 130))
    return Lighting(tuple(lamps), ambient, head)


def _distortion(rng: np.random.Generator, low: float, high: float) -> tuple[float, float, float, float, float]:
    k1 = float(rng.uniform(low, high))
    tangential = rng.normal(0, 0.0003, 2)
    return k1, float(0.15 * abs(k1) * rng.uniform(0.5, 1.2)), float(tangential[0]), float(tangential[1]), 0.0


def _paints(rng: np.random.Generator) -> dict[str, Paint]:
    rough, coat = float(rng.uniform(0.2, 0.65)), float(rng.choice((0.0, 0.0, 0.4, 1.0)))
    colours: dict[str, Rgb] = {
        name: _rgb(float(rng.uniform(h0, h1)), float(rng.uniform(s0, s1)), float(rng.uniform(v0, v1)))
        for name, (h0, h1, s0, s1, v0, v1) in _PAINTS.items()
    }
    colours["boat"] = _rgb(float(rng.uniform(8, 36)), float(rng.uniform(0.3, 0.8)), float(rng.uniform(0.2, 0.66)))
    black = float(rng.uniform(0.05, 0.2))
    for kind in ("serpent", "shark", "whale"):
        colours[kind] = _rgb(
            float(rng.uniform(0, 360)), float(rng.uniform(0, 0.2)), black * float(rng.uniform(0.7, 1.5))
        )
    style = rng.random()
    if style < 0.25:
        colours["shark"] = _rgb(float(rng.uniform(190, 250)), float(rng.uniform(0, 0.3)), float(rng.uniform(0.2, 0.55)))
        colours["whale"] = _rgb(float(rng.uniform(200, 250)), float(rng.uniform(0, 0.5)), float(rng.uniform(0.12, 0.4)))
    if style < 0.12:
        colours["serpent"] = _rgb(
            float(rng.uniform(90, 170)), float(rng.uniform(0.2, 0.7)), float(rng.uniform(0.1, 0.3))
        )
    return {
        name: Paint(colour, float(np.clip(rough + rng.normal(0, 0.05), 0.08, 0.9)), coat)
        for name, colour in colours.items()
    }


def _lighting(rng: np.random.Generator) -> Lighting:
    warm = _temperature(float(rng.uniform(2600, 7500)))
    kind = rng.random()
    if kind < 0.35:  # a window or a large soft lamp from the side
        lamps = [_lamp(rng, _SOFT, warm, 1.0)]
        fill = rng.uniform(0.25, 0.8)
    elif kind < 0.65:  # a lamp over the table
        lamps = [_lamp(rng, _ABOVE, warm, 1.0)]
        fill = rng.uniform(0.15, 0.6)
    elif kind < 0.85:  # strong light from low on one side
        lamps = [_lamp(rng, _LOW, warm, 1.0)]
        fill = rng.uniform(0.12, 0.5)
    else:  # several spots
        lamps = [_lamp(rng, _SPOT, warm, float(rng.uniform(0.4, 0.7))) for _ in range(3)]
        fill = rng.uniform(0.15, 0.5)
    if rng.random() < 0.35:
        lamps.append(_lamp(rng, _OTHER, _temperature(float(rng.uniform(2600, 7500))), 0.4))
    r, g, b = _temperature(float(rng.uniform(3000, 8000)))
    return Lighting(tuple(lamps), (r * float(fill), g * float(fill), b * float(fill)))


@dataclass(frozen=True)
class _Kind:
    """A kind of lamp, from..to: degrees above the table, mm from the board's middle, mm of its side."""

    elevation: tuple[float, float]
    distance: tuple[float, float]
    side: tuple[float, float]


_SOFT = _Kind((35, 65), (900, 1800), (400, 900))
_ABOVE = _Kind((60, 90), (900, 1600), (80, 400))
_LOW = _Kind((22, 40), (900, 1800), (60, 350))
_SPOT = _Kind((45, 85), (1200, 2000), (60, 200))
_OTHER = _Kind((30, 80), (900, 2000), (100, 600))


def _lamp(rng: np.random.Generator, kind: _Kind, tint: Rgb, light: float) -> Lamp:
    elevation, distance, side = kind.elevation, kind.distance, kind.side
    up, round_, far = math.radians(rng.uniform(*elevation)), rng.uniform(0, 2 * math.pi), rng.uniform(*distance)
    at = far * math.cos(up) * math.cos(round_), far * math.cos(up) * math.sin(round_), far * math.sin(up)
    r, g, b = tint
    return Lamp(at, float(rng.uniform(*side)), (r * light, g * light, b * light))


def _rgb(hue: float, saturation: float, value: float) -> Rgb:
    """Linear RGB of a colour given as sRGB's hue (degrees), saturation and value."""
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
               for c in colorsys.hsv_to_rgb(hue % 360 / 360, saturation, value))  # fmt: skip
    return r, g, b


def _temperature(kelvin: float) -> Rgb:
    """Linear RGB of a black body's light, green 1 (a fit good enough for lamps, 2500 to 8000 K)."""
    t = kelvin / 5500
    return float(t**-0.75), 1.0, float(t**1.1)
