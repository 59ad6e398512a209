"""Write what tells creatures as ONNX: `python -m training.export_creatures CHECKPOINT... --prepared DIR --out DIR`.

In: what `training.creatures` wrote, and the prepared sessions with their `doubts`. On those that were kept out a
temperature is chosen, with which both together are likeliest to be right; from windows of the others come the ranges of
the bytes with which the network calculates. Out: `hexes.onnx`, `answers.onnx`; with `--keep` also the checkpoint, in
half precision, to go on learning from.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from calibration.swatch import CREATURES
from companion.vision import network as runtime
from companion.vision.look import CREATURES_DOUBTED, SAID_BEFORE
from companion.vision.network import LAID
from companion.vision.windows import CREATURE_FRAME, WindowCutter
from companion.vision.workers import make_workers
from training.batches import board_cutter
from training.creatures import creatures_shown, evaluate, negative_log, read, wanted_and_said
from training.dataset import Prepared
from training.doubts import Doubts, load_doubts
from training.export import TEMPERATURES, kept, no_windows, sample_windows, to_export
from training.model import SHARE, CreatureNetwork, Laid, load_creatures
from training.onnx_files import WINDOWS, Input, quantise, write

assert Laid._fields == LAID


class _Hexes(nn.Module):
    def __init__(self, network: CreatureNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(self, windows: Tensor) -> Laid:
        return self.network.lay(windows * SHARE)


class _Answers(nn.Module):
    def __init__(self, network: CreatureNetwork, temperature: float) -> None:
        super().__init__()
        self.network = network
        self.temperature = temperature

    def forward(self, *parts: Tensor) -> Tensor:
        """`LAID` of hexes, then those of each creature's examples."""
        hexes, *shown = (Laid(*parts[i : i + len(LAID)]) for i in range(0, len(parts), len(LAID)))
        return self.network(hexes, shown) / self.temperature


def temperature(logits: Sequence[Tensor], found: Sequence[Doubts]) -> float:
    """By how much the logits are to be divided: the likeliest of `TEMPERATURES`, together with what was said before and
    where that leaves recognition in doubt."""
    own = torch.cat(list(logits))
    wanted, said = wanted_and_said(found)
    doubted = torch.softmax(said, dim=2).amax(dim=2).prod(dim=1) < CREATURES_DOUBTED
    own, said, wanted = own[doubted], said[doubted], wanted[doubted]
    missed = [negative_log(torch.lerp(own / t, said, SAID_BEFORE), wanted).mean() for t in TEMPERATURES]
    return float(TEMPERATURES[int(torch.stack(missed).argmin())])


def read_by_files(folder: Path, found: Sequence[tuple[Prepared, Doubts]], cutter: WindowCutter) -> Iterator[Tensor]:
    """What the network in that folder says of each session, as recognition asks it: logarithms of probabilities."""
    written = runtime.CreatureNetwork(folder, make_workers())
    for session, of in found:
        there = creatures_shown(session)
        swatches = cutter.hexes(session.swatch_eye, there, frame=CREATURE_FRAME).cut(session.picture(0))
        written.set_examples(swatches, session.examples[there])
        told = []
        for picture in np.unique(of.picture):
            windows = cutter.hexes(session.eye, of.hex[of.picture == picture], frame=CREATURE_FRAME)
            told.append(written.counts(windows.cut(session.picture(int(picture)))))
        yield torch.from_numpy(np.log(np.maximum(np.concatenate(told), 1e-12)))


def main() -> None:
    """Export."""
    parser = argparse.ArgumentParser(prog="python -m training.export_creatures", description=__doc__.splitlines()[0])
    args, network, learnt, kept_out = to_export(parser, load_creatures)
    cutter = board_cutter()
    try:
        found = load_doubts(args.prepared, kept_out)
    except ValueError as error:
        parser.error(str(error))
    if not found:
        parser.error(f"{args.prepared}: no swatch picture of what was kept out shows serpents, sharks and whales.")
    of_sessions = [of for _, of in found]
    logits = [read(network, session, of, cutter) for session, of in found]
    by = temperature(logits, of_sessions)
    print(f"temperature {by:.2f}; floats: {evaluate([of / by for of in logits], of_sessions)}", flush=True)
    args.out.mkdir(parents=True, exist_ok=True)
    windows = no_windows(CREATURE_FRAME)
    write(_Hexes(network), {"in": Input(windows)}, dict.fromkeys(LAID, WINDOWS), args.out / "hexes.onnx")
    with torch.no_grad():
        laid = dict(zip(LAID, network.lay(windows * SHARE), strict=True))
    inputs = {name: Input(of) for name, of in laid.items()}
    for creature in CREATURES:
        inputs |= {f"{creature} {name}": Input(of, {0: f"{creature}s"}) for name, of in laid.items()}
    write(_Answers(network, by), inputs, {"logits": WINDOWS}, args.out / "answers.onnx")
    quantise(args.out / "hexes.onnx", sample_windows(learnt, CREATURE_FRAME))
    print(f"bytes: {evaluate(list(read_by_files(args.out, found, cutter)), of_sessions)}")
    if args.keep:
        torch.save(kept(network), args.keep)


if __name__ == "__main__":
    main()
