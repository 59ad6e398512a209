"""The watching process: opens the camera and the calibration that the plan names, and sends what it sees.

In: a `WatchPlan` and orders over the pipe. Out: `FromWatcher` messages. It ends when told to, when the pipe breaks
(the program has gone), or when trying again is of no use.
"""

from __future__ import annotations

import contextlib
import math
import signal
import tempfile
import time
from multiprocessing.connection import Connection
from pathlib import Path

import msgspec

from calibration import Calibration, CalibrationError, calibrate_session, load_calibration
from calibration.pictures import read_picture
from companion.rules.geometry import Board, load_board
from companion.vision.observation import Moved, Observation, Still
from companion.vision.recogniser import Recogniser
from companion.watch import messages
from companion.watch.messages import FromWatcher, Lay, NextPicture, Quit, Ready, Seen, Trouble, WatchPlan
from hardware.camera import Camera, CameraError, HardwareError, open_camera
from hardware.camera.pictures import PicturesCamera
from hardware.simulated import SimulatedCamera, SimulatedTable, write_session

PERIOD_S = 0.25
"""The pace of looking: people do not move pieces faster. A slow machine rests as long as it has looked."""

READ_TIMEOUT_S = 5.0
"""How long one picture may take before the camera counts as not answering."""


def work(plan: WatchPlan, connection: Connection) -> None:
    """Watch until told to end. Never raises: what goes wrong is told over the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the program's to handle; it then says Quit
    with contextlib.suppress(EOFError, OSError):  # the program has gone: nobody is left to tell
        try:
            _watch(plan, connection)
        except (HardwareError, CalibrationError) as e:
            _send(connection, Trouble(text=str(e), final=True))


def _watch(plan: WatchPlan, connection: Connection) -> None:
    board = load_board()
    calibration, camera = _open(plan, board)
    with camera:
        recogniser = Recogniser(calibration, board)
        _send(connection, Ready(line=f"Watching the {camera.name}"))
        seen: Seen | None = None
        while True:
            began = time.monotonic()
            try:
                seen = _look(camera, recogniser, seen)
                _send(connection, seen)
            except CameraError as e:
                if e.final:
                    raise
                _send(connection, Trouble(text=str(e), final=False))
            took = time.monotonic() - began
            if not _obey(connection, camera, wait=max(PERIOD_S - took, took)):
                return


def _open(plan: WatchPlan, board: Board) -> tuple[Calibration, Camera]:
    """The calibration and the camera, open. Raises HardwareError, CalibrationError."""
    if plan.camera == "simulated":
        table = SimulatedTable(msgspec.to_builtins(board), seed=plan.seed, style=plan.style)
        with tempfile.TemporaryDirectory(prefix="companion-table-") as folder:
            write_session(table, Path(folder))
            return calibrate_session(Path(folder)), open_camera("simulated", table=table)
    if plan.camera == "pictures":
        assert plan.folder is not None
        pictures = Path(plan.folder)
        calibration = load_calibration(Path(plan.calibration)) if plan.calibration else calibrate_session(pictures)
        every_s = plan.every_s or math.inf
        return calibration, open_camera("pictures", folder=pictures, every_s=every_s, read_file=read_picture)
    if plan.calibration is None:
        raise CalibrationError("The camera is not calibrated yet: run `companion calibrate`, then start again.")
    return load_calibration(Path(plan.calibration)), open_camera(plan.camera)


def _look(camera: Camera, recogniser: Recogniser, before: Seen | None) -> Seen:
    """The next frame's evidence. A picture that is held is the same evidence, later: it is not read twice."""
    frame = camera.read(READ_TIMEOUT_S)
    name = camera.shown.name if isinstance(camera, PicturesCamera) and camera.shown else ""
    if before is not None and name and name == before.picture:
        return Seen(observation=_held(before.observation, frame.number, frame.time), picture=name)
    return Seen(observation=recogniser.observe(frame.image, frame=frame.number, time=frame.time), picture=name)


def _held(observation: Observation, frame: int, time: float) -> Observation:
    """The same evidence, later: what moved then has come to rest."""
    registration = Still() if isinstance(observation.registration, Moved) else observation.registration
    return msgspec.structs.replace(observation, frame=frame, time=time, moving=False, registration=registration)


def _obey(connection: Connection, camera: Camera, wait: float) -> bool:
    """Carry out what the program says within `wait` seconds; False to end."""
    until = time.monotonic() + wait
    while connection.poll(max(0.0, until - time.monotonic())):
        order = messages.decode_to_watcher(connection.recv_bytes())
        match order, camera:
            case Lay(layout=layout), SimulatedCamera():
                camera.table.put(layout)
            case NextPicture(), PicturesCamera():
                camera.advance()
            case Quit(), _:
                return False
    return True


def _send(connection: Connection, message: FromWatcher) -> None:
    connection.send_bytes(messages.encode(message))
