"""Train the network: `python -m training.train PREPARED --out FILE (--minutes 90 | --steps 9000) [--start FILE]`.

In: what `training.dataset` wrote. Out: a checkpoint (weights averaged over the last steps), and while it runs a line a
few minutes about sessions that were kept out. By the clock no two runs are alike, as what is learnt at which rate
depends on how fast the machine is; by steps the same sessions, seed, versions, kind of CPU and number of
threads give the same weights. Runs on a CPU; PyTorch is needed here only.
"""

from __future__ import annotations

import argparse
import copy
import functools
import math
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from companion.vision.questions import QUESTIONS
from companion.vision.windows import WindowCutter
from training.batches import Sampler, Supply, Table, board_cutter
from training.dataset import Prepared, split
from training.model import Network, load_network

SHARE = 1 / 255
"""What a byte of a window counts."""

TABLES = 2
"""Sessions in a batch: what normalises over a batch must not see one table only."""

QUESTION_WEIGHTS = {"tile": 0.5, "free": 1.0, "boat": 0.5, "crew": 1.0, "creatures": 1.5, "hidden": 0.3}
MAP_WEIGHT = 1.0
DROPPED = 0.1
"""Share of what is known of a hex as a whole that is left out, so that no answer rests on one part of it."""

HAS_BFLOAT = torch.backends.cpu.get_cpu_capability().startswith("AVX512")
"""On a CPU without them short floats take seven times as long as floats."""

AVERAGING = 0.998
WARM_UP = 200
FREEZE_FROM = 0.4
"""Share of the run after which the normalisation is that of recognition: the tables of a batch are too few."""


def tensor(windows: np.ndarray) -> Tensor:
    """N x rows x columns x channels (bytes, or 0 to 1 already) to PyTorch's order, channels last in memory."""
    scaled = windows.astype(np.float32) * SHARE if windows.dtype == np.uint8 else windows
    return torch.from_numpy(scaled).permute(0, 3, 1, 2)


def answer_losses(logits: Tensor, answers: Tensor, hidden: Tensor, weights: Mapping[str, float]) -> Tensor:
    """Cross entropy over all questions of each hex (Q), each by its weight; of hidden hexes only whether they are."""
    total = logits.new_zeros(len(logits))
    for q in QUESTIONS:
        part = logits[:, q.logits].unflatten(1, (q.count, q.values))
        if q.name == "hidden":
            loss = functional.cross_entropy(part[:, 0], hidden.long(), reduction="none")
        else:
            wanted = answers[:, q.slots].flatten()
            loss = functional.cross_entropy(part.flatten(0, 1), wanted, reduction="none")
            loss = loss.unflatten(0, (len(logits), q.count)).sum(dim=1) * ~hidden
        total = total + weights[q.name] * loss
    return total


def map_loss(maps: Tensor, wanted: Tensor) -> Tensor:
    """Focal loss of peaks (Law and Deng, CornerNet), a foot; what nobody knows (NaN) does not count."""
    known = ~wanted.isnan()
    x, y = maps[known].float(), wanted[known]
    rate = torch.sigmoid(x)
    peak = (y > 0.99).float()
    hit = -peak * (1 - rate) ** 2 * functional.logsigmoid(x)
    miss = -(1 - peak) * (1 - y) ** 4 * rate**2 * functional.logsigmoid(-x)
    return (hit + miss).sum() / peak.sum().clamp(min=1.0)


def table_loss(network: Network, tables: Sequence[Table], weights: Mapping[str, float]) -> tuple[Tensor, list[Tensor]]:
    """The loss of a batch, and of each table's queries; all windows go through the network together."""
    windows = torch.cat([tensor(t.windows) for t in tables])
    whole, aspects, maps = network.embed(windows.contiguous(memory_format=torch.channels_last))
    _, land_maps = network.backbone(torch.cat([tensor(t.land) for t in tables]))
    total = MAP_WEIGHT * map_loss(maps, torch.from_numpy(np.concatenate([t.maps for t in tables])))
    total = total + 0.3 * map_loss(land_maps, torch.from_numpy(np.concatenate([t.land_maps for t in tables])))
    whole = functional.dropout(whole, DROPPED)
    start, of_queries = 0, []
    for t in tables:
        shown, end = start + len(t.examples), start + len(t.windows)
        kinds = torch.from_numpy(t.examples)
        logits = network.head(whole[shown:end], aspects[shown:end], aspects[start:shown], kinds).float()
        losses = answer_losses(logits, torch.from_numpy(t.answers), torch.from_numpy(t.hidden), weights)
        total = total + losses.mean() / len(tables)
        of_queries.append(losses.detach())
        start = end
    return total, of_queries


@torch.no_grad()
def read_session(network: Network, session: Prepared, cutter: WindowCutter) -> np.ndarray:
    """Logits of all hexes of all frames: frames x 133 x logits."""
    there = np.flatnonzero(session.examples >= 0)
    windows = cutter.hexes(session.swatch_eye, there).cut(session.pictures()[0])
    _, examples, _ = network.embed(tensor(windows))
    kinds = torch.from_numpy(session.examples[there])
    found = []
    board = cutter.hexes(session.eye, range(len(cutter.centres)))
    for planes in session.pictures()[1:]:
        windows = board.cut(planes)
        whole, aspects, _ = network.embed(tensor(windows))
        found.append(network.head(whole, aspects, examples, kinds).float().numpy())
    return np.stack(found)


def evaluate(read: Callable[[Prepared], np.ndarray], sessions: Sequence[Prepared]) -> dict[str, float]:
    """Of what `read` makes of sessions (see `read_session`): right answers (%) by question.

    They are counted over hexes in sight where something is. `hex`: all of a hex right; `bare`: nothing claimed where
    nothing is, of the hexes that recognition looks at.
    """
    right: dict[str, list[bool]] = {name: [] for name in ("tile", "free", "boat", "crew", "creatures", "hex", "bare")}
    hidden_right: list[bool] = []
    for session in sessions:
        seen = zip(read(session), session.labels[1:], session.looked[1:], strict=True)
        for found, label, looked in seen:
            truth = label.hexes
            whole = np.ones(len(truth), bool)
            for q in QUESTIONS:
                part = found[:, q.logits].reshape(-1, q.count, q.values).argmax(axis=2)
                if q.name == "hidden":
                    hidden_right += list((part[:, 0] == 1) == label.hidden)
                else:
                    wanted = truth[:, q.slots]
                    same = (part == wanted).all(axis=1)
                    whole &= same
                    there = ((wanted > 0) | (part > 0)).any(axis=1) & ~label.hidden
                    right[q.name] += list(same[there])
            busy = (truth > 0).any(axis=1)
            right["hex"] += list(whole[busy & ~label.hidden])
            right["bare"] += list(whole[~busy & ~label.hidden & looked])
    return {k: 100 * float(np.mean(v)) for k, v in {**right, "hidden": hidden_right}.items() if v}


class Trainer:
    """The network while it learns, and its average over the last steps, which is what counts."""

    def __init__(self, start: Path | None, rate: float, weights: Mapping[str, float]) -> None:
        self._freeze_from = 0.0 if start else FREEZE_FROM
        self.network = (load_network(start) if start else Network()).to(memory_format=torch.channels_last)
        self.average = copy.deepcopy(self.network).eval()
        self._rate = rate
        self._weights = weights
        self._optimiser = torch.optim.AdamW(self.network.parameters(), lr=rate, weight_decay=0.02)
        self.steps = 0

    def step(self, tables: Sequence[Table], gone: float) -> tuple[float, list[np.ndarray]]:
        """Learn from a batch when that share of the run is gone; returns the loss, and each table's by query."""
        self.network.train(gone < self._freeze_from)  # only the normalisation differs: nothing is dropped out
        rate = self._rate * min(1.0, (self.steps + 1) / WARM_UP) * 0.5 * (1 + math.cos(math.pi * gone))
        for group in self._optimiser.param_groups:
            group["lr"] = rate
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=HAS_BFLOAT):
            loss, of_queries = table_loss(self.network, tables, self._weights)
        self._optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 5.0)
        self._optimiser.step()
        self.steps += 1
        self._follow(min(AVERAGING, self.steps / (self.steps + 10)))
        return float(loss.item()), [losses.numpy() for losses in of_queries]

    @torch.no_grad()
    def _follow(self, keep: float) -> None:
        states = self.average.state_dict(), self.network.state_dict()
        for ours, theirs in zip(*(state.values() for state in states), strict=True):
            if ours.dtype.is_floating_point:
                ours.lerp_(theirs, 1 - keep)
            else:
                ours.copy_(theirs)


def main() -> None:
    """Train."""
    parser = argparse.ArgumentParser(prog="python -m training.train", description=__doc__.splitlines()[0])
    parser.add_argument("prepared", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--minutes", type=float, default=90.0)
    length.add_argument("--steps", type=int, help="learn from so many batches, however long it takes")
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--start", type=Path, help="go on from a checkpoint")
    parser.add_argument("--every", type=float, default=5.0, help="minutes between looks at what was kept out")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--creatures", type=float, default=QUESTION_WEIGHTS["creatures"], help="weight of creatures among the answers"
    )
    args = parser.parse_args()
    cv2.setNumThreads(1)
    torch.manual_seed(args.seed)
    cutter = board_cutter()
    learnt, kept_out = split(args.prepared)
    if not learnt:
        parser.error(f"{args.prepared}: there are no prepared sessions.")
    print(f"{len(learnt)} sessions to learn from, {len(kept_out)} kept out", flush=True)
    trainer = Trainer(args.start, args.rate, {**QUESTION_WEIGHTS, "creatures": args.creatures})
    read = functools.partial(read_session, trainer.average, cutter=cutter)
    started = looked = time.monotonic()
    losses: list[float] = []

    def share_gone() -> float:
        return trainer.steps / args.steps if args.steps else (time.monotonic() - started) / (60 * args.minutes)

    with Supply(Sampler(learnt, cutter, args.seed), TABLES) as supply:
        while (gone := share_gone()) < 1:
            loss, of_queries = trainer.step(supply.batch(), gone)
            losses.append(loss)
            supply.learn_of(of_queries)
            if time.monotonic() - looked > 60 * args.every:
                looked = time.monotonic()
                told = ", ".join(f"{k} {v:.1f}" for k, v in evaluate(read, kept_out).items())
                print(f"{100 * gone:3.0f} % step {trainer.steps} loss {np.mean(losses):.3f}: {told}", flush=True)
                losses = []
                torch.save(trainer.average.state_dict(), args.out)
    torch.save(trainer.average.state_dict(), args.out)
    told = ", ".join(f"{k} {v:.2f}" for k, v in evaluate(read, kept_out).items())
    print(f"done, step {trainer.steps}: {told}", flush=True)


if __name__ == "__main__":
    main()
