"""The watching process: opens the camera and the calibration that the plan names, and sends what it sees.

In: a `WatchPlan` and orders over the pipe. Out: `FromWatcher` messages. It ends when told to, when the pipe breaks
(the program has gone), or when trying again is of no use. What it does at the moment is one of three modes: watching,
waiting for a calibration, calibrating.
"""

from __future__ import annotations

import contextlib
import logging
import math
import os
import signal
import tempfile
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import cv2
import msgspec
import numpy as np

from calibration import (
    Calibration,
    CalibrationError,
    SessionInfo,
    calibrate_session,
    load_calibration,
    save_calibration,
)
from calibration.arrays import Image
from calibration.camera import Camera as KnownCamera
from calibration.pictures import read_picture
from companion import heap
from companion.i18n import N_, set_language
from companion.rules.geometry import Hex, load_board
from companion.vision.observation import Blurred, NotSeen
from companion.vision.recogniser import Recogniser
from companion.watch import messages
from companion.watch.calibrating import READ_TIMEOUT_S, STEERING, Sitting
from companion.watch.cutting import cut_out
from companion.watch.exposure import Exposure
from companion.watch.glance import Glance
from companion.watch.messages import (
    CANNOT_RUN,
    BeginCalibrating,
    EndCalibrating,
    FromWatcher,
    Lay,
    NextPicture,
    Quit,
    Ready,
    Same,
    Seen,
    Show,
    Shown,
    ToWatcher,
    Trouble,
    Uncalibrated,
    WatchPlan,
    reason_of,
)
from companion.watch.setting_out import People, Scenery, recorded, rehearsal
from hardware.camera import Camera, CameraError, Frame, HardwareError, list_cameras, open_camera, open_live
from hardware.camera.pictures import PicturesCamera
from hardware.simulated import SimulatedTable, write_session
from hardware.simulated.rehearsal import RehearsalCamera

log = logging.getLogger(__name__)

PERIOD_S = 0.25
"""The pace of looking: people do not move pieces faster. A slow machine rests as long as it has looked."""

ENDING = (signal.SIGTERM, signal.SIGHUP)
"""Told so, it lets the camera go as it was found, then ends; also while the camera settles, when Quit is not heard."""

GIVING_WAY = 10
"""How much nicer than the screen: a finger is answered first, a picture read a moment later."""

STILL_HERE_S = 2.0
"""So often it is said that there is no camera, or no calibration, yet."""

KEPT_SIDE = 2400
"""px, the longer side at most of the picture that is kept to be shown: five hexes of it fill what is cut out of it (see
`cutting`). One of 12 megapixels would take 37 MB beside the next one."""

NO_CAMERA = N_("No camera is connected. Everything can be entered by touch.")
OTHER_SIZE = N_("The calibration is for {before}, this camera gives {now}.")


class _Gone(Exception):  # noqa: N818 - says what it is
    """The program's end of the pipe is closed: nobody is left to tell."""


def work(plan: WatchPlan, connection: Connection) -> None:
    """Watch until told to end. What goes wrong with camera, calibration and disk is told over the pipe."""
    heap.share()
    os.nice(GIVING_WAY)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the program's to handle; it then says Quit
    for number in ENDING:
        signal.signal(number, _end)
    with contextlib.suppress(_Gone):
        try:
            if plan.camera != "auto" or _is_there(connection):
                _Worker(plan, connection).run()
        except HardwareError as e:
            passing = isinstance(e, CameraError) and not e.final
            _send(connection, _trouble(e, final=not passing))
        except OSError as e:
            log.exception("The watching process has ended.")
            _send(connection, Trouble(text=CANNOT_RUN, final=False, about={"why": reason_of(e)}))


def _end(*_: object) -> None:
    """Unwind, once: the unwinding itself is not broken off."""
    for number in ENDING:
        signal.signal(number, signal.SIG_IGN)
    raise SystemExit


def _is_there(connection: Connection) -> bool:
    """True if there is a camera. Else wait for one, tell so, and end: a new process opens it."""
    if list_cameras():
        return True
    while not list_cameras():
        _send(connection, Trouble(text=NO_CAMERA, final=False))
        if connection.poll(STILL_HERE_S) and isinstance(_receive(connection), Quit):
            break
    return False


class _Mode(Protocol):
    """What the process does at the moment."""

    def look(self) -> None:
        """Read a picture, if one is needed, and tell of it. Raises CameraError."""

    def rest_s(self, took: float) -> float:
        """How long to wait for orders after a look that `took` so long."""
        ...


class Kept(NamedTuple):
    """The picture that was read last, as large as it has to be to be shown, and the camera that sees it so."""

    image: Image
    camera: KnownCamera

    @classmethod
    def of(cls, image: Image, camera: KnownCamera) -> Kept:
        """Of a picture of any size (H x W x 3 uint8 BGR) and the camera that took it."""
        block = math.ceil(max(camera.image_size) / KEPT_SIDE)
        if block == 1:
            return cls(image, camera)
        smaller = camera.coarser(block)
        width, height = smaller.image_size
        whole = image[: height * block, : width * block]  # of whole blocks it takes a tenth of the time
        averaged = cv2.resize(whole, (width, height), interpolation=cv2.INTER_AREA)
        return cls(np.asarray(averaged, np.uint8), smaller)


class _Watching:
    """Reads the table by a calibration. Raises CalibrationError if nothing can be read by it."""

    def __init__(self, camera: Camera, calibration: Calibration, connection: Connection) -> None:
        self._camera, self._calibration, self._connection = camera, calibration, connection
        self._recogniser = Recogniser(calibration, load_board())
        self._glance = Glance()
        self._exposure = Exposure()
        self._shown: Path | None = None
        self._kept: Kept | None = None
        self._wanted: tuple[Hex, ...] | None = None

    def look(self) -> None:
        """The next frame's evidence, or that it shows what the last one did. In another light the camera settles."""
        frame = self._camera.read(READ_TIMEOUT_S)
        now, before = frame.image.shape[1::-1], tuple(self._calibration.camera.image_size)
        if now != before:  # another camera was plugged in
            about: dict[str, float | str] = {"now": f"{now[0]} x {now[1]}", "before": f"{before[0]} x {before[1]}"}
            _send(self._connection, Uncalibrated(text=OTHER_SIZE, about=about))
            return
        light_is_another = self._exposure.is_off(frame.image, frame.time)
        number, at = frame.number, frame.time
        if self._is_the_same(frame):
            _send(self._connection, Same(frame=number, time=at))
        else:
            found = self._recogniser.find(frame.image)
            if not isinstance(found.registration, NotSeen | Blurred):
                self._kept = None  # it makes room for the new one
                self._kept = Kept.of(frame.image, self._recogniser.camera)
            del frame  # a large picture and what is read of it need not have room at the same time
            observation = self._recogniser.read(found, frame=number, time=at)
            _send(self._connection, Seen(observation=observation))
            del found
            self._recogniser.trace = None  # nor the next picture and the rasters of this one
            heap.make_room(self._recogniser.camera.image_size)
        if self._wanted is not None:
            self.show(self._wanted)
        if light_is_another:
            self._camera.settle(self._calibration.focus)

    def show(self, hexes: tuple[Hex, ...]) -> None:
        """These hexes of the picture that was read last; while there is none, of the next."""
        if self._kept is None:
            self._wanted = hexes
            return
        self._wanted = None
        cutout = cut_out(self._kept.image, self._kept.camera, load_board(), hexes)
        _send(self._connection, Shown(hexes=hexes, cutout=cutout))

    def _is_the_same(self, frame: Frame) -> bool:
        """A picture of a folder that is held is read once; a camera's next one is another, and looked at."""
        if isinstance(self._camera, PicturesCamera):
            before, self._shown = self._shown, self._camera.shown
            return before is not None and before == self._shown
        return self._glance.shows_the_same(frame.image, frame.time)

    def rest_s(self, took: float) -> float:
        """The machine is for the people's game too."""
        return max(PERIOD_S - took, took)


class _Waiting:
    """There is nothing to read by."""

    def __init__(self, text: str, connection: Connection) -> None:
        self._text, self._connection = text, connection

    def look(self) -> None:
        """Still here."""
        _send(self._connection, Uncalibrated(text=self._text))

    def rest_s(self, took: float) -> float:  # noqa: ARG002 - nothing was done
        """Nothing to do."""
        return STILL_HERE_S


class _Calibrating:
    """People and the guide have the camera."""

    def __init__(self, sitting: Sitting) -> None:
        self.sitting = sitting

    def look(self) -> None:
        """A live picture."""
        self.sitting.look()

    def rest_s(self, took: float) -> float:
        """Nobody plays meanwhile."""
        return max(PERIOD_S - took, 0.0)


class _Worker:
    """The process: its camera, its calibration if it has one, its mode."""

    def __init__(self, plan: WatchPlan, connection: Connection) -> None:
        self._plan, self._connection = plan, connection
        self._calibration: Calibration | None = None
        self._why = ""
        self._laid: dict[str, Any] = {}

    def run(self) -> None:
        """Look and obey in turn, until told to end. Raises HardwareError."""
        with self._open() as self._camera:
            self._watch()
            while True:
                began = time.monotonic()
                try:
                    self._mode.look()
                except CameraError as e:
                    if e.final:
                        raise
                    _send(self._connection, _trouble(e, final=False))
                if isinstance(self._mode, _Calibrating) and self._mode.sitting.done:
                    self._end_calibrating()
                if not self._obey(self._mode.rest_s(time.monotonic() - began)):
                    return

    def _open(self) -> Camera:
        """The camera, open; the calibration, or why there is none. Raises HardwareError."""
        plan = self._plan
        if plan.camera == "simulated":
            table = SimulatedTable(msgspec.to_builtins(load_board()), seed=plan.seed, style=plan.style)
            with tempfile.TemporaryDirectory(prefix="companion-table-") as folder:
                write_session(table, Path(folder))
                self._load(Path(folder))
            return RehearsalCamera(table)
        if plan.camera == "pictures":
            assert plan.folder is not None
            self._load(Path(plan.calibration or plan.folder))
            every_s = plan.every_s or math.inf
            return open_camera("pictures", folder=Path(plan.folder), every_s=every_s, read_file=read_picture)
        assert plan.calibration is not None
        if Path(plan.calibration).exists():
            self._load(Path(plan.calibration))
        else:
            self._why = N_("The camera is not calibrated yet.")
        name = list_cameras()[0][0] if plan.camera == "auto" else plan.camera
        return open_live(name, plan.mains_hz, self._calibration.focus if self._calibration else None)

    def _load(self, path: Path) -> None:
        """From a calibration file, or from a session's folder."""
        try:
            self._calibration = calibrate_session(path) if path.is_dir() else load_calibration(path)
        except CalibrationError as e:
            self._why = str(e)

    def _watch(self) -> None:
        """By the calibration, if there is one and pictures can be read by it; else tell why not."""
        self._mode: _Mode
        if self._calibration is None:
            self._mode = _Waiting(self._why, self._connection)
            return
        try:
            self._mode = _Watching(self._camera, self._calibration, self._connection)
        except CalibrationError as e:
            self._mode = _Waiting(str(e), self._connection)
            return
        _send(self._connection, Ready(line=f"Watching the {self._camera.name}"))

    def _obey(self, wait: float) -> bool:
        """Carry out what the program says within `wait` seconds; False to end."""
        until = time.monotonic() + wait
        while self._connection.poll(max(0.0, until - time.monotonic())):
            order = _receive(self._connection)
            match order:
                case Quit():
                    return False
                case Lay(layout=layout):
                    self._lay(layout)
                case NextPicture():
                    if isinstance(self._camera, PicturesCamera):
                        self._camera.advance()
                case Show(hexes=hexes) if isinstance(self._mode, _Watching):
                    self._mode.show(hexes)
                case BeginCalibrating(language=language):
                    set_language(language)
                    self._begin_calibrating()
                    return True
                case EndCalibrating() if not isinstance(self._mode, _Watching):
                    self._end_calibrating()
                    return True
                case _ if isinstance(order, STEERING) and isinstance(self._mode, _Calibrating):
                    self._mode.sitting.obey(order)
                    return True
        return True

    def _lay(self, layout: dict[str, Any]) -> None:
        """The simulated table is laid so, or will be when the calibration is over."""
        self._laid = layout
        if isinstance(self._camera, RehearsalCamera) and not isinstance(self._mode, _Calibrating):
            self._camera.table.put(layout)

    def _begin_calibrating(self) -> None:
        if isinstance(self._mode, _Calibrating):
            return
        try:
            scenery = self._scenery()
        except CalibrationError as e:
            self._mode = _Waiting(str(e), self._connection)
            return
        scenery.camera.open()
        scenery.camera.settle()  # colours, lens and focus are measured anew, in the light that there is now
        sitting = Sitting(
            scenery,
            lambda message: _send(self._connection, message),
            self._keep,
            optional_lens=self._plan.camera != "pictures",
            rehearsal=self._plan.camera in ("pictures", "simulated"),
        )
        self._mode = _Calibrating(sitting)

    def _scenery(self) -> Scenery:
        if isinstance(self._camera, RehearsalCamera):
            return rehearsal(self._camera)
        if isinstance(self._camera, PicturesCamera):
            return recorded(self._camera.folder)
        return Scenery(self._camera, People(), SessionInfo(lens=self._camera.lens or "normal"))

    def _keep(self, calibration: Calibration) -> None:
        """Watch by it from now on; at a real table it is the household's. Raises CalibrationError."""
        if self._plan.camera not in ("pictures", "simulated"):
            assert self._plan.calibration is not None
            calibration = msgspec.structs.replace(calibration, focus=self._camera.focus)
            save_calibration(Path(self._plan.calibration), calibration)
        self._calibration = calibration

    def _end_calibrating(self) -> None:
        """Watch again; what a rehearsal has moved is put back."""
        if isinstance(self._mode, _Calibrating) and (camera := self._mode.sitting.scenery.camera) is not self._camera:
            camera.close()
        if isinstance(self._camera, RehearsalCamera):
            self._camera.show("empty")
            self._camera.table.put(self._laid)
        if self._calibration and self._calibration.focus not in (None, self._camera.focus):
            self._camera.settle(self._calibration.focus)  # it was broken off: what is watched by is the old one
        self._watch()


def _trouble(error: HardwareError, *, final: bool) -> Trouble:
    about = {name: value if isinstance(value, int | float) else str(value) for name, value in error.about.items()}
    return Trouble(text=error.sentence, final=final, about=about)


def _send(connection: Connection, message: FromWatcher) -> None:
    try:
        connection.send_bytes(messages.encode(message))
    except OSError as e:
        raise _Gone from e


def _receive(connection: Connection) -> ToWatcher:
    try:
        return messages.decode_to_watcher(connection.recv_bytes())
    except (EOFError, OSError) as e:  # the latter in the middle of a message
        raise _Gone from e
