"""Learn to read safe lands: `python -m training.lands PREPARED --out FILE --start FILE (--minutes 60 | --steps 9000)`.

In: what `training.dataset` wrote, and a checkpoint: of such a network, or of the quick one to begin with. Out: a
checkpoint, and while it runs a line a few minutes about sessions that were kept out.
"""

from __future__ import annotations

import argparse
import itertools
import math
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import torch
from torch import Tensor
from torch.nn import functional
from torch.utils.data import DataLoader, IterableDataset

from calibration.swatch import COLOURS, CREATURES, TERRAINS
from companion.vision.questions import CELL, HEATMAPS
from companion.vision.readings import land_evidence
from companion.vision.windows import LAND_FRAME, LAND_SIDES, LAND_STEP, Window, WindowCutter, cells_of, land_cells
from training.batches import board_cutter, distortion, jittered, stretched
from training.dataset import Prepared, split
from training.learner import FREEZE_FROM, Learner
from training.model import LandNetwork, load_lands
from training.train import tensor

PICTURES = 8
"""So many pictures' lands make a batch."""

DESERTED = 0.3
"""How often a safe land is drawn on which nobody stands; all others are."""

SIDE = 128
"""Side of what is learnt from of a window, px, anywhere in it: recognition reads rectangles, too."""


AT_FOOT, NEAR_FOOT = 0.8, 1.3
"""A cell is to say that somebody stands there if its middle is so near to a foot, in cells: one cell or up to four,
which all touch each other, so that the likeliest of them says it for all. Up to the second it may say what it will. If
one cell alone were the right one, two would share the probability where a foot stands between them."""


class LandBatch(NamedTuple):
    """Windows (N x channels x `SIDE` x `SIDE`, 0 to 1) and what the maps are to say (see `where_people_stand`)."""

    windows: Tensor
    maps: Tensor


def where_people_stand(feet: np.ndarray, window: Window) -> np.ndarray:
    """Colours x cells of a window: 1 at the feet of free explorers (N x 3: map, x, y), NaN near them, 0 elsewhere."""
    rows, columns = window.frame.rows // CELL, window.frame.columns // CELL
    cells = np.moveaxis(np.mgrid[:rows, :columns], 0, -1)
    out = np.zeros((len(COLOURS), rows, columns), np.float32)
    kinds, at = feet[:, 0].astype(int), (window.pixels(feet[:, 1:]) - (CELL - 1) / 2) / CELL
    for number, colour in enumerate(COLOURS):
        of = at[kinds == HEATMAPS.index(f"free {colour}")]
        away = np.linalg.norm(cells[:, :, None] - of, axis=-1).min(axis=2, initial=np.inf)
        out[number] = np.select([away <= AT_FOOT, away <= NEAR_FOOT], [1.0, np.nan])
    return out


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

    def _drawn(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
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

    def _lands(self, session: Prepared, picture: int, which: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
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


@torch.no_grad()
def evaluate(network: LandNetwork, sessions: Sequence[Prepared], cutter: WindowCutter) -> dict[str, float]:
    """Right safe lands in sight (%), `inhabited` and `deserted`, and the mean negative log of the `truth`."""
    right: dict[str, list[bool]] = {"inhabited": [], "deserted": []}
    missed: list[float] = []
    for session in sessions:
        lands = cutter.safe_lands(session.eye, range(len(LAND_SIDES)))
        inside = land_cells(lands)
        for planes, labels in zip(session.pictures(), session.labels[1:], strict=True):
            maps = torch.sigmoid(network(tensor(lands.cut(planes)))).numpy()
            for evidence, laid, hidden in zip(
                land_evidence(maps, inside, {}), labels.lands.tolist(), labels.lands_hidden, strict=True
            ):
                if not hidden:
                    truth = {c: n for c, n in zip(COLOURS, laid, strict=True) if n}
                    right["inhabited" if truth else "deserted"].append(evidence.hypotheses[0].explorers == truth)
                    of_truth = (h.probability for h in evidence.hypotheses if h.explorers == truth)
                    missed.append(-math.log(max(next(of_truth, 0.0), 1e-4)))
    return {**{k: 100 * float(np.mean(v)) for k, v in right.items() if v}, "truth": float(np.mean(missed))}


def main() -> None:
    """Train."""
    parser = argparse.ArgumentParser(prog="python -m training.lands", description=__doc__.splitlines()[0])
    parser.add_argument("prepared", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--start", type=Path, required=True, help="go on from this checkpoint")
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--minutes", type=float, default=60.0)
    length.add_argument("--steps", type=int, help="learn from so many batches, however long it takes")
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
    learner = Learner(load_lands(args.start), args.rate, torch.device("cpu"), freeze_from=FREEZE_FROM)
    losses: list[float] = []

    def look(said: str) -> None:
        network = learner.averaged()
        torch.save(network.state_dict(), args.out)
        told = ", ".join(f"{k} {v:.3f}" for k, v in evaluate(network, kept_out, cutter).items())
        print(f"{said}, step {learner.steps}, loss {np.mean(losses or [np.nan]):.3f}: {told}", flush=True)
        losses.clear()

    look("before")
    started = looked = time.monotonic()
    for batch in DataLoader(LandSampler(learnt, args.seed), batch_size=None, num_workers=1):
        gone = learner.steps / args.steps if args.steps else (time.monotonic() - started) / (60 * args.minutes)
        if gone >= 1:
            break
        with learner.begin(gone):
            loss = land_loss(learner.network(batch.windows), batch.maps)
        learner.learn(loss, gone)
        losses.append(loss.item())
        if time.monotonic() - looked > 60 * args.every:
            looked = time.monotonic()
            look(f"{100 * gone:3.0f} %")
    look("done")


if __name__ == "__main__":
    main()
