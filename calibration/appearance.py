"""What tiles and pieces look like on this table, learnt from the swatch picture.

In: the swatch picture in the view and in reference light, the bare print (`Ground`), the swatch layout.
Out: Lab samples of each class: the terrains, the four paints, boat wood, the three creatures.
Where exactly a piece stands in its hex is not known, so pixels are labelled in turns: what the print or the tile
does not explain belongs to the piece, and from that better models of tile and piece follow (expectation
maximisation).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from calibration.arrays import Floats, Floats32, Mask
from calibration.camera import Camera
from calibration.colours import ColourModel
from calibration.errors import CalibrationError
from calibration.ground import Ground
from calibration.print import BoardPrint
from calibration.swatch import COLOURS, CREATURES, PIECE_HEIGHT, TERRAINS, TILE_HEIGHT, Swatch
from calibration.view import View

CLASSES = (*TERRAINS, *COLOURS, "boat", *CREATURES)
FAINT_ONES = (*CREATURES, "boat")
"""What may be nearly as dark as a dark sea."""

SAMPLES = 500
"""Kept per class; more do not change the smoothed histograms."""

NOT_PRINT = -13.0
"""Log density below which the print does not explain a pixel."""

RARE = -14.0
"""Log density below which a colour does not belong to a terrain."""

INNER_MM = 2.5
"""By how much a tile's corners are drawn in, to be sure of its face."""

PIECE_COST = 1.5
"""By how much (log) a pixel is less likely to show the explorer than the tile."""

ODDS_SMOOTH = 1.2
"""Standard deviation of the smoothing of the odds of tile or explorer, view px."""

ROOM = 6
"""Round a tile's face, so that smoothing its odds sees what is beside it, view px."""

MIN_PIXELS = 25
FAINT = -10.0
FAINT_PIXELS = 80
"""So many pixels of a kind below that log density are a piece as well, if only just."""

UNEVEN, UNEVEN_WINDOW = 4.0, (25, 25)
"""What is by so much (L) lighter or darker than the print, and than the mean round it (view px, 2 cm) is, is faint."""

ROUNDS = 4


def hex_outline(centre: tuple[float, float], side: float) -> Floats:
    """6 x 2: the corners of a pointy-top hex, mm."""
    angles = np.pi / 6 + np.pi / 3 * np.arange(6)
    return np.array(centre) + side * np.stack([np.cos(angles), np.sin(angles)], axis=1)


def lean(eye: Floats, points: Floats, height: float) -> Floats:
    """Where points (N x 2, mm) at that height appear on the board's face as the camera sees them."""
    return np.asarray(points + (points - eye[:2]) * (height / (eye[2] - height)), float)


def hex_mask(view: View, eye: Floats, outline: Floats, heights: Sequence[float]) -> Mask:
    """Pixels of the view that a hex prism covers, between the lowest and highest of `heights`."""
    corners = np.concatenate([view.pixels(lean(eye, outline, h)) for h in heights])
    mask = np.zeros(view.shape, np.uint8)
    cv2.fillConvexPoly(mask, cv2.convexHull(np.round(corners).astype(np.int32)), 1)
    return mask.astype(bool)


def learn_appearance(
    lab: Floats32, ground: Ground, swatches: Sequence[Swatch], table: Table
) -> dict[str, npt.NDArray[np.int8]]:
    """Samples (N x 3, Lab, rounded) by class. Raises CalibrationError naming the class that was not found."""
    places = _Places(lab, ground, swatches, table)
    samples = _first_samples(places)
    for name in FAINT_ONES:
        faint = _join(places.faint[name])
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
        samples.update(_relabelled(places, ColourModel(on_tiles), wood))
    rng = np.random.default_rng(0)
    return {name: np.round(_thin(samples[name], rng)).astype(np.int8) for name in CLASSES}


@dataclasses.dataclass(frozen=True)
class Table:
    """What is known of the table: the print, the camera, the raster."""

    board: BoardPrint
    camera: Camera
    view: View


@dataclasses.dataclass(frozen=True)
class _Face:
    """The face of a tile: a window of the picture round it (h x w x 3, Lab), and which of its pixels show it."""

    swatch: Swatch
    lab: Floats32
    mask: Mask

    @property
    def colours(self) -> Floats32:
        """N x 3."""
        return self.lab[self.mask]


class _Places:
    """Where to look: `faces` of tiles, colours (N x 3) of `singles` (sea pieces by class) and `crews` (full boats).

    `faint`: what might be one of `FAINT_ONES`, by class, of which too little stands out from the print.
    """

    def __init__(self, lab: Floats32, ground: Ground, swatches: Sequence[Swatch], table: Table) -> None:
        density = ground.log_density(lab)
        self.faces: list[_Face] = []
        self.singles: list[tuple[str, Floats32]] = []
        self.faint: dict[str, list[Floats32]] = {name: [] for name in FAINT_ONES}
        self.crews: list[tuple[Swatch, Floats32]] = []
        board, view, eye = table.board, table.view, table.camera.eye
        tiled = np.zeros(view.shape, np.uint8)
        for s in swatches:
            if s.tile:
                height, centre = TILE_HEIGHT[s.tile], board.centre(s.hex)
                tiled |= hex_mask(view, eye, hex_outline(centre, board.side), (0.0, height)).astype(np.uint8)
                face = hex_mask(view, eye, hex_outline(centre, board.side - INNER_MM), (height,))
                window = _window(face)
                self.faces.append(_Face(s, lab[window], face[window]))
        sea = cv2.dilate(tiled, np.ones((5, 5), np.uint8)) == 0
        free = sea & without_specks(density < NOT_PRINT)
        faint = sea & without_specks((density < FAINT) | uneven(lab[..., 0] - ground.lab()[..., 0]))
        for s in swatches:
            if not s.tile:
                kind = _single(s)
                height = PIECE_HEIGHT["explorer" if kind in COLOURS or s.boat else kind]
                outline = hex_outline(board.centre(s.hex), board.side)
                place = hex_mask(view, eye, outline, (0.0, height))
                colours = lab[place & free]
                if s.boat:
                    self.crews.append((s, colours))
                elif len(colours) >= MIN_PIXELS:
                    self.singles.append((kind, colours))
                elif kind in FAINT_ONES:
                    self.faint[kind].append(lab[place & faint])


def uneven(lighter: Floats32) -> Mask:
    """Where a picture is lighter or darker than the print, and otherwise than round there; `lighter`: by how much, L.

    A black piece on a black sea looks like the print in a shadow, but shadows are soft.
    """
    off = np.minimum(np.abs(lighter), np.abs(lighter - cv2.blur(lighter, UNEVEN_WINDOW)))
    return np.asarray(off > UNEVEN, bool)


def without_specks(mask: Mask) -> Mask:
    """The parts of a mask that are three pixels wide or more."""
    return np.asarray(cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)) > 0)


def _window(mask: Mask) -> tuple[slice, slice]:
    """The part of the view round what the mask covers, with room for the filters."""
    x, y, width, height = cv2.boundingRect(mask.astype(np.uint8))
    return slice(max(y - ROOM, 0), y + height + ROOM), slice(max(x - ROOM, 0), x + width + ROOM)


def _first_samples(places: _Places) -> dict[str, Floats32]:
    """Whole pieces on the sea, whole tiles, and of each tile's explorer what no other tile of its terrain shows."""
    found: dict[str, list[Floats32]] = {name: [] for name in CLASSES}
    for kind, colours in places.singles:
        found[kind].append(colours)
    for face in places.faces:
        s = face.swatch
        others = [o.colours for o in places.faces if o.swatch.tile == s.tile and o is not face]
        odd = _not_like(face, _join(others))
        for colour in s.explorers:
            found[colour].append(face.lab[odd])
        found[s.tile or ""].append(face.colours)
    return {name: _join(parts) for name, parts in found.items()}


def _relabelled(places: _Places, model: ColourModel, wood: Floats32) -> dict[str, Floats32]:
    """Samples of terrains, paints and wood by what the model so far takes each pixel for."""
    parts: dict[str, list[Floats32]] = {name: [] for name in (*TERRAINS, *COLOURS)}
    parts["boat"] = [wood]
    for face in places.faces:
        s, terrain = face.swatch, face.swatch.tile or ""
        density = model.log_density(face.lab)
        paint = np.max([density[..., model.index[c]] for c in s.explorers], axis=0)
        odds = np.clip(paint - density[..., model.index[terrain]] - PIECE_COST, -4, 4)
        odds = cv2.GaussianBlur(odds, (0, 0), ODDS_SMOOTH)
        parts[terrain].append(face.lab[face.mask & (odds < -0.5)])
        for colour in s.explorers:
            parts[colour].append(face.lab[face.mask & (odds > 0.5)])
    for kind, colours in places.singles:
        if kind in COLOURS:
            parts[kind].append(colours)
    for s, colours in places.crews:
        names = ["boat", *(s.boat or {})]
        best = model.log_density(colours)[:, [model.index[n] for n in names]].argmax(axis=1)
        for i, name in enumerate(names):
            parts[name].append(colours[best == i])
    return {name: _join(p) for name, p in parts.items()}


def _not_like(face: _Face, others: Floats32) -> Mask:
    """Of a tile's pixels those whose colour the other tiles of its terrain hardly have: its explorer."""
    if not len(others):
        return np.zeros_like(face.mask)
    density = ColourModel({"terrain": others}).log_density(face.lab)[..., 0]
    return without_specks(face.mask & (density < RARE))


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
