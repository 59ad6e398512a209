"""Boats that their crews hide: three passengers leave little more of a boat in sight than its bow.

In: the pieces found, the raster of what speaks for wood. Out: the pieces, with a boat under each row of three
explorers that stand shoulder to shoulder and show wood about them. Swimmers seldom stand like that, and never on wood.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np

from companion.rules.layout import COLOURS
from companion.vision.evidence import Floats32
from companion.vision.field import Field
from companion.vision.fitting import HIGH
from companion.vision.piece import Piece
from companion.vision.silhouettes import SHRINK

PITCH_MM = (5.5, 15.0)
"""Distance of neighbours in a boat: the slots are 10 mm apart, half hidden feet are found to 4 mm."""

BEND_MM = 9.0
"""How far the middle one may stand beside the line of the others."""

ABOARD_MM = (19.0, 9.0)
WOOD_MM = (20.0, 10.0)
LEAST_WOOD = 9.0
"""Px (at the fitting's scale) of clear wood that have to be in sight."""

CLARITY = 0.6
CREW = 3


def add_hidden_boats(pieces: Sequence[Piece], wood: Floats32, field: Field) -> list[Piece]:
    """The pieces and the boats that their crews hide; what was taken for a creature there is the boat's wood."""
    found = list(pieces)
    boats = [p for p in found if p.kind == "boat"]
    free = [p for p in found if p.kind in COLOURS and not any(_within(p, b, ABOARD_MM) for b in boats)]
    for crew in _close(free):
        boat = _boat_under(crew)
        if boat is None or any(p not in free for p in crew) or _wood(boat, wood, field) < LEAST_WOOD * HIGH:
            continue
        free = [p for p in free if p not in crew]
        found = [p for p in found if p.kind in COLOURS or p.kind == "boat" or not _within(p, boat, ABOARD_MM)]
        found.append(boat)
    return found


def _close(free: Sequence[Piece]) -> list[tuple[Piece, ...]]:
    """All threes that stand close enough to each other to be in one boat."""
    if len(free) < CREW:
        return []
    at = np.array([p.at for p in free])
    near = np.linalg.norm(at[:, None] - at[None], axis=2) < 2 * PITCH_MM[1]
    return [
        (free[i], free[j], free[k])
        for i, j in itertools.combinations(range(len(free)), 2)
        if near[i, j]
        for k in range(j + 1, len(free))
        if near[i, k] and near[j, k]
    ]


def _boat_under(crew: Sequence[Piece]) -> Piece | None:
    """The boat that these three would stand in, None if they do not stand in a row."""
    at = np.array([p.at for p in crew])
    middle = at.mean(axis=0)
    _, _, axes = np.linalg.svd(at - middle)
    along = np.sort((at - middle) @ axes[0])
    pitches = np.diff(along)
    if pitches.min() < PITCH_MM[0] or pitches.max() > PITCH_MM[1] or np.ptp((at - middle) @ axes[1]) > BEND_MM:
        return None
    angle = math.atan2(axes[0][1], axes[0][0])
    pixel = np.mean([p.pixel for p in crew], axis=0)
    return Piece("boat", pixel, middle, angle, CLARITY)


def _within(piece: Piece, boat: Piece, half: tuple[float, float]) -> bool:
    offset = piece.at - boat.at
    cos, sin = math.cos(boat.angle), math.sin(boat.angle)
    return bool(abs(cos * offset[0] + sin * offset[1]) < half[0] and abs(cos * offset[1] - sin * offset[0]) < half[1])


def _wood(boat: Piece, wood: Floats32, field: Field) -> float:
    """What speaks for wood about the boat."""
    cos, sin = math.cos(boat.angle), math.sin(boat.angle)
    steps = np.arange(-24.0, 24.1, SHRINK / field.view.px_per_mm)
    x, y = np.meshgrid(steps, steps)
    inside = (np.abs(cos * x + sin * y) < WOOD_MM[0]) & (np.abs(cos * y - sin * x) < WOOD_MM[1])
    points = boat.at + np.stack([x[inside], y[inside]], axis=1)
    at = np.round(field.view.pixels(points) / SHRINK - 0.25).astype(int)
    rows, columns = wood.shape
    ok = (at[:, 0] >= 0) & (at[:, 0] < columns) & (at[:, 1] >= 0) & (at[:, 1] < rows)
    return float(np.maximum(wood[at[ok, 1], at[ok, 0]], 0.0).sum())
