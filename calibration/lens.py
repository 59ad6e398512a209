"""The lens from pictures of a ChArUco sheet.

In: pictures of the sheet by the same camera, and the sheet's data. Out: intrinsics and distortion with their error.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

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
    """Focal lengths and centre in px, distortion in OpenCV's order; `rms` is the reprojection error in px."""

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


def lens_from_charuco(pictures: Sequence[Image], sheet: CharucoSheet) -> Lens:
    """Calibrate the lens. Raises CalibrationError if the sheet is seen in too few pictures."""
    board = charuco_board(sheet)
    detector = cv2.aruco.CharucoDetector(board)
    objects, images = [], []
    size = (pictures[0].shape[1], pictures[0].shape[0]) if pictures else (0, 0)
    for picture in pictures:
        if (picture.shape[1], picture.shape[0]) != size:
            raise CalibrationError("The lens pictures differ in size; take them all with the same camera mode.")
        corners, ids, _, _ = detector.detectBoard(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))
        if ids is None or len(ids) < MIN_CORNERS:
            continue
        points, pixels = board.matchImagePoints(corners, ids)  # type: ignore[call-overload]  # OpenCV's stub wants a sequence
        objects.append(points)
        images.append(pixels)
    if len(objects) < MIN_PICTURES:
        raise CalibrationError(
            f"The lens sheet is seen well in {len(objects)} of {len(pictures)} pictures, {MIN_PICTURES} are needed. "
            "Hold the sheet flat, fill the picture with it, and take pictures from several sides."
        )
    flags = cv2.CALIB_RATIONAL_MODEL | cv2.CALIB_ZERO_TANGENT_DIST | cv2.CALIB_FIX_K6
    rms, matrix, distortion, _, _ = cv2.calibrateCamera(objects, images, size, np.eye(3), np.zeros(8), flags=flags)
    return Lens(
        focal=(float(matrix[0, 0]), float(matrix[1, 1])),
        centre=(float(matrix[0, 2]), float(matrix[1, 2])),
        distortion=tuple(float(d) for d in distortion.ravel()[:8]),
        rms=float(rms),
    )
