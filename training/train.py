"""Train networks: `python -m training.train PREPARED --out FILE... (--minutes 90 | --steps 9000) [--start FILE...]`.

In: what `training.dataset` wrote. Out: a checkpoint (weights averaged over the last steps) of each network, and while
it runs a line a few minutes about sessions that were kept out. Several networks learn from the same batches. By the
clock no two runs are alike, as what is learnt at which rate depends on how fast the machine is; by steps the same
sessions, seed, versions, kind of CPU and number of threads and feeders give the same weights on a CPU. PyTorch is
needed here only.
"""

from __future__ import annotations

import argparse
import copy
import dataclasses
import functools
import itertools
import math
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from companion.vision.questions import QUESTIONS, Question
from companion.vision.windows import WindowCutter
from training.batches import Sampler, board_cutter
from training.dataset import Prepared, split
from training.feeders import Batch, Feeders
from training.model import Network, load_network

SHARE = 1 / 255
"""What a byte of a window counts."""

TABLES = 2
"""Sessions in a batch, if nothing else is said: what normalises over a batch must not see one table only."""

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
        wanted = hidden.long().unsqueeze(1) if q.name == "hidden" else answers[:, q.slots]
        loss = functional.cross_entropy(part.flatten(0, 1), wanted.flatten(), reduction="none")
        total = total + weights[q.name] * _of_hexes(loss, q, hidden)
    return total


def opinion_losses(logits: Tensor, others: Tensor, hidden: Tensor, weights: Mapping[str, float]) -> Tensor:
    """The same against what another network says: its logits `others` are taken for the truth's probabilities."""
    total = logits.new_zeros(len(logits))
    for q in QUESTIONS:
        part, wanted = (of[:, q.logits].unflatten(1, (q.count, q.values)).flatten(0, 1) for of in (logits, others))
        loss = functional.cross_entropy(part, wanted.softmax(dim=1), reduction="none")
        total = total + weights[q.name] * _of_hexes(loss, q, hidden)
    return total


def _of_hexes(losses: Tensor, question: Question, hidden: Tensor) -> Tensor:
    """Losses of a question's parts (Q * count) by hex; a hidden hex is asked nothing else."""
    by_hex = losses.unflatten(0, (len(hidden), question.count)).sum(dim=1)
    return by_hex if question.name == "hidden" else by_hex * ~hidden


def map_loss(maps: Tensor, wanted: Tensor) -> Tensor:
    """Focal loss of peaks (Law and Deng, CornerNet), a foot; what nobody knows (NaN) does not count."""
    known = ~wanted.isnan()
    x, y = maps[known].float(), wanted[known]
    rate = torch.sigmoid(x)
    peak = (y > 0.99).float()
    hit = -peak * (1 - rate) ** 2 * functional.logsigmoid(x)
    miss = -(1 - peak) * (1 - y) ** 4 * rate**2 * functional.logsigmoid(-x)
    return (hit + miss).sum() / peak.sum().clamp(min=1.0)


@dataclasses.dataclass(frozen=True)
class Said:
    """What a network says of a batch: `maps`, what its maps of feet are wrong by; of each table's queries the `logits`,
    and by how much the answers are wrong (`losses`, Q)."""

    maps: Tensor
    logits: list[Tensor]
    losses: list[Tensor]


def read_batch(network: Network, batch: Batch, weights: Mapping[str, float]) -> Said:
    """All windows of a batch go through the network together."""
    whole, aspects, maps = network.embed(batch.windows())
    _, land_maps = network.backbone(batch.lands())
    wrong = MAP_WEIGHT * map_loss(maps, batch.maps) + 0.3 * map_loss(land_maps, batch.land_maps)
    whole = functional.dropout(whole, DROPPED)
    logits = [network.head(whole[t.queries], aspects[t.queries], aspects[t.shown], t.examples) for t in batch.tables()]
    logits = [of.float() for of in logits]
    asked = zip(logits, batch.tables(), strict=True)
    return Said(wrong, logits, [answer_losses(of, t.answers, t.hidden, weights) for of, t in asked])


def batch_loss(said: Said, batch: Batch, others: Sequence[Said], heeded: float, weights: Mapping[str, float]) -> Tensor:
    """What a network is to make smaller. `heeded`: what other networks say counts so much, and the truth the rest
    (deep mutual learning: what one is unsure of, the other shall not learn by heart)."""
    total = said.maps
    for i, (logits, wrong, t) in enumerate(zip(said.logits, said.losses, batch.tables(), strict=True)):
        loss = wrong.mean()
        if others:
            told = [opinion_losses(logits, o.logits[i].detach(), t.hidden, weights).mean() for o in others]
            loss = loss.lerp(torch.stack(told).mean(), heeded)
        total = total + loss / len(batch.counts)
    return total


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

    def __init__(
        self, start: Path | None, rate: float, heeded: float, weights: Mapping[str, float], device: torch.device
    ) -> None:
        """`heeded`: how much counts what other networks say of the same batch (see `batch_loss`)."""
        self._freeze_from = 0.0 if start else FREEZE_FROM
        network = load_network(start) if start else Network()
        self.network = network.to(device=device, memory_format=torch.channels_last)
        self.average = copy.deepcopy(self.network).eval()
        self._rate = rate
        self._heeded = heeded
        self._weights = weights
        self._optimiser = torch.optim.AdamW(self.network.parameters(), lr=rate, weight_decay=0.02)
        self._kind = device.type
        self.steps = 0

    def read(self, batch: Batch, gone: float) -> Said:
        """What the network says of a batch when that share of the run is gone."""
        self.network.train(gone < self._freeze_from)  # only the normalisation differs: nothing is dropped out
        with torch.autocast(self._kind, dtype=torch.bfloat16, enabled=self._kind != "cpu" or HAS_BFLOAT):
            return read_batch(self.network, batch, self._weights)

    def step(self, batch: Batch, said: Said, others: Sequence[Said], gone: float) -> Tensor:
        """Learn from what it has just `said` of the batch; returns the loss."""
        loss = batch_loss(said, batch, others, self._heeded, self._weights)
        rate = self._rate * min(1.0, (self.steps + 1) / WARM_UP) * 0.5 * (1 + math.cos(math.pi * gone))
        for group in self._optimiser.param_groups:
            group["lr"] = rate
        self._optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 5.0)
        self._optimiser.step()
        self.steps += 1
        self._follow(min(AVERAGING, self.steps / (self.steps + 10)))
        return loss.detach()

    def averaged(self) -> Network:
        """A copy of the average, to read with on a CPU."""
        return copy.deepcopy(self.average).cpu()

    @torch.no_grad()
    def _follow(self, keep: float) -> None:
        states = self.average.state_dict(), self.network.state_dict()
        for ours, theirs in zip(*(state.values() for state in states), strict=True):
            if ours.dtype.is_floating_point:
                ours.lerp_(theirs, 1 - keep)
            else:
                ours.copy_(theirs)


def learn(trainers: Sequence[Trainer], feeders: Feeders, args: argparse.Namespace, look: Callable[[str], None]) -> None:
    """Learn for as long as was said, and `look` now and then."""
    started = looked = time.monotonic()
    losses: list[list[Tensor]] = []
    for steps in itertools.count():
        gone = steps / args.steps if args.steps else (time.monotonic() - started) / (60 * args.minutes)
        if gone >= 1:
            break
        batch = feeders.batch().to(args.device)
        said = [trainer.read(batch, gone) for trainer in trainers]
        of_tables = zip(*(each.losses for each in said), strict=True)
        feeders.learn_of([torch.stack(each).mean(dim=0).detach().cpu().numpy() for each in of_tables])
        told = enumerate(zip(trainers, said, strict=True))
        losses.append([t.step(batch, own, [*said[:i], *said[i + 1 :]], gone) for i, (t, own) in told])
        if time.monotonic() - looked > 60 * args.every:
            looked = time.monotonic()
            mean = torch.tensor(losses).mean(dim=0).tolist()
            look(f"{100 * gone:3.0f} %, losses {', '.join(f'{m:.3f}' for m in mean)}")
            losses = []
    look("done")


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m training.train", description=__doc__.splitlines()[0])
    parser.add_argument("prepared", type=Path)
    parser.add_argument("--out", type=Path, nargs="+", required=True)
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--minutes", type=float, default=90.0)
    length.add_argument("--steps", type=int, help="learn from so many batches, however long it takes")
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--start", type=Path, nargs="+", help="go on from checkpoints, one for each of --out")
    parser.add_argument("--every", type=float, default=5.0, help="minutes between looks at what was kept out")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--creatures", type=float, default=QUESTION_WEIGHTS["creatures"], help="weight of creatures among the answers"
    )
    parser.add_argument(
        "--heeded", type=float, default=0.0, help="how much what the other networks say counts, of what is to be learnt"
    )
    parser.add_argument("--tables", type=int, default=TABLES, help="sessions in a batch")
    parser.add_argument("--feeders", type=int, default=1, help="processes that make batches")
    parser.add_argument("--device", type=torch.device, default=torch.device("cpu"), help="cpu or cuda")
    return parser


def main() -> None:
    """Train."""
    parser = _arguments()
    args = parser.parse_args()
    if args.start and len(args.start) != len(args.out):
        parser.error("Each of --out goes on from one of --start.")
    cv2.setNumThreads(1)
    torch.manual_seed(args.seed)
    cutter = board_cutter()
    learnt, kept_out = split(args.prepared)
    if not learnt:
        parser.error(f"{args.prepared}: there are no prepared sessions.")
    print(f"{len(learnt)} sessions to learn from, {len(kept_out)} kept out", flush=True)
    # each has sessions of its own, of which it knows what was hard
    shares = [learnt[i :: args.feeders] for i in range(min(args.feeders, len(learnt)))]
    samplers = [Sampler(share, cutter, args.seed + i) for i, share in enumerate(shares)]
    with Feeders(samplers, args.tables) as feeders:  # forked, so before anything is on a GPU
        weights = {**QUESTION_WEIGHTS, "creatures": args.creatures}
        starts = args.start or [None] * len(args.out)
        trainers = [Trainer(start, args.rate, args.heeded, weights, args.device) for start in starts]

        def look(said: str) -> None:
            """Write down what was learnt, and say how what was kept out is read."""
            for trainer, out in zip(trainers, args.out, strict=True):
                network = trainer.averaged()
                torch.save(network.state_dict(), out)
                found = evaluate(functools.partial(read_session, network, cutter=cutter), kept_out)
                told = ", ".join(f"{k} {v:.2f}" for k, v in found.items())
                print(f"{said}, step {trainer.steps}, {out.name}: {told}", flush=True)

        learn(trainers, feeders, args, look)


if __name__ == "__main__":
    main()
