"""Does the board still lie where the calibration says?

In: a picture. Out: whether the cards that are seen lie where they lay; a card under a hand says nothing.
"""

from __future__ import annotations

import numpy as np

from calibration import Calibration
from calibration.cards import find_cards
from companion.vision.evidence import Image

MAX_SHIFT_MM = 4.0
SEARCH_MM = 35.0
"""Round each card's place, so that a nudged card is found and named moved rather than missing."""


class RegistrationStep:
    """Looks at the cards only."""

    def __init__(self, calibration: Calibration) -> None:
        self._board = calibration.board
        self._camera = calibration.camera
        self._cards = {name: np.array(at) for name, at in calibration.cards.items()}

    def __call__(self, image: Image) -> bool:
        """True if at least two cards are seen and lie where they lay in the calibration."""
        shifts = []
        for name, known in self._cards.items():
            side = float(np.linalg.norm(known[0] - known[2])) / np.sqrt(2)
            reach = side * (0.5 + SEARCH_MM / self._board.marker)
            middle = known.mean(axis=0)
            low = np.maximum(np.floor(middle - reach), 0).astype(int)
            high = np.ceil(middle + reach).astype(int)
            found = find_cards(image[low[1] : high[1], low[0] : high[0]], self._board).get(name)
            if found is not None:
                ground = self._camera.ground(np.concatenate([found + low, known]))
                shifts.append(float(np.linalg.norm(ground[:4] - ground[4:], axis=1).mean()))
        return len(shifts) >= 2 and float(np.median(shifts)) <= MAX_SHIFT_MM
