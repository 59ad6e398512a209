"""The faces of the terrain tiles of one game."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from hardware.simulated.arrays import Image
from hardware.simulated.plan import hexagon
from hardware.simulated.texture import Bgr
from training.art import beaches, forests, mountains
from training.art.colour import graded
from training.art.relief import sheet

DESIGNS = {"beach": beaches.DESIGNS, "forest": forests.DESIGNS, "mountain": mountains.DESIGNS}


def tile_faces(rng: np.random.Generator, count: int = 6) -> dict[str, list[Image]]:
    """`count` faces of each terrain, squares of 44 mm at 5 px/mm; the hex is cut from the middle.

    Faces of one terrain have one design and one print, and differ as cuts from one sheet do.
    """
    rim = _rim(rng)
    faces: dict[str, list[Image]] = {}
    for terrain, designs in DESIGNS.items():
        paint = designs[int(rng.integers(len(designs)))](rng)
        press = _press(rng)
        faces[terrain] = [rim(press(paint(rng))) for _ in range(count)]
    return faces


def _press(rng: np.random.Generator) -> Callable[[Image], Image]:
    """How this game's sheet of that terrain was printed."""
    hue, saturation = rng.normal(0, 3), rng.uniform(0.75, 1.2)
    gain, gamma, lift = rng.uniform(0.85, 1.1), rng.uniform(0.8, 1.25), rng.uniform(0, 0.08)
    blur = rng.uniform(0.4, 1.3) if rng.random() < 0.5 else 0.0

    def press(face: Image) -> Image:
        printed = graded(face, hue=hue, saturation=saturation, gain=gain, gamma=gamma, lift=lift)
        return np.asarray(cv2.GaussianBlur(printed, (0, 0), blur), np.uint8) if blur else printed

    return press


def _rim(rng: np.random.Generator) -> Callable[[Image], Image]:
    """A printed or worn border along the cut; many games have none."""
    kind = rng.random()
    tones: tuple[Bgr, ...] = ((30, 36, 42), (235, 240, 242), (60, 90, 120))
    tone = tones[int(rng.choice(3, p=(0.6, 0.2, 0.2)))]
    width, alpha = rng.uniform(0.3, 1.6), rng.uniform(0.2, 0.9)
    off = rng.uniform(0, 0.5)

    def rim(face: Image) -> Image:
        if kind < 0.5:
            return face
        canvas = sheet(face)
        radius = 38 / np.sqrt(3) - off
        canvas.strokes([hexagon(radius)], tone, 2 * width if off < 0.1 else width, alpha, closed=True)
        return canvas.image

    return rim
