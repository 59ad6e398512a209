"""Pictures of what each step found, for people who look for the reason of a wrong reading.

In: a `Trace`. Out: BGR pictures by step, all in the view.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from calibration.light import Floats32
from companion.vision.evidence import Image
from companion.vision.field import Field
from companion.vision.recogniser import Trace

INK = {
    "red": (60, 60, 255),
    "blue": (255, 140, 60),
    "yellow": (60, 255, 255),
    "green": (60, 255, 60),
    "boat": (60, 120, 200),
    "serpent": (255, 0, 255),
    "shark": (255, 255, 255),
    "whale": (255, 255, 0),
}
_DARKEST = -17.0


def pictures(trace: Trace, field: Field) -> dict[str, Image]:
    """One picture a step, in the order of the steps."""
    steps: dict[str, Callable[[], Image]] = {
        "rectified": lambda: trace.evidence.picture,
        "light": lambda: _grey(np.asarray(np.log(trace.evidence.light).mean(axis=2), np.float32), -1.0, 1.0),
        "print": lambda: _grey(trace.evidence.ground, _DARKEST, -5.0),
        "hidden": lambda: _grey(trace.hidden.astype(np.float32), 0.0, 1.0),
        "surface": lambda: _grey(trace.surface, _DARKEST, -5.0),
        "pieces": lambda: _pieces(trace, field),
    }
    return {name: draw() for name, draw in steps.items()}


def _grey(values: Floats32, low: float, high: float) -> Image:
    level = np.clip((values - low) * (255 / (high - low)), 0, 255).astype(np.uint8)
    return np.asarray(cv2.cvtColor(level, cv2.COLOR_GRAY2BGR), np.uint8)


def _pieces(trace: Trace, field: Field) -> Image:
    """Each piece as a cross where it stands, with its name's first letter where it appears."""
    image = trace.evidence.picture.copy()
    for h in field.board.hexes:
        tile = trace.tiles.get(h)
        height = field.thickness[tile] if tile else 0.0
        outline = np.round(field.outline(h, height)).astype(np.int32)
        cv2.polylines(image, [outline], True, (255, 255, 255) if tile else (120, 120, 120), 1, cv2.LINE_AA)
        if tile:
            corner = np.round(field.view.pixels(field.board.centre_mm(h)) + np.array([-12, 14])).astype(int)
            cv2.putText(image, tile[0], tuple(map(int, corner)), cv2.FONT_HERSHEY_PLAIN, 0.8, (255, 255, 255), 1)
    for piece in trace.pieces:
        ink = INK.get(piece.kind, (255, 255, 255))
        stands = tuple(int(v) for v in np.round(field.view.pixels(piece.at)))
        cv2.drawMarker(image, stands, ink, cv2.MARKER_CROSS, 9, 2)
        text = f"{piece.kind[0:2]}{round(piece.clarity * 9)}"
        cv2.putText(image, text, (stands[0] + 5, stands[1] - 4), cv2.FONT_HERSHEY_PLAIN, 0.8, ink, 1, cv2.LINE_AA)
    return image
