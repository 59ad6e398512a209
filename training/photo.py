"""What a small camera makes of light: distortion, blur, vignetting, noise, white balance, tone, sharpening, JPEG.

In: linear RGB as a pinhole camera sees it. Out: a BGR picture (H, W, 3) uint8 like those of the recognition set.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated.arrays import Floats, Image
from hardware.simulated.optics import View


@dataclass(frozen=True)
class Sensor:
    """`blur`: px; `vignette`: light lost in the corners; `shot`, `read`: noise at full light and in the dark, of full
    scale; `contrast` of the tone curve; `saturation`; `sharpen`; JPEG `quality`."""

    blur: float
    vignette: float
    shot: float
    read: float
    contrast: float
    saturation: float
    sharpen: float
    quality: int


def make_sensor(rng: np.random.Generator) -> Sensor:
    """A camera."""
    return Sensor(
        blur=float(rng.uniform(0.45, 1.05)),
        vignette=float(rng.uniform(0.05, 0.45)),
        shot=float(rng.uniform(0.002, 0.014)),
        read=float(rng.uniform(0.0008, 0.004)),
        contrast=float(rng.uniform(0.0, 0.6)),
        saturation=float(rng.uniform(0.85, 1.25)),
        sharpen=float(rng.uniform(0.0, 0.9)),
        quality=int(97 - 60 * rng.uniform() ** 2),  # webcams pack hard, still cameras hardly
    )


_LEVELS = 65535
"""Of light, when it is toned."""

MAX_PIXELS = 600_000
"""A wide lens would need a huge pinhole picture for the sake of its middle: it is rendered coarser from here on."""


def box_around(view: View, points: NDArray[np.float64], margin: int = 6) -> tuple[int, int, int, int]:
    """Where all of `points` (N, 3 world mm) are seen, `margin` px more: left, top, right, bottom."""
    width, height = view.size
    edge = np.clip(view.project(points), 0, (width - 1, height - 1))
    x0, y0 = np.floor(edge.min(axis=0)).astype(int) - margin
    x1, y1 = np.ceil(edge.max(axis=0)).astype(int) + margin
    return max(0, int(x0)), max(0, int(y0)), min(width, int(x1)), min(height, int(y1))


class Window:
    """Which part of the pinhole picture a camera needs to see a part of its own, of `most` px at most.

    `box`: left, top, right, bottom in the camera's picture. `width`, `height`: of the pinhole picture to render, whose
    camera has the focal length `focal` and the principal point `centre`, all in its own px.
    """

    def __init__(self, view: View, box: tuple[int, int, int, int], most: int) -> None:
        self.box = left, top, right, bottom = box
        columns, rows = np.meshgrid(np.arange(left, right, dtype=np.float64), np.arange(top, bottom, dtype=np.float64))
        pixels = np.stack([columns.ravel(), rows.ravel()], axis=1).reshape(-1, 1, 2)
        straight = cv2.undistortPoints(pixels, view.matrix, view.distortion).reshape(-1, 2)
        pinhole = straight * (view.matrix[0, 0], view.matrix[1, 1]) + (view.matrix[0, 2], view.matrix[1, 2])
        low, high = np.floor(pinhole.min(axis=0)) - 1, np.ceil(pinhole.max(axis=0)) + 2
        scale = min(1.0, float(np.sqrt(most / np.prod(high - low))))
        self.width, self.height = (int(np.ceil(side)) for side in (high - low) * scale)
        self.focal = float(view.matrix[0, 0]) * scale
        middle = (np.array([view.matrix[0, 2], view.matrix[1, 2]]) - low + 0.5) * scale - 0.5
        self.centre = float(middle[0]), float(middle[1])
        self._map = ((pinhole - low + 0.5) * scale - 0.5).reshape(bottom - top, right - left, 2).astype(np.float32)

    def bend(self, pinhole: Floats) -> Floats:
        """The window's part of the picture, the lens's distortion put in."""
        return np.asarray(cv2.remap(pinhole, self._map[..., 0], self._map[..., 1], cv2.INTER_CUBIC), np.float32)


def develop(light: Floats, gains: NDArray[np.float64], sensor: Sensor, rng: np.random.Generator) -> Image:
    """A whole picture (H, W, 3) of linear RGB, `gains` (3,) on the channels, as a JPEG's pixels, BGR."""
    height, width = light.shape[:2]
    y = np.linspace(-1, 1, height, dtype=np.float32)[:, None]
    x = np.linspace(-1, 1, width, dtype=np.float32)
    fall = 1 - np.float32(sensor.vignette) * (x * x + y * y * np.float32((height / width) ** 2)) / np.float32(
        1 + (height / width) ** 2
    )
    seen: Floats = np.maximum(light, 0)
    seen *= gains.astype(np.float32)
    seen *= fall[..., None]
    seen = _blurred(seen, sensor.blur)
    noise = _blurred(rng.standard_normal(seen.shape, np.float32), 0.55)
    noise *= np.float32(0.6 * 1.7)
    grey = _blurred(rng.standard_normal(seen.shape[:2], np.float32), 0.5)
    grey *= np.float32(0.8 * 1.6)
    noise += grey[..., None]
    strength = np.sqrt(seen)
    strength *= np.float32(sensor.shot)
    strength += np.float32(sensor.read)
    noise *= strength
    seen += noise
    seen = np.asarray(cv2.transform(seen, _saturated(sensor.saturation)), np.float32)
    picture = _toned(sensor.contrast)[
        (np.clip(seen, 0, 1, out=seen) * np.float32(_LEVELS) + np.float32(0.5)).astype(np.uint16)
    ]
    soft = cv2.GaussianBlur(picture, (0, 0), 1.4)
    sharp = cv2.addWeighted(picture, 1 + sensor.sharpen, soft, -sensor.sharpen, 0.0)
    eight = cv2.cvtColor(cv2.convertScaleAbs(np.maximum(sharp, 0, out=sharp)), cv2.COLOR_RGB2BGR)
    _, packed = cv2.imencode(".jpg", eight, [cv2.IMWRITE_JPEG_QUALITY, sensor.quality])
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def _blurred(values: Floats, sigma: float) -> Floats:
    return np.asarray(cv2.GaussianBlur(values, (0, 0), sigma), np.float32)


def _saturated(share: float) -> NDArray[np.float32]:
    """What makes RGB so much more colourful than it is, (3, 3)."""
    luma = np.array([0.25, 0.6, 0.15])
    return np.asarray(share * np.eye(3) + (1 - share) * luma, np.float32)


def _toned(contrast: float) -> NDArray[np.float32]:
    """What the tone curve makes of light 0 to 1, in `_LEVELS` steps: 0 to 255."""
    tone = np.linspace(0, 1, _LEVELS + 1) ** (1 / 2.2)
    return np.asarray(255 * (tone + contrast * (tone * tone * (3 - 2 * tone) - tone)), np.float32)
