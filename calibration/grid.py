"""Measure where the printed hex lines really are, against where a camera model expects them.

In: a picture of the board and a `Camera`. Out: one point a line (board frame) with its offset across the line.
The lines may be black, white or of any other colour, on any sea: what tells them from it is learnt from the picture
itself. What stands on a line is an outlier that the fit has to bear.
"""

from __future__ import annotations

from typing import NamedTuple

import cv2
import msgspec
import numpy as np

from calibration.arrays import Floats, Floats32, Image
from calibration.camera import FAR_PX, Camera
from calibration.print import BoardPrint

ALONG = np.linspace(-8.0, 8.0, 9)
"""Where each hex edge is sampled, mm from its middle (an edge is 21.9 mm long; its ends meet other lines)."""

STEP = 0.25
"""Sampling across the line, mm."""

ALIGNED_MM = 5.0
"""With a shorter reach the lines are taken to lie where they are expected, to about a line's width."""

SEAS = 5
"""So many shades of ground are told apart: a line that is darker than the shallows may be lighter than the deep."""

KEEP = 0.65
"""Share of the lines that is used, those that stand out most."""

HIT_MM = 0.75
"""A line found so near its place confirms the pose; of lines in any place a share of `HIT_MM / reach` is."""


class LinePoints(msgspec.Struct, frozen=True):
    """`points` N x 2 mm where the line should be, `normals` N x 2, `offsets` N mm along the normal."""

    points: Floats
    normals: Floats
    offsets: Floats

    @property
    def hits(self) -> float:
        """Share of the lines that are where they should be."""
        return float((np.abs(self.offsets) < HIT_MM).mean()) if len(self.offsets) else 0.0


class Look(NamedTuple):
    """How lines are told from what they are drawn on.

    `ground`: so many mm more are looked at on either side, so that a thick line does not pass for its ground. `merged`:
    what lies so near together (standard deviation, mm) is one line; where a line has an edge of another colour on
    either side, one of the two would be taken for it, now this one, now that.
    """

    ground: float = 0.0
    merged: float = 0.0


USUAL = Look()


def measure_lines(image: Image, camera: Camera, board: BoardPrint, reach: float, look: Look = USUAL) -> LinePoints:
    """Look for every printed line within `reach` mm; only clear finds are kept."""
    points, directions = board.hex_edges
    normals = np.stack([-directions[:, 1], directions[:, 0]], axis=1)
    margin = round(look.ground / STEP)
    profiles = _profiles(image, camera, points, directions, reach + margin * STEP)
    ridges = _ridges(profiles, reach <= ALIGNED_MM)
    if look.merged:
        ridges = np.asarray(cv2.GaussianBlur(ridges, (0, 1), look.merged / STEP), np.float32)
    ridges = ridges[:, margin : profiles.shape[1] - margin]
    rows = np.arange(len(points))
    peak = ridges[:, 1:-1].argmax(axis=1) + 1
    left, top, right = ridges[rows, peak - 1], ridges[rows, peak], ridges[rows, peak + 1]
    bend = left - 2 * top + right
    shift = np.where(bend < -1e-6, 0.5 * (left - right) / np.where(bend < -1e-6, bend, -1.0), 0.0)
    offsets = (peak + np.clip(shift, -0.5, 0.5)) * STEP - reach
    inside = (peak > 1) & (peak < ridges.shape[1] - 2)
    keep = inside & (top >= np.quantile(top, 1 - KEEP))
    return LinePoints(points[keep], normals[keep], offsets[keep])


def _profiles(image: Image, camera: Camera, points: Floats, directions: Floats, reach: float) -> Floats32:
    """N x S x 3: the colour across each expected line, the mean along it."""
    across = np.arange(-reach, reach + STEP / 2, STEP)
    normals = np.stack([-directions[:, 1], directions[:, 0]], axis=1)
    # over so few mm the picture's scale does not change: ends and middle are projected, the rest lies between them
    knots = np.array([-reach, 0.0, reach])
    along = points[:, None] + directions[:, None] * ALONG[None, :, None]
    ends = (along[:, :, None] + normals[:, None, None] * knots[None, None, :, None]).reshape(-1, 2)
    pixels = camera.project(np.column_stack([ends, np.zeros(len(ends))])).clip(-FAR_PX, FAR_PX)
    pixels = pixels.reshape(-1, 3, 2).astype(np.float32)
    weights = np.stack([np.interp(across, knots, row) for row in np.eye(3)], axis=1).astype(np.float32)
    maps = np.matmul(weights, pixels)
    sampled = cv2.remap(image, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    mean = sampled.reshape(len(points), len(ALONG), -1, 3).mean(axis=1, dtype=np.float32)
    return np.asarray(cv2.GaussianBlur(mean, (5, 1), 1.0), np.float32)


def _ridges(profiles: Floats32, aligned: bool) -> Floats32:
    """N x S: how much each place looks like a printed line, in standard deviations of the ground.

    For each shade of ground the colour difference is learnt that a line makes there. `aligned`: the lines lie nearly
    where they should.
    """
    ground = np.median(profiles, axis=1)
    level = _without_trend(profiles)
    order = np.argsort(ground @ _main_axis(ground))
    ridges = np.empty(level.shape[:2], np.float32)
    for rows in np.array_split(order, SEAS):
        common = np.median(level[rows], axis=0)
        rest = (level[rows] - common).reshape(-1, 3)
        inverse = np.linalg.inv(rest.T @ rest / len(rest) + 0.1 * np.eye(3)).astype(np.float32)
        line = _common_colour(common, inverse) if aligned else _frequent_colour(level[rows], inverse)
        direction = inverse @ line
        ridges[rows] = level[rows] @ (direction / np.sqrt(max(float(direction @ line), 1e-9)))
    return ridges


def _without_trend(profiles: Floats32) -> Floats32:
    """Profiles less the sea's shading along each: its median and its slope."""
    across = np.linspace(-1.0, 1.0, profiles.shape[1], dtype=np.float32)
    slope = np.einsum("nsc,s->nc", profiles, across) / (across @ across)
    level = profiles - slope[:, None] * across[None, :, None]
    return np.asarray(level - np.median(level, axis=1, keepdims=True), np.float32)


def _main_axis(colours: Floats32) -> Floats32:
    """The direction in which colours (N x 3) differ most."""
    _, _, axes = np.linalg.svd(colours - colours.mean(axis=0), full_matrices=False)
    return np.asarray(axes[0], np.float32)


def _common_colour(common: Floats32, inverse: Floats32) -> Floats32:
    """The colour difference that all profiles share at one place, where it stands out most from the ground."""
    strength = ((common @ inverse) * common).sum(axis=1)
    third = len(common) // 6
    return np.asarray(common[third + int(strength[third:-third].argmax())], np.float32)


def _frequent_colour(level: Floats32, inverse: Floats32) -> Floats32:
    """The colour difference that most profiles (N x S x 3) show somewhere."""
    strength = ((level @ inverse) * level).sum(axis=2)
    candidates = level[np.arange(len(level)), strength.argmax(axis=1)]
    directions = candidates @ inverse
    length = np.sqrt((directions * candidates).sum(axis=1, keepdims=True))
    directions /= np.maximum(length, np.finfo(np.float32).tiny)  # a profile that shows nothing but ground
    votes = np.median((level @ directions.T).max(axis=1), axis=0)
    return np.asarray(candidates[votes.argmax()], np.float32)
