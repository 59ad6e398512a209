"""Write a checkpoint as ONNX for recognition: `python -m training.export CHECKPOINT... --prepared DIR --out DIR`.

In: what `training.train` wrote, and the prepared sessions. On those that were kept out a temperature for each question
is chosen, so that of the answers given with 90 % nine in ten are right; from windows of the others come the ranges of
the bytes with which the network calculates. Out: `hexes.onnx`, `answers.onnx`. With `--keep` also the checkpoint, in
half precision, to go on learning from. `export_lands` does the same for safe lands, `export_creatures` for creatures.
"""

from __future__ import annotations

import argparse
import copy
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from companion.vision import network as runtime
from companion.vision.questions import ASPECTS, EXAMPLES, QUESTIONS
from companion.vision.windows import WINDOW_CHANNELS, Frame
from companion.vision.workers import make_workers
from training.batches import board_cutter
from training.dataset import Prepared, split
from training.labels import Labels
from training.model import EMBEDDING, SHARE, Network, load_network
from training.onnx_files import WINDOWS, Input, quantise, write
from training.train import evaluate, read_session, tensor

TEMPERATURES = np.exp(np.linspace(0.0, np.log(4.0), 40))
"""None makes surer than what was learnt: that a few kept-out tables are all read right is no reason to be."""

AFTER = 0.6
"""Share of what it is after learning from other tables, in the mean with what it was before."""

SAMPLED = 24
"""Of so many sessions, and of so many hexes of each, the ranges are taken."""


Kind = TypeVar("Kind", bound=nn.Module)


class _Hexes(nn.Module):
    def __init__(self, network: Network) -> None:
        super().__init__()
        self.network = network

    def forward(self, windows: Tensor) -> tuple[Tensor, Tensor]:
        whole, aspects, _ = self.network.embed(windows * SHARE)
        return whole, aspects


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


def kept(network: nn.Module) -> dict[str, Tensor]:
    """Its checkpoint, in half precision."""
    return {k: v.half() if v.is_floating_point() else v for k, v in network.state_dict().items()}


def sample_windows(sessions: Sequence[Prepared], frame: Frame) -> list[NDArray[np.uint8]]:
    """Stacks of windows of hexes that recognition would look at."""
    rng, cutter = np.random.default_rng(0), board_cutter()
    stacks = []
    for session in sampled(sessions):
        busy = np.flatnonzero(session.looked[1])
        chosen = rng.choice(busy, min(SAMPLED, len(busy)), replace=False)
        stacks.append(cutter.hexes(session.eye, chosen, frame=frame).cut(session.picture(1, frame.shrink)))
    return stacks


def no_windows(frame: Frame) -> Tensor:
    """Windows that show nothing, to write a network with that reads their like."""
    return torch.zeros(2, len(WINDOW_CHANNELS), frame.rows, frame.columns, dtype=torch.uint8)


def sampled(sessions: Sequence[Prepared]) -> Sequence[Prepared]:
    """Every so manieth of them: `SAMPLED`, or some more."""
    return sessions[:: max(1, len(sessions) // SAMPLED)]


def to_export(
    parser: argparse.ArgumentParser, load: Callable[[Path], Kind], *, packed: bool = False
) -> tuple[argparse.Namespace, Kind, list[Prepared], list[Prepared]]:
    """What the command line asks for: its arguments, those of `parser` among them, the network (the mean of what is
    `load`ed, averaged with what it was), the sessions that it learnt from and those kept out (see `split`)."""
    parser.add_argument("checkpoints", type=Path, nargs="+", help="of several runs from the same start their mean")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--prepared", type=Path, required=True, help="what it learnt from, and what was kept out")
    parser.add_argument("--before", type=Path, metavar="FILE", help="what it was before it learnt: is averaged with it")
    parser.add_argument("--after", type=float, default=AFTER, help="share of what it is now in the mean with that")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="write the checkpoint, too, in half precision")
    args = parser.parse_args()
    network = load(args.checkpoints[0])
    for number, path in enumerate(args.checkpoints[1:], start=2):
        network.load_state_dict(averaged(load(path).state_dict(), network.state_dict(), 1 / number))
    if args.before:
        before = load(args.before).state_dict()
        network.load_state_dict(averaged(network.state_dict(), before, args.after))
    network.eval()
    learnt, kept_out = split(args.prepared, packed=packed)
    if not learnt or not kept_out:
        parser.error(f"{args.prepared}: there have to be sessions to learn from and such that are kept out.")
    return args, network, learnt, kept_out


def main() -> None:
    """Export."""
    parser = argparse.ArgumentParser(prog="python -m training.export", description=__doc__.splitlines()[0])
    args, network, learnt, kept_out = to_export(parser, load_network)
    by = temperatures(network, kept_out)
    print({q.name: round(t, 2) for q, t in zip(QUESTIONS, by, strict=True)})
    args.out.mkdir(parents=True, exist_ok=True)
    frame = network.size.frame
    answers = torch.zeros(2, EMBEDDING + len(EXAMPLES) * (ASPECTS + 1))
    outputs = {"whole": WINDOWS, "aspects": WINDOWS}
    write(_Hexes(network), {"in": Input(no_windows(frame))}, outputs, args.out / "hexes.onnx")
    scaled = temperature_scaled(network.head.answers, by)
    write(scaled, {"in": Input(answers)}, {"logits": WINDOWS}, args.out / "answers.onnx")
    _compare(network, by, args.out)
    right = hexes_right(args.out, kept_out, frame)
    print(f"kept-out hexes read right: {right:.2f} % with floats", end=", ", flush=True)
    quantise(args.out / "hexes.onnx", sample_windows(learnt, frame))
    print(f"{hexes_right(args.out, kept_out, frame):.2f} % with bytes")
    if args.keep:
        torch.save(kept(network), args.keep)


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
