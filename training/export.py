"""Write the trained network as ONNX, its probabilities calibrated: `python -m training.export --model FILE --data DIR`.

Each question's logits are divided by one temperature, the one that makes the held back frames likeliest. The division
is put into the last layer's weights, so that recognition knows nothing of it.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from calibration.print import BoardPrint
from calibration.view import board_view
from companion.rules.geometry import load_board
from companion.vision.inputs import CHANNELS
from companion.vision.network import CELL, FEATURES, QUESTIONS, WINDOW, hex_cells
from training.labels import NONE
from training.model import Backbone, Head, cut_windows
from training.train import Sample, held_back

TEMPERATURES = np.geomspace(0.6, 3.0, 33)
OPSET = 13


class _Names(NamedTuple):
    """What a network's inputs and outputs are called."""

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


def temperatures(networks: nn.Module, paths: list[Path]) -> dict[str, float]:
    """For each question the temperature under which the held back frames are likeliest."""
    cells = torch.from_numpy(hex_cells(board_view(BoardPrint()), load_board()))
    logits: list[Tensor] = []
    labels: dict[str, list[Tensor]] = {name: [] for name, _, _ in QUESTIONS}
    with torch.no_grad():
        for path in paths:
            sample = Sample(path, None)
            planes, lean = torch.from_numpy(sample.planes[None].astype(np.float32)), torch.from_numpy(sample.lean[None])
            features, _ = networks["backbone"](planes, lean)
            logits.append(networks["head"](cut_windows(features, cells)))
            for name, _, _ in QUESTIONS:
                labels[name].append(torch.from_numpy(sample.labels[name]).reshape(len(cells), -1))
    found, start, said = {}, 0, torch.cat(logits)
    for name, many, answers in QUESTIONS:
        part = said[:, start : start + many * answers].reshape(-1, answers)
        start += many * answers
        truth = torch.cat(labels[name]).reshape(-1)
        known = truth != NONE
        losses = [float(nn.functional.cross_entropy(part[known] / t, truth[known])) for t in TEMPERATURES]
        found[name] = float(TEMPERATURES[int(np.argmin(losses))])
    return found


def cool(head: nn.Module, by: dict[str, float]) -> None:
    """Divide each question's logits by its temperature, in the last layer."""
    last = head.layers[-1]
    assert isinstance(last, nn.Linear)
    start = 0
    for name, many, answers in QUESTIONS:
        rows = slice(start, start + many * answers)
        with torch.no_grad():
            last.weight[rows] /= by[name]
            last.bias[rows] /= by[name]
        start += many * answers


def main() -> None:
    """Export."""
    parser = argparse.ArgumentParser(prog="python -m training.export", description=__doc__.splitlines()[0])
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True, help="the prepared frames, for the temperatures")
    parser.add_argument("--out", type=Path, default=Path(__file__).parents[1] / "companion" / "vision" / "weights")
    args = parser.parse_args()
    networks = nn.ModuleDict({"backbone": Backbone(), "head": Head()})
    networks.load_state_dict(torch.load(args.model, weights_only=True))
    networks.eval()
    by = temperatures(networks, held_back(args.data)[1])
    print("temperatures: " + ", ".join(f"{name} {t:.2f}" for name, t in by.items()))
    cool(networks["head"], by)
    args.out.mkdir(exist_ok=True)
    rows, columns = board_view(BoardPrint()).shape
    planes, lean = torch.zeros(1, len(CHANNELS), rows, columns), torch.zeros(1, 2, rows // CELL, columns // CELL)
    names = _Names(("planes", "lean"), ("features", "maps"))
    _write(networks["backbone"], (planes, lean), names, args.out / "backbone.onnx")
    windows = torch.zeros(2, FEATURES, *WINDOW)
    _write(networks["head"], (windows,), _Names(("windows",), ("logits",)), args.out / "head.onnx", batch=True)


def _write(network: nn.Module, inputs: tuple[Tensor, ...], names: _Names, path: Path, *, batch: bool = False) -> None:
    """`batch`: the first axis of everything may have any length."""
    axes = {name: {0: "batch"} for name in (*names.inputs, *names.outputs)} if batch else None
    torch.onnx.export(
        network,
        inputs,
        str(path),
        input_names=list(names.inputs),
        output_names=list(names.outputs),
        opset_version=OPSET,
        dynamic_axes=axes,
        dynamo=False,
    )
    print(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
