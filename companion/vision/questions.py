"""What the network is asked of each hex and safe land, and what it compares with. Nothing here computes.

Answers stand one after the other, question by question and slot by slot: `slots` of a question are places in a list of
answers, `logits` places in the network's output.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from calibration.swatch import COLOURS, CREATURES, TERRAINS


@dataclasses.dataclass(frozen=True)
class Question:
    """`count` slots of one kind (one a colour, one a creature), each with `values` classes: 0 to `values` - 1."""

    name: str
    count: int
    values: int
    first_slot: int
    first_logit: int

    @property
    def slots(self) -> slice:
        """Its places in a list of answers."""
        return slice(self.first_slot, self.first_slot + self.count)

    @property
    def logits(self) -> slice:
        """Its places among the logits: slot after slot."""
        return slice(self.first_logit, self.first_logit + self.count * self.values)


def _numbered(*asked: tuple[str, int, int]) -> tuple[Question, ...]:
    slots = itertools.accumulate((count for _, count, _ in asked), initial=0)
    logits = itertools.accumulate((count * values for _, count, values in asked), initial=0)
    return tuple(Question(*what, slot, logit) for what, slot, logit in zip(asked, slots, logits, strict=False))


QUESTIONS = _numbered(
    ("tile", 1, 4), ("free", 4, 5), ("boat", 1, 2), ("crew", 4, 4), ("creatures", 3, 4), ("hidden", 1, 2)
)
"""Sea or which terrain; explorers by colour that stand or swim; a boat; its passengers by colour; how many of each
creature; whether an arm hides it."""

SLOTS = sum(q.count for q in QUESTIONS)
LOGITS = sum(q.count * q.values for q in QUESTIONS)

Answers = Mapping[str, npt.NDArray[np.float32]]
"""By question the probabilities of the classes: hexes x slots x values."""

CELL = 4
"""px: who stands on a safe land is told for cells of `CELL` x `CELL` px."""

EXAMPLES = (
    *(f"swimmer {c}" for c in COLOURS),
    *(f"on {t}" for t in TERRAINS),
    *("boat", "boat with 2", "boat with 3"),
    *CREATURES,
)
"""Kinds of hexes in the swatch picture that each hex is compared with."""

ASPECTS = 6
"""Into so many vectors of unit length falls what is compared."""
