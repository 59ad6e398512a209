"""Where the camera stands: first from the cards or from four taps, then sharpened on the printed lines.

The cards are laid by hand (1.5 mm, 2 degrees) on the table and a finger is 15 px wide, so they only start the search;
the print is what the pieces stand on. Without lens pictures the focal length starts from the field of view that such
cameras have, and focal length and radial distortion are refined together with the pose.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import cv2
import msgspec
import numpy as np

from calibration.arrays import Floats, Image
from calibration.camera import Camera
from calibration.camera_model import LENS_PRIORS, CameraModel, known_lens, prior_of
from calibration.cards import require_some
from calibration.errors import CalibrationError
from calibration.grid import USUAL, LinePoints, Look, measure_lines
from calibration.least_squares import minimise
from calibration.lens import Lens
from calibration.print import BoardPrint

CARD_SIGMA_MM = 1.5
LINE_SIGMA_PX = 0.15


class Search(msgspec.Struct, frozen=True):
    """How the lines are looked for from a first pose: `reaches` (mm) of the rounds, and what share must be hit.

    `half_way`: in the middle round so many must be hit already, or it is given up.
    """

    reaches: tuple[float, ...]
    min_hits: float
    half_way: float = 0.0


FROM_CARDS = Search((5.0, 3.5, 3.0, 3.0, 2.0), 0.65)
FROM_TAPS = Search((14.0, 11.0, 8.0, 6.5, 4.5, 3.0, 2.0), 0.9, half_way=0.5)
"""Half a hex would catch the neighbour's line. A quarter of the lines is hit by chance, and from taps a grid may be met
that lies turned by a sixth. Half way 37 of a hundred are hit at most where the grid is not there, else all."""

CLEAR_HITS, CLEAR_RMS_MM = 0.97, 0.2
"""Where cards are seen and fewer lines are hit, or they lie further off, the other ways to look at lines are tried,
too: the best fit counts."""

MERGED_FACTOR = 2.0
"""What is merged is smooth: its lines seem to lie so much nearer to their places than they do."""

BY_CHANCE = 0.3
"""After one round from taps at most 0.22 of the lines of a grid that is not there were hit (5 tables, 600 starts), and
at least 0.43 of one that is there."""

LAST_REACH_MM = 3.0

LOOKS = (USUAL, Look(ground=2.0), Look(ground=4.0), Look(merged=1.0), Look(merged=1.6))
"""Tried in turn: for lines as thin as usual, for thicker ones, and for such as have two edges of another colour."""

MIN_LINES = 100
MAX_RMS_MM = 1.2
"""A fit is none with fewer lines or a larger residual."""

MERGED_HITS, MERGED_RMS_MM = 0.95, 0.35
"""What is merged is smooth, and noise has its peaks where lines should be: at most 0.94 of them are hit then, 0.4 mm
off; of double-edged prints 0.96 and more, 0.28 mm off."""

TAP_STARTS = ((1.0, 0.0), (1.0, -0.2), (1.03, 0.0), (1.03, -0.2), (0.97, 0.0), (0.97, -0.2))
"""What is tried in turn: the size of the board's face against its hexes, and the lens's k1. Neither shows in taps."""

TAP_SIGMA_MM = 10.0

MAX_ASIDE_MM = 16.0
"""All taps together may lie this far aside of the board that was found: more, and the grid was met one hex aside."""


class PoseFit(msgspec.Struct, frozen=True):
    """The camera, and how well it explains the print and the cards (`rms` root mean square).

    `hits`: the share of the printed lines that were found where they should be. `card_rms_mm`: None from taps.
    """

    camera: Camera
    line_rms_mm: float
    line_rms_px: float
    lines: int
    hits: float
    card_rms_mm: float | None = None


def fit_camera(
    image: Image, cards: Mapping[str, Floats], board: BoardPrint, lens: Lens | None, kind: str = "normal"
) -> PoseFit:
    """Fit the camera to a picture of the empty board.

    `cards`: corners in px by card, as `find_cards` gives them; `kind`: what lens it is where `lens` is None
    (`LENS_PRIORS`). Raises CalibrationError if too few cards are given or nothing fits.
    """
    require_some(cards)
    model = _model(image, lens, kind)
    names = sorted(cards)
    points = np.concatenate([board.card_corners(name) for name in names])
    pixels = np.concatenate([cards[name] for name in names])
    start = _from_points(model, points, pixels, CARD_SIGMA_MM)
    if start is None:
        raise CalibrationError("The corner cards do not lie as they should; see how each is turned and numbered.")
    fit = _best_look(image, model, start, board)
    if fit is None:
        raise CalibrationError(
            "The printed hexes do not fit the cards. Is the board empty, and does each card lie flat with its inner "
            "corner at its own corner of the board (nw 0, ne 1, se 2, sw 3)?"
        )
    errors = [
        np.linalg.norm(fit.camera.ground(at, -board.thickness) - board.card_corners(name)[:, :2], axis=1)
        for name, at in cards.items()
    ]
    rms = float(np.sqrt(np.mean(np.concatenate(errors) ** 2)))
    return msgspec.structs.replace(fit, card_rms_mm=rms)


def pose_from_taps(
    image: Image,
    taps: Sequence[tuple[float, float]],
    board: BoardPrint,
    lens: Lens | None = None,
    kind: str = "normal",
) -> PoseFit:
    """Fit the camera to a picture of the empty board of which four corners have been tapped (px, to about 15 px).

    The taps' order nw, ne, se, sw is kept where the grid fits it. In any other order they are sorted, and as the
    grid looks the same turned by half, the board's north is then taken to be up in the picture. `kind` as in
    `fit_camera`; "unknown" for a photograph that may be cropped or stretched. Raises CalibrationError.
    """
    if len(taps) != 4:
        raise CalibrationError(f"Four corners of the board are needed, not {len(taps)}.")
    given = np.array(taps, float)
    if ((given < 0) | (given > _size(image))).any():
        width, height = _size(image)
        raise CalibrationError(f"A corner of the board lies outside the picture, which is {width} x {height} px.")
    if cv2.contourArea(cv2.convexHull(given.astype(np.float32))) < 0.02 * image.shape[0] * image.shape[1]:
        raise CalibrationError("The four corners lie too close together: tap the four corners of the board.")
    prior = prior_of(kind)
    starts = TAP_STARTS if lens is None else TAP_STARTS[::2]
    attempts = [
        _Attempt(CameraModel(_size(image), lens, msgspec.structs.replace(prior, barrel=barrel)), order, scale)
        for order, (scale, barrel) in itertools.product(_orders(given), starts)
    ]
    hopeful = functools.cache(lambda number: _more_than_chance(image, attempts[number], board))
    for look, number in itertools.product(LOOKS, range(len(attempts))):
        if hopeful(number) and (fit := _fit_taps(image, attempts[number], board, look=look)) is not None:
            return fit
    raise CalibrationError(
        "The printed hexes do not fit these four corners. Tap the corners of the board itself, and use a picture of "
        "the empty board."
    )


def _best_look(image: Image, model: CameraModel, start: Floats, board: BoardPrint) -> PoseFit | None:
    """The fit by the first way to look at lines that is a clear one, else the best; None if the lines are not there."""
    best: tuple[float, PoseFit] | None = None
    for look in LOOKS:
        fit = _fit_lines(image, model, start, board, FROM_CARDS, look=look)
        if fit is None:
            continue
        off = fit.line_rms_mm * (MERGED_FACTOR if look.merged else 1.0)
        if best is None or off < best[0]:
            best = off, fit
        if fit.hits >= CLEAR_HITS and off <= CLEAR_RMS_MM:
            break
    return None if best is None else best[1]


class _Attempt(NamedTuple):
    """Taps in the order nw, ne, se, sw on a face that is `scale` times as large as it should be, and a lens."""

    model: CameraModel
    taps: Floats
    scale: float

    def start(self, board: BoardPrint) -> Floats | None:
        """The camera that sees the face's corners where they were tapped."""
        return _from_points(self.model, board.corners() * self.scale, self.taps, TAP_SIGMA_MM)


def _more_than_chance(image: Image, attempt: _Attempt, board: BoardPrint) -> bool:
    """Whether the second look for the lines finds more of them in their places than any grid would by chance."""
    x = attempt.start(board)
    if x is None:
        return False
    first, second = FROM_TAPS.reaches[:2]
    x = _on_lines(attempt.model, x, measure_lines(image, attempt.model.camera(x), board, first))
    return measure_lines(image, attempt.model.camera(x), board, second).hits > BY_CHANCE


def _fit_taps(image: Image, attempt: _Attempt, board: BoardPrint, *, look: Look) -> PoseFit | None:
    """The camera from these taps, sharpened on the printed lines; None if they are not there."""
    model, taps, scale = attempt
    corners = board.corners() * scale
    start = attempt.start(board)
    fit = None if start is None else _fit_lines(image, model, start, board, FROM_TAPS, look=look)
    if fit is None:
        return None
    aside = (fit.camera.ground(taps) - corners[:, :2]).mean(axis=0)
    return fit if float(np.linalg.norm(aside)) <= MAX_ASIDE_MM else None


def pose_on_points(camera: Camera, points: Floats, pixels: Floats, sigma_mm: float) -> Camera | None:
    """That camera moved so that it sees `points` (N x 3, mm) at `pixels` (N x 2) from above; None if no pose does."""
    model = CameraModel(camera.image_size, known_lens(camera), LENS_PRIORS["normal"])
    x = _from_points(model, points, pixels, sigma_mm)
    return None if x is None else model.camera(x)


def pixels_per_mm(camera: Camera) -> float:
    """Scale of the picture in the middle of the board."""
    middle, east, south = camera.project([[0, 0, 0], [10, 0, 0], [0, 10, 0]])
    (a, b), (c, d) = east - middle, south - middle
    return math.sqrt(abs(a * d - b * c)) / 10


def _model(image: Image, lens: Lens | None, kind: str) -> CameraModel:
    return CameraModel(_size(image), lens, prior_of(kind))


def _size(image: Image) -> tuple[int, int]:
    return image.shape[1], image.shape[0]


def _orders(taps: Floats) -> list[Floats]:
    """The two orders to try: as given if that goes round clockwise, else with north nearest to up; and a quarter on.

    The board and its grid look the same turned by half: the other two would only say again what these have said.
    """
    middle = taps.mean(axis=0)
    turn = np.roll(taps, -1, axis=0) - taps
    ahead = np.roll(turn, -1, axis=0)
    clockwise = (turn[:, 0] * ahead[:, 1] - turn[:, 1] * ahead[:, 0] > 0).all()
    ring = taps[np.argsort(np.arctan2(*(taps - middle).T[::-1]))]  # clockwise, as y points down

    def height(order: Floats) -> float:
        return float(order[:2, 1].sum() - order[2:, 1].sum())

    turned = sorted((np.roll(ring, k, axis=0) for k in range(4)), key=height)
    if not clockwise:
        return turned[:2]
    return [taps, min((np.roll(taps, k, axis=0) for k in (1, 3)), key=height)]


def _from_points(model: CameraModel, points: Floats, pixels: Floats, sigma_mm: float) -> Floats | None:
    """The best camera for points (N x 3, mm) seen at pixels (N x 2)."""
    best: tuple[float, Floats] | None = None
    for start in model.starts():
        camera = model.camera(start)
        found, rotation, translation = cv2.solvePnP(
            points * (1, 1, -1), pixels, camera.matrix, np.array(camera.distortion), flags=cv2.SOLVEPNP_SQPNP
        )
        if not found:
            continue
        start[:6] = np.concatenate([rotation.ravel(), translation.ravel()])
        scale = sigma_mm * pixels_per_mm(model.camera(start))

        def evaluate(x: Floats, scale: float = scale) -> tuple[Floats, Floats]:
            seen, by = model.project(x, points)
            known, known_by = model.prior(x)
            return (
                np.concatenate([((seen - pixels) / scale).ravel(), known]),
                np.concatenate([by.reshape(-1, model.length) / scale, known_by]),
            )

        x = minimise(evaluate, start)
        residuals, _ = evaluate(x)
        cost = float(residuals @ residuals)
        if model.camera(x).eye[2] > 0 and (best is None or cost < best[0]):
            best = (cost, x)
    return None if best is None else best[1]


def _fit_lines(
    image: Image, model: CameraModel, start: Floats, board: BoardPrint, search: Search, *, look: Look
) -> PoseFit | None:
    """Sharpen on the printed lines in rounds; None if they are not there."""
    x = start
    for number, reach in enumerate(search.reaches):
        points = measure_lines(image, model.camera(x), board, reach, look)
        if len(points.points) < MIN_LINES and reach <= LAST_REACH_MM:
            if reach < LAST_REACH_MM:
                break  # the lines are so thick that hardly any ground is seen beside them
            return None
        if number == len(search.reaches) // 2 and points.hits < search.half_way:
            return None
        x = _on_lines(model, x, points)
    camera = model.camera(x)
    final = measure_lines(image, camera, board, LAST_REACH_MM, look)
    good = np.abs(final.offsets) < LAST_REACH_MM / 2
    rms_mm = float(np.sqrt(np.mean(final.offsets[good] ** 2))) if good.any() else math.inf
    min_hits, max_rms_mm = (MERGED_HITS, MERGED_RMS_MM) if look.merged else (search.min_hits, MAX_RMS_MM)
    if rms_mm > max_rms_mm or final.hits < min_hits or len(final.points) < MIN_LINES:
        return None
    return PoseFit(
        camera=camera,
        line_rms_mm=rms_mm,
        line_rms_px=rms_mm * pixels_per_mm(camera),
        lines=int(good.sum()),
        hits=final.hits,
    )


def _on_lines(model: CameraModel, x: Floats, lines: LinePoints) -> Floats:
    """One round: fit all parameters to the measured line points, far ones with little weight.

    From a pose that is far off no line may be found: then there is nothing to go by, and the next round tells.
    """
    if not len(lines.points):
        return x
    camera = model.camera(x)
    expected = np.column_stack([lines.points, np.zeros(len(lines.points))])
    normals = np.column_stack([lines.normals, np.zeros(len(lines.points))])
    at = camera.project(expected)
    seen = camera.project(expected + normals * lines.offsets[:, None])
    ahead = camera.project(expected + normals) - at
    across = ahead / np.linalg.norm(ahead, axis=1, keepdims=True)
    for _ in range(3):
        off = ((model.camera(x).project(expected) - seen) * across).sum(axis=1)
        scale = max(LINE_SIGMA_PX, 1.5 * float(np.median(np.abs(off))))
        weight = 1.0 / (scale * (1.0 + (off / scale) ** 2))

        def evaluate(y: Floats, weight: Floats = weight) -> tuple[Floats, Floats]:
            pixels, by = model.project(y, expected)
            known, known_by = model.prior(y)
            off = ((pixels - seen) * across).sum(axis=1) * weight
            off_by = np.einsum("nc,ncp->np", across, by) * weight[:, None]
            return np.concatenate([off, known]), np.concatenate([off_by, known_by])

        x = minimise(evaluate, x, rounds=6)
    return x
