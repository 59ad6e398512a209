"""Numbers for how places look, so that whoever reads the pictures can tell what looks as it did before.

In: the board in reference light, picture after picture. Out: a number for each place; where it is the same in two
pictures the place looks the same, whatever stands there. Different numbers say little: the light may have changed.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from calibration.arrays import Floats32, Indices, Mask, Pixels

SCALE = 0.25
"""Pictures are compared at this scale of the view: a pixel of the mean colour of 10 mm2, in which noise is small."""

UNLIKE_LAB = 3.5
UNLIKE_PX = 12
"""A place looks different where more pixels than that, each the mean of 3 x 3, differ by more in L, a or b. Of 2533
times that something had come, gone or been exchanged on a hex of 24 rendered tables none shows fewer than 22 such
pixels, swimmers of the sea's own dark blue among them; of hexes in use and unchanged 80 in 100 look the same, also
after the lamp was moved. Single pixels tell less for their noise (8 Lab, 5 pixels: a swimmer shows 4)."""

LIGHT_LAB = np.array([[10.0], [4.0], [4.0]], np.float32)
"""By so much a whole place may be lighter or of another tinge, and still look the same."""

REMEMBERED = 4
"""So many looks of each place."""


Numbers = npt.NDArray[np.int64]
"""Of the look of each place, 0 for none."""


class LookMemory:
    """Remembers how places looked. `places`: flat indices of pixels of a view of that shape; they may overlap.

    `numbers` gives out the numbers: whoever begins anew goes on with those of before, so that none comes twice.
    """

    def __init__(self, places: Sequence[Pixels], shape: tuple[int, int], numbers: itertools.count[int]) -> None:
        coarse = [_coarse(place, shape) for place in places]
        width = max(map(len, coarse), default=0)
        self._at = np.array([np.resize(at, width) for at in coarse])  # what is filled up with is not counted
        self._counts = np.arange(width) < np.array([[len(at)] for at in coarse])
        self._looks = np.zeros((REMEMBERED, len(places), 3, width), np.float32)
        self._given = np.zeros((REMEMBERED, len(places)), np.int64)  # 0: no look yet
        self._used = np.zeros((REMEMBERED, len(places)), np.int64)
        self._now = np.zeros((len(places), 3, width), np.float32)
        self._pictures = 0
        self._numbers = numbers

    def __call__(self, coarse: Floats32, seen: Mask, *, anew: bool) -> Numbers:
        """`find`, then `add` if `anew`."""
        found = self.find(coarse, seen)
        return self.add(found, seen) if anew else found

    def find(self, coarse: Floats32, seen: Mask) -> Numbers:
        """The number of each place's look, 0 where it is not `seen` or looks as it never did.

        `coarse`: the view in Lab at `SCALE`.
        """
        self._pictures += 1
        smooth = cv2.split(cv2.blur(coarse, (3, 3)))
        now = self._now = np.stack([plane.ravel().take(self._at) for plane in smooth], axis=1)
        found = np.zeros(len(now), np.int64)
        for k in range(REMEMBERED):
            asked = np.flatnonzero(seen & (found == 0) & (self._given[k] > 0))
            if len(asked):
                alike = asked[_is_alike(now[asked] - self._looks[k, asked], self._counts[asked])]
                found[alike] = self._given[k, alike]
                self._used[k, alike] = self._pictures
        return found

    def add(self, found: Numbers, seen: Mask) -> Numbers:
        """Remember the new looks of the picture last asked about, in the place of those longest not seen.

        `found` are its numbers so far; returned are those of all that is seen.
        """
        numbers = found.copy()
        for place in np.flatnonzero(seen & (found == 0)):
            k = int(self._used[:, place].argmin())
            self._looks[k, place] = self._now[place]
            self._used[k, place] = self._pictures
            self._given[k, place] = numbers[place] = next(self._numbers)
        return numbers


def coarse_view(lab: Floats32) -> Floats32:
    """The view (H x W x 3 Lab) at `SCALE`."""
    return np.asarray(cv2.resize(lab, None, fx=SCALE, fy=SCALE, interpolation=cv2.INTER_AREA), np.float32)


def _coarse(place: Pixels, shape: tuple[int, int]) -> Indices:
    """Flat indices at `SCALE` of the pixels that lie in the place for the greater part."""
    mask = np.zeros(shape, np.float32)
    mask.ravel()[place] = 1.0
    return np.flatnonzero(cv2.resize(mask, None, fx=SCALE, fy=SCALE, interpolation=cv2.INTER_AREA) > 0.5)


def _is_alike(difference: Floats32, counts: Mask) -> Mask:
    """N: whether N x 3 x pixels differences of Lab are those of noise and light."""
    usual = np.median(difference[..., ::2], axis=2, keepdims=True)
    off = np.abs(difference - np.clip(usual, -LIGHT_LAB, LIGHT_LAB)) > UNLIKE_LAB
    return np.asarray(np.count_nonzero(off.any(axis=1) & counts, axis=1) <= UNLIKE_PX)
