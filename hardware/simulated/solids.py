"""The pieces as small solids with flat faces.

Piece coordinates in mm: x along the piece, y across, h up from where it stands, origin under its middle.
Most pieces are sawn from a board: a side view (`PROFILES`, x and h) extruded by the thickness. Boats are a hull with
cross walls; passengers stand in the slots between the walls.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardware.simulated.arrays import Points

_HEAD = [(4 * np.cos(a), 16 + 4 * np.sin(a)) for a in np.radians(np.arange(-35, 216, 25))]

PROFILES: dict[str, Sequence[tuple[float, float]]] = {
    "explorer": [
        *((-7, 0), (-1.8, 0), (0, 2.6), (1.8, 0), (7, 0), (4.2, 6.5), (7.5, 8), (7.5, 11.5), (3.4, 13)),
        *_HEAD,
        *((-3.4, 13), (-7.5, 11.5), (-7.5, 8), (-4.2, 6.5)),
    ],
    "serpent": [
        *((-11, 0), (9, 0), (11, 2), (9, 5), (11, 8), (9, 11), (11, 14), (9, 17), (11, 20), (9, 23), (10.5, 26)),
        *((8, 30), (4, 34), (-2, 35), (-7, 33.5), (-10, 29), (-9, 27), (-5, 28.5), (-3, 27), (-6, 24.5), (-9, 25)),
        *((-8, 22.5), (-3, 21.5), (-1, 18), (-2, 12), (-3, 8), (-7, 7.5), (-10, 5)),
    ],
    "shark": [
        *((-12.5, 0), (12.5, 0), (10.5, 5), (9, 11), (9.5, 18), (4.5, 16.5), (-0.5, 12.5), (-6, 7.5), (-11, 3)),
    ],
    "whale": [
        *((-16, 0), (11, 0), (14, 4), (12, 8), (16, 13), (15.5, 17.5), (12.5, 15), (9, 16.5), (9.5, 11)),
        *((4, 10), (-3, 14), (-9, 14.5), (-14, 11), (-16, 6)),
    ],
    "dolphin": [
        *((-13, 2), (-8, 0), (4, 1), (11, 0), (13, 5), (8, 6), (3, 10), (2, 15), (-3, 11), (-9, 8)),
    ],
}
"""Side views, anticlockwise as seen with x to the right and h up."""

THICKNESS = {"explorer": 9.0, "serpent": 9.0, "shark": 8.0, "whale": 10.0, "dolphin": 8.0}
SLOTS_MM = (-11.2, -0.8, 9.4)
"""Where the passengers stand along a boat."""
SQUEEZED_MM = (-13.4, -4.2, 5.0, 14.2)
"""Where four stand that somebody has squeezed in."""
SLOT_FLOOR_MM = 4.0
_WALLS_MM = (-17.7, -6.0, 4.3, 14.6)
_HULL = [(-18.5, -8), (9, -8), (15, -5.5), (18.5, 0), (15, 5.5), (9, 8), (-18.5, 8)]


@dataclass(frozen=True)
class Solid:
    """Flat faces: all their corners (N, 3) in mm, face by face, where each face's corners begin (F,), the outward
    normals (F, 3), and how much lighter than the paint each face is (F,)."""

    corners: Points
    starts: NDArray[np.intp]
    normals: Points
    tones: Points

    @property
    def middles(self) -> Points:
        """The mean of each face's corners, shape (F, 3)."""
        counts = np.diff(np.append(self.starts, len(self.corners)))
        return np.asarray(np.add.reduceat(self.corners, self.starts) / counts[:, None], np.float64)

    def split(self, per_corner: NDArray[Any]) -> list[NDArray[Any]]:
        """Something that is known of every corner, face by face."""
        return np.split(per_corner, self.starts[1:])

    def moved(self, turn: Points, at: Points) -> Solid:
        """Turned by a matrix (3, 3) from the right, then shifted by (3,)."""
        return Solid(self.corners @ turn + at, self.starts, self.normals @ turn, self.tones)

    def without_top(self) -> Solid:
        """All faces but the first."""
        first = int(self.starts[1])
        return Solid(self.corners[first:], self.starts[1:] - first, self.normals[1:], self.tones[1:])


def piece(kind: str, lying: bool = False) -> Solid:
    """The solid of an explorer or a creature, upright or (explorers) flat on its back."""
    solid = _extrude(np.array(PROFILES[kind]), THICKNESS[kind])
    return _lay_down(solid, THICKNESS[kind]) if lying else solid


def boat() -> tuple[Solid, ...]:
    """The hull first, then the cross walls."""
    walls = []
    for x in _WALLS_MM:
        half = 5.8 if x > 12 else 8.0
        plan = np.array([(x - 0.8, -half), (x + 0.8, -half), (x + 0.8, half), (x - 0.8, half)])
        walls.append(_prism(plan, 3.9, 7.4, 1.1))
    return (_prism(np.array(_HULL), 0.0, SLOT_FLOOR_MM, 0.8), *walls)


def place(solid: Solid, at: Points, yaw: float) -> Solid:
    """The solid turned by `yaw` radians about its vertical axis and moved to the world point `at` (3,)."""
    c, s = math.cos(yaw), math.sin(yaw)
    return solid.moved(np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]]), at)


def slab(outline: Points, low: float, high: float) -> Solid:
    """A flat sheet with upright sides over an outline (N, 2) given clockwise (y south); its top comes first."""
    return _prism(outline, low, high, 1.0)


def _extrude(profile: Points, thickness: float) -> Solid:
    """A side view (N, 2) of x and h, made `thickness` deep in y."""
    near, far = (np.insert(profile, 1, y, axis=1) for y in (-thickness / 2, thickness / 2))
    step = np.roll(profile, -1, axis=0) - profile
    rim = np.column_stack([step[:, 1], np.zeros(len(step)), -step[:, 0]])
    return _solid([near, far, *_band(near, far)], np.vstack([[(0, -1, 0), (0, 1, 0)], rim]), 1.0)


def _prism(outline: Points, low: float, high: float, tone: float) -> Solid:
    """An outline (inside on the +y side of its +x edges), raised from `low` to `high`; its top gets the tone."""
    bottom, top = (np.insert(outline, 2, h, axis=1) for h in (low, high))
    step = np.roll(outline, -1, axis=0) - outline
    sides = np.column_stack([step[:, 1], -step[:, 0], np.zeros(len(step))])
    return _solid([top, *_band(bottom, top)], np.vstack([[(0, 0, 1)], sides]), tone)


def _band(one: Points, other: Points) -> Points:
    """The quads (N, 4, 3) between two equal outlines (N, 3)."""
    return np.stack([one, np.roll(one, -1, axis=0), np.roll(other, -1, axis=0), other], axis=1)


def _solid(faces: Sequence[Points], normals: Points, first_tone: float) -> Solid:
    sizes = [len(f) for f in faces]
    tones = np.ones(len(faces))
    tones[0] = first_tone
    unit = normals / np.linalg.norm(normals, axis=1, keepdims=True)
    return Solid(np.vstack(faces), np.cumsum([0, *sizes[:-1]]), unit, tones)


def _lay_down(solid: Solid, thickness: float) -> Solid:
    """Tip an upright solid over backwards about x, so that its side view is seen from above."""
    tip = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])  # y to h, h to -y
    return solid.moved(tip, np.array([0.0, 10.0, thickness / 2]))
