"""How far the corners of the drawn hexes lie from the printed ones, in the picture of a session's empty board.

In: a session directory, or a picture with the camera fitted to it. Out: px, corner by corner. Where a printed corner is
follows from the lines that meet in it, each of which tells only how far it lies across its own direction.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import numpy as np

from calibration.arrays import Floats, Image
from calibration.camera import Camera
from calibration.cards import find_cards
from calibration.grid import measure_lines
from calibration.pictures import read_picture
from calibration.pose import PoseFit, fit_camera
from calibration.print import BoardPrint
from calibration.session import SessionInfo, read_info, session_lens

REACH_MM = 4.0
"""Printed lines are looked for so near the drawn ones. Within 2 mm, as fitting ends, a shift of the whole
grid by a pixel passes for half a pixel; with 4 it is told to some hundredths. More only lets other things be found."""


def fit_session(session: Path, board: BoardPrint | None = None) -> tuple[Image, SessionInfo, PoseFit]:
    """The picture of the empty board, what is known of the session, and the camera fitted to it as calibration does.

    `board`: the print to fit to, else all of the session's. Raises CalibrationError.
    """
    info = read_info(session / "session.json")
    image = read_picture(session / info.calib_board)
    lens = session_lens(session, info)
    return image, info, fit_camera(image, find_cards(image, info.board), board or info.board, lens, info.lens)


def corner_errors(image: Image, camera: Camera, board: BoardPrint) -> Floats:
    """px between printed and drawn corner, of each corner in which two clear lines meet or three."""
    lines = measure_lines(image, camera, board, REACH_MM)
    along = np.column_stack([lines.normals[:, 1], -lines.normals[:, 0]]) * board.side / 2
    ends = np.concatenate([lines.points - along, lines.points + along])
    meeting: dict[tuple[int, int], list[int]] = defaultdict(list)
    for number, (x, y) in enumerate(ends):
        meeting[round(x), round(y)].append(number)
    drawn, printed = [], []
    for numbers in meeting.values():
        if len(numbers) > 1:
            # the shift that moves every line of the corner by its own offset
            of = np.array(numbers) % len(lines.points)
            shift = np.linalg.lstsq(lines.normals[of], lines.offsets[of], rcond=None)[0]
            drawn.append([*ends[numbers[0]], 0.0])
            printed.append([*(ends[numbers[0]] + shift), 0.0])
    if not drawn:
        return np.empty(0)
    return np.asarray(np.linalg.norm(camera.project(printed) - camera.project(drawn), axis=1))
