"""Pictures as they would be in another light."""

from __future__ import annotations

import numpy as np

from calibration.arrays import Floats32, Image


def from_linear(light: Floats32) -> Image:
    """The picture of that linear light (... x 3; more than 1 is burnt out), which `to_linear` reads again."""
    seen = np.clip(light, 0, 1)
    encoded = np.where(seen <= 0.0031308, 12.92 * seen, 1.055 * seen ** (1 / 2.4) - 0.055)
    return np.round(255 * encoded).astype(np.uint8)
