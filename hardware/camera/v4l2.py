"""A USB camera through OpenCV and the kernel's Video4Linux.

In: the device and the size. Out: frames. OpenCV's grab blocks for as long as a camera is silent, so a thread does it;
whoever asks waits with a timeout. Only the pictures that somebody asks for are unpacked: that is most of the work. A
camera that was unplugged is opened again when it comes back, which may be as another device: without a device named,
the first USB camera is looked for each time.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from typing import Any, Protocol, Self

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.camera import Frame, LensKind
from hardware.camera.nodes import VideoNode, video_nodes
from hardware.errors import CameraError

RETRY_S = 1.0
"""Between two attempts to open a camera that has gone."""
CLOSE_S = 2.0
"""How long `close` waits for a camera that may be wedged."""


class Capture(Protocol):
    """What is used of `cv2.VideoCapture`."""

    def isOpened(self) -> bool: ...  # noqa: D102, N802 - OpenCV's names
    def set(self, prop: int, value: float) -> bool: ...  # noqa: D102
    def grab(self) -> bool: ...  # noqa: D102
    def retrieve(self) -> tuple[bool, Any]: ...  # noqa: D102
    def release(self) -> None: ...  # noqa: D102


def _open_capture(device: str) -> Capture:
    return cv2.VideoCapture(device, cv2.CAP_V4L2)


class V4l2Camera:
    """The camera at `device` (None: the first on USB), set to a fixed size. Tests give the rest."""

    lens: LensKind | None = None

    def __init__(
        self,
        device: str | None = None,
        size: tuple[int, int] = (1920, 1080),
        rate_hz: float = 10.0,
        *,
        capture: Callable[[str], Capture] = _open_capture,
        nodes: Callable[[], Iterable[VideoNode]] = video_nodes,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if min(size) <= 0 or rate_hz <= 0:
            raise ValueError("size and rate_hz must be more than 0.")
        self._device = device
        self._nodes = nodes
        self.size = size
        self._rate_hz = rate_hz
        self._capture = capture
        self._clock = clock
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
        """Start reading. Raises CameraError (passing) if no camera answers."""
        if self._thread is not None:
            return
        device = self._connect()
        if device is None:
            raise CameraError("No camera on {place} answers: check its cable.", place=self._place, final=False)
        self._newest, self._fault, self._asked = None, None, False
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(device, self._stop), name="camera", daemon=True)
        self._thread.start()

    def read(self, timeout_s: float) -> Frame:
        """The next frame; one that came after the last time ran out is taken first.

        Raises CameraError: passing if none comes in time or the camera has gone, final if it cannot give the size.
        """
        if self._thread is None:
            raise CameraError("The camera on {place} is closed: open it first.", place=self._place, final=False)
        with self._news:
            self._asked = True
            self._news.wait_for(lambda: self._newest or self._fault, timeout_s)
            if self._fault:
                fault, self._fault = self._fault, None
                raise fault
            if self._newest is None:
                raise CameraError(
                    "The camera on {place} sent no picture in {seconds:g} s.",
                    place=self._place, seconds=timeout_s, final=False,
                )  # fmt: skip
            taken, image = self._newest
            self._newest = None
        frame = Frame(self._number, taken, image)
        self._number += 1
        return frame

    def settle(self) -> None:
        """Nothing is held: a USB camera measures all the time."""

    def close(self) -> None:
        """Let the device go. A wedged driver is left to its thread, which ends with the process."""
        if self._thread is not None:
            self._stop.set()
            self._thread.join(CLOSE_S)
            self._thread = None

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _connect(self) -> Capture | None:
        path = self._device or next((str(node.device) for node in self._nodes() if node.kind == "usb"), None)
        if path is None:
            return None
        device = self._capture(path)
        if not device.isOpened():
            device.release()
            return None
        device.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        device.set(cv2.CAP_PROP_FRAME_WIDTH, self.size[0])
        device.set(cv2.CAP_PROP_FRAME_HEIGHT, self.size[1])
        device.set(cv2.CAP_PROP_FPS, self._rate_hz)
        device.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        return device

    def _run(self, device: Capture | None, stop: threading.Event) -> None:
        """The thread: read for ever, tell of a fault once, connect again."""
        while not stop.is_set():
            if device and device.grab():
                if self._asked:
                    self._unpack(device)
                continue
            if device:
                device.release()
                self._tell(
                    CameraError("The camera on {place} has gone: check its cable.", place=self._place, final=False)
                )
            elif stop.wait(RETRY_S):
                break
            device = self._connect()
        if device:
            device.release()

    def _unpack(self, device: Capture) -> None:
        """The picture that was grabbed, to whom has asked for one; a torn one is passed over."""
        there, image = device.retrieve()
        if there:
            self._tell(self._check(np.asarray(image, np.uint8)))

    def _check(self, image: NDArray[np.uint8]) -> tuple[float, NDArray[np.uint8]] | CameraError:
        """The picture with its time, or what is wrong with it."""
        height, width = image.shape[:2]
        if (width, height) == self.size:
            return self._clock(), image
        wanted = f"{self.size[0]} x {self.size[1]}"
        return CameraError(
            "The camera on {place} gives {found}, not {wanted}: set a size that it has.",
            place=self._place, found=f"{width} x {height}", wanted=wanted, final=True,
        )  # fmt: skip

    def _tell(self, news: tuple[float, NDArray[np.uint8]] | CameraError) -> None:
        with self._news:
            if isinstance(news, CameraError):
                self._newest, self._fault = None, news
            else:
                self._newest, self._asked = news, False
            self._news.notify_all()
