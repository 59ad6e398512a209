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
import functools
import itertools
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
from training.batches import Sampler, board_cutter
from training.dataset import Prepared, split
from training.feeders import Batch, Feeders
from training.learner import FREEZE_FROM, Learner, add_length, share_gone
from training.model import COARSE, QUICK, SHARE, Network, load_network

TABLES = 2
"""Sessions in a batch, if nothing else is said: what normalises over a batch must not see one table only."""

QUESTION_WEIGHTS = {"tile": 0.5, "free": 1.0, "boat": 0.5, "crew": 1.0, "creatures": 1.5, "hidden": 0.3}
MAP_WEIGHT = 1.0
DROPPED = 0.1
"""Share of what is known of a hex as a whole that is left out, so that no answer rests on one part of it."""

HEED = 0.5
"""Share of what is to be learnt that is what the network said of the same windows before it learnt (`--heed`), with
nothing over the picture: what it knows it is to know still."""


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


def heeded_losses(logits: Tensor, told: Tensor, weights: Mapping[str, float]) -> Tensor:
    """How far the answers to each hex (Q) are from those that `told` gives, both logits: by question the divergence
    (Kullback and Leibler), by its weight."""
    total = logits.new_zeros(len(logits))
    for q in QUESTIONS:
        ours, theirs = (
            functional.log_softmax(of[:, q.logits].unflatten(1, (q.count, q.values)), dim=2) for of in (logits, told)
        )
        apart = functional.kl_div(ours, theirs, reduction="none", log_target=True)
        total = total + weights[q.name] * apart.sum(dim=(1, 2))
    return total


@torch.no_grad()
def told_by(network: Network, batch: Batch) -> list[Tensor]:
    """What a network says of each table's queries with nothing over the pictures: logits."""
    whole, aspects, _ = network.embed(batch.plain_windows())
    return [
        network.head(whole[t.queries], aspects[t.queries], aspects[t.shown], t.examples).float() for t in batch.tables()
    ]


def batch_loss(
    network: Network, batch: Batch, weights: Mapping[str, float], told: Sequence[Tensor] | None = None
) -> tuple[Tensor, list[Tensor]]:
    """The loss of a batch, and of each table's queries; all windows go through the network together.

    `told`: `told_by` another network, which is heeded.
    """
    whole, aspects, maps = network.embed(batch.windows())
    total = MAP_WEIGHT * map_loss(maps, batch.maps)
    whole = functional.dropout(whole, DROPPED)
    of_queries = []
    for i, t in enumerate(batch.tables()):
        logits = network.head(whole[t.queries], aspects[t.queries], aspects[t.shown], t.examples).float()
        losses = answer_losses(logits, t.answers, t.hidden, weights)
        learnt = losses if told is None else torch.lerp(losses, heeded_losses(logits, told[i], weights), HEED)
        total = total + learnt.mean() / len(batch.counts)
        of_queries.append(losses.detach())
    return total, of_queries


@torch.no_grad()
def read_session(network: Network, session: Prepared, cutter: WindowCutter) -> np.ndarray:
    """Logits of all hexes of all frames: frames x 133 x logits."""
    there, frame = np.flatnonzero(session.examples >= 0), network.size.frame
    windows = cutter.hexes(session.swatch_eye, there, frame=frame).cut(session.picture(0, frame.shrink))
    _, examples, _ = network.embed(tensor(windows))
    kinds = torch.from_numpy(session.examples[there])
    found = []
    board = cutter.hexes(session.eye, range(len(cutter.centres)), frame=frame)
    for planes in session.pictures(frame.shrink):
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


class Trainer(Learner[Network]):
    """A network that learns to read hexes."""

    def __init__(
        self,
        network: Network,
        rate: float,
        weights: Mapping[str, float],
        device: torch.device,
        *,
        goes_on: bool = False,
        heed: bool = False,
    ) -> None:
        """`goes_on`: the network has learnt before; `heed`: what it says before it learns counts (see `HEED`)."""
        super().__init__(network, rate, device, freeze_from=0.0 if goes_on else FREEZE_FROM)
        self._before = copy.deepcopy(self.network).eval() if heed else None
        self._weights = weights

    def step(self, batch: Batch, gone: float) -> tuple[Tensor, list[Tensor]]:
        """Learn from a batch when that share of the run is gone; returns the loss, and each table's by query."""
        with self.begin(gone):
            told = told_by(self._before, batch) if self._before else None
            loss, of_queries = batch_loss(self.network, batch, self._weights, told)
        self.learn(loss)
        return loss.detach(), of_queries


def learn(trainers: Sequence[Trainer], feeders: Feeders, args: argparse.Namespace, look: Callable[[str], None]) -> None:
    """Learn for as long as was said, and `look` now and then."""
    started = looked = time.monotonic()
    losses: list[list[Tensor]] = []
    for steps in itertools.count():
        gone = share_gone(args, steps, started)
        if gone >= 1:
            break
        batch = feeders.batch().to(args.device)
        told = [trainer.step(batch, gone) for trainer in trainers]
        of_tables = zip(*(of_queries for _, of_queries in told), strict=True)
        feeders.learn_of([torch.stack(each).mean(dim=0).cpu().numpy() for each in of_tables])
        losses.append([loss for loss, _ in told])
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
    add_length(parser, minutes=90.0)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--start", type=Path, nargs="+", help="go on from checkpoints, one for each of --out")
    parser.add_argument(
        "--heed", action="store_true", help="learn half from what --start says of the same pictures, nothing over them"
    )
    parser.add_argument("--every", type=float, default=5.0, help="minutes between looks at what was kept out")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--creatures", type=float, default=QUESTION_WEIGHTS["creatures"], help="weight of creatures among the answers"
    )
    parser.add_argument("--tables", type=int, default=TABLES, help="sessions in a batch")
    parser.add_argument("--feeders", type=int, default=1, help="processes that make batches")
    parser.add_argument("--coarse", action="store_true", help="the coarse network, if it learns from nothing")
    parser.add_argument("--device", type=torch.device, default=torch.device("cpu"), help="cpu or cuda")
    return parser


def main() -> None:
    """Train."""
    parser = _arguments()
    args = parser.parse_args()
    if args.start and len(args.start) != len(args.out):
        parser.error("Each of --out goes on from one of --start.")
    if args.heed and not args.start:
        parser.error("Without --start there is nothing to heed.")
    cv2.setNumThreads(1)
    torch.manual_seed(args.seed)
    if args.start:
        networks = [load_network(start) for start in args.start]
    else:
        networks = [Network(COARSE if args.coarse else QUICK) for _ in args.out]
    frame = networks[0].size.frame
    if any(network.size.frame != frame for network in networks):
        parser.error("The coarse network learns from windows of its own, and so in a run of its own.")
    cutter = board_cutter()
    learnt, kept_out = split(args.prepared)
    if not learnt:
        parser.error(f"{args.prepared}: there are no prepared sessions.")
    print(f"{len(learnt)} sessions to learn from, {len(kept_out)} kept out", flush=True)
    # each has sessions of its own, of which it knows what was hard
    shares = [learnt[i :: args.feeders] for i in range(min(args.feeders, len(learnt)))]
    samplers = [Sampler(share, cutter, args.seed + i, frame=frame, plainly=args.heed) for i, share in enumerate(shares)]
    with Feeders(samplers, args.tables) as feeders:  # forked, so before anything is on a GPU
        weights = {**QUESTION_WEIGHTS, "creatures": args.creatures}
        trainers = [
            Trainer(network, args.rate, weights, args.device, goes_on=bool(args.start), heed=args.heed)
            for network in networks
        ]

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
