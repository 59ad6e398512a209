"""The face of the board: sea, ornaments, lands, lines, serpents, legend, and what printing and folding do to it."""

from __future__ import annotations

import cv2
import numpy as np

from hardware.simulated.arrays import Image
from hardware.simulated.texture import Bgr
from training.art import lands, sea
from training.art.canvas import Canvas
from training.art.colour import between, graded
from training.art.emblems import FIGURES, SerpentPrint, draw, mirrored
from training.art.grid import BOARD, PRINT, LineStyle, print_grid
from training.art.legend import LegendStyle, print_legend
from training.art.shore import CORNERS, Coast, distance_off_shore
from training.art.water import Water

_PAPER: Bgr = (222, 230, 234)

_CORNER_MM = 56.0
"""So far from the board's edges hardly anything but safe land is printed, however far inland the shore wanders."""


def board_art(rng: np.random.Generator, px_per_mm: float = 4.0) -> Image:
    """The face of one board: 510 x 450 mm, x east, y south, middle of the image = middle of hex (0, 0)."""
    width, height = PRINT.board
    canvas = Canvas(PRINT.board, px_per_mm, (width / 2, height / 2))
    off = distance_off_shore(canvas, rng)
    water = Water(canvas, off, rng)
    sea.DESIGNS[int(rng.integers(len(sea.DESIGNS)))](water)
    _ornaments(water)
    _lands(canvas, water, rng)
    print_grid(canvas, LineStyle.drawn(rng, below=float(np.median(canvas.image[::8, ::8]))), rng)
    serpent = SerpentPrint.drawn(rng)
    for start in BOARD.serpent_starts:
        serpent.print(canvas, np.asarray(PRINT.centre(start)), rng)
    if rng.random() < 0.9:
        print_legend(canvas, LegendStyle.drawn(rng))
    return _printed(canvas, rng)


def bare_sea(face: Image) -> Image:
    """What is printed in the middle of the sea's hexes, side by side; `face` is a `board_art`."""
    height, width = face.shape[:2]
    scale = width / PRINT.board[0]
    half = round(0.3 * PRINT.side * scale)
    squares = []
    for h in BOARD.hexes:
        if h not in BOARD.island and h not in BOARD.serpent_starts:
            east, south = PRINT.centre(h)
            x, y = round(width / 2 + east * scale), round(height / 2 + south * scale)
            squares.append(face[y - half : y + half, x - half : x + half])
    return np.concatenate(squares, axis=1)


def bare_lands(face: Image) -> Image:
    """What is printed in the corners, on the safe lands, side by side; `face` is a `board_art`."""
    width = face.shape[1]
    side = round(_CORNER_MM * width / PRINT.board[0])
    rim = side // 4  # which may be worn
    ends = slice(rim, side), slice(-side, -rim)
    return np.concatenate([face[rows, columns] for rows in ends for columns in ends], axis=1)


def _ornaments(water: Water) -> None:
    """A few fish, dolphins or ships on the open sea, mostly faint; on many boards none."""
    rng = water.rng
    if rng.random() < 0.45:
        return
    ink: Bgr = between(rng, (185, 225), (0.1, 0.8), (0.05, 1.0))
    alpha = rng.uniform(0.12, 0.7)
    names = rng.choice(["fish", "dolphin", "ship", "whale", "shark"], 2)
    for at in water.anywhere(int(rng.integers(3, 25)), 20):
        figure = FIGURES[str(rng.choice(names))]
        size = rng.uniform(6, 20)
        figure = mirrored(figure) if rng.random() < 0.5 else figure
        draw(water.canvas, figure, at, size, ink, alpha=alpha, degrees=rng.normal(0, 25))


def _lands(canvas: Canvas, water: Water, rng: np.random.Generator) -> None:
    """Shallow water, ground and growth of the four corners; one design, seldom two."""
    painters = [lands.DESIGNS[int(i)](rng) for i in rng.integers(len(lands.DESIGNS), size=2)]
    shallow = between(rng, (172, 205), (0.3, 0.9), (0.7, 0.95))
    reach, strength = rng.uniform(10, 75), rng.uniform(0.2, 1) if rng.random() < 0.8 else 0.0
    mixed_lands = rng.random() < 0.15
    for corner in CORNERS:
        coast = Coast(canvas, water.off, corner, rng)
        if strength:
            coast.tint(shallow, reach, strength)
        painters[int(mixed_lands and rng.random() < 0.5)](coast)


def _printed(canvas: Canvas, rng: np.random.Generator) -> Image:
    """Another press, another paper: colour, sharpness, grain, and the folds of the board."""
    image = graded(
        canvas.image,
        hue=rng.normal(0, 4),
        saturation=rng.uniform(0.75, 1.15),
        gain=rng.uniform(0.85, 1.08),
        gamma=rng.uniform(0.8, 1.25),
        lift=rng.uniform(0, 0.1),
    )
    if rng.random() < 0.4:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), rng.uniform(0.4, 0.9)), np.uint8)
    height, width = image.shape[:2]
    grain = rng.normal(0, rng.uniform(0.5, 4), (height // 2, width // 2)).astype(np.float32)
    image = np.asarray(cv2.add(image, cv2.merge([cv2.resize(grain, (width, height))] * 3), dtype=cv2.CV_8U), np.uint8)
    if rng.random() < 0.35:
        image = _worn(image, canvas, rng)
    for across in (False, True):
        if rng.random() < 0.5:
            _fold(image, across, canvas.scale, rng)
    return image


def _worn(image: Image, canvas: Canvas, rng: np.random.Generator) -> Image:
    """Years of play: pale scratches, and paper showing along the edge."""
    sheet = Canvas(canvas.size, canvas.scale, (canvas.origin[0], canvas.origin[1]))
    sheet.image[:] = image
    starts = rng.uniform(-1, 1, (int(rng.integers(2, 30)), 2)) * sheet.origin
    paths = [
        at + rng.normal(0, 6, (1, 2)) * np.linspace(0, 1, 5)[:, None] + rng.normal(0, 0.4, (5, 2)) for at in starts
    ]
    sheet.strokes(paths, _PAPER, 0.25, rng.uniform(0.1, 0.5))
    frame = sheet.origin * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    sheet.strokes([frame], _PAPER, rng.uniform(0.5, 2.5), rng.uniform(0.1, 0.6), closed=True)
    return sheet.image


def _fold(image: Image, across: bool, scale: float, rng: np.random.Generator) -> None:
    """The crease in the middle of a board that folds: a dark gap or a worn, pale one, in place."""
    view = image if across else image.transpose(1, 0, 2)
    middle = view.shape[0] // 2
    half = max(1, round(rng.uniform(0.15, 0.4) * scale))
    part = view[middle - half : middle + half]
    target = 235 if rng.random() < 0.5 else 15
    part[:] = part + (target - part.astype(np.float32)) * np.float32(rng.uniform(0.1, 0.5))
