"""Writes a simulated table's session as a folder: the empty board, the swatch picture, the lens pictures.

The form is that of the recognition set: `session.json`, `calib_board.jpg`, `calib_pieces.jpg`, `calib_pieces.json`,
for a wide lens `lens/NN.jpg`; frames as `fNN.jpg` with their truth `fNN.json`.
"""

from __future__ import annotations

import importlib.resources
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np

from hardware.simulated.arrangement import COLOURS
from hardware.simulated.optics import WIDE
from hardware.simulated.plan import BOARD_THICKNESS_MM, CARD_MM, MARKER_IDS, MARKER_MM
from hardware.simulated.table import SimulatedTable
from hardware.simulated.texture import Image

CHARUCO = {"squares": [7, 5], "square_mm": 30.0, "marker_mm": 22.0, "dict": "DICT_5X5_100", "legacy_pattern": False}
"""The sheet in the lens pictures, as `session.json` tells it."""
_SHEET_PX_PER_MM = 4
LENS_PICTURES = 12
_JPEG = [cv2.IMWRITE_JPEG_QUALITY, 95]


def swatch_layout() -> dict[str, Any]:
    """The prescribed layout that shows every tile, piece and colour once or more."""
    data = (importlib.resources.files("hardware.simulated") / "swatch.json").read_bytes()
    return dict(msgspec.json.decode(data))


def write_session(table: SimulatedTable, directory: Path) -> None:
    """Calibration pictures of the table as it is lit now. The table is left empty, the hand gone.

    Creates the folder; raises OSError if it cannot be written.
    """
    directory.mkdir(parents=True, exist_ok=True)
    table.hand(None)
    wide = table.style.lens == WIDE
    table.put(swatch_layout())
    _write_picture(directory / "calib_pieces.jpg", table.picture())
    truth = {**swatch_layout(), "condition": {"light": "as in calib_board", "hand": False}}
    (directory / "calib_pieces.json").write_bytes(msgspec.json.format(msgspec.json.encode(truth), indent=1))
    table.put({})
    _write_picture(directory / "calib_board.jpg", table.picture())
    description = _describe(table, wide)
    (directory / "session.json").write_bytes(msgspec.json.format(msgspec.json.encode(description), indent=1))
    if wide:
        (directory / "lens").mkdir(exist_ok=True)
        for i, picture in enumerate(lens_pictures(table)):
            _write_picture(directory / "lens" / f"{i:02d}.jpg", picture)


def write_frame(table: SimulatedTable, directory: Path, name: str) -> None:
    """One picture of the table as it is now, `NAME.jpg`, and its truth, `NAME.json`."""
    _write_picture(directory / f"{name}.jpg", table.picture())
    (directory / f"{name}.json").write_bytes(msgspec.json.format(msgspec.json.encode(table.truth()), indent=1))


def lens_pictures(table: SimulatedTable) -> list[Image]:
    """The ChArUco sheet held before the camera in `LENS_PICTURES` ways, together covering the picture."""
    view, rng = table.view, np.random.default_rng(12)
    sheet = _charuco_sheet()
    across, down = (n * CHARUCO["square_mm"] for n in CHARUCO["squares"])  # type: ignore[attr-defined]
    width, height = view.size
    pictures = []
    for i in range(LENS_PICTURES):
        column, row = i % 4, i // 4
        focus = cv2.undistortPoints(
            np.array([[[width * (0.2 + 0.2 * column), height * (0.24 + 0.26 * row)]]]), view.matrix, view.distortion
        ).reshape(2)
        distance = rng.uniform(230, 300) * view.matrix[0, 0] / 800
        lean = np.array([rng.uniform(-0.45, 0.45), rng.uniform(-0.45, 0.45), rng.uniform(-0.3, 0.3)])
        turn, _ = cv2.Rodrigues(lean)
        middle = distance * np.array([focus[0], focus[1], 1.0])
        pictures.append(_see_sheet(table, sheet, turn, middle, (across, down)))
    return pictures


def _see_sheet(
    table: SimulatedTable, sheet: Image, turn: np.ndarray, middle: np.ndarray, size_mm: tuple[float, float]
) -> Image:
    """The sheet at `middle` (mm, camera coordinates), turned, as the table's camera sees it over a grey ground."""
    view = table.view
    width, height = view.size
    columns, rows = np.meshgrid(np.arange(width, dtype=np.float64), np.arange(height, dtype=np.float64))
    pixels = np.stack([columns.ravel(), rows.ravel()], axis=1).reshape(-1, 1, 2)
    straight = cv2.undistortPoints(pixels, view.matrix, view.distortion).reshape(-1, 2)
    rays = np.column_stack([straight, np.ones(len(straight))]) @ turn  # into the sheet's own axes
    eye = -middle @ turn
    reach = -eye[2] / rays[:, 2]
    u = ((eye[0] + rays[:, 0] * reach + size_mm[0] / 2) * _SHEET_PX_PER_MM - 0.5).reshape(height, width)
    v = ((eye[1] + rays[:, 1] * reach + size_mm[1] / 2) * _SHEET_PX_PER_MM - 0.5).reshape(height, width)
    margin = np.full((height, width, 3), 150, np.uint8)
    picture = cv2.remap(
        sheet, u.astype(np.float32), v.astype(np.float32), cv2.INTER_AREA, margin, cv2.BORDER_CONSTANT, (150, 146, 140)
    )
    return cv2.GaussianBlur(picture, (0, 0), 0.7)  # type: ignore[return-value]


def _charuco_sheet() -> Image:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100)
    board = cv2.aruco.CharucoBoard((7, 5), 30.0, 22.0, dictionary)
    size = (7 * 30 * _SHEET_PX_PER_MM, 5 * 30 * _SHEET_PX_PER_MM)
    return cv2.cvtColor(board.generateImage(size), cv2.COLOR_GRAY2BGR)  # type: ignore[return-value]


def _describe(table: SimulatedTable, wide: bool) -> Mapping[str, Any]:
    plan = table.plan
    description: dict[str, Any] = {
        "image_size": list(table.size),
        "lens": "wide" if wide else "normal",
        "board_mm": list(plan.size),
        "board_thickness_mm": BOARD_THICKNESS_MM,
        "hex_flat_to_flat_mm": round(plan.side * math.sqrt(3), 6),
        "cards": {
            "marker_dict": "DICT_4X4_50",
            "ids": MARKER_IDS,
            "card_mm": CARD_MM,
            "marker_mm": MARKER_MM,
            "note": "The card's inner corner touches the board's corner; the cards lie on the table.",
        },
        "colours": list(COLOURS),
        "calib_board": "calib_board.jpg",
        "calib_pieces": "calib_pieces.jpg",
        "condition": table.style.words,
    }
    if wide:
        description["lens_pictures"] = {"folder": "lens", "charuco": CHARUCO}
    return description


def _write_picture(path: Path, picture: Image) -> None:
    if not cv2.imwrite(str(path), picture, _JPEG):
        raise OSError(f"{path} cannot be written: is the disk full?")
