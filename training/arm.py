"""A hand and arm over the table, as tapered capsules of random build, sleeve and reach.

In: a random generator. Out: `Limb`s in world mm (x east, y south, z up), and what they hide of a picture.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated.arrays import Points
from hardware.simulated.optics import View
from training.shapes import Mesh
from training.tables import Rgb

_SKIN: tuple[Rgb, ...] = (
    (0.62, 0.36, 0.24),
    (0.47, 0.26, 0.16),
    (0.74, 0.48, 0.36),
    (0.2, 0.1, 0.06),
    (0.1, 0.05, 0.03),
)

_DARK_CLOTH: tuple[Rgb, ...] = ((0.012, 0.011, 0.011), (0.008, 0.015, 0.06), (0.04, 0.09, 0.2), (0.06, 0.06, 0.065))
"""Black, navy, denim, charcoal: many sleeves are, and a board in shadow looks much like them."""

_DARK_SLEEVES = 0.35

STEPS = 20
"""Corners of a ring round a limb."""

SLICES = 40
"""So many rings lie between a limb's round ends where it is cut into slices."""


@dataclass(frozen=True)
class Limb:
    """Both ends (3,) mm, the radius at each, its colour (linear RGB)."""

    start: tuple[float, float, float]
    end: tuple[float, float, float]
    radii: tuple[float, float]
    paint: Rgb


def make_arm(rng: np.random.Generator, size: tuple[float, float], to: tuple[float, float] | None = None) -> list[Limb]:
    """An arm that reaches from beyond the board's edge for a point of it (mm), any if none is said."""
    at = rng.uniform(-0.42, 0.42, 2) * size if to is None else np.array(to)
    bearing = rng.uniform(0, 2 * math.pi)
    along = np.array([math.cos(bearing), math.sin(bearing), 0.0])
    aside = np.array([-along[1], along[0], 0.0])
    skin = np.array(_SKIN[rng.integers(len(_SKIN))]) * rng.uniform(0.8, 1.15)
    sleeve = rng.uniform(0.02, 0.75, 3) * rng.uniform(0.3, 1.0)
    if rng.random() < _DARK_SLEEVES:
        sleeve = np.array(_DARK_CLOTH[rng.integers(len(_DARK_CLOTH))]) * rng.uniform(0.7, 1.4)
    bare = rng.random() < 0.25
    low, grow = float(rng.uniform(6, 70)), float(rng.uniform(0.85, 1.15))
    hand = 1.0 if rng.random() < 0.5 else -1.0
    cuff = float(rng.uniform(-330, -130))
    limbs: list[Limb] = []

    def add(start: Sequence[float], end: Sequence[float], radii: tuple[float, float], paint: Points) -> None:
        ends = [np.array([*at, low]) + p[0] * along + hand * p[1] * aside + (0, 0, p[2]) for p in (start, end)]
        a, b = (tuple(float(v) for v in e) for e in ends)
        limbs.append(Limb((a[0], a[1], a[2]), (b[0], b[1], b[2]), (radii[0] * grow, radii[1] * grow), _rgb(paint)))

    far = 120 + rng.uniform(0, 120)
    add((-950, 0, far + 60), (cuff, 0, 50), (62, 46) if not bare else (48, 33), skin if bare else sleeve)
    add((cuff, 0, 48), (-105, 0, 38), (33, 28), skin)
    palm = 30 + float(rng.uniform(-6, 6))
    for side in (-14, 0, 14):
        add((-108, side * 0.6, 38), (-62, side, palm), (24, 20), skin)
    add((-92, 26, 34), (-38 + rng.uniform(-12, 12), 44, 8), (14, 9), skin)
    curl = float(rng.uniform(0, 1))
    for side, reach in ((-26, -16), (-9, -4), (9, 0), (25, -12)):
        knuckle = -58 + rng.uniform(-3, 3)
        middle = knuckle + (32 - 10 * curl), side * 1.1, palm - 4 - 8 * curl
        tip = reach - 26 * curl, side * (1.15 - 0.3 * curl), 6 - 2 * curl + palm * 0.2 * (1 - curl)
        add((knuckle, side, palm), middle, (11, 9.5), skin)
        add(middle, tip, (9.5, 7.5), skin)
    return limbs


def capsule(limb: Limb) -> Mesh:
    """The limb as a closed mesh with round ends, world mm with y north."""
    a, b = (np.array(p) * (1, -1, 1) for p in (limb.start, limb.end))
    axis = (b - a) / np.linalg.norm(b - a)
    side = np.cross(axis, (0.0, 0.0, 1.0) if abs(axis[2]) < 0.9 else (1.0, 0.0, 0.0))
    side /= np.linalg.norm(side)
    other = np.cross(axis, side)
    rings: list[Points] = []
    around = np.linspace(0, 2 * math.pi, STEPS, endpoint=False)
    for centre, radius, sense in ((a, limb.radii[0], -1), (b, limb.radii[1], 1)):
        lifts = np.linspace(0, math.pi / 2 * 0.96, 6)
        for lift in lifts[::-1] if sense < 0 else lifts:
            middle = centre + sense * radius * math.sin(lift) * axis
            rings.append(
                middle + radius * math.cos(lift) * (np.outer(np.cos(around), side) + np.outer(np.sin(around), other))
            )
    faces = [
        (i * STEPS + k, i * STEPS + (k + 1) % STEPS, (i + 1) * STEPS + (k + 1) % STEPS, (i + 1) * STEPS + k)
        for i in range(len(rings) - 1)
        for k in range(STEPS)
    ]
    last = (len(rings) - 1) * STEPS
    lids = (tuple(range(STEPS - 1, -1, -1)), tuple(range(last, last + STEPS)))
    return Mesh(np.vstack(rings), (*faces, *lids))


def arm_mask(arm: Sequence[Limb], view: View) -> NDArray[np.uint8]:
    """255 where the arm hides the table, shape (H, W) of the picture."""
    mask = np.zeros((view.size[1], view.size[0]), np.uint8)
    for limb in arm:
        for ends in itertools.pairwise(_rings(limb)):
            points = np.vstack(ends)
            if view.is_before(points).all():
                cv2.fillConvexPoly(mask, cv2.convexHull(np.round(view.project(points)).astype(np.int32)), 255)
    return mask


def _rings(limb: Limb) -> list[Points]:
    """Rings (N, 3) along the limb, world mm: a part of a long limb is behind the camera, and a lens bends the rest."""
    rings = capsule(limb).corners.reshape(-1, STEPS, 3) * (1, -1, 1)
    start, end = np.split(rings, 2)
    return [*start, *(start[-1] + (end[0] - start[-1]) * t for t in np.linspace(0, 1, SLICES)[1:-1]), *end]


def _rgb(colour: Points) -> Rgb:
    r, g, b = (float(min(1.0, c)) for c in colour)
    return r, g, b
