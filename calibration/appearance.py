"""What tiles and pieces look like on this table, learnt from the swatch picture.

In: the swatch picture in the view and in reference light, the bare print (`Ground`), the swatch layout.
Out: Lab samples of each class: the terrains, the four paints, boat wood, the three creatures.
Where exactly a piece stands in its hex is not known, so pixels are labelled in turns: what the print or the tile does not
explain belongs to the piece, and from that better models of tile and piece follow (expectation maximisation).
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from calibration.camera import Camera, Floats
from calibration.colours import ColourModel
from calibration.errors import CalibrationError
from calibration.ground import Ground
from calibration.light import Floats32
from calibration.print import BoardPrint
from calibration.swatch import COLOURS, CREATURES, PIECE_HEIGHT, TERRAINS, TILE_HEIGHT, Swatch
from calibration.view import View

CLASSES = (*TERRAINS, *COLOURS, "boat", *CREATURES)
SAMPLES = 500
"""Kept per class; more do not change the smoothed histograms."""

NOT_PRINT = -13.0
"""Log density below which the print does not explain a pixel."""

RARE = -14.0
"""Log density below which a colour does not belong to a terrain."""

MIN_PIXELS = 25
ROUNDS = 4

Mask = npt.NDArray[np.bool_]


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
    lab: Floats32, ground: Ground, swatches: Sequence[Swatch], board: BoardPrint, camera: Camera, view: View
) -> dict[str, npt.NDArray[np.int8]]:
    """Samples (N x 3, Lab, rounded) by class. Raises CalibrationError naming what was not found on which hex."""
    explained = ground.log_density(lab)
    foreign = cv2.morphologyEx((explained < NOT_PRINT).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    eye = camera.eye
    tiled = np.zeros(view.shape, bool)
    faces: list[tuple[Swatch, Mask]] = []
    for s in swatches:
        if s.tile:
            height = TILE_HEIGHT[s.tile]
            outline = hex_outline(board.centre(s.hex), board.side)
            tiled |= hex_mask(view, eye, outline, (0.0, height))
            inner = hex_outline(board.centre(s.hex), board.side - 2.5)
            faces.append((s, hex_mask(view, eye, inner, (height,))))
    tiled = cv2.dilate(tiled.astype(np.uint8), np.ones((5, 5), np.uint8)).astype(bool)

    found: dict[str, list[Floats32]] = {name: [] for name in CLASSES}
    crews: list[tuple[Swatch, Mask]] = []
    swimmers: list[tuple[str, Mask]] = []
    for s in swatches:
        if s.tile:
            continue
        kind = _single(s)
        height = PIECE_HEIGHT["explorer" if kind in COLOURS or s.boat else kind]
        outline = hex_outline(board.centre(s.hex), board.side)
        mask = hex_mask(view, eye, outline, (0.0, height)) & (foreign > 0) & ~tiled
        if s.boat:
            crews.append((s, mask))
        elif mask.sum() >= MIN_PIXELS:
            found[kind].append(lab[mask])
            if kind in COLOURS:
                swimmers.append((kind, mask))
    for s, mask in faces:
        others = [lab[m] for o, m in faces if o.tile == s.tile and o is not s]
        odd = _not_like(lab, mask, _join(others))
        for colour in s.explorers:
            found[colour].append(lab[odd])
    samples = {name: _join(parts) for name, parts in found.items()}
    for terrain in TERRAINS:
        samples[terrain] = _join([lab[m] for s, m in faces if s.tile == terrain])
    for name in CLASSES:
        if len(samples[name]) < MIN_PIXELS:
            raise CalibrationError(
                f"No {name} is seen where the swatch layout has it. Lay the swatch pieces as the instructions show, "
                "all tiles and all four colours, and take the picture again."
            )
    wood = samples["boat"]
    for _ in range(ROUNDS):
        model = ColourModel(samples)
        density = model.log_density(lab)
        parts: dict[str, list[Floats32]] = {name: [] for name in (*TERRAINS, *COLOURS)}
        parts["boat"] = [wood]
        for s, mask in faces:
            ground_like = density[..., model.index[s.tile or ""]]
            paint = np.max([density[..., model.index[c]] for c in s.explorers], axis=0)
            odds = cv2.GaussianBlur(np.clip(paint - ground_like - 1.5, -4, 4), (0, 0), 1.2)
            parts[s.tile or ""].append(lab[mask & (odds < -0.5)])
            for colour in s.explorers:
                parts[colour].append(lab[mask & (odds > 0.5)])
        for colour, mask in swimmers:
            parts[colour].append(lab[mask])
        for s, mask in crews:
            names = ["boat", *(s.boat or {})]
            best = np.stack([density[..., model.index[n]] for n in names]).argmax(axis=0)
            for i, name in enumerate(names):
                parts[name].append(lab[mask & (best == i)])
        samples.update({name: _join(p) for name, p in parts.items()})
    rng = np.random.default_rng(0)
    return {name: np.round(_thin(samples[name], rng)).astype(np.int8) for name in CLASSES}


def _not_like(lab: Floats32, mask: Mask, others: Floats32) -> Mask:
    """Of a tile's pixels those whose colour the other tiles of its terrain hardly have: its explorer."""
    if not len(others):
        return np.zeros_like(mask)
    density = ColourModel({"terrain": others}).log_density(lab)[..., 0]
    odd = cv2.morphologyEx((mask & (density < RARE)).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    return odd.astype(bool)


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
