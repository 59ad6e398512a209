"""The program's side of the watching process: starts it, hears it, and starts it anew when it dies or hangs.

In: a `WatchPlan` and the passing of time (`poll`). Out: observations, and a `Status` that a screen can show. Nothing
but `wait` and `close` blocks: the caller is the UI's clock. A process that is stopped, wherever it was, or that takes
its time to die, holds nobody up.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from multiprocessing import connection
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any

import msgspec

from companion.i18n import N_
from companion.rules.geometry import Hex
from companion.viewmodel.calibration_link import Guided
from companion.viewmodel.cutout import Cutout
from companion.vision.observation import Moved, Observation, Still
from companion.watch import messages
from companion.watch.messages import (
    CANNOT_RUN,
    BeginCalibrating,
    Calibrating,
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
    Steering,
    Trouble,
    Uncalibrated,
    WatchPlan,
    reason_of,
)
from companion.watch.wire import Wire

SILENCE_S = 15.0
"""A process that says nothing for so long is wedged (a camera call that never returns) and is killed."""

START_S = 120.0
"""So much silence is granted until it is ready: imports, calibration of the simulated table, a slow card. And while a
calibration is worked out."""

WORKS_S = 10.0
"""A process that has told what the camera sees for so long works; that it was opened is no proof. What failed before is
forgotten then."""

QUIT_S = 1.0
"""A process that listens has ended by then."""
LET_GO_S = 3.0
"""And one that was broken off, which lets the camera go, by then."""
GONE_S = 1.0
"""And one that was killed, unless a driver holds it."""

BACK_OFF_S = (1.0, 2.0, 4.0, 8.0, 15.0, 30.0)
"""Waiting before each further start; the last one holds."""


class Starting(msgspec.Struct, frozen=True):
    """The process is on its way, or waits for its first picture."""


class Watching(msgspec.Struct, frozen=True):
    """Pictures come in; `line` tells people of what."""

    line: str


class Lost(msgspec.Struct, frozen=True):
    """No pictures, and why, in a sentence whose placeholders `about` fills.

    `retry_at` is when the next start comes, on the clock of `poll`; None is never.
    """

    text: str
    retry_at: float | None
    about: dict[str, float | str] = {}


class Blind(msgspec.Struct, frozen=True):
    """The camera is there, but there is no calibration to read by; `text` says why, `about` fills its placeholders."""

    text: str
    about: dict[str, float | str] = {}


Status = Starting | Watching | Blind | Lost
Spawn = Callable[[WatchPlan, Connection], SpawnProcess]


def _spawn(plan: WatchPlan, pipe: Connection) -> SpawnProcess:
    # Spawned, not forked: the parent holds a GL context and threads, which a fork would tear.
    process = multiprocessing.get_context("spawn").Process(
        target=_run_worker, args=(msgspec.msgpack.encode(plan), pipe), name="companion-watch", daemon=True
    )
    process.start()
    return process


def _run_worker(plan: bytes, pipe: Connection) -> None:
    from companion.watch.worker import work

    work(msgspec.msgpack.decode(plan, type=WatchPlan), pipe)


class Watcher:
    """Supervises one watching process. Close it, or use it in a `with`.

    `guided` and `picture` are the last that was heard of a calibration, `cutout` is what was asked for by `show`.
    """

    def __init__(self, plan: WatchPlan, *, now: float, spawn: Spawn = _spawn) -> None:
        self.plan = plan
        self.status: Status = Starting()
        self._spawn = spawn
        self._failures = 0
        self._works_since: float | None = None
        self._is_ready = False
        self._line = ""
        self._layout: dict[str, Any] | None = None
        self.guided: Guided | None = None
        self.picture = b""
        self.cutout: Cutout | None = None
        self._asked: Show | None = None
        self._calibrating: BeginCalibrating | None = None
        self._last: Seen | None = None
        self._process: SpawnProcess | None = None
        self._killed: list[SpawnProcess] = []
        self._start(now)

    def __enter__(self) -> Watcher:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def poll(self, now: float) -> list[Seen]:
        """What has been seen since the last call. `now` is a monotonic clock in seconds."""
        self._killed = [process for process in self._killed if process.is_alive()]  # which reaps it if it is not
        if self._process is None:
            if isinstance(self.status, Lost) and self.status.retry_at is not None and now >= self.status.retry_at:
                self._start(now)
            return []
        is_alive = self._process.is_alive()  # asked before its last words are read
        seen = []
        self._wire.go_on()
        for message in self._received(now):
            match message:
                case Seen():
                    self._last = message
                    seen.append(message)
                    self._watches(now)
                case Same(frame=frame, time=time) if self._last is not None:
                    self._last = Seen(observation=_later(self._last.observation, frame, time), still=True)
                    seen.append(self._last)
                    self._watches(now)
                case Ready(line=line):
                    self._line, self._is_ready = line, True
                    self.status = Starting()
                case Uncalibrated(text=text, about=about):
                    self._works(now)
                    self.status = Blind(text, about)
                case Calibrating() | Shown():
                    self._hear(message, now)
                case Trouble(text=text, final=True, about=about):
                    self._end(Lost(text, None, about))
                    return seen
                case Trouble(text=text, about=about):
                    self._works_since = None
                    self.status = Lost(text, now, about)
        busy = self.guided is not None and self.guided.busy
        starting = isinstance(self.status, Starting) and not self._is_ready
        patience = START_S if starting or busy else SILENCE_S
        if not is_alive:
            ended = Lost(N_("The camera program has ended unexpectedly."), None)
            self._fail(self.status if isinstance(self.status, Lost) else ended, now)
        elif now - self._heard > patience:
            self._fail(Lost(N_("The camera does not answer."), None), now)
        return seen

    def wait(self, timeout_s: float) -> None:
        """Sleep until there is something for `poll` to take in, at most that long. Not for a screen's thread."""
        # Between two starts there is nobody to hear: then this is a plain sleep, not a return at once.
        heard = [] if self._process is None else [self._wire.fileno(), self._process.sentinel]
        connection.wait(heard, timeout_s)

    def lay(self, layout: dict[str, Any]) -> None:
        """The simulated table: what stands on it from now on, also after a restart."""
        self._layout = layout
        self._send(Lay(layout=layout))

    def next_picture(self) -> None:
        """The folder of pictures: go on to the next one."""
        self._send(NextPicture())

    def show(self, hexes: tuple[Hex, ...]) -> None:
        """Ask for these hexes of the picture that was read last; with none, for the whole board."""
        self.cutout, self._asked = None, Show(hexes=hexes)
        self._send(self._asked)

    def begin_calibrating(self, language: str) -> None:
        """Guide people through a calibration, in that language; from the start again after a restart."""
        self.guided, self.picture = None, b""
        self._calibrating = BeginCalibrating(language=language)
        self._send(self._calibrating)

    def steer(self, order: Steering) -> None:
        """What people say in a calibration."""
        self._send(order)

    def end_calibrating(self) -> None:
        """Watch again; harmless if none goes on."""
        if self._calibrating is not None:
            self._send(EndCalibrating())
            self._stop_calibrating()

    def _watches(self, now: float) -> None:
        """A picture has come."""
        self._works(now)
        self.status = Watching(self._line)

    def _works(self, now: float) -> None:
        if self._works_since is None:
            self._works_since = now
        if now - self._works_since >= WORKS_S:
            self._failures = 0

    def _hear(self, message: Calibrating | Shown, now: float) -> None:
        """What comes of an order that holds no longer was on its way then."""
        match message:
            case Calibrating(guided=guided, picture=picture) if self._calibrating is not None:
                self._watches(now)
                self.guided = guided
                self.picture = picture or self.picture
                if guided.done:
                    self._stop_calibrating()
            case Shown(hexes=hexes, cutout=cutout) if self._asked == Show(hexes=hexes):
                self.cutout, self._asked = cutout, None

    def _stop_calibrating(self) -> None:
        """What reads the table is put together anew, which takes a while."""
        self._calibrating, self._is_ready = None, False
        if isinstance(self.status, Watching):
            self.status = Starting()

    def close(self) -> None:
        """End the process, gently if it listens; if it does not, a camera that settles is still put in order."""
        self._send(Quit())
        if self._process is not None:
            self._process.join(timeout=QUIT_S)
            self._process.terminate()
            self._process.join(timeout=LET_GO_S)
        self._end(Lost("The camera is off.", None))
        for process in self._killed:
            process.join(timeout=GONE_S)
        self._killed.clear()

    def _start(self, now: float) -> None:
        try:
            self._begin()
        except OSError as error:
            self._fail(Lost(CANNOT_RUN, None, {"why": reason_of(error)}), now)
            return
        self._heard = now
        self._last, self._works_since, self._is_ready = None, None, False
        self.status = Starting()
        if self._layout is not None:
            self._send(Lay(layout=self._layout))
        if self._asked is not None:
            self._send(self._asked)
        if self._calibrating is not None:
            self._send(self._calibrating)

    def _begin(self) -> None:
        """A process at the other end of a pipe. Raises OSError if there is no room for one."""
        ours, theirs = multiprocessing.Pipe()
        with theirs:
            try:
                self._process = self._spawn(self.plan, theirs)
            except OSError:
                ours.close()
                raise
        self._wire = Wire(ours)

    def _received(self, now: float) -> list[FromWatcher]:
        """Only what has come whole is a sign of life."""
        received = [messages.decode_from_watcher(body) for body in self._wire.received()]
        if received:
            self._heard = now
        return received

    def _send(self, message: messages.ToWatcher) -> None:
        if self._process is not None:
            self._wire.send(messages.encode(message))

    def _fail(self, told: Lost, now: float) -> None:
        wait = BACK_OFF_S[min(self._failures, len(BACK_OFF_S) - 1)]
        self._failures += 1
        self._end(msgspec.structs.replace(told, retry_at=now + wait))

    def _end(self, status: Lost) -> None:
        if self.guided is not None and self.guided.busy:  # nobody is at work on it any more
            self.guided = msgspec.structs.replace(self.guided, busy=False)
        if self._process is not None:
            self._process.kill()
            self._killed.append(self._process)
            self._process = None
            self._wire.close()
        self.status = status


def _later(observation: Observation, frame: int, time: float) -> Observation:
    """The same evidence, later: what moved then has come to rest."""
    registration = Still() if isinstance(observation.registration, Moved) else observation.registration
    return msgspec.structs.replace(observation, frame=frame, time=time, moving=False, registration=registration)
