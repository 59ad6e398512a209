"""The designs of beach tiles. Each draws its colours once for a game and hands back the painter of one face."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from hardware.simulated.arrays import Image
from hardware.simulated.texture import TILE_MM, Bgr
from training.art.canvas import blob, circle, scattered, turned
from training.art.colour import between, mixed, over, scaled, varied
from training.art.relief import lit, noise, sheet, tinted

Face = Callable[[np.random.Generator], Image]
_WHITE: Bgr = (248, 248, 246)
_SIZE = (TILE_MM, TILE_MM)


def pale(rng: np.random.Generator) -> Face:
    """Fine pale sand with soft mounds and grains."""
    sand = between(rng, (34, 50), (0.12, 0.42), (0.8, 0.95))
    cell, depth, side, grain = rng.uniform(5, 16), rng.uniform(0.3, 1.6), rng.uniform(0, 360), rng.uniform(0.02, 0.09)

    def face(rng: np.random.Generator) -> Image:
        mounds = noise(rng, cell, 4)
        image = lit(tinted(noise(rng, 18), scaled(sand, 0.88), sand), mounds, depth, side)
        speckle = rng.normal(1, grain, image.shape[:2]).astype(np.float32)
        canvas = sheet(np.asarray(np.clip(image * speckle[..., None], 0, 255), np.uint8))
        canvas.discs(rng.uniform(-22, 22, (30, 2)), 0.22, scaled(sand, 0.6))
        return canvas.image

    return face


def rippled(rng: np.random.Generator) -> Face:
    """Sand in ripples left by the tide or the wind."""
    sand = between(rng, (30, 50), (0.2, 0.6), (0.72, 0.95))
    thick, fold, turn = rng.uniform(2.0, 6), rng.uniform(4, 16), rng.uniform(0, 180)
    depth, side, cell = rng.uniform(0.2, 1.0), rng.uniform(0, 360), rng.uniform(12, 24)

    def face(rng: np.random.Generator) -> Image:
        axis = (np.arange(220, dtype=np.float32) + 0.5) / 5
        across, down = np.meshgrid(axis, axis)
        angle = np.radians(turn + rng.normal(0, 8))
        phase = (np.cos(angle) * across + np.sin(angle) * down + fold * noise(rng, cell, 2)) / thick
        height = (0.5 + 0.5 * np.sin(2 * np.pi * phase)).astype(np.float32) ** 1.5
        image = tinted(np.asarray(0.6 * height + 0.4 * noise(rng, 10), np.float32), scaled(sand, 0.78), sand)
        return lit(image, height, 0.6 * depth, side)

    return face


def orange(rng: np.random.Generator) -> Face:
    """Warm, painted sand: washes of ochre and yellow with darker veils."""
    warm = between(rng, (27, 42), (0.45, 0.78), (0.8, 0.97))
    light = between(rng, (38, 52), (0.3, 0.7), (0.88, 0.98))
    cell, stretch, depth = rng.uniform(6, 18), rng.uniform(1, 4), rng.uniform(0, 0.8)

    def face(rng: np.random.Generator) -> Image:
        wash = noise(rng, cell, 4, stretch)
        canvas = sheet(lit(tinted(wash, scaled(warm, 0.92), light), wash, depth, 40))
        for _ in range(30):
            at, long = rng.uniform(-22, 22, 2), rng.uniform(2, 9)
            bow = np.stack([np.linspace(-1, 1, 8) * long, 0.25 * long * np.cos(np.linspace(-1.5, 1.5, 8))], axis=1)
            canvas.strokes([at + bow], varied(rng, warm, 0.1), rng.uniform(0.3, 1), 0.35)
        return canvas.image

    return face


def with_shells(rng: np.random.Generator) -> Face:
    """Sand with shells, starfish, pebbles, on some the edge of the water."""
    sand = between(rng, (34, 50), (0.2, 0.5), (0.8, 0.95))
    shell = between(rng, (0, 40), (0.05, 0.4), (0.8, 1))
    star = between(rng, (5, 30), (0.5, 0.9), (0.65, 0.95))
    stone = between(rng, (20, 40), (0.05, 0.2), (0.45, 0.7))
    count, water = int(rng.integers(4, 14)), rng.random() < 0.25

    def face(rng: np.random.Generator) -> Image:
        image = lit(tinted(noise(rng, 9, 4), scaled(sand, 0.86), sand), noise(rng, 4, 3), 0.35, 30)
        if water:
            down = np.linspace(-1, 1, 220, dtype=np.float32)[:, None] + 0.5 * noise(rng, 20, 2)
            edge = np.clip((down - 0.9) * 12, 0, 1)
            image = over(image, (212, 196, 120), np.asarray(0.6 * edge, np.float32))
            image = over(image, _WHITE, np.asarray(0.8 * np.clip(1 - np.abs(down - 0.9) * 14, 0, 1), np.float32))
        canvas = sheet(image)
        for at in scattered(rng, _SIZE, TILE_MM / np.sqrt(count), 0.9):
            kind, size = rng.integers(3), rng.uniform(0.8, 1.8)
            canvas.discs(at + 0.3, 0.9 * size, scaled(sand, 0.6), 0.5)
            if kind == 0:
                rays = np.stack([circle(5), 0.42 * circle(5, np.pi / 5)], axis=1).reshape(-1, 2)
                canvas.polygon(at + 1.5 * size * turned(rays, rng.uniform(0, 72)), varied(rng, star, 0.1))
            elif kind == 1:
                fan = np.concatenate([[[0.0, 0.0]], circle(24)[2:11] * (1, 1.1)])
                shape = 1.5 * size * turned(fan, rng.uniform(0, 360))
                canvas.polygon(at + shape, varied(rng, shell, 0.06))
                canvas.strokes([at + shape[[0, k]] for k in (2, 4, 6, 8)], scaled(shell, 0.7), 0.2)
            else:
                pebble = blob(rng, 0.9 * size, 0.15)
                canvas.polygon(at + pebble, varied(rng, stone, 0.15))
                canvas.polygon(at - 0.15 * size + 0.5 * pebble, scaled(stone, 1.25), 0.6)
        return canvas.image

    return face


def cartoon(rng: np.random.Generator) -> Face:
    """One flat yellow with a few dots, dashes, and sometimes a darker dune."""
    sand = between(rng, (38, 54), (0.3, 0.75), (0.88, 1))
    mark = scaled(sand, rng.uniform(0.72, 0.9)) if rng.random() < 0.7 else mixed(sand, _WHITE, 0.6)
    step, size = rng.uniform(3, 8), rng.uniform(0.25, 0.7)
    dune, dashes = rng.random() < 0.6, rng.random() < 0.5

    def face(rng: np.random.Generator) -> Image:
        canvas = sheet()
        canvas.image[:] = tuple(round(c) for c in sand)
        if dune:
            for k in range(int(rng.integers(1, 4))):
                x = np.linspace(-22, 22, 30)
                y = rng.uniform(-12, 16) + rng.uniform(1, 4) * np.sin(x / rng.uniform(4, 9) + rng.uniform(0, 6))
                hill = np.concatenate([np.stack([x, y], axis=1), [[22, 22], [-22, 22]]])
                canvas.polygon(hill, scaled(sand, 0.96 - 0.03 * k), 0.8)
        places = scattered(rng, _SIZE, step, 0.9)
        if dashes:
            canvas.strokes([p + np.array([[-1.4, 0], [-0.5, -0.4], [0.5, 0.2], [1.4, 0]]) for p in places], mark, size)
        else:
            canvas.discs(places, size, mark)
        return canvas.image

    return face


def trodden(rng: np.random.Generator) -> Face:
    """Coarse beach as photographed: hollows, footprints, wrack."""
    sand = between(rng, (28, 46), (0.18, 0.5), (0.62, 0.85))
    depth, cell = rng.uniform(1, 3), rng.uniform(3, 7)
    wrack = between(rng, (40, 90), (0.2, 0.5), (0.2, 0.4))

    def face(rng: np.random.Generator) -> Image:
        hollows = sheet()
        hollows.image[:] = 200
        for at in rng.uniform(-20, 20, (int(rng.integers(4, 12)), 2)):
            foot = turned(circle(16) * (2.2, 1.1), rng.uniform(0, 360))
            hollows.polygon(at + foot, (90, 90, 90), 0.8)
        ground = 0.6 * noise(rng, cell, 5) + 0.4 * hollows.image[..., 0].astype(np.float32) / 200
        image = lit(tinted(noise(rng, 12, 4), scaled(sand, 0.82), sand), np.asarray(ground, np.float32), depth, 60)
        canvas = sheet(image)
        for at in rng.uniform(-22, 22, (int(rng.integers(0, 8)), 2)):
            canvas.strokes([at + rng.normal(0, 1, (5, 2)).cumsum(axis=0)], wrack, 0.3, 0.6)
        return canvas.image

    return face


DESIGNS: tuple[Callable[[np.random.Generator], Face], ...] = (pale, rippled, orange, with_shells, cartoon, trodden)
