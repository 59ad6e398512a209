"""The designs of the four safe lands: ground by distance from the shore, then what grows and stands there.

A design draws its colours once for the whole board and hands back the painter of one corner.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from hardware.simulated.arrays import Points
from hardware.simulated.texture import Bgr
from training.art.canvas import Canvas, blob, turned
from training.art.colour import Span, between, hsv, mixed, scaled, varied
from training.art.shore import Coast

Painter = Callable[[Coast], None]

_WHITE: Bgr = (250, 249, 246)
_INK: Bgr = (30, 26, 26)


def jungle(rng: np.random.Generator) -> Painter:
    """A yellow shore, round tree tops, clouds."""
    sand, dark = _sand(rng), between(rng, (85, 135), (0.5, 0.9), (0.12, 0.3))
    leaf = between(rng, (78, 135), (0.45, 0.9), (0.35, 0.7))
    width, step, wander = rng.uniform(26, 46), rng.uniform(2.2, 5), rng.uniform(2, 9)
    count, clouds, light = int(rng.uniform(300, 700)), int(rng.integers(0, 5)), rng.uniform(0.15, 0.4)

    def paint(coast: Coast) -> None:
        coast.ground(
            [(0, scaled(sand, 0.9)), (8, sand), (width - 6, scaled(sand, 0.85)), (width, dark)],
            rough=0.2,
            wander_mm=wander,
        )
        for place in coast.places(count, width):
            _tree_top(coast.canvas, place, coast.rng.uniform(0.6, 1.2) * step, varied(coast.rng, leaf, 0.16), light)
        _clouds(coast, clouds)

    return paint


def palms_and_huts(rng: np.random.Generator) -> Painter:
    """Bright sand with meadows, palms seen from above, thatched huts, paths."""
    sand, grass = _sand(rng), between(rng, (70, 120), (0.35, 0.8), (0.5, 0.8))
    leaf = between(rng, (85, 140), (0.5, 0.9), (0.3, 0.65))
    thatch = between(rng, (22, 42), (0.3, 0.65), (0.5, 0.8))
    width, edge = rng.uniform(24, 44), rng.uniform(0.6, 6)
    palms, huts, size = int(rng.uniform(25, 80)), int(rng.integers(1, 5)), rng.uniform(5, 10)

    def paint(coast: Coast) -> None:
        coast.ground([(0, mixed(sand, _WHITE, 0.25)), (10, sand)], edge_mm=edge, rough=0.1)
        coast.ground(
            [(width, grass), (width + 40, scaled(grass, 0.8))], from_mm=width, wander_mm=7, rough=0.15, edge_mm=edge
        )
        for place in coast.places(huts * 4, width + 8)[:huts]:
            _hut(
                coast.canvas, place, coast.rng.uniform(7, 12), varied(coast.rng, thatch, 0.1), coast.rng.uniform(0, 90)
            )
        for place in coast.places(palms, 14):
            _palm(coast.canvas, place, coast.rng.uniform(0.7, 1.2) * size, varied(coast.rng, leaf, 0.15), coast.rng)

    return paint


def cliffs(rng: np.random.Generator) -> Painter:
    """A narrow shore under a rim of rock; on top grass or snow, and firs."""
    rock = between(rng, (10, 45), (0.05, 0.4), (0.4, 0.65))
    sand = _sand(rng)
    top = (
        between(rng, (75, 120), (0.25, 0.6), (0.4, 0.7))
        if rng.random() < 0.7
        else between(rng, (190, 220), (0, 0.1), (0.85, 0.97))
    )
    fir = between(rng, (100, 165), (0.35, 0.8), (0.2, 0.45))
    width, rim = rng.uniform(10, 34), rng.uniform(7, 18)
    trees, size = int(rng.uniform(30, 140)), rng.uniform(4, 9)

    def paint(coast: Coast) -> None:
        coast.ground([(0, sand), (width, scaled(sand, 0.8))], rough=0.15)
        walls: list[tuple[float, Bgr]] = [(0, scaled(rock, 0.45))]
        for i in range(4):
            walls += [(rim * (i + 0.1) / 4, scaled(rock, 1.25)), (rim * (i + 0.9) / 4, scaled(rock, 0.6 + 0.1 * i))]
        walls += [(rim + 0.5, mixed(top, _WHITE, 0.3)), (rim + 6, top), (rim + 50, scaled(top, 0.85))]
        coast.ground([(width + a, c) for a, c in walls], from_mm=width, wander_mm=6, cell_mm=6, rough=0.25)
        for place in coast.places(trees, width + rim + 6):
            _fir(coast.canvas, place, coast.rng.uniform(0.7, 1.2) * size, varied(coast.rng, fir, 0.15))
        _clouds(coast, int(coast.rng.integers(0, 3)))

    return paint


def poster(rng: np.random.Generator) -> Painter:
    """Flat inks with outlines: sand, green, a hill or two, simple trees."""
    sand, green = _sand(rng), between(rng, (70, 150), (0.45, 0.9), (0.4, 0.75))
    hill = between(rng, (15, 40), (0.2, 0.6), (0.4, 0.65))
    ink = _INK if rng.random() < 0.6 else scaled(green, 0.35)
    width, line = rng.uniform(22, 44), rng.uniform(0.5, 1.3)
    trees, size, tall = int(rng.uniform(12, 50)), rng.uniform(5, 10), int(rng.integers(0, 4))
    round_trees = bool(rng.random() < 0.5)

    def paint(coast: Coast) -> None:
        coast.ground([(-2 * line, ink), (0, ink), (0.01, sand), (1, sand)], edge_mm=0.5, rough=0, from_mm=-line)
        coast.ground(
            [(width, ink), (width + line, ink), (width + line + 0.01, green), (99, green)],
            edge_mm=0.5,
            rough=0,
            from_mm=width,
        )
        for place in coast.places(tall * 6, width + 14)[:tall]:
            _hill(coast.canvas, place, coast.rng.uniform(12, 22), hill, ink=ink, line=line)
        for place in coast.places(trees, width + 6):
            if round_trees:
                coast.canvas.strokes([[place, np.add(place, (0, 0.9 * size))]], ink, 1.4 * line)
                coast.canvas.discs(place, 0.5 * size + line, ink)
                coast.canvas.discs(place, 0.5 * size, scaled(green, 0.8))
            else:
                _fir(coast.canvas, place, size, scaled(green, 0.7))
        _clouds(coast, int(coast.rng.integers(0, 3)))

    return paint


def meadows(rng: np.random.Generator) -> Painter:
    """Hills painted as soft rings of green, bushes, a beach that fades into the grass."""
    sand = _sand(rng)
    low, high = between(rng, (60, 100), (0.35, 0.75), (0.5, 0.75)), between(rng, (80, 130), (0.4, 0.8), (0.3, 0.55))
    width, rings, bushes = rng.uniform(18, 36), rng.uniform(7, 16), int(rng.uniform(40, 160))
    blossoms = between(rng, (0, 360), (0.1, 0.7), (0.8, 1)) if rng.random() < 0.4 else None

    def paint(coast: Coast) -> None:
        stops: list[tuple[float, Bgr]] = [(0, mixed(sand, _WHITE, 0.2)), (width, sand), (width + 8, low)]
        for i in range(1, 7):
            colour = mixed(low, high, i / 6)
            stops += [(width + 8 + rings * i - 1, scaled(colour, 0.78)), (width + 8 + rings * i, scaled(colour, 1.15))]
        coast.ground(stops, edge_mm=2, cell_mm=7, rough=0.14, wander_mm=14)
        for place in coast.places(bushes, width + 10):
            _tree_top(coast.canvas, place, coast.rng.uniform(1, 3), varied(coast.rng, scaled(high, 0.8), 0.15), 0.25)
        if blossoms is not None:
            coast.canvas.discs(coast.places(160, width + 6), 0.6, blossoms)

    return paint


def volcano(rng: np.random.Generator) -> Painter:
    """Dark ash and lava behind a grey or golden shore."""
    shore = mixed(_sand(rng), between(rng, (20, 40), (0.05, 0.2), (0.45, 0.6)), rng.uniform(0, 0.8))
    ash = between(rng, (5, 40), (0.05, 0.35), (0.18, 0.38))
    leaf = between(rng, (90, 150), (0.4, 0.8), (0.2, 0.45))
    width, trees = rng.uniform(18, 36), int(rng.uniform(40, 160))
    glow = hsv(rng.uniform(8, 34), 0.95, 0.95)

    def paint(coast: Coast) -> None:
        coast.ground(
            [
                (0, scaled(shore, 0.85)),
                (6, shore),
                (width, shore),
                (width + 8, mixed(ash, leaf, 0.5)),
                (width + 30, ash),
                (110, scaled(ash, 0.7)),
            ],
            cell_mm=9,
            rough=0.35,
            wander_mm=7,
        )
        for place in coast.places(trees, width + 3, width + 30):
            _tree_top(coast.canvas, place, coast.rng.uniform(1.4, 3.4), varied(coast.rng, leaf, 0.2), 0.3)
        heart = np.asarray(coast.corner) * (np.asarray(coast.canvas.size) / 2 - coast.rng.uniform(16, 40, 2))
        for share in (1.0, 0.8, 0.6):
            coast.canvas.polygon(
                heart + 20 * share * blob(coast.rng, 1), varied(coast.rng, scaled(ash, 1.5 - 0.5 * share), 0.1), 0.7
            )
        coast.canvas.polygon(heart + blob(coast.rng, 6), glow)
        for _ in range(int(coast.rng.integers(0, 4))):
            way = turned(-np.asarray([coast.corner], float), coast.rng.normal(0, 25))[0]
            steps = np.arange(8)[:, None]
            coast.canvas.strokes(
                [heart + way * steps * 4 + coast.rng.normal(0, 1.6, (8, 2))], glow, coast.rng.uniform(0.8, 2), 0.9
            )
        _clouds(coast, int(coast.rng.integers(0, 3)))

    return paint


DESIGNS: tuple[Callable[[np.random.Generator], Painter], ...] = (
    jungle,
    jungle,
    jungle,
    palms_and_huts,
    palms_and_huts,
    cliffs,
    poster,
    meadows,
    volcano,
)
"""Drawn from evenly; who stands here more than once comes as often."""

_SAND_HUE: Span = (34, 56)


def _sand(rng: np.random.Generator) -> Bgr:
    return between(rng, _SAND_HUE, (0.25, 0.9), (0.72, 0.97))


def _tree_top(canvas: Canvas, at: Points, radius: float, leaf: Bgr, light: float) -> None:
    """A round tree from above: shade, crown, lit side."""
    canvas.discs(at, 1.15 * radius, scaled(leaf, 0.5))
    canvas.discs(at - 0.12 * radius, 0.9 * radius, leaf)
    canvas.discs(at - 0.32 * radius, 0.45 * radius, scaled(leaf, 1 + light))


def _palm(canvas: Canvas, at: Points, radius: float, leaf: Bgr, rng: np.random.Generator) -> None:
    """A palm from above: narrow bent leaves round a middle, and their shadow."""
    count = int(rng.integers(6, 10))
    frond = np.array([[0, 0], [0.35, -0.16], [0.75, -0.12], [1, 0.12], [0.7, 0.1], [0.35, 0.06]]) * radius
    fronds = [turned(frond, 360 * k / count + rng.uniform(-12, 12)) * rng.uniform(0.8, 1.1) for k in range(count)]
    for f in fronds:
        canvas.polygon(at + f + 0.18 * radius, (30, 40, 30), 0.3)
    for i, f in enumerate(fronds):
        canvas.polygon(at + f, scaled(leaf, 0.8 if i % 2 else 1.15))


def _hut(canvas: Canvas, at: Points, size: float, thatch: Bgr, degrees: float) -> None:
    """A square roof from above, its four slopes in four tones."""
    roof = turned(np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * size / 2, degrees)
    canvas.polygon(at + roof + 1.2, (30, 30, 30), 0.4)
    for i, tone in enumerate((1.15, 0.95, 0.6, 0.8)):
        canvas.polygon(at + np.stack([roof[i], roof[(i + 1) % 4], np.zeros(2)]), scaled(thatch, tone))


def _fir(canvas: Canvas, at: Points, size: float, green: Bgr) -> None:
    """A fir as children draw it: three triangles, the right half darker."""
    for i in range(3):
        top, foot, half = -1 + 0.42 * i, -0.35 + 0.42 * i, 0.24 + 0.1 * i
        canvas.polygon(at + size * np.array([[0, top], [half, foot], [-half, foot]]), green)
        canvas.polygon(at + size * np.array([[0, top], [half, foot], [0, foot]]), scaled(green, 0.72))


def _hill(canvas: Canvas, at: Points, size: float, colour: Bgr, *, ink: Bgr, line: float) -> None:
    """A peak with an outline and a white top."""
    peak = at + size * np.array([[0, -1], [0.55, 0.25], [-0.55, 0.25]])
    canvas.polygon(peak, colour)
    canvas.polygon(np.stack([*peak[:2], at + size * np.array([0.1, 0.25])]), scaled(colour, 0.75))
    canvas.polygon(at + size * np.array([[0, -1], [0.18, -0.6], [0.06, -0.68], [-0.05, -0.56], [-0.18, -0.6]]), _WHITE)
    canvas.strokes([peak], ink, line, closed=True)


def _clouds(coast: Coast, count: int) -> None:
    """Heaps of white puffs above the land."""
    for place in coast.places(count * 8, 30)[:: max(1, 4)][:count]:
        puffs = place + coast.rng.normal(0, 1, (9, 2)) * (6, 3)
        radius = coast.rng.uniform(2.5, 5.5)
        coast.canvas.discs(np.add(puffs, (0.6, 1.0)), radius, (225, 205, 190))
        coast.canvas.discs(puffs, 0.9 * radius, _WHITE)
