"""Find the four corner cards in a picture, to a fraction of a pixel.

In: a picture, the print's data. Out: per card the marker's four corners in px, in OpenCV's order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from calibration.arrays import Floats, Image
from calibration.errors import CalibrationError
from calibration.markers import aruco_dictionary
from calibration.print import BoardPrint

WORK_WIDTH = 2048
"""Larger pictures are searched at this width first: the markers are large, the sub-pixel step is done at full size."""

CELL_MARGIN = 0.3
"""Share of a marker's cell that is not looked at on each side: burnt-out white spreads over its black neighbours."""

CARD_NAMES = {"nw": "north-west", "ne": "north-east", "se": "south-east", "sw": "south-west"}


MIN_CARDS = 2
"""Cards that must be seen to start the search for the camera; the printed lines do the rest."""


def find_cards(image: Image, board: BoardPrint) -> dict[str, Floats]:
    """The corners (4 x 2, px) of those cards that are seen, and seen once: nobody could tell which of two counts.

    Raises CalibrationError for an unknown dictionary.
    """
    return seen_once(find_all_cards(image, board))


def seen_once(found: Sequence[tuple[str, Floats]]) -> dict[str, Floats]:
    """Those cards of which there is one."""
    times = Counter(name for name, _ in found)
    return {name: at for name, at in found if times[name] == 1}


def find_all_cards(image: Image, board: BoardPrint) -> list[tuple[str, Floats]]:
    """The name and the corners (4 x 2, px) of each card that is seen, spare ones with it.

    Raises CalibrationError for an unknown dictionary.
    """
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    scale = min(1.0, WORK_WIDTH / grey.shape[1])
    small = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else grey
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.perspectiveRemoveIgnoredMarginPerCell = CELL_MARGIN
    detector = cv2.aruco.ArucoDetector(aruco_dictionary(board.marker_dict), parameters)
    found, ids, _ = detector.detectMarkers(small)
    if ids is None:
        return []
    names = {v: k for k, v in board.marker_ids.items()}
    cards: list[tuple[str, Floats]] = []
    for corners, marker in zip(found, ids.ravel(), strict=True):
        name = names.get(int(marker))
        if name is None:
            continue
        at = ((corners.reshape(4, 2) + 0.5) / scale - 0.5).astype(np.float32)
        if scale < 1:
            window = max(3, round(2 / scale))
            criteria = (cv2.TERM_CRITERIA_COUNT + cv2.TERM_CRITERIA_EPS, 30, 0.01)
            at = cv2.cornerSubPix(grey, at.reshape(4, 1, 2), (window, window), (-1, -1), criteria).reshape(4, 2)
        cards.append((name, np.asarray(at, float)))
    return cards


def require_some(cards: Mapping[str, Floats]) -> None:
    """Raises CalibrationError naming the cards that were not found, if the others are too few to start from."""
    if len(cards) < MIN_CARDS:
        *others, last = (words for name, words in CARD_NAMES.items() if name not in cards)
        raise CalibrationError(
            f"Not found in the picture: the corner cards {', '.join(others)} and {last}. "
            "The cards must be whole, flat and evenly lit; turn the lamp away if one shines."
        )
