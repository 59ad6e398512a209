"""Measure where the printed hex lines really are, against where a camera model expects them.

In: a picture of the empty board and a `Camera`. Out: line points (board frame) with their offset across the line.
The lines may be black or white, on any sea: sign and colour channel are taken from the picture itself.
"""

from __future__ import annotations

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from calibration.camera import Camera, Floats
from calibration.pictures import Image
from calibration.print import BoardPrint

ALONG = np.linspace(-7.5, 7.5, 7)
"""Sample points along each hex edge, mm from its middle (an edge is 21.9 mm long; its ends meet other lines)."""

STEP = 0.25
"""Sampling across the line, mm."""


class LinePoints(msgspec.Struct, frozen=True):
    """`points` N x 2 mm where the line should be, `normals` N x 2, `offsets` N mm along the normal, `contrast` N."""

    points: Floats
    normals: Floats
    offsets: Floats
    contrast: Floats


def measure_lines(image: Image, camera: Camera, board: BoardPrint, reach: float) -> LinePoints:
    """Look for every printed line within `reach` mm; only clear finds are kept."""
    middles, directions = board.hex_edges()
    points = (middles[:, None, :] + directions[:, None, :] * ALONG[None, :, None]).reshape(-1, 2)
    normals = np.repeat(np.stack([-directions[:, 1], directions[:, 0]], axis=1), len(ALONG), axis=0)
    profiles = _profiles(image, camera, points, normals, reach)
    signed = _polarity(profiles)
    rows = np.arange(len(points))
    peak = signed[:, 1:-1].argmax(axis=1) + 1
    left, top, right = signed[rows, peak - 1], signed[rows, peak], signed[rows, peak + 1]
    bend = left - 2 * top + right
    shift = np.where(bend < -1e-6, 0.5 * (left - right) / np.where(bend < -1e-6, bend, -1.0), 0.0)
    offsets = (peak + np.clip(shift, -0.5, 0.5)) * STEP - reach
    # a find is clear when it stands well out of its own profile
    contrast = (top - np.median(signed, axis=1)) / (np.median(np.abs(np.diff(signed, axis=1)), axis=1) + 1.0)
    inside = (peak > 1) & (peak < signed.shape[1] - 2)
    keep = inside & (contrast > np.percentile(contrast, 35))
    return LinePoints(points[keep], normals[keep], offsets[keep], contrast[keep])


def _profiles(image: Image, camera: Camera, points: Floats, normals: Floats, reach: float) -> npt.NDArray[np.float32]:
    """N x S x 3: the colour along a short line across each expected line point."""
    across = np.arange(-reach, reach + STEP / 2, STEP)
    at = points[:, None, :] + normals[:, None, :] * across[None, :, None]
    pixels = camera.project(np.dstack([at, np.zeros(at.shape[:2])]).reshape(-1, 3)).reshape(len(points), -1, 2)
    maps = pixels.astype(np.float32)
    sampled = cv2.remap(image, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.GaussianBlur(sampled.astype(np.float32), (5, 1), 1.0), np.float32)


def _polarity(profiles: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """N x S: the channel and sign in which the printed lines stand out most, as a bright ridge on a level ground."""
    best: tuple[float, npt.NDArray[np.float32]] | None = None
    for channel in (profiles.mean(axis=2), profiles[..., 0], profiles[..., 1], profiles[..., 2]):
        # black-hat and white-hat by a running mean: the line is narrow, the sea's shading is wide
        level = channel - cv2.blur(channel, (channel.shape[1] // 2 | 1, 1), borderType=cv2.BORDER_REFLECT)
        common = np.median(level, axis=0)
        spread = float(np.median(np.abs(level - common))) + 0.3
        for sign in (-1.0, 1.0):
            score = float((sign * common).max()) / spread
            if best is None or score > best[0]:
                best = (score, (sign * level).astype(np.float32))
    assert best is not None
    return best[1]
