"""How much of its print each hex shows: what reads bare and shows nothing of it is covered.

In: `PixelEvidence`. Out: `Shown`. A cloth or a sleeve of the sea's own colours is the print pixel by pixel; but the
print has lines, waves, grain, and where the board is bare they are seen, as strong as on the empty board.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from calibration import Calibration
from calibration.arrays import Floats32, Mask
from companion.rules.geometry import Board
from companion.vision.evidence import FOREIGN, PixelEvidence, shrunk, structure
from companion.vision.field import Field
from companion.vision.sharpness import MEDIAN_DEVIATION

LEVELS, NEAR, LEAST_PIXELS = np.arange(0.0, 101.0, 10.0), 7.0, 500
"""Lightnesses (L of Lab) at which noise is measured, in what is so near to them, if it is so many pixels (shrunk)."""

NOISE_MARGIN = 1.2
"""The view is smoothed, neighbours' noise is alike: it is more than what they differ by tells."""

LEAST_SHARE = 0.25
"""No more than the rest of the print's power is noise, or nothing can be told."""

ALIKE = 1.5
"""Errors are so many times those of pixels each by itself: neighbours err alike."""

BEST_PERCENTILE, BEST = 80.0, (0.35, 1.0)
"""Contrasts are shares of that where the print is seen best, within these limits: a picture may be less sharp than that
of the empty board, or stored with less detail. Of 21 pictures blurred by 1.5 px (of 1536 the width) no hex more is
hidden than without `printed`, 178 were before there were shares; stored as JPEG of quality 15 60, which were 182."""

MISSING, SURELY, CERTAIN = 0.3, 0.55, 3.0
"""The print is missing where its contrast is below `MISSING`, and `CERTAIN` standard errors more would not be `SURELY`.
Of 9400 bare hexes of 159 pictures of 76 sessions the median is 1.02, one in a hundred is below 0.31; under cloths it is
0 within 0.03, within 0.15 if their weave is coarse."""

DOUBTED, BLIND = 0.4, 0.3
"""It is not vouched for either by less contrast, or with a larger standard error."""

SEEN, SEEN_BY, MOSTLY = 0.4, 2.0, 0.7
"""The print is surely seen if its contrast is more than this by so many standard errors, and if it explains so much of
the hex: what its edge shows tells nothing of what is under a sheet."""

LEAST_AGAIN = 0.3
"""Where another picture shows no more of a hex's print, nothing is told: what was taken for print is noise."""


class Shown(NamedTuple):
    """By hex, in the board's order: the contrast of its print, some 1 where it is bare, and the standard error of that;
    the share of its face that the print explains, of which alone that is told.

    The error is infinite where the print has no structure to tell by, or none of it is in sight.
    """

    contrast: Floats32
    error: Floats32
    explained: Floats32

    def again(self, bare: Mask, board: Board) -> Floats32:
        """By hex the share of its print, 1 at most, that is seen in a picture in which nothing lies on `bare` hexes.

        It is what is seen and one standard error more, of what is bare among the hex and its neighbours the median: a
        shadow falls on one of them, a dark sea is all round it. Where nothing can be told it is 1.
        """
        told = bare & np.isfinite(self.error)
        own = np.clip(self.contrast + np.where(told, self.error, 0.0), 0.0, 1.0)
        near = (np.array([board.index[n] for n in (h, *board.neighbours[h])]) for h in board.hexes)
        found = [np.median(own[some[told[some]]]) if told[some].any() else 1.0 for some in near]
        return np.array(found, np.float32)

    def of_what_is_seen(self, again: Floats32) -> Shown:
        """The same, of what of the print can be seen at all (`again`)."""
        share = np.maximum(again, LEAST_AGAIN)
        error = np.where(again > LEAST_AGAIN, self.error / share, np.inf)
        return Shown((self.contrast / share).astype(np.float32), error.astype(np.float32), self.explained)

    def missing(self) -> Mask:
        """Of which hexes nothing of the print is seen that is there."""
        return (self.contrast < MISSING) & (self.contrast + CERTAIN * self.error < SURELY)

    def surely(self) -> Mask:
        """Of which hexes the print is surely seen, on most of their face."""
        return (self.contrast - SEEN_BY * self.error > SEEN) & (self.explained > MOSTLY)

    def doubtful(self) -> Mask:
        """Of which hexes it cannot be said that their print is seen."""
        return (self.contrast < DOUBTED) | (self.error > BLIND)


class PrintStep:
    """Looks at one picture after the other, all of one board."""

    def __init__(self, calibration: Calibration, field: Field, inside: Mask) -> None:
        """`inside`: H x W, where the camera sees the calibration's view."""
        lab = calibration.ground.lab()
        numbers = np.full(inside.shape, -1)
        for number, h in enumerate(field.board.hexes):
            numbers.ravel()[field.pixels(h)] = number
        of_pixels = shrunk(np.where(inside, numbers, -1)).ravel()
        places = np.argsort(of_pixels, kind="stable")  # hex by hex
        self._at = places[np.searchsorted(of_pixels, 0, sorter=places) :]
        self._seen, self._firsts = np.unique(of_pixels[self._at], return_index=True)
        self._count = len(field.board.hexes)
        self._pixels = np.maximum(self._sums(np.ones(len(self._at), np.float32)), 1.0)
        self._print = structure(lab).ravel()[self._at]
        light = np.ascontiguousarray(shrunk(lab[..., 0]))
        self._noise_power = _noise(light, shrunk(calibration.on_board & inside)).ravel()[self._at] ** 2

    def __call__(self, evidence: PixelEvidence) -> Shown:
        """Ask how much of the print a picture shows, hex by hex."""
        # what leans in from beside does not count
        explained = (shrunk(evidence.ground).ravel()[self._at] > FOREIGN).astype(np.float32)
        known, seen = self._print * explained, evidence.structure.ravel()[self._at] * explained
        pixels, power, both, squares = map(self._sums, (explained, known**2, known * seen, seen**2))
        # what noise adds to the picture of the empty board is in no other picture
        clean = power - self._sums(self._noise_power * explained)
        told = clean > LEAST_SHARE * power
        power, clean = np.where(told, power, 1.0), np.where(told, clean, 1.0)
        left = np.maximum(squares - both**2 / power, 0.0) / np.maximum(pixels, 1.0)
        contrast = np.where(told, both / clean, 0.0)
        error = np.where(told, ALIKE * np.sqrt(left * power) / clean, np.inf)
        certain = contrast[error < BLIND]
        best = np.clip(np.percentile(certain, BEST_PERCENTILE), *BEST) if len(certain) else 1.0
        found = contrast / best, error / best, pixels / self._pixels
        return Shown(*(values.astype(np.float32) for values in found))

    def _sums(self, values: Floats32) -> npt.NDArray[np.float64]:
        """By hex, of the values of all its pixels; 0 for one that the camera does not see."""
        sums = np.zeros(self._count)
        sums[self._seen] = np.add.reduceat(values, self._firsts)
        return sums


def _noise(light: Floats32, there: Mask) -> Floats32:
    """The standard deviation of the noise, pixel by pixel, by how light it is: darkness is brightened, and its noise.

    It is told by what is left of four neighbours when both slopes are taken away (Immerkaer 1996), lines along either
    axis with them. What is all structure has more of it than noise: then less can be told.
    """
    corners = np.abs(light[1:, 1:] - light[1:, :-1] - light[:-1, 1:] + light[:-1, :-1])[there[1:, 1:]] / 2
    lightness = light[1:, 1:][there[1:, 1:]]
    if not corners.size:
        return np.zeros_like(light)
    whole = float(np.median(corners))
    near = (corners[np.abs(lightness - at) < NEAR] for at in LEVELS)
    levels = [float(np.median(some)) if len(some) > LEAST_PIXELS else whole for some in near]
    return np.asarray(NOISE_MARGIN / MEDIAN_DEVIATION * np.interp(light, LEVELS, levels), np.float32)
