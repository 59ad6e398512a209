"""The drivers against the packages that only a Raspberry Pi has, where those are: deploy/check-pi-packages brings them.

No camera and no pins are needed: the library's classes are stood in for by mocks that know every signature of theirs.
"""

from __future__ import annotations

import importlib
import importlib.util
import itertools
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any
from unittest.mock import create_autospec

import numpy as np
import pytest

from hardware.camera import picamera2 as driver
from hardware.camera.picamera2 import Picamera2Camera
from hardware.camera.sensors import sensor
from hardware.panel import PanelError
from hardware.panel.gpio import GpioPanel
from hardware.panel.pins import load_pins

MEASURED = {"ExposureTime": 8000, "AnalogueGain": 2.0, "ColourGains": (1.5, 1.7), "LensPosition": 1.2, "AfState": 2}


def package(name: str) -> Any:
    """The package; the test is left out where it is not installed, and fails where it is and cannot be imported."""
    if importlib.util.find_spec(name) is None:
        pytest.skip(f"{name} is not installed here: deploy/check-pi-packages")
    return importlib.import_module(name)


@pytest.fixture
def library():
    return package("picamera2")


@pytest.fixture
def device(library):
    """A camera that knows picamera2's methods and takes no argument that those do not."""
    device = create_autospec(library.Picamera2, instance=True)
    device.camera_controls = {"AfMode": (0, 2, 0), "AeFlickerMode": (0, 1, 0), "AeFlickerPeriod": (100, 1000000, None)}
    device.wait.side_effect = lambda job, **_: (
        MEASURED if job is device.capture_metadata.return_value else np.zeros((8, 12, 3), np.uint8)
    )
    return device


def test_everything_asked_of_picamera2_is_there(library, device, clock):
    picamera2 = create_autospec(library.Picamera2, return_value=device)
    picamera2.global_camera_info.return_value = [{"Model": "imx708_wide", "Id": "/base/soc/i2c0mux/i2c@1/imx708@1a"}]
    picamera2.load_tuning_file.return_value = {
        "version": 2.0,
        "algorithms": [{"rpi.contrast": {"ce_enable": 1}}, {"rpi.alsc": {}}],
    }
    picamera2.find_tuning_algo.side_effect = library.Picamera2.find_tuning_algo
    camera = Picamera2Camera((12, 8), library=SimpleNamespace(Picamera2=picamera2), wait=clock.wait, clock=clock)
    with camera:
        assert camera.read(1.0).image.shape == (8, 12, 3)
        assert camera.lens == "wide"
        camera.settle()
        camera.settle(("imx708_wide", 1.5))
    static = [{"rpi.contrast": {"ce_enable": 0}}, {"rpi.alsc": {"n_iter": 0}}]
    picamera2.assert_called_once_with(tuning={"version": 2.0, "algorithms": static})
    device.close.assert_called_once_with()


def test_a_tuning_without_lens_shading_is_one_that_picamera2_finds_none_in(library, device, clock):
    tuning = {"version": 2.0, "algorithms": [{"rpi.contrast": {"ce_enable": 1}}]}
    picamera2 = create_autospec(library.Picamera2, return_value=device)
    picamera2.global_camera_info.return_value = [{"Model": "imx708", "Id": "/base/soc/i2c0mux/i2c@1/imx708@1a"}]
    picamera2.load_tuning_file.return_value = tuning
    picamera2.find_tuning_algo.side_effect = library.Picamera2.find_tuning_algo
    with Picamera2Camera((12, 8), library=SimpleNamespace(Picamera2=picamera2), wait=clock.wait, clock=clock):
        picamera2.assert_called_once_with(tuning={"version": 2.0, "algorithms": [{"rpi.contrast": {"ce_enable": 0}}]})


def test_the_configuration_is_one_that_picamera2_makes(library, device, clock):
    """The real method, on a stand-in that has a camera."""
    real = library.Picamera2
    camera = SimpleNamespace(
        camera=object(),
        camera_controls={"NoiseReductionMode": (0, 4, 0), "FrameDurationLimits": (0, 1, 0)},
        sensor_format="SRGGB10_CSI2P",
        _is_rpi_camera=lambda: True,
        _raw_stream_ignore_list=real._raw_stream_ignore_list,
        _make_initial_stream_config=real._make_initial_stream_config,
        align_stream=real.align_stream,
        _add_display_and_encode=real._add_display_and_encode,
    )
    device.create_video_configuration.side_effect = lambda **told: real.create_video_configuration(camera, **told)
    picamera2 = create_autospec(real, return_value=device)
    picamera2.global_camera_info.return_value = [{"Model": "imx708", "Id": "/base/soc/i2c0mux/i2c@1/imx708@1a"}]
    with Picamera2Camera(library=SimpleNamespace(Picamera2=picamera2), wait=clock.wait, clock=clock):
        (configuration,) = device.configure.call_args.args
    assert configuration["main"]["size"] == (1536, 864), "no row of a picture of this size is padded"
    assert configuration["sensor"] == {"output_size": (2304, 1296)}
    assert configuration["controls"]["FrameDurationLimits"] == (100000, 100000)
    real.check_stream_config(camera, configuration["main"], "main")


@pytest.mark.parametrize(
    ("told", "taken"), [({}, (1536, 864)), ({"output_size": sensor("imx708_wide").mode}, (2304, 1296))]
)
def test_the_mode_that_sees_all_of_a_camera_module_3_is_taken_only_when_it_is_named(library, monkeypatch, told, taken):
    """By picamera2's own rating; 1536 x 864 shows two thirds of the sensor's width."""
    libcamera = package("libcamera")
    made = SimpleNamespace()
    monkeypatch.setattr(libcamera, "SensorConfiguration", lambda: made)
    streams = SimpleNamespace(at=lambda _index: SimpleNamespace())
    sizes = ((1536, 864), (2304, 1296), (4608, 2592))
    camera = SimpleNamespace(
        camera=SimpleNamespace(generate_configuration=lambda _roles: streams),
        _raw_modes=[{"format": "SRGGB10_CSI2P", "size": size} for size in sizes],
        _is_rpi_camera=lambda: True,
        _update_libcamera_stream_config=lambda *_: None,
        sensor_format="SRGGB10_CSI2P",
    )
    configuration = {
        "transform": libcamera.Transform(),
        "colour_space": libcamera.ColorSpace.Rec709(),
        "buffer_count": 3,
        "main": {"size": (1536, 864), "format": "RGB888"},
        "lores": None,
        "raw": {"size": (1536, 864), "format": "SRGGB10_CSI2P"},
        "sensor": told,
    }
    library.Picamera2._make_libcamera_config(camera, configuration)
    assert (made.output_size.width, made.output_size.height) == taken


def test_libcameras_numbers_are_the_ones_written_in_the_driver():
    controls = package("libcamera").controls
    told = {
        driver.AF_MANUAL: controls.AfModeEnum.Manual,
        driver.AF_AUTO: controls.AfModeEnum.Auto,
    }
    assert all(int(value) == number for number, value in told.items())
    assert int(controls.AeFlickerModeEnum.Manual) == driver.FLICKER_MANUAL
    assert int(controls.AfTriggerEnum.Start) == driver.AF_START
    assert int(controls.AfStateEnum.Scanning) == driver.AF_SCANNING
    assert int(controls.AfStateEnum.Failed) == driver.AF_FAILED
    for name in (*driver.HELD, "AeEnable", "AwbEnable", "AfMode", "AfTrigger", "AfState", "FrameDurationLimits"):
        assert hasattr(controls, name), name
    for name in ("AeFlickerMode", "AeFlickerPeriod"):
        assert hasattr(controls, name), name


PI_5 = 0xC04170


def test_the_panel_asks_lgpio_for_levels_and_for_no_alerts(monkeypatch, clock):
    lgpio = package("lgpio")
    from gpiozero.pins.lgpio import LGPIOFactory, LGPIOPin

    out: set[int] = set()
    level: dict[int, int] = {}

    def stand_in(name: str, answer: Callable[..., Any]) -> Any:
        mock = create_autospec(getattr(lgpio, name), side_effect=answer)
        monkeypatch.setattr(lgpio, name, mock)
        return mock

    stand_in("gpiochip_open", lambda _chip: 7)
    stand_in("gpiochip_close", lambda _handle: 0)
    stand_in("gpio_claim_input", lambda _handle, gpio, _flags=0: out.discard(gpio))
    stand_in("gpio_claim_output", lambda _handle, gpio, *_: out.add(gpio))
    stand_in(
        "gpio_get_mode", lambda _handle, gpio: LGPIOPin.GPIO_IS_OUT if gpio in out else LGPIOPin.GPIO_IS_BIAS_PULL_UP
    )
    stand_in("gpio_read", lambda _handle, gpio: level.get(gpio, 0 if gpio in out else 1))
    stand_in("gpio_write", lambda _handle, gpio, value: level.update({gpio: int(value)}))
    stand_in("gpio_free", lambda *_: 0)
    alerts = stand_in("gpio_claim_alert", lambda *_: 0)

    class OnPi5(LGPIOFactory):
        def _get_revision(self) -> int:
            return PI_5

    pins = load_pins()
    with GpioPanel(pin_factory=OnPi5(), scan_hz=0, clock=clock) as panel:
        panel.set_led("player1", True)
        assert level[pins.leds["player1"]] == 1
        level[pins.buttons["roll"]] = 0
        seen = []
        for _ in range(6):
            clock.now += 0.01
            seen += panel.poll()
        assert [(event.button, event.pressed) for event in seen] == [("roll", True)]
    assert level[pins.leds["player1"]] == 0
    assert not alerts.called


def test_lgpios_errors_are_told_in_a_sentence(monkeypatch, clock):
    lgpio = package("lgpio")
    from gpiozero.pins.lgpio import LGPIOFactory

    class OnPi5(LGPIOFactory):
        def _get_revision(self) -> int:
            return PI_5

    monkeypatch.setattr(lgpio, "gpiochip_open", lambda _chip: 7)
    monkeypatch.setattr(lgpio, "gpiochip_close", lambda _handle: 0)
    answers = itertools.chain([lgpio.error("GPIO busy")], itertools.repeat(0))
    monkeypatch.setattr(lgpio, "gpio_claim_input", create_autospec(lgpio.gpio_claim_input, side_effect=answers))
    with pytest.raises(PanelError, match="GPIO busy"):
        GpioPanel(pin_factory=OnPi5(), scan_hz=0, clock=clock).open()
