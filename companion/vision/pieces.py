"""Find the pieces: kind, place, how many.

In: `PixelEvidence`, the surface (what print and tiles would look like), hidden pixels. Out: a `Piece` each, with the
point of the board it stands on. This is the step to replace by another classifier: nothing else knows how pieces are
found.
"""

from __future__ import annotations

import cv2
import numpy as np

from calibration import Calibration
from calibration.swatch import CREATURES
from companion.vision.catalogue import KINDS, Kind
from companion.vision.crews import add_hidden_boats
from companion.vision.evidence import Floats32, Mask, PixelEvidence
from companion.vision.field import Field
from companion.vision.fitting import HIGH, LOW, PatchFitter
from companion.vision.piece import Piece
from companion.vision.silhouettes import SHRINK, Silhouettes

PRIOR = 0.7
"""By how much (log) a pixel is likelier to be bare than to show a piece."""

SWIMMER = 0.1
"""By how much more a pixel of the sea is likelier to be bare than to show an explorer: most of the sea is empty."""

UNKNOWN = -14.0
"""Log density of what is neither print nor any piece: a colour that is rare for a piece does not speak for it."""

EDGE_GAIN = 2.5
"""Creatures are told apart by their outlines: for them it counts whether a pixel is dark, less how dark it is."""

KIN = 0.5
"""What it costs at most that a pixel's colour is rather another creature's."""

FOREIGN = 0.6
"""Value from which a pixel belongs to a patch that has to be explained."""

MIN_PATCH = 8
"""Pixels, at the fitting's scale."""


class PieceStep:
    """Finds the pieces of all kinds together, as each may be what hides another."""

    def __init__(self, calibration: Calibration, field: Field) -> None:
        self._field = field
        self._silhouettes = Silhouettes(field)
        index = calibration.colours.index
        self._creatures = [index[name] for name in CREATURES]
        self._channels = [(kind, index[kind.name]) for kind in KINDS if kind.name in index]

    def __call__(self, evidence: PixelEvidence, surface: Floats32, tiled: Mask, ignore: Mask) -> list[Piece]:
        """The pieces. `tiled`: where tiles lie, `ignore`: pixels that show nothing of the board."""
        values = self.values(evidence, surface, tiled, ignore)
        best = np.max(list(values.values()), axis=0)
        foreign = cv2.morphologyEx((best > FOREIGN).astype(np.uint8), cv2.MORPH_CLOSE, np.ones((2, 2), np.uint8))
        _, labels, stats, _ = cv2.connectedComponentsWithStats(foreign, connectivity=8)
        pieces = []
        for i, (x, y, w, h, area) in enumerate(stats):
            if i == 0 or area < MIN_PATCH:
                continue
            rows, columns = slice(max(0, y - 2), y + h + 2), slice(max(0, x - 2), x + w + 2)
            alien = (labels[rows, columns] != i) & (labels[rows, columns] != 0)
            patch = {kind: np.where(alien, 0.0, v[rows, columns]).astype(np.float32) for kind, v in values.items()}
            fitter = PatchFitter(patch, (columns.start, rows.start), self._field, self._silhouettes)
            for p in fitter.fit():
                pixel = fitter.pixel(p)
                at = self._field.foot(pixel, p.kind.foot)
                if self._field.on_board(at):
                    pieces.append(Piece(p.kind.name, pixel, at, p.stamp.angle, p.clarity, p.doubt))
        wood = next((v for kind, v in values.items() if kind.name == "boat"), None)
        return pieces if wood is None else add_hidden_boats(pieces, wood, self._field)

    def values(self, evidence: PixelEvidence, surface: Floats32, tiled: Mask, ignore: Mask) -> dict[Kind, Floats32]:
        """By kind, at the fitting's scale: log odds of the piece against print and tile, clipped."""
        bare = np.maximum(surface, UNKNOWN) + PRIOR
        size = (surface.shape[1] // SHRINK, surface.shape[0] // SHRINK)
        creatures = evidence.classes[..., self._creatures]
        dark = creatures.max(axis=2)
        shape = np.clip(EDGE_GAIN * (dark - bare), -HIGH, HIGH)
        out = {}
        for kind, channel in self._channels:
            own = evidence.classes[..., channel]
            if kind.name in CREATURES:
                value = shape + KIN * np.clip(own - dark, -1.0, 0.0)
            else:
                prior = SWIMMER if not kind.at_sea else 0.0
                value = np.clip(own - bare - np.where(tiled, 0.0, prior), LOW, HIGH)
            value[ignore | tiled if kind.at_sea else ignore] = LOW / 2
            out[kind] = np.asarray(cv2.resize(value, size, interpolation=cv2.INTER_AREA), np.float32)
        return out
