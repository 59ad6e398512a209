"""A USB camera through OpenCV and the kernel's Video4Linux.

In: the device, or none. Out: frames of the best size that the camera has, with exposure, white balance and focus held
still as far as it lets itself be told, since recognition compares colours with those of the calibration; `settle`
measures them anew. Whoever uses the camera next, in a video call, finds it as it was: `close` puts its modes back.
OpenCV's grab blocks for as long as a camera is silent, so a thread does it; whoever asks waits with
a timeout. Only the pictures that somebody asks for are unpacked: that is most of the work. A camera that was unplugged
is opened again when it comes back, which may be as another device: without a device named, the first USB camera is
looked for each time.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, Self

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.camera import Focus, Frame, LensKind
from hardware.camera import controls as uvc
from hardware.camera.controls import AUTOMATICS, EXPOSURE, FOCUS, WHITE_BALANCE, Automatic, Controls, DeviceControls
from hardware.camera.nodes import VideoNode, video_nodes
from hardware.camera.settling import alike, until_steady
from hardware.errors import CameraError

log = logging.getLogger(__name__)

SIZES = ((1920, 1080), (1600, 1200), (1280, 960), (1280, 720))
"""What is asked for, in order. A camera that has none of them offers another size instead."""

LEAST = (1280, 720)
"""Where all four cards just fit into such a picture a hex is 45 px wide (42 if the camera leans), about as many as
recognition looks at; a fifth farther away it has the 37 of the smallest pictures that were tried, a third farther the
34 from which a calibration is good: room enough to hang a camera. In 1024 x 576 it is 34 to 36 px at the nearest place
already, in 640 x 480 30. `hardware.camera.mounting` has the figures."""

RETRY_S = 1.0
"""Between two attempts to open a camera that has gone."""
AWAIT_S = 2.0
"""So long a picture is waited for whose camera has gone: it is asked for again anyway."""
CLOSE_S = 2.0
"""How long `close` waits for a camera that may be wedged."""
LOOK_S = 3.0
"""A camera that works has sent a picture by then."""
NEXT_S = 1.0
"""And its next one by then."""
SETTLE_S = 9.0
"""So long it takes to settle at most, all automatics together, or it has failed: whoever waits hears nothing until
then. What cannot be tried any more is left to its automatic."""
FIND_S = 4.0
"""So much of it the automatics have to find what they look for; light that flickers takes it all."""
HELD_S = 0.5
"""By then pictures show what the camera was told."""
FREED_S = 1.0
"""By then what was set free again has found back."""
SAME = 0.2
"""Brightness, colours and sharpness of a picture may change by this share when something is held; a hand does less. By
more, and the camera holds something else than it had found."""


class Capture(Protocol):
    """What is used of `cv2.VideoCapture`."""

    def isOpened(self) -> bool: ...  # noqa: D102, N802 - OpenCV's names
    def set(self, prop: int, value: float) -> bool: ...  # noqa: D102
    def get(self, prop: int) -> float: ...  # noqa: D102
    def grab(self) -> bool: ...  # noqa: D102
    def retrieve(self) -> tuple[bool, Any]: ...  # noqa: D102
    def release(self) -> None: ...  # noqa: D102


def _open_capture(device: str) -> Capture:
    return cv2.VideoCapture(device, cv2.CAP_V4L2)


class V4l2Camera:
    """The camera at `device` (None: the first on USB); `settle_s` is how long automatics run at least.

    Lamps are on mains of `mains_hz`. `focus` is where the lens is put when it is opened; without one, or with another
    camera's, it focuses by itself, and goes there again after it was unplugged. `size` is that of the pictures once it
    is open. Tests give the rest.
    """

    lens: LensKind | None = None

    def __init__(
        self,
        device: str | None = None,
        rate_hz: float = 10.0,
        settle_s: float = 2.0,
        mains_hz: int = 50,
        focus: Focus | None = None,
        *,
        capture: Callable[[str], Capture] = _open_capture,
        controls: Callable[[str], Controls] = DeviceControls,
        nodes: Callable[[], Iterable[VideoNode]] = video_nodes,
        wait: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if rate_hz <= 0 or settle_s < 0 or mains_hz <= 0:
            raise ValueError("rate_hz and mains_hz must be more than 0, settle_s not less.")
        self.size = SIZES[0]
        self.focus: Focus | None = None
        self._device = device
        self._rate_hz = rate_hz
        self._settle_s = settle_s
        self._mains_hz = mains_hz
        self._wanted = dict([focus] if focus else [])
        self._capture = capture
        self._controls = controls
        self._nodes = nodes
        self._wait = wait
        self._clock = clock
        self._node = ""
        self._label = ""
        self._not_held: tuple[str, ...] | None = None
        self._found: dict[int, int] = {}
        self._open = False
        self._news = threading.Condition()
        self._asked = False
        self._newest: tuple[float, NDArray[np.uint8]] | None = None
        self._fault: CameraError | None = None
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._number = 0

    @property
    def name(self) -> str:
        """The device."""
        return f"camera on {self._place}"

    @property
    def _place(self) -> str:
        return self._device or "USB"

    def open(self) -> None:
        """Start, let the automatics settle, hold them. Raises CameraError (passing) if no camera answers."""
        if not self._open:
            self._start(0.0)
            self._open = True

    def read(self, timeout_s: float) -> Frame:
        """The next frame; one that came after the last time ran out is taken first.

        A camera that has gone is opened again if it is back. Raises CameraError (passing) if none comes in time.
        """
        if not self._open:
            raise CameraError("The camera on {place} is closed: open it first.", place=self._place, final=False)
        if self._thread is None:
            self._start(min(timeout_s, AWAIT_S))
            timeout_s = min(timeout_s, NEXT_S)
        taken, image = self._next(timeout_s)
        frame = Frame(self._number, taken, image)
        self._number += 1
        return frame

    def settle(self, focus: Focus | None = None) -> None:
        """Let the automatics run once more, then hold what they found: some seconds. Raises CameraError (passing).

        With a `focus` of this lens it is put there instead of looking for one. When the camera comes back it is put
        there too, or to what was found. After a failure the next `read` opens the camera anew.
        """
        if not self._open:
            raise CameraError("The camera on {place} is closed: open it first.", place=self._place, final=False)
        self._wanted = dict([focus] if focus else [])
        if self._thread is None:
            self._start(AWAIT_S)
        else:
            self._settle()

    def close(self) -> None:
        """Let the device go, as it was found. A wedged driver is left to its thread, which ends with the process."""
        self._open = False
        self._end()

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    # --- opening ---

    def _start(self, within_s: float) -> None:
        """Connect, read, settle. Raises CameraError (passing)."""
        until = self._clock() + within_s
        while (device := self._connect()) is None:
            if self._clock() + RETRY_S > until:
                raise CameraError("No camera on {place} answers: check its cable.", place=self._place, final=False)
            self._wait(RETRY_S)
        self._newest, self._fault, self._asked = None, None, False
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(device, self._stop), name="camera", daemon=True)
        self._thread.start()
        self._settle()

    def _end(self) -> None:
        self._put_back()
        if self._thread is not None:
            self._stop.set()
            self._thread.join(CLOSE_S)
            self._thread = None

    def _connect(self) -> Capture | None:
        """The device in its best size; None if there is none. Raises CameraError if that size is too small."""
        there = {str(node.device): node.label for node in self._nodes() if node.kind == "usb"}
        path = self._device or next(iter(there), None)
        if path is None:
            return None
        device = self._capture(path)
        if not device.isOpened():
            device.release()
            return None
        device.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))  # unpacked pictures come 5 a second, or fewer
        size = _set_size(device)
        if _is_coarse(size):
            device.release()
            raise CameraError(  # passing: another one can be plugged in
                "The camera is too coarse for the board: {found}, {least} is the least.",
                found=f"{size[0]} x {size[1]}", least=f"{LEAST[0]} x {LEAST[1]}", final=False,
            )  # fmt: skip
        device.set(cv2.CAP_PROP_FPS, self._rate_hz)
        device.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self.size, self._node, self._label = size, path, there.get(path, path)
        packed = int(device.get(cv2.CAP_PROP_FOURCC)).to_bytes(4, "little").decode("ascii", "replace")
        rate = device.get(cv2.CAP_PROP_FPS)
        log.info("%s: %d x %d, %s, %g pictures a second", self._label, *size, packed, rate)
        return device

    # --- what is held ---

    def _settle(self) -> None:
        """Find and hold. Whatever breaks it off ends the connection: half of it would be held, and not be told."""
        self.focus = None
        try:
            self._find_and_hold()
        except BaseException:
            self._end()
            raise

    def _find_and_hold(self) -> None:
        """Automatics on, until they stand still; then off, at what they found. Raises CameraError (passing)."""
        until = self._clock() + SETTLE_S
        try:
            controls = self._controls(self._node)
        except OSError as why:
            self._tell_not_held(f"everything ({why})")
            return
        with controls:
            self._found = self._found or uvc.as_it_stands(controls)
            controls.set(uvc.POWER_LINE_FREQUENCY, uvc.MAINS.get(self._mains_hz, uvc.MAINS_AUTO))
            found = [automatic for automatic in (EXPOSURE, WHITE_BALANCE) if _release(controls, automatic)]
            put = self._put_lens(controls)
            if not put and _release(controls, FOCUS):
                found.append(FOCUS)
            stands = until_steady(
                lambda: self._figures(LOOK_S), list[float], self._settle_s, FIND_S, wait=self._wait, clock=self._clock
            )
            held = {automatic for automatic in found if self._hold(controls, automatic, stands, until)}
            lens = controls.get(uvc.FOCUS_ABSOLUTE) if put or FOCUS in held else None
        if lens is not None:
            self.focus = self._label, float(lens)
            self._wanted.setdefault(*self.focus)
        kept = {*held, FOCUS} if put else held
        self._tell_not_held(*(a.name for a in AUTOMATICS if a not in kept))

    def _put_lens(self, controls: Controls) -> bool:
        """True if the lens has gone to where it is wanted."""
        if self._label not in self._wanted:
            return False
        controls.set(FOCUS.control, FOCUS.off)
        return controls.set(uvc.FOCUS_ABSOLUTE, round(self._wanted[self._label]))

    def _hold(self, controls: Controls, automatic: Automatic, stands: Sequence[float], until: float) -> bool:
        """Switch it off, and on again if the picture is then another: what some cameras tell is not what they do."""
        if self._clock() + HELD_S + NEXT_S + FREED_S > until:
            return False
        found = {control: controls.get(control) for control in automatic.finds}
        if not controls.set(automatic.control, automatic.off):
            return False
        for control, value in found.items():
            if value is not None:
                controls.set(control, value)
        self._wait(HELD_S)
        if alike(stands, self._figures(NEXT_S), SAME):
            return True
        _release(controls, automatic)
        self._wait(FREED_S)
        return False

    def _put_back(self) -> None:
        """As it was before it was told anything, as far as it is still there."""
        found, self._found = self._found, {}
        if found:
            with contextlib.suppress(OSError), self._controls(self._node) as controls:
                for control, value in found.items():
                    controls.set(control, value)

    def _figures(self, within_s: float) -> list[float]:
        """Of a picture taken from now on: the mean of each colour, and how sharp it is."""
        with self._news:
            self._newest = None
        image = self._next(within_s)[1]
        edges = cv2.Laplacian(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.CV_16S)
        return [*image.mean(axis=(0, 1)).tolist(), float(np.abs(edges).mean())]

    def _tell_not_held(self, *what: str) -> None:
        """Once, and again when it is something else."""
        if what and what != self._not_held:
            log.warning("%s: cannot be held still: %s", self._label, ", ".join(what))
        self._not_held = what

    # --- pictures ---

    def _next(self, timeout_s: float) -> tuple[float, NDArray[np.uint8]]:
        """The next picture and when it was taken. Raises CameraError (passing)."""
        with self._news:
            self._asked = True
            self._news.wait_for(lambda: self._newest or self._fault, timeout_s)
            newest, fault = self._newest, self._fault
            self._newest = self._fault = None
        if fault:
            self._end()
            raise fault
        if newest is None:
            raise CameraError(
                "The camera on {place} sent no picture in {seconds:g} s.",
                place=self._place, seconds=timeout_s, final=False,
            )  # fmt: skip
        return newest

    def _run(self, device: Capture, stop: threading.Event) -> None:
        """The thread: read until the camera has gone, which is told, or the end."""
        while (there := device.grab()) and not stop.is_set():
            if self._asked:
                self._unpack(device)
        device.release()
        if not there and not stop.is_set():
            self._tell(CameraError("The camera on {place} has gone: check its cable.", place=self._place, final=False))

    def _unpack(self, device: Capture) -> None:
        """The picture that was grabbed, to whom has asked for one; a torn one is passed over."""
        there, image = device.retrieve()
        if there and image.shape[1::-1] == self.size:
            self._tell((self._clock(), np.asarray(image, np.uint8)))

    def _tell(self, news: tuple[float, NDArray[np.uint8]] | CameraError) -> None:
        with self._news:
            if isinstance(news, CameraError):
                self._newest, self._fault = None, news
            else:
                self._newest, self._asked = news, False
            self._news.notify_all()


def _release(controls: Controls, automatic: Automatic) -> bool:
    """Let the camera set it by itself; False if it has no such automatic."""
    return any(controls.set(automatic.control, on) for on in automatic.on)


def _set_size(device: Capture) -> tuple[int, int]:
    """The first of `SIZES` that it takes, else what it offered instead: large enough, and nearest to the best."""

    def ask(size: tuple[int, int]) -> tuple[int, int]:
        device.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
        device.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
        return round(device.get(cv2.CAP_PROP_FRAME_WIDTH)), round(device.get(cv2.CAP_PROP_FRAME_HEIGHT))

    offered = []
    for size in SIZES:
        if (given := ask(size)) == size:
            return given
        offered.append(given)
    best = SIZES[0][0] * SIZES[0][1]
    return ask(min(offered, key=lambda size: (_is_coarse(size), abs(size[0] * size[1] - best))))


def _is_coarse(size: tuple[int, int]) -> bool:
    return size[0] < LEAST[0] or size[1] < LEAST[1]
