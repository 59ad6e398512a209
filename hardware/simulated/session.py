"""Writes a simulated table's session as a folder: the empty board, the swatch picture, the lens pictures.

The form is that of the recognition set: `session.json`, `calib_board.jpg`, `calib_pieces.jpg`, `calib_pieces.json`,
for a wide lens `lens/NN.jpg`; frames as `fNN.jpg` with their truth `fNN.json`.
"""

from __future__ import annotations

import importlib.resources
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np

from hardware.simulated.arrangement import COLOURS
from hardware.simulated.arrays import Image, Points
from hardware.simulated.optics import WIDE, View
from hardware.simulated.plan import BOARD_THICKNESS_MM, CARD_MM, MARKER_IDS, MARKER_MM, BoardPlan
from hardware.simulated.table import SimulatedTable

SHEET_SQUARES, SHEET_SQUARE_MM, SHEET_MARKER_MM = (7, 5), 30.0, 22.0
"""The ChArUco sheet in the lens pictures (DICT_5X5_100, OpenCV's present pattern)."""
_SHEET_PX_PER_MM = 4
_SQUARE_PX = SHEET_SQUARE_MM * _SHEET_PX_PER_MM
LENS_PICTURES = 12
_DESK = (150, 146, 140)
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
    description = describe_session(table.plan, table.size, wide, table.style.words)
    (directory / "session.json").write_bytes(msgspec.json.format(msgspec.json.encode(description), indent=1))
    if wide:
        (directory / "lens").mkdir(exist_ok=True)
        for i, picture in enumerate(lens_pictures(table.view)):
            _write_picture(directory / "lens" / f"{i:02d}.jpg", picture)


def write_frame(table: SimulatedTable, directory: Path, name: str) -> None:
    """One picture of the table as it is now, `NAME.jpg`, and its truth, `NAME.json`."""
    _write_picture(directory / f"{name}.jpg", table.picture())
    (directory / f"{name}.json").write_bytes(msgspec.json.format(msgspec.json.encode(table.truth()), indent=1))


def lens_pictures(view: View) -> Iterator[Image]:
    """The ChArUco sheet held before the camera in `LENS_PICTURES` ways, together covering the picture.

    One after another, as each takes a while to draw.
    """
    rng = np.random.default_rng(12)
    sheet = _charuco_sheet()
    width, height = view.size
    for i in range(LENS_PICTURES):
        column, row = i % 4, i // 4
        focus = cv2.undistortPoints(
            np.array([[[width * (0.2 + 0.2 * column), height * (0.24 + 0.26 * row)]]]), view.matrix, view.distortion
        ).reshape(2)
        distance = rng.uniform(230, 300) * view.matrix[0, 0] / 800
        lean = np.array([rng.uniform(-0.45, 0.45), rng.uniform(-0.45, 0.45), rng.uniform(-0.3, 0.3)])
        turn, _ = cv2.Rodrigues(lean)
        middle = distance * np.array([focus[0], focus[1], 1.0])
        yield _see_sheet(view, sheet, np.asarray(turn, np.float64), middle)


def _see_sheet(view: View, sheet: Image, turn: Points, middle: Points) -> Image:
    """The sheet at `middle` (mm, camera coordinates), turned, as the camera sees it over a grey ground."""
    width, height = view.size
    columns, rows = np.meshgrid(np.arange(width, dtype=np.float64), np.arange(height, dtype=np.float64))
    pixels = np.stack([columns.ravel(), rows.ravel()], axis=1).reshape(-1, 1, 2)
    straight = cv2.undistortPoints(pixels, view.matrix, view.distortion).reshape(-1, 2)
    rays = np.column_stack([straight, np.ones(len(straight))]) @ turn  # into the sheet's own axes
    eye = -middle @ turn
    reach = -eye[2] / rays[:, 2]
    u = ((eye[0] + rays[:, 0] * reach) * _SHEET_PX_PER_MM + (sheet.shape[1] - 1) / 2).reshape(height, width)
    v = ((eye[1] + rays[:, 1] * reach) * _SHEET_PX_PER_MM + (sheet.shape[0] - 1) / 2).reshape(height, width)
    lookup = u.astype(np.float32), v.astype(np.float32)
    picture = cv2.remap(sheet, *lookup, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=_DESK)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.7), np.uint8)


def _charuco_sheet() -> Image:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100)
    board = cv2.aruco.CharucoBoard(SHEET_SQUARES, SHEET_SQUARE_MM, SHEET_MARKER_MM, dictionary)
    size = (round(SHEET_SQUARES[0] * _SQUARE_PX), round(SHEET_SQUARES[1] * _SQUARE_PX))
    return np.asarray(cv2.cvtColor(board.generateImage(size), cv2.COLOR_GRAY2BGR), np.uint8)


def describe_session(plan: BoardPlan, size: tuple[int, int], wide: bool, words: str) -> dict[str, Any]:
    """The object of `session.json`: picture `size` (width, height), lens, board and cards; `words`: the conditions."""
    description: dict[str, Any] = {
        "image_size": list(size),
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
        "condition": words,
    }
    if wide:
        description["lens_pictures"] = {
            "folder": "lens",
            "charuco": {
                "squares": SHEET_SQUARES,
                "square_mm": SHEET_SQUARE_MM,
                "marker_mm": SHEET_MARKER_MM,
                "dict": "DICT_5X5_100",
                "legacy_pattern": False,
            },
        }
    return description


def _write_picture(path: Path, picture: Image) -> None:
    if not cv2.imwrite(str(path), picture, _JPEG):
        raise OSError(f"{path} cannot be written: is the disk full?")
