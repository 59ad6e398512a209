"""Read every frame of a session, in processes of their own, and time each step.

In: a session. Out: a `Run`, and one layout a frame, as `companion recognise` would write it. Calibrating has a process
of its own, and the other lets go of and keeps what the watching process does (`companion.watch.worker`), so that its
peak memory is that of a companion which watches a table; so have the same pictures at 12 megapixels.
"""

from __future__ import annotations

import json
import math
import multiprocessing
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TypeVar

import cv2
import msgspec
import numpy as np

from bench.corners import corner_errors, fit_session
from bench.vision.sets import Session
from calibration import Calibration, CalibrationError, calibrate_session, load_calibration, save_calibration
from calibration.arrays import Floats, Floats32
from calibration.camera import Camera
from calibration.pictures import read_picture
from calibration.session import read_info
from companion import heap
from companion.cli.recognise import written_layout
from companion.rules.geometry import load_board
from companion.rules.layout import encode_layout
from companion.vision.observation import Blurred, Observation
from companion.vision.recogniser import Recogniser
from companion.watch.worker import Kept

LARGE_SIZE = (4056, 3040)
"""px; what the largest of the usual cameras gives, 12.3 megapixels."""

_JPEG = [cv2.IMWRITE_JPEG_QUALITY, 95]

ASIDE_MM = 5.0
"""Where the print is looked at beside a hex's line."""

READING = "reading the file"

Result = TypeVar("Result")


class Time(msgspec.Struct, frozen=True):
    """Seconds on the clock and on the CPU, all threads together."""

    wall: float
    cpu: float


class FrameRun(msgspec.Struct, frozen=True):
    """What was seen in one frame: `failure` says why nothing was. `steps` in their order, reading the file first."""

    name: str
    observation: Observation | None
    failure: str | None
    steps: dict[str, Time]

    @property
    def time(self) -> Time:
        """Of all steps but reading the file."""
        taken = [t for step, t in self.steps.items() if step != READING]
        return Time(sum(t.wall for t in taken), sum(t.cpu for t in taken))


class Large(msgspec.Struct, frozen=True):
    """The same frames at 12 megapixels: the time of each but for reading its file, the peak memory, what failed."""

    times: list[Time]
    peak_mb: float
    failures: dict[str, str]


class Run(msgspec.Struct, frozen=True):
    """One session. `peak_mb`: of the process that recognised. `corners`: px between printed and drawn, of each.
    `measured_lens`: its calibration has worked the lens out from pictures of the lens sheet, too.

    `sea`: the print's colour (L, a, b of Lab); `lines`: by how much lighter (L) its lines are.
    """

    session: str
    failure: str | None
    view_degrees: float = math.nan
    tilt_degrees: float = math.nan
    turn_degrees: float = math.nan
    sea: tuple[float, float, float] = (math.nan, math.nan, math.nan)
    lines: float = math.nan
    calibration: Time | None = None
    measured_lens: bool = False
    corners: list[float] = []
    start: Time | None = None
    peak_mb: float = math.nan
    frames: list[FrameRun] = []
    large: Large | None = None


def run_session(session: Session, out: Path, *, large: bool) -> Run:
    """Write a layout for every frame that can be read to `out/<session>/<frame>.json`.

    `large`: read them all once more, at 12 megapixels.
    """
    folder = out / session.name
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "calibration.bin"
    pictures = [f.picture for f in session.frames]
    try:
        calibrated, corners = _apart(_calibrate, session.folder, file)
        recognised = _apart(_recognise, session.name, pictures, file)
        enlarged = _run_large(session.name, pictures, file) if large else None
        measured_lens = read_info(session.folder / "session.json").lens_pictures is not None
    except CalibrationError as error:
        return Run(session.name, str(error))
    return msgspec.structs.replace(
        recognised, calibration=calibrated, measured_lens=measured_lens, corners=corners, large=enlarged
    )


def _run_large(session: str, pictures: list[Path], file: Path) -> Large:
    with tempfile.TemporaryDirectory(dir=file.parent) as folder:
        large = Path(folder) / file.name
        run = _apart(_recognise, session, _apart(_enlarge, pictures, file, large), large)
    times = [f.time for f in run.frames if f.observation]
    return Large(times, run.peak_mb, {f.name: f.failure for f in run.frames if f.failure})


def _apart(work: Callable[..., Result], *arguments: object) -> Result:
    """The result of a function, called in a process of its own."""
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max_workers=1, mp_context=spawn) as pool:
        return pool.submit(work, *arguments).result()


def _calibrate(session: Path, file: Path) -> tuple[Time, list[float]]:
    """The time it took and, measured afterwards, by how many px each corner is missed."""
    started = _now()
    calibration = calibrate_session(session)
    took = _since(started)
    save_calibration(file, calibration)
    image, info, fit = fit_session(session)
    return took, [float(px) for px in corner_errors(image, fit.camera, info.board)]


def _recognise(session: str, pictures: list[Path], file: Path) -> Run:
    heap.share()  # as the program does
    started = _now()
    calibration = load_calibration(file)
    recogniser = Recogniser(calibration, load_board(), patience=0)  # as `companion recognise` does
    start = _since(started)
    watch = Watch(recogniser, file.parent)
    frames = [watch.look(path, number) for number, path in enumerate(pictures)]
    camera = calibration.camera
    sea, lines = _print(calibration)
    middle, east = camera.project([[0.0, 0.0, 0.0], [50.0, 0.0, 0.0]])
    return Run(
        session=session,
        failure=None,
        view_degrees=_view_degrees(camera),
        tilt_degrees=camera.tilt_degrees,
        turn_degrees=math.degrees(math.atan2(east[1] - middle[1], east[0] - middle[0])),
        sea=sea,
        lines=lines,
        start=start,
        peak_mb=_peak_mb(),
        frames=frames,
    )


class Watch:
    """Looks at picture after picture; a layout each to the folder `out`."""

    def __init__(self, recogniser: Recogniser, out: Path) -> None:
        self._recogniser, self._out = recogniser, out
        self._kept: Kept | None = None

    def look(self, path: Path, number: int) -> FrameRun:
        """Read one; what it leaves behind is what a camera's next picture finds."""
        started = _now()
        try:
            image = read_picture(path)
            reading = _since(started)
            found = self._recogniser.find(image)
        except CalibrationError as error:
            return FrameRun(path.stem, None, str(error), {})
        self._kept = None
        self._kept = Kept.of(image, self._recogniser.camera)
        del image
        observation = self._recogniser.read(found, number)
        del found
        steps = self._steps()
        self._recogniser.trace = None
        heap.make_room(self._recogniser.camera.image_size)
        if not observation.registered:
            why = "is not sharp" if isinstance(observation.registration, Blurred) else "does not show the board"
            return FrameRun(path.stem, None, f"the picture {why}", steps)
        (self._out / f"{path.stem}.json").write_text(json.dumps(encode_layout(written_layout(observation))))
        return FrameRun(path.stem, observation, None, {READING: reading, **steps})

    def _steps(self) -> dict[str, Time]:
        trace = self._recogniser.trace
        assert trace is not None
        return {step: Time(wall, trace.cpu_seconds[step]) for step, wall in trace.seconds.items()}


def _print(calibration: Calibration) -> tuple[tuple[float, float, float], float]:
    """The print's style, see `Run`: the lines are compared with what lies `ASIDE_MM` beside them."""
    lab, board = calibration.ground.lab(), calibration.board
    edges, along = board.hex_edges
    across = np.stack([-along[:, 1], along[:, 0]], axis=1)

    def at(points: Floats) -> Floats32:
        columns, rows = np.round(calibration.view.pixels(points)).astype(int).T
        return np.asarray(lab[rows.clip(0, lab.shape[0] - 1), columns.clip(0, lab.shape[1] - 1)])

    line, beside = at(edges)[:, 0], np.concatenate([at(edges + side * ASIDE_MM * across) for side in (-1, 1)])
    sea = np.median(beside, axis=0)
    return (float(sea[0]), float(sea[1]), float(sea[2])), float(np.median(line) - sea[0])


def _view_degrees(camera: Camera) -> float:
    """The angle between what is seen at the middle of the picture's left and right edges, distortion and all."""
    width, height = camera.image_size
    edges = np.array([[[0.0, height / 2]], [[width - 1.0, height / 2]]])
    rays = cv2.undistortPoints(edges, camera.matrix, np.array(camera.distortion))
    left, right = np.arctan(rays[:, 0, 0])
    return float(np.degrees(right - left))


def _enlarge(pictures: list[Path], file: Path, large_file: Path) -> list[Path]:
    """Write the pictures and their calibration, beside `large_file`, as a camera of 12 megapixels would see them."""
    calibration = load_calibration(file)
    width, height = calibration.camera.image_size
    factor = min(LARGE_SIZE[0] / width, LARGE_SIZE[1] / height)
    size = round(width * factor), round(height * factor)
    left, top = (LARGE_SIZE[0] - size[0]) // 2, (LARGE_SIZE[1] - size[1]) // 2
    save_calibration(large_file, _as_seen_larger(calibration, factor, (left, top)))
    written = []
    for path in pictures:
        scaled = cv2.resize(read_picture(path), size, interpolation=cv2.INTER_CUBIC)
        rest = LARGE_SIZE[1] - size[1] - top, LARGE_SIZE[0] - size[0] - left
        # another shape of sensor sees more of the table: its rim goes on
        whole = cv2.copyMakeBorder(scaled, top, rest[0], left, rest[1], cv2.BORDER_REFLECT_101)
        written.append(large_file.parent / f"{path.stem}.jpg")
        cv2.imwrite(str(written[-1]), whole, _JPEG)
    return written


def _as_seen_larger(calibration: Calibration, factor: float, shift: tuple[int, int]) -> Calibration:
    """With so many times the pixels, and the old picture's corner at `shift` px in the new one."""

    def at(x: float, y: float) -> tuple[float, float]:
        return (x + 0.5) * factor - 0.5 + shift[0], (y + 0.5) * factor - 0.5 + shift[1]

    camera = calibration.camera
    larger = msgspec.structs.replace(
        camera,
        image_size=LARGE_SIZE,
        focal=tuple(f * factor for f in camera.focal),
        centre=at(*camera.centre),
    )
    cards = {name: [at(x, y) for x, y in corners] for name, corners in calibration.cards.items()}
    return msgspec.structs.replace(calibration, camera=larger, cards=cards)


def _now() -> Time:
    return Time(time.perf_counter(), time.process_time())


def _since(started: Time) -> Time:
    return Time(time.perf_counter() - started.wall, time.process_time() - started.cpu)


def _peak_mb() -> float:
    """The most memory this process has had. `ru_maxrss` would count the parent's too, from before the child's start."""
    if sys.platform == "linux":
        status = Path("/proc/self/status").read_text()
        return int(status.split("VmHWM:")[1].split()[0]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
