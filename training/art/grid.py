"""The hex lines and the line round the island, on the board's geometry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from calibration.print import BoardPrint
from companion.rules.geometry import load_board
from hardware.simulated.arrays import Points
from hardware.simulated.plan import hexagon
from hardware.simulated.texture import Bgr
from training.art.canvas import Canvas
from training.art.colour import between, mixed

PRINT = BoardPrint()
BOARD = load_board()
_BLACK: Bgr = (18, 14, 14)
_WHITE: Bgr = (248, 248, 246)


@dataclass(frozen=True)
class LineStyle:
    """The ink of the hex lines; widths in mm."""

    kind: Literal["solid", "soft", "haloed", "double", "dashed"]
    ink: Bgr
    halo: Bgr
    width: float
    island_width: float
    alpha: float
    island_alpha: float
    hex_shade: float
    """How far the brightness of a hex leaves its neighbours'; 0 on most boards."""
    island_shade: float

    @classmethod
    def drawn(cls, rng: np.random.Generator, below: float) -> LineStyle:
        """Black or white, seldom tinted; solid more often than not.

        `below` is the brightness of the sea, 0..255: on a very dark one lines are white, on a very pale one black.
        """
        dark = rng.random() < float(np.clip((below - 28) / 60, 0.03, 0.97))
        ink = _BLACK if dark else _WHITE
        if rng.random() < 0.25:
            ink = mixed(ink, between(rng, (180, 230), (0.4, 0.9), (0.2, 0.9)), 0.35)
        kinds: tuple[Literal["solid", "soft", "haloed", "double", "dashed"], ...] = (
            "solid",
            "soft",
            "haloed",
            "double",
            "dashed",
        )
        width, alpha = rng.uniform(0.4, 1.2), rng.uniform(0.4, 1)
        return cls(
            kind=kinds[int(rng.choice(5, p=(0.5, 0.17, 0.15, 0.08, 0.1)))],
            ink=ink,
            halo=_WHITE if dark else _BLACK,
            width=width,
            island_width=width * rng.uniform(1.4, 2.6),
            alpha=alpha,
            island_alpha=min(1.0, alpha * rng.uniform(1, 1.5)),
            hex_shade=rng.uniform(0.02, 0.09) if rng.random() < 0.35 else 0.0,
            island_shade=rng.uniform(-0.15, 0.2) if rng.random() < 0.3 else 0.0,
        )


def print_grid(canvas: Canvas, style: LineStyle, rng: np.random.Generator) -> None:
    """Shade the hexes if the style says so, then draw all hex lines and the island's outline."""
    if style.hex_shade or style.island_shade:
        _shade(canvas, style, rng)
    inner, outline = _edges()
    _draw(canvas, style, inner, style.width, style.alpha)
    _draw(canvas, style, outline, style.island_width, style.island_alpha)


def _corners(h: tuple[int, int]) -> Points:
    return np.asarray(np.asarray(PRINT.centre(h)) + hexagon(PRINT.side))


def _edges() -> tuple[list[Points], list[Points]]:
    """Every printed edge once: those not on the island's outline, and those on it."""
    edges: dict[tuple[int, int], Points] = {}
    sides: dict[tuple[int, int], int] = {}
    island = set(BOARD.island)
    for h in BOARD.hexes:
        corners = _corners(h)
        for i in range(6):
            edge = corners[[i, (i + 1) % 6]]
            key = (round(edge[:, 0].mean() * 10), round(edge[:, 1].mean() * 10))
            edges[key] = edge
            sides[key] = sides.get(key, 0) + (h in island)
    return [e for k, e in edges.items() if sides[k] != 1], [e for k, e in edges.items() if sides[k] == 1]


def _draw(canvas: Canvas, style: LineStyle, edges: list[Points], width: float, alpha: float) -> None:
    if style.kind == "haloed":
        canvas.strokes(edges, style.halo, width + 1.0, 0.45 * alpha)
        canvas.strokes(edges, style.ink, width, alpha)
    elif style.kind == "soft":
        for share, part in ((2.6, 0.25), (1.7, 0.35), (1.0, 0.6)):
            canvas.strokes(edges, style.ink, share * width, part * alpha)
    elif style.kind == "double":
        canvas.strokes([e + s for e in edges for s in _aside(e, 0.4 * width + 0.35)], style.ink, 0.6 * width, alpha)
    elif style.kind == "dashed":
        starts = np.arange(0, 1, 1 / 6)
        pieces = [e[0] + (e[1] - e[0]) * np.array([[s + 0.03], [s + 0.137]]) for e in edges for s in starts]
        canvas.strokes(pieces, style.ink, width, alpha)
    else:
        canvas.strokes(edges, style.ink, width, alpha)


def _aside(edge: Points, off: float) -> tuple[Points, Points]:
    """The steps to either side of an edge."""
    along = (edge[1] - edge[0]) / np.hypot(*(edge[1] - edge[0]))
    step = off * np.array([-along[1], along[0]])
    return step, -step


def _shade(canvas: Canvas, style: LineStyle, rng: np.random.Generator) -> None:
    """Make single hexes, and the island's ground, a little lighter or darker."""
    island = set(BOARD.island)
    gains = 1 + style.hex_shade * rng.normal(0, 1, len(BOARD.hexes))
    light = Canvas(canvas.size, canvas.scale / 2, (canvas.origin[0], canvas.origin[1]))
    light.image[:] = 128
    for h, gain in zip(BOARD.hexes, gains, strict=True):
        level = float(np.clip(128 * (gain + style.island_shade * (h in island)), 0, 255))
        light.polygon(_corners(h), (level, level, level))
    height, width = canvas.image.shape[:2]
    gain_map = cv2.resize(light.image, (width, height))
    canvas.image[:] = cv2.multiply(canvas.image, gain_map, scale=1 / 128)
