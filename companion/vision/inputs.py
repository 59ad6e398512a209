"""From evidence to what the network reads: 17 planes of bytes in the view.

In: `PixelEvidence`, the bare print's Lab colours. Out: H x W x 17 uint8, planes as `CHANNELS` names them.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from calibration.appearance import CLASSES
from calibration.swatch import COLOURS, CREATURES, TERRAINS
from companion.vision.evidence import Floats32, Image, PixelEvidence

CHANNELS = (
    *("picture L", "picture a", "picture b"),
    *("reference L", "reference a", "reference b"),
    "print",
    *TERRAINS,
    *COLOURS,
    "boat",
    "creature",
    "detail",
)
"""The planes in their order: Lab of the picture in reference light, Lab of the empty board, then log densities.

All creatures are painted alike: `creature` is the highest of their densities. `detail` is what is finer than
`DETAIL_PX` in the picture's lightness, which the Lab planes have smoothed away.
"""

LAB_SCALES = ((2.55, 0.0), (1.0, 128.0), (1.0, 128.0))
"""Byte = factor * value + offset, for L, a and b."""

DENSITIES = (-18.0, -4.0)
"""The log densities that become 0 and 255; what lies beyond is clipped."""

DETAIL_PX = 1.0
DETAIL_GAIN = 2.0

Planes = npt.NDArray[np.uint8]


def network_inputs(evidence: PixelEvidence, reference_lab: Floats32) -> Planes:
    """H x W x 17: the planes of one picture. `reference_lab`: H x W x 3, the empty board in reference light."""
    planes = []
    for lab in (evidence.lab, reference_lab):
        planes += [_bytes(cv2.extractChannel(lab, i), *scale) for i, scale in enumerate(LAB_SCALES)]
    low, high = DENSITIES
    scale = 255.0 / (high - low)
    classes = {name: evidence.classes[..., i] for i, name in enumerate(CLASSES)}
    creature = cv2.max(cv2.max(classes["serpent"], classes["shark"]), classes["whale"])
    plain = (classes[name] for name in CLASSES if name not in CREATURES)
    planes += [_bytes(density, scale, -low * scale) for density in (evidence.ground, *plain, creature)]
    planes.append(_detail(evidence.picture))
    return np.asarray(cv2.merge(planes), np.uint8)


def _detail(picture: Image) -> cv2.typing.MatLike:
    lightness = cv2.extractChannel(cv2.cvtColor(picture, cv2.COLOR_BGR2Lab), 0)
    coarse = cv2.GaussianBlur(lightness, (0, 0), DETAIL_PX)
    return cv2.addWeighted(lightness, DETAIL_GAIN, coarse, -DETAIL_GAIN, 128.0)


def _bytes(values: cv2.typing.MatLike, factor: float, offset: float) -> cv2.typing.MatLike:
    """round(factor * values + offset), clipped to a byte."""
    return cv2.addWeighted(values, factor, values, 0.0, offset, dtype=cv2.CV_8U)
