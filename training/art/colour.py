"""Colours by hue, saturation and value, and images made of one varying amount.

In: degrees, shares in 0..1, a generator. Out: BGR colours as floats in 0..255, or BGR images.
"""

from __future__ import annotations

import colorsys
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated.arrays import Floats, Image
from hardware.simulated.texture import Bgr

Span = tuple[float, float]
"""From, to."""


def hsv(hue: float, saturation: float, value: float) -> Bgr:
    """The colour of that hue in degrees; saturation and value in 0..1."""
    red, green, blue = colorsys.hsv_to_rgb((hue % 360) / 360, min(max(saturation, 0), 1), min(max(value, 0), 1))
    return 255 * blue, 255 * green, 255 * red


def between(rng: np.random.Generator, hue: Span, saturation: Span, value: Span) -> Bgr:
    """A colour drawn evenly from those spans."""
    return hsv(rng.uniform(*hue), rng.uniform(*saturation), rng.uniform(*value))


def mixed(first: Bgr, second: Bgr, share: float) -> Bgr:
    """`share` of the second colour in the first."""
    a, b = np.asarray(first), np.asarray(second)
    blue, green, red = (a + (b - a) * share).clip(0, 255).tolist()
    return blue, green, red


def scaled(colour: Bgr, share: float) -> Bgr:
    """The colour made brighter or darker; never beyond 255."""
    blue, green, red = (np.asarray(colour) * share).clip(0, 255).tolist()
    return blue, green, red


def varied(rng: np.random.Generator, colour: Bgr, amount: float) -> Bgr:
    """The colour with its brightness, and a little its tint, off by about that share."""
    factors = rng.normal(1, amount) * rng.normal(1, amount / 3, 3)
    blue, green, red = (np.asarray(colour) * factors).clip(0, 255).tolist()
    return blue, green, red


def ramp(amount: Floats, stops: Sequence[tuple[float, Bgr]]) -> Image:
    """Colour each pixel of `amount` (H, W) by straight lines between stops, which rise; flat beyond the ends."""
    at = np.array([stop for stop, _ in stops])
    colours = np.array([colour for _, colour in stops])
    low, high = at[0], max(at[-1], at[0] + 1e-6)
    steps = np.linspace(low, high, 256)
    table = np.stack([np.interp(steps, at, colours[:, i]) for i in range(3)], axis=1)
    index = cv2.convertScaleAbs(np.clip(amount, low, high) - np.float32(low), alpha=255 / (high - low))
    return np.asarray(cv2.LUT(cv2.merge([index] * 3), np.clip(table + 0.5, 0, 255).astype(np.uint8)[None]), np.uint8)


def even(colours: Sequence[Bgr]) -> list[tuple[float, Bgr]]:
    """Stops for `ramp` at equal distances over 0..1."""
    return list(zip(np.linspace(0, 1, len(colours)).tolist(), colours, strict=True))


def shaded(image: Image, light: Floats) -> Image:
    """The image with every pixel's brightness multiplied by `light` (H, W)."""
    gain = cv2.merge([light.astype(np.float32)] * 3)
    return np.asarray(cv2.multiply(image, gain, dtype=cv2.CV_8U), np.uint8)


def over(below: Image, above: Image | Bgr, cover: Floats) -> Image:
    """`above`, an image or one colour, laid over `below` where `cover` (H, W, 0..1) says so."""
    share = cv2.merge([cover.astype(np.float32)] * 3)
    base = below.astype(np.float32)
    return np.asarray(base + (np.asarray(above, np.float32) - base) * share + 0.5, np.float32).astype(np.uint8)


def graded(
    image: Image, *, hue: float = 0, saturation: float = 1, gain: float = 1, gamma: float = 1, lift: float = 0
) -> Image:
    """The picture as another press would print it: hue turned in degrees, saturation and brightness scaled,
    middle tones bent by `gamma`, black lifted to `lift` of white."""
    grey = np.full((3, 3), 1 / 3)
    axis = np.ones(3) / np.sqrt(3)
    cross = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    angle = np.radians(hue)
    turn = np.cos(angle) * np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * np.outer(axis, axis)
    matrix: NDArray[np.float64] = grey + saturation * (np.eye(3) - grey) @ turn
    tones = np.clip(np.linspace(0, 1, 256) ** gamma * gain, 0, 1) * (1 - lift) + lift
    coloured = cv2.transform(image, matrix.astype(np.float32))
    return np.asarray(cv2.LUT(coloured, np.clip(255 * tones + 0.5, 0, 255).astype(np.uint8)), np.uint8)
