"""From evidence to what the network reads: 19 planes of bytes in the view.

In: `PixelEvidence`, the bare print's Lab colours. Out: `Planes`, as `CHANNELS` names them.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from calibration.appearance import CLASSES
from calibration.arrays import Bytes, Floats32, Image
from calibration.colours import to_bytes
from companion.vision.evidence import PixelEvidence

CHANNELS = (
    *("picture L", "picture a", "picture b"),
    *("reference L", "reference a", "reference b"),
    "print",
    *CLASSES,
    "detail",
)
"""The planes in their order: Lab of the picture in reference light, Lab of the empty board, then log densities.

`detail` is what is finer than `DETAIL_PX` in the picture's lightness, which the Lab planes have smoothed away.
"""

LAB_SCALES = ((2.55, 0.0), (1.0, 128.0), (1.0, 128.0))
"""Byte = factor * value + offset, for L, a and b."""

DETAIL_PX = 1.0
DETAIL_GAIN = 2.0

SIDE_BY_SIDE = 4
"""OpenCV samples pictures of up to so many channels twice as fast as others."""

FIRSTS = range(0, len(CHANNELS), SIDE_BY_SIDE)
"""The place in `CHANNELS` of each group's first."""

Planes = npt.NDArray[np.uint8]
"""Groups x H x W x `SIDE_BY_SIDE`: `CHANNELS` in their order, zeros for what the last group lacks."""


def network_inputs(evidence: PixelEvidence, reference: Bytes) -> Planes:
    """The planes of one picture. `reference`: H x W x 3, `lab_bytes` of the empty board in its light."""
    print_ = to_bytes(evidence.ground)
    parts = [lab_bytes(evidence.lab), reference, print_, evidence.classes, _detail(evidence.picture)]
    out = empty_planes(print_.shape)
    for first, group in zip(FIRSTS, out, strict=True):
        held = range(min(SIDE_BY_SIDE, len(CHANNELS) - first))
        cv2.mixChannels([np.atleast_3d(p) for p in parts], [group], [v for i in held for v in (first + i, i)])
    return out


def empty_planes(shape: tuple[int, ...]) -> Planes:
    """All zero; `shape`: H x W."""
    return np.zeros((len(FIRSTS), *shape, SIDE_BY_SIDE), np.uint8)


def plane(planes: Planes, name: str) -> Bytes:
    """H x W: one of the planes, to look at or to change."""
    group, place = divmod(CHANNELS.index(name), SIDE_BY_SIDE)
    return planes[group, ..., place]


def lab_bytes(lab: Floats32) -> Bytes:
    """H x W x 3 CIE Lab as bytes (see `LAB_SCALES`)."""
    planes = [_bytes(cv2.extractChannel(lab, i), *scale) for i, scale in enumerate(LAB_SCALES)]
    return np.asarray(cv2.merge(planes), np.uint8)


def _detail(picture: Image) -> cv2.typing.MatLike:
    lightness = cv2.extractChannel(cv2.cvtColor(picture, cv2.COLOR_BGR2Lab), 0)
    coarse = cv2.GaussianBlur(lightness, (0, 0), DETAIL_PX)
    return cv2.addWeighted(lightness, DETAIL_GAIN, coarse, -DETAIL_GAIN, 128.0)


def _bytes(values: cv2.typing.MatLike, factor: float, offset: float) -> cv2.typing.MatLike:
    """round(factor * values + offset), clipped to a byte."""
    return cv2.addWeighted(values, factor, values, 0.0, offset, dtype=cv2.CV_8U)
