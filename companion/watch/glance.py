"""Whether a picture still shows what the last one that was read showed: a look that costs a hundredth of reading it.

In: pictures, in order. Out: True for one that need not be read. Nobody moves a piece for most of an evening, and
reading the same table four times a second is what would make a small computer hot.
"""

from __future__ import annotations

import cv2
import numpy as np

from calibration.arrays import Floats32, Image

CELL_PX = 8
"""The picture is compared in cells of this size: an explorer at the farthest place of a camera fills one."""

CHANGED = 6.0
"""Of 255: a cell whose mean differs by more, in one of its colours, shows something else."""

READINGS = 6
"""So many pictures of the same are read all the same: what is concluded wants several that agree, noise and all
(of what recognition is sure, two of them; see `vision.kept`)."""

AGAIN_S = 5.0
"""So long at most is a picture not read."""


class Glance:
    """Remembers the last picture that was read."""

    def __init__(self) -> None:
        self._read: Floats32 | None = None
        self._read_at = 0.0
        self._alike = 0

    def shows_the_same(self, image: Image, now: float) -> bool:
        """True if this picture, taken at `now` (s), need not be read. If False it is taken for read from here on."""
        cells = _cells(image)
        if self._read is None or _differ(cells, self._read):
            self._alike = 0
        self._alike += 1
        if self._alike > READINGS and now - self._read_at < AGAIN_S:
            return True
        self._read, self._read_at = cells, now
        return False


def _cells(image: Image) -> Floats32:
    """The mean colours of the picture's cells, (h, w, 3)."""
    height, width = image.shape[:2]
    size = max(1, width // CELL_PX), max(1, height // CELL_PX)
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.float32)


def _differ(one: Floats32, other: Floats32) -> bool:
    """True if some cell shows something else; bands of light, which a lamp sends over whole rows, are no change."""
    if one.shape != other.shape:
        return True
    change = one - other
    change -= np.median(change, axis=1, keepdims=True)
    return bool(np.abs(change).max() > CHANGED)
