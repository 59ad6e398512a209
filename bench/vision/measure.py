"""Read every frame of a session, in processes of their own, and time each step.

In: a session. Out: a `Run`, and one layout a frame, as `companion recognise` would write it. Calibrating has a process
of its own, so that the other's peak memory is that of a companion which watches a table.
"""

from __future__ import annotations

import json
import math
import multiprocessing
import resource
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TypeVar

import cv2
import msgspec
import numpy as np

from bench.vision.sets import Session
from calibration import Calibration, CalibrationError, calibrate_session, load_calibration, save_calibration
from calibration.camera import Camera
from calibration.pictures import Image, read_picture
from companion.rules.geometry import load_board
from companion.rules.layout import encode_layout
from companion.vision.observation import Observation
from companion.vision.recogniser import Recogniser

LARGE_WIDTH = 4056
"""px; a picture of 12 megapixels at 4:3, to time what larger pictures cost."""

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


class Run(msgspec.Struct, frozen=True):
    """One session. `peak_mb`: of the process that recognised. `large`: observing a picture of 12 megapixels."""

    session: str
    failure: str | None
    view_degrees: float = math.nan
    tilt_degrees: float = math.nan
    turn_degrees: float = math.nan
    calibration: Time | None = None
    start: Time | None = None
    large: Time | None = None
    peak_mb: float = math.nan
    frames: list[FrameRun] = []


def run_session(session: Session, out: Path) -> Run:
    """Write a layout for every frame that can be read to `out/<session>/<frame>.json`."""
    folder = out / session.name
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "calibration.bin"
    try:
        calibrated = _apart(_calibrate, session.folder, file)
        recognised = _apart(_recognise, session.name, [f.picture for f in session.frames], file)
        large = _apart(_time_large, session.frames[0].picture, file)
    except CalibrationError as error:
        return Run(session.name, str(error))
    return msgspec.structs.replace(recognised, calibration=calibrated, large=large)


def _apart(work: Callable[..., Result], *arguments: object) -> Result:
    """The result of a function, called in a process of its own."""
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max_workers=1, mp_context=spawn) as pool:
        return pool.submit(work, *arguments).result()


def _calibrate(session: Path, file: Path) -> Time:
    started = _now()
    calibration = calibrate_session(session)
    took = _since(started)
    save_calibration(file, calibration)
    return took


def _recognise(session: str, pictures: list[Path], file: Path) -> Run:
    started = _now()
    calibration = load_calibration(file)
    recogniser = Recogniser(calibration, load_board())
    start = _since(started)
    frames = [_observe(recogniser, path, number, file.parent) for number, path in enumerate(pictures)]
    camera = calibration.camera
    middle, east = camera.project([[0.0, 0.0, 0.0], [50.0, 0.0, 0.0]])
    return Run(
        session=session,
        failure=None,
        view_degrees=_view_degrees(camera),
        tilt_degrees=camera.tilt_degrees,
        turn_degrees=math.degrees(math.atan2(east[1] - middle[1], east[0] - middle[0])),
        start=start,
        peak_mb=_peak_mb(),
        frames=frames,
    )


def _observe(recogniser: Recogniser, path: Path, number: int, out: Path) -> FrameRun:
    started = _now()
    try:
        image = read_picture(path)
        reading = _since(started)
        observation = recogniser.observe(image, number)
    except CalibrationError as error:
        return FrameRun(path.stem, None, str(error), {})
    trace = recogniser.trace
    assert trace is not None
    steps = {step: Time(wall, trace.cpu_seconds[step]) for step, wall in trace.seconds.items()}
    if not observation.registered:
        return FrameRun(path.stem, None, "the board was not found where it was calibrated", steps)
    (out / f"{path.stem}.json").write_text(json.dumps(encode_layout(observation.layout())))
    return FrameRun(path.stem, observation, None, {"reading the file": reading, **steps})


def _view_degrees(camera: Camera) -> float:
    """The angle between what is seen at the middle of the picture's left and right edges, distortion and all."""
    width, height = camera.image_size
    edges = np.array([[[0.0, height / 2]], [[width - 1.0, height / 2]]])
    rays = cv2.undistortPoints(edges, camera.matrix, np.array(camera.distortion))
    left, right = np.arctan(rays[:, 0, 0])
    return float(np.degrees(right - left))


def _time_large(picture: Path, file: Path) -> Time:
    """Observe the picture scaled up to 12 megapixels, after one that warms up."""
    calibration, image = _scaled(load_calibration(file), read_picture(picture))
    recogniser = Recogniser(calibration, load_board())
    recogniser.observe(image)
    started = _now()
    recogniser.observe(image)
    return _since(started)


def _scaled(calibration: Calibration, image: Image) -> tuple[Calibration, Image]:
    """As a camera of more pixels would have seen it."""
    camera = calibration.camera
    factor = LARGE_WIDTH / camera.image_size[0]
    size = (LARGE_WIDTH, round(camera.image_size[1] * factor))
    large = msgspec.structs.replace(
        camera,
        image_size=size,
        focal=tuple(f * factor for f in camera.focal),
        centre=tuple((c + 0.5) * factor - 0.5 for c in camera.centre),
    )
    cards = {
        name: [((x + 0.5) * factor - 0.5, (y + 0.5) * factor - 0.5) for x, y in corners]
        for name, corners in calibration.cards.items()
    }
    picture = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_CUBIC), np.uint8)
    return msgspec.structs.replace(calibration, camera=large, cards=cards), picture


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
