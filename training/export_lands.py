"""Write what reads safe lands as ONNX: `python -m training.export_lands CHECKPOINT... --prepared DIR --out FILE`.

In: what `training.lands` wrote, and the prepared sessions. On those that were kept out it is measured how probable a
foot is where there is a peak; from windows of the others come the ranges of the bytes with which the network
calculates. Out: the ONNX file; with `--keep` also the checkpoint, in half precision, to go on learning from.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from companion.vision.feet import is_peak
from companion.vision.windows import LAND_FRAME, Window
from training.batches import board_cutter, where_people_stand
from training.dataset import Prepared
from training.export import kept, no_windows, sampled, to_export
from training.lands import Read, evaluate, maps_of, reads
from training.model import SHARE, LandNetwork, load_lands
from training.onnx_files import WINDOWS, Input, quantise, write

FAINT = 0.018
"""Below this rate a cell of the maps is no peak."""


class _Lands(nn.Module):
    def __init__(self, network: LandNetwork, scale: tuple[float, float]) -> None:
        super().__init__()
        self.network = network
        self.factor, self.offset = scale

    def forward(self, windows: Tensor) -> Tensor:
        return torch.sigmoid(self.network(windows * SHARE) * self.factor + self.offset)


def peak_scale(network: LandNetwork, sessions: Sequence[Prepared]) -> tuple[float, float]:
    """Factor and offset of the maps' logits that make a peak's rate the probability of a foot there (Platt scaling)."""
    cutter = board_cutter()
    logits, hits = [np.empty(0)], [np.empty(0)]
    for session in sessions:
        for maps, inside, labels in maps_of(session, cutter, reads(network)):
            for i in np.flatnonzero(~labels.lands_hidden):
                there = where_people_stand(labels.feet, Window(LAND_FRAME, session.eye, cutter.lands[i]))
                for k, of_colour in enumerate(is_peak(maps[i], FAINT)):
                    at = of_colour & inside[i]
                    logits.append(np.log(maps[i, k][at]) - np.log1p(-np.minimum(maps[i, k][at], 1 - 1e-7)))
                    hits.append((there[k][at] != 0.0).astype(float))  # near a foot is at it
    x, y = (np.concatenate(v).astype(float) for v in (logits, hits))
    weights = np.array([1.0, 0.0])
    design = np.stack([x, np.ones_like(x)], axis=1)
    for _ in range(30):  # Newton's method, held back a little towards no change at all
        p = 1 / (1 + np.exp(-design @ weights))
        hessian = (design * (p * (1 - p))[:, None]).T @ design + 0.1 * np.eye(2)
        weights -= np.linalg.solve(hessian, design.T @ (p - y) + 0.1 * (weights - (1.0, 0.0)))
    return float(weights[0]), float(weights[1])


def sample_windows(sessions: Sequence[Prepared]) -> list[NDArray[np.uint8]]:
    """Stacks of windows of safe lands on which somebody stands."""
    cutter = board_cutter()
    stacks = []
    for session in sampled(sessions):
        which = np.flatnonzero(session.labels[1].lands.any(axis=1))
        if len(which):
            stacks.append(cutter.safe_lands(session.eye, which).cut(session.picture(1)))
    return stacks


def reads_file(file: Path) -> Read:
    """How the network in that file reads, as recognition does."""
    session = onnxruntime.InferenceSession(file, providers=["CPUExecutionProvider"])
    return lambda windows: session.run(["maps"], {"in": np.ascontiguousarray(windows.transpose(0, 3, 1, 2))})[0]


def main() -> None:
    """Export."""
    parser = argparse.ArgumentParser(prog="python -m training.export_lands", description=__doc__.splitlines()[0])
    args, network, learnt, kept_out = to_export(parser, load_lands, packed=True)
    scale = peak_scale(network, kept_out)
    print(f"factor and offset {scale[0]:.2f}, {scale[1]:.2f}")
    args.out.parent.mkdir(parents=True, exist_ok=True)
    windows = Input(no_windows(LAND_FRAME), {**WINDOWS, 2: "rows", 3: "columns"})
    maps = {**WINDOWS, 2: "cells down", 3: "cells across"}
    write(_Lands(network, scale), {"in": windows}, {"maps": maps}, args.out)
    cutter = board_cutter()
    print(f"kept-out safe lands with floats: {evaluate(reads_file(args.out), kept_out, cutter)}")
    quantise(args.out, sample_windows(learnt))
    print(f"with bytes: {evaluate(reads_file(args.out), kept_out, cutter)}")
    if args.keep:
        torch.save(kept(network), args.keep)


if __name__ == "__main__":
    main()
