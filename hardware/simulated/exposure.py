"""What light, lens and sensor do to the drawn scene.

In: the scene's picture (H, W, 3) uint8 under even light. Out: the same as a small camera would deliver it: lamp
gradient, glare, vignetting, white balance, blur, sharpening, noise, JPEG.
"""

from __future__ import annotations

import cv2
import numpy as np

from hardware.simulated.arrays import Floats, Image
from hardware.simulated.optics import SUPERSAMPLE, View
from hardware.simulated.styles import Style

_BANK = 3  # noise fields; each picture takes one at a random offset and sign, which is far cheaper than new numbers


class Exposure:
    """The light on one table and the sensor above it."""

    def __init__(self, style: Style, view: View, rng: np.random.Generator) -> None:
        self._sensor = style.sensor
        width, height = view.size
        x, y = (
            m[::SUPERSAMPLE, ::SUPERSAMPLE] for m in view.plane(0.0, 0, 0, width * SUPERSAMPLE, height * SUPERSAMPLE)
        )
        self._gain = _illumination(style, x, y) * _vignette(width, height, style.sensor.vignette)
        self._glare = _glare(style, view, x, y)
        self._noise = [_noise_field(rng, height + 64, width + 64) for _ in range(_BANK)]

    def expose(self, drawn: Image, strength: float, warmth: float) -> Floats:
        """What falls on the sensor; `strength` scales the light, `warmth` (-1 to 1) shifts it from blue to red."""
        sensor = self._sensor
        level = strength**0.45
        gains = np.array(sensor.gains) * (1 - 0.06 * warmth, 1.0, 1 + 0.06 * warmth) * level
        light = cv2.merge([self._gain * np.float32(g) for g in gains])
        glare = self._glare * np.float32(level)
        picture = cv2.add(cv2.multiply(drawn, light, dtype=cv2.CV_32F), cv2.merge([glare, glare, glare]))
        picture = cv2.GaussianBlur(picture, (0, 0), sensor.blur_px)
        soft = cv2.GaussianBlur(picture, (0, 0), 1.4)
        return np.asarray(cv2.addWeighted(picture, 1 + sensor.sharpen, soft, -sensor.sharpen, 0), np.float32)

    def read_out(self, exposed: Floats, rng: np.random.Generator) -> Image:
        """One picture of it, with fresh noise."""
        sensor = self._sensor
        top, left = rng.integers(0, 64, 2)
        height, width = exposed.shape[:2]
        noise = self._noise[int(rng.integers(_BANK))][top : top + height, left : left + width]
        picture = cv2.addWeighted(exposed, 1.0, noise, float(sensor.noise * rng.choice((-1, 1))), 0, dtype=cv2.CV_8U)
        _, packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, sensor.jpeg])
        return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def _illumination(style: Style, x: Floats, y: Floats) -> Floats:
    """Gamma-encoded brightness of the table at world (x, y), 1 in the middle of the board."""

    def linear(x: Floats, y: Floats) -> Floats:
        light = np.full_like(x, style.ambient)
        for lamp in style.lamps:
            away = (x - lamp.east) ** 2 + (y - lamp.south) ** 2 + lamp.height**2
            light += lamp.share * (lamp.height**2 / away) ** 1.5
        return light

    origin = np.zeros((1, 1), np.float32)
    return ((linear(x, y) / linear(origin, origin)) ** 0.6).astype(np.float32)


def _glare(style: Style, view: View, x: Floats, y: Floats) -> Floats:
    """The lamps' reflection in the table top, grey levels to add."""
    total = np.zeros_like(x)
    to_eye = np.stack([view.eye[0] - x, view.eye[1] - y, np.full_like(x, view.eye[2])], axis=-1)
    to_eye /= np.linalg.norm(to_eye, axis=-1, keepdims=True)
    for lamp in style.lamps:
        to_lamp = np.stack([lamp.east - x, lamp.south - y, np.full_like(x, lamp.height)], axis=-1)
        to_lamp /= np.linalg.norm(to_lamp, axis=-1, keepdims=True)
        half = to_eye + to_lamp
        total += (half[..., 2] / np.linalg.norm(half, axis=-1)) ** 90 * lamp.share
    return (70 * style.top.gloss * total).astype(np.float32)


def _vignette(width: int, height: int, depth: float) -> Floats:
    rows, columns = np.indices((height, width), dtype=np.float32)
    away = ((columns - width / 2) ** 2 + (rows - height / 2) ** 2) / (width**2 / 4 + height**2 / 4)
    return (1 - depth * away).astype(np.float32)


def _noise_field(rng: np.random.Generator, height: int, width: int) -> Floats:
    """Unit noise (H, W, 3), a little smooth as after demosaicing, mostly grey."""
    grey = rng.standard_normal((height, width, 1), np.float32)
    colour = rng.standard_normal((height, width, 3), np.float32)
    field = cv2.GaussianBlur(0.8 * grey + 0.6 * colour, (0, 0), 0.6)
    return np.asarray(field / field.std(), np.float32)
