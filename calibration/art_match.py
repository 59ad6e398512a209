"""Where the printed board lies in a picture, told by its art.

In: the calibration's picture of the empty board, a picture, a camera to look through. Out: for patches of the print
how far each has moved and how sure that is, and from all of them one motion of the board. A patch under a tile, a piece
or an arm resembles nothing and says nothing. Hexes look alike; the sea on most boards does not, and patches that are
like no other place decide. On a board with a plain sea few are: then all patches say where the lines lie, which is the
board's place but for whole hexes, and all together whether it is this place or one aside (`Places`).
"""

from __future__ import annotations

import functools
import math
from typing import NamedTuple

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from calibration.arrays import Floats, Floats32, Grey, Image, Indices, Mask
from calibration.camera import Camera
from calibration.haze import Haze
from calibration.view import Rectifier, View

COARSER = 2
"""The art is compared in a view this many times coarser than the calibration's."""

PATCH = 16
"""Side of a patch in px of the coarse view: two thirds of a hex."""

CELLS = (9, 10)
"""Rows and columns of cells, each of which gives its most telling patch."""

MIN_CONTRAST = 4.0
"""Standard deviation (of 255) of a patch: a fainter one may be the sensor's or the JPEG's own pattern, which stays in
the picture when the board does not."""

CLEAR = 0.7
"""Correlation above which a patch is taken for itself; of patches in a wrong place one in twenty reaches it."""

ABOVE_RIVAL = 0.08
"""By so much a patch must be liker to itself than its rivals: what lies one or two hexes aside has the same lines, and
the legends are the same on a board that is turned by half."""

PLACES = (6, 2)
"""Places that lie up to so many hexes aside are told from where the board is looked for; of a board turned by half, so
many."""

LIKER = 0.05
MIN_LIKER, LIKELY_LIKER = 6, 3
LIKER_SHARE, LIKER_SHARE_NEAR, LESS_SHARE = 0.8, 0.65, 0.02
"""The print lies in its place and not aside if so many of the patches that are like either, and such a share of those
that tell the two apart, are by so much liker to this place. Of a place `NEAR_STEPS` hexes aside or nearer, or of a
board turned by half, both show nearly all of the board, and less is enough: looked for that far aside in 188 pictures
of rendered tables, it is never likest there (0 of 3384); in its place the share is 0.7 or more in all but one. Half as
many, and a share `LESS_SHARE` smaller, make it likely."""

NEAR_STEPS = 2

MIN_AGREEING = 12
AGREE_MM = 1.0
AGREE_SHARE = 0.6
"""A motion is certain if so many clear patches, and such a share of them, follow it to so many mm."""

MIN_SPREAD_MM = 45.0
"""They must be spread about the board: standard deviation along its shorter direction."""


class Motion(msgspec.Struct, frozen=True):
    """The board's print lies (`east`, `south`) mm aside of where the camera expects it, and a `turn` in radians."""

    east: float
    south: float
    turn: float

    def shift(self, points: Floats) -> Floats:
        """By how much (N x 2, mm) points of the board (N x 2, mm) have moved."""
        return np.stack([self.east - self.turn * points[:, 1], self.south + self.turn * points[:, 0]], axis=1)


class Aside(msgspec.Struct, frozen=True):
    """The board lies whole hexes (mm) aside of where it is expected, its lines on lines; `turned` by half before."""

    east: float
    south: float
    turned: bool

    def places(self, points: Floats) -> Floats:
        """Where points of the board (N x 2, mm) then lie."""
        return (-points if self.turned else points) + (self.east, self.south)


class Tracks(msgspec.Struct, frozen=True):
    """Where the patches of one picture that are seen have moved: `points` and `shifts` (N x 2, mm).

    `unlike`: N, which of them are clearly like no other place. `motion`: the one motion of the board that explains
    them; None if nothing is certain. `aside`: where the board rather lies, if the lines fit and the rest does not.
    `likely`: the motion if the lines fit, and little says that it does not lie aside, but nothing that it does.
    """

    points: Floats
    shifts: Floats
    unlike: Mask
    motion: Motion | None
    aside: Aside | None = None
    likely: Motion | None = None


class Art:
    """The print of one board in patches that can be found again."""

    def __init__(self, reference: Image, view: View, pitch: float) -> None:
        """`reference`: the empty board in `view`, BGR; `pitch`: from hex to hex, mm."""
        self.view = View(view.board, view.px_per_mm / COARSER, view.margin)
        rows, columns = self.view.shape
        self._grey = brightness(cv2.resize(reference, (columns, rows), interpolation=cv2.INTER_AREA))
        self._at = _telling(self._grey, self._inner())
        half = PATCH // 2
        self._templates = [self._grey[r - half : r + half, c - half : c + half] for r, c in self._at]
        self._points = self.view.mm(self._at[:, ::-1] - 0.5)
        self._enough = np.maximum(CLEAR, self._rivals(pitch) + ABOVE_RIVAL)
        self._pitch = pitch

    def track(self, seen: Image, reach_mm: float) -> Tracks:
        """Look for every patch within `reach_mm` of its place; `seen` is a picture in `view`."""
        grey = brightness(seen)
        reach = math.ceil(reach_mm * self.view.px_per_mm)
        half = PATCH // 2 + reach
        shifts, likeness = np.empty((len(self._at), 2)), np.empty(len(self._at))
        padded = cv2.copyMakeBorder(grey, reach, reach, reach, reach, cv2.BORDER_REPLICATE)
        for i, (row, column) in enumerate(self._at + reach):
            window = padded[row - half : row + half, column - half : column + half]
            found = cv2.matchTemplate(window, self._templates[i], cv2.TM_CCOEFF_NORMED)
            likeness[i] = found.max()
            shifts[i] = _summit(np.asarray(found, np.float32))
        shifts = (shifts - reach) / self.view.px_per_mm
        unlike, seen_at_all = likeness > self._enough, likeness > CLEAR
        points, followed = self._points[seen_at_all], shifts[seen_at_all]
        tracks = Tracks(points, followed, unlike[seen_at_all], _common_motion(self._points[unlike], shifts[unlike]))
        on_lines = _common_motion(points, followed) if tracks.motion is None else None
        if on_lines is None:
            return tracks
        likest = self._places.likest(grey, on_lines.shift(self._points) * self.view.px_per_mm)
        if likest.step.any() or likest.turned:
            east, south = (float(v) for v in -likest.step / self.view.px_per_mm)
            return msgspec.structs.replace(tracks, aside=Aside(east, south, likest.turned))
        if not likest.likely:
            return tracks
        return msgspec.structs.replace(tracks, **{"motion" if likest.certain else "likely": on_lines})

    @functools.cached_property
    def _places(self) -> Places:
        """Of boards with a plain sea only: some MB."""
        far, near = (hex_steps(reach) * self._pitch * self.view.px_per_mm for reach in PLACES)
        rows, columns = self._grey.shape
        # a picture turned by half turns about its middle, the board about its own
        middle = self.view.mm(np.array([[columns - 1, rows - 1]]) / 2) * self.view.px_per_mm
        return Places(self._grey, self._at, far, near + 2 * middle)

    def _rivals(self, pitch: float) -> Floats:
        """N: how like each patch is to what lies one or two hexes aside, or in its place on a board turned by half."""
        slack = 2
        half = PATCH // 2 + slack
        aside = np.round(hex_steps(2) * pitch * self.view.px_per_mm).astype(int)[1:, ::-1]
        border = half + int(np.abs(aside).max())
        here, turned = (
            cv2.copyMakeBorder(grey, border, border, border, border, cv2.BORDER_REPLICATE)
            for grey in (self._grey, cv2.rotate(self._grey, cv2.ROTATE_180))
        )
        # all rivals of a patch side by side: one comparison of many windows is far quicker than many of one
        windows = [np.lib.stride_tricks.sliding_window_view(grey, (2 * half, 2 * half)) for grey in (here, turned)]
        rivals = np.empty(len(self._at))
        for i, at in enumerate(self._at + border - half):
            rows, columns = (at + aside).T
            strip = np.hstack([windows[1][at[0], at[1]], *windows[0][rows, columns]])
            found = cv2.matchTemplate(strip, self._templates[i], cv2.TM_CCOEFF_NORMED)
            apart = np.lib.stride_tricks.sliding_window_view(found, 2 * slack + 1, axis=1)[:, :: 2 * half]
            rivals[i] = max(0.0, float(apart.max()))
        return rivals

    def _inner(self) -> Mask:
        """Where a whole patch lies on the board."""
        x, y = np.moveaxis(np.abs(self.view.grid_mm()), -1, 0)
        rim = PATCH / 2 / self.view.px_per_mm + 2.0
        return np.asarray((x < self.view.board[0] / 2 - rim) & (y < self.view.board[1] / 2 - rim))


class Likest(NamedTuple):
    """A place in the print: the `step` to it (x, y; px) on a board `turned` by half or not; no step: where it is.

    Of any other place it is never `certain`, nor `likely`.
    """

    step: Floats
    turned: bool
    certain: bool = False
    likely: bool = False


class Places:
    """What each patch's place would show, did the board lie there or elsewhere on its lines."""

    def __init__(self, grey: Grey, at: Indices, steps: Floats, turned_steps: Floats) -> None:
        """`grey`: the empty board; `at`: N x 2 (row, column) of the patches.

        `steps`: K x 2 (x, y; px) to the places that are told apart, the first of them none; `turned_steps`: the same
        for a board that is turned by half.
        """
        self._middles = at[:, ::-1] - 0.5
        turned = np.asarray(cv2.rotate(grey, cv2.ROTATE_180), np.uint8)
        shown = [_patches(grey, self._middles + step) for step in steps]
        shown += [_patches(turned, self._middles + step) for step in turned_steps]
        self._shown = np.stack(shown, axis=1)
        self._steps, self._straight = np.concatenate([steps, turned_steps]), len(steps)
        away = np.linalg.norm(steps, axis=1)
        far = np.concatenate([away > (NEAR_STEPS + 0.1) * away[1:].min(), np.zeros(len(turned_steps), bool)])
        self._share = np.where(far, LIKER_SHARE, LIKER_SHARE_NEAR)[1:]

    def likest(self, grey: Grey, moved: Floats) -> Likest:
        """Where in the print a picture's patches, each `moved` (N x 2, px), are."""
        like = (self._shown @ _patches(grey, self._middles + moved)[:, :, None])[:, :, 0]
        seen = like.max(axis=1) > CLEAR
        best = int(like[seen].sum(axis=0).argmax()) if seen.any() else 0
        if best > 0:
            return Likest(self._steps[best], turned=best >= self._straight)
        here, elsewhere = like[:, :1], like[:, 1:]
        seen_there = np.maximum(here, elsewhere) > CLEAR
        liker = (seen_there & (here > elsewhere + LIKER)).sum(axis=0)
        less = (seen_there & (elsewhere > here + LIKER)).sum(axis=0)
        telling = liker + less
        certain = bool((liker >= np.maximum(MIN_LIKER, self._share * telling)).all())
        likely = bool((liker >= np.maximum(LIKELY_LIKER, (self._share - LESS_SHARE) * telling)).all())
        return Likest(self._steps[0], turned=False, certain=certain, likely=likely)


class ArtView:
    """Pictures of one camera as `Art` compares them."""

    def __init__(self, art: Art, camera: Camera, haze: Haze | None = None) -> None:
        """`haze`: was taken out of the art, and is in the camera's pictures."""
        self._art, self._rectify = art, Rectifier(camera, art.view, haze)

    def track(self, image: Image, reach_mm: float) -> Tracks:
        """See `Art.track`; `image` is the camera's picture."""
        return self._art.track(self._rectify(image), reach_mm)


def brightness(image: npt.ArrayLike) -> Grey:
    """The mean of the channels: blue counts fully, as most of the board is sea."""
    return np.asarray(cv2.transform(np.asarray(image, np.uint8), np.full((1, 3), 1 / 3, np.float32)), np.uint8)


def is_spread(points: Floats) -> bool:
    """True if points (N x 2, mm) are spread about the board both ways, so that they tell a turn from a shift."""
    return bool(np.linalg.eigvalsh(np.cov(points.T))[0] > MIN_SPREAD_MM**2)


def hex_steps(reach: int) -> Floats:
    """K x 2 (east, south): the steps to all hexes up to `reach` aside, the first of them none; a hex is 1 wide."""
    axial = [(q, r) for q in range(-reach, reach + 1) for r in range(-reach, reach + 1) if abs(q + r) <= reach]
    axial.sort(key=lambda step: step != (0, 0))
    return np.array([(q + r / 2, r * math.sqrt(3) / 2) for q, r in axial], float)


def _patches(grey: Grey, middles: Floats) -> Floats32:
    """N x P: patches about `middles` (N x 2, px), each less its mean and of length 1."""
    size = (PATCH, PATCH)
    cut = [cv2.getRectSubPix(grey, size, (float(x), float(y)), patchType=cv2.CV_32F).ravel() for x, y in middles]
    level = np.array(cut, np.float32).reshape(len(cut), PATCH * PATCH)
    level -= level.mean(axis=1, keepdims=True)
    return np.asarray(level / np.maximum(np.linalg.norm(level, axis=1, keepdims=True), PATCH), np.float32)


def _common_motion(points: Floats, shifts: Floats) -> Motion | None:
    """The one motion that most patches follow; None if too few do, or not about the whole board."""
    if len(points) < MIN_AGREEING:
        return None
    motion = Motion(*map(float, _rigid(points, shifts)))
    agree = np.linalg.norm(motion.shift(points) - shifts, axis=1) < AGREE_MM
    if agree.sum() < max(MIN_AGREEING, AGREE_SHARE * len(points)) or not is_spread(points[agree]):
        return None
    return motion


def _telling(grey: Grey, inner: Mask) -> Indices:
    """N x 2 (row, column): in each cell the middle of the patch that moves least unseen, unless all are faint."""
    flat = grey.astype(np.float32)
    size = (PATCH, PATCH)
    variance = cv2.blur(flat * flat, size) - cv2.blur(flat, size) ** 2
    # the smaller eigenvalue of the structure tensor: a line alone may slide along itself
    structure = cv2.cornerMinEigenVal(flat, PATCH)
    structure[~inner | (variance < MIN_CONTRAST**2)] = 0.0
    rows, columns = np.flatnonzero(inner.any(axis=1)), np.flatnonzero(inner.any(axis=0))
    found = []
    for row in np.array_split(rows, CELLS[0]):
        for column in np.array_split(columns, CELLS[1]):
            cell = structure[row[0] : row[-1] + 1, column[0] : column[-1] + 1]
            at = np.unravel_index(int(cell.argmax()), cell.shape)
            if cell[at] > 0:
                found.append((row[0] + at[0], column[0] + at[1]))
    return np.array(found, np.intp).reshape(-1, 2)


def _summit(surface: Floats32) -> Floats:
    """(x, y) of a surface's maximum, between the samples by a parabola each way."""
    row, column = np.unravel_index(int(surface.argmax()), surface.shape)
    at = np.array([column, row], float)
    for axis, (line, k) in enumerate(((surface[row], column), (surface[:, column], row))):
        if 0 < k < len(line) - 1:
            left, top, right = float(line[k - 1]), float(line[k]), float(line[k + 1])
            bend = left - 2 * top + right
            if bend < 0:
                at[axis] += 0.5 * (left - right) / bend
    return at


def _rigid(points: Floats, shifts: Floats) -> Floats:
    """(east, south, turn) of the small rigid motion that most of the shifts follow."""
    east = np.stack([np.ones(len(points)), np.zeros(len(points)), -points[:, 1]], axis=1)
    south = np.stack([np.zeros(len(points)), np.ones(len(points)), points[:, 0]], axis=1)
    design, seen = np.concatenate([east, south]), np.concatenate([shifts[:, 0], shifts[:, 1]])
    parameters = np.array([*np.median(shifts, axis=0), 0.0])
    for _ in range(6):
        off = seen - design @ parameters
        miss = np.hypot(*np.split(off, 2))
        weight = np.tile(1.0 / (1.0 + (miss / AGREE_MM) ** 2), 2)
        parameters = np.linalg.solve((design * weight[:, None]).T @ design, (design * weight[:, None]).T @ seen)
    return np.asarray(parameters, float)
