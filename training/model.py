"""The network that reads windows (PyTorch; only training imports it).

`Backbone`: windows -> feature cells and maps of feet. `HexHead`: a hex's feature cells, compared with those of the
session's own swatch picture -> answers. `QUICK` is small: all hexes of a board are read in some tens of milliseconds.
`COARSE` calculates a seventh of that, on windows in coarser pixels, and answers what is plain; `CLOSE` three and a half
times as much, and is asked where `QUICK` is in doubt. `LandNetwork`: a safe land's window -> maps of feet.
`CreatureNetwork`: a hex's window, laid over those of the swatch picture's creatures cell by cell -> how many of each.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

import torch
from torch import Tensor, nn
from torch.nn import functional

from calibration.swatch import COLOURS
from companion.vision.questions import ASPECTS, CELL, EXAMPLES, LOGITS, QUESTIONS
from companion.vision.windows import COARSE_FRAME, CREATURE_FRAME, HEX_FRAME, WINDOW_CHANNELS, Frame
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

CELL_WIDTH = CLOSE.deep[0]
"""Channels of a cell that is laid over others."""

HEADS = 4
"""In so many ways a cell is like another, each with its share of the channels; and so many weighted means of all cells
answer."""

SHARPNESS = 8.0
"""How much more than another a cell counts that is liker (cosine), to begin with: natural logarithms."""

COUNTS = next(q.values for q in QUESTIONS if q.name == "creatures")


Kind = TypeVar("Kind", bound=nn.Module)


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


class Laid(NamedTuple):
    """What can be laid over one another of N windows: how each of their cells looks (`keys`, a unit vector a head) and
    what it tells (`values`), N x cells x `CELL_WIDTH`, and what all of a window tells (`whole`, N x `CELL_WIDTH`)."""

    keys: Tensor
    values: Tensor
    whole: Tensor


class CreatureNetwork(nn.Module):
    """Windows of `CREATURE_FRAME` -> how many of each creature (logits).

    Each cell of a hex looks for its like among all cells of the swatch picture's serpents, then among those of its
    sharks and its whales (attention; Vaswani et al., 2017): how like the likest are, and what they tell, is compared.
    Nothing but the examples says which creature is which.
    """

    def __init__(self) -> None:
        super().__init__()
        rows, columns = CREATURE_FRAME.rows // (2 * CELL), CREATURE_FRAME.columns // (2 * CELL)
        self.backbone = Backbone(CLOSE)
        self.deep = nn.Sequential(
            _down(CLOSE.widths[2] + len(HEATMAPS), CELL_WIDTH), Residual(CELL_WIDTH), Residual(CELL_WIDTH)
        )
        self.place = nn.Parameter(0.02 * torch.randn(1, CELL_WIDTH, rows, columns))
        self.norm = nn.LayerNorm(CELL_WIDTH)
        self.key, self.value = nn.Linear(CELL_WIDTH, CELL_WIDTH), nn.Linear(CELL_WIDTH, CELL_WIDTH)
        self.whole = nn.Sequential(
            nn.Linear(CELL_WIDTH * rows * columns, CELL_WIDTH), nn.GELU(), nn.Linear(CELL_WIDTH, CELL_WIDTH)
        )
        self.sharpness = nn.Parameter(torch.full((HEADS,), SHARPNESS))
        self.compared = nn.Sequential(
            nn.Linear(4 * CELL_WIDTH + 2 * HEADS, CELL_WIDTH), nn.GELU(), nn.Linear(CELL_WIDTH, CELL_WIDTH), nn.GELU()
        )
        self.weight = nn.Linear(CELL_WIDTH, HEADS)
        self.answers = nn.Sequential(
            nn.Linear((HEADS + 3) * CELL_WIDTH, CELL_WIDTH), nn.GELU(), nn.Linear(CELL_WIDTH, COUNTS)
        )

    def lay(self, windows: Tensor) -> Laid:
        """Of bytes / 255."""
        features, maps = self.backbone(windows)
        deep = self.deep(torch.cat([features, torch.sigmoid(maps)], dim=1))
        cells = self.norm((deep + self.place).flatten(2).transpose(1, 2))
        keys = functional.normalize(self.key(cells).unflatten(2, (HEADS, -1)), dim=3).flatten(2)
        return Laid(keys, self.value(cells), self.whole(cells.flatten(1)))

    def forward(self, hexes: Laid, shown: Sequence[Laid]) -> Tensor:
        """N x creatures x `COUNTS`. `shown`: of each creature the examples, one at least."""
        alike, told = zip(*(self._looked_up(hexes, laid) for laid in shown), strict=True)
        usual = torch.stack(told).mean(dim=0)
        all_alike = torch.stack(alike)
        logits = []
        for number, (like, told_here, laid) in enumerate(zip(alike, told, shown, strict=True)):
            others = torch.cat([all_alike[:number], all_alike[number + 1 :]]).amax(dim=0)
            both = [hexes.values, told_here - hexes.values, told_here * hexes.values, told_here - usual]
            cells = self.compared(torch.cat([*both, like, like - others], dim=2))
            weights = torch.softmax(self.weight(cells), dim=1)
            example = laid.whole.mean(dim=0, keepdim=True)
            of_whole = [hexes.whole, example - hexes.whole, example * hexes.whole]
            logits.append(self.answers(torch.cat([(weights.transpose(1, 2) @ cells).flatten(1), *of_whole], dim=1)))
        return torch.stack(logits, dim=1)

    def _looked_up(self, hexes: Laid, shown: Laid) -> tuple[Tensor, Tensor]:
        """For each cell of the hexes how like the likest cell of the examples is (N x cells x `HEADS`), and what those
        that are like it tell (N x cells x `CELL_WIDTH`)."""

        def by_head(cells: Tensor) -> Tensor:
            return cells.flatten(0, 1).unflatten(1, (HEADS, -1)).transpose(0, 1)

        alike = by_head(hexes.keys) @ by_head(shown.keys).transpose(1, 2)
        told = torch.softmax(alike * self.sharpness[:, None, None], dim=2) @ by_head(shown.values)
        of_each = hexes.keys.shape[:2]
        return alike.amax(dim=2).transpose(0, 1).unflatten(0, of_each), told.transpose(0, 1).flatten(1).unflatten(
            0, of_each
        )


def creature_network(close: Network) -> CreatureNetwork:
    """One that sees what the close network sees, to learn on from."""
    network = CreatureNetwork()
    network.backbone.load_state_dict(close.backbone.state_dict())
    network.deep[0].load_state_dict(close.embedder.deep[0].state_dict())
    network.deep[1].load_state_dict(close.embedder.deep[1].state_dict())
    added = network.deep[2]
    assert isinstance(added, Residual)
    nn.init.zeros_(added.body[-1].weight)
    return network


def load_creatures(checkpoint: Path) -> CreatureNetwork:
    """The network whose weights are in that file; of a close one's, one that begins there. Raises ValueError if it is
    another one's."""
    return _load(checkpoint, CreatureNetwork, CLOSE, creature_network)


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
    return _load(checkpoint, LandNetwork, QUICK, land_network)


def _load(checkpoint: Path, kind: Callable[[], Kind], first: Size, begun: Callable[[Network], Kind]) -> Kind:
    """That kind of network, whose weights are in that file, or what is `begun` with that of hexes of size `first`."""
    state = torch.load(checkpoint, weights_only=True)
    if "head.answers.0.weight" in state:
        hexes = load_network(checkpoint)
        if hexes.size is not first:
            raise ValueError(f"{checkpoint} reads hexes, and is not of the size with which this network can begin.")
        return begun(hexes)
    network = kind()
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
