"""The print of the board and of the four marker cards.

In: the plan, the style's inks, a generator. Out: BGR images, north at the top, `BOARD_PX_PER_MM` px per mm.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated.arrays import Floats, Image
from hardware.simulated.plan import CARD_MM, CORNER_SIGNS, MARKER_IDS, MARKER_MM, BoardPlan
from hardware.simulated.solids import PROFILES
from hardware.simulated.styles import Print
from hardware.simulated.texture import Bgr, blend, darker, fractal, to_image

BOARD_PX_PER_MM = 3
CARD_PX_PER_MM = 6
_SHIFT = 3  # sub-pixel bits of OpenCV's drawing functions

_BLACK: Bgr = (20, 16, 16)

LEGEND = (("serpent", "boat"), ("shark", "swimmer"), ("whale", "boat"))
"""What each of the three panels on a side shows, from the north."""


def paint_board(plan: BoardPlan, inks: Print, rng: np.random.Generator) -> Image:
    """The board's face: sea, safe lands, hex lines, island outline, printed serpents, legend panels."""
    width, height = (round(side * BOARD_PX_PER_MM) for side in plan.size)
    face = _Face(plan, (height, width))
    sea = _sea(face, inks, rng)
    _safe_lands(face, sea, inks, rng)
    image = to_image(sea)
    _forests(face, image, inks, rng)
    _grid(face, image, inks)
    for start in plan.serpent_starts:
        face.fill(image, np.array(PROFILES["serpent"]) * (0.42, -0.42) + plan.centre(start) + (0, 8), _BLACK, 0.95)
    _legend(face, image)
    return image


def paint_card(corner: str) -> Image:
    """A white card with the ArUco marker of that corner of the board in its middle."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    side, inner = round(CARD_MM * CARD_PX_PER_MM), round(MARKER_MM * CARD_PX_PER_MM)
    card = np.full((side, side, 3), 238, np.uint8)
    marker = cv2.aruco.generateImageMarker(dictionary, MARKER_IDS[corner], inner)
    at = (side - inner) // 2
    card[at : at + inner, at : at + inner] = np.clip(marker, 28, 238)[..., None]
    return card


class _Face:
    """Draws on the board's image in the plan's millimetres."""

    def __init__(self, plan: BoardPlan, shape: tuple[int, int]) -> None:
        self.plan = plan
        self.shape = shape
        rows, columns = np.indices(shape, dtype=np.float32)
        self.x: Floats = np.asarray((columns + 0.5) / BOARD_PX_PER_MM - plan.size[0] / 2, np.float32)
        self.y: Floats = np.asarray((rows + 0.5) / BOARD_PX_PER_MM - plan.size[1] / 2, np.float32)

    def quarter(self, land: str) -> tuple[slice, slice]:
        """The quarter of the image (rows, columns) in which that corner of the board lies."""
        sx, sy = CORNER_SIGNS[land]
        rows, columns = self.shape[0] // 2, self.shape[1] // 2
        return slice(rows, None) if sy > 0 else slice(rows), slice(columns, None) if sx > 0 else slice(columns)

    def px(self, points: NDArray[np.float64]) -> NDArray[np.int32]:
        """Millimetres to fixed-point pixels."""
        half = np.array(self.plan.size) / 2
        return np.asarray(np.round(((points + half) * BOARD_PX_PER_MM - 0.5) * 2**_SHIFT), np.int32)

    def fill(self, image: Image, points: NDArray[np.float64], colour: Bgr, alpha: float) -> None:
        """Fill a polygon, mixed with what is below it."""
        layer = image.copy()
        cv2.fillPoly(layer, [self.px(points)], colour, cv2.LINE_AA, _SHIFT)
        cv2.addWeighted(layer, alpha, image, 1 - alpha, 0, image)

    def lines(
        self, image: Image, shapes: list[NDArray[np.float64]], colour: Bgr, width_mm: float, alpha: float
    ) -> None:
        """Draw open or closed lines of a width, mixed with what is below them."""
        layer = image.copy()
        thickness = max(1, round(width_mm * BOARD_PX_PER_MM))
        cv2.polylines(layer, [self.px(s) for s in shapes], False, colour, thickness, cv2.LINE_AA, _SHIFT)
        cv2.addWeighted(layer, alpha, image, 1 - alpha, 0, image)


def _shore_distance(face: _Face, land: str, rng: np.random.Generator, cell: float) -> Floats:
    """How far from the board's corner each pixel of its quarter is in mm, made ragged."""
    sx, sy = CORNER_SIGNS[land]
    quarter = face.quarter(land)
    dx = np.abs(face.x[quarter] - sx * face.plan.size[0] / 2)
    dy = np.abs(face.y[quarter] - sy * face.plan.size[1] / 2)
    rough = fractal(rng, (dx.shape[0], dx.shape[1]), cell)
    return np.asarray((dx**1.7 + dy**1.7) ** (1 / 1.7) + 26 * (rough - 0.5), np.float32)


def _sea(face: _Face, inks: Print, rng: np.random.Generator) -> Floats:
    depth = fractal(rng, face.shape, 420, 2)
    brush = fractal(rng, face.shape, 90, 5, 1.6)
    sea = blend((0.5 * depth + 0.5 * brush).astype(np.float32), inks.deep, inks.sea)
    swirls = np.abs(fractal(rng, face.shape, 130, 2) - 0.5) < 0.006
    bright = fractal(rng, face.shape, 160, 2) > 0.62
    foam = cv2.GaussianBlur((swirls & bright).astype(np.float32), (0, 0), 1.2)[..., None]
    return np.asarray(sea * (1 - 0.4 * foam) + np.asarray(inks.shallow, np.float32) * 0.55 * foam, np.float32)


def _safe_lands(face: _Face, sea: Floats, inks: Print, rng: np.random.Generator) -> None:
    """Shallow water and the yellow shore round each corner, in place."""
    for land in CORNER_SIGNS:
        away = _shore_distance(face, land, rng, 120)
        part = sea[face.quarter(land)]
        shallow = np.asarray(np.clip((205 - away) / 75, 0, 1) ** 1.3, np.float32)
        part[:] = blend(shallow, (0, 0, 0), inks.shallow) + part * (1 - shallow[..., None])
        ground = blend(fractal(rng, (away.shape[0], away.shape[1]), 50), darker(inks.shore, 0.72), inks.shore)
        shore = np.clip((134 - away) / 4, 0, 1)[..., None]
        part[:] = ground * shore + part * (1 - shore)


def _forests(face: _Face, image: Image, inks: Print, rng: np.random.Generator) -> None:
    """The woods of the safe lands: a dark ground, round tree tops, a few clouds."""
    for land, (sx, sy) in CORNER_SIGNS.items():
        away = _shore_distance(face, land, rng, 90)
        image[face.quarter(land)][away < 88] = tuple(round(0.4 * c) for c in inks.wood)
        trees = rng.uniform(0, 92, (240, 2))
        for dx, dy in trees[np.hypot(trees[:, 0], trees[:, 1]) < 84]:
            at = np.array([sx * (face.plan.size[0] / 2 - dx), sy * (face.plan.size[1] / 2 - dy)])
            x, y = (int(v) >> _SHIFT for v in face.px(at))
            green = np.asarray(inks.wood) * rng.uniform(0.75, 1.25)
            cv2.circle(image, (x, y), 13, (0.6 * green).tolist(), -1, cv2.LINE_AA)
            cv2.circle(image, (x - 2, y - 3), 9, green.tolist(), -1, cv2.LINE_AA)
            cv2.circle(image, (x - 3, y - 5), 4, (1.25 * green).clip(0, 255).tolist(), -1, cv2.LINE_AA)
        for dx, dy in ((8, 66), (58, 6), (30, 88)):
            for _ in range(9):
                puff = np.array([dx, dy]) + rng.normal(0, 4, 2)
                at = np.array([sx * (face.plan.size[0] / 2 - puff[0]), sy * (face.plan.size[1] / 2 - puff[1])])
                x, y = (int(v) >> _SHIFT for v in face.px(at))
                cv2.circle(image, (x, y), int(rng.integers(9, 18)), (244, 240, 238), -1, cv2.LINE_AA)


def _grid(face: _Face, image: Image, inks: Print) -> None:
    plan = face.plan
    loops = [plan.corners(h)[[0, 1, 2, 3, 4, 5, 0]] for h in plan.hexes]
    face.lines(image, loops, inks.lines, 0.75, 0.62)
    outline: dict[tuple[tuple[int, int], ...], NDArray[np.float64]] = {}
    for h in plan.island:
        c = plan.corners(h)
        for i in range(6):
            edge = np.stack([c[i], c[(i + 1) % 6]])
            key = tuple(sorted((round(x), round(y)) for x, y in edge))
            if outline.pop(key, None) is None:  # an edge met twice lies inside the island
                outline[key] = edge
    face.lines(image, list(outline.values()), inks.lines, 1.5, 0.9)


def _legend(face: _Face, image: Image) -> None:
    """Three grey panels along the west and the east edge, each a creature, a ring and what it may reach."""
    for side in (-1, 1):
        for i, (creature, victim) in enumerate(LEGEND):
            middle = np.array([side * (face.plan.size[0] / 2 - 9), 62.0 * (i - 1)])
            box = middle + np.array([[-6, -25], [6, -25], [6, 25], [-6, 25]])
            face.fill(image, box, (150, 128, 128), 0.75)
            face.fill(
                image, middle + np.array([0, -12]) + np.array(PROFILES[creature]) * 0.3 * [1, -1], (24, 20, 20), 0.95
            )
            ring = 3.4 * np.stack([np.cos(t := np.linspace(0, 6.28, 24)), np.sin(t)], axis=1) + middle
            face.lines(image, [ring], (24, 20, 20), 0.7, 0.9)
            length = 7.0 if victim == "boat" else 3.0
            mark = np.array([[-3, -length], [3, -length], [3, length], [-3, length]]) + middle + np.array([0, 15])
            face.fill(image, mark, (60, 50, 215), 0.9)
