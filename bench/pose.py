"""How exactly the camera's pose is found, and what it costs: simulated tables with the truth, sessions without.

`python -m bench.pose`. On the simulated table the true projection is known: by how many px the fitted camera misses
the corners of all hexes on the board's face and 20 mm above it, where the heads of pieces are. On the recognition set,
if it is at hand, the camera is fitted to every other printed line and measured on those between. Times are CPU times.
"""

from __future__ import annotations

import functools
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import cv2
import msgspec
import numpy as np

from calibration.camera import Camera, Floats
from calibration.cards import find_cards
from calibration.grid import measure_lines
from calibration.lens import lens_from_charuco
from calibration.pictures import read_picture
from calibration.pose import fit_camera, pixels_per_mm, pose_from_taps
from calibration.print import HEXES, BoardPrint
from calibration.session import read_info
from companion.rules.geometry import load_board
from hardware.simulated import SimulatedTable
from hardware.simulated.styles import STYLES

T = TypeVar("T")
TAP_PX = 15.0
SESSIONS = Path(os.environ.get("ATLANTIS_SHARED") or Path(__file__).resolve().parents[2] / "shared") / "vision" / "dev"


class EveryOtherLine(BoardPrint, frozen=True, dict=True):
    """The board with only every other printed line; `first` is 0 or 1."""

    first: int = 0

    @functools.cached_property
    def hex_edges(self) -> tuple[Floats, Floats]:
        """See `BoardPrint`."""
        middles, directions = BoardPrint().hex_edges
        return middles[self.first :: 2], directions[self.first :: 2]


def hex_corners(board: BoardPrint, height: float) -> Floats:
    """798 x 3: the corners of all hexes at that height, mm."""
    angles = np.radians(-90 + 60 * np.arange(6))
    rim = board.side * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    flat = np.concatenate([np.array(board.centre(h)) + rim for h in HEXES])
    return np.column_stack([flat, np.full(len(flat), height)])


def errors(table: SimulatedTable, camera: Camera) -> str:
    """Mean and largest reprojection difference, px, on the board's face and 20 mm above it."""
    told = []
    for height in (0.0, 20.0):
        corners = hex_corners(BoardPrint(), height)
        off = np.linalg.norm(table.project(corners) - camera.project(corners), axis=1)
        told.append(f"{off.mean():.2f} / {off.max():.2f}")
    return f"{told[0]:>13}{told[1]:>15}"


def timed(work: Callable[[], T]) -> tuple[T, float]:
    """A result and the CPU seconds it took."""
    started = time.process_time()
    result = work()
    return result, time.process_time() - started


def simulated(style: str, seed: int) -> None:
    """One simulated table: from cards and from taps that miss by up to 15 px."""
    board = BoardPrint()
    table = SimulatedTable(msgspec.to_builtins(load_board()), seed=seed, style=style)
    image = table.picture()
    kind = "wide" if table.style.lens.view_deg > 80 else "normal"
    by_cards, took = timed(lambda: fit_camera(image, find_cards(image, board), board, None, kind))
    print(f"  {style:<10}{'cards':<7}{errors(table, by_cards.camera)}{1000 * took:>9.0f} ms")
    missed = np.random.default_rng(seed).uniform(-TAP_PX, TAP_PX, (4, 2))
    taps = [(float(x), float(y)) for x, y in table.project(board.corners()) + missed]
    by_taps, took = timed(lambda: pose_from_taps(image, taps, board, None, kind))
    print(f"  {style:<10}{'taps':<7}{errors(table, by_taps.camera)}{1000 * took:>9.0f} ms")


def held_out(session: str) -> None:
    """One session of the recognition set: fitted to every other line, measured on those between."""
    at = SESSIONS / session
    info = read_info(at / "session.json")
    image = read_picture(at / info.calib_board)
    lens = None
    if info.lens_pictures:
        sheets = [read_picture(p) for p in sorted((at / info.lens_pictures.folder).glob("*.jpg"))]
        lens = lens_from_charuco(sheets, info.lens_pictures.charuco)
    cards = find_cards(image, info.board)
    fit = fit_camera(image, cards, EveryOtherLine(first=0), lens, info.lens)
    lines = measure_lines(image, fit.camera, EveryOtherLine(first=1), 2.0)
    off = np.abs(lines.offsets) * pixels_per_mm(fit.camera)
    print(
        f"  {session:<17}{np.sqrt((off**2).mean()):>8.2f}{np.percentile(off, 95):>12.2f}{off.max():>12.2f}"
        f"{len(off):>12}"
    )


def main() -> None:
    """Print both tables."""
    cv2.setNumThreads(1)
    print("simulated tables: px, mean / largest over all hex corners")
    print(f"  {'style':<10}{'from':<7}{'on the face':>13}{'20 mm above':>15}{'CPU':>12}")
    for style in STYLES:
        simulated(style, seed=3)
    if not SESSIONS.is_dir():
        print("The recognition set is not at hand; set ATLANTIS_SHARED to the folder that holds `vision`.")
        return
    print("recognition set: px between printed and drawn line, on lines that were not fitted")
    print(f"  {'session':<17}{'rms':>8}{'95 %':>12}{'largest':>12}{'lines':>12}")
    for session in sorted(p.name for p in SESSIONS.iterdir()):
        held_out(session)


if __name__ == "__main__":
    main()
