"""How exactly the camera's pose is found, and what it costs: simulated tables with the truth, sessions without.

`./deploy/bench pose [--rendered DIR] [--overlay DIR]`. On the simulated table, and on tables that `training` has
rendered, the true projection is known: by how many px the fitted camera misses the corners of all hexes on the board's
face and 20 mm above it, where the heads of pieces are. On the recognition set, if it is at hand, the camera is fitted
to every other printed line and measured on those between; then the corners of all hexes are. One photograph of a real
board, if it is at hand, is fitted from four taps. Times are CPU times.
"""

from __future__ import annotations

import argparse
import functools
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol, TypeVar

import cv2
import msgspec
import numpy as np

from bench.corners import REACH_MM, corner_errors, fit_session
from bench.shared import shared
from calibration import CalibrationError
from calibration.arrays import Floats, Image
from calibration.camera import Camera
from calibration.cards import find_cards
from calibration.grid import measure_lines
from calibration.pictures import read_picture
from calibration.pose import PoseFit, fit_camera, pixels_per_mm, pose_from_taps
from calibration.print import HEXES, BoardPrint
from companion.rules.geometry import load_board
from hardware.simulated import SimulatedTable
from hardware.simulated.plan import BoardPlan
from hardware.simulated.styles import STYLES
from training.tables import make_table, random_of

T = TypeVar("T")
TAP_PX = 15.0
SHARED = shared()
SESSIONS = SHARED / "vision" / "dev"

PHOTO = SHARED / "photos" / "board_from_above.jpeg"
PHOTO_CORNERS = ((10.0, 0.0), (834.0, 0.0), (838.0, 719.0), (8.0, 719.0))
"""px, as somebody would tap them; the photograph is cut a little inside the board's edge."""


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


class Projects(Protocol):
    """Knows where a camera sees points (N x 3 mm): N x 2 px."""

    def project(self, points: Floats, /) -> Floats: ...


def errors(truth: Projects, camera: Camera) -> list[tuple[float, float]]:
    """Mean and largest reprojection difference, px, on the board's face and 20 mm above it."""
    found = []
    for height in (0.0, 20.0):
        corners = hex_corners(BoardPrint(), height)
        off = np.linalg.norm(truth.project(corners) - camera.project(corners), axis=1)
        found.append((float(off.mean()), float(off.max())))
    return found


def row(values: Sequence[tuple[float, float]]) -> str:
    """Means and largest ones, side by side."""
    face, above = (f"{mean:.2f} / {largest:.2f}" for mean, largest in values)
    return f"{face:>13}{above:>15}"


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
    print(f"  {style:<10}{'cards':<7}{row(errors(table, by_cards.camera))}{1000 * took:>9.0f} ms")
    missed = np.random.default_rng(seed).uniform(-TAP_PX, TAP_PX, (4, 2))
    taps = [(float(x), float(y)) for x, y in table.project(board.corners()) + missed]
    by_taps, took = timed(lambda: pose_from_taps(image, taps, board, None, kind))
    print(f"  {style:<10}{'taps':<7}{row(errors(table, by_taps.camera))}{1000 * took:>9.0f} ms")


def rendered(folder: Path) -> None:
    """The tables that `training.render` has written there: their numbers tell how their cameras really stand."""
    corners = BoardPlan.from_json(msgspec.to_builtins(load_board())).card_corners()
    found = {}
    for session in sorted(folder.iterdir()):
        if session.name[0] == "t" and session.name[1:].isdigit() and (session / "session.json").is_file():
            _, truth = make_table(random_of(int(session.name[1:])), corners)
            try:
                found[session.name] = errors(truth, fit_session(session)[2].camera)
            except CalibrationError as error:
                print(f"  {session.name}: {error}")
    if not found:
        print(f"  {folder}: there are no tables of `training.render` here that can be calibrated.")
        return
    for name in sorted(found, key=lambda name: found[name][0][1])[-3:]:
        print(f"  {name:<17}{row(found[name])}")
    largest = np.array([on_face[1] for on_face, _ in found.values()])
    print(
        f"  {len(found)} tables, of each the largest on its face: median {np.median(largest):.2f}, 95 % below "
        f"{np.percentile(largest, 95):.2f}; above 0.5 px at {np.count_nonzero(largest > 0.5)}"
    )


def held_out(session: str) -> None:
    """One session of the recognition set: fitted to every other line, measured on those between; then all corners."""
    image, _, fit = fit_session(SESSIONS / session, EveryOtherLine(first=0))
    lines = measure_lines(image, fit.camera, EveryOtherLine(first=1), REACH_MM)
    off = np.abs(lines.offsets) * pixels_per_mm(fit.camera)
    _, info, fit = fit_session(SESSIONS / session)
    corners = corner_errors(image, fit.camera, info.board)
    print(
        f"  {session:<17}{np.sqrt((off**2).mean()):>8.2f}{np.percentile(off, 95):>12.2f}{off.max():>12.2f}"
        f"{len(off):>12}{corners.mean():>12.2f}{corners.max():>10.2f}"
    )


class Photographed(NamedTuple):
    """The photograph of a real board: the fit, px between each printed and drawn line, CPU seconds."""

    image: Image
    fit: PoseFit
    off: Floats
    took: float


def photographed() -> Photographed | None:
    """The photograph fitted from four taps; None if it is not at hand.

    No cards and no lens data; a phone's scanning program has cut and stretched it, so that focal length, lens and the
    pixels' aspect are fitted too.
    """
    if not PHOTO.is_file():
        return None
    image, board = read_picture(PHOTO), BoardPrint()
    fit, took = timed(lambda: pose_from_taps(image, PHOTO_CORNERS, board, kind="unknown"))
    lines = measure_lines(image, fit.camera, board, 3.0)
    level = np.zeros((len(lines.points), 1))
    found = lines.points + lines.normals * lines.offsets[:, None]
    places = [fit.camera.project(np.hstack([at, level])) for at in (lines.points, found)]
    return Photographed(image, fit, np.linalg.norm(places[1] - places[0], axis=1), took)


def print_photograph(overlay: Path | None) -> None:
    """Its row; `overlay`: a folder to draw the grid into, outside the repository."""
    photo = photographed()
    if photo is None:
        print("The photograph of a real board is not at hand; set ATLANTIS_SHARED to the folder that holds `photos`.")
        return
    _, fit, off, took = photo
    print("photograph of a real board, from four taps: px between printed and drawn line")
    print(f"  {'':<17}{'rms':>8}{'95 %':>12}{'largest':>12}{'lines':>12}{'hit':>12}{'CPU':>12}")
    print(
        f"  {PHOTO.stem:<17}{np.sqrt((off**2).mean()):>8.2f}{np.percentile(off, 95):>12.2f}{off.max():>12.2f}"
        f"{len(off):>12}{100 * fit.hits:>10.0f} %{1000 * took:>9.0f} ms"
    )
    if overlay is not None:
        overlay.mkdir(parents=True, exist_ok=True)
        file = overlay / f"{PHOTO.stem}-grid.png"
        cv2.imwrite(str(file), drawn_grid(photo.image, fit.camera, BoardPrint()))
        print(f"  drawn: {file}")


def drawn_grid(image: Image, camera: Camera, board: BoardPrint) -> Image:
    """The picture at twice its size with the hexes drawn where the camera has them."""
    large = cv2.resize(image, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
    outlines = (camera.project(hex_corners(board, 0.0)) + 0.5) * 2 - 0.5
    for outline in np.round(outlines * 16).astype(np.int32).reshape(-1, 6, 2):
        cv2.polylines(large, [outline], True, (0, 0, 255), 1, cv2.LINE_AA, 4)
    return np.asarray(large, np.uint8)


def main(arguments: Sequence[str] = ()) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="./deploy/bench pose")
    parser.add_argument(
        "--overlay", metavar="DIR", type=Path, help="draw the fitted grid over the photograph of a real board, into DIR"
    )
    parser.add_argument("--rendered", metavar="DIR", type=Path, help="tables that `training.render` has written")
    args = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    print("simulated tables: px, mean / largest over all hex corners")
    print(f"  {'style':<10}{'from':<7}{'on the face':>13}{'20 mm above':>15}{'CPU':>12}")
    for style in STYLES:
        simulated(style, seed=3)
    if args.rendered is not None:
        print("rendered tables: the same, from cards; those that were missed most")
        rendered(args.rendered)
    if SESSIONS.is_dir():
        print("recognition set: px between printed and drawn line, on lines that were not fitted; of all corners")
        print(f"  {'session':<17}{'rms':>8}{'95 %':>12}{'largest':>12}{'lines':>12}{'corners':>12}{'largest':>10}")
        for session in sorted(p.name for p in SESSIONS.iterdir()):
            held_out(session)
    else:
        print("The recognition set is not at hand; set ATLANTIS_SHARED to the folder that holds `vision`.")
    print_photograph(args.overlay)


if __name__ == "__main__":
    main(sys.argv[1:])
