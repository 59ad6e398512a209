"""The lens from pictures of a ChArUco sheet.

In: pictures of the sheet by the same camera, and the sheet's data. Out: intrinsics and distortion with their error.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, NamedTuple

import cv2
import msgspec
import numpy as np

from calibration.errors import CalibrationError
from calibration.markers import aruco_dictionary, require_markers
from calibration.pictures import Image
from calibration.print import Length

Squares = Annotated[int, msgspec.Meta(ge=3, le=50)]
"""Of a lens sheet, along one side: OpenCV wants inner corners."""

MIN_PICTURES = 4
MIN_CORNERS = 8


class CharucoSheet(msgspec.Struct, frozen=True):
    """The sheet: squares (columns, rows), sizes in mm, marker dictionary, OpenCV's old pattern or the present one."""

    squares: tuple[Squares, Squares]
    square_mm: Length
    marker_mm: Length
    dictionary: str = msgspec.field(name="dict")
    legacy_pattern: bool = False

    def __post_init__(self) -> None:
        """Raises CalibrationError if no such sheet can be."""
        if self.marker_mm >= self.square_mm:
            raise CalibrationError("The lens sheet's markers must be smaller than its squares.")
        require_markers(self.dictionary, self.squares[0] * self.squares[1] // 2)


class Lens(msgspec.Struct, frozen=True):
    """Focal lengths and centre in px of pictures of `size` (width, height), distortion in OpenCV's order.

    `rms` is the reprojection error in px.
    """

    size: tuple[int, int]
    focal: tuple[float, float]
    centre: tuple[float, float]
    distortion: tuple[float, ...]
    rms: float


class SheetSeen(NamedTuple):
    """The sheet's corners in one picture of `size`: `points` N x 3 on the sheet (mm), `pixels` N x 2."""

    points: cv2.typing.MatLike
    pixels: cv2.typing.MatLike
    size: tuple[int, int]


def charuco_board(sheet: CharucoSheet) -> cv2.aruco.CharucoBoard:
    """OpenCV's idea of that sheet, in mm. Raises CalibrationError for an unknown dictionary."""
    dictionary = aruco_dictionary(sheet.dictionary)
    board = cv2.aruco.CharucoBoard(sheet.squares, sheet.square_mm, sheet.marker_mm, dictionary)
    board.setLegacyPattern(sheet.legacy_pattern)
    return board


def lens_from_charuco(pictures: Iterable[Image], sheet: CharucoSheet) -> Lens:
    """Calibrate the lens. Raises CalibrationError if the sheet is seen in too few pictures, or their sizes differ."""
    seen = [see_sheet(picture, sheet) for picture in pictures]
    return fit_lens([one for one in seen if one is not None], len(seen))


def see_sheet(picture: Image, sheet: CharucoSheet) -> SheetSeen | None:
    """Where the sheet's corners are; None if too few are seen."""
    board = charuco_board(sheet)
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    corners, ids, _, _ = cv2.aruco.CharucoDetector(board).detectBoard(grey)
    if ids is None or len(ids) < MIN_CORNERS:
        return None
    points, pixels = board.matchImagePoints(corners, ids)  # type: ignore[call-overload]  # OpenCV's stub wants a sequence
    return SheetSeen(points, pixels, (picture.shape[1], picture.shape[0]))


def fit_lens(seen: Sequence[SheetSeen], taken: int | None = None) -> Lens:
    """The lens from the sheet as it is seen in pictures, of so many that were `taken`. Raises CalibrationError."""
    if len(seen) < MIN_PICTURES:
        raise CalibrationError(
            f"The lens sheet is seen well in {len(seen)} of {taken or len(seen)} pictures, {MIN_PICTURES} are needed. "
            "Hold the sheet flat, fill the picture with it, and take pictures from several sides."
        )
    size = seen[0].size
    if any(one.size != size for one in seen):
        raise CalibrationError("The lens pictures differ in size; take them all with the same camera mode.")
    points, pixels = [one.points for one in seen], [one.pixels for one in seen]
    flags = cv2.CALIB_RATIONAL_MODEL | cv2.CALIB_ZERO_TANGENT_DIST | cv2.CALIB_FIX_K6
    rms, matrix, distortion, _, _ = cv2.calibrateCamera(points, pixels, size, np.eye(3), np.zeros(8), flags=flags)
    return Lens(
        size=size,
        focal=(float(matrix[0, 0]), float(matrix[1, 1])),
        centre=(float(matrix[0, 2]), float(matrix[1, 2])),
        distortion=tuple(float(d) for d in distortion.ravel()[:8]),
        rms=float(rms),
    )
