"""Where the board's corners lie in a picture, before anything is calibrated: from the cards, from people, or guessed.

In: a `Glance`, the places that people have given. Out: the four corners with how each is known.
"""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np

from calibration.arrays import Floats
from calibration.glance import Glance, stand
from calibration.print import BoardPrint
from companion.calibrating.state import CardName, CornerHow, CornerShown, Pixel

CARDS_TO_GUESS = 2
"""So many cards tell where the corners of the others must be about."""

_NAMES: tuple[CardName, ...] = ("nw", "ne", "se", "sw")

_FACE = 0.8
"""The share of the picture's height that the board is taken to fill while nothing is known of it."""


def board_corners(seen: Glance, given: Mapping[str, Pixel], board: BoardPrint) -> tuple[CornerShown, ...]:
    """The corners in the order nw, ne, se, sw; what people have given counts before what a card says."""
    guesses = _guesses(seen, board)
    shown = []
    for name, face, guess in zip(_NAMES, board.corners(), guesses, strict=True):
        how: CornerHow = "guessed"
        at = guess
        if name in given:
            how, at = "given", np.array(given[name])
        elif name in seen.cards:
            how, at = "seen", _beside(seen.cards[name], board.card_corners(name), face)
        shown.append(CornerShown(name, (float(at[0]), float(at[1])), how))
    return tuple(shown)


def _beside(pixels: Floats, card: Floats, corner: Floats) -> Floats:
    """The corner of the board (mm) in px, beside a card of which the marker's corners are seen (mm and px)."""
    plane = cv2.getPerspectiveTransform(card[:, :2].astype(np.float32), pixels.astype(np.float32))
    x, y, w = plane @ (corner[0], corner[1], 1.0)
    return np.array([x / w, y / w])


def _guesses(seen: Glance, board: BoardPrint) -> Floats:
    """4 x 2, px, within the picture."""
    size = np.array(seen.size, float)
    camera = stand(seen.cards, board, seen.size) if len(seen.cards) >= CARDS_TO_GUESS else None
    if camera is None:
        face = board.corners()[:, :2] * (_FACE * size[1] / board.board[1])
        return np.asarray(size / 2 + face)
    return np.clip(camera.project(board.corners()), 0, size - 1)
