"""The pieces as small solids, each a list of flat faces.

Piece coordinates in mm: x along the piece, y across, h up from where it stands, origin under its middle.
Most pieces are sawn from a board: a side view (`PROFILES`, x and h) extruded by the thickness. Boats are a hull with
cross walls; passengers stand in the slots between the walls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]

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
        *((-12.5, 0), (12.5, 0), (11, 4), (7, 6), (5, 12), (6, 18), (0, 15), (-4, 8), (-9, 6), (-12.5, 3)),
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
SLOT_FLOOR_MM = 4.0
_WALLS_MM = (-17.7, -6.0, 4.3, 14.6)
_HULL = [(-18.5, -8), (9, -8), (15, -5.5), (18.5, 0), (15, 5.5), (9, 8), (-18.5, 8)]


@dataclass(frozen=True)
class Face:
    """A flat face: its corners (N, 3) in mm, its outward normal (3,), and how much lighter than the paint it is."""

    corners: Points
    normal: Points
    tone: float = 1.0


Solid = tuple[Face, ...]


def piece(kind: str, lying: bool = False) -> Solid:
    """The solid of an explorer or a creature, upright or (explorers) flat on its back."""
    solid = _extrude(np.array(PROFILES[kind]), THICKNESS[kind])
    return _lay_down(solid, THICKNESS[kind]) if lying else solid


def boat() -> tuple[Solid, ...]:
    """The hull first, then the cross walls."""
    walls = []
    for x in _WALLS_MM:
        half = 5.8 if x > 12 else 8.0
        walls.append(_prism([(x - 0.8, -half), (x + 0.8, -half), (x + 0.8, half), (x - 0.8, half)], 3.9, 7.4, 1.2))
    return (_prism(_HULL, 0.0, SLOT_FLOOR_MM, 0.92), *walls)


def place(solid: Solid, at: Points, yaw: float) -> Solid:
    """The solid turned by `yaw` radians about its vertical axis and moved to the world point `at` (3,)."""
    c, s = np.cos(yaw), np.sin(yaw)
    turn = np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])
    return tuple(Face(f.corners @ turn + at, f.normal @ turn, f.tone) for f in solid)


def slab(outline: Points, low: float, high: float) -> Solid:
    """A flat sheet with upright sides over an outline (N, 2) given clockwise (y south); its top comes first."""
    return _prism([(float(x), float(y)) for x, y in outline], low, high, 1.0)


def _extrude(profile: Points, thickness: float) -> Solid:
    """A side view (N, 2) of x and h, made `thickness` deep in y."""
    faces = []
    for side in (-1.0, 1.0):
        flat = np.column_stack([profile[:, 0], np.full(len(profile), side * thickness / 2), profile[:, 1]])
        faces.append(Face(flat, np.array([0, side, 0])))
    after = np.roll(profile, -1, axis=0)
    for (x0, h0), (x1, h1) in zip(profile, after, strict=True):
        y = thickness / 2
        quad = np.array([(x0, -y, h0), (x1, -y, h1), (x1, y, h1), (x0, y, h0)])
        normal = np.array([h1 - h0, 0.0, -(x1 - x0)])
        faces.append(Face(quad, normal / np.linalg.norm(normal)))
    return tuple(faces)


def _prism(outline: Sequence[tuple[float, float]], low: float, high: float, tone: float) -> Solid:
    """An outline (inside on the +y side of its +x edges), raised from `low` to `high`; its top gets the tone."""
    plan = np.array(outline, dtype=np.float64)
    faces = [Face(np.column_stack([plan, np.full(len(plan), high)]), np.array([0.0, 0.0, 1.0]), tone)]
    for (x0, y0), (x1, y1) in zip(plan, np.roll(plan, -1, axis=0), strict=True):
        quad = np.array([(x0, y0, low), (x1, y1, low), (x1, y1, high), (x0, y0, high)])
        normal = np.array([y1 - y0, -(x1 - x0), 0.0])
        faces.append(Face(quad, normal / np.linalg.norm(normal)))
    return tuple(faces)


def _lay_down(solid: Solid, thickness: float) -> Solid:
    """Tip an upright solid over backwards about x, so that its side view is seen from above."""
    tip = np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]])  # y to h, h to -y
    middle = np.array([0.0, 10.0, thickness / 2])
    return tuple(Face(f.corners @ tip + middle, f.normal @ tip, f.tone) for f in solid)
