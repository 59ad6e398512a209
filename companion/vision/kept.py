"""The network's answers to hexes that look as they did: they need not be asked for again in every picture.

Most of what recognition does at a table at rest is to ask the same again. Only answers are kept that are sure and that
two pictures have given, and for a few pictures more: what is in doubt, and now and then everything, is looked at anew.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from calibration.arrays import Mask
from companion.vision.memory import Numbers
from companion.vision.questions import QUESTIONS, Answers

SERVES = 3
"""An answer serves for so many more pictures."""

Places = npt.NDArray[np.int64]


class KeptAnswers:
    """By place, of so many, what the network last said of it."""

    def __init__(self, places: int) -> None:
        self._answers = {q.name: np.zeros((places, q.count, q.values), np.float32) for q in QUESTIONS}
        self._looks = np.zeros(places, np.int64)
        self._left = np.zeros(places, np.int64)

    def holds(self, places: Places, looks: Numbers) -> Mask:
        """For which of the places there are answers that hold: `looks` are the numbers of how they look now."""
        return np.asarray((self._left[places] > 0) & (looks > 0) & (self._looks[places] == looks))

    def take(self, places: Places) -> Answers:
        """The answers of places of which they hold."""
        self._left[places] -= 1
        return {name: answers[places] for name, answers in self._answers.items()}

    def keep(self, places: Places, looks: Numbers, answers: Answers, sure: Mask) -> None:
        """New answers: they hold from now on where they are `sure`, and the same was said of the same look before."""
        same = self._looks[places] == looks
        for name, kept in self._answers.items():
            same &= (kept[places].argmax(axis=2) == answers[name].argmax(axis=2)).all(axis=1)
            kept[places] = answers[name]
        self._looks[places] = looks
        self._left[places] = np.where(sure & same, SERVES, 0)
