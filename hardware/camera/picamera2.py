"""The Raspberry Pi's own camera through libcamera.

In: the size and the rate. Out: frames with focus, exposure and white balance held still, since recognition compares
colours with those of the calibration. Every call that waits for the camera has a time limit: libcamera's may never
return, and a thread that waits for ever cannot be ended.
"""

from __future__ import annotations

import importlib
import threading
import time
from typing import Any, Self

import numpy as np

from hardware.camera import Frame
from hardware.errors import CameraError

CLOSE_S = 3.0
AF_AUTO, AF_MANUAL = 1, 0
"""libcamera's AfMode values."""
HELD = ("ExposureTime", "AnalogueGain", "ColourGains", "LensPosition")
"""What the settled camera measured and is then told to keep."""


class Picamera2Camera:
    """The camera on the ribbon cable; `settle_s` is how long automatics may run before they are held.

    `library` is the picamera2 module; tests give one of their own.
    """

    name = "camera on the ribbon cable"

    def __init__(
        self,
        size: tuple[int, int] = (1536, 864),
        rate_hz: float = 10.0,
        settle_s: float = 2.0,
        *,
        library: Any = None,
        wait: Any = time.sleep,
        clock: Any = time.monotonic,
    ) -> None:
        if min(size) <= 0 or rate_hz <= 0 or settle_s < 0:
            raise ValueError("size and rate_hz must be more than 0, settle_s not less.")
        self.size = size
        self._library = library or importlib.import_module("picamera2")
        self._rate_hz = rate_hz
        self._settle_s = settle_s
        self._wait = wait
        self._clock = clock
        self._device: Any = None
        self._job: Any = None
        self._number = 0

    def open(self) -> None:
        """Start, let the automatics settle, hold them. Raises CameraError: final if there is no such camera."""
        if self._device is not None:
            return
        if not self._library.Picamera2.global_camera_info():
            raise CameraError(
                "No camera answers on the ribbon cable: switch off, seat the cable at both ends, start again.",
                final=True,
            )
        try:
            self._device = self._library.Picamera2()
            self._device.configure(
                self._device.create_video_configuration(
                    main={"size": self.size, "format": "RGB888"},  # B, G, R in memory
                    controls={"FrameRate": self._rate_hz},
                    buffer_count=3,
                )
            )
            self._device.start()
        except RuntimeError as busy:
            self.close()
            raise CameraError(
                f"The camera cannot be started ({busy}): close the other program that uses it.", final=False
            ) from busy
        try:
            self._settle()
        except CameraError:
            self.close()
            raise

    def read(self, timeout_s: float) -> Frame:
        """The next frame. Raises CameraError (passing) if none comes in time; the next read goes on waiting for it."""
        if self._device is None:
            raise CameraError("The camera is closed: open it first.", final=False)
        if self._job is None:
            self._job = self._device.capture_array("main", wait=False)
        image = self._finish(timeout_s)
        frame = Frame(self._number, self._clock(), np.ascontiguousarray(image[..., :3], dtype=np.uint8))
        self._number += 1
        return frame

    def close(self) -> None:
        """Stop; a camera that does not stop within `CLOSE_S` is left to the end of the process."""
        if self._device is None:
            return
        closing = threading.Thread(target=self._device.close, name="camera closing", daemon=True)
        closing.start()
        closing.join(CLOSE_S)
        self._device = self._job = None

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _settle(self) -> None:
        has_focus = "AfMode" in self._device.camera_controls
        automatics: dict[str, Any] = {"AeEnable": True, "AwbEnable": True}
        if has_focus:
            automatics |= {"AfMode": AF_AUTO, "AfTrigger": 0}
        self._device.set_controls(automatics)
        self._wait(self._settle_s)
        self._job = self._device.capture_metadata(wait=False)
        measured = self._finish(max(2.0, 3 / self._rate_hz))
        held = {key: measured[key] for key in HELD if key in measured and (has_focus or key != "LensPosition")}
        modes: dict[str, Any] = {"AeEnable": False, "AwbEnable": False}
        if has_focus:
            modes["AfMode"] = AF_MANUAL
        self._device.set_controls({**modes, **held})

    def _finish(self, timeout_s: float) -> Any:
        """The result of the job under way, which stays under way if the time runs out."""
        try:
            result = self._device.wait(self._job, timeout=timeout_s)
        except TimeoutError:
            raise CameraError(f"The camera sent nothing in {timeout_s:g} s.", final=False) from None
        except RuntimeError as fault:
            self._job = None
            raise CameraError(f"The camera failed ({fault}): it is tried again.", final=False) from fault
        self._job = None
        return result
