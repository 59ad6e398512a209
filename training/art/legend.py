"""The panels along the west and the east edge that say which creature does what to whom."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from hardware.simulated.arrays import Floats, Image
from hardware.simulated.texture import Bgr
from training.art.canvas import Canvas, circle
from training.art.colour import between, over
from training.art.emblems import FIGURES, SERPENTS, Figure, draw

_RED: Bgr = (52, 44, 214)
_WHITE: Bgr = (255, 255, 255)
_MEANS = (("serpent", ("boat", "swimmer")), ("shark", ("swimmer",)), ("whale", ("boat",)))
"""Creature and victims of each panel."""


@dataclass(frozen=True)
class LegendStyle:
    """How one board prints its panels; sizes in mm, `solid` is how much of the ground hides the sea."""

    ground: Bgr
    ink: Bgr
    victim: Bgr
    solid: float
    size: tuple[float, float]
    corner: float
    apart: float
    inset: float
    figures: dict[str, Figure]

    @classmethod
    def drawn(cls, rng: np.random.Generator) -> LegendStyle:
        """Parchment, dark or grey panels."""
        ground, ink = _inks(rng)
        serpent = list(SERPENTS.values())[int(rng.integers(len(SERPENTS)))]
        shark = FIGURES["fin" if rng.random() < 0.5 else "shark"]
        return cls(
            ground=ground,
            ink=ink,
            victim=_RED if rng.random() < 0.7 else ink,
            solid=rng.uniform(0.35, 1),
            size=(rng.uniform(42, 60), rng.uniform(9, 13)),
            corner=float(rng.choice([0.0, 1.5, 3.0])),
            apart=rng.uniform(2, 12),
            inset=rng.uniform(1, 4),
            figures={**FIGURES, "serpent": serpent, "shark": shark},
        )


def print_legend(board: Canvas, style: LegendStyle) -> None:
    """Print three panels on each side, to be read from that side."""
    for side in (-1, 1):
        for i, (creature, victims) in enumerate(_MEANS):
            image, cover = _panel(style, board.scale, creature, victims, reach=str(i + 1))
            along = (i - 1) * (style.size[0] + style.apart)
            quarter_turns = 3 if side < 0 else 1
            _paste(board, np.rot90(image, quarter_turns), np.rot90(cover, quarter_turns), side * style.inset, along)


def _inks(rng: np.random.Generator) -> tuple[Bgr, Bgr]:
    """The panel's ground and the ink on it."""
    kind = rng.integers(4)
    if kind == 0:
        return between(rng, (30, 50), (0.15, 0.45), (0.75, 0.95)), (26, 30, 44)
    if kind == 1:
        return between(rng, (190, 230), (0.3, 0.7), (0.12, 0.3)), (240, 236, 230)
    return between(rng, (0, 360), (0, 0.15), (0.45, 0.9)), (24, 20, 20)


def _panel(
    style: LegendStyle, scale: float, creature: str, victims: tuple[str, ...], *, reach: str
) -> tuple[Image, Floats]:
    """A panel lying along x, and how much of the sea each of its pixels hides."""
    long, wide = style.size
    ink, shape = (Canvas(style.size, scale, (long / 2, wide / 2)) for _ in range(2))
    core = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (np.asarray(style.size) / 2 - 0.3 - style.corner)
    shape.polygon(core, _WHITE)
    if style.corner:
        shape.strokes([core], _WHITE, 2 * style.corner, closed=True)
    ink.image[:] = ground = np.round(style.ground).astype(np.uint8)
    places = np.linspace(-long / 2 + 7, long / 2 - 7, len(victims) + 2)
    draw(ink, style.figures[creature], np.array([places[0], 0]), 0.8 * wide, style.ink)
    _range(ink, float(places[1]), 0.32 * wide, style.ink, reach)
    for place, name in zip(places[2:], victims, strict=True):
        draw(ink, style.figures[name], np.array([place, 0]), 0.85 * wide, style.victim)
    printed = (ink.image != ground).any(axis=2)
    cover = np.where(printed, 1.0, style.solid) * (shape.image[..., 0] / 255)
    return ink.image, np.asarray(cover, np.float32)


def _range(panel: Canvas, x: float, radius: float, ink: Bgr, most: str) -> None:
    """A hexagon with how far the creature swims, and an arrow out of it."""
    middle = np.array([x, 0.0])
    panel.strokes([middle + radius * circle(6)], ink, 0.5, closed=True)
    panel.polygon(middle + radius * np.array([[1.3, -0.45], [2.0, 0], [1.3, 0.45]]), ink)
    size = 0.022 * radius * panel.scale
    text = f"0-{most}"
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
    x_px, y_px = (middle + panel.origin) * panel.scale + np.array([-width / 2, height / 2])
    cv2.putText(panel.image, text, (int(x_px), int(y_px)), cv2.FONT_HERSHEY_SIMPLEX, size, ink, 1, cv2.LINE_AA)


def _paste(board: Canvas, image: Image, cover: Floats, inset_mm: float, along_mm: float) -> None:
    """Lay a panel along an edge: the west one if the inset is negative, else the east one."""
    height, width = image.shape[:2]
    top = int((board.size[1] / 2 + along_mm) * board.scale - height / 2)
    inset = int(abs(inset_mm) * board.scale)
    left = inset if inset_mm < 0 else board.image.shape[1] - inset - width
    below = board.image[top : top + height, left : left + width]
    below[:] = over(below, image, cover)
