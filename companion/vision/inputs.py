"""From evidence to what the network reads: 16 planes of bytes in the view.

In: `PixelEvidence`, the bare print's Lab colours. Out: 16 x H x W uint8, planes as `CHANNELS` names them.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from calibration.appearance import CLASSES
from calibration.swatch import COLOURS, CREATURES, TERRAINS
from companion.vision.evidence import Floats32, PixelEvidence

CHANNELS = (
    *("picture L", "picture a", "picture b"),
    *("reference L", "reference a", "reference b"),
    "print",
    *TERRAINS,
    *COLOURS,
    "boat",
    "creature",
)
"""The planes in their order: Lab of the picture in reference light, Lab of the empty board, then log densities.

All creatures are painted alike: `creature` is the highest of their densities.
"""

LAB_SCALES = ((2.55, 0.0), (1.0, 128.0), (1.0, 128.0))
"""Byte = factor * value + offset, for L, a and b."""

DENSITIES = (-18.0, -4.0)
"""The log densities that become 0 and 255; what lies beyond is clipped."""

Planes = npt.NDArray[np.uint8]

_PRINT = CHANNELS.index("print")


def network_inputs(evidence: PixelEvidence, reference_lab: Floats32, out: Planes | None = None) -> Planes:
    """16 x H x W: the planes of one picture.

    `reference_lab`: H x W x 3, the empty board in reference light (`Calibration.ground.lab`). `out`: where to write,
    such as a slot of a batch; a new array if None.
    """
    if out is None:
        out = np.empty((len(CHANNELS), *evidence.ground.shape), np.uint8)
    for i, (factor, offset) in enumerate(LAB_SCALES):
        _quantise(cv2.extractChannel(evidence.lab, i), factor, offset, out[i])
        _quantise(cv2.extractChannel(reference_lab, i), factor, offset, out[i + len(LAB_SCALES)])
    low, high = DENSITIES
    scale = 255.0 / (high - low)
    classes = {name: evidence.classes[..., i] for i, name in enumerate(CLASSES)}
    creature = cv2.max(cv2.max(classes["serpent"], classes["shark"]), classes["whale"])
    plain = (classes[name] for name in CLASSES if name not in CREATURES)
    for i, density in enumerate((evidence.ground, *plain, creature), start=_PRINT):
        _quantise(density, scale, -low * scale, out[i])
    return out


def _quantise(values: cv2.typing.MatLike, factor: float, offset: float, out: Planes) -> None:
    """Write round(factor * values + offset), clipped to a byte."""
    cv2.addWeighted(values, factor, values, 0.0, offset, dst=out, dtype=cv2.CV_8U)
