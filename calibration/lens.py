"""The lens from pictures of a ChArUco sheet.

In: pictures of the sheet by the same camera, and the sheet's data. Out: intrinsics and distortion with their error.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from calibration.arrays import Floats, Image
from calibration.errors import CalibrationError
from calibration.markers import aruco_dictionary, require_markers
from calibration.print import Length

Squares = Annotated[int, msgspec.Meta(ge=3, le=50)]
"""Of a lens sheet, along one side: OpenCV wants inner corners."""

MIN_PICTURES = 4
MIN_CORNERS = 8

MAX_RMS = 0.002
"""Of the picture's longer side: corners that are missed by more do not lie on one flat sheet."""

SHORTEST, LONGEST = 0.2, 4.0
"""Focal lengths in longer sides of the picture: from 136 degrees of view to 14."""

_TOO_ALIKE = (
    "The pictures of the lens sheet do not make a lens: they may be too alike, or the sheet was bent. "
    "Hold it flat, and tilt it another way in each picture."
)


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


def charuco_board(sheet: CharucoSheet) -> cv2.aruco.CharucoBoard:
    """OpenCV's idea of that sheet, in mm. Raises CalibrationError for an unknown dictionary."""
    dictionary = aruco_dictionary(sheet.dictionary)
    board = cv2.aruco.CharucoBoard(sheet.squares, sheet.square_mm, sheet.marker_mm, dictionary)
    board.setLegacyPattern(sheet.legacy_pattern)
    return board


class SheetView(msgspec.Struct, frozen=True):
    """The sheet's corners as one picture shows them: `corners` N x 2 px, `ids` N, `size` of the picture."""

    corners: Floats
    ids: npt.NDArray[np.int64]
    size: tuple[int, int]


class SheetFinder:
    """Finds one kind of sheet."""

    def __init__(self, sheet: CharucoSheet) -> None:
        self._detector = cv2.aruco.CharucoDetector(charuco_board(sheet))

    def find(self, image: Image) -> SheetView | None:
        """The sheet, if enough of it is seen."""
        corners, ids, _, _ = self._detector.detectBoard(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))
        if ids is None or len(ids) < MIN_CORNERS:
            return None
        at = np.asarray(corners, float).reshape(-1, 2)
        return SheetView(at, np.asarray(ids, np.int64).ravel(), (image.shape[1], image.shape[0]))


def lens_from_charuco(pictures: Iterable[Image], sheet: CharucoSheet) -> Lens:
    """Calibrate the lens. Raises CalibrationError if the sheet is seen in too few pictures, or their sizes differ."""
    finder = SheetFinder(sheet)
    found = [finder.find(picture) for picture in pictures]
    return fit_lens([view for view in found if view is not None], sheet, len(found))


def fit_lens(views: Sequence[SheetView], sheet: CharucoSheet, taken: int | None = None) -> Lens:
    """The lens from views of the sheet, in so many pictures that were `taken`. Raises CalibrationError."""
    if len(views) < MIN_PICTURES:
        raise CalibrationError(
            f"The lens sheet is seen well in {len(views)} of {taken or len(views)} pictures, {MIN_PICTURES} are "
            "needed. Hold the sheet flat, fill the picture with it, and take pictures from several sides."
        )
    size = views[0].size
    if any(view.size != size for view in views):
        raise CalibrationError("The lens pictures differ in size; take them all with the same camera mode.")
    corners = np.asarray(charuco_board(sheet).getChessboardCorners(), np.float32)
    points = [corners[view.ids] for view in views]
    pixels = [view.corners.astype(np.float32) for view in views]
    flags = cv2.CALIB_RATIONAL_MODEL | cv2.CALIB_ZERO_TANGENT_DIST | cv2.CALIB_FIX_K6
    try:
        rms, matrix, distortion, _, _ = cv2.calibrateCamera(points, pixels, size, np.eye(3), np.zeros(8), flags=flags)
    except cv2.error as error:
        raise CalibrationError(_TOO_ALIKE) from error
    focal = float(matrix[0, 0]) / max(size)
    if not (rms <= MAX_RMS * max(size) and SHORTEST < focal < LONGEST):  # what is no number is none of these
        raise CalibrationError(_TOO_ALIKE)
    return Lens(
        size=size,
        focal=(float(matrix[0, 0]), float(matrix[1, 1])),
        centre=(float(matrix[0, 2]), float(matrix[1, 2])),
        distortion=tuple(float(d) for d in distortion.ravel()[:8]),
        rms=float(rms),
    )
