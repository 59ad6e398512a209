"""Train the network: `python -m training.train --data DIR --out DIR [--minutes 60] [--start FILE]`.

Whole sessions are held back for validation (every `HOLD_BACK`th). The data is listed anew each epoch, so training may
begin while sessions are still being rendered. Writes `model.pt` after each epoch: a moving average of the weights.
`training.export` turns it into ONNX.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from calibration.print import BoardPrint
from calibration.view import board_view
from companion.rules.geometry import load_board
from companion.vision.network import CELL, MAPS, QUESTIONS, hex_cells
from training.labels import NONE
from training.model import Backbone, Head, cut_windows

HOLD_BACK = 12
RATE = 2.5e-3
WARM_UP = 0.08
WEIGHT_DECAY = 0.02
AVERAGE = 0.995
EMPTY_WEIGHT = 0.35
"""What an empty hex counts next to one that bears something: most are empty."""

MAP_WEIGHT = 0.3
SPOT_CELLS = 1.0
QUESTION_WEIGHTS = {"tile": 0.5, "free": 1.0, "boat": 1.0, "crew": 1.0, "creatures": 1.5, "hidden": 0.5}

Labels = dict[str, NDArray[np.int64]]


def held_back(data: Path) -> tuple[list[Path], list[Path]]:
    """The prepared frames to learn from, and those of the sessions that are held back."""
    paths = sorted(data.glob("?*_f*.npz"))
    held = {p for p in paths if int(p.name[1:6]) % HOLD_BACK == HOLD_BACK - 1}
    return [p for p in paths if p not in held], sorted(held)


class Sample:
    """One frame, loaded and, for training, changed at random."""

    def __init__(self, path: Path, rng: np.random.Generator | None) -> None:
        with np.load(path) as arrays:
            self.planes: NDArray[np.uint8] = arrays["planes"]
            self.lean: NDArray[np.float32] = arrays["lean"]
            self.pieces: NDArray[np.float32] = arrays["pieces"]
            self.labels: Labels = {name: arrays[name] for name, _, _ in QUESTIONS}
        if rng is not None:
            for axis in (0, 1):
                if rng.random() < 0.5:
                    self._mirror(axis)
            self._recolour(rng)

    def _mirror(self, axis: int) -> None:
        """West for east (axis 1) or north for south (0); the middle of the board stays where it is."""
        size = self.planes.shape[1 + axis]
        self.planes = np.roll(np.flip(self.planes, 1 + axis), 1, 1 + axis)
        self.lean = np.roll(np.flip(self.lean, 1 + axis), 1, 1 + axis).copy()
        self.lean[1 - axis] *= -1
        self.pieces = self.pieces.copy()
        self.pieces[:, 2 - axis] = size - self.pieces[:, 2 - axis]
        self.labels = {name: values[_MIRRORED[axis]] for name, values in self.labels.items()}

    def _recolour(self, rng: np.random.Generator) -> None:
        """Turn the hues of picture and reference alike, so that no print is learnt by heart; blur the evidence."""
        planes = self.planes.copy()
        turn, gain, light = rng.normal(0, 0.2), rng.uniform(0.75, 1.25), rng.uniform(0.85, 1.15)
        c, s = math.cos(turn) * gain, math.sin(turn) * gain
        for first in (0, 3):
            a, b = planes[first + 1].astype(np.float32) - 128, planes[first + 2].astype(np.float32) - 128
            planes[first + 1] = np.clip(c * a - s * b + 128, 0, 255)
            planes[first + 2] = np.clip(s * a + c * b + 128, 0, 255)
            planes[first] = np.clip(planes[first] * light, 0, 255)
        for i in range(6, len(planes)):
            if rng.random() < 0.3:
                planes[i] = np.clip(planes[i] * rng.uniform(0.9, 1.1) + rng.normal(0, 8), 0, 255)
        self.planes = planes


def _mirrored() -> tuple[list[int], list[int]]:
    """For each way of mirroring, which hex comes to lie on each hex: north for south, then west for east."""
    hexes = load_board().hexes
    index = {h: i for i, h in enumerate(hexes)}
    return [index[q + r, -r] for q, r in hexes], [index[-q - r, r] for q, r in hexes]


_MIRRORED = _mirrored()


def spots(pieces: NDArray[np.float32], shape: tuple[int, int]) -> NDArray[np.float32]:
    """(len(MAPS), rows, columns): a bell of height 1 round the cell of each piece."""
    target = np.zeros((len(MAPS), *shape), np.float32)
    y, x = np.mgrid[-4:5, -4:5]
    for channel, column, row in pieces:
        cx, cy = round(float(column) / CELL), round(float(row) / CELL)
        if not (4 <= cx < shape[1] - 4 and 4 <= cy < shape[0] - 4):
            continue
        dx, dy = column / CELL - cx, row / CELL - cy
        bell = np.exp(-((x - dx) ** 2 + (y - dy) ** 2) / (2 * SPOT_CELLS**2))
        bell[4, 4] = 1.0
        part = target[int(channel), cy - 4 : cy + 5, cx - 4 : cx + 5]
        np.maximum(part, bell, out=part)
    return target


def batches(paths: Sequence[Path], size: int, rng: np.random.Generator) -> Iterator[list[Sample]]:
    """All frames once, in random order."""
    order = rng.permutation(len(paths))
    for i in range(0, len(order) - size + 1, size):
        yield [Sample(paths[k], rng) for k in order[i : i + size]]


def map_loss(logits: Tensor, target: Tensor) -> Tensor:
    """The focal loss of centre-point detectors."""
    p = torch.sigmoid(logits.float())
    peak = target.ge(1.0)
    near = (1 - target) ** 4
    log_p, log_q = functional.logsigmoid(logits.float()), functional.logsigmoid(-logits.float())
    loss = -torch.where(peak, (1 - p) ** 2 * log_p, near * p**2 * log_q)
    return loss.sum() / peak.sum().clamp(min=1)


def hex_loss(logits: Tensor, labels: dict[str, Tensor]) -> Tensor:
    """Cross entropy of all questions, empty hexes counting less."""
    bare = (labels["free"].clamp(min=0).sum(1) + labels["crew"].clamp(min=0).sum(1)
            + labels["creatures"].clamp(min=0).sum(1) + labels["boat"].clamp(min=0)).eq(0)  # fmt: skip
    weight = torch.where(bare, EMPTY_WEIGHT, 1.0)
    total = logits.new_zeros(())
    start = 0
    for name, many, answers in QUESTIONS:
        part = logits[:, start : start + many * answers].float().reshape(-1, answers)
        start += many * answers
        target = labels[name].reshape(-1)
        known = target.ne(NONE)
        each = functional.cross_entropy(part, target.clamp(min=0), reduction="none", label_smoothing=0.01)
        weights = weight.repeat_interleave(many) * known
        total = total + QUESTION_WEIGHTS[name] * many * (each * weights).sum() / weights.sum().clamp(min=1)
    return total


class Trainer:
    """Holds the two networks, their moving average and the optimiser."""

    def __init__(self, cells: Tensor) -> None:
        self.networks = nn.ModuleDict({"backbone": Backbone(), "head": Head()})
        self.average = torch.optim.swa_utils.AveragedModel(
            self.networks, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(AVERAGE), use_buffers=True
        )
        self._optimiser = torch.optim.AdamW(self.networks.parameters(), RATE, weight_decay=WEIGHT_DECAY)
        self._cells = cells

    def forward(self, networks: nn.Module, samples: Sequence[Sample]) -> tuple[Tensor, Tensor]:
        """Logits (B * N, LOGITS) and map logits."""
        planes = torch.from_numpy(np.stack([s.planes for s in samples])).float()
        lean = torch.from_numpy(np.stack([s.lean for s in samples]))
        planes = planes.contiguous(memory_format=torch.channels_last)
        with torch.autocast("cpu", torch.bfloat16):
            features, maps = networks["backbone"](planes, lean)
            logits = networks["head"](cut_windows(features, self._cells))
        return logits, maps

    def step(self, samples: Sequence[Sample], progress: float) -> tuple[float, float]:
        """Learn from one batch; the losses of hexes and maps. `progress`: 0 at the start of training, 1 at its end."""
        for group in self._optimiser.param_groups:
            group["lr"] = RATE * _share(progress)
        logits, maps = self.forward(self.networks, samples)
        labels = {name: torch.from_numpy(np.concatenate([s.labels[name] for s in samples])) for name, _, _ in QUESTIONS}
        shape = (maps.shape[2], maps.shape[3])
        target = torch.from_numpy(np.stack([spots(s.pieces, shape) for s in samples]))
        ours, theirs = hex_loss(logits, labels), map_loss(maps, target)
        self._optimiser.zero_grad()
        (ours + MAP_WEIGHT * theirs).backward()
        nn.utils.clip_grad_norm_(self.networks.parameters(), 5.0)
        self._optimiser.step()
        self.average.update_parameters(self.networks)
        return float(ours.detach()), float(theirs.detach())


def _share(progress: float) -> float:
    """Of the learning rate: up in the first part, then down along half a cosine."""
    if progress < WARM_UP:
        return 0.05 + 0.95 * progress / WARM_UP
    return 0.005 + 0.995 * 0.5 * (1 + math.cos(math.pi * min(1.0, (progress - WARM_UP) / (1 - WARM_UP))))


def validate(trainer: Trainer, paths: Sequence[Path]) -> str:
    """Share of hexes read right, by question, among those where truth or reading says there is something."""
    trainer.average.eval()
    right: dict[str, int] = dict.fromkeys([n for n, _, _ in QUESTIONS], 0)
    count = dict(right)
    exact = boards = 0
    with torch.no_grad():
        for path in paths:
            sample = Sample(path, None)
            logits, _ = trainer.forward(trainer.average.module, [sample])
            start, whole = 0, True
            for name, many, answers in QUESTIONS:
                said = logits[:, start : start + many * answers].reshape(-1, many, answers).argmax(2).numpy()
                start += many * answers
                truth = sample.labels[name].reshape(-1, many)
                known = (truth != NONE).all(axis=1)
                busy = known & ((truth > 0).any(axis=1) | (said > 0).any(axis=1))
                same = (said == truth).all(axis=1)
                right[name] += int((same & busy).sum())
                count[name] += int(busy.sum())
                whole &= bool(same[known].all())
            boards += 1
            exact += whole
    figures = ", ".join(f"{n} {100 * right[n] / max(1, count[n]):.2f}" for n in right)
    return f"{figures}, boards exact {exact}/{boards}"


def main() -> None:
    """Train."""
    parser = argparse.ArgumentParser(prog="python -m training.train", description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--batch", type=int, default=4)
    parser.add_argument("--start", type=Path, help="weights to go on from")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    trainer = Trainer(torch.from_numpy(hex_cells(board_view(BoardPrint()), load_board())))
    if args.start:
        state = torch.load(args.start, weights_only=True)
        trainer.networks.load_state_dict(state)
        trainer.average.module.load_state_dict(state)
    args.out.mkdir(parents=True, exist_ok=True)
    started, epoch, progress = time.monotonic(), 0, 0.0
    while progress < 1.0:
        learn, check = held_back(args.data)
        epoch += 1
        trainer.networks.train()
        losses = []
        for samples in batches(learn, args.batch, rng):
            progress = (time.monotonic() - started) / (60 * args.minutes)
            losses.append(trainer.step(samples, progress))
        mean = np.mean(losses, axis=0)
        torch.save(trainer.average.module.state_dict(), args.out / "model.pt")
        line = f"epoch {epoch}, {100 * progress:.0f} %: {len(learn)} frames, hexes {mean[0]:.4f}, maps {mean[1]:.3f}"
        print(f"{line}; {validate(trainer, check)}" if epoch % 3 == 0 or progress >= 1.0 else line, flush=True)


if __name__ == "__main__":
    main()
