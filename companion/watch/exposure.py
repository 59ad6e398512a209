"""Whether the light has become so different that a camera which holds its exposure has to measure anew.

In: pictures, in order. Out: True for one after which the camera is to settle. It was switched on in the dark, somebody
lit the lamp, the sun went down: what is held then shows nothing any more, however long it is looked at. A hand is no
such change: the half of the picture that it does not cover tells.
"""

from __future__ import annotations

import cv2
import numpy as np

from calibration.arrays import Image
from calibration.light import to_linear

CELLS = (32, 18)
"""The picture's brightness is the median of so many cells."""

FLOOR = 0.01
"""Linear light: what is darker is black, by whatever factor."""

DARKER, BRIGHTER = 0.4, 1.6
"""Of the light that the camera settled to. Recognition takes smaller changes out by itself; of much more too much is
cut off at white."""

FOR_S = 6.0
"""So long it must have been so, in every picture: an arm, or somebody who leans over the table, is gone by then."""

AGAIN_S = 60.0
"""Not sooner after the last time: people see the picture change, and while it settles nothing is read."""


class Exposure:
    """Remembers the brightness that the camera settled to; the first picture has it."""

    def __init__(self) -> None:
        self._settled: float | None = None
        self._settled_at = 0.0
        self._off_since: float | None = None

    def is_off(self, image: Image, now: float) -> bool:
        """True if the camera is to settle after this picture, taken at `now` (s): what comes next is its measure."""
        light = _brightness(image)
        if self._settled is None:
            self._settled, self._settled_at = light, now
        if DARKER < (light + FLOOR) / (self._settled + FLOOR) < BRIGHTER:
            self._off_since = None
            return False
        if self._off_since is None:
            self._off_since = now
        if now - self._off_since < FOR_S or now - self._settled_at < AGAIN_S:
            return False
        self._settled = self._off_since = None
        return True


def _brightness(image: Image) -> float:
    """The linear light, 0 to 1, that half of the picture has more of."""
    cells = cv2.resize(image, CELLS, interpolation=cv2.INTER_AREA)
    return float(np.median(to_linear(np.asarray(cells, np.uint8)).mean(axis=2)))
