"""Write a checkpoint as ONNX for recognition: `python -m training.export CHECKPOINT --prepared DIR --out DIR`.

In: what `training.train` wrote, and the prepared sessions. On those that were kept out a temperature for each question
is chosen, so that of the answers given with 90 % nine in ten are right; from windows of the others come the ranges of
the bytes with which the network calculates (two fifths of the time of floats). Out: `hexes.onnx`, `answers.onnx`, and
of the quick network, which alone reads safe lands, `lands.onnx`. With `--keep` also the checkpoint, in half precision,
to go on learning from.
"""

from __future__ import annotations

import argparse
import copy
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process
from torch import Tensor, nn
from torch.nn import functional

from calibration.swatch import COLOURS
from companion.vision import network as runtime
from companion.vision.questions import ASPECTS, EXAMPLES, QUESTIONS
from companion.vision.readings import is_peak
from companion.vision.windows import LAND_FRAME, LAND_SIDES, WINDOW_CHANNELS, Frame, Window
from companion.vision.workers import make_workers
from training.batches import board_cutter, peaks
from training.dataset import Prepared, split
from training.labels import Labels
from training.model import EMBEDDING, QUICK, Network, Size, load_network
from training.train import SHARE, evaluate, read_session, tensor

TEMPERATURES = np.exp(np.linspace(0.0, np.log(4.0), 40))
"""None makes surer than what was learnt: that a few kept-out tables are all read right is no reason to be."""
OPSET = 17

FAINT = -4.0
"""Logit below which a cell of the maps is no peak."""

FINE = ("/backbone/maps", "/Mul", "/Add", "/Sigmoid")
"""So begin the names of nodes that go on calculating with floats: peaks in maps must not be rounded to one height, nor
the shares that are made of the bytes that come in (`_begin_with_bytes`)."""

AFTER = 0.6
"""Share of what it is after learning from other tables, in the mean with what it was before."""

SAMPLED = 24
"""Of so many sessions, and of so many hexes of each, the ranges are taken."""

NEAR = 0.5
"""A peak that is so near to a foot (see `batches.peaks`) is that foot's."""


class _Hexes(nn.Module):
    def __init__(self, network: Network) -> None:
        super().__init__()
        self.network = network

    def forward(self, windows: Tensor) -> tuple[Tensor, Tensor]:
        whole, aspects, _ = self.network.embed(windows * SHARE)
        return whole, aspects


class _Lands(nn.Module):
    def __init__(self, network: Network, scale: tuple[float, float]) -> None:
        super().__init__()
        self.backbone = network.backbone
        self.factor, self.offset = scale

    def forward(self, windows: Tensor) -> Tensor:
        return torch.sigmoid(self.backbone(windows * SHARE)[1] * self.factor + self.offset)


def temperatures(network: Network, sessions: Sequence[Prepared]) -> list[float]:
    """For each question by how much its logits are to be divided: the likeliest of `TEMPERATURES`."""
    cutter = board_cutter()
    losses = np.zeros((len(QUESTIONS), len(TEMPERATURES)))
    for session in sessions:
        for found, label in zip(read_session(network, session, cutter), session.labels[1:], strict=True):
            for i, q in enumerate(QUESTIONS):
                counts = _asked(q.name, label)
                wanted = label.hidden[:, None].astype(int) if q.name == "hidden" else label.hexes[:, q.slots]
                part = torch.from_numpy(found[counts][:, q.logits].reshape(-1, q.values))
                for k, t in enumerate(TEMPERATURES):
                    losses[i, k] += functional.cross_entropy(
                        part / t, torch.from_numpy(wanted[counts].ravel()), reduction="sum"
                    ).item()
    return [float(TEMPERATURES[i]) for i in losses.argmin(axis=1)]


def _asked(question: str, label: Labels) -> NDArray[np.bool_]:
    """Of which hexes the answer matters: of those in sight with something on them; of the crew where a boat is."""
    if question == "hidden":
        return np.ones(len(label.hidden), bool)
    of = {q.name: (label.hexes[:, q.slots] > 0).any(axis=1) for q in QUESTIONS}
    busy = (label.hexes > 0).any(axis=1) if question != "crew" else of["boat"]
    return np.asarray(busy & ~label.hidden)


@torch.no_grad()
def peak_scale(network: Network, sessions: Sequence[Prepared]) -> tuple[float, float]:
    """Factor and offset of the maps' logits that make a peak's rate the probability of a foot there (Platt scaling)."""
    cutter = board_cutter()
    logits, hits = [np.empty(0)], [np.empty(0)]
    colours = len(COLOURS)
    for session in sessions:
        lands = cutter.safe_lands(session.eye, range(len(LAND_SIDES)))
        for planes, label in zip(session.pictures(), session.labels[1:], strict=True):
            found = network.backbone(tensor(lands.cut(planes)))[1].numpy()
            for i in np.flatnonzero(~label.lands_hidden):
                window = Window(LAND_FRAME, session.eye, cutter.lands[i])
                there = peaks(label.feet, window)[:colours]
                maps = found[i, :colours]
                at = np.stack([is_peak(maps, k, FAINT) for k in range(colours)])
                logits.append(maps[at])
                hits.append((there[at] > NEAR).astype(float))
    x, y = (np.concatenate(v).astype(float) for v in (logits, hits))
    weights = np.array([1.0, 0.0])
    design = np.stack([x, np.ones_like(x)], axis=1)
    for _ in range(30):  # Newton's method, held back a little towards no change at all
        p = 1 / (1 + np.exp(-design @ weights))
        hessian = (design * (p * (1 - p))[:, None]).T @ design + 0.1 * np.eye(2)
        weights -= np.linalg.solve(hessian, design.T @ (p - y) + 0.1 * (weights - (1.0, 0.0)))
    return float(weights[0]), float(weights[1])


def temperature_scaled(answers: nn.Sequential, by: Sequence[float]) -> nn.Sequential:
    """The head with each question's logits divided by its temperature."""
    last = copy.deepcopy(answers)
    factors = torch.cat([torch.full((q.count * q.values,), 1 / t) for q, t in zip(QUESTIONS, by, strict=True)])
    linear = last[-1]
    assert isinstance(linear, nn.Linear)
    with torch.no_grad():
        linear.weight *= factors[:, None]
        linear.bias *= factors
    return last


def averaged(after: dict[str, Tensor], before: dict[str, Tensor], share: float) -> dict[str, Tensor]:
    """The weights that are by that share those after learning; what is no number with a point is that of after."""
    return {
        name: torch.lerp(before[name].float(), value.float(), share) if value.is_floating_point() else value
        for name, value in after.items()
    }


class _Samples(CalibrationDataReader):
    """Stacks of windows, of which the ranges of all values in the network are taken."""

    def __init__(self, stacks: Sequence[NDArray[np.uint8]]) -> None:
        self._left = list(stacks)

    def get_next(self) -> dict[str, NDArray[np.uint8]] | None:
        return {"in": self._left.pop().transpose(0, 3, 1, 2)} if self._left else None


def sample_windows(sessions: Sequence[Prepared], size: Size) -> tuple[list[NDArray[np.uint8]], list[NDArray[np.uint8]]]:
    """Stacks of windows that recognition would look at: of hexes, and of safe lands."""
    rng, cutter = np.random.default_rng(0), board_cutter()
    hexes, lands = [], []
    for session in sessions[:: max(1, len(sessions) // SAMPLED)]:
        planes = session.picture(1, size.frame.shrink)
        busy = np.flatnonzero(session.looked[1])
        chosen = rng.choice(busy, min(SAMPLED, len(busy)), replace=False)
        land = [int(rng.integers(len(LAND_SIDES)))]
        hexes.append(cutter.hexes(session.eye, chosen, frame=size.frame).cut(planes))
        lands.append(cutter.safe_lands(session.eye, land, frame=size.land_frame).cut(planes))
    return hexes, lands


def quantise(file: Path, samples: Sequence[NDArray[np.uint8]]) -> None:
    """Make the network in that file calculate with bytes, weights of each channel by a scale of its own."""
    plain = file.with_suffix(".float.onnx")
    quant_pre_process(str(file), str(plain))
    fine = [node.name for node in onnx.load(str(plain)).graph.node if node.name.startswith(FINE)]
    quantize_static(
        str(plain), str(file), _Samples(samples), quant_format=QuantFormat.QDQ, per_channel=True,
        activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8, nodes_to_exclude=fine,
    )  # fmt: skip
    plain.unlink()
    quantised = onnx.load(str(file))
    _begin_with_bytes(quantised.graph)
    onnx.checker.check_model(quantised)
    onnx.save(quantised, str(file))


def _begin_with_bytes(graph: onnx.GraphProto) -> None:
    """Leave out what makes shares of the bytes that come in, and of the shares the same bytes again.

    Raises ValueError if they were not the same.
    """
    chain: list[onnx.NodeProto] = []
    name = "in"
    while not chain or chain[-1].op_type != "QuantizeLinear":
        (after,) = (node for node in graph.node if name in node.input)
        chain.append(after)
        name = after.output[0]
    constants = {c.name: onnx.numpy_helper.to_array(c) for c in graph.initializer}
    scale, zero = (constants[n] for n in chain[-1].input[1:])
    if [scale, zero] != [np.float32(SHARE), 0]:
        raise ValueError(f"The sampled windows do not fill their bytes (scale {scale}, zero {zero}); sample others.")
    for node in graph.node:
        for i, each in enumerate(node.input):
            if each == name:
                node.input[i] = "in"
    for node in chain:
        graph.node.remove(node)
    used = {each for node in graph.node for each in node.input}
    for constant in [c for c in graph.initializer if c.name not in used]:
        graph.initializer.remove(constant)


def main() -> None:
    """Export."""
    parser = argparse.ArgumentParser(prog="python -m training.export", description=__doc__.splitlines()[0])
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--prepared", type=Path, required=True, help="what it learnt from, and what was kept out")
    parser.add_argument("--before", type=Path, metavar="FILE", help="what it was before it learnt: is averaged with it")
    parser.add_argument("--after", type=float, default=AFTER, help="share of what it is now in the mean with that")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="write the checkpoint, too, in half precision")
    args = parser.parse_args()
    network = load_network(args.checkpoint)
    if args.before:
        before = load_network(args.before).state_dict()
        network.load_state_dict(averaged(network.state_dict(), before, args.after))
    network.eval()
    learnt, kept_out = split(args.prepared)
    if not learnt or not kept_out:
        parser.error(f"{args.prepared}: there have to be sessions to learn from and such that are kept out.")
    by = temperatures(network, kept_out)
    print({q.name: round(t, 2) for q, t in zip(QUESTIONS, by, strict=True)})
    args.out.mkdir(parents=True, exist_ok=True)
    hexes, lands = (
        torch.zeros(2, len(WINDOW_CHANNELS), f.rows, f.columns, dtype=torch.uint8)
        for f in (network.size.frame, network.size.land_frame)
    )
    answers = torch.zeros(2, EMBEDDING + len(EXAMPLES) * (ASPECTS + 1))
    parts: list[tuple[str, nn.Module, Tensor, list[str]]] = [
        ("hexes", _Hexes(network), hexes, ["whole", "aspects"]),
        ("answers", temperature_scaled(network.head.answers, by), answers, ["logits"]),
    ]
    if network.size is QUICK:
        scale = peak_scale(network, kept_out)
        print("safe lands", scale)
        parts.append(("lands", _Lands(network, scale), lands, ["maps"]))
    for name, part, example, outputs in parts:
        torch.onnx.export(
            part.eval(), (example,), str(args.out / f"{name}.onnx"), input_names=["in"], output_names=outputs,
            opset_version=OPSET, dynamo=False, dynamic_axes={n: {0: "windows"} for n in ("in", *outputs)},
        )  # fmt: skip
    _compare(network, by, args.out)
    frame = network.size.frame
    right = hexes_right(args.out, kept_out, frame)
    print(f"kept-out hexes read right: {right:.2f} % with floats", end=", ", flush=True)
    written = {name for name, *_ in parts}
    for name, samples in zip(("hexes", "lands"), sample_windows(learnt, network.size), strict=True):
        if name in written:
            quantise(args.out / f"{name}.onnx", samples)
    print(f"{hexes_right(args.out, kept_out, frame):.2f} % with bytes")
    if args.keep:
        torch.save({k: v.half() if v.is_floating_point() else v for k, v in network.state_dict().items()}, args.keep)


def hexes_right(folder: Path, sessions: Sequence[Prepared], frame: Frame) -> float:
    """Share (%) of the hexes in sight with something on them that the network in that folder reads wholly right."""
    cutter, written = board_cutter(), runtime.HexNetwork(folder, make_workers())

    def read(session: Prepared) -> NDArray[np.float32]:
        there = np.flatnonzero(session.examples >= 0)
        windows = cutter.hexes(session.swatch_eye, there, frame=frame).cut(session.picture(0, frame.shrink))
        written.set_examples(windows, session.examples[there])
        board = cutter.hexes(session.eye, range(len(cutter.centres)), frame=frame)
        answers = (written.hexes(board.cut(planes)) for planes in session.pictures(frame.shrink))
        return np.stack([np.hstack([a[q.name].reshape(len(cutter.centres), -1) for q in QUESTIONS]) for a in answers])

    return evaluate(read, sessions)["hex"]


@torch.no_grad()
def _compare(network: Network, by: Sequence[float], folder: Path) -> None:
    """Raises AssertionError if recognition computes something else from what was written than PyTorch does."""
    rng = np.random.default_rng(0)
    frame = network.size.frame
    windows = rng.integers(0, 256, (30, frame.rows, frame.columns, len(WINDOW_CHANNELS)), np.uint8)
    kinds = np.arange(20) % (len(EXAMPLES) - 1)  # one kind is missing
    written = runtime.HexNetwork(folder, make_workers())
    written.set_examples(windows[:20], kinds)
    whole, aspects, _ = network.embed(tensor(windows))
    logits = network.head(whole[20:], aspects[20:], aspects[:20], torch.from_numpy(kinds))
    for q, t in zip(QUESTIONS, by, strict=True):
        ours = torch.softmax(logits[:, q.logits].unflatten(1, (q.count, q.values)) / t, dim=2).numpy()
        np.testing.assert_allclose(written.hexes(windows[20:])[q.name], ours, atol=1e-3)


if __name__ == "__main__":
    main()
