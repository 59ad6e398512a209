"""The outlines of pieces as masks, for the place on the board where they are looked for.

In: a shape, a point of the board. Out: masks for a number of angles, at the fitting's scale.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Sequence

import cv2
import numpy as np

from companion.vision.catalogue import Kind, Shape
from companion.vision.evidence import Floats32
from companion.vision.field import Field, Floats

SHRINK = 2
"""Fitting works on every second pixel of the view (1.6 mm)."""

FEW_ANGLES = 8

CELL_MM = 30.0
"""The lean changes slowly over the board: one set of masks serves a cell of this size."""


@dataclasses.dataclass(frozen=True)
class Stamp:
    """A mask (odd-sized, its middle is where the middle of the foot appears), its angle (rad) and area (px).

    `rough`: the same at half the scale, for a first search.
    """

    shape: Shape
    angle: float
    mask: Floats32
    rough: Floats32
    area: float


@dataclasses.dataclass(frozen=True)
class Bank:
    """All masks of one kind near one place, side by side: `size` px square each, `matrix` size*size x number.

    `prices`: px each has to explain before it is worth to be assumed. `usual`: those of the usual shape, every second
    angle of many, for a first search.
    """

    usual: tuple[Stamp, ...]
    stamps: tuple[Stamp, ...]
    size: int
    matrix: Floats32
    prices: Floats

    @staticmethod
    def of(kind: Kind, stamps: Sequence[Stamp]) -> Bank:
        """Masks of different sizes are filled up with zeros round their middles."""
        size = max(s.mask.shape[0] for s in stamps)
        columns = [np.pad(s.mask, (size - s.mask.shape[0]) // 2).ravel() for s in stamps]
        prices = np.array([kind.price + s.shape.rare for s in stamps])
        usual = [s for s in stamps if s.shape is kind.shapes[0]]
        step = 2 if len(usual) > FEW_ANGLES else 1
        return Bank(tuple(usual[::step]), tuple(stamps), size, np.ascontiguousarray(np.stack(columns, axis=1)), prices)

    @property
    def half(self) -> int:
        """Px from a mask's middle to its rim."""
        return self.size // 2


class Silhouettes:
    """Draws the masks once for each kind and cell of the board."""

    def __init__(self, field: Field) -> None:
        self._field = field
        self._banks = functools.cache(self._draw)
        self._turned = functools.cache(self._draw_turned)

    def at(self, kind: Kind, point: Floats) -> Bank:
        """The masks of a kind near a point (mm) of the board."""
        cell = np.round(np.asarray(point) / CELL_MM).astype(int)
        return self._banks(kind, int(cell[0]), int(cell[1]))

    def _draw(self, kind: Kind, cell_x: int, cell_y: int) -> Bank:
        stamps = [self._turned(shape, cell_x, cell_y, kind.foot) for shape in kind.shapes]
        return Bank.of(kind, [s for group in stamps for s in group])

    def _draw_turned(self, shape: Shape, cell_x: int, cell_y: int, foot: float) -> list[Stamp]:
        """Kinds that differ by their paint alone share these."""
        at = np.array([cell_x, cell_y]) * CELL_MM
        low = self._field.lean_px(at, foot)

        @functools.cache
        def place(height: float) -> Floats:
            return self._field.lean_px(at, foot + height) - low

        stamps = []
        for k in range(shape.turns):
            angle = np.radians(shape.turn * k / shape.turns)
            faces = _faces(shape, angle, place, self._field.view.px_per_mm)
            mask, rough = _mask(faces, SHRINK), _mask(faces, 2 * SHRINK)
            stamps.append(Stamp(shape, angle, mask, rough, float(mask.sum())))
        return stamps


def _faces(shape: Shape, angle: float, lean: Callable[[float], Floats], px_per_mm: float) -> list[Floats]:
    """Polygons (N x 2, view px) whose union is the outline, relative to where the middle of the foot appears."""
    along = np.array([np.cos(angle), np.sin(angle)]) * px_per_mm
    across = np.array([-along[1], along[0]])
    if shape.upright:
        near, far = (
            np.array([x * along + side * shape.thickness / 2 * across + lean(y) for x, y in shape.profile])
            for side in (-1, 1)
        )
    else:
        near, far = (
            np.array([x * along + y * across for x, y in shape.profile]) + lean(height)
            for height in (0.0, shape.thickness)
        )
    sides = [np.array([near[i], near[i - 1], far[i - 1], far[i]]) for i in range(len(shape.profile))]
    return [near, far, *sides]


def _mask(faces: list[Floats], shrink: int) -> Floats32:
    """The faces' mask, `shrink` times smaller, with shares at its rim; its middle pixel is centred on (0, 0)."""
    reach = int(np.ceil((max(np.abs(f).max() for f in faces) + 1) / shrink))
    size = (2 * reach + 1) * shrink
    mask = np.zeros((size, size), np.uint8)
    # the middle of the middle cell, in the fine raster
    middle = size / 2 - 0.5
    for face in faces:
        cv2.fillPoly(mask, [np.round((face + middle) * 16).astype(np.int32)], (255,), cv2.LINE_8, 4)
    small = cv2.resize(mask, (2 * reach + 1, 2 * reach + 1), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32) / np.float32(255)
