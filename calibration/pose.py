"""Where the camera stands: first from the four cards, then sharpened on the printed lines.

The cards are laid by hand (1.5 mm, 2 degrees) on the table, so they only start the search; the print is what the
pieces stand on. Without lens pictures the focal length starts from the field of view that such cameras have, and
focal length and radial distortion are refined together with the pose.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import cv2
import msgspec
import numpy as np

from calibration.camera import Camera, Floats
from calibration.cards import require_all
from calibration.errors import CalibrationError
from calibration.grid import LinePoints, measure_lines
from calibration.least_squares import minimise
from calibration.lens import Lens
from calibration.pictures import Image
from calibration.print import BoardPrint

FIELD_OF_VIEW = {"normal": 66.0, "wide": 100.0}
"""Across the picture, degrees: Raspberry Pi Camera Module 3 and its wide version."""

FOCAL_SPREAD = 0.03
"""Standard deviation of the focal length about the data sheet's, as a share."""

CARD_SIGMA_MM = 1.5
LINE_SIGMA_PX = 0.5
SEARCH_MM = (5.0, 3.5, 3.0, 3.0)
"""Reach of the search for the lines in each round: half a hex would catch the neighbour's line."""

MAX_RMS_MM = 1.2
"""Residual of the printed lines above which the fit is no fit."""


class PoseFit(msgspec.Struct, frozen=True):
    """The camera, and how well it explains the print and the cards (`rms` root mean square)."""

    camera: Camera
    line_rms_mm: float
    line_rms_px: float
    card_rms_mm: float
    lines: int


def fit_camera(
    image: Image, cards: Mapping[str, Floats], board: BoardPrint, lens: Lens | None, kind: str = "normal"
) -> PoseFit:
    """Fit the camera to a picture of the empty board. Raises CalibrationError if cards are missing or nothing fits."""
    require_all(cards)
    size = (image.shape[1], image.shape[0])
    model = _Model(size, lens, FIELD_OF_VIEW.get(kind, FIELD_OF_VIEW["normal"]))
    x = _from_cards(model, cards, board)
    points = None
    for reach in SEARCH_MM:
        points = measure_lines(image, model.camera(x), board, reach)
        if len(points.points) < 200:
            raise CalibrationError(
                "The printed hexes are not found between the cards. Is the board empty, and does each card's inner "
                "corner touch its corner of the board (nw 0, ne 1, se 2, sw 3, tops to the north)?"
            )
        x = _on_lines(model, x, points)
    assert points is not None
    camera = model.camera(x)
    final = measure_lines(image, camera, board, SEARCH_MM[-1])
    good = np.abs(final.offsets) < 1.5
    rms_mm = float(np.sqrt(np.mean(final.offsets[good] ** 2))) if good.any() else math.inf
    if rms_mm > MAX_RMS_MM or good.mean() < 0.5:
        raise CalibrationError(
            "The printed hexes do not fit what the cards say. Lay each card with its inner corner at the board's "
            "corner, flat on the table, and take the picture of the empty board again."
        )
    errors = [
        np.linalg.norm(camera.ground(at, -board.thickness) - board.card_corners(name)[:, :2], axis=1)
        for name, at in cards.items()
    ]
    return PoseFit(
        camera=camera,
        line_rms_mm=rms_mm,
        line_rms_px=rms_mm * pixels_per_mm(camera),
        card_rms_mm=float(np.sqrt(np.mean(np.concatenate(errors) ** 2))),
        lines=int(good.sum()),
    )


def pixels_per_mm(camera: Camera) -> float:
    """Scale of the picture in the middle of the board."""
    middle, east, south = camera.project([[0, 0, 0], [10, 0, 0], [0, 10, 0]])
    (a, b), (c, d) = east - middle, south - middle
    return math.sqrt(abs(a * d - b * c)) / 10


class _Model:
    """Packs a camera into a parameter vector: pose (6), then log focal, k1 and k2 where there is no lens picture."""

    def __init__(self, size: tuple[int, int], lens: Lens | None, field_of_view: float) -> None:
        self.size, self.lens = size, lens
        self.focal = size[0] / 2 / math.tan(math.radians(field_of_view / 2))
        self.steps = np.array([1e-4] * 3 + [0.05] * 3 + ([] if lens else [1e-4, 1e-4, 1e-4]))
        if lens and not (lens.focal[0] > 0 and size):
            raise CalibrationError("The lens pictures give no usable lens; take them again.")

    def camera(self, x: Floats) -> Camera:
        rotation, translation = tuple(map(float, x[:3])), tuple(map(float, x[3:6]))
        if self.lens:
            focal, centre, distortion = self.lens.focal, self.lens.centre, self.lens.distortion
        else:
            f = self.focal * math.exp(x[6])
            focal, centre = (f, f), ((self.size[0] - 1) / 2, (self.size[1] - 1) / 2)
            distortion = (float(x[7]), float(x[8]), 0.0, 0.0, 0.0)
        return Camera(self.size, focal, centre, distortion, rotation, translation)  # type: ignore[arg-type]

    def prior(self, x: Floats) -> Floats:
        """Residuals of what is known of such lenses beforehand."""
        return np.empty(0) if self.lens else np.array([x[6] / FOCAL_SPREAD, x[7] / 0.15, x[8] / 0.1])


def _from_cards(model: _Model, cards: Mapping[str, Floats], board: BoardPrint) -> Floats:
    names = sorted(cards)
    points = np.concatenate([board.card_corners(name) for name in names])
    pixels = np.concatenate([cards[name] for name in names])
    blank = np.zeros(len(model.steps))
    intrinsics = model.camera(blank)
    found, rotation, translation = cv2.solvePnP(
        points * (1, 1, -1), pixels, intrinsics.matrix, np.array(intrinsics.distortion), flags=cv2.SOLVEPNP_SQPNP
    )
    if not found:
        raise CalibrationError("The four cards do not lie as they should; see how each is turned and numbered.")
    start = blank.copy()
    start[:6] = np.concatenate([rotation.ravel(), translation.ravel()])
    scale = CARD_SIGMA_MM * pixels_per_mm(model.camera(start))

    def residuals(x: Floats) -> Floats:
        return np.concatenate([((model.camera(x).project(points) - pixels) / scale).ravel(), model.prior(x)])

    return minimise(residuals, start, model.steps)


def _on_lines(model: _Model, x: Floats, lines: LinePoints) -> Floats:
    """One round: fit all parameters to the measured line points, far ones with little weight."""
    camera = model.camera(x)
    level = np.zeros((len(lines.points), 1))
    expected = np.hstack([lines.points, level])
    seen = camera.project(np.hstack([lines.points + lines.normals * lines.offsets[:, None], level]))
    ahead = camera.project(np.hstack([lines.points + lines.normals, level])) - camera.project(expected)
    across = ahead / np.linalg.norm(ahead, axis=1, keepdims=True)
    for _ in range(3):
        off = ((model.camera(x).project(expected) - seen) * across).sum(axis=1)
        scale = max(LINE_SIGMA_PX, 1.5 * float(np.median(np.abs(off))))
        weight = 1.0 / (scale * (1.0 + (off / scale) ** 2))

        def residuals(y: Floats, weight: Floats = weight) -> Floats:
            off = ((model.camera(y).project(expected) - seen) * across).sum(axis=1)
            return np.concatenate([off * weight, model.prior(y)])

        x = minimise(residuals, x, model.steps, rounds=6)
    return x
