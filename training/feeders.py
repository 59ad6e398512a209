"""Batches as tensors, made ahead by processes of their own.

In: `Sampler`s, one a process. Out: `Batch`es, one process after the other; what was hard goes back to the process that
drew it. So the same samplers give the same batches, however fast either side is.
"""

from __future__ import annotations

import dataclasses
import itertools
import queue
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Self

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, multiprocessing

from training.batches import Losses, Sampler, Table, supply

PATIENCE_S = 10.0
"""So often a process is looked after whose batch does not come."""


class Share(NamedTuple):
    """One table's share of a batch: where its examples and queries stand among the windows; see `Table`."""

    shown: slice
    queries: slice
    examples: Tensor
    answers: Tensor
    hidden: Tensor


@dataclasses.dataclass
class Batch:
    """Tables one after the other. `counts`: of each how many windows are examples, and how many queries.

    `cut`, `plain`: N x channels x rows x columns (bytes); `factors`, `offsets` by table; others as in `Table`.
    """

    counts: list[tuple[int, int]]
    cut: Tensor
    plain: Tensor
    factors: Tensor
    offsets: Tensor
    examples: Tensor
    answers: Tensor
    hidden: Tensor
    maps: Tensor

    @classmethod
    def of(cls, tables: Sequence[Table]) -> Self:
        """The same as tensors."""
        return cls(
            [(len(t.examples), len(t.answers)) for t in tables],
            *(_joined([getattr(t, name).transpose(0, 3, 1, 2) for t in tables]) for name in ("cut", "plain")),
            *(_joined([getattr(t, name)[None] for t in tables]) for name in ("factors", "offsets")),
            *(_joined([getattr(t, n) for t in tables]) for n in ("examples", "answers", "hidden", "maps")),
        )

    def to(self, device: torch.device) -> Self:
        """The same on that device."""
        there = {f.name: getattr(self, f.name).to(device) for f in dataclasses.fields(self) if f.name != "counts"}
        return dataclasses.replace(self, **there)

    def windows(self) -> Tensor:
        """N x channels x rows x columns, as the network is shown them, channels last in memory."""
        return self._shown(self.cut, [shown + asked for shown, asked in self.counts])

    def plain_windows(self) -> Tensor:
        """The same with nothing over the queries' pictures."""
        cut = self.cut.split([n for count in self.counts for n in count])[::2]
        plain = self.plain.split([asked for _, asked in self.counts])
        together = torch.cat([part for both in zip(cut, plain, strict=True) for part in both])
        return self._shown(together, [shown + asked for shown, asked in self.counts])

    def _shown(self, cut: Tensor, counts: Sequence[int]) -> Tensor:
        parts = zip(cut.split(counts), self.factors, self.offsets, strict=True)
        shown = [p.permute(0, 2, 3, 1).to(f.dtype) @ f + o for p, f, o in parts]
        return torch.cat(shown).permute(0, 3, 1, 2)

    def tables(self) -> Iterator[Share]:
        """Each table's share."""
        examples = self.examples.split([shown for shown, _ in self.counts])
        answers, hidden = (of.split([asked for _, asked in self.counts]) for of in (self.answers, self.hidden))
        start = 0
        for (shown, asked), *told in zip(self.counts, examples, answers, hidden, strict=True):
            middle = start + shown
            yield Share(slice(start, middle), slice(middle, middle + asked), *told)
            start = middle + asked


def _joined(parts: Sequence[NDArray[np.generic]]) -> Tensor:
    return torch.from_numpy(np.ascontiguousarray(np.concatenate(parts)))


class _Line(NamedTuple):
    """One process: the batches that it has made, and the losses that it is told."""

    process: multiprocessing.Process
    ready: multiprocessing.Queue
    told: multiprocessing.Queue


class Feeders:
    """Batches of `tables` tables without end, made ahead by a process for each of the samplers until it is closed."""

    def __init__(self, samplers: Sequence[Sampler], tables: int) -> None:
        multiprocessing.set_sharing_strategy("file_system")  # the other one keeps a file open for every tensor
        context = multiprocessing.get_context("fork")
        self._lines = []
        for sampler in samplers:
            ready, told = context.Queue(), context.Queue()
            process = context.Process(target=_feed, args=(sampler, ready, told, tables), daemon=True)
            process.start()
            self._lines.append(_Line(process, ready, told))
        self._turns, self._owing = itertools.cycle(self._lines), itertools.cycle(self._lines)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for line in self._lines:
            line.process.terminate()
            line.process.join()

    def batch(self) -> Batch:
        """The next one; raises what making it raised, or RuntimeError if its process was ended."""
        line = next(self._turns)
        while True:
            try:
                made = line.ready.get(timeout=PATIENCE_S)
            except queue.Empty:
                if line.process.is_alive():
                    continue
                raise RuntimeError("A process that makes batches was ended: is there memory enough?") from None
            if isinstance(made, Exception):
                raise made
            assert isinstance(made, Batch)
            return made

    def learn_of(self, losses: Losses) -> None:
        """Those of the oldest batch of which none were told."""
        next(self._owing).told.put(losses)


def _feed(sampler: Sampler, ready: multiprocessing.Queue, told: multiprocessing.Queue, tables: int) -> None:
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    try:
        for batch in supply(sampler, tables, told.get):
            ready.put(Batch.of(batch))
    except Exception as error:
        ready.put(error)
