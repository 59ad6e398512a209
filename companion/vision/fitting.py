"""Explain a patch of the picture by pieces: which, where, how turned, how many.

In: for each kind of piece a raster of values: log odds of a pixel showing it rather than print or tile.
Out: placements.
A set of placements is worth the sum over all pixels of what they say: a pixel within one outline counts that piece's
value, within several the best of them (one hides the other), outside nothing. Pieces are added greedily, whichever
kind is worth most, then each is fitted again with the others held, and those that are worth too little are dropped.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence

import cv2
import numpy as np

from companion.vision.catalogue import Kind
from companion.vision.evidence import Floats32
from companion.vision.field import Field, Floats
from companion.vision.silhouettes import SHRINK, Silhouettes, Stamp

HIGH = 2.5
LOW = -1.2
"""Values are clipped to these: no pixel decides alone."""

INSIDE = 0.5
"""Share of a mask's pixel from which it is covered."""

ROOM = 0.12
"""Share of a piece's outline that must be left unexplained before one more is tried."""

NEAR = 4
"""How far (px) a piece may move when it is fitted again."""

TONE = 0.4
"""How much the colour counts beside the outline when a creature is named."""

SURE = 20.0
"""How fast doubt vanishes with the difference of the scores."""

ANGLES = 3
"""How many of the best angles are tried in all places near."""

REFITS = 2
MOST = 16


@dataclasses.dataclass(frozen=True)
class Placement:
    """One piece in a patch: `row`, `column` of the middle of its foot (patch px), `gain` over the other placements.

    `seen`: px of its outline that no other placement covers. `doubt`: another kind it may be, with its probability.
    """

    kind: Kind
    stamp: Stamp
    row: int
    column: int
    gain: float
    seen: float
    doubt: tuple[str, float] | None = None

    @property
    def window(self) -> tuple[slice, slice]:
        """The part of the padded patch that the mask covers."""
        half = self.stamp.mask.shape[0] // 2
        return slice(self.row - half, self.row + half + 1), slice(self.column - half, self.column + half + 1)

    @property
    def net(self) -> float:
        """Gain less the price of assuming the piece."""
        return self.gain - _price(self.kind, self.stamp)

    @property
    def enough(self) -> bool:
        """True if it is worth what its kind asks for."""
        return self.gain >= HIGH * max(self.kind.least * self.stamp.area, self.kind.least_seen * self.seen)

    @property
    def clarity(self) -> float:
        """Gain as a share of the most that its visible outline could gather."""
        return float(np.clip(self.gain / (HIGH * max(self.seen, 0.3 * self.stamp.area)), 0.0, 1.0))


class PatchFitter:
    """Fits one patch; `origin`: (column, row) of the patch in the raster of the fitting's scale."""

    def __init__(
        self, values: Mapping[Kind, Floats32], origin: tuple[int, int], field: Field, silhouettes: Silhouettes
    ) -> None:
        shape = next(iter(values.values())).shape
        middle = (np.array(origin) + (np.array(shape[::-1]) - 1) / 2) * SHRINK
        self._banks = {kind: silhouettes.at(kind, field.foot(middle, kind.foot)) for kind in values}
        # room for a foot outside the patch with its head inside, and for the mask round that foot
        pad = 2 * max(b.half for b in self._banks.values()) + 2 * NEAR
        self._values = {
            kind: _padded(v, pad)
            for kind, v in values.items()
            if float(v[v > 0].sum()) >= HIGH * kind.least * self._banks[kind].stamps[0].area
        }
        # even, so that a pixel of the first search is four of these
        self._shape = (shape[0] + shape[0] % 2 + 2 * pad, shape[1] + shape[1] % 2 + 2 * pad)
        self._origin = np.array(origin) - pad

    def fit(self) -> list[Placement]:
        """The placements that explain the patch."""
        placed: list[Placement] = []
        while len(placed) < MOST:
            new = next((p for p in self._found(placed, enough=True) if p.enough), None)
            if new is None:
                break
            placed.append(new)
        placed = self._pruned(self._refitted(placed))
        while 0 < len(placed) < MOST:
            # two pieces that touch may have been taken for one in their middle: make room, and see if it pays
            new = next(self._found(placed), None)
            if new is None or new.gain < HIGH * ROOM * new.stamp.area:
                break
            more = self._pruned(self._refitted([*placed, new]))
            if len(more) <= len(placed) or self._worth(more) <= self._worth(placed):
                break
            placed = more
        return [self._named(p, placed[:i] + placed[i + 1 :]) for i, p in enumerate(placed)]

    def pixel(self, placement: Placement) -> Floats:
        """Where the middle of the foot appears, view px (column, row)."""
        at = np.array([placement.column, placement.row], float) + self._origin
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

    def _worth(self, placed: Sequence[Placement]) -> float:
        """What a set of placements explains, less the price of each piece."""
        worth, _ = self._state(placed)
        return float(worth.sum()) - sum(_price(p.kind, p.stamp) for p in placed)

    def _found(self, placed: Sequence[Placement], enough: bool = False) -> Iterator[Placement]:
        """Placements, one a family, that add most, the most worthy first; `enough`: only those that could suffice."""
        state = self._state(placed)
        rough = []
        for kind, values in self._values.items():
            adds = _added(values, *state)
            share = max(ROOM, 0.8 * kind.least) if enough else ROOM
            if float(adds[adds > 0].sum()) >= HIGH * share * self._banks[kind].stamps[0].area:
                rough.append(self._searched(kind, adds))
        families = set()
        for new in sorted((p for p in rough if p), key=lambda p: -p.net):
            if new.kind.family not in families:
                families.add(new.kind.family)
                yield self._near(new, state)

    def _searched(self, kind: Kind, adds: Floats32) -> Placement | None:
        """The best placement anywhere, at half the scale and in the usual shape; None if none adds anything."""
        bank = self._banks[kind]
        rough = cv2.resize(adds, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        rim = (bank.half + NEAR) // 2 + 1
        best: Placement | None = None
        for stamp in bank.usual:
            response = cv2.filter2D(rough, -1, stamp.rough, borderType=cv2.BORDER_CONSTANT)
            _, gain, _, (column, row) = cv2.minMaxLoc(response[rim:-rim, rim:-rim])
            new = Placement(kind, stamp, 2 * (row + rim), 2 * (column + rim), 4 * gain, stamp.area)
            if gain > 0 and (best is None or new.net > best.net):
                best = new
        return best

    def _near(self, old: Placement, state: tuple[Floats32, Floats32]) -> Placement:
        """The best placement of a piece near where it is; it may turn out to be another kind of its family."""
        best: Placement | None = None
        for kind, values in self._values.items():
            if kind.family == old.kind.family:
                adds = _added(values, *state)
                new = self._fitted(kind, adds, old.row, old.column)
                new = self._fitted(kind, adds, new.row, new.column)
                if best is None or new.net > best.net:
                    best = new
        if best is None or best.gain <= 0:
            return old
        return dataclasses.replace(best, seen=best.stamp.area - float((state[1][best.window] * best.stamp.mask).sum()))

    def _named(self, old: Placement, others: Sequence[Placement]) -> Placement:
        """Creatures are alike in colour: which one it is, is told by whose outline fits best what is dark and free."""
        kin = [k for k in self._values if k.creature]
        if not old.kind.creature or len(kin) < 2:
            return old
        _, covered = self._state(others)
        reach = max(self._banks[k].half for k in kin) + NEAR
        row, column = (
            min(max(at, reach), size - reach - 1) for at, size in zip((old.row, old.column), self._shape, strict=True)
        )
        around = (slice(row - reach, row + reach + 1), slice(column - reach, column + reach + 1))
        values = {k: np.where(covered[around] > 0, 0.0, self._values[k][around]) for k in kin}
        brightest = np.max(list(values.values()), axis=0)
        dark = np.clip(brightest / HIGH, 0.0, 1.0).astype(np.float32)
        total = float(dark.sum())
        best: tuple[float, Placement] | None = None
        scores: dict[str, float] = {}
        for kind in kin:
            bank = self._banks[kind]
            tone = float(((values[kind] - brightest) * dark).sum()) / max(total, 1.0)
            inner = reach - bank.half - NEAR
            part = dark[inner : dark.shape[0] - inner, inner : dark.shape[1] - inner]
            windows = np.lib.stride_tricks.sliding_window_view(part, (bank.size, bank.size)).reshape(-1, bank.size**2)
            shared = windows @ bank.matrix
            overlap = shared / (total + np.array([s.area for s in bank.stamps]) - shared)
            at, k = np.unravel_index(int(overlap.argmax()), overlap.shape)
            down, right = divmod(int(at), 2 * NEAR + 1)
            scores[kind.name] = float(overlap[at, k]) + TONE * tone
            if best is None or scores[kind.name] > best[0]:
                new = dataclasses.replace(
                    old, kind=kind, stamp=bank.stamps[k], row=row + down - NEAR, column=column + right - NEAR
                )
                best = (scores[kind.name], new)
        assert best is not None
        doubt = max((score, name) for name, score in scores.items() if name != best[1].kind.name)
        share = 1 / (1 + np.exp(SURE * (best[0] - doubt[0])))
        return dataclasses.replace(best[1], doubt=(doubt[1], float(share)))

    def _fitted(self, kind: Kind, adds: Floats32, row: int, column: int) -> Placement:
        """The best mask at one place, then the best place for the best few masks."""
        bank = self._banks[kind]
        half, reach = bank.half, bank.half + NEAR
        row = min(max(row, reach), self._shape[0] - reach - 1)
        column = min(max(column, reach), self._shape[1] - reach - 1)
        here = adds[row - half : row + half + 1, column - half : column + half + 1]
        prices = HIGH * bank.prices
        few = np.argsort(prices - here.ravel() @ bank.matrix)[:ANGLES]
        part = adds[row - reach : row + reach + 1, column - reach : column + reach + 1]
        windows = np.lib.stride_tricks.sliding_window_view(part, (bank.size, bank.size)).reshape(-1, bank.size**2)
        gains = windows @ bank.matrix[:, few]
        at, k = np.unravel_index(int((gains - prices[few]).argmax()), gains.shape)
        down, right = divmod(int(at), 2 * NEAR + 1)
        stamp = bank.stamps[few[k]]
        return Placement(kind, stamp, row + down - NEAR, column + right - NEAR, float(gains[at, k]), stamp.area)

    def _refitted(self, placed: Sequence[Placement]) -> list[Placement]:
        """Each piece fitted again near its place, the others held, until none moves."""
        fitted = list(placed)
        for _ in range(REFITS if len(fitted) > 1 else 0):
            moved = False
            for i, old in enumerate(fitted):
                new = self._near(old, self._state(fitted[:i] + fitted[i + 1 :]))
                if (new.stamp, new.row, new.column) != (old.stamp, old.row, old.column):
                    fitted[i], moved = new, True
            if not moved:
                break
        return fitted

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
        worth, covered = (raster[p.window] for raster in self._state(others))
        adds = _added(self._values[p.kind][p.window], worth, covered)
        mask = p.stamp.mask
        return dataclasses.replace(p, gain=float((adds * mask).sum()), seen=float(((1 - covered) * mask).sum()))


def _price(kind: Kind, stamp: Stamp) -> float:
    """What a piece has to explain before it is worth to be assumed, the more the seldomer it lies like that."""
    return HIGH * (kind.price + stamp.shape.rare)


def _added(values: Floats32, worth: Floats32, covered: Floats32) -> Floats32:
    """What each pixel would add if the piece lay there: where others lie, only what it explains better than they."""
    return np.asarray(np.where(covered > 0, np.maximum(values - worth, 0.0), values), np.float32)


def _padded(values: Floats32, pad: int) -> Floats32:
    rows, columns = values.shape
    border = (pad, pad + rows % 2, pad, pad + columns % 2)
    return np.asarray(cv2.copyMakeBorder(values, *border, cv2.BORDER_CONSTANT, value=(LOW / 2,)), np.float32)
