"""How a network learns: a rate that rises and falls, and the average of the weights over the last steps, which counts.

In: losses. Out: the average. Nothing here knows what is learnt.
"""

from __future__ import annotations

import argparse
import copy
import math
import time
from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

import torch
from torch import Tensor, nn

HAS_BFLOAT = torch.backends.cpu.get_cpu_capability().startswith("AVX512")
"""On a CPU without them short floats take seven times as long as floats."""

AVERAGING = 0.998
"""Of the average so much is kept at each step."""

WARM_UP = 200
"""Steps until the rate is what was said."""

WEIGHT_DECAY = 0.02
CLIP = 5.0
"""Norm of all gradients together at most."""

FREEZE_FROM = 0.4
"""Share of the run after which the normalisation is that of recognition: the tables of a batch are too few."""


def add_length(parser: argparse.ArgumentParser, minutes: float) -> None:
    """How long to learn: `--minutes`, so many if nothing is said, or `--steps`."""
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--minutes", type=float, default=minutes)
    length.add_argument("--steps", type=int, help="learn from so many batches, however long it takes")


def share_gone(args: argparse.Namespace, steps: int, started: float) -> float:
    """The share of that which is gone after so many steps, of a run that started then (s, monotonic)."""
    return float(steps / args.steps if args.steps else (time.monotonic() - started) / (60 * args.minutes))


Learnt = TypeVar("Learnt", bound=nn.Module)


class Learner(Generic[Learnt]):
    """A network while it learns, and its average."""

    def __init__(self, network: Learnt, rate: float, device: torch.device, *, freeze_from: float = FREEZE_FROM) -> None:
        """`freeze_from`: see `FREEZE_FROM`; 0 if the normalisation is to stay as it is."""
        self.network = network.to(device=device, memory_format=torch.channels_last)
        self.average = copy.deepcopy(self.network).eval()
        self.steps = 0
        self._gone = 0.0
        self._rate = rate
        self._freeze_from = freeze_from
        self._device = device.type
        self._optimiser = torch.optim.AdamW(self.network.parameters(), lr=rate, weight_decay=WEIGHT_DECAY)

    def begin(self, gone: float) -> torch.autocast:
        """Begin a step when that share of the run is gone; what is returned is to be round the calculation."""
        self._gone = gone
        self.network.train(gone < self._freeze_from)  # only the normalisation differs: nothing is dropped out
        return torch.autocast(self._device, dtype=torch.bfloat16, enabled=self._device != "cpu" or HAS_BFLOAT)

    def learn(self, loss: Tensor) -> None:
        """End it."""
        rate = self._rate * min(1.0, (self.steps + 1) / WARM_UP) * 0.5 * (1 + math.cos(math.pi * self._gone))
        for group in self._optimiser.param_groups:
            group["lr"] = rate
        self._optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), CLIP)
        self._optimiser.step()
        self.steps += 1
        self._follow(min(AVERAGING, self.steps / (self.steps + 10)))

    def averaged(self) -> Learnt:
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


Batch = TypeVar("Batch")


def learn_from(
    batches: Iterable[Batch],
    learner: Learner[Learnt],
    loss: Callable[[Learnt, Batch], Tensor],
    args: argparse.Namespace,
    told: Callable[[Learnt], str],
) -> None:
    """Learn from one batch after the other for as long as was said (`add_length`).

    Before, every `args.every` minutes, and in the end the average is written to `args.out`, and it is said what is
    `told` of it.
    """
    losses: list[float] = []

    def look(said: str) -> None:
        network = learner.averaged()
        torch.save(network.state_dict(), args.out)
        mean = sum(losses) / len(losses) if losses else math.nan
        print(f"{said}, step {learner.steps}, loss {mean:.3f}: {told(network)}", flush=True)
        losses.clear()

    look("before")
    started = looked = time.monotonic()
    for batch in batches:
        gone = share_gone(args, learner.steps, started)
        if gone >= 1:
            break
        with learner.begin(gone):
            lost = loss(learner.network, batch)
        learner.learn(lost)
        losses.append(lost.item())
        if time.monotonic() - looked > 60 * args.every:
            looked = time.monotonic()
            look(f"{100 * gone:3.0f} %")
    look("done")
