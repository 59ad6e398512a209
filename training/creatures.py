"""Learn to tell creatures by those of the swatch picture: `python -m training.creatures PREPARED --out FILE`.

In: what `training.dataset` and `training.find_doubts` wrote, and a checkpoint, of such a network or of the close one to
begin with (`--start`). Out: a checkpoint, and while it runs a line a few minutes about sessions that were kept out.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional
from torch.utils.data import DataLoader, IterableDataset

from calibration.swatch import COLOURS, CREATURES, TERRAINS
from companion.vision.look import SAID_BEFORE
from companion.vision.questions import EXAMPLES
from companion.vision.windows import CREATURE_FRAME, WindowCutter
from training.batches import RENAMED, board_cutter, degrade, distortion, jittered, stretched
from training.dataset import Prepared, split
from training.doubts import Doubts, load_doubts
from training.learner import Learner, add_length, learn_from
from training.model import CreatureNetwork, Laid, load_creatures
from training.train import tensor

TABLES = 6
QUERIES = 12
"""So many sessions make a batch, and of each so many hexes."""

SHOWN = 0.8
"""Share of the swatch picture's creatures that are shown, of each kind one at least."""

THERE, NOT_THERE = 0.2, 0.1
HARDEST = 1.5
"""How often a hex is drawn: so often if creatures are there, or not, and the more often the less probable the truth is
by what the networks of hexes say (its negative log counts up to that)."""

BY_PIECES = (1.0, 2.0, 1.0)
HEAPED = 0.3
"""How much more or less often a hex with none, one or two pieces is drawn, and one with more: heaps are hard, and games
have few."""

RICHEST = 12.0
"""A session is drawn as often as its hexes, but no oftener than that."""

BESIDE = 0.5
"""What is learnt by the way: so much of what the networks of hexes say and so much of its own is to be right."""

_FIRST = min(EXAMPLES.index(creature) for creature in CREATURES)


class Asked(NamedTuple):
    """One session's share of a batch: how many of its windows are examples, which creature (of `CREATURES`) each of
    these is, and of the hexes after them what `Doubts` has."""

    shown: int
    kinds: Tensor
    wanted: Tensor
    said: Tensor


class CreatureBatch(NamedTuple):
    """Windows (N x channels x rows x columns, 0 to 1), session after session."""

    windows: Tensor
    asked: list[Asked]


def creatures_shown(session: Prepared) -> NDArray[np.int64]:
    """The hexes of the swatch picture with creatures."""
    return np.flatnonzero(session.examples >= _FIRST)


def negative_log(logits: Tensor, wanted: Tensor) -> Tensor:
    """Q: that of the probability of what is wanted (Q x creatures), as logits (Q x creatures x numbers) say."""
    each = functional.cross_entropy(logits.flatten(0, 1), wanted.flatten(), reduction="none")
    return each.unflatten(0, wanted.shape).sum(dim=1)


class CreatureSampler(IterableDataset[CreatureBatch]):
    """Draws batches from sessions without end."""

    def __init__(self, sessions: Sequence[tuple[Prepared, Doubts]], seed: int) -> None:
        """`sessions`: `load_doubts`."""
        self._sessions = list(sessions)
        self._hard = [_hardness(found) for _, found in self._sessions]
        often = np.array([min(hard.sum(), RICHEST) for hard in self._hard])
        self._often = often / often.sum()
        self._cutter = board_cutter()
        self._rng = np.random.default_rng(seed)

    def __iter__(self) -> Iterator[CreatureBatch]:
        while True:
            drawn = self._rng.choice(len(self._sessions), TABLES, p=self._often)
            windows, asked = zip(*(self._table(number) for number in drawn), strict=True)
            yield CreatureBatch(tensor(np.concatenate(windows)), list(asked))

    def _table(self, number: int) -> tuple[NDArray[np.float32], Asked]:
        """One session's share, distorted as a whole; now and then its creatures are called by each other's names."""
        rng, (session, found), hard = self._rng, self._sessions[number], self._hard[number]
        shown = self._shown(session)
        chosen = np.sort(rng.choice(len(hard), min(QUERIES, len(hard)), replace=False, p=hard / hard.sum()))
        stretch = stretched(rng)
        cut = [self._cut(session, session.swatch_eye, 0, shown, stretch)]
        for picture in np.unique(found.picture[chosen]):  # in the order in which they are drawn
            hexes = found.hex[chosen[found.picture[chosen] == picture]]
            cut.append(self._cut(session, session.eye, int(picture), hexes, stretch))
        degrade(rng, cut)
        names = rng.permutation(len(CREATURES)) if rng.random() < RENAMED else np.arange(len(CREATURES))
        deal, terrains = rng.permutation(len(COLOURS)), rng.permutation(len(TERRAINS))
        factors, offsets = distortion(rng, deal, terrains, names)
        windows = np.asarray(np.concatenate(cut) @ factors + offsets, np.float32)
        kinds = np.argsort(names)[session.examples[shown] - _FIRST]
        of_hexes = found.wanted[chosen][:, names], found.said[chosen][:, names]
        return windows, Asked(len(shown), *map(torch.from_numpy, (kinds, *of_hexes)))

    def _cut(
        self,
        session: Prepared,
        eye: NDArray[np.float64],
        picture: int,
        hexes: NDArray[np.int64],
        stretch: NDArray[np.float32],
    ) -> NDArray[np.uint8]:
        jitters = jittered(self._rng, len(hexes), stretch)
        return self._cutter.hexes(eye, hexes, jitters, CREATURE_FRAME).cut(session.picture(picture))

    def _shown(self, session: Prepared) -> NDArray[np.int64]:
        there = self._rng.permutation(creatures_shown(session))
        _, one_each = np.unique(session.examples[there], return_index=True)
        chosen = self._rng.random(len(there)) < SHOWN
        chosen[one_each] = True
        return there[chosen]


def _hardness(found: Doubts) -> NDArray[np.float64]:
    """Q: how often each hex is to be drawn."""
    missed = negative_log(torch.from_numpy(found.said), torch.from_numpy(found.wanted)).numpy()
    often = np.where(found.wanted.any(axis=1), THERE, NOT_THERE) + np.minimum(missed, HARDEST)
    return np.asarray(often * np.array([*BY_PIECES, HEAPED])[np.minimum(found.pieces, len(BY_PIECES))], float)


def part(laid: Laid, which: Tensor | slice) -> Laid:
    """Some of the windows' share."""
    return Laid(*(of[which] for of in laid))


def by_creature(laid: Laid, kinds: Tensor) -> list[Laid]:
    """Examples (`kinds`: which creature each is) of one creature after the other."""
    return [part(laid, kinds == number) for number in range(len(CREATURES))]


def batch_loss(network: CreatureNetwork, batch: CreatureBatch) -> Tensor:
    """In the mean over the sessions, a hex: what it says by itself, and half as much together with what was said."""
    laid, start = network.lay(batch.windows), 0
    total = batch.windows.new_zeros(())
    for asked in batch.asked:
        middle = start + asked.shown
        end = middle + len(asked.wanted)
        shown = by_creature(part(laid, slice(start, middle)), asked.kinds)
        logits = network(part(laid, slice(middle, end)), shown).float()
        together = torch.lerp(asked.said, logits, BESIDE)
        alone = negative_log(logits, asked.wanted).mean()
        total = total + (alone + BESIDE * negative_log(together, asked.wanted).mean()) / len(batch.asked)
        start = end
    return total


@torch.no_grad()
def read(network: CreatureNetwork, session: Prepared, found: Doubts, cutter: WindowCutter) -> Tensor:
    """Q x creatures x numbers: logits, as recognition asks, with the examples both ways round."""
    there = creatures_shown(session)
    kinds = torch.from_numpy(session.examples[there] - _FIRST)
    swatches = tensor(cutter.hexes(session.swatch_eye, there, frame=CREATURE_FRAME).cut(session.picture(0)))
    shown = by_creature(network.lay(torch.cat([swatches, swatches.flip(3)])), torch.cat([kinds, kinds]))
    logits = []
    for picture in np.unique(found.picture):
        hexes = found.hex[found.picture == picture]
        windows = tensor(cutter.hexes(session.eye, hexes, frame=CREATURE_FRAME).cut(session.picture(int(picture))))
        logits.append(network(network.lay(windows), shown).float())
    return torch.cat(logits)


def wanted_and_said(found: Sequence[Doubts]) -> tuple[Tensor, Tensor]:
    """Of all sessions together."""
    wanted, said = (np.concatenate(of) for of in zip(*((f.wanted, f.said) for f in found), strict=True))
    return torch.from_numpy(wanted), torch.from_numpy(said)


def evaluate(logits: Sequence[Tensor], found: Sequence[Doubts]) -> str:
    """How many hexes are read wrongly, and the mean negative log of the truth, by the networks of hexes, by this one,
    and by both as recognition joins them."""
    wanted, said = wanted_and_said(found)
    own = torch.cat(list(logits))
    told = {"before": said, "alone": own, "together": torch.lerp(own, said, SAID_BEFORE)}
    parts = (
        f"{name} {int((of.argmax(dim=2) != wanted).any(dim=1).sum())} ({negative_log(of, wanted).mean():.4f})"
        for name, of in told.items()
    )
    return f"of {len(wanted)} wrong {', '.join(parts)}"


def main() -> None:
    """Train."""
    parser = argparse.ArgumentParser(prog="python -m training.creatures", description=__doc__.splitlines()[0])
    parser.add_argument("prepared", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--start", type=Path, required=True, help="go on from this checkpoint")
    add_length(parser, minutes=60.0)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--every", type=float, default=10.0, help="minutes between looks at what was kept out")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    torch.manual_seed(args.seed)
    learnt, kept_out = split(args.prepared)
    if not learnt or not kept_out:
        parser.error(f"{args.prepared}: there have to be sessions to learn from and such that are kept out.")
    print(f"{len(learnt)} sessions to learn from, {len(kept_out)} kept out", flush=True)
    cutter = board_cutter()
    try:
        taught, asked = (load_doubts(args.prepared, sessions) for sessions in (learnt, kept_out))
    except ValueError as error:
        parser.error(str(error))
    if not taught or not asked:
        parser.error(f"{args.prepared}: no swatch picture shows serpents, sharks and whales.")
    sampler = CreatureSampler(taught, args.seed)
    learner = Learner(load_creatures(args.start), args.rate, torch.device("cpu"), freeze_from=0.0)
    batches = DataLoader(sampler, batch_size=None, num_workers=1)

    def told(network: CreatureNetwork) -> str:
        return evaluate([read(network, s, found, cutter) for s, found in asked], [found for _, found in asked])

    learn_from(batches, learner, batch_loss, args, told)


if __name__ == "__main__":
    main()
