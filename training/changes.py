"""What may come over a picture after the table was calibrated: a pale reflection, other colours, a smear, hard packing,
somebody's shadow.

In: a picture in the calibration's view, the pieces on it. Out: the same picture, changed. What lies on the table is the
same, and so is what is to be read, unless nobody could.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from calibration.arrays import Floats, Floats32, Image, Mask
from calibration.colours import rounded
from calibration.hexes import lean
from calibration.light import to_linear
from calibration.response import to_levels
from calibration.view import View
from training.shapes import SIZES_MM

ADDED = (0.02, 0.4)
"""Light that a reflection adds at its brightest (linear, of 1)."""

TINT = 0.06
"""Standard deviation of the logarithm of its channels."""

OVER_ALL = 0.4
"""Share of the reflections that lie over pieces, too, as if a lamp shone into the lens; in others pieces stand."""

SPOTS, PANES, EDGES = 0.35, 0.45, 0.2
"""How many reflections are of lamps, of windows, of a ceiling that ends somewhere over the board."""

LEFT = (0.12, 0.5)
"""Light that is left in the middle of a shadow, of what was there."""

OTHER_COLOUR = 0.2
"""Standard deviation of the logarithm of that in its channels: what is left comes from other lamps."""

HEAD_MM, BLUR_MM = (50, 130), (8, 35)
"""Half the width of a head's shadow, and how far it fades (standard deviation)."""


@dataclass(frozen=True)
class Seen:
    """A picture in the view (H x W x 3 uint8 BGR), and the pieces that stand on the board, as a frame's truth has them.

    `eye`: of the camera (x, y, height in mm).
    """

    picture: Image
    view: View
    eye: Floats
    pieces: tuple[Mapping[str, Any], ...] = ()

    def flat(self) -> Mask:
        """H x W: where board and tiles are seen, and no piece: roughly, each an upright capsule from foot to head."""
        there = np.zeros(self.picture.shape[:2], np.uint8)
        for piece in self.pieces:
            length, height, thick = SIZES_MM[piece["kind"]]
            along = (length - thick) / 2 * np.array([math.cos(piece["yaw"]), math.sin(piece["yaw"])])
            *foot, up = piece["at"]
            ends = np.stack([foot - along, foot + along])
            corners = np.concatenate([lean(self.eye, ends, z) for z in (up, up + height)])
            hull = cv2.convexHull(self.view.pixels(corners).astype(np.float32)).astype(np.int32)
            cv2.fillConvexPoly(there, hull, 1)
            cv2.polylines(there, [hull], True, 1, max(1, round(thick * self.view.px_per_mm)))
        return np.asarray(there == 0)


def changed(seen: Seen, rng: np.random.Generator) -> Image:
    """The picture with one of the changes."""
    chosen = rng.choice(len(CHANGES), p=[share for _, share in CHANGES])
    return CHANGES[chosen][0](seen, rng)


def reflected(seen: Seen, rng: np.random.Generator) -> Image:
    """With one to three pale lights mirrored in the board."""
    height, width = seen.picture.shape[:2]
    added = np.zeros((height, width), np.float32)
    for _ in range(int(rng.integers(1, 4))):
        added += _one_light(seen.view, rng)
    strength = math.exp(rng.uniform(*np.log(ADDED)))
    added *= np.float32(strength / max(float(added.max()), 1e-6))
    if rng.random() > OVER_ALL:
        added *= cv2.GaussianBlur(seen.flat().astype(np.float32), (0, 0), 0.8)
    tint = np.exp(rng.normal(0, TINT, 3)).astype(np.float32)
    return _from_linear(to_linear(seen.picture) + added[..., None] * tint)


def _one_light(view: View, rng: np.random.Generator) -> Floats32:
    """H x W, 0 to 1: one light's mirror image, sharp or soft as the board is glossy or matt."""
    half = np.array(view.board) / 2
    middle = rng.uniform(-half, half)
    turn = rng.uniform(0, math.pi)
    kind = rng.choice(("spot", "panes", "edge"), p=(SPOTS, PANES, EDGES))
    away = view.grid_mm() - middle
    right, up = (away @ np.array(axis, np.float32) for axis in _axes(turn))
    if kind == "spot":
        wide = rng.uniform(15, 90)
        return np.asarray(np.exp(-0.5 * ((right / wide) ** 2 + (up / (wide * rng.uniform(0.5, 1))) ** 2)), np.float32)
    soft = math.exp(rng.uniform(math.log(1.5), math.log(40)))
    if kind == "edge":
        return np.asarray(1 / (1 + np.exp(np.clip(-right / soft, -30, 30))), np.float32)
    sides = rng.uniform((30, 40), (150, 220)) / 2
    shear = rng.normal(0, 0.15)
    right = right + shear * up
    light = ((np.abs(right) < sides[0]) & (np.abs(up) < sides[1])).astype(np.float32)
    bars = rng.integers(0, 3, 2)
    for across, side, count in zip((right, up), sides, bars, strict=True):
        for at in np.linspace(-side, side, int(count) + 2)[1:-1]:
            light[np.abs(across - at) < rng.uniform(1.5, 6)] = 0
    light *= np.clip(1 + rng.normal(0, 0.4) * up / sides[1], 0.1, 2)
    return np.asarray(cv2.GaussianBlur(light, (0, 0), soft / 2 * view.px_per_mm), np.float32)


def recoloured(seen: Seen, rng: np.random.Generator) -> Image:
    """As by another camera: its colours weaker or stronger, its hues turned, its tones bent."""
    turn, chroma = rng.normal(0, math.radians(10)), math.exp(rng.normal(0, 0.3))
    mixed = cv2.cvtColor(seen.picture, cv2.COLOR_BGR2YCrCb).astype(np.float32)
    matrix = chroma * np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    mixed[..., 1:] = (mixed[..., 1:] - 128) @ matrix.T.astype(np.float32) + 128
    tones = np.linspace(0, 1, 256) ** math.exp(rng.normal(0, 0.25))
    bent = rng.normal(0, 0.2) * np.sin(2 * np.pi * tones) / (2 * np.pi)
    curve = rounded(255 * (tones + bent))
    return np.asarray(cv2.LUT(cv2.cvtColor(rounded(mixed), cv2.COLOR_YCrCb2BGR), curve), np.uint8)


def smeared(seen: Seen, rng: np.random.Generator) -> Image:
    """Out of focus all over, or breathed on and touched in a part."""
    rows, columns = seen.picture.shape[:2]
    soft = cv2.GaussianBlur(seen.picture, (0, 0), rng.uniform(0.6, 2.2) * seen.view.px_per_mm)
    if rng.random() < 0.3:
        return np.asarray(cv2.addWeighted(soft, 0.6, seen.picture, 0.4, 0), np.uint8)
    x, y = rng.uniform((0, 0), (columns, rows))
    wide = rng.uniform(40, 160) * seen.view.px_per_mm
    grid = np.mgrid[:rows, :columns].astype(np.float32)
    share = np.exp(-0.5 * (((grid[0] - y) / wide) ** 2 + ((grid[1] - x) / (wide * rng.uniform(0.4, 1))) ** 2))
    share = np.clip(1.6 * share, 0, 1)[..., None]
    return rounded(share * soft + (1 - share) * seen.picture)


def packed(seen: Seen, rng: np.random.Generator) -> Image:
    """Stored as a JPEG of poor quality."""
    _, file = cv2.imencode(".jpg", seen.picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(8, 36))])
    return np.asarray(cv2.imdecode(file, cv2.IMREAD_COLOR), np.uint8)


def shadowed(seen: Seen, rng: np.random.Generator) -> Image:
    """In the shadow of somebody's head."""
    half = np.array(seen.view.board) / 2
    away = seen.view.grid_mm() - rng.uniform(-half, half)
    right, up = (away @ np.array(axis, np.float32) for axis in _axes(rng.uniform(0, math.pi)))
    wide = rng.uniform(*HEAD_MM)
    inside = (np.hypot(right / wide, up / (wide * rng.uniform(0.7, 1))) < 1).astype(np.float32)
    shadow = cv2.GaussianBlur(inside, (0, 0), rng.uniform(*BLUR_MM) * seen.view.px_per_mm)[..., None]
    left = math.exp(rng.uniform(*np.log(LEFT))) * np.exp(rng.normal(0, OTHER_COLOUR, 3)).astype(np.float32)
    return _from_linear(to_linear(seen.picture) * (1 - shadow + shadow * left))


CHANGES: tuple[tuple[Callable[[Seen, np.random.Generator], Image], float], ...] = (
    (reflected, 0.6),
    (recoloured, 0.16),
    (smeared, 0.14),
    (packed, 0.1),
    (shadowed, 0.0),
)
"""How many of the pictures are changed how. No shadow is drawn to learn from, as rendered tables have their own."""


def _axes(turn: float) -> Iterable[tuple[float, float]]:
    """Right and up, turned by that angle."""
    return (math.cos(turn), math.sin(turn)), (-math.sin(turn), math.cos(turn))


def _from_linear(light: Floats32) -> Image:
    return rounded(255 * to_levels(np.clip(light, 0, 1)))
