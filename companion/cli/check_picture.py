"""What a camera's picture tells of its lens and of the light, for `companion doctor`."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.cli.finding import Finding

DARK, BRIGHT = 20, 235
"""Mean brightness (of 255) outside which a picture is of no use: the lens is covered, or the exposure wrong."""

BURNT, BURNT_SHARE = 250, 0.03
"""A lamp mirrored in the board, or daylight on it: so large a share of the picture is no longer to be read."""

SHARP = 0.06
"""The sharpness of a picture of the set is 0.15 or more, 0.08 if it is blurred by 2 px, 0.04 by 4 px."""

_WIDTH = 960


def exposure(image: NDArray[np.uint8]) -> Finding:
    """Whether it is neither black nor white, nor burnt out in places. (H, W, 3) uint8 BGR."""
    brightness = float(image.mean())
    if brightness < DARK:
        return Finding("light", "missing", "The picture is black. Is the lens covered, is there light?")
    if brightness > BRIGHT:
        return Finding("light", "missing", "The picture is white. Turn the lamp away from the camera.")
    burnt = float((image.min(axis=2) >= BURNT).mean())
    if burnt > BURNT_SHARE:
        text = f"{100 * burnt:.0f} % of the picture is burnt out: a lamp is mirrored there, or the sun shines on it."
        return Finding("light", "note", text)
    return Finding("light", "ok", f"Brightness {brightness:.0f} of 255.")


def focus(image: NDArray[np.uint8]) -> Finding:
    """Whether something in it is sharp."""
    now = sharpness(image)
    if now < SHARP:
        text = (
            f"The picture is not sharp ({now:.2f}, {SHARP:.2f} is wanted). Is the table in it? Wipe the lens. The ring "
            "of an HQ camera is turned by hand; others stand as they were calibrated: calibrate anew, which focuses."
        )
        return Finding("lens", "note", text)
    return Finding("lens", "ok", f"Sharp ({now:.2f}).")


def sharpness(image: NDArray[np.uint8]) -> float:
    """How strong the strongest edges are in a neighbourhood of some px, as a share of the picture's contrast."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    height, width = grey.shape
    small = cv2.resize(grey, (_WIDTH, max(1, round(height * _WIDTH / width))), interpolation=cv2.INTER_AREA)
    plain = np.asarray(small, np.float32)
    fine = np.abs(plain - cv2.GaussianBlur(plain, (0, 0), 1.5))
    low, high = np.percentile(plain, (5, 95))
    return float(np.percentile(fine, 99) / max(high - low, 1.0))
