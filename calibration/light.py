"""Take the light out: bring a picture to the light of the reference picture of the same board.

Lamps change between pictures: strength, colour, place, somebody's soft shadow. All of that is a smooth factor
on the linear light of each channel. The factor is estimated where the print still shows; pieces, tiles and hands are
outliers to a robust fit. Colours are then compared in CIE Lab.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from calibration.pictures import Image

Floats32 = npt.NDArray[np.float32]

CELL = 10
"""Side of the cells in which the factor is estimated, view px (8 mm)."""

SMOOTH = 0.7
"""Standard deviation of the smoothing of colours, view px (0.6 mm)."""

FLOOR = 0.004
"""Linear light below this is noise."""

_TO_LINEAR = (np.where((v := np.arange(256) / 255.0) <= 0.04045, v / 12.92, ((v + 0.055) / 1.055) ** 2.4)).astype(
    np.float32
)


def to_linear(image: Image) -> Floats32:
    """H x W x 3 linear light, 0 to 1, BGR."""
    return np.asarray(cv2.LUT(image, _TO_LINEAR), np.float32)


def to_lab(linear: Floats32) -> Floats32:
    """H x W x 3 CIE Lab of linear BGR light (values above 1 are clipped), with the pixel noise smoothed a little."""
    lab = cv2.cvtColor(np.clip(linear, 0.0, 1.0), cv2.COLOR_LBGR2Lab)
    return np.asarray(cv2.GaussianBlur(lab, (0, 0), SMOOTH), np.float32)


def light_factor(linear: Floats32, reference: Floats32, valid: npt.NDArray[np.bool_]) -> Floats32:
    """H x W x 3: by how much more light falls on the picture than on the reference, per channel.

    `linear`, `reference`: the same view of the same board. `valid`: where the board is.
    """
    rows, columns = linear.shape[0] // CELL, linear.shape[1] // CELL
    size = (columns, rows)

    def shrink(image: Floats32) -> Floats32:
        return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.float32)

    seen, known = shrink(linear), shrink(reference)
    inside = shrink(valid.astype(np.float32)) > 0.99
    ratio = np.log((seen + FLOOR) / (known + FLOOR))
    trust = known / (known + 0.03) * inside[..., None]
    smooth = _polynomial(ratio, trust)
    residual = ratio - smooth
    weight = trust.sum(axis=2)
    luminance = (residual * trust).sum(axis=2) / np.maximum(weight, 1e-6)
    colour = (np.abs(residual - luminance[..., None]) * trust).sum(axis=2) / np.maximum(weight, 1e-6)
    same = (weight > 0.2) & (colour < 0.12) & (np.abs(luminance) < 0.6)
    local_weight = cv2.GaussianBlur((same * weight).astype(np.float32), (0, 0), 2.0)
    local = cv2.GaussianBlur((same * weight * luminance).astype(np.float32), (0, 0), 2.0) / (local_weight + 0.1)
    factor = np.exp(smooth + local[..., None]).astype(np.float32)
    return np.asarray(
        cv2.resize(factor, (linear.shape[1], linear.shape[0]), interpolation=cv2.INTER_LINEAR), np.float32
    )


def _polynomial(ratio: Floats32, trust: Floats32) -> Floats32:
    """A robust quadratic surface per channel through the cells' log ratios."""
    rows, columns = ratio.shape[:2]
    y, x = np.meshgrid(np.linspace(-1, 1, rows), np.linspace(-1, 1, columns), indexing="ij")
    terms = np.stack([np.ones_like(x), x, y, x * y, x * x, y * y], axis=-1).reshape(-1, 6)
    out = np.empty_like(ratio)
    ridge = np.diag([1e-6, 1e-3, 1e-3, 0.3, 0.3, 0.3])
    flat = [ratio[..., c].reshape(-1).astype(float) for c in range(3)]
    base = [trust[..., c].reshape(-1).astype(float) for c in range(3)]
    fits = [
        np.full(len(flat[c]), float(np.median(flat[c][base[c] > 0.3])) if (base[c] > 0.3).any() else 0.0)
        for c in range(3)
    ]
    for scale in (0.5, 0.3, 0.2, 0.15, 0.12, 0.12):
        # a cell is the print only if all channels agree: one weight for the three
        off = sum(base[c] * (flat[c] - fits[c]) ** 2 for c in range(3)) / np.maximum(sum(base), 1e-6)
        same = 1.0 / (1.0 + off / scale**2) ** 2
        for c in range(3):
            weight = base[c] * same
            normal = terms.T @ (terms * weight[:, None]) + ridge
            fits[c] = terms @ np.linalg.solve(normal, terms.T @ (weight * flat[c]))
    for c in range(3):
        out[..., c] = fits[c].reshape(rows, columns)
    return out
