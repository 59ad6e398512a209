"""Find where a lamp blinds the camera.

In: `PixelEvidence`. Out: a mask of pixels that are burnt out, were not so on the empty board, and are no pale tile's:
there is nothing to be read in them, and nobody can take it away as a hand.
"""

from __future__ import annotations

import cv2
import numpy as np

from calibration import Calibration
from calibration.arrays import Image, Mask
from companion.vision.evidence import PixelEvidence
from companion.vision.hands import TILE

BURNT_OUT = 245
"""A pixel whose darkest channel is at least so bright is burnt out."""

HALO_MM = 1.5
"""So far round it a lens spreads the light."""

MOSTLY = 0.5
"""What looks like an arm and is burnt out for the greater part is glare; a white sleeve has shadows."""


class GlareStep:
    """Finds glare."""

    def __init__(self, calibration: Calibration) -> None:
        side = 2 * round(HALO_MM * calibration.view.px_per_mm) + 1
        self._disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
        self._white = cv2.dilate(_burnt_out(calibration.reference_image), self._disc)

    def __call__(self, evidence: PixelEvidence) -> Mask:
        """H x W: True where the picture is blinded, and a little round it."""
        burnt = cv2.bitwise_and(_burnt_out(evidence.picture), cv2.bitwise_not(self._white))
        if not cv2.countNonZero(burnt):
            return np.zeros(burnt.shape, bool)
        burnt[evidence.tile > TILE] = 0
        return np.asarray(cv2.dilate(burnt, self._disc) > 0)


def _burnt_out(picture: Image) -> Image:
    """H x W: 255 or 0."""
    return np.asarray(cv2.inRange(picture, (BURNT_OUT,) * 3, (255,) * 3), np.uint8)
