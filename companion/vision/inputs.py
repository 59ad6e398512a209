"""From evidence to what the network reads: 19 planes of bytes in the view.

In: `PixelEvidence`, the bare print's Lab colours. Out: `Planes`, as `CHANNELS` names them.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from calibration.appearance import CLASSES
from calibration.arrays import Bytes, Floats32, Image
from calibration.colours import SIDE_BY_SIDE, rounded, to_bytes
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

_LAB_TO_BYTES = np.column_stack([np.diag([factor for factor, _ in LAB_SCALES]), [offset for _, offset in LAB_SCALES]])

DETAIL_PX = 1.0
DETAIL_GAIN = 2.0

STORED = (
    ("picture L", "picture a", "picture b", "detail"),
    ("reference L", "reference a", "reference b", "print"),
    *(CLASSES[first : first + SIDE_BY_SIDE] for first in range(0, len(CLASSES), SIDE_BY_SIDE)),
)
"""How the planes lie in memory, by groups: densities as they were looked up."""

Planes = Sequence[Bytes]
"""H x W x `SIDE_BY_SIDE` for each group of `STORED`, zeros for what the last one lacks."""

_PLACES = {name: (group, place) for group, names in enumerate(STORED) for place, name in enumerate(names)}


def network_inputs(evidence: PixelEvidence, reference: Bytes) -> Planes:
    """The planes of one picture. `reference`: H x W x 3, `lab_bytes` of the empty board in its light."""
    seen = _together(lab_bytes(evidence.lab), _detail(evidence.picture))
    return [seen, _together(reference, to_bytes(evidence.ground)), *evidence.classes]


def shrunk(planes: Planes, by: int) -> Planes:
    """The planes in coarser pixels, each the mean of `by` x `by`; what is over at the right and below falls off."""
    rows, columns = (size // by for size in planes[0].shape[:2])
    wholes = (group[: rows * by, : columns * by] for group in planes)
    return [np.asarray(cv2.resize(w, (columns, rows), interpolation=cv2.INTER_AREA), np.uint8) for w in wholes]


def plane(planes: Planes, name: str) -> Bytes:
    """H x W: one of the planes, to look at or to change."""
    group, place = _PLACES[name]
    return planes[group][..., place]


def _together(three: Bytes, fourth: Bytes) -> Bytes:
    """H x W x 4 of H x W x 3 and H x W."""
    out = np.empty((*fourth.shape, SIDE_BY_SIDE), np.uint8)
    cv2.mixChannels([three, fourth[..., None]], [out], [v for i in range(SIDE_BY_SIDE) for v in (i, i)])
    return out


def lab_bytes(lab: Floats32) -> Bytes:
    """H x W x 3 CIE Lab as bytes (see `LAB_SCALES`), rounded."""
    return rounded(cv2.transform(lab, _LAB_TO_BYTES))


def _detail(picture: Image) -> Bytes:
    lightness = cv2.extractChannel(cv2.cvtColor(picture, cv2.COLOR_BGR2Lab), 0)
    coarse = cv2.GaussianBlur(lightness, (0, 0), DETAIL_PX)
    return np.asarray(cv2.addWeighted(lightness, DETAIL_GAIN, coarse, -DETAIL_GAIN, 128.0), np.uint8)
