"""Small printed figures: sea serpents in several hands, shark, whale, boat, swimmer, dolphin, ship.

Figures are shapes in a unit square around the origin, x right, y down: closed polygons, laid over each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from hardware.simulated.arrays import Points
from hardware.simulated.solids import PROFILES
from hardware.simulated.texture import Bgr
from training.art.canvas import Canvas, circle, turned

Figure = Sequence[Points]


def _profile(name: str) -> Figure:
    """A piece's side view as a figure."""
    points = np.asarray(PROFILES[name]) * (1, -1)
    low, high = points.min(axis=0), points.max(axis=0)
    return (np.asarray((points - (low + high) / 2) / (high - low).max()),)


def _ribbon(line: Points, widths: Points) -> Points:
    """The outline of a line with a width at each of its points."""
    along = np.gradient(line, axis=0)
    aside = np.stack([-along[:, 1], along[:, 0]], axis=1) / np.hypot(along[:, 0], along[:, 1])[:, None]
    half = aside * widths[:, None] / 2
    return np.concatenate([line + half, (line - half)[::-1]])


def _snake() -> Figure:
    """An S with a wedge of a head."""
    t = np.linspace(0, 1, 40)
    line = np.stack([0.3 * np.sin(2 * np.pi * (t + 0.05)), 0.45 - 0.85 * t], axis=1)
    head = line[-1] + np.array(
        [[-0.1, 0.04], [-0.08, -0.08], [0.08, -0.12], [0.22, -0.04], [0.1, 0], [0.2, 0.05], [0.04, 0.1]]
    )
    return _ribbon(line, 0.05 + 0.14 * np.sin(np.pi * t**0.7)), head


def _humps() -> Figure:
    """Neck, three humps and a tail out of the water."""
    arch = np.linspace(0, np.pi, 15)
    found: list[Points] = []
    for x, size in ((-0.03, 0.15), (0.24, 0.12), (0.44, 0.07)):
        line = np.stack([x - size * np.cos(arch), 0.25 - 1.5 * size * np.sin(arch)], axis=1)
        found.append(_ribbon(line, 0.6 * size + 0.4 * size * np.sin(arch)))
    t = np.linspace(0, 1, 20)
    neck = np.stack([-0.3 + 0.07 * np.sin(5 * t), 0.25 - 0.6 * t], axis=1)
    head = np.array([-0.3, -0.36]) + np.array(
        [[0.08, 0.06], [0.06, -0.08], [-0.06, -0.1], [-0.2, -0.01], [-0.08, 0.02], [-0.17, 0.06], [-0.04, 0.1]]
    )
    return *found, _ribbon(neck, 0.17 - 0.06 * t), head


def _dragon() -> Figure:
    """A dragon rising from its coil: jagged back, open jaws, a mound of waves."""
    body = [(-0.5, 0.45), (-0.3, 0.36), (-0.2, 0.2), (-0.26, 0.05), (-0.14, -0.05), (-0.08, -0.2), (-0.3, -0.12)]
    head = [(-0.4, -0.2), (-0.22, -0.26), (-0.42, -0.3), (-0.3, -0.4), (-0.1, -0.46), (0.02, -0.5), (0.04, -0.42)]
    back = [
        (0.16, -0.4),
        (0.12, -0.3),
        (0.28, -0.22),
        (0.18, -0.14),
        (0.34, -0.02),
        (0.22, 0.04),
        (0.4, 0.18),
        (0.26, 0.2),
    ]
    return (np.array([*body, *head, *back, (0.34, 0.34), (0.5, 0.45)]),)


def _coil() -> Figure:
    """A rolled-up serpent."""
    t = np.linspace(0, 1, 60)
    angle = 4.2 * np.pi * t
    line = (0.08 + 0.36 * t)[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return _ribbon(line, 0.05 + 0.06 * t), line[-1] + 0.11 * circle(12) * (1, 1.3)


def _spout() -> Figure:
    """A whale with its spout."""
    spray = np.array([[-0.25, -0.16], [-0.37, -0.32], [-0.27, -0.26], [-0.15, -0.34], [-0.22, -0.16]])
    return *_profile("whale"), spray


SERPENTS: dict[str, Figure] = {
    "piece": _profile("serpent"),
    "snake": _snake(),
    "humps": _humps(),
    "dragon": _dragon(),
    "coil": _coil(),
}
"""What is printed on the serpents' start hexes."""

_BOAT: Figure = (
    *(np.array([(x, -0.2), (x + 0.17, -0.2), (x + 0.17, 0.2), (x, 0.2)]) for x in (-0.5, -0.28, -0.06)),
    np.array([[0.16, -0.2], [0.26, -0.2], [0.5, 0], [0.26, 0.2], [0.16, 0.2]]),
    *(np.array([(-0.5, y - 0.03), (0.26, y - 0.03), (0.26, y + 0.03), (-0.5, y + 0.03)]) for y in (-0.17, 0.17)),
)

FIGURES: dict[str, Figure] = {
    "shark": _profile("shark"),
    "fin": (np.array([[-0.5, 0.3], [-0.1, -0.1], [0.35, -0.4], [0.22, 0], [0.4, 0.3]]),),
    "whale": _spout(),
    "dolphin": _profile("dolphin"),
    "boat": _BOAT,
    "swimmer": (
        np.array([[-0.5, 0.22], [-0.1, -0.02], [0.1, -0.25], [0.42, -0.1], [0.14, -0.12], [0.05, 0.1], [-0.4, 0.28]]),
        0.11 * circle(12) + (0.3, 0.12),
    ),
    "explorer": _profile("explorer"),
    "ship": (
        np.array([[-0.5, 0.2], [0.5, 0.2], [0.34, 0.42], [-0.36, 0.42]]),
        np.array([[-0.03, -0.5], [-0.03, 0.14], [-0.4, 0.14]]),
        np.array([[0.04, -0.4], [0.4, 0.14], [0.04, 0.14]]),
    ),
    "fish": (
        np.array(
            [
                [-0.5, -0.2],
                [-0.3, 0],
                [0, -0.22],
                [0.3, -0.16],
                [0.5, 0],
                [0.3, 0.16],
                [0, 0.22],
                [-0.3, 0],
                [-0.5, 0.2],
            ]
        ),
    ),
}
"""Everything else that is printed small."""


def draw(
    canvas: Canvas, figure: Figure, at: Points, size_mm: float, colour: Bgr, *, alpha: float = 1, degrees: float = 0
) -> None:
    """Draw a figure around a point, turned clockwise."""
    canvas.polygons([at + turned(size_mm * shape, degrees) for shape in figure], colour, alpha)


def mirrored(figure: Figure) -> Figure:
    """The figure looking the other way."""
    return [shape * (-1, 1) for shape in figure]


@dataclass(frozen=True)
class SerpentPrint:
    """How one board prints its serpents."""

    figure: Figure
    ink: Bgr
    size_mm: float
    alpha: float
    halo: Bgr | None
    badge: Bgr | None
    facing: Literal["one way", "out", "any"]

    @classmethod
    def drawn(cls, rng: np.random.Generator) -> SerpentPrint:
        """One of the designs, its ink and its size."""
        figure = list(SERPENTS.values())[int(rng.integers(len(SERPENTS)))]
        inks: list[Bgr] = [(18, 14, 14), (18, 14, 14), (60, 34, 22), (34, 48, 22), (30, 30, 80), (245, 244, 240)]
        ink = inks[int(rng.integers(len(inks)))]
        light = sum(ink) > 500
        badge: Bgr | None = None
        if rng.random() < 0.12:
            badge = (60, 40, 30) if light else (225, 232, 236)
        return cls(
            figure=mirrored(figure) if rng.random() < 0.5 else figure,
            ink=ink,
            size_mm=rng.uniform(11, 22),
            alpha=rng.uniform(0.7, 1),
            halo=((30, 24, 20) if light else (235, 235, 235)) if rng.random() < 0.2 else None,
            badge=badge,
            facing=("one way", "out", "any")[int(rng.integers(3))],
        )

    def print(self, canvas: Canvas, at: Points, rng: np.random.Generator) -> None:
        """Print one serpent on the hex with that middle."""
        degrees = {"one way": 0.0, "out": float(np.degrees(np.arctan2(at[0], -at[1]))), "any": rng.uniform(0, 360)}[
            self.facing
        ]
        if np.allclose(at, 0):
            degrees = 0.0
        where = at + rng.uniform(-3, 3, 2)
        if self.badge is not None:
            canvas.discs(where, 0.62 * self.size_mm, self.badge, 0.9)
        if self.halo is not None:
            outlines = [where + turned(self.size_mm * shape, degrees) for shape in self.figure]
            canvas.strokes(outlines, self.halo, 1.2, self.alpha, closed=True)
        draw(canvas, self.figure, where, self.size_mm, self.ink, alpha=self.alpha, degrees=degrees)
