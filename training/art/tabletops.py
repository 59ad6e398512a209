"""Table tops and table cloths, 2000 mm wide and 1600 mm deep, 1 px per mm."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from hardware.simulated.arrays import Floats, Image
from hardware.simulated.texture import Bgr, fractal, plain, wood
from training.art.canvas import Canvas, blob, circle, scattered, turned
from training.art.colour import Span, between, even, graded, hsv, mixed, over, ramp, scaled, shaded, varied

SHAPE = (1600, 2000)
"""Rows, columns."""
_SIZE = (2000.0, 1600.0)
_WHITE: Bgr = (244, 244, 242)


def solid_wood(rng: np.random.Generator) -> Image:
    """Boards glued together, oiled or stained."""
    dark, light = _wood_colours(rng)
    return wood(rng, SHAPE, dark, light, planks=False)


def planked(rng: np.random.Generator) -> Image:
    """Planks with joints."""
    dark, light = _wood_colours(rng)
    return wood(rng, SHAPE, dark, light, planks=True)


def staves(rng: np.random.Generator) -> Image:
    """Short staves in several tones, as in butcher's block and parquet."""
    dark, light = _wood_colours(rng)
    width, long = int(rng.uniform(35, 110)), rng.uniform(200, 900)
    fibre = fractal(rng, SHAPE, rng.uniform(4, 9), 3, rng.uniform(15, 50))
    figure = fractal(rng, SHAPE, rng.uniform(25, 60), 3, 6)
    rings = 0.5 + 0.5 * np.sin(figure * rng.uniform(10, 40))
    amount = (0.55 * fibre + 0.2 * rings).astype(np.float32)
    contrast, joint = rng.uniform(0.1, 0.4), rng.uniform(0.6, 0.95)
    for top in range(0, SHAPE[0], width):
        left = -int(rng.uniform(0, long))
        while left < SHAPE[1]:
            right = left + int(long * rng.uniform(0.7, 1.3))
            part = amount[top : top + width, max(left, 0) : right]
            part += np.float32(contrast * rng.uniform(-1, 1))
            part[:, -2:] *= joint
            left = right
        amount[top : top + 2] *= joint
    return ramp(np.clip(amount + 0.15, 0, 1), even([dark, light]))


def laminate(rng: np.random.Generator) -> Image:
    """A printed grain, fine and even, or a plain board with specks."""
    if rng.random() < 0.5:
        dark, light = _wood_colours(rng)
        dark = mixed(dark, light, 0.5)
        fibre = fractal(rng, SHAPE, rng.uniform(3, 8), 3, rng.uniform(30, 90))
        return ramp(np.asarray(0.8 * fibre + 0.2 * fractal(rng, SHAPE, 200, 2), np.float32), even([dark, light]))
    base = between(rng, (0, 360), (0, 0.12), (0.35, 0.95))
    canvas = _table()
    canvas.image[:] = plain(rng, SHAPE, scaled(base, 0.95), base)
    for share in (0.6, 0.8, 1.25):
        canvas.discs(scattered(rng, _SIZE, rng.uniform(14, 40), 1.0), rng.uniform(0.6, 1.8), scaled(base, share))
    return canvas.image


def paint(rng: np.random.Generator) -> Image:
    """One paint, any colour, brushed or sprayed."""
    base = between(rng, (0, 360), (0, 0.75), (0.12, 0.95))
    image = plain(rng, SHAPE, scaled(base, rng.uniform(0.82, 0.97)), base)
    if rng.random() < 0.4:
        brush = fractal(rng, SHAPE, 6, 2, 60)
        image = shaded(image, np.asarray(1 + rng.uniform(0.03, 0.12) * (brush - 0.5), np.float32))
    return image


def linen(rng: np.random.Generator) -> Image:
    """Undyed or dyed linen with thick and thin threads."""
    base = between(rng, (20, 60), (0.03, 0.3), (0.5, 0.95)) if rng.random() < 0.6 else _dye(rng)
    return _cloth(rng, np.full((*SHAPE, 3), base, np.uint8))


def checked(rng: np.random.Generator) -> Image:
    """Gingham or tartan: stripes both ways that darken where they cross."""
    first, ground = _dye(rng), mixed(_WHITE, _dye(rng), rng.uniform(0, 0.15))
    step = rng.uniform(10, 90)
    rows = _stripes(SHAPE[0], step, 0.5)[:, None]
    columns = _stripes(SHAPE[1], step, 0.5)[None, :]
    cover = np.asarray((rows + columns) / 2, np.float32)
    image = over(np.full((*SHAPE, 3), ground, np.uint8), first, cover)
    if rng.random() < 0.4:
        fine = np.maximum(_stripes(SHAPE[0], step, 0.08)[:, None], _stripes(SHAPE[1], step, 0.08)[None, :])
        image = over(image, _dye(rng), np.asarray(0.8 * fine, np.float32))
    return _cloth(rng, image)


def striped(rng: np.random.Generator) -> Image:
    """Stripes of two to four dyes."""
    dyes = [mixed(_WHITE, _dye(rng), rng.uniform(0, 0.3)), *(_dye(rng) for _ in range(int(rng.integers(1, 4))))]
    widths = rng.uniform(4, 60, 2 * len(dyes))
    ends = np.cumsum(widths)
    band = np.searchsorted(ends, np.arange(SHAPE[1]) % ends[-1], side="right").clip(0, len(ends) - 1)
    table = np.array([dyes[i % len(dyes)] for i in range(len(ends))], np.uint8)
    return _cloth(rng, np.repeat(table[band][None], SHAPE[0], axis=0))


def dotted(rng: np.random.Generator) -> Image:
    """Dots in rows, or rings."""
    ground, dot = (_dye(rng), _WHITE) if rng.random() < 0.6 else (_WHITE, _dye(rng))
    step = rng.uniform(14, 70)
    radius = step * rng.uniform(0.12, 0.36)
    canvas = _table()
    canvas.image[:] = tuple(round(c) for c in ground)
    places = scattered(rng, _SIZE, step, 0)
    places[:, 0] += step / 2 * (np.round((places[:, 1] - places[0, 1]) / step) % 2)
    canvas.discs(places, radius, dot)
    if rng.random() < 0.25:
        canvas.discs(places, 0.55 * radius, ground)
    return _cloth(rng, canvas.image)


def flowered(rng: np.random.Generator) -> Image:
    """Flowers and leaves strewn over a plain ground."""
    ground = mixed(_WHITE, _dye(rng), rng.choice([0.08, 0.25, 1.0]))
    petals = [between(rng, (0, 360), (0.15, 0.9), (0.5, 1)) for _ in range(2)]
    leaf = between(rng, (80, 160), (0.3, 0.7), (0.3, 0.65))
    step, size = rng.uniform(45, 110), rng.uniform(8, 22)
    canvas = _table()
    canvas.image[:] = tuple(round(c) for c in ground)
    count = int(rng.integers(4, 8))
    blade = np.array([[0, 0], [0.5, -0.22], [1, 0], [0.5, 0.22]])
    for at in scattered(rng, _SIZE, step, 0.7):
        turn, tone = rng.uniform(0, 360), petals[int(rng.integers(2))]
        for k in range(3):
            canvas.polygon(at + 1.9 * size * turned(blade, turn + 120 * k), leaf)
        canvas.discs(at + 0.6 * size * circle(count, np.radians(turn)), 1.6 * size / count + 1, tone)
        canvas.discs(at, 0.3 * size, varied(rng, hsv(48, 0.8, 0.9), 0.1))
    return _cloth(rng, canvas.image)


def felt(rng: np.random.Generator) -> Image:
    """Dark felt, as card players have it, or a neoprene mat."""
    base = between(rng, (0, 360), (0.0, 0.8), (0.08, 0.4))
    fluff = rng.normal(1, 0.07, SHAPE).astype(np.float32) * (0.9 + 0.2 * fractal(rng, SHAPE, 150, 3))
    return shaded(np.full((*SHAPE, 3), base, np.uint8), np.asarray(cv2.GaussianBlur(fluff, (0, 0), 0.7), np.float32))


def stone(rng: np.random.Generator) -> Image:
    """Granite with its grains, or marble with its veins."""
    base = between(rng, (0, 360), (0, 0.15), (0.15, 0.9))
    other = scaled(base, rng.uniform(0.5, 0.8)) if rng.random() < 0.5 else mixed(base, _WHITE, rng.uniform(0.3, 0.7))
    if rng.random() < 0.5:
        grains = 0.6 * fractal(rng, SHAPE, rng.uniform(4, 10), 2) + 0.4 * rng.random(SHAPE, np.float32)
        return ramp(grains.astype(np.float32), [(0.2, other), (0.45, base), (0.7, base), (0.8, scaled(base, 0.4))])
    clouds = fractal(rng, SHAPE, 500, 5)
    veins = np.clip(1 - np.abs(fractal(rng, SHAPE, 380, 6) - 0.5) * rng.uniform(20, 60), 0, 1)
    return over(ramp(clouds, even([base, mixed(base, other, 0.4)])), other, np.asarray(veins * clouds, np.float32))


def dark_glass(rng: np.random.Generator) -> Image:
    """Dark glass or lacquer: almost even, with a faint sheen and a few specks of dust."""
    base = between(rng, (150, 260), (0, 0.4), (0.04, 0.2))
    sheen = fractal(rng, SHAPE, 900, 2)
    image = ramp(sheen, even([base, mixed(base, _WHITE, rng.uniform(0.02, 0.12))]))
    canvas = _table()
    canvas.image[:] = image
    canvas.discs(rng.uniform(-1000, 1000, (200, 2)), 0.6, _WHITE, 0.25)
    return canvas.image


DESIGNS: tuple[Callable[[np.random.Generator], Image], ...] = (
    solid_wood,
    solid_wood,
    solid_wood,
    planked,
    planked,
    staves,
    staves,
    laminate,
    laminate,
    paint,
    linen,
    checked,
    striped,
    dotted,
    flowered,
    felt,
    stone,
    dark_glass,
)
"""Drawn from evenly; who stands here more than once comes as often."""

_WOODS: tuple[tuple[Span, Span, Span], ...] = (
    ((26, 40), (0.3, 0.6), (0.7, 0.95)),  # birch, pine, beech
    ((22, 34), (0.4, 0.7), (0.5, 0.75)),  # oak, teak
    ((10, 26), (0.4, 0.75), (0.3, 0.5)),  # cherry, mahogany
    ((15, 32), (0.2, 0.55), (0.16, 0.34)),  # walnut, wenge
    ((20, 50), (0.02, 0.18), (0.45, 0.9)),  # limed, weathered
)


def table_top(rng: np.random.Generator) -> Image:
    """One table top or cloth, (1600, 2000, 3), 1 px per mm, the grain or the weave along an edge."""
    image = DESIGNS[int(rng.integers(len(DESIGNS)))](rng)
    if rng.random() < 0.5:
        image = np.asarray(cv2.resize(cv2.rotate(image, cv2.ROTATE_90_CLOCKWISE)[200:1480], (2000, 1600)), np.uint8)
    if rng.random() < 0.25:
        canvas = _table()
        canvas.image[:] = image
        for at in rng.uniform(-1, 1, (int(rng.integers(1, 6)), 2)) * (1000, 800):
            canvas.polygon(at + blob(rng, rng.uniform(4, 40), 0.1), (40, 50, 60), rng.uniform(0.02, 0.12))
        image = canvas.image
    return graded(image, saturation=rng.uniform(0.8, 1.1), gain=rng.uniform(0.85, 1.05), gamma=rng.uniform(0.85, 1.2))


def _table() -> Canvas:
    return Canvas(_SIZE, 1.0, (1000.0, 800.0))


def _wood_colours(rng: np.random.Generator) -> tuple[Bgr, Bgr]:
    """Dark and light tone of one kind of wood."""
    light = between(rng, *_WOODS[int(rng.integers(len(_WOODS)))])
    return scaled(light, rng.uniform(0.5, 0.85)), light


def _dye(rng: np.random.Generator) -> Bgr:
    """A colour that cloth is dyed with."""
    return between(rng, (0, 360), (0.05, 0.85), (0.15, 0.85))


def _stripes(length: int, step: float, share: float) -> Floats:
    """1 in the first `share` of every `step`, 0 in the rest."""
    return np.asarray((np.arange(length) % step) < share * step, np.float32)


def _cloth(rng: np.random.Generator, image: Image) -> Image:
    """Weave and soft folds over a dyed cloth."""
    weave = rng.uniform(0.02, 0.1)
    threads = rng.normal(0, 1, (SHAPE[0], 1)) + rng.normal(0, 1, (1, SHAPE[1]))
    slubs = fractal(rng, SHAPE, 3, 1, 30) + fractal(rng, (SHAPE[1], SHAPE[0]), 3, 1, 30).T - 1
    folds = fractal(rng, SHAPE, rng.uniform(200, 500), 2, rng.uniform(0.4, 2.5)) - 0.5
    light = 1 + weave * (0.35 * threads + 0.8 * slubs) + rng.uniform(0, 0.16) * folds
    return shaded(image, np.asarray(light, np.float32))
