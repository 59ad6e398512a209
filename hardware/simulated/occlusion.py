"""What counts as hidden by an arm.

In: a mask of the picture (H, W), 0 where the table is seen; outlines in px. Out: yes or no.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated.arrays import Image, Points
from hardware.simulated.plan import BoardPlan

HIDDEN_SHARE = 0.25
"""A hex counts as hidden when the arm covers more than this of its face or of a piece on it."""


def is_covered(mask: Image, outline: NDArray[np.float32]) -> bool:
    """True if more than `HIDDEN_SHARE` of a polygon lies under the mask."""
    x, y, w, h = cv2.boundingRect(outline)
    x0, y0, x1, y1 = max(0, x), max(0, y), min(mask.shape[1], x + w), min(mask.shape[0], y + h)
    if x0 >= x1 or y0 >= y1:
        return False
    inside = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.fillPoly(inside, [np.round(outline - (x0, y0)).astype(np.int32)], 1)
    return bool((mask[y0:y1, x0:x1][inside > 0] > 0).mean() > HIDDEN_SHARE) if inside.any() else False


def land_rim(plan: BoardPlan, land: str) -> Points:
    """The rim of what has to be seen of a safe land: world points (16, 3), mm."""
    centre, radius = plan.safe_land(land)
    angles = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    rim = centre + 1.4 * radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return np.column_stack([rim, np.zeros(16)])
