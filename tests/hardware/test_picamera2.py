"""The ribbon cable's camera against a library that is handed in: what it is told, what happens when it is silent."""

from __future__ import annotations

import itertools
import threading
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from hardware.camera import CameraError, picamera2
from hardware.camera.picamera2 import Picamera2Camera

RIBBON = "/base/axi/pcie@1000120000/rp1/i2c@88000/imx708@1a"
USB = "/base/axi/pcie@1000120000/rp1/usb@200000-1:1.0-046d:0825"

MEASURED = {"ExposureTime": 8000, "AnalogueGain": 2.0, "ColourGains": (1.5, 1.7), "LensPosition": 1.2, "Lux": 300}


class Device:
    """What is used of `Picamera2`; `silent` makes every wait run out of time."""

    def __init__(self) -> None:
        self.camera_controls: dict[str, Any] = {"AfMode": (0, 2, 0)}
        self.tuning_file: dict[str, Any] | None = {
            "algorithms": [
                {"rpi.agc": {}},
                {"rpi.alsc": {"n_iter": 100, "omega": 1.3}},
                {"rpi.contrast": {"ce_enable": 1}},
            ]
        }
        self.tuning: dict[str, Any] | None = None
        self.told: list[dict[str, Any]] = []
        self.jobs: list[str] = []
        self.silent = False
        self.busy = False
        self.closed = False
        self.measured: list[dict[str, Any]] = [MEASURED]
        self.sensor_resolution = (5000, 4000)

    def create_video_configuration(self, **options: Any) -> dict[str, Any]:
        return options

    def configure(self, configuration: dict[str, Any]) -> None:
        self.configuration = configuration

    def start(self) -> None:
        if self.busy:
            raise RuntimeError("Device or resource busy")

    def set_controls(self, controls: dict[str, Any]) -> None:
        self.told.append(controls)

    def capture_metadata(self, wait: bool) -> str:
        assert wait is False
        self.jobs.append("metadata")
        return "metadata"

    def capture_array(self, name: str, wait: bool) -> str:
        assert (name, wait) == ("main", False)
        self.jobs.append("array")
        return "array"

    def wait(self, job: str, timeout: float) -> Any:
        assert timeout > 0
        if self.silent:
            raise TimeoutError
        if job == "array":
            return np.full((8, 12, 3), 9, np.uint8)
        return self.measured.pop(0) if len(self.measured) > 1 else self.measured[0]

    def cancel_all_and_flush(self) -> None:
        self.jobs.clear()

    def close(self) -> None:
        assert not self.jobs or not self.silent, "libcamera stops only after the jobs that wait for a picture"
        self.closed = True


@pytest.fixture
def device():
    return Device()


@pytest.fixture
def plugged_in(device, clock):
    """A driver for a camera of the model that is named."""

    def build(model: str, **options: Any) -> Picamera2Camera:
        def picamera2(tuning: Any) -> Device:
            device.tuning = tuning
            return device

        def load_tuning_file(name: str) -> dict[str, Any]:
            assert name == f"{model}.json"
            if device.tuning_file is None:
                raise RuntimeError("Tuning file not found")
            return device.tuning_file

        picamera2.global_camera_info = lambda: [{"Model": model, "Id": RIBBON}]
        picamera2.load_tuning_file = load_tuning_file
        picamera2.find_tuning_algo = lambda tuning, name: next(a for a in tuning["algorithms"] if name in a)[name]
        library = SimpleNamespace(Picamera2=picamera2)
        return Picamera2Camera((12, 8), library=library, wait=clock.wait, clock=clock, **options)

    return build


@pytest.fixture
def camera(plugged_in):
    return plugged_in("imx708")


def test_focus_exposure_and_white_balance_settle_and_are_then_held(camera, device, clock):
    with camera:
        first, last = device.told
    assert first == {"AeEnable": True, "AwbEnable": True, "AfMode": 1, "AfTrigger": 0}
    assert clock.now == 102.0
    held = {k: v for k, v in MEASURED.items() if k != "Lux"}
    assert last == {"AeEnable": False, "AwbEnable": False, "AfMode": 0, **held}


def test_it_is_waited_for_until_brightness_and_focus_stand_still(camera, device):
    device.measured = [
        MEASURED | {"ExposureTime": 4000, "AfState": 1},
        MEASURED | {"ExposureTime": 7000, "AfState": 1},
        MEASURED | {"ExposureTime": 7900, "AfState": 2},
        MEASURED | {"AfState": 2},
        MEASURED | {"ExposureTime": 9999, "AfState": 2},
    ]
    with camera:
        assert device.told[-1]["ExposureTime"] == 8000


def test_light_that_never_stands_still_is_held_as_it_was_last(camera, device, clock):
    flicker = itertools.cycle((4000, 9000))

    def wait(job: str, timeout: float) -> dict[str, Any]:
        clock.now += 0.1
        return MEASURED | {"ExposureTime": next(flicker), "ColourGains": (clock.now, 1.0)}

    device.wait = wait
    with camera:
        assert 7.9 < clock.now - 100.0 < 8.5
        assert device.told[-1]["ColourGains"] == (clock.now, 1.0)


@pytest.mark.parametrize("state", [1, 3])
def test_focus_that_was_not_found_is_put_on_the_table(camera, device, clock, state):
    def wait(job: str, timeout: float) -> dict[str, Any]:
        clock.now += 0.1
        return MEASURED | {"AfState": state, "LensPosition": 14.0}

    device.wait = wait
    with camera:
        assert device.told[-1]["LensPosition"] == pytest.approx(1 / 0.9)


def test_contrast_and_shading_do_not_depend_on_what_is_in_the_picture(camera, device):
    with camera:
        assert device.tuning == {
            "algorithms": [
                {"rpi.agc": {}},
                {"rpi.alsc": {"n_iter": 0, "omega": 1.3}},
                {"rpi.contrast": {"ce_enable": 0}},
            ]
        }


def test_a_tuning_without_lens_shading_loses_its_contrast_all_the_same(camera, device, caplog):
    device.tuning_file = {"algorithms": [{"rpi.contrast": {"ce_enable": 1}}]}
    with camera:
        assert device.tuning == {"algorithms": [{"rpi.contrast": {"ce_enable": 0}}]}
    assert caplog.records == []


@pytest.mark.parametrize("found", [None, {"algorithms": [{"rpi.agc": {}}]}, {"version": 1}])
def test_a_tuning_that_is_not_as_it_is_known_is_left_and_one_line_in_the_log(camera, device, caplog, found):
    device.tuning_file = found
    with camera:
        assert device.tuning is None, "libcamera takes its own"
    assert len(caplog.records) == 1


@pytest.mark.parametrize(("mains_hz", "period_us"), [(50, 10_000), (60, 8_333)])
def test_lamps_that_flicker_draw_no_bands_where_the_camera_can_help_it(plugged_in, device, mains_hz, period_us):
    camera = plugged_in("imx708", mains_hz=mains_hz)
    device.camera_controls |= {"AeFlickerMode": (0, 1, 0), "AeFlickerPeriod": (100, 1000000, None)}
    with camera:
        first, last = device.told
    assert (first["AeFlickerMode"], first["AeFlickerPeriod"]) == (1, period_us)
    assert "AeFlickerMode" not in last


@pytest.mark.parametrize(
    ("model", "known"),
    [
        ("imx708", ("Camera Module 3", "normal", (2304, 1296))),
        ("imx708_wide", ("Camera Module 3 Wide", "wide", (2304, 1296))),
        ("imx708_wide_noir", ("Camera Module 3 Wide", "wide", (2304, 1296))),
        ("imx477", ("HQ Camera", None, (2028, 1520))),
        ("ov9999", ("camera on the ribbon cable", None, (5000, 4000))),
    ],
)
def test_the_camera_is_known_by_its_sensor_and_sees_all_of_it(plugged_in, device, model, known):
    with plugged_in(model) as camera:
        assert (camera.name, camera.lens, device.configuration["sensor"]["output_size"]) == known


def test_an_open_camera_does_not_settle_again_but_a_closed_one_does(camera, device):
    camera.open()
    with camera:
        assert len(device.told) == 2
    assert device.closed
    camera.open()
    assert len(device.told) == 4


def test_it_settles_again_when_it_is_told_to_and_goes_on_showing_pictures(camera, device):
    with camera:
        device.measured = [MEASURED | {"ExposureTime": 20000}]
        camera.settle()
        again, held = device.told[2:]
        assert again["AeEnable"]
        assert (held["AeEnable"], held["ExposureTime"]) == (False, 20000)
        assert camera.read(1.0).image.shape == (8, 12, 3)


def test_a_picture_that_did_not_come_is_not_taken_for_a_measurement(camera, device):
    with camera:
        device.silent = True
        for fails in (lambda: camera.read(0.5), camera.settle):
            with pytest.raises(CameraError, match="sent nothing"):
                fails()
        device.silent = False
        assert device.jobs == []
        assert camera.read(0.5).image.shape == (8, 12, 3)


def test_a_failed_settle_is_made_up_for_by_the_next_read(camera, device):
    with camera:
        device.silent = True
        with pytest.raises(CameraError, match="sent nothing"):
            camera.settle(("imx708", 1.07))
        assert camera.focus is None
        device.silent = False
        camera.read(0.5)
        assert (device.told[-1]["AeEnable"], device.told[-1]["LensPosition"]) == (False, 1.07)
        assert camera.focus == ("imx708", 1.07)
        settled = len(device.told)
        camera.read(0.5)
        assert len(device.told) == settled


def test_a_closed_camera_cannot_settle(camera):
    with pytest.raises(CameraError, match="open it first"):
        camera.settle()


def test_a_camera_of_fixed_focus_is_not_told_to_focus(camera, device):
    device.camera_controls = {}
    with camera:
        assert camera.focus is None
        camera.settle(("imx708", 1.07))
        assert not any(key in controls for controls in device.told for key in ("AfMode", "LensPosition"))


def test_the_lens_goes_to_where_it_was_calibrated_and_does_not_look_for_the_table(plugged_in, device):
    with plugged_in("imx708", focus=("imx708", 1.07)) as camera:
        first, last = device.told
        assert (first["AfMode"], first["LensPosition"]) == (0, 1.07)
        assert "AfTrigger" not in first
        assert (last["AfMode"], last["LensPosition"]) == (0, 1.07), "not what the lens tells of itself"
        assert camera.focus == ("imx708", 1.07)
        camera.settle(("imx708", 1.07))
        assert all("AfTrigger" not in told for told in device.told)


def test_where_the_camera_has_focused_by_itself_is_told_to_be_kept(plugged_in, device):
    with plugged_in("imx708", focus=("imx708", 1.07)) as camera:
        camera.settle()  # for a calibration
        assert device.told[-2]["AfTrigger"] == 0
        assert camera.focus == ("imx708", MEASURED["LensPosition"])


def test_another_cameras_lens_says_nothing_about_this_one(plugged_in, device):
    with plugged_in("imx708_wide", focus=("imx708", 1.07)) as camera:
        assert device.told[0]["AfTrigger"] == 0
        assert camera.focus == ("imx708_wide", MEASURED["LensPosition"])


def test_the_picture_is_of_the_size_and_byte_order_that_was_asked(camera, device):
    with camera:
        frame = camera.read(1.0)
    assert device.configuration["controls"] == {"FrameDurationLimits": (100000, 100000)}
    assert device.configuration["main"] == {"size": (12, 8), "format": "RGB888"}
    assert (frame.number, frame.image.shape, frame.image.dtype) == (0, (8, 12, 3), np.uint8)


def test_a_silent_camera_is_a_passing_fault_and_no_second_picture_is_queued(camera, device):
    with camera:
        device.jobs.clear()
        device.silent = True
        for _ in range(2):
            with pytest.raises(CameraError, match=r"sent nothing in 0\.5 s") as e:
                camera.read(0.5)
            assert not e.value.final
        device.silent = False
        assert camera.read(0.5).number == 0
    assert device.jobs == ["array"]


def test_a_camera_that_never_settles_is_closed_again(camera, device):
    device.silent = True
    with pytest.raises(CameraError, match="sent nothing"):
        camera.open()
    assert device.closed


def test_a_camera_in_use_is_a_passing_fault(camera, device):
    device.busy = True
    with pytest.raises(CameraError, match="close the other program") as e:
        camera.open()
    assert not e.value.final


def test_a_camera_that_never_starts_is_left_behind(camera, device, monkeypatch):
    monkeypatch.setattr(picamera2, "OPEN_S", 0.01)
    never = threading.Event()
    device.start = never.wait
    with pytest.raises(CameraError, match=r"did not start in 0\.01 s") as e:
        camera.open()
    assert not e.value.final
    never.set()


def test_a_silent_camera_is_let_go_all_the_same(camera, device):
    with camera:
        device.silent = True
        with pytest.raises(CameraError):
            camera.read(0.5)
    assert device.closed


@pytest.mark.parametrize("others", [[], [{"Model": "UVC Camera", "Id": USB}]])
def test_without_a_camera_on_the_cable_it_is_said_and_tried_again_whatever_is_on_usb(clock, others):
    def picamera2() -> Device:
        raise AssertionError

    picamera2.global_camera_info = lambda: others
    camera = Picamera2Camera(library=SimpleNamespace(Picamera2=picamera2), wait=clock.wait, clock=clock)
    with pytest.raises(CameraError, match="seat the cable at both ends") as e:
        camera.open()
    assert not e.value.final
