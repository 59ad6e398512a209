"""Learn to read safe lands: `python -m training.lands PREPARED --out FILE --start FILE (--minutes 60 | --steps 9000)`.

In: what `training.dataset` wrote, and a checkpoint: of such a network, or of the quick one to begin with. Out: a
checkpoint, and while it runs a line a few minutes about sessions that were kept out.
"""

from __future__ import annotations

import argparse
import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional
from torch.utils.data import DataLoader, IterableDataset

from calibration.arrays import Mask
from calibration.swatch import COLOURS, CREATURES, TERRAINS
from companion.vision.look import foreign, land_boxes
from companion.vision.readings import land_evidence
from companion.vision.windows import LAND_FRAME, LAND_SIDES, LAND_STEP, Window, WindowCutter, cells_of, land_cells
from hardware.simulated.arrays import Floats
from training.batches import board_cutter, distortion, jittered, stretched, where_people_stand
from training.dataset import Prepared, split
from training.labels import Labels
from training.learner import Learner, add_length, learn_from
from training.model import LandNetwork, load_lands
from training.train import tensor

PICTURES = 8
"""So many pictures' lands make a batch."""

DESERTED = 0.3
"""How often a safe land is drawn on which nobody stands; all others are."""

LIKELY_LEAST = 1e-4
"""The truth counts as no less probable than that."""

SIDE = 128
"""Side of what is learnt from of a window, px, anywhere in it: recognition reads rectangles, too."""


class LandBatch(NamedTuple):
    """Windows (N x channels x `SIDE` x `SIDE`, 0 to 1) and what the maps are to say (see `where_people_stand`)."""

    windows: Tensor
    maps: Tensor


def land_loss(logits: Tensor, wanted: Tensor) -> Tensor:
    """Cross entropy of all cells that are asked, a cell at a foot."""
    asked = ~wanted.isnan()
    loss = functional.binary_cross_entropy_with_logits(logits[asked].float(), wanted[asked], reduction="sum")
    return loss / wanted[asked].sum().clamp(min=1.0)


class LandSampler(IterableDataset[LandBatch]):
    """Draws batches from sessions without end."""

    def __init__(self, sessions: Sequence[Prepared], seed: int) -> None:
        self._sessions = list(sessions)
        self._cutter = board_cutter()
        self._rng = np.random.default_rng(seed)

    def __iter__(self) -> Iterator[LandBatch]:
        while True:
            windows, maps = zip(*itertools.islice(self._drawn(), PICTURES), strict=True)
            yield LandBatch(tensor(np.concatenate(windows)), torch.from_numpy(np.concatenate(maps)))

    def _drawn(self) -> Iterator[tuple[Floats, Floats]]:
        """Of one picture after the other its lands in sight, distorted alike."""
        rng = self._rng
        while True:
            session = self._sessions[int(rng.integers(len(self._sessions)))]
            picture = int(rng.integers(1, len(session.labels)))
            labels = session.labels[picture]
            drawn = labels.lands.any(axis=1) | (rng.random(len(LAND_SIDES)) < DESERTED)
            which = np.flatnonzero(drawn & ~labels.lands_hidden)
            if len(which):
                yield self._lands(session, picture, which)

    def _lands(self, session: Prepared, picture: int, which: NDArray[np.int64]) -> tuple[Floats, Floats]:
        rng = self._rng
        jitters = jittered(rng, len(which), stretched(rng))
        lands = self._cutter.safe_lands(session.eye, which, jitters)
        planes, feet = session.picture(picture), session.labels[picture].feet
        deal = rng.permutation(len(COLOURS))
        factors, offsets = distortion(rng, deal, np.arange(len(TERRAINS)), np.arange(len(CREATURES)))
        windows, maps = [], []
        for i, (place, jitter) in enumerate(zip(which, jitters, strict=True)):
            row, column = (LAND_STEP * int(rng.integers(1 + (side - SIDE) // LAND_STEP)) for side in LAND_FRAME[:2])
            rows, columns = slice(row, row + SIDE), slice(column, column + SIDE)
            windows.append(lands.part(i, rows, columns).cut(planes)[0] @ factors + offsets)
            there = where_people_stand(feet, Window(LAND_FRAME, session.eye, self._cutter.lands[place], jitter))
            maps.append(there[deal, cells_of(rows), cells_of(columns)])
        return np.stack(windows).astype(np.float32), np.stack(maps)


Read = Callable[[NDArray[np.uint8]], Floats]
"""Windows of safe lands, or parts of them, to N x colours x cells: how surely somebody stands there."""


def reads(network: LandNetwork) -> Read:
    """How a network in hand reads."""

    @torch.no_grad()
    def read(windows: NDArray[np.uint8]) -> Floats:
        return np.asarray(torch.sigmoid(network(tensor(windows))).numpy(), np.float32)

    return read


def maps_of(session: Prepared, cutter: WindowCutter, read: Read) -> Iterator[tuple[Floats, Mask, Labels]]:
    """Of each picture what is read as recognition reads it (4 x colours x cells), which cells are land, the truth."""
    lands = cutter.safe_lands(session.eye, range(len(LAND_SIDES)))
    inside = land_cells(lands)
    for planes, labels in zip(session.pictures(), session.labels[1:], strict=True):
        maps = np.zeros((len(LAND_SIDES), len(COLOURS), *inside.shape[1:]), np.float32)
        boxes = land_boxes(lands, foreign(planes))
        for i, land in enumerate(LAND_SIDES):
            if land in boxes:
                rows, columns = boxes[land]
                (maps[i, :, cells_of(rows), cells_of(columns)],) = read(lands.part(i, rows, columns).cut(planes))
        yield maps, inside, labels


def evaluate(read: Read, sessions: Sequence[Prepared], cutter: WindowCutter) -> str:
    """How many safe lands in sight are read right, with people on them and without; the truth's negative log."""
    right: dict[bool, list[bool]] = {True: [], False: []}
    missed = 0.0
    for session in sessions:
        for maps, inside, labels in maps_of(session, cutter, read):
            found = land_evidence(maps, inside, {})
            for evidence, laid, hidden in zip(found, labels.lands.tolist(), labels.lands_hidden, strict=True):
                if not hidden:
                    truth = {c: n for c, n in zip(COLOURS, laid, strict=True) if n}
                    right[bool(truth)].append(evidence.hypotheses[0].explorers == truth)
                    of_truth = (h.probability for h in evidence.hypotheses if h.explorers == truth)
                    missed -= math.log(max(next(of_truth, 0.0), LIKELY_LEAST))
    told = (f"{sum(right[some])} of {len(right[some])} {name}" for some, name in ((True, "inhabited"), (False, "bare")))
    return f"{', '.join(told)} right, negative log {missed:.1f}"


def main() -> None:
    """Train."""
    parser = argparse.ArgumentParser(prog="python -m training.lands", description=__doc__.splitlines()[0])
    parser.add_argument("prepared", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--start", type=Path, required=True, help="go on from this checkpoint")
    add_length(parser, minutes=60.0)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--every", type=float, default=5.0, help="minutes between looks at what was kept out")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    torch.manual_seed(args.seed)
    learnt, kept_out = split(args.prepared, packed=True)
    if not learnt:
        parser.error(f"{args.prepared}: there are no prepared sessions.")
    print(f"{len(learnt)} sessions to learn from, {len(kept_out)} kept out", flush=True)
    cutter = board_cutter()
    learner = Learner(load_lands(args.start), args.rate, torch.device("cpu"))
    batches = DataLoader(LandSampler(learnt, args.seed), batch_size=None, num_workers=1)

    def loss(network: LandNetwork, batch: LandBatch) -> Tensor:
        return land_loss(network(batch.windows), batch.maps)

    learn_from(batches, learner, loss, args, lambda network: evaluate(reads(network), kept_out, cutter))


if __name__ == "__main__":
    main()
