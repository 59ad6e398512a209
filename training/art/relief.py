"""Means for tile faces: height lit from one side, cells, layers of rock."""

from __future__ import annotations

import cv2
import numpy as np

from hardware.simulated.arrays import Floats, Image, Points
from hardware.simulated.texture import TILE_MM, TILE_PX_PER_MM, Bgr, fractal
from training.art.canvas import Canvas
from training.art.colour import shaded

SIDE_PX = round(TILE_MM * TILE_PX_PER_MM)


def sheet(image: Image | None = None) -> Canvas:
    """A tile's face to draw on, origin in its middle."""
    canvas = Canvas((TILE_MM, TILE_MM), TILE_PX_PER_MM, (TILE_MM / 2, TILE_MM / 2))
    if image is not None:
        canvas.flood(image)
    return canvas


def noise(rng: np.random.Generator, cell_mm: float, octaves: int = 3, stretch: float = 1.0) -> Floats:
    """Smooth noise in 0..1 over a tile's face."""
    return fractal(rng, (SIDE_PX, SIDE_PX), cell_mm * TILE_PX_PER_MM, octaves, stretch)


def lit(image: Image, height: Floats, depth_mm: float, degrees: float) -> Image:
    """Shade an image as if `height` (0..1, `depth_mm` from low to high) stood out and light fell from that side."""
    across = cv2.Sobel(height, cv2.CV_32F, 1, 0, scale=1 / 8)
    down = cv2.Sobel(height, cv2.CV_32F, 0, 1, scale=1 / 8)
    angle = np.radians(degrees)
    slope = depth_mm * TILE_PX_PER_MM * (np.cos(angle) * across + np.sin(angle) * down)
    return shaded(image, np.asarray(np.clip(1 + slope, 0.25, 1.8), np.float32))


def cells(rng: np.random.Generator, seeds_mm: Points, warp_mm: float = 0.0) -> tuple[Floats, Floats]:
    """Voronoi cells of points: a random value in 0..1 for each cell, and the distance from the cells' borders in mm."""
    mask = np.full((SIDE_PX, SIDE_PX), 255, np.uint8)
    at = np.clip(((seeds_mm + TILE_MM / 2) * TILE_PX_PER_MM).astype(int), 0, SIDE_PX - 1)
    mask[at[:, 1], at[:, 0]] = 0
    _, labels = cv2.distanceTransformWithLabels(mask, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
    values = rng.random(int(labels.max()) + 1).astype(np.float32)[labels]
    if warp_mm:
        across, down = np.meshgrid(np.arange(SIDE_PX, dtype=np.float32), np.arange(SIDE_PX, dtype=np.float32))
        drag = np.float32(2 * warp_mm * TILE_PX_PER_MM)
        across += drag * (noise(rng, 5, 3) - np.float32(0.5))
        down += drag * (noise(rng, 5, 3) - np.float32(0.5))
        values = np.asarray(
            cv2.remap(values, across, down, cv2.INTER_NEAREST, borderMode=cv2.BORDER_REFLECT), np.float32
        )
    steps = np.abs(cv2.Laplacian(values, cv2.CV_32F)) > 1e-4
    distance = cv2.distanceTransform((~steps).astype(np.uint8), cv2.DIST_L2, 3)
    return values, np.asarray(distance / TILE_PX_PER_MM, np.float32)


def layers(rng: np.random.Generator, thick_mm: float, fold_mm: float, degrees: float, cell_mm: float) -> Floats:
    """How far through its layer of rock each pixel lies, 0..1 rising then falling; layers are folded by noise."""
    axis = (np.arange(SIDE_PX, dtype=np.float32) + 0.5) / TILE_PX_PER_MM
    across, down = np.meshgrid(axis, axis)
    angle = np.radians(degrees)
    height = np.cos(angle) * down + np.sin(angle) * across + fold_mm * noise(rng, cell_mm, 4)
    return np.asarray(0.5 - 0.5 * np.cos(2 * np.pi * height / thick_mm + rng.uniform(0, 7)), np.float32)


def tinted(amount: Floats, dark: Bgr, light: Bgr) -> Image:
    """Two colours mixed by amount."""
    low, high = np.asarray(dark, np.float32), np.asarray(light, np.float32)
    return np.asarray(np.clip(low + (high - low) * amount[..., None], 0, 255), np.uint8)
