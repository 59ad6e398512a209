"""The Raspberry Pi's own camera through libcamera.

In: the size and the rate. Out: frames of one fixed configuration that sees all of the sensor, with focus, exposure and
white balance held still, since recognition compares colours with those of the calibration; `settle` measures them
anew. Every call that waits for the camera has a time limit: libcamera's may never return, and a thread that waits for
ever cannot be ended.
"""

from __future__ import annotations

import contextlib
import importlib
import logging
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, Self

import numpy as np

from hardware.camera import Focus, Frame, LensKind
from hardware.camera.sensors import sensor
from hardware.camera.settling import until_steady
from hardware.errors import CameraError

log = logging.getLogger(__name__)

OPEN_S = 10.0
"""A camera that works has started by then."""
CLOSE_S = 3.0
NEXT_S = 2.0
"""A camera that works has sent its next picture by then."""
TABLE_M = 0.9
"""Where the table is; focused on if the camera could not focus by itself."""

# libcamera's numbers of AeFlickerMode, AfMode, AfTrigger and AfState.
FLICKER_MANUAL = 1
AF_MANUAL, AF_AUTO = 0, 1
AF_START = 0
AF_SCANNING, AF_FAILED = 1, 3

HELD = ("ExposureTime", "AnalogueGain", "ColourGains", "LensPosition")
"""What the settled camera measured and is then told to keep."""


class Picamera2Camera:
    """The camera on the ribbon cable; `settle_s` is how long automatics run at least before they are held.

    Lamps on mains of `mains_hz` go dark twice as often; exposures of whole periods show no bands of it. `focus` is
    where the lens is put when it is opened; without one, or with another camera's, it focuses by itself.

    `library` is the picamera2 module; tests give one of their own.
    """

    def __init__(
        self,
        size: tuple[int, int] = (1536, 864),
        rate_hz: float = 10.0,
        settle_s: float = 2.0,
        mains_hz: int = 50,
        focus: Focus | None = None,
        *,
        library: Any = None,
        wait: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if min(size) <= 0 or rate_hz <= 0 or settle_s < 0 or mains_hz <= 0:
            raise ValueError("size, rate_hz and mains_hz must be more than 0, settle_s not less.")
        self.size = size
        self.name = "camera on the ribbon cable"
        self.lens: LensKind | None = None
        self.focus: Focus | None = None
        self._wanted_focus = focus
        self._settled = False
        self._model = ""
        self._library = library or importlib.import_module("picamera2")
        self._rate_hz = rate_hz
        self._settle_s = settle_s
        self._flicker_us = round(1e6 / (2 * mains_hz))
        self._wait = wait
        self._clock = clock
        self._device: Any = None
        self._job: Any = None
        self._number = 0

    def open(self) -> None:
        """Start, let the automatics settle, hold them. Raises CameraError: final if there is no such camera."""
        if self._device is not None:
            return
        self._device = _within(OPEN_S, self._start)
        try:
            self._settle()
        except BaseException:
            self.close()
            raise

    def read(self, timeout_s: float) -> Frame:
        """The next frame. Raises CameraError (passing) if none comes in time; the next read goes on waiting for it.

        Where a `settle` has failed it is made up for first.
        """
        if self._device is None:
            raise CameraError("The camera is closed: open it first.", final=False)
        if not self._settled:
            self._settle()
            timeout_s = min(timeout_s, NEXT_S)
        if self._job is None:
            self._job = self._device.capture_array("main", wait=False)
        image = self._finish(timeout_s)
        frame = Frame(self._number, self._clock(), np.ascontiguousarray(image[..., :3], dtype=np.uint8))
        self._number += 1
        return frame

    def settle(self, focus: Focus | None = None) -> None:
        """Let the automatics run once more, then hold what they found: some seconds. Raises CameraError (passing).

        With a `focus` of this lens it is put there instead of looking for one. After a failure the next `read` tries
        again.
        """
        if self._device is None:
            raise CameraError("The camera is closed: open it first.", final=False)
        self._wanted_focus = focus
        self._settle()

    def close(self) -> None:
        """Stop; a camera that does not stop within `CLOSE_S` is left to the end of the process."""
        if self._device is None:
            return
        self._forget_job()  # the stop would wait behind it
        closing = threading.Thread(target=self._device.close, name="camera closing", daemon=True)
        closing.start()
        closing.join(CLOSE_S)
        self._device = None

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _start(self) -> Any:
        """The device, running. Raises CameraError."""
        there = [told for told in self._library.Picamera2.global_camera_info() if "/usb" not in told["Id"]]
        if not there:  # passing: when the machine starts, the kernel may find it later than the companion looks for it
            raise CameraError(
                "No camera answers on the ribbon cable: switch off, seat the cable at both ends, start again.",
                final=False,
            )
        device = None
        try:
            self._model = there[0]["Model"]
            device = self._library.Picamera2(tuning=self._tuning(self._model))
            known = sensor(self._model)
            if known:
                self.name, self.lens = known.name, known.lens
            frame_us = round(1e6 / self._rate_hz)
            device.configure(
                device.create_video_configuration(
                    main={"size": self.size, "format": "RGB888"},  # B, G, R in memory
                    sensor={"output_size": known.mode if known else device.sensor_resolution},
                    controls={"FrameDurationLimits": (frame_us, frame_us)},
                    buffer_count=3,
                )
            )
            device.start()
        except RuntimeError as busy:
            if device is not None:
                device.close()
            raise CameraError(
                "The camera cannot be started ({why}): close the other program that uses it.", why=busy, final=False
            ) from busy
        return device

    def _tuning(self, model: str) -> Any:
        """The tuning without what would draw the same piece otherwise by what else is in the picture.

        That is the adaptive contrast, and of the lens shading the part that is worked out anew from every picture: on a
        sea that fills the picture it takes the colours' differences for the lens's. With no iterations of it (`n_iter`)
        the tables of the lens alone are used. None, which stands for libcamera's own: where the tuning is not as it is
        known, the picture is worth more.
        """
        library = self._library.Picamera2
        try:
            tuning = library.load_tuning_file(f"{model}.json")
            library.find_tuning_algo(tuning, "rpi.contrast")["ce_enable"] = 0
            with contextlib.suppress(LookupError, StopIteration):  # without it no shading is corrected
                library.find_tuning_algo(tuning, "rpi.alsc")["n_iter"] = 0
        except (RuntimeError, OSError, ValueError, LookupError, StopIteration, TypeError, AttributeError) as why:
            log.warning("The tuning of %s is left as it is, adaptive contrast included: %r", model, why)
            return None
        return tuning

    def _settle(self) -> None:
        """Find and hold. Until that is done nothing is held."""
        self._settled, self.focus = False, None
        self._forget_job()
        try:
            self._find_and_hold()
        except CameraError:
            self._forget_job()
            raise
        self._settled = True

    def _find_and_hold(self) -> None:
        focus = self._wanted_focus
        has_focus = "AfMode" in self._device.camera_controls
        given = focus[1] if focus and has_focus and focus[0] == self._model else None
        automatics: dict[str, Any] = {"AeEnable": True, "AwbEnable": True}
        if "AeFlickerMode" in self._device.camera_controls:
            automatics |= {"AeFlickerMode": FLICKER_MANUAL, "AeFlickerPeriod": self._flicker_us}
        if given is not None:
            automatics |= {"AfMode": AF_MANUAL, "LensPosition": given}
        elif has_focus:
            automatics |= {"AfMode": AF_AUTO, "AfTrigger": AF_START}
        self._device.set_controls(automatics)
        measured = until_steady(self._measure, _figures, self._settle_s, wait=self._wait, clock=self._clock)
        held = {key: measured[key] for key in HELD if key in measured and (has_focus or key != "LensPosition")}
        modes: dict[str, Any] = {"AeEnable": False, "AwbEnable": False}
        if has_focus:
            modes["AfMode"] = AF_MANUAL
            if given is not None:
                held["LensPosition"] = given
            elif measured.get("AfState") in (AF_SCANNING, AF_FAILED):
                held["LensPosition"] = 1 / TABLE_M
        self._device.set_controls({**modes, **held})
        self.focus = (self._model, float(held["LensPosition"])) if "LensPosition" in held else None

    def _measure(self) -> Mapping[str, Any]:
        """What the camera tells with its next picture."""
        self._job = self._device.capture_metadata(wait=False)
        measured: Mapping[str, Any] = self._finish(max(NEXT_S, 3 / self._rate_hz))
        return measured

    def _forget_job(self) -> None:
        """What is still waited for is no longer wanted."""
        if self._job is not None:
            self._device.cancel_all_and_flush()
            self._job = None

    def _finish(self, timeout_s: float) -> Any:
        """The result of the job under way, which stays under way if the time runs out."""
        try:
            result = self._device.wait(self._job, timeout=timeout_s)
        except TimeoutError:
            raise CameraError("The camera sent nothing in {seconds:g} s.", seconds=timeout_s, final=False) from None
        except RuntimeError as fault:
            self._job = None
            raise CameraError("The camera failed ({why}): it is tried again.", why=fault, final=False) from fault
        self._job = None
        return result


def _figures(measured: Mapping[str, Any]) -> list[float] | None:
    """Brightness and colours; None while the focus is looked for."""
    if measured.get("AfState") == AF_SCANNING:
        return None
    brightness = measured.get("ExposureTime", 0) * measured.get("AnalogueGain", 1.0)
    return [brightness, *measured.get("ColourGains", ())]


def _within(limit_s: float, call: Callable[[], Any]) -> Any:
    """What a call gives, or raises; one that has not returned in time is left behind. Raises CameraError (passing)."""
    done: list[Any] = []
    failed: list[BaseException] = []

    def work() -> None:
        try:
            done.append(call())
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=work, name="camera opening", daemon=True)
    thread.start()
    thread.join(limit_s)
    if failed:
        raise failed[0]
    if not done:
        raise CameraError(
            "The camera did not start in {seconds:g} s: start the companion again.", seconds=limit_s, final=False
        )
    return done[0]
