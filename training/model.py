"""The network that reads windows (PyTorch; only training imports it).

`Backbone`: windows -> feature cells and maps of feet. `HexHead`: a hex's feature cells, compared with those of the
session's own swatch picture -> answers. `QUICK` is small: all hexes of a board are read in some tens of milliseconds.
`COARSE` calculates a seventh of that, on windows in coarser pixels, and answers what is plain; `CLOSE` three and a half
times as much, and is asked where `QUICK` is in doubt. `LandNetwork`: a safe land's window -> maps of feet.
"""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from calibration.swatch import COLOURS
from companion.vision.questions import ASPECTS, CELL, EXAMPLES, LOGITS
from companion.vision.windows import COARSE_FRAME, HEX_FRAME, WINDOW_CHANNELS, Frame
from training.labels import HEATMAPS


@dataclasses.dataclass(frozen=True)
class Size:
    """How many channels the layers of a network have, from the windows inwards, whether it looks `twice` at what is
    fine (two more convolutions at half a window's resolution), and the `frame` of the hexes' windows."""

    widths: tuple[int, int, int]
    deep: tuple[int, int]
    twice: bool = False
    frame: Frame = HEX_FRAME

    @property
    def cells(self) -> int:
        """Of the maps of a hex's window."""
        return self.frame.rows * self.frame.columns // CELL**2

    @property
    def deep_cells(self) -> int:
        """Of what is left of them after halving them twice, the half of an odd number being the larger one."""
        return math.prod(-(-side // (4 * CELL)) for side in (self.frame.rows, self.frame.columns))


COARSE = Size((16, 24, 40), (48, 64), frame=COARSE_FRAME)
QUICK = Size((24, 32, 48), (80, 96))
CLOSE = Size((32, 48, 80), (128, 160), twice=True)

EMBEDDING = ANSWERING = 192
ASPECT_SIZE = 16
EDGE = 16.0
"""Sharpness of a hex's edge: half a millimetre."""

SHARE = 1 / 255
"""What a byte of a window counts."""

INSIDE = WINDOW_CHANNELS.index("inside")

LAND_WIDTH = 80
"""Channels of what is round a cell of a safe land."""


class Residual(nn.Module):
    """Two convolutions added to what went in."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(width, width, 3, padding=1, bias=False),
            nn.BatchNorm2d(width),
            nn.ReLU(inplace=True),
            nn.Conv2d(width, width, 3, padding=1, bias=False),
            nn.BatchNorm2d(width),
        )

    def forward(self, x: Tensor) -> Tensor:
        """B x width x rows x columns, in and out."""
        return functional.relu(x + self.body(x))


def _down(before: int, after: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(before, after, 3, stride=2, padding=1, bias=False), nn.BatchNorm2d(after), nn.ReLU(inplace=True)
    )


def _stem(size: Size) -> list[nn.Module]:
    """From windows to features at a `CELL`th."""
    first, second, third = size.widths
    return [
        _down(len(WINDOW_CHANNELS), first),
        nn.Conv2d(first, second, 3, padding=1, bias=False),
        nn.BatchNorm2d(second),
        nn.ReLU(inplace=True),
        *([Residual(second)] if size.twice else []),
        _down(second, third),
        Residual(third),
    ]


class Backbone(nn.Module):
    """B x `WINDOW_CHANNELS` x rows x columns (bytes / 255) -> features and maps (logits of rates) at a `CELL`th."""

    def __init__(self, size: Size) -> None:
        super().__init__()
        third = size.widths[2]
        self.stem = nn.Sequential(*_stem(size), Residual(third))
        self.maps = nn.Conv2d(third, len(HEATMAPS), 1)
        nn.init.constant_(self.maps.bias, -4.0)  # hardly any cell holds a foot

    def forward(self, windows: Tensor) -> tuple[Tensor, Tensor]:
        """Features (B x the last of the widths x cells) and maps (B x `HEATMAPS` x cells)."""
        features = self.stem(windows)
        return features, self.maps(features)


class Embedder(nn.Module):
    """What a hex's window shows, as a vector, and as aspects to be compared with those of other hexes."""

    def __init__(self, size: Size) -> None:
        super().__init__()
        third, (fourth, fifth) = size.widths[2], size.deep
        self.deep = nn.Sequential(
            _down(third + len(HEATMAPS), fourth), Residual(fourth), _down(fourth, fifth), Residual(fifth)
        )
        self._cells = size.cells
        pooled = len(HEATMAPS) + len(WINDOW_CHANNELS)
        self.whole = nn.Sequential(
            nn.Linear(fifth * size.deep_cells + pooled, EMBEDDING), nn.BatchNorm1d(EMBEDDING), nn.ReLU(inplace=True)
        )
        self.aspects = nn.Linear(EMBEDDING, ASPECTS * ASPECT_SIZE)

    def forward(self, windows: Tensor, features: Tensor, maps: Tensor) -> tuple[Tensor, Tensor]:
        """B x `EMBEDDING`, B x (`ASPECTS` * `ASPECT_SIZE`)."""
        rates = torch.sigmoid(maps)
        deep = self.deep(torch.cat([features, rates], dim=1)).flatten(1)
        inside = ((windows[:, INSIDE : INSIDE + 1] - 0.5) * EDGE + 0.5).clamp(0.0, 1.0)
        mean = functional.adaptive_avg_pool2d(windows * inside, 1) / functional.adaptive_avg_pool2d(inside, 1)
        counted = functional.adaptive_avg_pool2d(rates * functional.avg_pool2d(inside, CELL), 1) * self._cells
        whole = self.whole(torch.cat([deep, mean.flatten(1), counted.flatten(1)], dim=1))
        return whole, self.aspects(whole)


class HexHead(nn.Module):
    """Embedding and aspects of hexes, and those of the examples of the same table -> logits of all answers."""

    def __init__(self) -> None:
        super().__init__()
        likeness = len(EXAMPLES) * (ASPECTS + 1)
        self.answers = nn.Sequential(
            nn.Linear(EMBEDDING + likeness, ANSWERING), nn.ReLU(inplace=True), nn.Linear(ANSWERING, LOGITS)
        )

    def forward(self, whole: Tensor, aspects: Tensor, examples: Tensor, kinds: Tensor) -> Tensor:
        """B x `LOGITS`. `examples`: N x (`ASPECTS` * `ASPECT_SIZE`), `kinds`: N, of which of `EXAMPLES` each is one."""
        alike = torch.einsum("bak,nak->bna", unit(aspects), unit(examples))
        chosen = functional.one_hot(kinds, len(EXAMPLES)).to(alike.dtype)
        # how like each kind of example in the mean, aspect by aspect; how like the most like of its kind in all
        mean = torch.einsum("bna,ne->bea", alike, chosen / chosen.sum(dim=0).clamp(min=1.0))
        others = (chosen < 0.5).to(alike.dtype) * 2.0
        most = (alike.mean(dim=2).unsqueeze(2) - others).amax(dim=1).clamp(min=-1.0)
        return self.answers(torch.cat([whole, mean.flatten(1), most], dim=1))


class Network(nn.Module):
    """All three together."""

    def __init__(self, size: Size = QUICK) -> None:
        super().__init__()
        self.size = size
        self.backbone = Backbone(size)
        self.embedder = Embedder(size)
        self.head = HexHead()

    def embed(self, windows: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Windows of hexes -> embedding, aspects, maps."""
        features, maps = self.backbone(windows)
        return (*self.embedder(windows, features, maps), maps)


class LandNetwork(nn.Module):
    """Windows of safe lands, or rectangles of them whose sides are multiples of `LAND_STEP` -> maps (B x colours x
    cells): the logits of how surely somebody of each colour stands there.

    What stands close together is told apart at the resolution of the cells, by what is seen round it at half of that.
    """

    def __init__(self) -> None:
        super().__init__()
        third = QUICK.widths[2]
        self.fine = nn.Sequential(*_stem(QUICK))
        self.round = nn.Sequential(
            _down(third, LAND_WIDTH), Residual(LAND_WIDTH), Residual(LAND_WIDTH), nn.Conv2d(LAND_WIDTH, third, 1)
        )
        self.last = Residual(third)
        self.maps = nn.Conv2d(third, len(COLOURS), 1)

    def forward(self, windows: Tensor) -> Tensor:
        """Of bytes / 255."""
        fine = self.fine(windows)
        return self.maps(self.last(fine + functional.interpolate(self.round(fine), scale_factor=2.0, mode="nearest")))


def land_network(quick: Network) -> LandNetwork:
    """One that says of free explorers what the maps of the quick network say, to learn on from."""
    network = LandNetwork()
    stem = list(quick.backbone.stem)
    network.fine.load_state_dict(nn.Sequential(*stem[:-1]).state_dict())
    network.last.load_state_dict(stem[-1].state_dict())
    merged = network.round[-1]
    assert isinstance(merged, nn.Conv2d)
    with torch.no_grad():
        for value in merged.parameters():
            value.zero_()
        for name, value in quick.backbone.maps.state_dict().items():
            network.maps.state_dict()[name].copy_(value[: len(COLOURS)])  # of explorers that stand or swim
    return network


def load_lands(checkpoint: Path) -> LandNetwork:
    """The network whose weights are in that file; of a quick one's, what it says of safe lands. Raises ValueError if it
    is another one's."""
    state = torch.load(checkpoint, weights_only=True)
    if "head.answers.0.weight" in state:
        quick = load_network(checkpoint)
        if quick.size is not QUICK:
            raise ValueError(f"{checkpoint} reads hexes, and is not the quick network, with which lands can begin.")
        return land_network(quick)
    network = LandNetwork()
    network.load_state_dict(state)
    return network


def load_network(checkpoint: Path) -> Network:
    """The network whose weights are in that file, of whichever size it is."""
    state = torch.load(checkpoint, weights_only=True)
    channels = len(state["backbone.stem.0.0.weight"])
    network = Network(next(size for size in (COARSE, QUICK, CLOSE) if size.widths[0] == channels))
    network.load_state_dict(state)
    return network


def unit(aspects: Tensor) -> Tensor:
    """B x `ASPECTS` x `ASPECT_SIZE`: each aspect as a vector of unit length."""
    return functional.normalize(aspects.unflatten(1, (ASPECTS, ASPECT_SIZE)), dim=2)
