"""Places in the view, and how much of each something covers: hexes, prisms that stand on them, safe lands."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from calibration.arrays import Bytes, Mask, Pixels


class Places:
    """Some places, which may overlap. All are asked about at once: one by one takes three times as long."""

    def __init__(self, pixels: Sequence[Pixels]) -> None:
        """`pixels`: flat indices of each place's pixels in the view, at least one."""
        self._pixels = np.concatenate(pixels)
        self._sizes = np.array([len(some) for some in pixels])
        self._firsts = np.cumsum(self._sizes) - self._sizes

    def show(self, marked: Bytes | Mask, share: float) -> Mask:
        """In which places more than this share of the pixels is `marked` (H x W, 1 or 0)."""
        found = np.add.reduceat(marked.ravel().take(self._pixels), self._firsts, dtype=np.uint32)
        return np.asarray(found > share * self._sizes, bool)
