"""A sheet to draw on in millimetres.

x points right, y down; the origin is where the sheet's maker puts it. Whatever is drawn may be partly transparent.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from hardware.simulated.arrays import Floats, Image, Points
from hardware.simulated.texture import Bgr

_SHIFT = 4  # sub-pixel bits of OpenCV's drawing functions


class Canvas:
    """An image with a scale; `image` is drawn on in place."""

    def __init__(self, size: tuple[float, float], scale: float, origin: tuple[float, float] = (0.0, 0.0)) -> None:
        """`size` in mm (width, height), `scale` in px per mm, `origin` in mm from the upper left corner."""
        self.scale = scale
        self.size = size
        self.origin = np.array(origin)
        self.image: Image = np.zeros((round(size[1] * scale), round(size[0] * scale), 3), np.uint8)

    def flood(self, image: Image) -> None:
        """Cover the whole sheet with an image of any size."""
        height, width = self.image.shape[:2]
        self.image[:] = cv2.resize(image, (width, height), interpolation=cv2.INTER_LINEAR)

    def grid(self, step_px: int = 1) -> tuple[Floats, Floats]:
        """x and y in mm of the middle of every `step_px`-th pixel."""
        height, width = self.image.shape[0] // step_px, self.image.shape[1] // step_px
        x = (np.arange(width, dtype=np.float32) + 0.5) * step_px / self.scale - self.origin[0]
        y = (np.arange(height, dtype=np.float32) + 0.5) * step_px / self.scale - self.origin[1]
        across, down = np.meshgrid(x.astype(np.float32), y.astype(np.float32))
        return np.asarray(across, np.float32), np.asarray(down, np.float32)

    def polygon(self, points: ArrayLike, colour: Bgr, alpha: float = 1.0) -> None:
        """Fill a polygon (N, 2)."""
        self.polygons([np.asarray(points)], colour, alpha)

    def polygons(self, shapes: Sequence[Points], colour: Bgr, alpha: float = 1.0) -> None:
        """Fill polygons, all mixed with what is below them at once: overlaps are no darker."""
        with _Part(self, np.concatenate(shapes), 0.0, alpha) as part:
            for shape in shapes:
                cv2.fillPoly(part.layer, [part.px(shape)], colour, cv2.LINE_AA, _SHIFT)

    def strokes(
        self,
        shapes: Iterable[ArrayLike],
        colour: Bgr,
        width_mm: float,
        alpha: float = 1.0,
        *,
        closed: bool = False,
    ) -> None:
        """Draw lines through points, all mixed with what is below them at once: crossings are no darker."""
        lines = [np.asarray(s) for s in shapes]
        if not lines:
            return
        with _Part(self, np.concatenate(lines), width_mm, alpha) as part:
            thickness = max(1, round(width_mm * self.scale))
            cv2.polylines(part.layer, [part.px(s) for s in lines], closed, colour, thickness, cv2.LINE_AA, _SHIFT)

    def discs(self, middles: ArrayLike, radius_mm: float, colour: Bgr, alpha: float = 1.0) -> None:
        """Fill circles of one radius around points (N, 2)."""
        points = np.atleast_2d(np.asarray(middles, np.float64))
        with _Part(self, points, 2 * radius_mm, alpha) as part:
            radius = max(1, round(radius_mm * self.scale * 2**_SHIFT))
            for x, y in part.px(points):
                cv2.circle(part.layer, (int(x), int(y)), radius, colour, -1, cv2.LINE_AA, _SHIFT)

    def ring(self, middle: ArrayLike, radius_mm: float, colour: Bgr, width_mm: float, alpha: float = 1.0) -> None:
        """Draw a circle's line."""
        self.strokes([np.asarray(middle) + radius_mm * circle(48)], colour, width_mm, alpha, closed=True)


class _Part:
    """The part of a canvas that some points cover: drawn on as a layer, mixed into the canvas on leaving.

    What is opaque needs no layer: it is drawn on the canvas itself.
    """

    def __init__(self, canvas: Canvas, points: Points, margin_mm: float, alpha: float) -> None:
        self._canvas = canvas
        self._alpha = alpha
        self._corner = np.zeros(2, np.int64)
        self._below = self.layer = canvas.image
        if alpha >= 1:
            return
        height, width = canvas.image.shape[:2]
        margin = margin_mm / 2 * canvas.scale + 2
        low = (points.min(axis=0) + canvas.origin) * canvas.scale - margin
        high = (points.max(axis=0) + canvas.origin) * canvas.scale + margin
        x0, y0 = (int(v) for v in np.clip(np.floor(low), 0, (width, height)))
        x1, y1 = (int(v) for v in np.clip(np.ceil(high), 0, (width, height)))
        self._corner = np.array([x0, y0])
        self._below = canvas.image[y0:y1, x0:x1]
        self.layer = self._below.copy()

    def px(self, points: Points) -> NDArray[np.int32]:
        """Millimetres to fixed-point pixels of the layer."""
        at = (points + self._canvas.origin) * self._canvas.scale - 0.5 - self._corner
        return np.asarray(np.round(at * 2**_SHIFT), np.int32)

    def __enter__(self) -> _Part:
        if self.layer.size == 0:
            self.layer = np.zeros((1, 1, 3), np.uint8)
        return self

    def __exit__(self, *_: object) -> None:
        if self._alpha < 1 and self._below.size:
            cv2.addWeighted(self.layer, self._alpha, self._below, 1 - self._alpha, 0, self._below)


def circle(count: int, start: float = 0.0) -> Points:
    """Points on the unit circle, shape (count, 2), from angle `start` in radians."""
    angles = start + 2 * np.pi * np.arange(count) / count
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


def turned(points: ArrayLike, degrees: float) -> Points:
    """Points (N, 2) turned about the origin, clockwise as seen."""
    angle = np.radians(degrees)
    matrix = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return np.asarray(np.asarray(points) @ matrix, np.float64)


def blob(rng: np.random.Generator, radius: float, roughness: float = 0.2, count: int = 18) -> Points:
    """A closed, lumpy outline around the origin, shape (count, 2)."""
    angles = 2 * np.pi * np.arange(count) / count
    radii = np.ones(count)
    for wave in (2, 3, 5):
        radii += roughness / wave**0.7 * np.cos(wave * angles + rng.uniform(0, 2 * np.pi))
    return radius * radii[:, None] * circle(count)


def scattered(rng: np.random.Generator, size: tuple[float, float], step: float, jitter: float = 0.8) -> Points:
    """Points spread over a rectangle around the origin, one in each cell of a grid of that step, shape (N, 2)."""
    columns, rows = (max(1, int(np.ceil(side / step))) for side in size)
    cells = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), axis=-1).reshape(-1, 2) + 0.5
    return np.asarray((cells + jitter * rng.uniform(-0.5, 0.5, cells.shape)) * step - np.asarray(size) / 2)
