"""How good a calibration is, in figures and in plain words.

In: the fit, the picture of the empty board. Out: `Quality`, whose `advice` is empty when all is well.
"""

from __future__ import annotations

import cv2
import msgspec
import numpy as np

from calibration.camera import Floats
from calibration.pictures import Image
from calibration.pose import PoseFit, pixels_per_mm
from calibration.print import BoardPrint

MAX_LINE_MM = 0.6
MIN_PX_PER_MM = 0.9
MAX_TILT = 38.0
MAX_CLIPPED = 0.04
MIN_LEVEL, MAX_LEVEL = 30.0, 235.0
MAX_EDGE_MM = 2.0
MAX_CARD_MM = 5.0


class Quality(msgspec.Struct, frozen=True):
    """`line_rms`: printed lines against the model. `card_rms_mm`: the cards against where they should lie.

    `edge_mm`: width of a sharp edge (10 to 90 %) as seen. `level`: brightness of the cards' white, 0 to 255.
    `clipped`: share of the board's pixels that are burnt out. `lens_rms_px`: error of the lens pictures, None without.
    """

    line_rms_mm: float
    line_rms_px: float
    card_rms_mm: float
    px_per_mm: float
    tilt_degrees: float
    distance_mm: float
    edge_mm: float
    level: float
    clipped: float
    lens_rms_px: float | None = None
    advice: tuple[str, ...] = ()


def measure_quality(
    image: Image, fit: PoseFit, board: BoardPrint, cards: dict[str, Floats], lens_rms: float | None
) -> Quality:
    """Measure and advise."""
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    scale = pixels_per_mm(fit.camera)
    white = fit.camera.project(np.concatenate([board.card_white(name) for name in cards]))
    level = float(np.median(_sample(grey, white)))
    outline = np.round(fit.camera.project(board.corners())).astype(np.int32)
    inside = np.zeros_like(grey)
    cv2.fillConvexPoly(inside, outline, 1)
    clipped = float((image[inside > 0] >= 254).all(axis=1).mean())
    quality = Quality(
        line_rms_mm=fit.line_rms_mm,
        line_rms_px=fit.line_rms_px,
        card_rms_mm=fit.card_rms_mm,
        px_per_mm=scale,
        tilt_degrees=fit.camera.tilt_degrees,
        distance_mm=float(np.linalg.norm(fit.camera.eye)),
        edge_mm=_edge_width(grey, cards) / scale,
        level=level,
        clipped=clipped,
        lens_rms_px=lens_rms,
    )
    return msgspec.structs.replace(quality, advice=tuple(_advice(quality)))


def _advice(q: Quality) -> list[str]:
    rules = (
        (q.line_rms_mm > MAX_LINE_MM, "The printed lines fit badly: is the board flat, and its two halves closed?"),
        (q.card_rms_mm > MAX_CARD_MM, "A card lies off its corner: push each card's inner corner against the board's."),
        (
            q.px_per_mm < MIN_PX_PER_MM,
            "The board is small in the picture: lower the camera or take larger pictures.",
        ),
        (q.tilt_degrees > MAX_TILT, "The camera looks from too far aside: move it closer to above the board."),
        (q.edge_mm > MAX_EDGE_MM, "The picture is not sharp: set the focus on the board, or hold the camera still."),
        (q.level < MIN_LEVEL, "The picture is too dark: switch a lamp on."),
        (q.level > MAX_LEVEL and q.clipped > MAX_CLIPPED, "The picture is too bright: lower the exposure."),
        (q.clipped > MAX_CLIPPED, "Part of the board shines: turn the lamp away or move it aside."),
    )
    return [text for bad, text in rules if bad]


def _sample(grey: Image, pixels: Floats) -> Floats:
    maps = pixels.astype(np.float32).reshape(1, -1, 2)
    return np.asarray(cv2.remap(grey, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR), float).ravel()


def _edge_width(grey: Image, cards: dict[str, Floats]) -> float:
    """10 to 90 % width in px of the markers' black-white edges, the median of all sides."""
    widths = []
    for corners in cards.values():
        middle = corners.mean(axis=0)
        for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            outward = (a + b) / 2 - middle
            outward /= np.linalg.norm(outward)
            for t in np.linspace(0.2, 0.8, 7):
                profile = _sample(grey, a + (b - a) * t + outward * np.arange(-6, 6.01, 0.25)[:, None])
                low, high = profile[:8].mean(), profile[-8:].mean()
                if high - low > 30:
                    level = (profile - low) / (high - low)
                    widths.append((int((level > 0.9).argmax()) - int((level > 0.1).argmax())) * 0.25)
    return float(np.median(widths)) if widths else float("inf")
