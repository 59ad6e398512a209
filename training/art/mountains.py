"""The designs of mountain tiles. Each draws its colours once for a game and hands back the painter of one face."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from hardware.simulated.arrays import Image, Points
from hardware.simulated.texture import TILE_MM, Bgr
from training.art.canvas import Canvas, scattered
from training.art.colour import between, mixed, over, scaled, shaded, varied
from training.art.relief import cells, layers, lit, noise, sheet, tinted

Face = Callable[[np.random.Generator], Image]
_SIZE = (TILE_MM, TILE_MM)
_SNOW: Bgr = (250, 244, 238)


def strata(rng: np.random.Generator) -> Face:
    """Folded layers of rock."""
    light = between(rng, (10, 40), (0.03, 0.4), (0.55, 0.85))
    dark = scaled(between(rng, (0, 40), (0.03, 0.4), (0.35, 0.55)), rng.uniform(0.4, 0.9))
    thick = rng.uniform(1.5, 6)
    fold, cell = thick * rng.uniform(1.5, 5), rng.uniform(8, 18)
    turn, depth, side = rng.uniform(0, 180), rng.uniform(0.1, 0.8), rng.uniform(0, 360)

    def face(rng: np.random.Generator) -> Image:
        through = layers(rng, thick, fold, turn + rng.normal(0, 12), cell)
        crags = noise(rng, 5, 4)
        image = tinted(np.asarray(0.6 * through**1.3 + 0.4 * crags, np.float32), dark, light)
        return lit(image, np.asarray(0.6 * through + 0.4 * crags, np.float32), depth, side)

    return face


def crags(rng: np.random.Generator) -> Face:
    """Grey rock: rough heights in hard light."""
    rock = (
        between(rng, (0, 360), (0, 0.1), (0.4, 0.75))
        if rng.random() < 0.6
        else between(rng, (15, 45), (0.05, 0.25), (0.4, 0.7))
    )
    cell, depth, side = rng.uniform(5, 14), rng.uniform(1.5, 4), rng.uniform(0, 360)
    sharp = rng.uniform(0, 1)

    def face(rng: np.random.Generator) -> Image:
        height = noise(rng, cell, 5)
        ridged = 1 - np.abs(2 * height - 1)
        height = np.asarray((1 - sharp) * height + sharp * ridged, np.float32)
        return lit(tinted(noise(rng, 7, 4), scaled(rock, 0.7), rock), height, depth, side)

    return face


def snow_peaks(rng: np.random.Generator) -> Face:
    """Peaks seen from the side, one behind the other, white on top."""
    rock = (
        between(rng, (0, 360), (0, 0.12), (0.35, 0.6))
        if rng.random() < 0.5
        else between(rng, (200, 230), (0.1, 0.25), (0.4, 0.6))
    )
    ground = mixed(scaled(rock, 0.8), between(rng, (60, 110), (0.1, 0.4), (0.4, 0.6)), rng.uniform(0, 0.6))
    rows, size, snow = int(rng.integers(3, 5)), rng.uniform(8, 14), rng.uniform(0.25, 0.55)
    line = rng.uniform(0.25, 0.6) if rng.random() < 0.4 else 0.0

    def face(rng: np.random.Generator) -> Image:
        canvas = sheet(tinted(noise(rng, 8), scaled(ground, 0.85), ground))
        for row in range(rows):
            y = -14 + 44 * row / rows
            for x in rng.permutation(np.arange(-26, 27, 1.15 * size)):
                at = np.array([x + 0.55 * size * (row % 2), y]) + rng.normal(0, 1.2, 2)
                _peak(canvas, rng, at, size * rng.uniform(0.75, 1.25), varied(rng, rock, 0.1), snow=snow, line=line)
        return canvas.image

    return face


def brown_cartoon(rng: np.random.Generator) -> Face:
    """Flat browns: boulders or hills with outlines and a hatched dark side."""
    rock = between(rng, (16, 38), (0.2, 0.52), (0.45, 0.75))
    ink = scaled(rock, rng.uniform(0.2, 0.4))
    line, step = rng.uniform(0.3, 0.9), rng.uniform(6, 12)
    gap = rng.uniform(0.06, 0.3)

    def face(rng: np.random.Generator) -> Image:
        tones, border = cells(rng, scattered(rng, _SIZE, step, 0.9), rng.uniform(0, 0.8))
        steps = np.round(tones * 3) / 3
        image = tinted(np.asarray(steps, np.float32), scaled(rock, 0.72), scaled(rock, 1.12))
        image = over(image, scaled(rock, 1.35), np.asarray(0.5 * (np.abs(border - line - 0.8) < gap), np.float32))
        image = over(image, ink, np.asarray(np.clip((line - border) * 4, 0, 1), np.float32))
        canvas = sheet(image)
        for at in rng.uniform(-22, 22, (int(rng.integers(3, 14)), 2)):
            crack = at + np.cumsum(rng.normal((0.2, 0.9), 0.7, (4, 2)), axis=0)
            canvas.strokes([crack], ink, 0.6 * line)
        return canvas.image

    return face


def basalt(rng: np.random.Generator) -> Face:
    """Dark columns, their heads close together, some with lichen."""
    rock = between(rng, (0, 360), (0, 0.12), (0.28, 0.45))
    step, joint = rng.uniform(3, 7), rng.uniform(0.2, 0.6)
    lichen = between(rng, (40, 80), (0.15, 0.4), (0.5, 0.65)) if rng.random() < 0.4 else None

    def face(rng: np.random.Generator) -> Image:
        tones, border = cells(rng, scattered(rng, _SIZE, step, 0.55))
        image = tinted(
            np.asarray(0.7 * tones + 0.3 * noise(rng, 3, 3), np.float32), scaled(rock, 0.65), scaled(rock, 1.4)
        )
        image = shaded(image, np.asarray(np.clip(border / joint, 0.35, 1), np.float32))
        image = lit(image, np.clip(border, 0, 1), 0.5, 40)
        if lichen is not None:
            image = over(image, lichen, np.asarray(np.clip(3 * noise(rng, 6, 4) - 2, 0, 0.6), np.float32))
        return image

    return face


def facets(rng: np.random.Generator) -> Face:
    """Rock as a painter blocks it in: flat planes in light and shade."""
    light = between(rng, (20, 50), (0.04, 0.3), (0.65, 0.9))
    dark = between(rng, (200, 280), (0.03, 0.2), (0.2, 0.4)) if rng.random() < 0.5 else scaled(light, 0.35)
    step, grain = rng.uniform(3, 8), rng.uniform(0, 0.3)

    def face(rng: np.random.Generator) -> Image:
        tones, _ = cells(rng, scattered(rng, _SIZE, step, 1.0), rng.uniform(0, 0.6))
        small, _ = cells(rng, scattered(rng, _SIZE, 0.45 * step, 1.0), 0.3)
        amount = 0.65 * tones + 0.25 * small + grain * (noise(rng, 2, 3) - 0.5)
        return tinted(np.asarray(np.clip(amount, 0, 1), np.float32), dark, light)

    return face


def relief_map(rng: np.random.Generator) -> Face:
    """As a map shades mountains: brown to white by height, ridges lit from the north-west."""
    low = between(rng, (25, 60), (0.15, 0.45), (0.4, 0.6))
    high = mixed(between(rng, (10, 40), (0.05, 0.3), (0.5, 0.7)), _SNOW, rng.uniform(0, 0.9))
    cell, depth = rng.uniform(10, 22), rng.uniform(1.5, 3.5)

    def face(rng: np.random.Generator) -> Image:
        ridges = 1 - np.abs(2 * noise(rng, cell, 2) - 1)
        height = np.asarray(0.75 * ridges + 0.25 * noise(rng, 4, 4), np.float32)
        return lit(tinted(height**1.5, low, high), height, depth, 45)

    return face


DESIGNS: tuple[Callable[[np.random.Generator], Face], ...] = (
    strata,
    strata,
    crags,
    snow_peaks,
    brown_cartoon,
    basalt,
    facets,
    relief_map,
)
"""Who stands here twice comes twice as often."""


def _peak(
    canvas: Canvas, rng: np.random.Generator, at: Points, size: float, rock: Bgr, *, snow: float, line: float
) -> None:
    """One mountain: a lit and a dark flank, a jagged cap of snow."""
    ridge = np.array([[0, -1], [0.08, -0.5], [-0.04, 0], [0.06, 0.5]]) + rng.normal(0, 0.03, (4, 2))
    left, right = np.array([[-0.62, 0.5]]), np.array([[0.62, 0.5]])
    canvas.polygon(at + size * np.concatenate([ridge, left]), scaled(rock, 1.2))
    canvas.polygon(at + size * np.concatenate([ridge, right]), scaled(rock, 0.65))
    reach = np.linspace(-1, 1, 7)
    # The flanks fall by 1.5 over 0.62: where the cap's ragged edge meets them.
    edge = np.stack([reach * 0.41 * snow, -1 + snow * (1 - 0.25 * (np.arange(7) % 2))], axis=1)
    canvas.polygon(at + size * np.concatenate([[[0, -1]], edge]), _SNOW)
    canvas.polygon(at + size * np.concatenate([[[0, -1]], edge[3:]]), scaled(_SNOW, 0.85))
    if line:
        canvas.strokes([at + size * np.concatenate([left, ridge[:1], right])], scaled(rock, 0.3), line)
