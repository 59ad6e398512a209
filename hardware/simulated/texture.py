"""Painted surfaces: fractal noise, table tops and tile faces.

In: a `numpy.random.Generator`, sizes in px, BGR colours. Out: (H, W) float32 in 0..1 or (H, W, 3) uint8 BGR.
"""

from __future__ import annotations

import cv2
import numpy as np

from hardware.simulated.arrays import Floats, Image

Bgr = tuple[float, float, float]

TILE_PX_PER_MM = 5
TILE_MM = 44.0


def fractal(
    rng: np.random.Generator, shape: tuple[int, int], cell: float, octaves: int = 4, stretch: float = 1
) -> Floats:
    """Smooth noise in 0..1 of shape (H, W): features `cell` px long, `stretch` times longer along x."""
    height, width = shape
    total = np.zeros(shape, np.float32)
    for octave in range(octaves):
        size = cell / 2**octave
        grid = rng.random((max(2, int(height / size) + 2), max(2, int(width / size / stretch) + 2)), np.float32)
        total += cv2.resize(grid, (width, height), interpolation=cv2.INTER_CUBIC) / 2**octave
    low, high = np.percentile(total[::4, ::4], (1, 99))
    return np.asarray(np.clip((total - low) / max(high - low, 1e-6), 0, 1), np.float32)


def blend(amount: Floats, low: Bgr, high: Bgr) -> Floats:
    """Mix two colours by `amount` (H, W) in 0..1; (H, W, 3) float32."""
    share = amount[..., None]
    return (np.asarray(low, np.float32) * (1 - share) + np.asarray(high, np.float32) * share).astype(np.float32)


def to_image(values: Floats) -> Image:
    """Clip to 0..255 and round."""
    return np.asarray(np.clip(values + 0.5, 0, 255), np.uint8)


def darker(colour: Bgr, share: float) -> Bgr:
    """The colour with that share of its brightness."""
    blue, green, red = colour
    return blue * share, green * share, red * share


def wood(rng: np.random.Generator, shape: tuple[int, int], dark: Bgr, light: Bgr, planks: bool) -> Image:
    """A wooden table top, grain along x, 1 px per mm; `planks` adds joints."""
    height, width = shape
    warp = fractal(rng, shape, 160, 3, 3.0)
    rows = np.arange(height, dtype=np.float32)[:, None] + 70 * warp
    if planks:
        plank = (np.arange(height) // 110)[:, None]
        rows = rows + plank * 37.0
    rings = 0.5 + 0.5 * np.sin(rows * 0.16 + 9 * warp)
    fibre = fractal(rng, shape, 5, 2, 40.0)
    tone = fractal(rng, shape, 400, 2, 2.0)
    top = blend((0.42 * rings + 0.33 * fibre + 0.25 * tone).astype(np.float32), dark, light)
    if planks:
        for y in range(0, height, 110):
            top[y : y + 2] *= 0.72
            for x in range(int(rng.integers(0, 500)), width, 700):
                top[y : y + 110, x : x + 2] *= 0.75
    return to_image(top)


def plain(rng: np.random.Generator, shape: tuple[int, int], dark: Bgr, light: Bgr) -> Image:
    """A laminate or painted table top: clouds and a fine grain."""
    clouds = fractal(rng, shape, 180, 3)
    grain = rng.random(shape, np.float32)
    return to_image(blend((0.7 * clouds + 0.3 * grain).astype(np.float32), dark, light))


def sand(rng: np.random.Generator, light: Bgr) -> Image:
    """A beach tile's face: pale ripples and a few grains."""
    n = int(TILE_MM * TILE_PX_PER_MM)
    warp = fractal(rng, (n, n), 70, 3)
    ripples = 0.5 + 0.5 * np.sin(np.arange(n, dtype=np.float32)[:, None] * 0.16 + 10 * warp)
    tone = (0.3 * ripples + 0.7 * fractal(rng, (n, n), 40, 4)).astype(np.float32)
    face = to_image(blend(tone, darker(light, 0.83), light))
    for x, y in rng.integers(0, n, (14, 2)):
        cv2.circle(face, (int(x), int(y)), 1, darker(light, 0.6), -1, cv2.LINE_AA)
    return _worn_edge(face)


def forest(rng: np.random.Generator, leaf: Bgr, flower: Bgr) -> Image:
    """A forest tile's face: dark leaves, pale leaves, yellow flowers."""
    n = int(TILE_MM * TILE_PX_PER_MM)
    face = to_image(blend(fractal(rng, (n, n), 14, 3), darker(leaf, 0.35), leaf))
    for x, y in rng.integers(0, n, (340, 2)):
        colour = np.asarray(leaf) * rng.uniform(0.4, 1.1) + np.asarray(flower) * rng.uniform(0, 0.25)
        axes = (int(rng.integers(2, 5)), int(rng.integers(1, 3)))
        cv2.ellipse(face, (int(x), int(y)), axes, float(rng.uniform(0, 180)), 0, 360, colour.tolist(), -1, cv2.LINE_AA)
    for x, y in rng.normal(rng.uniform(0.25, 0.75, 2) * n, 0.3 * n, (26, 2)):
        petal = (np.asarray(flower) * rng.uniform(0.8, 1.05)).clip(0, 255).tolist()
        start = rng.uniform(0, 2 * np.pi)
        for k in range(5):
            at = (x + 5 * np.cos(start + k * 1.257), y + 5 * np.sin(start + k * 1.257))
            cv2.circle(face, (round(at[0]), round(at[1])), 4, petal, -1, cv2.LINE_AA)
        cv2.circle(face, (round(x), round(y)), 2, (20, 110, 190), -1, cv2.LINE_AA)
    return _worn_edge(face)


def rock(rng: np.random.Generator, dark: Bgr, light: Bgr) -> Image:
    """A mountain tile's face: folded strata."""
    n = int(TILE_MM * TILE_PX_PER_MM)
    warp = fractal(rng, (n, n), 60, 3, 1.6)
    strata = 0.5 + 0.5 * np.sin(np.arange(n, dtype=np.float32)[:, None] * 0.34 + 13 * warp)
    crags = fractal(rng, (n, n), 70, 4)
    tone = (0.5 * strata**1.5 + 0.2 * fractal(rng, (n, n), 26, 4) + 0.3 * crags).astype(np.float32)
    return _worn_edge(to_image(blend(tone, dark, light)))


def _worn_edge(face: Image) -> Image:
    """Darken the rim of a tile's face, where the cut cardboard shows."""
    radius = TILE_MM * TILE_PX_PER_MM / 2
    angles = np.radians(-90 + 60 * np.arange(6))
    corners = np.round(radius + radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)).astype(np.int32)
    rim = face.copy()
    cv2.polylines(rim, [corners], True, (40, 48, 56), 7, cv2.LINE_AA)
    return np.asarray(cv2.addWeighted(rim, 0.4, face, 0.6, 0), np.uint8)
