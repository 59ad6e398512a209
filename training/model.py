"""The network: a small U-shaped one over the view, and a head for each hex.

`Backbone`: planes (B, 16, H, W) of bytes as floats 0 to 255 and lean (B, 2, H/4, W/4) to features (B, F, H/4, W/4) and
piece maps (B, M, H/4, W/4; logits). `Head`: windows (N, F, h, w) round the hexes to logits (N, `LOGITS`).
Sizes are chosen for a hundred milliseconds on two slow cores. See companion/vision/network.py for what they mean.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from calibration.view import HEX_PX
from companion.vision.inputs import CHANNELS
from companion.vision.network import CELL, FEATURES, LOGITS, MAPS, WINDOW

_MIDDLE, _COARSE = 72, 128


def _norm_act(channels: int) -> list[nn.Module]:
    return [nn.BatchNorm2d(channels), nn.ReLU(inplace=True)]


def _conv(inside: int, outside: int, size: int = 3, stride: int = 1) -> nn.Sequential:
    layer = nn.Conv2d(inside, outside, size, stride, size // 2, bias=False)
    return nn.Sequential(layer, *_norm_act(outside))


class Block(nn.Module):
    """Two 3 x 3 layers, the inner one `inner` channels wide, added to what came in."""

    def __init__(self, channels: int, inner: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            _conv(channels, inner), nn.Conv2d(inner, channels, 3, 1, 1, bias=False), nn.BatchNorm2d(channels)
        )

    def forward(self, x: Tensor) -> Tensor:
        """Same shape."""
        return torch.relu(x + self.layers(x))


class Backbone(nn.Module):
    """See the module."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(_conv(len(CHANNELS), 16, 3, 2), _conv(16, FEATURES, 3, 2))
        self.fine = _conv(FEATURES + 2, FEATURES)
        self.middle = nn.Sequential(_conv(FEATURES, _MIDDLE, 3, 2), Block(_MIDDLE, 36), Block(_MIDDLE, 36))
        self.coarse = nn.Sequential(_conv(_MIDDLE, _COARSE, 3, 2), Block(_COARSE, 96), Block(_COARSE, 96))
        self.to_middle = _conv(_COARSE, _MIDDLE, 1)
        self.again_middle = Block(_MIDDLE, 36)
        self.to_fine = _conv(_MIDDLE, FEATURES, 1)
        self.again_fine = _conv(FEATURES, FEATURES)
        self.maps = nn.Conv2d(FEATURES, len(MAPS), 1)
        nn.init.constant_(self.maps.bias, -4.6)
        self.widen = nn.Upsample(scale_factor=2, mode="nearest")

    def forward(self, planes: Tensor, lean: Tensor) -> tuple[Tensor, Tensor]:
        """Features and maps."""
        fine = self.fine(torch.cat([self.stem(planes * (1 / 64) - 2), lean], 1))
        middle = self.middle(fine)
        middle = self.again_middle(middle + self.widen(self.to_middle(self.coarse(middle))))
        fine = self.again_fine(fine + self.widen(self.to_fine(middle)))
        return fine, self.maps(fine)


class Head(nn.Module):
    """See the module."""

    def __init__(self) -> None:
        super().__init__()
        rows, columns = WINDOW
        self.layers = nn.Sequential(
            _conv(FEATURES, 64, 3, 2),
            _conv(64, 64, 3),
            nn.Flatten(),
            nn.Dropout(0.2),
            nn.Linear(64 * ((rows + 1) // 2) * ((columns + 1) // 2), 160),
            nn.ReLU(inplace=True),
            nn.Dropout(0.1),
            nn.Linear(160, LOGITS),
        )

    def forward(self, windows: Tensor) -> Tensor:
        """Logits."""
        return self.layers(windows)


def cut_windows(features: Tensor, cells: Tensor) -> Tensor:
    """(B * N, F, h, w): the windows round cells (N, 2: row, column) of the feature map.

    Hexes of every second row form a lattice, whose windows unfold cuts at once: far faster to learn through than one
    by one.
    """
    rows, columns = WINDOW
    down, across = 2 * HEX_PX[1] // CELL, HEX_PX[0] // CELL
    padded = nn.functional.pad(features, (columns // 2, columns // 2, rows // 2, rows // 2))
    found: list[Tensor] = []
    places: list[Tensor] = []
    for parity in (0, 1):
        mine = torch.nonzero((cells[:, 0] // (down // 2)) % 2 == parity)[:, 0]
        low = cells[mine].amin(0)
        at = (cells[mine] - low) // torch.tensor([down, across])
        lattice = padded[:, :, int(low[0]) :, int(low[1]) :].unfold(2, rows, down).unfold(3, columns, across)
        found.append(lattice.permute(0, 2, 3, 1, 4, 5)[:, at[:, 0], at[:, 1]])
        places.append(mine)
    order = torch.argsort(torch.cat(places))
    return torch.cat(found, 1)[:, order].flatten(0, 1)


assert CELL == 4, "the stem halves the raster twice"
