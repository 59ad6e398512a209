"""Explain a patch of the picture by pieces: which, where, how turned, how many.

In: for each kind of piece a raster of values: log odds of a pixel showing it rather than print or tile. Out: placements.
A set of placements is worth the sum over all pixels of what they say: a pixel within one outline counts that piece's
value, within several the best of them (one hides the other), outside nothing. Pieces are added greedily, whichever
kind is worth most, then each is fitted again with the others held, and those that are worth too little are dropped.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from companion.vision.catalogue import Kind
from companion.vision.evidence import Floats32, Mask
from companion.vision.field import Field, Floats
from companion.vision.silhouettes import SHRINK, Silhouettes, Stamp

HIGH = 2.5
LOW = -1.2
"""Values are clipped to these: no pixel decides alone."""

INSIDE = 0.5
"""Share of a mask's pixel from which it is covered."""

ROOM = 0.12
"""Share of a piece's outline that must be left unexplained before one more is tried."""

NEAR = 5
"""How far (px) a piece may move when it is fitted again."""

REFITS = 2
MOST = 16


@dataclasses.dataclass(frozen=True)
class Placement:
    """One piece in a patch: `row`, `column` of the middle of its foot (patch px), `gain` over the other placements.

    `seen`: px of its outline that no other placement covers.
    """

    kind: Kind
    stamp: Stamp
    row: int
    column: int
    gain: float
    seen: float

    @property
    def window(self) -> tuple[slice, slice]:
        """The part of the padded patch that the mask covers."""
        half = self.stamp.mask.shape[0] // 2
        return slice(self.row - half, self.row + half + 1), slice(self.column - half, self.column + half + 1)

    @property
    def enough(self) -> bool:
        """True if it is worth what its kind asks for."""
        return self.gain >= HIGH * max(self.kind.least * self.stamp.area, self.kind.least_seen * self.seen)

    @property
    def clarity(self) -> float:
        """Gain as a share of the most that its visible outline could gather."""
        return float(np.clip(self.gain / (HIGH * max(self.seen, 0.3 * self.stamp.area)), 0.0, 1.0))


def _cost(kind: Kind, stamp: Stamp) -> float:
    """What a piece has to be worth at least, the more the seldomer it lies like that."""
    return HIGH * (kind.price + stamp.shape.rare)


class PatchFitter:
    """Fits one patch; `origin`: (column, row) of the patch in the raster of the fitting's scale."""

    def __init__(
        self, values: Mapping[Kind, Floats32], origin: tuple[int, int], field: Field, silhouettes: Silhouettes
    ) -> None:
        shape = next(iter(values.values())).shape
        middle = (np.array(origin) + (np.array(shape[::-1]) - 1) / 2) * SHRINK
        self._stamps = {
            kind: [
                stamp
                for form in kind.shapes
                for stamp in silhouettes.at(form, field.foot(middle, kind.foot), kind.foot)
            ]
            for kind in values
        }
        self._pad = max(s.mask.shape[0] for stamps in self._stamps.values() for s in stamps) // 2 + 1
        self._values = {
            kind: cv2.copyMakeBorder(v, *[self._pad] * 4, cv2.BORDER_CONSTANT, value=LOW / 2)
            for kind, v in values.items()
            if float(np.maximum(v, 0).sum()) >= HIGH * kind.least * min(s.area for s in self._stamps[kind])
        }
        self._shape = (shape[0] + 2 * self._pad, shape[1] + 2 * self._pad)
        self.origin = np.array(origin) - self._pad

    def fit(self) -> list[Placement]:
        """The placements that explain the patch."""
        placed: list[Placement] = []
        while len(placed) < MOST:
            new = self._best(placed)
            if new is None:
                break
            placed.append(new)
        if not placed:
            return placed
        placed = self._pruned(self._refitted(placed))
        while len(placed) < MOST:
            # two pieces that touch may have been taken for one in their middle: make room, and see if it pays
            new = self._best(placed, enough=False)
            if new is None or new.gain < HIGH * ROOM * new.stamp.area:
                break
            more = self._pruned(self._refitted([*placed, new]))
            if len(more) <= len(placed) or self._worth(more) <= self._worth(placed):
                break
            placed = more
        return placed

    def _refitted(self, placed: list[Placement]) -> list[Placement]:
        """Each piece fitted again near its place, the others held; creatures may turn out to be another kind."""
        placed = list(placed)
        for _ in range(REFITS if len(placed) > 1 else 0):
            moved = False
            for i, old in enumerate(placed):
                near = (old.row - NEAR, old.row + NEAR + 1, old.column - NEAR, old.column + NEAR + 1)
                again = self._best(
                    placed[:i] + placed[i + 1 :], False, [k for k in self._values if k.family == old.kind.family], near
                )
                if again is not None and (again.stamp, again.row, again.column) != (old.stamp, old.row, old.column):
                    placed[i], moved = again, True
            if not moved:
                break
        return placed

    def _worth(self, placed: Sequence[Placement]) -> float:
        """What a set of placements explains, less what each piece has to be worth at least."""
        worth, _ = self._state(placed)
        return float(worth.sum()) - sum(_cost(p.kind, p.stamp) for p in placed)

    def pixel(self, placement: Placement) -> Floats:
        """Where the middle of the foot appears, view px (column, row)."""
        at = np.array([placement.column, placement.row], float) + self.origin
        return np.asarray((at + 0.5) * SHRINK - 0.5, float)

    def _state(self, placed: Sequence[Placement]) -> tuple[Floats32, Floats32]:
        """What the placements say of each pixel, and 1 where they lie."""
        worth = np.full(self._shape, -np.inf, np.float32)
        for p in placed:
            window = worth[p.window]
            on = p.stamp.mask > INSIDE
            window[on] = np.maximum(window[on], self._values[p.kind][p.window][on])
        covered = np.isfinite(worth)
        return np.where(covered, worth, 0.0).astype(np.float32), covered.astype(np.float32)

    def _best(
        self,
        placed: Sequence[Placement],
        enough: bool = True,
        kinds: Sequence[Kind] | None = None,
        near: tuple[int, int, int, int] | None = None,
    ) -> Placement | None:
        """The placement that adds most to the others, None if none adds anything or, if asked for, enough.

        `near`: (first row, end row, first column, end column) for the foot; everywhere if not given.
        """
        worth, covered = self._state(placed)
        best: Placement | None = None
        for kind in self._values if kinds is None else kinds:
            values = self._values[kind]
            adds = np.where(covered > 0, np.maximum(values - worth, 0.0), values) if placed else values
            speaks = adds > 0
            if float(adds[speaks].sum()) < HIGH * ROOM * self._stamps[kind][0].area:
                continue
            rows, columns = self._range(speaks, near)
            pad = self._pad
            part = adds[rows.start - pad : rows.stop + pad, columns.start - pad : columns.stop + pad]
            for stamp in self._stamps[kind]:
                response = cv2.filter2D(part, -1, stamp.mask, borderType=cv2.BORDER_CONSTANT)
                _, gain, _, (column, row) = cv2.minMaxLoc(response[pad:-pad, pad:-pad])
                if gain <= 0 or (
                    best is not None and gain - _cost(kind, stamp) <= best.gain - _cost(best.kind, best.stamp)
                ):
                    continue
                new = Placement(kind, stamp, row + rows.start, column + columns.start, gain, stamp.area)
                if placed:
                    seen = stamp.area - float((covered[new.window] * stamp.mask).sum())
                    new = dataclasses.replace(new, seen=seen)
                if new.enough or not enough:
                    best = new
        return best

    def _range(self, speaks: Mask, near: tuple[int, int, int, int] | None) -> tuple[slice, slice]:
        """Rows and columns in which the foot may be: near, or where an outline can touch what speaks for the piece."""
        high, wide = self._shape[0] - self._pad, self._shape[1] - self._pad
        if near is None:
            rows, columns = np.flatnonzero(speaks.any(axis=1)), np.flatnonzero(speaks.any(axis=0))
            reach = self._pad // 2
            near = (
                int(rows[0]) - reach,
                int(rows[-1]) + reach + 1,
                int(columns[0]) - reach,
                int(columns[-1]) + reach + 1,
            )
        rows = slice(max(near[0], self._pad), min(near[1], high))
        columns = slice(max(near[2], self._pad), min(near[3], wide))
        return rows, columns

    def _pruned(self, placed: list[Placement]) -> list[Placement]:
        """Drop the least worthy while one is not worth enough beside the others; the rest with their final gains."""
        while placed:
            final = [self._measured(p, placed[:i] + placed[i + 1 :]) for i, p in enumerate(placed)]
            poor = [i for i, p in enumerate(final) if not p.enough]
            if not poor:
                return final
            worst = min(poor, key=lambda i: final[i].gain / final[i].stamp.area)
            placed = placed[:worst] + placed[worst + 1 :]
        return []

    def _measured(self, p: Placement, others: Sequence[Placement]) -> Placement:
        worth, covered = self._state(others)
        values, mask = self._values[p.kind][p.window], p.stamp.mask
        there = covered[p.window]
        adds = np.where(there > 0, np.maximum(values - worth[p.window], 0.0), values)
        return dataclasses.replace(p, gain=float((adds * mask).sum()), seen=float(((1 - there) * mask).sum()))
