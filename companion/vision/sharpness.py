"""How much of the print's fine detail a picture shows.

In: a picture in the calibration's view, the calibration. Out: the share of the detail that is seen, in any light. A
lens out of focus, breath or a finger on it, a camera that shakes take the detail away and leave the rest: the board is
found, and small pieces are read wrongly, and surely.
"""

from __future__ import annotations

import cv2
import numpy as np

from calibration import Calibration
from calibration.arrays import Floats32, Image, Mask

BLURRED = 0.22
"""With less of it than this nothing is claimed. 169 pictures of 76 rendered sessions show 0.59 and more; blurred by a
Gaussian of 1 px (of 1536 the picture's width) they show 0.35 to 0.69, by 2 px 0.10 to 0.33, by 2.5 px 0.05 to 0.21.
Of the recognition set's 764 occupied hexes none is read wrongly as they are, 1, 4, 9 and 21 with 1, 2, 2.5 and 3 px."""

ROUND = (7, 7)
"""Detail is by how much a pixel differs from the mean of what is round it, so many view px (6 mm), as a share of that:
lines, and the edges of art."""

DARK_GREY = 16.0
"""Grey levels (of 255) that are added to that mean: where it is dark noise would be a large share of it."""

MEDIAN_DEVIATION = 0.6745
"""Median of the absolute value of a normal deviate of standard deviation 1."""

NOISES, LEAST = 4.0, 0.04
"""What differs by less than so many standard deviations of what is no line, or such a share, may be the calibration
picture's noise."""

RIM = 4
"""So many view px along the board's edge do not count: the table is beyond."""

CELL = 40
"""View px, about a hex: of so large cells each tells by itself, and the least of them are covered."""

LEAST_SHARE, LEAST_CELLS = 0.01, 12
"""A cell tells if so much of it is detail. With fewer cells than this the print has too little to tell by: 27 on the
plainest of those boards."""

SEEN_PERCENTILE = 75.0
"""Tiles, pieces and arms may cover three quarters of the cells."""


class SharpnessStep:
    """Looks at one picture after the other, all of one board."""

    def __init__(self, calibration: Calibration, inside: Mask) -> None:
        """`inside`: H x W, where the camera sees the calibration's view."""
        detail = _detail(calibration.reference_image)
        board = (calibration.on_board & inside).astype(np.uint8)
        rim = np.ones((2 * RIM + 1, 2 * RIM + 1), np.uint8)
        there = cv2.erode(board, rim, borderType=cv2.BORDER_CONSTANT, borderValue=0) > 0
        strength = np.abs(detail)
        noise = float(np.median(strength[there])) / MEDIAN_DEVIATION if there.any() else 0.0
        clear = there & (strength > max(NOISES * noise, LEAST))
        self._detail = detail * clear
        self._telling = _cells(clear.astype(np.float32)) > LEAST_SHARE
        self._power = _cells(self._detail**2)[self._telling]

    def __call__(self, picture: Image) -> float:
        """Of a picture (H x W x 3 uint8 BGR in the view): the share of the detail, about 1 if it is all there.

        1, too, if the print has too little of it to tell.
        """
        if len(self._power) < LEAST_CELLS:
            return 1.0
        detail = _detail(picture)
        detail *= self._detail
        seen = _cells(detail)[self._telling] / self._power
        return float(np.percentile(seen, SEEN_PERCENTILE))


def _detail(picture: Image) -> Floats32:
    """H x W: by what share each pixel is lighter than what is round it."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    mean = cv2.blur(grey, ROUND)
    lighter = np.asarray(cv2.subtract(grey, mean, dtype=cv2.CV_32F), np.float32)
    lighter /= mean + np.float32(DARK_GREY)
    return lighter


def _cells(values: Floats32) -> Floats32:
    """The means over cells of `CELL` x `CELL` px; what is left over at the right and below does not count."""
    rows, columns = (max(1, side // CELL) for side in values.shape)
    whole = values[: rows * CELL, : columns * CELL]
    return np.asarray(cv2.resize(whole, (columns, rows), interpolation=cv2.INTER_AREA), np.float32)
