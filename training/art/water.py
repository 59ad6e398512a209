"""The means by which seas are painted: noise in millimetres, currents, lines along the shore."""

from __future__ import annotations

import cv2
import numpy as np

from hardware.simulated.arrays import Floats, Image, Points
from hardware.simulated.texture import Bgr, fractal
from training.art.canvas import Canvas
from training.art.colour import ramp, scaled


class Water:
    """A board's sheet while its sea is painted.

    `off` (H, W) is the distance from the shore in mm, negative inland, at half the sheet's resolution; so is all noise.
    """

    def __init__(self, canvas: Canvas, off: Floats, rng: np.random.Generator) -> None:
        self.canvas = canvas
        self.off = off
        self.rng = rng
        self._res = off.shape[1] / canvas.size[0]

    def noise(self, cell_mm: float, octaves: int = 3, stretch: float = 1.0) -> Floats:
        """Smooth noise in 0..1 with features of that size."""
        height, width = self.off.shape
        # Coarse noise needs no fine grid: a quarter of the pixels shows the same.
        less = 2 if cell_mm * self._res / 2**octaves > 3 else 1
        coarse = fractal(self.rng, (height // less, width // less), cell_mm * self._res / less, octaves, stretch)
        return np.asarray(cv2.resize(coarse, (width, height)), np.float32) if less > 1 else coarse

    def warped(self, cell_mm: float, swirl_mm: float, octaves: int = 4, stretch: float = 1.0) -> Floats:
        """Noise dragged about by other noise, as paint is by a brush."""
        source = self.noise(cell_mm, octaves, stretch)
        height, width = source.shape
        across, down = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
        drag = np.float32(2 * swirl_mm * self._res)
        across += drag * (self.noise(1.3 * cell_mm, 2) - np.float32(0.5))
        down += drag * (self.noise(1.3 * cell_mm, 2) - np.float32(0.5))
        return np.asarray(cv2.remap(source, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT), np.float32)

    def depth(self, reach_mm: float) -> Floats:
        """0 at the shore, 1 from about `reach_mm` off it."""
        # The ground is uneven: else the distance would show the board's symmetry as a cross.
        uneven = (
            np.float32(1.2 * reach_mm) * (self.noise(110, 2) - np.float32(0.5)) * np.clip(self.off / reach_mm, 0, 1)
        )
        return np.asarray(np.clip((self.off + uneven) / reach_mm, 0, 1), np.float32)

    def wash(self, amount: Floats, stops: list[tuple[float, Bgr]]) -> None:
        """Cover the sheet with colours by `amount`."""
        self.canvas.flood(ramp(amount, stops))

    def cover(self, image: Image) -> None:
        """Cover the sheet with an image of any resolution."""
        self.canvas.flood(image)

    def anywhere(self, count: int, shore_mm: float = -1e6) -> Points:
        """Random points at least that far off the shore; fewer than `count` where land is in the way."""
        half = np.asarray(self.canvas.size) / 2
        points = self.rng.uniform(-half, half, (count, 2))
        return points[self.at(self.off, points) > shore_mm]

    def at(self, field: Floats, points: Points) -> Floats:
        """The values of a field at points in mm (N, 2)."""
        height, width = field.shape
        index = ((points + self.canvas.origin) * self._res).astype(int)
        return np.asarray(field[np.clip(index[:, 1], 0, height - 1), np.clip(index[:, 0], 0, width - 1)], np.float32)

    def currents(self, starts: Points, turns: float, steps: int, step_mm: float, cell_mm: float) -> list[Points]:
        """Lines that drift from their starts along one smooth field of directions, each (steps, 2)."""
        heading = 2 * np.pi * turns * self.noise(cell_mm, 2) + self.rng.uniform(0, 2 * np.pi)
        lines = [starts]
        for _ in range(steps - 1):
            angle = self.at(heading.astype(np.float32), lines[-1])
            lines.append(lines[-1] + step_mm * np.stack([np.cos(angle), np.sin(angle)], axis=1))
        return list(np.stack(lines, axis=1))

    def shorelines(self, off_mm: float) -> list[Points]:
        """The lines at that distance off the shore."""
        mask = np.asarray(self.off < off_mm, np.uint8)
        found, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
        lines = [
            np.asarray((c[::3, 0] + 0.5) / self._res - self.canvas.origin, np.float64) for c in found if len(c) > 60
        ]
        return [_smooth(line) for line in lines]

    def foam(self, colour: Bgr, lines: int, alpha: float, width_mm: float) -> None:
        """Pale lines that run along the shore, fainter farther out."""
        first, gap = self.rng.uniform(1.5, 5), self.rng.uniform(3, 8)
        for i in range(lines):
            self.canvas.strokes(
                self.shorelines(first + i * gap), colour, width_mm, alpha * (1 - i / (lines + 1)), closed=True
            )

    def brushed(self, groups: int, count: int, *, length_mm: float, width_mm: float, tone: float, alpha: float) -> None:
        """Strokes along the currents in tones of what is below them: `tone` is how far they leave it."""
        for _ in range(groups):
            starts = self.anywhere(count)
            lines = self.currents(starts, self.rng.uniform(0.6, 1.6), 9, length_mm / 8, self.rng.uniform(70, 200))
            width = width_mm * self.rng.uniform(0.4, 1.4)
            share = 1 + tone * self.rng.choice([-1.0, 1.0]) * self.rng.uniform(0.4, 1)
            at = ((starts + self.canvas.origin) * self.canvas.scale).astype(int)
            rows = np.clip(at[:, 1], 0, self.canvas.image.shape[0] - 1)
            columns = np.clip(at[:, 0], 0, self.canvas.image.shape[1] - 1)
            colours = self.canvas.image[rows, columns].astype(float)
            for line, (blue, green, red) in zip(lines, colours.tolist(), strict=True):
                self.canvas.strokes([line], scaled((blue, green, red), share), width, alpha)


def _smooth(line: Points) -> Points:
    """A closed line without the pixels' steps."""
    reach = min(4, len(line) // 4)
    return np.asarray(sum(np.roll(line, k, axis=0) for k in range(-reach, reach + 1)) / (2 * reach + 1), np.float64)
