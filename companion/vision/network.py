"""The network: runs it over windows, and makes probabilities of its answers.

In: stacks of windows (`windows`), those of the session's own swatch picture beforehand. Out: for each hex and question
the probabilities of the answers. The weights are those that `training` has made.
"""

from __future__ import annotations

import dataclasses
import importlib.resources
import math
import os
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from importlib.resources.abc import Traversable
from typing import Protocol

import numpy as np
import numpy.typing as npt

os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")  # else it tells its maker about this computer, and keeps a number

import onnxruntime  # isort: skip - after that

from calibration import CalibrationError
from calibration.arrays import Bytes, Floats32, Mask
from calibration.swatch import CREATURES, Swatch
from companion.vision.feet import in_doubt, mean_rates
from companion.vision.leaning import Leaning, fit_leaning
from companion.vision.questions import ASPECTS, EXAMPLES, QUESTIONS
from companion.vision.workers import WORKERS

BATCH = 8
"""Windows read together at most: more would only need more memory. Each batch is read by one thread: threads that share
one wait for each other at every layer."""

LAID_TOGETHER = 2
"""Windows laid over the examples together at most: what is compared of a window takes 2 MB while it is."""

LAID = ("keys", "values", "whole")
"""What of windows can be laid over one another (`training.model.Laid`)."""

WEIGHTS = importlib.resources.files("companion.vision") / "weights"


class Windows(Protocol):
    """Stacks of windows, N x rows x columns x `windows.WINDOW_CHANNELS`: in an array, or cut out batch by batch."""

    def __len__(self) -> int: ...

    def __getitem__(self, some: slice, /) -> Bytes: ...


class WeightsError(CalibrationError):
    """The program's own files are incomplete."""


@dataclasses.dataclass(frozen=True)
class Examples:
    """Hexes of the swatch picture: windows of each frame, of which of `EXAMPLES` each is one, and what lies there."""

    fine: Windows
    narrow: Windows
    coarse: Windows
    kinds: npt.NDArray[np.int64]
    swatches: Sequence[Swatch]


class HexNetwork:
    """One network that reads hexes, with a session's examples. Raises WeightsError if weights are missing or torn."""

    def __init__(self, weights: Traversable, workers: Executor) -> None:
        """`workers`: the threads that read batches side by side."""
        self._hexes, self._answers = _load(weights / "hexes.onnx"), _load(weights / "answers.onnx")
        self._workers = workers
        self._wholes: Floats32 = np.zeros((0, 0), np.float32)
        self._examples: Floats32 = np.zeros((0, ASPECTS, 0), np.float32)
        self._kinds: Mask = np.zeros((0, len(EXAMPLES)), bool)

    def set_examples(self, windows: Windows, kinds: npt.NDArray[np.int64]) -> None:
        """Take the swatch picture's hexes as examples: their windows, and of which of `EXAMPLES` each is one."""
        self._wholes, self._examples = self._embed(windows)()
        self._kinds = kinds[:, None] == np.arange(len(EXAMPLES))

    def of_examples(self) -> dict[str, Floats32]:
        """The answers to the examples, as if each were no example itself."""
        others = ~np.eye(len(self._kinds), dtype=bool)
        return self._told(self._wholes, self._likeness(self._examples, others[..., None] & self._kinds))

    def hexes(self, windows: Windows) -> dict[str, Floats32]:
        """By question the probabilities of the answers of each hex: N x slots x values."""
        return self.begin(windows)()

    def begin(self, windows: Windows) -> Callable[[], dict[str, Floats32]]:
        """Begin to read hexes' windows; what is returned waits for `hexes`."""
        if not len(windows):
            return lambda: {q.name: np.empty((0, q.count, q.values), np.float32) for q in QUESTIONS}
        embedded = self._embed(windows)
        return lambda: self._answered(*embedded())

    def _answered(self, whole: Floats32, aspects: Floats32) -> dict[str, Floats32]:
        """The answers to hexes, by what `_embed` has made of their windows."""
        return self._told(whole, self._likeness(aspects, self._kinds[None]))

    def _told(self, whole: Floats32, likeness: tuple[Floats32, Floats32]) -> dict[str, Floats32]:
        """The answers by what is seen and what it is like."""
        logits = self._answers.run(["logits"], {"in": np.hstack([whole, *likeness])})[0]
        out = {}
        for q in QUESTIONS:
            out[q.name] = _softmax(logits[:, q.logits].reshape(-1, q.count, q.values))
        return out

    def _likeness(self, aspects: Floats32, kinds: Mask) -> tuple[Floats32, Floats32]:
        """N x (kinds of examples x aspects), the mean likeness to each; N x kinds, to the most like of each in all.

        `kinds`: N, or 1 for all, x examples x kinds: which of the examples count, and for what.
        """
        alike = np.einsum("bak,nak->bna", aspects, self._examples)
        count = np.maximum(1, kinds.sum(axis=1, keepdims=True))
        mean = (kinds / count).astype(np.float32).transpose(0, 2, 1) @ alike
        each = np.where(kinds, alike.mean(axis=2)[..., None], -1.0)
        return mean.reshape(len(aspects), -1), each.max(axis=1, initial=-1.0).astype(np.float32)

    def _embed(self, windows: Windows) -> Callable[[], tuple[Floats32, Floats32]]:
        """Begin to read windows: embeddings, and aspects as N x `ASPECTS` x size of unit length."""

        def read(seen: Bytes) -> list[Floats32]:
            both: list[Floats32] = self._hexes.run(["whole", "aspects"], {"in": _as_read(seen)})
            return both

        begun = _read(read, self._workers, windows)

        def embedded() -> tuple[Floats32, Floats32]:
            whole, aspects = begun()
            aspects = aspects.reshape(len(aspects), ASPECTS, -1)
            return whole, aspects / np.maximum(np.linalg.norm(aspects, axis=2, keepdims=True), 1e-6)

        return embedded


class CreatureNetwork:
    """Lays hexes over the swatch picture's creatures, cell by cell, and says how many of each stand there.

    Raises WeightsError if weights are missing or torn.
    """

    def __init__(self, weights: Traversable, workers: Executor) -> None:
        """`workers`: the threads that read batches side by side."""
        self._hexes, self._answers = _load(weights / "hexes.onnx"), _load(weights / "answers.onnx")
        self._workers = workers
        self._shown: dict[str, Floats32] = {}

    def set_examples(self, windows: Windows, kinds: npt.NDArray[np.int64]) -> None:
        """Take the swatch picture's creatures as examples, each both ways round: windows (of
        `windows.CREATURE_FRAME`) of hexes, and of which of `EXAMPLES` each is one."""
        shown: dict[str, Floats32] = {}
        seen, of = windows[:], [kinds == EXAMPLES.index(creature) for creature in CREATURES]
        if all(which.any() for which in of):
            for creature, which in zip(CREATURES, of, strict=True):
                one, other = (self._lay(way) for way in (seen[which], seen[which][:, :, ::-1]))
                shown |= {f"{creature} {name}": np.concatenate([one[name], other[name]]) for name in LAID}
        self._shown = shown

    @property
    def can_tell(self) -> bool:
        """False if the swatch picture shows none of some creature: then nothing is to be asked."""
        return bool(self._shown)

    def counts(self, windows: Windows) -> Floats32:
        """N x creatures x numbers: how probable each number of each creature is."""
        (logits,) = _read(self._compared, self._workers, windows, LAID_TOGETHER)()
        return _softmax(logits)

    def _compared(self, windows: Bytes) -> list[Floats32]:
        """N x creatures x numbers: logits."""
        logits: list[Floats32] = self._answers.run(["logits"], {**self._lay(windows), **self._shown})
        return logits

    def _lay(self, windows: Bytes) -> dict[str, Floats32]:
        """The `LAID` of windows."""
        return dict(zip(LAID, self._hexes.run(list(LAID), {"in": _as_read(windows)}), strict=True))


class Network:
    """All networks with one session's examples.

    `coarse`: for every hex, a quarter of the quick one's time, windows of `windows.COARSE_FRAME`; `quick`: for what it
    leaves in doubt; `close`: four times as long, for what is in doubt still; `creatures`: for creatures that are then.
    Raises WeightsError if the weights are missing or torn.
    """

    def __init__(self, workers: Executor, weights: Traversable = WEIGHTS) -> None:
        """`workers`: the threads that read batches side by side."""
        self._workers = workers
        self.coarse, self.quick, self.close = (
            HexNetwork(folder, workers) for folder in (weights / "coarse", weights, weights / "close")
        )
        self.creatures = CreatureNetwork(weights / "creatures", workers)
        self._lands = _load(weights / "lands.onnx")
        self.leaning = Leaning({})

    def set_examples(self, examples: Examples) -> None:
        """Take the swatch picture's hexes as examples, and tell by them which way this table's answers lean: those of
        the quick network. (With the close one's in the mean as many hexes are read rightly.)"""
        self.coarse.set_examples(examples.coarse, examples.kinds)
        for network in (self.quick, self.close):
            network.set_examples(examples.fine, examples.kinds)
        self.creatures.set_examples(examples.narrow, examples.kinds)
        self.leaning = fit_leaning(self.quick.of_examples(), examples.swatches)

    def lands(self, windows: Sequence[Windows]) -> Callable[[], list[Floats32]]:
        """Begin to read safe lands, each a stack of one window of a size of its own; what is returned waits for them.

        Of each colours x cells: how surely somebody of that colour stands in each cell of the window. Where that is in
        doubt it is looked at once more, in a mirror.
        """

        def once(seen: Bytes) -> Floats32:
            (maps,) = self._lands.run(["maps"], {"in": _as_read(seen)})[0]
            return np.asarray(maps, np.float32)

        def of(window: Windows) -> Floats32:
            seen = window[:]
            maps = once(seen)
            return mean_rates(maps, once(seen[:, :, ::-1])[:, :, ::-1]) if in_doubt(maps) else maps  # by columns

        found = self._workers.map(of, windows)
        return lambda: list(found)


def _softmax(logits: Floats32) -> Floats32:
    """N x slots x values: probabilities."""
    odds = np.exp(logits - logits.max(axis=2, keepdims=True))
    return np.asarray(odds / odds.sum(axis=2, keepdims=True), np.float32)


def _read(
    read: Callable[[Bytes], list[Floats32]], workers: Executor, windows: Windows, together: int = BATCH
) -> Callable[[], list[Floats32]]:
    """Begin to `read` windows, `together` at most; what it returns waits for all that was read of them."""
    # so that no thread reads a batch more than the others
    rounds = max(1, math.ceil(len(windows) / (WORKERS * together)))
    batch = max(1, math.ceil(len(windows) / (WORKERS * rounds)))

    found = workers.map(lambda start: read(windows[start : start + batch]), range(0, len(windows), batch))
    return lambda: [np.concatenate(pieces) for pieces in zip(*found, strict=True)]


def _as_read(windows: Bytes) -> Bytes:
    """Plane by plane."""
    return np.ascontiguousarray(windows.transpose(0, 3, 1, 2))


def _load(file: Traversable) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.enable_cpu_mem_arena = False  # which keeps the most that was ever needed
    options.enable_mem_pattern = False  # of which there would be one for every size of a safe land's part
    try:
        with importlib.resources.as_file(file) as path:  # of bytes a session would keep a copy
            return onnxruntime.InferenceSession(path, options, ["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's own errors have no common base
        raise WeightsError(
            f"The program's own file {file.name} is missing or damaged; install the program again."
        ) from error
