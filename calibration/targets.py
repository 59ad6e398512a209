"""The printed targets as rectangles in millimetres: what `find_cards` and `lens_from_charuco` look for.

In: the sizes of cards or lens sheet. Out: black rectangles (x, y, width, height) in mm, x to the right, y down, from
the top left corner of the marker or sheet. Whoever prints them keeps them vectors, so that no scaling blurs an edge.
"""

from __future__ import annotations

import cv2
import numpy as np

from calibration.lens import CharucoSheet, charuco_board
from calibration.markers import aruco_dictionary
from calibration.print import BoardPrint

Rect = tuple[float, float, float, float]
"""x, y, width, height in mm."""

LENS_SHEET = CharucoSheet(squares=(7, 5), square_mm=36.0, marker_mm=26.4, dictionary="DICT_5X5_100")
"""The sheet that is printed: as large as both A4 and Letter, lying across, allow with a printer's margins.

Only its proportions (22 : 30) bear on the lens: a sheet of another size shows the same lens.
"""

BORDER_BITS = 1
"""Width of a marker's black border, in its own cells."""


def card_cells(board: BoardPrint, name: str) -> tuple[Rect, ...]:
    """The marker on the card of that corner (`nw`, `ne`, `se`, `sw`), its top to the north.

    Raises CalibrationError for an unknown dictionary.
    """
    return marker_cells(board.marker_dict, board.marker_ids[name], board.marker)


def marker_cells(dictionary: str, number: int, side: float) -> tuple[Rect, ...]:
    """The black cells of one ArUco marker of that side. Raises CalibrationError for an unknown dictionary."""
    markers = aruco_dictionary(dictionary)
    cells = markers.markerSize + 2 * BORDER_BITS
    black = cv2.aruco.generateImageMarker(markers, number, cells, borderBits=BORDER_BITS) == 0
    cell = side / cells
    return tuple(
        (left * cell, row * cell, (right - left) * cell, cell)
        for row in range(cells)
        for left, right in _runs(black[row])
    )


def sheet_cells(sheet: CharucoSheet) -> tuple[Rect, ...]:
    """The black squares of a ChArUco sheet and its markers. Raises CalibrationError for an unknown dictionary."""
    board = charuco_board(sheet)
    columns, rows = sheet.squares
    corners = [np.asarray(points, float)[:, :2] for points in board.getObjPoints()]
    white = {(int(at[0] // sheet.square_mm), int(at[1] // sheet.square_mm)) for at in (c.mean(axis=0) for c in corners)}
    squares = [
        (column * sheet.square_mm, row * sheet.square_mm, sheet.square_mm, sheet.square_mm)
        for row in range(rows)
        for column in range(columns)
        if (column, row) not in white
    ]
    markers = [
        (float(left) + x, float(top) + y, w, h)
        for (left, top), number in zip((c[0] for c in corners), np.ravel(board.getIds()), strict=True)
        for x, y, w, h in marker_cells(sheet.dictionary, int(number), sheet.marker_mm)
    ]
    return (*squares, *markers)


def _runs(row: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> list[tuple[int, int]]:
    """Where the true cells of a row begin and end."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], row, [False]]).astype(np.int8)))
    return [(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]
