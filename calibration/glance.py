"""What one live picture shows of the table, before anything is calibrated: for the words that guide people.

In: a picture, the print's data. Out: a `Glance`: which cards are seen, how the camera stands (to some degrees), light
and sharpness; and whether a picture is still, against the one before.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import cv2
import msgspec
import numpy as np

from calibration.arrays import Floats, Image, Mask
from calibration.camera import Camera
from calibration.camera_model import FIELDS_OF_VIEW, focal_length
from calibration.cards import find_all_cards, seen_once
from calibration.pose import pixels_per_mm
from calibration.print import CARD_CORNERS, HEXES, BoardPrint
from calibration.quality import burnt_out, edge_width, white_level
from calibration.shine import by_hex, mirrored

Place = Literal["nw", "n", "ne", "w", "middle", "e", "sw", "s", "se"]
_PLACES: tuple[tuple[Place, Place, Place], ...] = (("nw", "n", "ne"), ("w", "middle", "e"), ("sw", "s", "se"))

SMALL_WIDTH = 240
"""Pictures are compared at this width, where noise is averaged out."""

CHANGED = 7.0
MOVING_SHARE = 0.002
"""A picture moves if more than this share of its cells have changed by more than `CHANGED` grey levels."""


class Glance(msgspec.Struct, frozen=True, kw_only=True):
    """`cards`: corners (4 x 2, px) of the markers seen. `outside`: cards that lie, in part, beyond the picture's edge.
    `spare`: cards of which several are seen, so that none of them counts.

    The rest is None while fewer than two cards are seen: width of a hex in px, the camera's tilt, the width of an edge
    in mm (None if none is clear), the brightness of the cards' white (0 to 255), the share of the board that is burnt
    out and where that is; how much of a lamp an empty board mirrors (`shine.mirrored`), and where that is (None of
    others).
    """

    size: tuple[int, int]
    cards: dict[str, Floats]
    outside: tuple[str, ...] = ()
    spare: tuple[str, ...] = ()
    px_per_hex: float | None = None
    tilt_degrees: float | None = None
    edge_mm: float | None = None
    level: float | None = None
    clipped: float | None = None
    glare: Place | None = None
    mirrored: float | None = None
    lamp: Place | None = None

    @property
    def missing(self) -> tuple[str, ...]:
        """Cards that are not seen though they should lie in the picture."""
        told = {*self.cards, *self.outside, *self.spare}
        return tuple(name for name in CARD_CORNERS if name not in told)


def glance(image: Image, board: BoardPrint, *, is_empty: bool = False) -> Glance:
    """Look at a picture (H x W x 3 uint8 BGR). Raises CalibrationError for an unknown marker dictionary.

    `is_empty`: nothing lies on the board; only then is it looked for a lamp that it mirrors.
    """
    size = (image.shape[1], image.shape[0])
    found = find_all_cards(image, board)
    cards = seen_once(found)
    spare = tuple(name for name in CARD_CORNERS if name not in cards and name in dict(found))
    camera = stand(cards, board, size) if len(cards) >= 2 else None
    if camera is None:
        return Glance(size=size, cards=cards, spare=spare)
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    scale = pixels_per_mm(camera)
    burnt = burnt_out(image, camera, board)
    white = white_level(grey, camera, board, cards)
    shares = by_hex(image, camera, board, white) if is_empty else np.zeros(len(HEXES))
    shine = mirrored(shares)
    return Glance(
        size=size,
        cards=cards,
        spare=spare,
        outside=tuple(name for name in CARD_CORNERS if not _inside(camera, board, name)),
        px_per_hex=scale * board.hex_flat_to_flat,
        tilt_degrees=camera.tilt_degrees,
        edge_mm=edge_width(grey, cards, board, scale),
        level=white,
        clipped=float(burnt.mean()),
        glare=_place(*np.argwhere(burnt).mean(axis=0) / burnt.shape) if burnt.any() else None,
        mirrored=shine if is_empty else None,
        lamp=_place(*_middle(board, shares >= shine)) if shine > 0 else None,
    )


def stand(cards: Mapping[str, Floats], board: BoardPrint, size: tuple[int, int]) -> Camera | None:
    """Where the camera stands, to some degrees: from the cards alone, by the field of view that fits them best."""
    points = np.concatenate([board.card_corners(name) for name in cards])
    pixels = np.concatenate(list(cards.values()))
    best: tuple[float, Camera] | None = None
    for view in FIELDS_OF_VIEW:
        focal = focal_length(size, view)
        centre = (size[0] - 1) / 2, (size[1] - 1) / 2
        matrix = np.array([[focal, 0, centre[0]], [0, focal, centre[1]], [0, 0, 1.0]])
        found, turn, shift = cv2.solvePnP(points * (1, 1, -1), pixels, matrix, np.zeros(5), flags=cv2.SOLVEPNP_SQPNP)
        if not found:
            continue
        pose = [tuple(float(v) for v in vector.ravel()) for vector in (turn, shift)]
        camera = Camera(size, (focal, focal), centre, (0.0,) * 5, *pose)  # type: ignore[arg-type]
        error = float(np.square(camera.project(points) - pixels).mean())
        if camera.eye[2] > 0 and (best is None or error < best[0]):
            best = (error, camera)
    return None if best is None else best[1]


class Stillness:
    """Tells whether anything moves from one picture to the next."""

    def __init__(self) -> None:
        self._before: Floats | None = None

    def see(self, image: Image) -> bool:
        """True if this picture shows what the one before it showed; False for the first."""
        height = max(1, round(image.shape[0] * SMALL_WIDTH / image.shape[1]))
        small = cv2.resize(image, (SMALL_WIDTH, height), interpolation=cv2.INTER_AREA)
        now = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), float)
        before, self._before = self._before, now
        if before is None or before.shape != now.shape:
            return False
        change = now - before
        return bool((np.abs(change - np.median(change)) > CHANGED).mean() < MOVING_SHARE)


def _inside(camera: Camera, board: BoardPrint, name: str) -> bool:
    """True if the whole card lies in the picture."""
    corners = board.card_corners(name)
    middle = corners.mean(axis=0)
    outer = camera.project(middle + (corners - middle) * (board.card / board.marker))
    return bool(((outer >= 0) & (outer <= np.array(camera.image_size) - 1)).all())


def _place(south: float, east: float) -> Place:
    """In which ninth of the board that is, so far (0 to 1) from its northern and from its western edge."""
    return _PLACES[int(3 * south)][int(3 * east)]


def _middle(board: BoardPrint, which: Mask) -> tuple[float, float]:
    """Of those of `HEXES`: how far (0 to 1) it lies from the northern and from the western edge."""
    x, y = np.array([board.centre(h) for h in HEXES])[which].mean(axis=0)
    return float(y / board.board[1] + 0.5), float(x / board.board[0] + 0.5)
