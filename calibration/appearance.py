"""What tiles and pieces look like on this table, learnt from the swatch picture.

In: the swatch picture in the view and in reference light, the bare print (`Ground`), the swatch layout.
Out: Lab samples of each class: the terrains, the four paints, boat wood, the three creatures.
Where exactly a piece stands in its hex is not known, so pixels are labelled in turns: what the print or the tile
does not explain belongs to the piece, and from that better models of tile and piece follow (expectation
maximisation).
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from calibration.arrays import Floats32, Mask
from calibration.colours import ColourModel
from calibration.errors import CalibrationError
from calibration.laid import Face, Laid, without_specks
from calibration.swatch import COLOURS, CREATURES, TERRAINS, Swatch

CLASSES = (*TERRAINS, *COLOURS, "boat", *CREATURES)
FAINT_ONES = (*CREATURES, "boat")
"""What may be nearly as dark as a dark sea."""

SAMPLES = 500
"""Kept per class; more do not change the smoothed histograms."""

RARE = 14.0
"""Rarity (log) from which a colour does not belong to a terrain."""

PIECE_COST = 1.5
"""By how much (log) a pixel is less likely to show the explorer than the tile."""

ODDS_SMOOTH = 1.2
"""Standard deviation of the smoothing of the odds of tile or explorer, view px."""

MIN_PIXELS = 25
FAINT = -10.0
FAINT_PIXELS = 80
"""So many pixels of a kind below that log density are a piece as well, if only just."""

UNEVEN, UNEVEN_WINDOW = 4.0, (25, 25)
"""What is by so much (L) lighter or darker than the print, and than the mean round it (view px, 2 cm) is, is faint."""

ROUNDS = 4


def learn_appearance(laid: Laid) -> dict[str, npt.NDArray[np.int8]]:
    """Samples (N x 3, Lab, rounded) by class. Raises CalibrationError naming the class that was not found."""
    at_sea = _AtSea(laid)
    samples = _first_samples(laid.faces, at_sea)
    for name in FAINT_ONES:
        faint = _join(at_sea.faint[name])
        if len(samples[name]) < MIN_PIXELS and len(faint) >= FAINT_PIXELS:
            samples[name] = faint
    for name in CLASSES:
        if len(samples[name]) < MIN_PIXELS:
            raise CalibrationError(
                f"No {name} is seen where the swatch layout has it. Lay the swatch pieces as the instructions show, "
                "all tiles and all four colours, and take the picture again."
            )
    wood = samples["boat"]
    for _ in range(ROUNDS):
        on_tiles = {name: samples[name] for name in samples if name not in CREATURES}
        samples.update(_relabelled(laid.faces, at_sea, ColourModel(on_tiles), wood))
    rng = np.random.default_rng(0)
    return {name: np.round(_thin(samples[name], rng)).astype(np.int8) for name in CLASSES}


class _AtSea:
    """What stands at sea: colours (N x 3) of `singles` (by class) and of `crews` (full boats).

    `faint`: what might be one of `FAINT_ONES`, by class, of which too little stands out from the print.
    """

    def __init__(self, laid: Laid) -> None:
        self.singles: list[tuple[str, Floats32]] = []
        self.faint: dict[str, list[Floats32]] = {name: [] for name in FAINT_ONES}
        self.crews: list[tuple[Swatch, Floats32]] = []
        swatches = laid.places.swatches
        tiled = laid.places.covered([s for s in swatches if s.tile]).astype(np.uint8)
        sea = cv2.dilate(tiled, np.ones((5, 5), np.uint8)) == 0
        lighter = laid.lab[..., 0] - laid.ground.lab()[..., 0]
        free = (sea & laid.foreign).ravel()
        faint = (sea & without_specks((laid.print_density < FAINT) | uneven(lighter))).ravel()
        colours = laid.lab.reshape(-1, 3)
        for s in swatches:
            if not s.tile:
                kind, place = _single(s), laid.places.whole[s.hex]
                clear = colours[place[free[place]]]
                if s.boat:
                    self.crews.append((s, clear))
                elif len(clear) >= MIN_PIXELS:
                    self.singles.append((kind, clear))
                elif kind in FAINT_ONES:
                    self.faint[kind].append(colours[place[faint[place]]])


def uneven(lighter: Floats32) -> Mask:
    """Where a picture is lighter or darker than the print, and otherwise than round there; `lighter`: by how much, L.

    A black piece on a black sea looks like the print in a shadow, but shadows are soft.
    """
    off = np.minimum(np.abs(lighter), np.abs(lighter - cv2.blur(lighter, UNEVEN_WINDOW)))
    return np.asarray(off > UNEVEN, bool)


def _first_samples(faces: Sequence[Face], at_sea: _AtSea) -> dict[str, Floats32]:
    """Whole pieces on the sea, whole tiles, and of each tile's explorer what no other tile of its terrain shows."""
    found: dict[str, list[Floats32]] = {name: [] for name in CLASSES}
    for kind, colours in at_sea.singles:
        found[kind].append(colours)
    for face in faces:
        s = face.swatch
        odd = face.lab[_odd(face)]
        for colour in s.explorers:
            found[colour].append(odd)
        found[s.tile or ""].append(face.colours)
    return {name: _join(parts) for name, parts in found.items()}


def _relabelled(faces: Sequence[Face], at_sea: _AtSea, model: ColourModel, wood: Floats32) -> dict[str, Floats32]:
    """Samples of terrains, paints and wood by what the model so far takes each pixel for."""
    parts: dict[str, list[Floats32]] = {name: [] for name in (*TERRAINS, *COLOURS)}
    parts["boat"] = [wood]
    for face in faces:
        s, terrain = face.swatch, face.swatch.tile or ""
        density = model.log_density(face.lab)
        paint = np.max([density[..., model.index[c]] for c in s.explorers], axis=0)
        odds = np.clip(paint - density[..., model.index[terrain]] - PIECE_COST, -4, 4)
        odds = cv2.GaussianBlur(odds, (0, 0), ODDS_SMOOTH)
        parts[terrain].append(face.lab[face.mask & (odds < -0.5)])
        for colour in s.explorers:
            parts[colour].append(face.lab[face.mask & (odds > 0.5)])
    for kind, colours in at_sea.singles:
        if kind in COLOURS:
            parts[kind].append(colours)
    for s, colours in at_sea.crews:
        names = ["boat", *(s.boat or {})]
        best = model.log_density(colours)[:, [model.index[n] for n in names]].argmax(axis=1)
        for i, name in enumerate(names):
            parts[name].append(colours[best == i])
    return {name: _join(p) for name, p in parts.items()}


def _odd(face: Face) -> Mask:
    """Of a tile's pixels those whose colour the other tiles of its terrain hardly have: its explorer."""
    return np.zeros_like(face.mask) if face.rarity is None else without_specks(face.mask & (face.rarity > RARE))


def _single(s: Swatch) -> str:
    """The class of the only thing that stands on a sea hex of the swatch layout."""
    if s.boat is not None:
        return "boat"
    for kind, count in zip(CREATURES, (s.serpents, s.sharks, s.whales), strict=True):
        if count:
            return kind
    if len(s.explorers) == 1:
        return next(iter(s.explorers))
    raise CalibrationError(f"The swatch layout must have one piece on hex {list(s.hex)}.")


def _join(parts: Sequence[Floats32]) -> Floats32:
    return np.concatenate(parts) if parts else np.empty((0, 3), np.float32)


def _thin(samples: Floats32, rng: np.random.Generator) -> Floats32:
    if len(samples) <= SAMPLES:
        return samples
    return samples[rng.choice(len(samples), SAMPLES, replace=False)]
