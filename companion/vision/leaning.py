"""Which way the network leans at one table, told by the session's own swatch picture, and taken out of its answers.

In: what the network says of the swatch picture's hexes, each compared with all others, and what lies there. Out:
answers as probable as they are at this table. Where a table's mountains have the colours of its sand, all of them may
look rather like sand to the network: so do those of the swatch picture, which are known to be mountains.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

import numpy as np

from calibration.arrays import Floats, Floats32, Indices
from calibration.swatch import COLOURS, TERRAINS, Swatch
from companion.vision.questions import Answers

ASKED = ("tile", "free")
"""The questions whose answers lean. Of sharks and whales there are but two examples, one when the other is asked about:
what creatures tell makes the true readings of 24 tables more probable, and less so those of 56 others. Of swimmers
there is one a colour; but without them those of the 56 gain nothing from explorers."""

SIGMA = 1.0
"""How far the network is thought to lean before anything is seen: the standard deviation of what is to be added to the
logit of a terrain, or of explorers of a colour against none. With 0.6 and 1.5 hardly anything is read otherwise."""

MOST = 2.0
"""It is not thought to lean further, whatever is seen: a colour that is never seen would have 4."""

LEAST = 1e-6
"""No answer counts as less probable."""

ROUNDS, STEP = 20, 1.0
"""Newton's method: so many rounds, in none of which a logit changes by more."""


@dataclasses.dataclass(frozen=True)
class Leaning:
    """`factors`: by question, slots x values, by what answers are more probable than is said, up to one for all of a
    slot."""

    factors: Mapping[str, Floats]

    def taken_out(self, answers: Answers) -> Answers:
        """The answers to hexes as they are without it."""
        found = dict(answers)
        for name, factors in self.factors.items():
            fair = answers[name] * factors
            found[name] = np.asarray(fair / fair.sum(axis=2, keepdims=True), np.float32)
        return found


def fit_leaning(said: Answers, swatches: Sequence[Swatch]) -> Leaning:
    """Which way the answers lean: `said` of the hexes of the swatch layout. Each of them has something on it: how often
    something is seen on bare ones they do not tell."""
    tiles = np.array([TERRAINS.index(s.tile) + 1 if s.tile else 0 for s in swatches])
    are_there = np.array([[int(c in s.explorers) for c in COLOURS] for s in swatches])
    tile = _fitted(said["tile"][:, 0], tiles)
    nobody = said["free"][..., 0]
    free = np.zeros(said["free"].shape[1:])
    for slot in range(len(COLOURS)):  # several of a colour are as much more probable as one is: few examples tell
        told = np.stack([nobody[:, slot], 1 - nobody[:, slot]], axis=1)
        free[slot, 1:] = _fitted(told, are_there[:, slot])[1]
    return Leaning(dict(zip(ASKED, (np.exp(tile[None]), np.exp(free)), strict=True)))


def _fitted(said: Floats32, truth: Indices) -> Floats:
    """What is to be added to the logits of each value so that the truth (N) is likeliest, 0 to the first, by what is
    `said` (N x values) and how far the network is thought to lean (maximum a posteriori)."""
    logits = np.log(np.maximum(said, LEAST).astype(np.float64))
    leans = np.zeros(logits.shape[1])
    wanted = np.bincount(truth, minlength=len(leans))
    for _ in range(ROUNDS):
        p = np.exp(logits + leans)
        p /= p.sum(axis=1, keepdims=True)
        slope = (wanted - p.sum(axis=0) - leans / SIGMA**2)[1:]
        curve = (np.diag(p.sum(axis=0)) - p.T @ p)[1:, 1:] + np.eye(len(slope)) / SIGMA**2
        leans[1:] += np.clip(np.linalg.solve(curve, slope), -STEP, STEP)
    return np.clip(leans, -MOST, MOST)
