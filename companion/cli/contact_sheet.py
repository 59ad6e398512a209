"""Many pictures on one: small, side by side, each with its name."""

from __future__ import annotations

import math
from collections.abc import Mapping

import cv2
import numpy as np

COLUMNS = 6
WIDTH = 400
"""Of a picture on the sheet, in px; its height keeps the proportion."""

_GAP, _NAME = 10, 26
_GROUND, _INK = (235, 235, 235), (50, 40, 30)


def contact_sheet(pictures: Mapping[str, bytes]) -> bytes:
    """PNG files by name, all of one size, as one PNG file: row by row in their order, the name below each."""
    small = {name: _small(picture) for name, picture in pictures.items()}
    height = max((picture.shape[0] for picture in small.values()), default=0)
    columns = min(COLUMNS, max(1, len(small)))
    rows = math.ceil(len(small) / columns)
    cell_w, cell_h = WIDTH + _GAP, height + _NAME + _GAP
    sheet = np.full((rows * cell_h + _GAP, columns * cell_w + _GAP, 3), _GROUND, dtype=np.uint8)
    for i, (name, picture) in enumerate(small.items()):
        x, y = _GAP + i % columns * cell_w, _GAP + i // columns * cell_h
        sheet[y : y + picture.shape[0], x : x + WIDTH] = picture
        cv2.putText(sheet, name, (x + 2, y + height + 18), cv2.FONT_HERSHEY_SIMPLEX, 0.5, _INK, 1, cv2.LINE_AA)
    return cv2.imencode(".png", sheet)[1].tobytes()


def _small(picture: bytes) -> np.ndarray:
    pixels = cv2.imdecode(np.frombuffer(picture, dtype=np.uint8), cv2.IMREAD_COLOR)
    assert pixels is not None, "what has just been drawn is a picture"
    height = round(pixels.shape[0] * WIDTH / pixels.shape[1])
    return cv2.resize(pixels, (WIDTH, height), interpolation=cv2.INTER_AREA)
