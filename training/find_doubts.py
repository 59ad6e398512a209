"""Where creatures are in doubt: `python -m training.find_doubts PREPARED --hexes QUICK CLOSE [--part 1/2]`.

In: what `training.dataset` wrote, and the checkpoints of the networks of hexes. Out: beside each session whose swatch
picture shows all creatures a file of its `Doubts`, unless these networks have been asked about it before.
"""

from __future__ import annotations

import argparse
import hashlib
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from companion.vision.questions import QUESTIONS
from companion.vision.windows import HEX_FRAME, Jitter, WindowCutter
from training.batches import board_cutter
from training.dataset import Prepared
from training.doubts import NO_DOUBTS, Doubts, write_doubts
from training.model import Network, load_network
from training.train import tensor

MAY_BE = 0.01
"""A hex without creatures is asked about if there are some with this probability, as the quick network says."""

_QUESTION = next(q for q in QUESTIONS if q.name == "creatures")


@torch.no_grad()
def find_doubts(session: Prepared, quick: Network, close: Network, cutter: WindowCutter) -> Doubts:
    """Where creatures are or may be, and what the networks of hexes say there, each looking as in recognition."""
    there = np.flatnonzero(session.examples >= 0)
    kinds = torch.from_numpy(session.examples[there])

    def cut(eye: NDArray[np.float64], hexes: NDArray[np.int64], picture: int, *, flip: bool) -> Tensor:
        jitters = [Jitter(flip=flip)] * len(hexes)
        return tensor(cutter.hexes(eye, hexes, jitters, HEX_FRAME).cut(session.picture(picture)))

    def said(network: Network, shown: Tensor, windows: Tensor) -> NDArray[np.float32]:
        whole, aspects, _ = network.embed(windows)
        logits = network.head(whole, aspects, shown, kinds)[:, _QUESTION.logits]
        return functional.log_softmax(logits.unflatten(1, (_QUESTION.count, -1)), dim=2).numpy()

    swatches = cut(session.swatch_eye, there, 0, flip=False)
    shown = [network.embed(swatches)[1] for network in (quick, close)]
    found = []
    for picture, labels in enumerate(session.labels[1:], start=1):
        hexes = np.flatnonzero(session.looked[picture] & ~labels.hidden)
        wanted, pieces = labels.hexes[hexes][:, _QUESTION.slots], labels.hexes[hexes, 1:].sum(axis=1)
        first = said(quick, shown[0], cut(session.eye, hexes, picture, flip=False))
        asked = wanted.any(axis=1) | (first[:, :, 0].sum(axis=1) < np.log1p(-MAY_BE))
        if asked.any():
            second = said(close, shown[1], cut(session.eye, hexes[asked], picture, flip=True))
            found.append(
                Doubts(
                    np.full(asked.sum(), picture),
                    hexes[asked],
                    pieces[asked],
                    wanted[asked],
                    (first[asked] + second) / 2,
                )
            )
    return Doubts(*(np.concatenate(of) for of in zip(*found, strict=True))) if found else NO_DOUBTS


def _part(text: str) -> tuple[int, int]:
    number, of = map(int, text.split("/"))
    if not 1 <= number <= of:
        raise ValueError
    return number, of


def main() -> None:
    """Look at what is prepared and was not looked at by these networks yet."""
    parser = argparse.ArgumentParser(prog="python -m training.find_doubts", description=__doc__.splitlines()[0])
    parser.add_argument("prepared", type=Path)
    parser.add_argument(
        "--hexes", type=Path, nargs=2, required=True, metavar=("QUICK", "CLOSE"), help="checkpoints that read hexes"
    )
    parser.add_argument(
        "--part", type=_part, default=(1, 1), metavar="1/2", help="one of so many parts of the sessions"
    )
    args = parser.parse_args()
    cv2.setNumThreads(1)
    number, of = args.part
    networks = hashlib.sha256(b"".join(file.read_bytes() for file in args.hexes)).hexdigest()
    quick, close = (load_network(file).eval() for file in args.hexes)
    cutter = board_cutter()
    sessions = sorted(args.prepared.glob("*.npz"))[number - 1 :: of]
    write_doubts(sessions, networks, lambda session: find_doubts(session, quick, close, cutter))


if __name__ == "__main__":
    main()
