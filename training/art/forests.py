"""The designs of forest tiles. Each draws its colours once for a game and hands back the painter of one face."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from hardware.simulated.arrays import Image, Points
from hardware.simulated.texture import TILE_MM, Bgr
from training.art.canvas import Canvas, blob, circle, scattered, turned
from training.art.colour import Span, between, mixed, scaled, varied
from training.art.relief import cells, lit, noise, sheet, tinted

Face = Callable[[np.random.Generator], Image]
_SIZE = (TILE_MM, TILE_MM)
_LEAF = np.array([[-1, 0], [-0.4, -0.42], [0.3, -0.36], [1, 0], [0.3, 0.36], [-0.4, 0.42]])


def flowering(rng: np.random.Generator) -> Face:
    """Dark leaves strewn with flowers, mostly yellow ones."""
    leaf = between(rng, (65, 120), (0.4, 0.85), (0.3, 0.6))
    petal = (
        between(rng, (44, 60), (0.6, 0.95), (0.8, 1))
        if rng.random() < 0.7
        else between(rng, (280, 420), (0.1, 0.7), (0.8, 1))
    )
    heart = between(rng, (20, 50), (0.6, 0.9), (0.5, 0.9))
    flowers, size, spread = int(rng.integers(8, 60)), rng.uniform(0.6, 1.5), rng.uniform(6, 16)

    def face(rng: np.random.Generator) -> Image:
        canvas = sheet(tinted(noise(rng, 4, 4), scaled(leaf, 0.25), scaled(leaf, 0.8)))
        _leaves(canvas, rng, leaf, count=420, size=(0.6, 1.7), spread=0.3)
        places = rng.uniform(-12, 12, (1, 2)) + rng.normal(0, spread, (flowers, 2))
        for at in places:
            around = size * rng.uniform(0.7, 1.3)
            tone = varied(rng, petal, 0.08)
            canvas.discs(at + 0.9 * around * circle(5, rng.uniform(0, 1.2)), 0.75 * around, tone)
            canvas.discs(at, 0.45 * around, heart)
        return canvas.image

    return face


def cartoon_trees(rng: np.random.Generator) -> Face:
    """Bright ground and simple trees: round, pointed or cloud-shaped, some with outlines."""
    ground = between(rng, (75, 125), (0.35, 0.8), (0.5, 0.85))
    leaf = between(rng, (85, 150), (0.45, 0.9), (0.35, 0.7))
    trunk = between(rng, (15, 35), (0.4, 0.7), (0.25, 0.5))
    kind, step = int(rng.integers(3)), rng.uniform(5, 10)
    line = rng.uniform(0.3, 0.8) if rng.random() < 0.5 else 0.0

    def face(rng: np.random.Generator) -> Image:
        canvas = sheet(tinted(noise(rng, 14, 2), scaled(ground, 0.94), ground))
        for at in scattered(rng, (TILE_MM + 8, TILE_MM + 8), step, 0.7):
            tone, size = varied(rng, leaf, 0.12), step * rng.uniform(0.45, 0.62)
            canvas.strokes([[at, np.add(at, (0, 1.25 * size))]], trunk, 0.25 * size)
            if kind == 1:
                shapes = [at + size * np.array([[0, -1.3 + d], [0.75, 0.1 + d], [-0.75, 0.1 + d]]) for d in (0.5, 0.0)]
            else:
                shapes = [at + blob(rng, size, 0.02 if kind == 0 else 0.18, 28)]
            for shape in shapes:
                canvas.polygon(shape, tone)
                if line:
                    canvas.strokes([shape], scaled(leaf, 0.3), line, closed=True)
            canvas.discs(at - 0.25 * size, 0.35 * size, scaled(tone, 1.25), 0.8)
        return canvas.image

    return face


def palms(rng: np.random.Generator) -> Face:
    """Jungle: big fronds and fans over deep shade."""
    leaf = between(rng, (80, 145), (0.5, 0.9), (0.35, 0.65))
    step, long = rng.uniform(7, 11), rng.uniform(6, 10)
    shade = scaled(leaf, rng.uniform(0.15, 0.35))

    def face(rng: np.random.Generator) -> Image:
        canvas = sheet(tinted(noise(rng, 5), scaled(shade, 0.6), shade))
        for layer in range(2):
            for at in rng.permutation(scattered(rng, (TILE_MM + 6, TILE_MM + 6), step, 1.0)):
                tone = varied(rng, scaled(leaf, 0.7 + 0.35 * layer), 0.12)
                count, first = int(rng.integers(5, 10)), rng.uniform(0, 90)
                for k in range(count):
                    frond = _LEAF * (0.5, 0.24) + (0.5, 0)
                    shape = at + long * turned(frond, first + 360 * k / count)
                    canvas.polygon(shape, scaled(tone, 0.8 + 0.35 * (k % 2)))
                    canvas.strokes([shape[[0, 3]]], scaled(tone, 0.6), 0.2)
        return canvas.image

    return face


def moss(rng: np.random.Generator) -> Face:
    """Olive moss and heath: soft lumps, no leaf to be told from another."""
    dark = between(rng, (62, 110), (0.4, 0.8), (0.15, 0.35))
    light = between(rng, (56, 95), (0.4, 0.75), (0.45, 0.7))
    cell, depth, side = rng.uniform(2, 8), rng.uniform(0.8, 2.5), rng.uniform(0, 360)

    def face(rng: np.random.Generator) -> Image:
        lumps = noise(rng, cell, 5)
        image = tinted(np.asarray(0.6 * lumps + 0.4 * noise(rng, 12), np.float32), dark, light)
        return lit(image, lumps, depth, side)

    return face


def autumn(rng: np.random.Generator) -> Face:
    """A wood from above as its leaves turn: green, olive, rust, gold."""
    green = between(rng, (75, 125), (0.4, 0.75), (0.3, 0.5))
    turning = [between(rng, span, (0.6, 0.9), (0.45, 0.75)) for span in ((60, 80), (44, 58), (20, 38))]
    share, size = rng.uniform(0.12, 0.45), rng.uniform(2.0, 3.6)

    def face(rng: np.random.Generator) -> Image:
        canvas = sheet(tinted(noise(rng, 6), scaled(green, 0.25), scaled(green, 0.5)))
        for at in rng.permutation(scattered(rng, (TILE_MM + 4, TILE_MM + 4), 1.35 * size, 1.0)):
            tone = turning[int(rng.integers(3))] if rng.random() < share else green
            _crown(canvas, at, size * rng.uniform(0.7, 1.2), varied(rng, tone, 0.12), rng)
        return canvas.image

    return face


def canopy(rng: np.random.Generator) -> Face:
    """Crowns close together as from an aeroplane, each lit from the same side."""
    leaf = between(rng, (80, 150), (0.3, 0.8), (0.3, 0.6))
    count, side, depth = int(rng.uniform(50, 220)), rng.uniform(0, 360), rng.uniform(1, 3)

    def face(rng: np.random.Generator) -> Image:
        tones, border = cells(rng, scattered(rng, _SIZE, TILE_MM / np.sqrt(count), 0.9), 1.0)
        height = np.sqrt(np.clip(border / (16 / np.sqrt(count)), 0, 1)) + 0.25 * noise(rng, 2, 3)
        image = tinted(
            np.asarray((0.35 + 0.65 * tones) * np.clip(height, 0.15, 1), np.float32), scaled(leaf, 0.2), leaf
        )
        return lit(image, height.astype(np.float32), depth, side)

    return face


def undergrowth(rng: np.random.Generator) -> Face:
    """Large painted leaves in several greens, with veins and blades of grass."""
    hue: Span = (72, 150)
    greens = [between(rng, hue, (0.35, 0.9), (0.25, 0.7)) for _ in range(3)]
    size = (rng.uniform(1.2, 2.4), rng.uniform(2.4, 5))
    blades = int(rng.integers(0, 160))

    def face(rng: np.random.Generator) -> Image:
        canvas = sheet(tinted(noise(rng, 5), scaled(greens[0], 0.2), scaled(greens[0], 0.5)))
        for green in (*greens, *greens):
            _leaves(canvas, rng, green, count=60, size=size, spread=0.15, vein=True)
        for at in rng.uniform(-22, 22, (blades, 2)):
            canvas.strokes(
                [at + np.array([[0, 0], [0.4, -1.5], rng.normal((0, -3), 0.8)])],
                mixed(greens[1], (90, 230, 210), 0.4),
                0.25,
            )
        return canvas.image

    return face


DESIGNS: tuple[Callable[[np.random.Generator], Face], ...] = (
    flowering,
    flowering,
    cartoon_trees,
    palms,
    moss,
    autumn,
    canopy,
    undergrowth,
)
"""Who stands here twice comes twice as often."""


def _leaves(
    canvas: Canvas, rng: np.random.Generator, leaf: Bgr, *, count: int, size: Span, spread: float, vein: bool = False
) -> None:
    """Strew pointed leaves, turned anyhow."""
    for at, turn in zip(rng.uniform(-22, 22, (count, 2)), rng.uniform(0, 360, count), strict=True):
        shape = at + rng.uniform(*size) * turned(_LEAF, turn)
        tone = varied(rng, scaled(leaf, rng.uniform(0.55, 1.15)), spread)
        canvas.polygon(shape, tone)
        if vein:
            canvas.strokes([shape[[0, 3]]], scaled(tone, 0.65), 0.2)


def _crown(canvas: Canvas, at: Points, radius: float, leaf: Bgr, rng: np.random.Generator) -> None:
    """A lumpy crown from above with its lit side."""
    shape = blob(rng, radius, 0.14)
    canvas.polygon(at + shape + 0.25, scaled(leaf, 0.4))
    canvas.polygon(at + shape, leaf)
    canvas.polygon(at + 0.55 * shape - 0.2 * radius, scaled(leaf, 1.3), 0.7)
