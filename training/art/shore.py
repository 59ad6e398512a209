"""The four corners of the board where land meets the sea, and how their ground is painted."""

from __future__ import annotations

import cv2
import numpy as np

from hardware.simulated.arrays import Floats, Image, Points
from hardware.simulated.texture import Bgr, fractal
from training.art.canvas import Canvas
from training.art.colour import over, ramp, shaded

CORNERS: tuple[tuple[int, int], ...] = ((-1, -1), (1, -1), (1, 1), (-1, 1))
"""Which way from the middle of the board each land lies: (east, south)."""


def distance_off_shore(canvas: Canvas, rng: np.random.Generator) -> Floats:
    """Distance from the nearest shore in mm, negative inland, for every second pixel of the sheet."""
    x, y = canvas.grid(2)
    power, radius, ragged = rng.uniform(1.2, 2.3), rng.uniform(104, 140), rng.uniform(14, 62)
    cell = rng.uniform(35, 100) * canvas.scale / 2
    stretch = rng.uniform(0.86, 1.16)
    from_side = (canvas.size[0] / 2 - np.abs(x)) * np.float32(stretch)
    from_end = (canvas.size[1] / 2 - np.abs(y)) / np.float32(stretch)
    away = (np.maximum(from_side, 0.1) ** power + np.maximum(from_end, 0.1) ** power) ** (1 / power)
    radii = radius * rng.normal(1, 0.05, 4).clip(0.88, 1.12)
    east, south = (x > 0).astype(int), (y > 0).astype(int)
    rough = fractal(rng, (x.shape[0], x.shape[1]), cell, int(rng.integers(1, 5)))
    return np.asarray(away + ragged * (rough - 0.5) - radii[2 * south + east], np.float32)


class Coast:
    """One corner of the sheet while its land is painted. Distances in mm; `inland` counts from the shore."""

    def __init__(self, canvas: Canvas, off: Floats, corner: tuple[int, int], rng: np.random.Generator) -> None:
        self.canvas = canvas
        self.corner = corner
        self.rng = rng
        rows, columns = off.shape[0] // 2, off.shape[1] // 2
        quarter = (
            slice(rows, None) if corner[1] > 0 else slice(rows),
            slice(columns, None) if corner[0] > 0 else slice(columns),
        )
        self._off = off[quarter]
        self._row0, self._column0 = quarter[0].start or 0, quarter[1].start or 0

    def tint(self, colour: Bgr, reach_mm: float, strength: float) -> None:
        """Shallow water: the colour over the sea, fading out at that distance off the shore."""
        image, off = self._near(reach_mm)
        image[:] = over(image, colour, np.asarray(strength * np.clip(1 - off / reach_mm, 0, 1) ** 1.4, np.float32))

    def ground(
        self,
        stops: list[tuple[float, Bgr]],
        *,
        edge_mm: float = 1.0,
        cell_mm: float = 12.0,
        rough: float = 0.2,
        wander_mm: float = 0.0,
        from_mm: float = 0.0,
    ) -> None:
        """Paint the land that lies farther inland than `from_mm`.

        `stops` are colours by the distance inland, rising. `rough` is how much the brightness varies in spots of
        `cell_mm`; `wander_mm` how far the stops leave their distance; `edge_mm` how soft the border is.
        """
        image, off = self._near(edge_mm + 2 * wander_mm - from_mm)
        shape = (off.shape[0], off.shape[1])
        inland = -off
        if wander_mm:
            inland += 2 * wander_mm * (fractal(self.rng, shape, 22 * self.canvas.scale, 3) - np.float32(0.5))
        colours = ramp(inland, stops)
        if rough:
            spots = fractal(self.rng, shape, cell_mm * self.canvas.scale, 4)
            colours = shaded(colours, np.asarray(1 + 2 * rough * (spots - 0.5), np.float32))
        # The shoreline stays where `off` says: foam and shallow water were painted along it.
        edge = inland - np.float32(from_mm) if from_mm > 0 else -off - np.float32(from_mm)
        image[:] = over(image, colours, np.asarray(np.clip(edge / edge_mm + 0.5, 0, 1), np.float32))

    def _near(self, reach_mm: float) -> tuple[Image, Floats]:
        """The part of the sheet (a view) within that distance off the shore, and `off` at each of its pixels."""
        near = np.argwhere(self._off[::4, ::4] < max(reach_mm, 1.0))
        (top, left), (bottom, right) = 4 * near.min(axis=0), 4 * near.max(axis=0) + 4
        part = self._off[top:bottom, left:right]
        rows, columns = 2 * (self._row0 + top), 2 * (self._column0 + left)
        image = self.canvas.image[rows : rows + 2 * part.shape[0], columns : columns + 2 * part.shape[1]]
        return image, np.asarray(cv2.resize(part, (image.shape[1], image.shape[0])), np.float32)

    def inland(self, points: Points) -> Floats:
        """How far inland points (N, 2) of this corner lie."""
        index = ((points + self.canvas.origin) * self.canvas.scale / 2).astype(int) - (self._column0, self._row0)
        rows = np.clip(index[:, 1], 0, self._off.shape[0] - 1)
        columns = np.clip(index[:, 0], 0, self._off.shape[1] - 1)
        return np.asarray(-self._off[rows, columns], np.float32)

    def places(self, count: int, from_mm: float, to_mm: float = 1e6) -> Points:
        """Up to `count` points between those distances inland, from north to south, so that later ones overlap."""
        low, high = (0.0, 0.0), (150.0, 140.0)
        points = np.asarray(self.corner) * (np.asarray(self.canvas.size) / 2 - self.rng.uniform(low, high, (count, 2)))
        depth = self.inland(points)
        kept = points[(depth > from_mm) & (depth < to_mm)]
        return np.asarray(kept[np.argsort(kept[:, 1])], np.float64)
