"""A larger network that says what a smaller one says: `python -m training.grow SMALL --prepared DIR --out LARGE`.

In: a checkpoint of `model.QUICK`, prepared sessions. Out: one of `model.CLOSE` with the same answers. Channels that are
new read everything and are read by nothing that was there before, and the added layers hand on what they are given; so
learning begins where the smaller network stands (Chen et al., Net2Net, 2016; the added layers as in Bachlechner et
al., ReZero, 2020). What normalises the new channels is measured on the sessions.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from torch import Tensor, nn

from training.batches import Sampler, board_cutter
from training.dataset import split
from training.labels import HEATMAPS
from training.model import CLOSE, QUICK, Network, Residual, load_network
from training.train import tensor

BATCHES = 24
"""Of so many batches the new channels' mean and variance are taken."""

_ADDED = 4
"""The place in the stem of the layers that the smaller network lacks."""


def grown(small: Network) -> Network:
    """A network of size `CLOSE` with the answers of a small one. The new channels are not yet normalised."""
    large = Network(CLOSE)
    state = large.state_dict()
    for name, value in small.state_dict().items():
        _fill(state[_in_large(name)], value, name)
    added = large.backbone.stem[_ADDED]
    assert isinstance(added, Residual)
    nn.init.zeros_(added.body[-1].weight)
    return large


def _in_large(name: str) -> str:
    """What a tensor of the small network is called in the large one."""
    before, stem, place = name.partition("backbone.stem.")
    if not stem:
        return name
    number, _, rest = place.partition(".")
    return f"{before}{stem}{int(number) + (int(number) >= _ADDED)}.{rest}"


def _fill(large: Tensor, small: Tensor, name: str) -> None:
    """Put the small network's values in their places; what was there before reads nothing that is new."""
    if small.ndim == 0:
        large.copy_(small)
        return
    rows = len(small)
    if small.ndim == 1:
        large[:rows] = small
        return
    large[:rows] = 0
    for theirs, ours in _inputs(name, small.shape[1]):
        large[:rows, ours] = small[:, theirs]


def _inputs(name: str, width: int) -> list[tuple[slice, slice]]:
    """Which inputs of a layer of the small network are which of the large one's."""
    tail = {"embedder.deep.0.0.weight": len(HEATMAPS)}
    first = {"embedder.deep.0.0.weight": CLOSE.widths[2]}
    if name == "embedder.whole.0.weight":
        cells = QUICK.deep_cells
        tail[name] = width - QUICK.deep[1] * cells
        first[name] = CLOSE.deep[1] * cells
    if name not in tail:
        return [(slice(0, width), slice(0, width))]
    own, more = width - tail[name], tail[name]
    return [(slice(0, own), slice(0, own)), (slice(own, width), slice(first[name], first[name] + more))]


@torch.no_grad()  # type: ignore[untyped-decorator]
def normalise(large: Network, small: Network, sampler: Sampler) -> None:
    """Measure what normalises the new channels; that of the others stays."""
    norms = [m for m in large.modules() if isinstance(m, nn.BatchNorm1d | nn.BatchNorm2d)]
    momenta = [m.momentum for m in norms]
    for norm in norms:
        norm.reset_running_stats()
        norm.momentum = None  # the mean of all batches
    large.train()
    for _ in range(BATCHES):
        tables = [sampler.table() for _ in range(2)]
        large.embed(torch.cat([tensor(t.windows) for t in tables]))
    for norm, momentum in zip(norms, momenta, strict=True):
        norm.momentum = momentum
    state = large.state_dict()
    for name, value in small.state_dict().items():
        if name.endswith(("running_mean", "running_var")):
            state[_in_large(name)][: len(value)] = value
    large.load_state_dict(state)
    large.eval()


def main() -> None:
    """Grow."""
    parser = argparse.ArgumentParser(prog="python -m training.grow", description=__doc__.splitlines()[0])
    parser.add_argument("small", type=Path)
    parser.add_argument("--prepared", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    small = load_network(args.small).eval()
    learnt, _ = split(args.prepared)
    if not learnt:
        parser.error(f"{args.prepared}: there are no prepared sessions.")
    large = grown(small)
    sampler = Sampler(learnt, board_cutter(), args.seed)
    normalise(large, small, sampler)
    with torch.no_grad():
        windows = tensor(sampler.table().windows)
        for ours, theirs in zip(large.embed(windows), small.embed(windows), strict=True):
            torch.testing.assert_close(ours, theirs, atol=1e-3, rtol=1e-3)
    torch.save(large.state_dict(), args.out)


if __name__ == "__main__":
    main()
