"""Solids of explorers, creatures and boats in many designs, so that what is trained on them knows kinds, not outlines.

In: a random generator. Out: `Mesh`es in mm in the piece's own frame: x along the piece, y across, z up from where it
stands, origin under its middle. Most pieces are sawn from a board: a side view is drawn with a few strokes, smoothed,
and extruded; some are turned on a lathe.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated.arrays import Points

SIZES_MM = {
    "explorer": (15.0, 20.0, 9.0),
    "serpent": (22.0, 35.0, 9.0),
    "shark": (25.0, 18.0, 8.0),
    "whale": (32.0, 18.0, 10.0),
    "boat": (37.0, 9.0, 16.0),
}
"""Length, height and thickness of a real set's pieces; each set's differ a little."""

SLOTS_MM = (-11.2, -0.8, 9.4)
"""Where passengers stand along a boat."""

_PX = 12.0
"""Pixels a millimetre in which side views are drawn."""

_WARP = 0.035
_LEAN = 0.07
"""How far a side view is bent, in its own sizes, and leans, in its height: standard deviations. Few designs are drawn;
bent ones are many."""


Creatures = Literal["usual", "strange", "invented"]
"""Strange creatures are in designs that nothing is learnt from; invented ones are strokes at random, tall as a serpent,
low and finned as a shark, low and thick as a whale: no two sets have the same."""


@dataclass(frozen=True)
class Mesh:
    """Corners (N, 3) in mm and faces as tuples of corner numbers, anticlockwise seen from outside."""

    corners: Points
    faces: tuple[tuple[int, ...], ...]

    def moved(self, turn: Points, at: Sequence[float]) -> Mesh:
        """Turned by a matrix (3, 3) from the left, then shifted."""
        return Mesh(self.corners @ turn.T + np.asarray(at), self.faces)


@dataclass(frozen=True)
class Shapes:
    """One set's solids. `slot_floor` (mm): how high passengers stand; `bevel` (mm): how round the edges are."""

    solids: dict[str, tuple[Mesh, ...]]
    slot_floor: float
    bevel: dict[str, float]


def make_shapes(rng: np.random.Generator, creatures: Creatures = "usual") -> Shapes:
    """A set of pieces; the same one whatever its creatures are, but for these."""
    solids: dict[str, tuple[Mesh, ...]] = {}
    bevel: dict[str, float] = {}
    others = rng.spawn(1)[0]
    for kind, designs in _DESIGNS.items():
        solids[kind], bevel[kind] = _make(kind, designs, rng)
    solids["boat"], floor = _boat(rng)
    bevel["boat"] = float(rng.uniform(0.2, 0.7))
    for kind, designs in _OTHERS[creatures].items():
        solids[kind], bevel[kind] = _make(kind, designs, others)
    return Shapes(solids, floor, bevel)


def _make(kind: str, designs: tuple[Design, ...], rng: np.random.Generator) -> tuple[tuple[Mesh, ...], float]:
    """A piece in one of the designs, and how round its edges are."""
    length, height, thickness = np.array(SIZES_MM[kind]) * rng.uniform(0.93, 1.07, 3)
    solid = designs[rng.integers(len(designs))](rng, float(length), float(height), float(thickness))
    return (solid,), float(rng.uniform(0.3, 1.6))


class _Sketch:
    """A side view under the pencil: x from -20 to 20 mm, z from -3 to 40 mm."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self._mask = np.zeros((round(43 * _PX), round(40 * _PX)), np.uint8)

    def _jitter(self, points: Points, amount: float) -> Points:
        return points + self.rng.normal(0, amount, points.shape)

    def _at(self, points: Points) -> NDArray[np.int32]:
        return np.round((points * (1, -1) + (20, 40)) * _PX).astype(np.int32)

    def disc(self, x: float, z: float, r: float, flat: float = 1.0) -> None:
        """A disc, or an ellipse `flat` times as high as wide."""
        (cx, cz), r = self._jitter(np.array([[x, z]]), 0.25)[0], r * self.rng.uniform(0.9, 1.12)
        at = self._at(np.array([[cx, cz]]))[0]
        axes = round(r * _PX), round(r * flat * _PX)
        cv2.ellipse(self._mask, (int(at[0]), int(at[1])), axes, 0, 0, 360, 255, -1)

    def poly(self, *points: tuple[float, float]) -> None:
        """A filled polygon."""
        cv2.fillPoly(self._mask, [self._at(self._jitter(np.array(points, float), 0.35))], 255)

    def stroke(self, points: Sequence[tuple[float, float]], *radii: float) -> None:
        """A brush along a curve through the points, its radius going through `radii`."""
        curve = _smooth(self._jitter(np.array(points, float), 0.4))
        widths = np.interp(np.linspace(0, 1, len(curve)), np.linspace(0, 1, len(radii)), radii)
        widths = widths * self.rng.uniform(0.9, 1.12)
        for at, r in zip(self._at(curve), widths, strict=True):
            cv2.circle(self._mask, (int(at[0]), int(at[1])), max(1, round(float(r) * _PX)), 255, -1)

    def outline(self, length: float, height: float) -> Points:
        """The silhouette (N, 2), anticlockwise with z up, scaled to that size, standing on z = 0."""
        mask = self._mask.copy()
        mask[round(40 * _PX) :] = 0
        soft = cv2.GaussianBlur(mask, (0, 0), float(self.rng.uniform(0.2, 0.8)) * _PX)
        contours, _ = cv2.findContours((soft > 127).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        largest = max(contours, key=cv2.contourArea)
        points = cv2.approxPolyDP(largest, 0.12 * _PX, True).reshape(-1, 2).astype(float) / _PX
        points[:, 1] *= -1
        low, high = points.min(axis=0), points.max(axis=0)
        points = _bent(self.rng, (points - low) / (high - low))
        low, high = points.min(axis=0), points.max(axis=0)
        points = (points - ((low[0] + high[0]) / 2, low[1])) / (high - low) * (length, height)
        area = 0.5 * np.sum(points[:, 0] * np.roll(points[:, 1], -1) - np.roll(points[:, 0], -1) * points[:, 1])
        return np.asarray(points if area > 0 else points[::-1], np.float64)


def _bent(rng: np.random.Generator, points: Points) -> Points:
    """Points of the unit square (N, 2: along, up) moved by a few slow waves and leant; what stands on the ground stays
    there."""
    moved = points.copy()
    for along, up in ((1, 0), (0, 1), (1, 1), (2, 1), (1, 2)):
        phase = rng.uniform(0, 2 * math.pi, 2)
        wave = np.cos(math.pi * (points @ (along, up))[:, None] + phase)
        moved += wave * rng.normal(0, _WARP, 2) * np.column_stack([np.ones(len(points)), points[:, 1]])
    moved[:, 0] += rng.normal(0, _LEAN) * points[:, 1]
    return moved


Design = Callable[[np.random.Generator, float, float, float], Mesh]


def _sawn(draw: Callable[[_Sketch], None]) -> Design:
    """A design that is a side view sawn out of a board."""

    def make(rng: np.random.Generator, length: float, height: float, thickness: float) -> Mesh:
        sketch = _Sketch(rng)
        draw(sketch)
        return extrude(sketch.outline(length, height), thickness)

    return make


def _turned(profile: Sequence[tuple[float, float]]) -> Design:
    """A design turned on a lathe: (radius, z) pairs from the foot up, for a piece 20 mm high."""

    def make(rng: np.random.Generator, _: float, height: float, thickness: float) -> Mesh:
        points = _smooth(np.array(profile, float), 5)
        waves = 1 + sum(rng.normal(0, 0.05) * np.cos(math.pi * k * points[:, 1] / 20) for k in (1, 2, 3))
        radii = points[:, 0] * waves * rng.uniform(0.85, 1.12) * thickness / 9.0
        return lathe(radii, points[:, 1] * height / points[:, 1].max())

    return make


def _gingerbread(s: _Sketch) -> None:
    s.disc(0, 16, 4)
    s.stroke([(-6, 9.5), (0, 10.5), (6, 9.5)], 2.2)
    s.stroke([(0, 5), (0, 12)], 3.8)
    for side in (-1, 1):
        s.stroke([(side, 5), (side * 5, 1.8)], 2.6)


def _robot(s: _Sketch) -> None:
    s.poly((-3.3, 12), (3.3, 12), (3.3, 20), (-3.3, 20))
    s.poly((-7.5, 7), (7.5, 7), (7.5, 12.5), (-7.5, 12.5))
    s.poly((-5.5, 0), (5.5, 0), (5, 9), (-5, 9))


def _meeple(s: _Sketch) -> None:
    s.disc(0, 15.6, 4.1)
    s.poly((-2, 13), (2, 13), (7.5, 9.5), (7.2, 7), (3.5, 6.5), (7.2, 0), (1.5, 0), (0, 2.5))
    s.poly((2, 13), (-2, 13), (-7.5, 9.5), (-7.2, 7), (-3.5, 6.5), (-7.2, 0), (-1.5, 0), (0, 2.5))


def _walker(s: _Sketch) -> None:
    s.disc(0, 16.5, 3.4)
    s.poly((-3.5, 13.5), (3.5, 13.5), (6, 0), (-6, 0))
    s.stroke([(-3, 12), (-6.5, 6)], 1.7)
    s.stroke([(3, 12), (6.5, 6)], 1.7)


def _cloaked(s: _Sketch) -> None:
    s.disc(0, 15.5, 4.3)
    s.poly((-4, 13), (4, 13), (7, 3), (7.3, 0), (-7.3, 0), (-7, 3))


def _cheering(s: _Sketch) -> None:
    s.disc(0, 14.5, 3.4)
    s.poly((-3.6, 12), (3.6, 12), (4.4, 0), (-4.4, 0))
    for side in (-1, 1):
        s.stroke([(side * 2.5, 10.5), (side * 6, 13), (side * 6.6, 18.5)], 1.9, 1.7, 1.5)


def _hatted(s: _Sketch) -> None:
    s.disc(0, 13.5, 3.6)
    s.poly((-5.5, 15.5), (5.5, 15.5), (3.2, 17), (2.8, 20), (-2.8, 20), (-3.2, 17))
    s.poly((-4.5, 11), (4.5, 11), (6.5, 4), (4.5, 3.5), (4.5, 0), (-4.5, 0), (-4.5, 3.5), (-6.5, 4))


def _striding(s: _Sketch) -> None:
    s.disc(1, 16.5, 3.5)
    s.stroke([(0, 6), (0.5, 13)], 3.6, 3.4)
    s.stroke([(0, 6), (5, 1.5)], 2.6, 2.2)
    s.stroke([(0, 6), (-4.5, 1.5)], 2.6, 2.2)
    s.stroke([(1, 12), (6.5, 9.5)], 1.7)
    s.stroke([(0, 12), (-5.5, 8)], 1.7)


def _blocky(s: _Sketch) -> None:
    s.poly((-4, 13), (4, 13), (4, 20), (-4, 20))
    s.poly((-6.5, 0), (6.5, 0), (6.5, 12), (-6.5, 12))
    s.poly((-2.2, 11), (2.2, 11), (2.2, 14), (-2.2, 14))


def _seahorse(s: _Sketch) -> None:
    spine = [(-8.0, 2.5), (4, 3), (7.5, 10), (5, 18), (1.5, 23), (4, 30), (0, 33), (-7, 29)]
    s.stroke(spine, 2.6, 4, 4.3, 4, 3.3, 3.4, 3.2, 2)
    for x, z in ((11, 4), (11.5, 10), (10, 16), (8, 21), (8, 27), (6, 32)):
        s.disc(x, z, 2.0)


def _question(s: _Sketch) -> None:
    s.poly((-11, 0), (11, 0), (10, 6), (-10, 5))
    s.stroke([(5, 4), (8, 14), (3, 22), (2, 29), (-7, 30)], 4.2, 4, 3.6, 3.4, 2.4)


def _sawtooth(s: _Sketch) -> None:
    s.poly((-11, 0), (10, 0), (8, 24), (4, 34), (-2, 35), (-10, 29), (-6, 26), (-3, 20), (-2, 10), (-10, 6))
    for z in (3, 9, 15, 21, 27):
        s.poly((7, z - 3), (12, z), (7, z + 3))


def _nessie(s: _Sketch) -> None:
    s.disc(5, 3, 6, 1.4)
    s.stroke([(-3, 0), (-4, 12), (-1, 24), (-2, 31), (-8, 31)], 4.5, 3.6, 3, 3.2, 2.2)
    s.poly((-9, 0), (11, 0), (10, 5), (-8, 5))


def _coil(s: _Sketch) -> None:
    s.stroke([(-9, 3), (0, 3.5), (8, 5), (6, 12), (-3, 15), (-5, 21), (2, 26), (4, 31), (-4, 33)], 2.8, 4, 4, 3.6, 3)


def _cobra(s: _Sketch) -> None:
    s.poly((-10, 0), (11, 0), (8, 5), (-7, 5))
    s.stroke([(2, 3), (4, 12), (1, 22), (-1, 30)], 4, 4.4, 6.2, 4.2)
    s.poly((-1, 34), (-10, 30), (-9, 27), (1, 27))


def _dragon(s: _Sketch) -> None:
    s.stroke([(11, 2), (2, 3), (-3, 10), (1, 19), (1, 28)], 2.2, 4.5, 4.5, 3.8, 3.6)
    s.poly((3, 33), (-11, 34), (-10, 31), (-4, 29.5), (-10, 26.5), (-9, 24.5), (3, 25))
    for z in (11, 17, 23, 29):
        s.poly((0, z - 2), (8, z + 3), (0, z + 3))


def _arch(s: _Sketch) -> None:
    s.stroke([(-8, 0), (-9, 14), (-4, 28), (3, 30), (7, 22), (9, 0)], 2.6, 3.2, 3.6, 3.8, 3.8, 4.4)


def _totem(s: _Sketch) -> None:
    s.poly((-11, 0), (11, 0), (9, 4), (-9, 4))
    for z, r in ((6, 6.5), (13, 5.6), (20, 5.0), (27, 4.6), (32, 5.2)):
        s.disc(0, z, r, 0.85)
    s.stroke([(0, 32), (-9, 31)], 3.6, 2.0)


def _crook(s: _Sketch) -> None:
    s.stroke([(11, 1.5), (-9, 1.5)], 2.0, 2.6)
    s.stroke([(4, 2), (5, 16), (4, 28), (-2, 33), (-8, 30), (-8, 24)], 3.6, 3.0, 3.0, 3.0, 3.0, 2.2)


def _loops(s: _Sketch) -> None:
    for x, r in ((9, 4), (1, 5.5)):
        s.disc(x, 1, r, 1.9)
    s.stroke([(-3, 2), (-9, 10), (-6, 22), (-3, 30), (-9, 33)], 4, 3.4, 3, 3.6, 2.2)


def _fin(s: _Sketch) -> None:
    s.poly((-12.5, 0), (12.5, 0), (10.5, 5), (8.5, 11), (9.5, 18), (4.5, 16.5), (-0.5, 12.5), (-6, 7.5), (-11, 3))


def _sail(s: _Sketch) -> None:
    s.poly((-11, 0), (11, 0), (7, 18), (2, 15), (-5, 8))


def _swimming_shark(s: _Sketch) -> None:
    s.stroke([(-12, 4), (-3, 5.5), (6, 5), (12, 4)], 1.5, 4.2, 3.6, 1.2)
    s.poly((-5, 8), (4, 8), (6, 17.5), (3, 17))
    s.poly((9, 4), (13, 3), (13.5, 12), (11.5, 11))
    s.poly((-8, 0), (8, 0), (8, 4), (-8, 4))


def _leaping_shark(s: _Sketch) -> None:
    s.stroke([(-11, 9), (-4, 9), (4, 6.5), (11, 2)], 2, 4.2, 4, 2)
    s.poly((-2, 11), (4, 10), (6, 18), (3, 18))
    s.poly((-6, 0), (11, 0), (6, 7), (-3, 8))


def _wedge(s: _Sketch) -> None:
    s.poly((-12, 0), (12, 0), (12, 2.5), (-12, 2.5))
    s.poly((-8, 2), (7, 2), (9, 18))


def _round_fin(s: _Sketch) -> None:
    s.disc(1, 3, 9, 1.55)
    s.poly((-13, 0), (13, 0), (11, 4), (-12, 4))
    s.poly((8, 10), (11, 16), (10, 4))


def _biter(s: _Sketch) -> None:
    s.poly((-9, 0), (12, 0), (10, 6), (3, 16), (-4, 18), (-11, 15), (-4, 11), (-9, 8))
    s.poly((6, 8), (12, 14), (11, 6))


def _two_fins(s: _Sketch) -> None:
    s.poly((-13, 0), (13, 0), (13, 4), (-13, 4))
    s.poly((-7, 3), (2, 3), (3, 18), (0, 17))
    s.poly((7, 3), (12, 3), (13, 11), (11, 11))


def _patrolling_shark(s: _Sketch) -> None:
    s.stroke([(-12, 7), (-4, 6), (5, 6), (11, 8)], 2.4, 4.6, 3.8, 1.6)
    s.poly((-3, 9), (3, 9), (5, 18))
    s.poly((9, 9), (13, 15), (12, 7), (13, 1), (9, 5))
    s.poly((-5, 4), (1, 4), (3, 0), (-4, 0))


def _blocky_whale(s: _Sketch) -> None:
    s.poly((-16, 0), (11, 0), (14, 4), (12, 8), (16, 13), (15.5, 17.5), (12.5, 15), (9, 16.5), (9.5, 10), (4, 9.5))
    s.poly((-16, 0), (6, 0), (6, 10), (-3, 14), (-9, 14.5), (-14, 11), (-16, 6))


def _humpback(s: _Sketch) -> None:
    s.disc(-6, 2, 10, 1.2)
    s.stroke([(-2, 6), (6, 5), (11, 7), (13, 12)], 6, 3.6, 2.4, 2)
    s.poly((9, 14), (16, 18), (15, 11))
    s.poly((-15, 0), (12, 0), (10, 4), (-15, 4))


def _sperm_whale(s: _Sketch) -> None:
    s.poly((-16, 0), (-16, 11), (-12, 14.5), (-3, 13), (8, 7), (12, 5), (12, 0))
    s.stroke([(9, 3.5), (13, 6), (14, 12)], 3.2, 2.2, 1.6)
    s.stroke([(11, 15), (14, 12), (16, 16)], 1.6)


def _dome_whale(s: _Sketch) -> None:
    s.disc(-4, 0, 11.5, 1.25)
    s.poly((2, 0), (13, 0), (16, 9), (12, 10), (8, 5))


def _fluke(s: _Sketch) -> None:
    s.poly((-16, 0), (16, 0), (13, 4), (-13, 4))
    s.stroke([(-8, 3), (0, 6), (3, 11)], 5, 4, 2.6)
    s.poly((3, 10), (-7, 17.5), (-5, 18), (3, 14.5), (12, 18), (14, 17))


def _orca(s: _Sketch) -> None:
    s.stroke([(-13, 5), (-5, 6.5), (5, 6), (12, 7)], 3.6, 6, 4.6, 1.8)
    s.poly((-3, 10), (3, 10), (4, 18), (2, 18))
    s.poly((10, 8), (16, 13), (15, 5))
    s.poly((-13, 0), (8, 0), (8, 5), (-13, 5))


def _blowing_whale(s: _Sketch) -> None:
    s.disc(-2, 0, 12, 1.0)
    s.stroke([(-5, 10), (-5, 14)], 1.3)
    s.stroke([(-9, 16.5), (-5, 14.5), (-1, 16.5)], 1.3)
    s.poly((5, 0), (14, 0), (16, 10), (13, 10), (9, 6))


def _long_whale(s: _Sketch) -> None:
    s.poly((-16, 0), (-15, 8), (-11, 10.5), (2, 10), (10, 6), (13, 12), (10, 17), (12, 18), (16, 14), (15, 3), (12, 0))


def _beluga(s: _Sketch) -> None:
    s.disc(-10, 8, 6, 1.35)
    s.stroke([(-10, 6), (0, 6.5), (9, 5), (14, 9)], 6, 6.4, 4, 2)
    s.poly((-12, 0), (9, 0), (9, 5), (-12, 5))
    s.poly((12, 10), (16, 15), (16, 7))


def _invented_serpent(s: _Sketch) -> None:
    """A neck that winds up out of a foot or a coil, a head at its end, now and then a ridged back."""
    rng = s.rng
    foot = rng.uniform(-5, 7)
    if rng.random() < 0.7:
        low, high = rng.uniform(6, 12, 2), rng.uniform(2, 7)
        s.poly((-low[0], 0), (low[1], 0), (low[1] * rng.uniform(0.5, 1), high), (-low[0] * rng.uniform(0.5, 1), high))
    for _ in range(rng.integers(3)):
        s.disc(rng.uniform(-9, 10), rng.uniform(0, 4), rng.uniform(3, 6.5), rng.uniform(0.8, 1.9))
    bends = int(rng.integers(3, 6))
    rise = np.sort(rng.uniform(6, 30, bends))
    spine = [(foot, 1.5), *zip(np.clip(foot + np.cumsum(rng.normal(0, 4.5, bends)), -9, 9), rise, strict=True)]
    top = spine[-1][0]
    spine += [(top + rng.uniform(-3, 3), 32.0), (top + rng.uniform(4, 9) * rng.choice((-1, 1)), rng.uniform(26, 33))]
    s.stroke(spine, rng.uniform(2.6, 6), *rng.uniform(2.4, 4.8, 3), rng.uniform(1.8, 3.6))
    if rng.random() < 0.4:
        side, size = rng.choice((-1, 1)), rng.uniform(2.0, 4.5)
        for x, z in spine[1:-1]:
            s.poly((x, z - size), (x + side * (size + 3.5), z), (x, z + size))


def _invented_shark(s: _Sketch) -> None:
    """A low body or only a base, on it a fin or two that lean, now and then a tail."""
    rng = s.rng
    if rng.random() < 0.5:
        ends = rng.uniform(1, 8, 2)
        s.stroke(
            [(-12, ends[0]), (-4, rng.uniform(4, 7)), (4, rng.uniform(4, 7)), (12, ends[1])], *rng.uniform(1.5, 5, 4)
        )
        s.poly((-rng.uniform(4, 10), 0), (rng.uniform(4, 10), 0), (4, 6), (-4, 6))
    else:
        high = rng.uniform(2, 8)
        s.poly((-12.5, 0), (12.5, 0), (rng.uniform(6, 12.5), high), (-rng.uniform(6, 12.5), high * rng.uniform(0.5, 1)))
    behind, before = rng.uniform(1, 11), -rng.uniform(1, 10)
    tip, between = rng.uniform(-2, 11), rng.uniform(0.35, 0.7)
    hollow = rng.uniform(-2.5, 2.5, 2)
    rise = (before + between * (tip - before) + hollow[0], 4 + between * 14)
    fall = (behind + between * (tip - behind) + hollow[1], 4 + between * 14)
    s.poly((before, 3), (behind, 3), fall, (tip, 18), rise)
    if rng.random() < 0.5:
        x = rng.uniform(8, 11) * rng.choice((-1, 1))
        s.poly((x - 3, 3), (x + 3, 3), (x * rng.uniform(1.0, 1.3), rng.uniform(8, 15)))
    if rng.random() < 0.3:
        s.disc(-rng.uniform(4, 9), rng.uniform(3, 6), rng.uniform(3, 6))


def _invented_whale(s: _Sketch) -> None:
    """A thick head that thins out to a tail, a fluke at its end, now and then a spout."""
    rng = s.rng
    head, tall = rng.uniform(-10, -1), rng.uniform(7, 11.5)
    tail = (rng.uniform(11, 15), rng.uniform(5, 14))
    if rng.random() < 0.6:
        s.disc(head, rng.uniform(0, 6), tall, rng.uniform(0.8, 1.35))
    else:
        s.poly(
            (-16, 0),
            (-rng.uniform(12, 16), tall + 3),
            (head + 6, tall + rng.uniform(0, 5)),
            (9, rng.uniform(4, 9)),
            (9, 0),
        )
    middle = (rng.uniform(3, 8), rng.uniform(3, 6))
    s.stroke([(head, tall * 0.5), middle, tail], rng.uniform(4, 6.5), rng.uniform(2.5, 5), rng.uniform(1.4, 2.6))
    if rng.random() < 0.7:
        spread = rng.uniform(2.5, 6, 2)
        s.poly(tail, (tail[0] - spread[0], 17.5), (tail[0], tail[1] + rng.uniform(1, 3)), (tail[0] + spread[1], 16))
    if rng.random() < 0.25:
        s.stroke([(head, tall), (head + rng.uniform(-3, 3), 17)], rng.uniform(1.0, 1.8))
    low = rng.uniform(9, 15)
    s.poly((-low, 0), (low, 0), (low * 0.7, 4), (-low, 4))


_DESIGNS: dict[str, tuple[Design, ...]] = {
    "explorer": (
        *(_sawn(d) for d in (_gingerbread, _gingerbread, _robot, _meeple, _walker, _cloaked)),
        *(_sawn(d) for d in (_cheering, _hatted, _striding, _blocky)),
        _turned(((0, 0), (6, 0), (6, 1.5), (3.4, 7), (2.6, 11), (4.2, 13.5), (4.2, 17), (2.5, 19.6), (0, 20))),
        _turned(((0, 0), (5.2, 0), (5.6, 3), (4.6, 8), (2.6, 11.5), (3.6, 14), (4.4, 16.5), (3, 19.4), (0, 20))),
        _turned(((0, 0), (5.8, 0), (4.6, 5), (3.2, 12), (5.2, 12.6), (3.4, 14), (4.0, 17), (2.4, 19.6), (0, 20))),
    ),
    "serpent": tuple(_sawn(d) for d in (_seahorse, _question, _sawtooth, _nessie, _coil, _cobra, _arch, _loops)),
    "shark": tuple(_sawn(d) for d in (_fin, _sail, _swimming_shark, _leaping_shark, _wedge, _biter, _patrolling_shark)),
    "whale": tuple(
        _sawn(d) for d in (_blocky_whale, _humpback, _sperm_whale, _dome_whale, _orca, _blowing_whale, _long_whale)
    ),
}

_STRANGE: dict[str, tuple[Design, ...]] = {
    "serpent": tuple(_sawn(d) for d in (_dragon, _totem, _crook)),
    "shark": tuple(_sawn(d) for d in (_round_fin, _two_fins)),
    "whale": tuple(_sawn(d) for d in (_fluke, _beluga)),
}
"""Never learnt from: how well they are read tells how well kinds are known, not outlines."""

_INVENTED: dict[str, tuple[Design, ...]] = {
    "serpent": (_sawn(_invented_serpent),),
    "shark": (_sawn(_invented_shark),),
    "whale": (_sawn(_invented_whale),),
}

_OTHERS: dict[Creatures, dict[str, tuple[Design, ...]]] = {"usual": {}, "strange": _STRANGE, "invented": _INVENTED}
"""The designs of creatures that are not in `_DESIGNS`."""


def _boat(rng: np.random.Generator) -> tuple[tuple[Mesh, ...], float]:
    """Hull, cross walls, now and then gunwales; and the height of the slots' floor."""
    length, height, breadth = np.array(SIZES_MM["boat"]) * rng.uniform(0.95, 1.06, 3)
    half, bow = breadth / 2, length / 2
    plans: tuple[Sequence[tuple[float, float]], ...] = (
        ((-bow, -half), (bow * 0.5, -half), (bow * 0.82, -half * 0.68), (bow, 0)),
        ((-bow, -half), (bow * 0.72, -half), (bow, -half * 0.3), (bow, 0)),
        (
            (-bow, 0),
            (-bow * 0.72, -half * 0.8),
            (-bow * 0.3, -half),
            (bow * 0.4, -half),
            (bow * 0.8, -half * 0.6),
            (bow, 0),
        ),
        ((-bow * 0.96, -half * 0.75), (-bow * 0.8, -half), (bow * 0.55, -half), (bow, -half * 0.08)),
    )
    side = plans[rng.integers(len(plans))]
    outline = np.array([*side, *[(x, -y) for x, y in reversed(side) if y != 0]])
    floor = float(rng.uniform(3.2, 5.2))
    wall = float(rng.uniform(0.9, 2.2)) / 2
    top = height * rng.uniform(0.85, 1.05)
    parts = [prism(outline, 0.0, floor)]
    for x in (-17.0, -6.0, 4.3, 14.6):
        across = _width_at(outline, x) * 0.99
        plan = np.array([(x - wall, -across), (x + wall, -across), (x + wall, across), (x - wall, across)])
        parts.append(prism(plan, floor - 0.5, top))
    if rng.random() < 0.35:
        rail = rng.uniform(0.6, 1.1)
        for y in (-half + rail / 2, half - rail / 2):
            plan = np.array([(-bow * 0.95, y - rail / 2), (bow * 0.45, y - rail / 2), (bow * 0.45, y + rail / 2)])
            plan = np.vstack([plan, [(-bow * 0.95, y + rail / 2)]])
            parts.append(prism(plan, floor - 0.5, top * rng.uniform(0.7, 0.95)))
    return tuple(parts), floor


def tipped(mesh: Mesh) -> Mesh:
    """An upright explorer lying on its back."""
    thick = float(np.ptp(mesh.corners[:, 1]))
    tip = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])
    return mesh.moved(tip, (0.0, 10.0, thick / 2))


def _width_at(outline: Points, x: float) -> float:
    """Half the breadth of a symmetric outline at x; a little where it is a point."""
    after = np.roll(outline, -1, axis=0)
    best = 0.8
    for (x0, y0), (x1, y1) in zip(outline, after, strict=True):
        if min(x0, x1) <= x <= max(x0, x1) and x0 != x1:
            best = max(best, abs(y0 + (y1 - y0) * (x - x0) / (x1 - x0)))
    return best


def extrude(side_view: Points, thickness: float) -> Mesh:
    """A side view (N, 2) of x and z, anticlockwise, made `thickness` deep in y."""
    n, half = len(side_view), thickness / 2
    near = np.column_stack([side_view[:, 0], np.full(n, -half), side_view[:, 1]])
    far = near * (1, -1, 1)
    return Mesh(np.vstack([near, far]), _walls(n))


def prism(outline: Points, low: float, high: float) -> Mesh:
    """An outline (N, 2) of x and y, anticlockwise, raised from `low` to `high`."""
    n = len(outline)
    bottom, top = np.column_stack([outline, np.full(n, low)]), np.column_stack([outline, np.full(n, high)])
    walls = _walls(n)
    return Mesh(np.vstack([top, bottom]), walls)


def _walls(n: int) -> tuple[tuple[int, ...], ...]:
    """Two lids of n corners (the first facing out as it is given) and the quads between them."""
    sides = tuple((i, n + i, n + (i + 1) % n, (i + 1) % n) for i in range(n))
    return (tuple(range(n)), tuple(range(2 * n - 1, n - 1, -1)), *sides)


def lathe(radii: Points, heights: Points, steps: int = 28) -> Mesh:
    """A solid of revolution about z: radii (N,) at heights (N,), the first and last closing it."""
    angles = np.linspace(0, 2 * math.pi, steps, endpoint=False)
    rings = [np.column_stack([r * np.cos(angles), r * np.sin(angles), np.full(steps, z)])
             for r, z in zip(np.maximum(radii, 0.02), heights, strict=True)]  # fmt: skip
    faces = [
        (i * steps + k, i * steps + (k + 1) % steps, (i + 1) * steps + (k + 1) % steps, (i + 1) * steps + k)
        for i in range(len(rings) - 1)
        for k in range(steps)
    ]
    last = (len(rings) - 1) * steps
    lids = [tuple(range(steps - 1, -1, -1)), tuple(range(last, last + steps))]
    return Mesh(np.vstack(rings), (*faces, *lids))


def _smooth(points: Points, dense: int = 14) -> Points:
    """A curve through the points (Catmull-Rom), `dense` steps between each two."""
    padded = np.vstack([2 * points[0] - points[1], points, 2 * points[-1] - points[-2]])
    t = np.linspace(0, 1, dense, endpoint=False)[:, None]
    parts = [
        0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)
        for a, b, c, d in zip(padded, padded[1:], padded[2:], padded[3:])  # noqa: B905 - ragged on purpose
    ]
    return np.vstack([*parts, points[-1:]])
