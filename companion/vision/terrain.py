"""Which tile lies on each island hex.

In: `PixelEvidence`. Out: per island hex the log likelihood of sea, beach, forest and mountain, and a raster of
what each pixel shows if no piece stands there.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import cv2
import numpy as np
import numpy.typing as npt

from calibration import Calibration
from companion.rules.geometry import Hex
from companion.rules.layout import COLOURS, TERRAINS
from companion.vision.evidence import Floats32, Mask, PixelEvidence
from companion.vision.field import Field

OUTLIER = -11.5
"""Log density of what is neither: pieces that stand on the tile must not decide what tile it is."""

NOT_SEA = -13.5
"""The same for a hex without a tile."""

PIECE_COST = 1.5
"""By how much (log) a pixel is less likely to show a piece than the ground."""

INDEPENDENT = 0.04
"""Neighbouring pixels are no independent witnesses: this share of them counts."""

SHRINK_MM = 3.5
EDGE_DENSITY = -11.0
"""Tiles lie up to 1.5 mm off and show their sides: near their edges a dark line is nothing odd."""

KINDS = ("sea", *TERRAINS)


@dataclasses.dataclass(frozen=True)
class Terrain:
    """`tiles`: the most probable tile of each island hex, None sea. `scores`: log likelihoods (N x 4, `KINDS`)."""

    hexes: tuple[Hex, ...]
    scores: npt.NDArray[np.float64]
    tiles: Mapping[Hex, str | None]


class TerrainStep:
    """Reads the island."""

    def __init__(self, calibration: Calibration, field: Field) -> None:
        self._field = field
        self._channels = [calibration.colours.index[t] for t in TERRAINS]
        self._paints = [calibration.colours.index[c] for c in COLOURS]
        self._sea_pieces = [i for name, i in calibration.colours.index.items() if name not in (*TERRAINS, *COLOURS)]

    def __call__(self, evidence: PixelEvidence) -> Terrain:
        """Score every island hex."""
        hexes = self._field.board.island
        ground = evidence.ground.ravel()
        classes = evidence.classes.reshape(-1, evidence.classes.shape[2])
        # what a piece explains as well says nothing about the ground: blue paint on a mountain is no sea
        paint = classes[:, self._paints].max(axis=1) - PIECE_COST
        other = np.maximum(paint, OUTLIER)
        # the print is known pixel by pixel: what neither it nor a piece explains is seldom sea
        other_sea = np.maximum(np.maximum(paint, classes[:, self._sea_pieces].max(axis=1) - PIECE_COST), NOT_SEA)
        scores = np.empty((len(hexes), len(KINDS)))
        for i, h in enumerate(hexes):
            at = self._field.pixels(h, 0.0, 0.0, SHRINK_MM)
            scores[i, 0] = np.logaddexp(ground[at], other_sea[at]).mean() * len(at)
            for k, (terrain, channel) in enumerate(zip(TERRAINS, self._channels, strict=True), start=1):
                height = self._field.thickness[terrain]
                at = self._field.pixels(h, height, height, SHRINK_MM)
                scores[i, k] = np.logaddexp(classes[at, channel], other[at]).mean() * len(at)
        scores *= INDEPENDENT
        best = scores.argmax(axis=1)
        tiles = {h: None if k == 0 else KINDS[k] for h, k in zip(hexes, best, strict=True)}
        return Terrain(hexes, scores, tiles)

    def surface(self, evidence: PixelEvidence, tiles: Mapping[Hex, str | None]) -> tuple[Floats32, Mask]:
        """H x W: log density of each pixel if only print and tiles are there; and where tiles lie."""
        shape = evidence.ground.shape
        label = np.zeros(shape, np.uint8)
        seams = np.zeros(shape, np.uint8)
        laid = [(self._field.thickness[t], h, t) for h, t in tiles.items() if t]
        for height, h, t in sorted(laid):
            low = self._field.outline(h, 0.0)
            high = self._field.outline(h, height)
            hull = cv2.convexHull(np.round(np.concatenate([low, high])).astype(np.int32))
            cv2.fillConvexPoly(seams, hull, 1)
            cv2.polylines(seams, [hull], True, 1, 3)
            cv2.fillConvexPoly(label, np.round(high).astype(np.int32), TERRAINS.index(t) + 1)
        inner = np.zeros(shape, np.uint8)
        for height, h, _ in laid:
            cv2.fillConvexPoly(inner, np.round(self._field.outline(h, height, 2.0)).astype(np.int32), 1)
        surface = evidence.ground.copy()
        for k, channel in enumerate(self._channels, start=1):
            on = label == k
            surface[on] = evidence.classes[..., channel][on]
        edge = (seams > 0) & (inner == 0)
        terrains = evidence.classes[edge][:, self._channels].max(axis=1)
        surface[edge] = np.maximum(np.maximum(terrains, evidence.ground[edge]), EDGE_DENSITY)
        return surface, (label > 0)
