"""The USB camera: sizes, what is held, silence, unplugging, with a capture device that the test holds in its hand."""

from __future__ import annotations

import fcntl
import os
import queue
import struct
import threading
import time
from pathlib import Path
from typing import Self

import cv2
import numpy as np
import pytest

from companion.watch.watcher import SILENCE_S
from hardware.camera import CameraError, Frame, controls, open_live, v4l2
from hardware.camera.controls import (
    AUTO_WHITE_BALANCE,
    EXPOSURE_ABSOLUTE,
    EXPOSURE_AUTO,
    EXPOSURE_MANUAL,
    FOCUS_ABSOLUTE,
    FOCUS_AUTO,
    GAIN,
    POWER_LINE_FREQUENCY,
    WHITE_BALANCE_TEMPERATURE,
    DeviceControls,
)
from hardware.camera.nodes import VideoNode
from hardware.camera.v4l2 import V4l2Camera

UNPLUGGED = object()
TORN = object()
LIVE = object()
DEVICE = "/dev/video0"
NODE = VideoNode(Path(DEVICE), "HD Webcam", "usb")
MJPG, YUYV = (cv2.VideoWriter.fourcc(*name) for name in ("MJPG", "YUYV"))


class Plug:
    """A camera that has these `sizes`; `there` tells whether it can be opened.

    While it settles it delivers by itself; then it sends what the test puts into `feed`. The picture is as bright as
    exposure and gain make it, and as warm as the white balance.
    """

    def __init__(self) -> None:
        self.there = True
        self.sizes: tuple[tuple[int, int], ...] = ((640, 480), (1280, 720), (1920, 1080))
        self.packed = True
        self.size = (640, 480)
        self.told: dict[int, float] = {}
        self.feed: queue.Queue[object] = queue.Queue()
        self.by_itself = True
        self.opened = 0
        self.released = 0
        self.grabbed: object = None
        self.unpacked = 0
        self.controls = UsbControls()

    def __call__(self, device: str) -> Plug:
        self.opened += 1
        self.by_itself = True
        self.device = device
        return self

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return self.there

    def set(self, prop: int, value: float) -> bool:
        self.told[prop] = value
        if prop == cv2.CAP_PROP_FRAME_HEIGHT:
            width, height = self.told[cv2.CAP_PROP_FRAME_WIDTH], value
            self.size = min(self.sizes, key=lambda has: abs(has[0] - width) + abs(has[1] - height))
        return True

    def get(self, prop: int) -> float:
        return {
            cv2.CAP_PROP_FRAME_WIDTH: self.size[0],
            cv2.CAP_PROP_FRAME_HEIGHT: self.size[1],
            cv2.CAP_PROP_FOURCC: MJPG if self.packed else YUYV,
            cv2.CAP_PROP_FPS: 10.0 if self.packed else 5.0,
        }[prop]

    def picture(self) -> np.ndarray:
        blue, green, red = self.controls.light()
        image = np.zeros((self.size[1], self.size[0], 3), np.uint8)
        image[:, ::4] = blue, green, red
        return image

    def grab(self) -> bool:
        if self.by_itself:
            self.grabbed = LIVE
            time.sleep(0.001)
            return True
        self.grabbed = self.feed.get(timeout=5)
        return self.grabbed is not UNPLUGGED

    def retrieve(self) -> tuple[bool, object]:
        self.unpacked += 1
        return self.grabbed is not TORN, self.picture() if self.grabbed is LIVE else self.grabbed

    def release(self) -> None:
        self.released += 1


class UsbControls:
    """A camera's controls: what the automatics set, in `found`, and what was written, in order."""

    def __init__(self) -> None:
        self.at = {
            POWER_LINE_FREQUENCY: 3,
            EXPOSURE_AUTO: 3,
            AUTO_WHITE_BALANCE: 1,
            FOCUS_AUTO: 1,
            EXPOSURE_ABSOLUTE: 200,
            GAIN: 10,
            WHITE_BALANCE_TEMPERATURE: 4000,
            FOCUS_ABSOLUTE: 35,
        }
        self.written: list[tuple[int, int]] = []
        self.finds_focus = 35
        self.lacks: set[int] = set()
        self.lies: dict[int, int] = {}
        """What is told instead of where it stands."""

    def light(self) -> tuple[float, float, float]:
        bright = self.at[EXPOSURE_ABSOLUTE] / 2
        return bright * 4000 / self.at[WHITE_BALANCE_TEMPERATURE], bright, bright

    def get(self, control: int) -> int | None:
        return None if control in self.lacks else self.lies.get(control, self.at.get(control))

    def set(self, control: int, value: int) -> bool:
        if control in self.lacks:
            return False
        self.written.append((control, value))
        self.at[control] = value
        if control == EXPOSURE_AUTO and value != EXPOSURE_MANUAL:
            self.at[EXPOSURE_ABSOLUTE] = 200
        if control == FOCUS_AUTO and value:
            self.at[FOCUS_ABSOLUTE] = self.finds_focus
        return True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        """Nothing to do."""


@pytest.fixture
def plug():
    return Plug()


@pytest.fixture
def camera(plug, clock):
    yield from made(plug, clock)


def made(plug, clock, **options):
    options.setdefault("nodes", lambda: [NODE])
    camera = V4l2Camera(capture=plug, controls=lambda _: plug.controls, wait=clock.wait, clock=clock, **options)
    yield camera
    plug.there = False
    plug.feed.put(UNPLUGGED)
    camera.close()


def test_a_missing_camera_says_what_to_do_and_may_be_plugged_in_later(plug, camera):
    plug.there = False
    with pytest.raises(CameraError, match=r"No camera on USB answers: check its cable\.") as e:
        camera.open()
    assert not e.value.final
    plug.there = True
    camera.open()


# --- sizes ---


@pytest.mark.parametrize(
    ("has", "taken"),
    [
        (((640, 480), (1280, 720), (1920, 1080), (3840, 2160)), (1920, 1080)),
        (((640, 480), (1280, 720), (1600, 1200)), (1600, 1200)),
        (((640, 480), (1280, 720), (1280, 960)), (1280, 960)),
        (((640, 480), (1280, 720)), (1280, 720)),
        (((640, 480), (1440, 810)), (1440, 810)),
        (((2560, 1440),), (2560, 1440)),
    ],
)
def test_a_camera_is_used_in_its_best_size_up_to_the_one_that_is_best(plug, camera, has, taken):
    plug.sizes = has
    with camera:
        assert camera.size == taken
        assert camera.read(5.0).image.shape == (taken[1], taken[0], 3)


@pytest.mark.parametrize("coarse", [(640, 480), (1024, 768), (1280, 600)])
def test_a_camera_too_coarse_for_the_board_is_told_with_the_least_size_and_another_may_be_plugged_in(
    plug, camera, coarse
):
    plug.sizes = (coarse,)
    said = rf"The camera is too coarse for the board: {coarse[0]} x {coarse[1]}, 1280 x 720 is the least\."
    with pytest.raises(CameraError, match=said) as e:
        camera.open()
    assert not e.value.final
    assert plug.released == 1
    plug.sizes = ((1280, 720),)
    camera.open()


def test_pictures_are_asked_for_packed_as_unpacked_large_ones_are_slow(plug, camera, caplog):
    caplog.set_level("INFO")
    with camera:
        assert next(iter(plug.told.items())) == (cv2.CAP_PROP_FOURCC, MJPG)
    assert "HD Webcam: 1920 x 1080, MJPG, 10 pictures a second" in caplog.text


def test_a_camera_without_packed_pictures_is_used_with_those_it_has(plug, camera, caplog):
    caplog.set_level("INFO")
    plug.packed = False
    with camera:
        assert camera.read(5.0).image.shape == (1080, 1920, 3)
    assert "YUYV, 5 pictures a second" in caplog.text


def test_plugged_in_again_it_has_the_size_that_it_had_whatever_was_there_meanwhile(plug, camera):
    camera.open()
    for sizes in (((1280, 720),), ((1280, 720), (1920, 1080))):
        unplug(camera, plug)
        plug.sizes = sizes
        frame = camera.read(5.0)
        assert camera.size == frame.image.shape[1::-1] == sizes[-1]


# --- what is held ---


def test_exposure_white_balance_and_focus_settle_and_are_then_held_where_they_stand(plug, camera, clock):
    camera.open()
    assert clock.now >= 102.0
    assert plug.controls.written == [
        (POWER_LINE_FREQUENCY, 1),
        (EXPOSURE_AUTO, 3),
        (AUTO_WHITE_BALANCE, 1),
        (FOCUS_AUTO, 1),
        (EXPOSURE_AUTO, 1),
        (EXPOSURE_ABSOLUTE, 200),
        (GAIN, 10),
        (AUTO_WHITE_BALANCE, 0),
        (WHITE_BALANCE_TEMPERATURE, 4000),
        (FOCUS_AUTO, 0),
        (FOCUS_ABSOLUTE, 35),
    ]


def test_it_is_waited_for_until_the_picture_stands_still(plug, clock):
    brightening = iter((60, 90, 120, 150, 180))

    def grows(seconds: float) -> None:
        clock.now += seconds

    class Slow(UsbControls):
        def light(self) -> tuple[float, float, float]:
            if self.at[EXPOSURE_AUTO] == 3:
                self.at[EXPOSURE_ABSOLUTE] = next(brightening, 180)
            return super().light()

    plug.controls = Slow()
    for camera in made(plug, clock):
        camera._wait = grows
        camera.open()
    assert (EXPOSURE_ABSOLUTE, 180) in plug.controls.written


@pytest.mark.parametrize("jumps", [False, True])
def test_light_that_flickers_and_a_slow_plug_do_not_silence_it_until_it_counts_as_wedged(
    plug, clock, jumps, monkeypatch
):
    class Flickering(UsbControls):
        def light(self) -> tuple[float, float, float]:
            clock.now += 0.2
            bright = 100 + 5 * (int(clock.now * 5) % 2)
            if jumps and not (self.at[EXPOSURE_AUTO] == 3 and self.at[AUTO_WHITE_BALANCE] and self.at[FOCUS_AUTO]):
                bright /= 2
            return bright, bright, bright

    def slow(device: str) -> Plug:
        clock.wait(1.5 * plug.there)
        return plug(device)

    def back(seconds: float) -> None:
        clock.wait(seconds)
        plug.there = clock.now >= back_at

    plug.controls = Flickering()
    for camera in made(plug, clock):
        camera._capture, camera._wait = slow, back
        comes = camera._news.wait_for  # every picture does, however busy this machine is
        monkeypatch.setattr(camera._news, "wait_for", lambda there, _, comes=comes: comes(there, 60))
        back_at = clock.now
        camera.open()
        unplug(camera, plug)
        began, plug.there, back_at = clock.now, False, clock.now + v4l2.AWAIT_S
        camera.read(5.0)
        assert 6.0 < clock.now - began < SILENCE_S - 1.0
        assert plug.controls.at[FOCUS_AUTO] == jumps
        assert (camera.focus is None) == jumps


@pytest.mark.parametrize(("mains_hz", "told"), [(50, 1), (60, 2), (16, 3)])
def test_the_camera_is_told_what_its_lamps_are_on(plug, clock, mains_hz, told):
    for camera in made(plug, clock, mains_hz=mains_hz):
        camera.open()
    assert (POWER_LINE_FREQUENCY, told) in plug.controls.written


def test_a_camera_that_knows_no_aperture_priority_is_set_free_by_the_other_automatic(plug, camera):
    taken = plug.controls.set
    plug.controls.set = lambda control, value: (control, value) != (EXPOSURE_AUTO, 3) and taken(control, value)
    with camera:
        assert plug.controls.written.index((EXPOSURE_AUTO, 0)) < plug.controls.written.index((EXPOSURE_AUTO, 1))


def test_what_a_camera_lacks_is_told_once_and_it_is_used_all_the_same(plug, camera, caplog):
    plug.controls.lacks = {AUTO_WHITE_BALANCE, FOCUS_AUTO, FOCUS_ABSOLUTE, POWER_LINE_FREQUENCY, GAIN}
    camera.open()
    camera.settle()
    camera.settle()
    assert camera.read(5.0).number == 0
    assert camera.focus is None
    assert [r.getMessage() for r in caplog.records] == ["HD Webcam: cannot be held still: white balance, focus"]
    assert plug.controls.at[EXPOSURE_AUTO] == EXPOSURE_MANUAL


def test_a_camera_whose_controls_cannot_be_opened_is_used_all_the_same(plug, clock, caplog):
    def refuse(_device: str) -> UsbControls:
        raise PermissionError(13, "Permission denied")

    for camera in made(plug, clock):
        camera._controls = refuse
        camera.open()
        camera.settle()
        assert camera.read(5.0).number == 0
    assert len(caplog.records) == 1
    assert "Permission denied" in caplog.text


def test_an_exposure_that_is_not_what_the_camera_tells_is_left_to_its_automatic(plug, camera, caplog):
    plug.controls.lies = {EXPOSURE_ABSOLUTE: 20}
    with camera:
        assert plug.controls.at[EXPOSURE_AUTO] == 3
        assert camera.read(5.0).image.max() == 100, "as bright as it was"
    assert "cannot be held still: exposure" in caplog.text


def test_it_settles_again_when_it_is_told_to_and_goes_on_showing_pictures(plug, camera):
    with camera:
        before = len(plug.controls.written)
        camera.settle()
        assert plug.controls.written[before + 1 : before + 3] == [(EXPOSURE_AUTO, 3), (AUTO_WHITE_BALANCE, 1)]
        assert plug.controls.at[EXPOSURE_AUTO] == EXPOSURE_MANUAL
        assert camera.read(5.0).number == 0


def test_closed_it_has_the_modes_in_which_it_was_found(plug, camera):
    before = dict(plug.controls.at)
    with camera:
        camera.settle()
        assert plug.controls.at != before
    assert plug.controls.at == before


def test_what_somebody_had_set_by_hand_is_set_so_again(plug, clock):
    by_hand = {EXPOSURE_AUTO: EXPOSURE_MANUAL, EXPOSURE_ABSOLUTE: 77, GAIN: 3, FOCUS_AUTO: 0, FOCUS_ABSOLUTE: 12}
    plug.controls.at |= by_hand
    for camera in made(plug, clock, focus=("HD Webcam", 60.0)):
        with camera:
            assert plug.controls.at[EXPOSURE_ABSOLUTE] != 77
    assert {control: plug.controls.at[control] for control in by_hand} == by_hand


def test_broken_off_while_it_settles_it_is_let_go_as_it_was_found(plug, camera, clock):
    before = dict(plug.controls.at)

    def quits(_seconds: float) -> None:
        if plug.controls.at[EXPOSURE_AUTO] == EXPOSURE_MANUAL:
            raise SystemExit

    camera._wait = quits
    with pytest.raises(SystemExit):
        camera.open()
    assert plug.controls.at == before
    assert plug.released == 1
    camera._wait = clock.wait
    camera.open()


def test_a_failed_settle_is_made_up_for_by_the_next_read(plug, camera, monkeypatch):
    camera.open()
    monkeypatch.setattr(v4l2, "LOOK_S", 0.05)
    plug.retrieve = lambda: (False, None)
    with pytest.raises(CameraError, match=r"sent no picture in 0\.05 s"):
        camera.settle()
    assert camera.focus is None
    monkeypatch.undo()
    del plug.retrieve
    assert camera.read(5.0).number == 0
    assert plug.controls.at[EXPOSURE_AUTO] == EXPOSURE_MANUAL
    assert camera.focus == ("HD Webcam", 35.0)


def test_a_closed_camera_cannot_settle(camera):
    with pytest.raises(CameraError, match="open it first"):
        camera.settle()


def test_the_lens_goes_to_where_it_was_calibrated_and_does_not_look_for_the_table(plug, clock):
    for camera in made(plug, clock, focus=("HD Webcam", 60.0)):
        camera.open()
        assert camera.focus == ("HD Webcam", 60.0)
        assert (FOCUS_AUTO, 1) not in plug.controls.written
        assert plug.controls.at[FOCUS_ABSOLUTE] == 60
        unplug(camera, plug)
        camera.read(5.0)
        assert plug.controls.at[FOCUS_ABSOLUTE] == 60
        camera.settle()  # for a calibration
        assert camera.focus == ("HD Webcam", 35.0)
        plug.controls.finds_focus = 50
        unplug(camera, plug)
        camera.read(5.0)
        assert camera.focus == ("HD Webcam", 35.0), "not looked for again"


def test_another_cameras_lens_says_nothing_about_this_one(plug, clock):
    others = [VideoNode(Path(DEVICE), name, "usb") for name in ("HD Webcam", "Another", "HD Webcam")]
    for camera in made(plug, clock, focus=("HD Webcam", 60.0), nodes=lambda: others[:1]):
        for found in (60.0, 35.0, 60.0):
            if camera._open:
                unplug(camera, plug)
                camera.read(5.0)
            camera.open()
            assert camera.focus == (others.pop(0).label, found)


def test_a_live_camera_is_told_mains_and_focus(monkeypatch):
    told = {}
    monkeypatch.setattr(v4l2.V4l2Camera, "__init__", lambda _camera, **options: told.update(options))
    monkeypatch.setattr(v4l2.V4l2Camera, "open", lambda _camera: None)
    open_live("v4l2", 60, ("HD Webcam", 35.0))
    assert told == {"mains_hz": 60, "focus": ("HD Webcam", 35.0)}


def test_controls_are_the_kernels_own_calls(tmp_path, monkeypatch):
    """`struct v4l2_control`: which one, and its value; _IOWR('V', 27 and 28, 8 bytes)."""
    stands = {POWER_LINE_FREQUENCY: 1, EXPOSURE_ABSOLUTE: -5}

    def ioctl(file: int, call: int, told: bytes) -> bytes:
        assert os.fstat(file)
        control, value = struct.unpack("Ii", told)
        if control not in stands:
            raise OSError(22, "Invalid argument")
        if call == (3 << 30 | 8 << 16 | ord("V") << 8 | 28):
            stands[control] = value
        else:
            assert call == (3 << 30 | 8 << 16 | ord("V") << 8 | 27)
        return struct.pack("Ii", control, stands[control])

    monkeypatch.setattr(controls.fcntl, "ioctl", ioctl)
    device = tmp_path / "video0"
    device.touch()
    with DeviceControls(str(device)) as there:
        assert there.get(EXPOSURE_ABSOLUTE) == -5
        assert there.set(POWER_LINE_FREQUENCY, 2)
        assert there.get(POWER_LINE_FREQUENCY) == 2
        assert there.get(GAIN) is None
        assert not there.set(GAIN, 3)
        file = there._file
    with pytest.raises(OSError, match="Bad file descriptor"):
        fcntl.fcntl(file, fcntl.F_GETFD)


# --- pictures ---


def read(camera: V4l2Camera, plug: Plug, *feed: object) -> Frame:
    """Ask first, as a camera sends all the time and only what is asked for is unpacked."""

    def send() -> None:
        while not camera._asked:
            time.sleep(0.001)
        for item in feed:
            plug.feed.put(item)

    sending = threading.Thread(target=send)
    sending.start()
    try:
        return camera.read(5.0)
    finally:
        sending.join()


def silence(camera: V4l2Camera, plug: Plug) -> None:
    """Nothing comes any more but what the test sends; nothing is on its way."""
    plug.by_itself = False
    torn = plug.unpacked
    plug.feed.put(TORN)
    while not plug.feed.empty():
        time.sleep(0.001)
    camera._newest, camera._asked, plug.unpacked = None, False, torn


def unplug(camera: V4l2Camera, plug: Plug) -> None:
    silence(camera, plug)
    plug.feed.put(UNPLUGGED)
    with pytest.raises(CameraError, match="The camera on USB has gone: check its cable") as e:
        camera.read(5.0)
    assert not e.value.final


def test_a_picture_that_was_asked_for_is_read_once(plug, camera):
    camera.open()
    silence(camera, plug)
    frame = read(camera, plug, plug.picture())
    assert (frame.number, frame.image.shape) == (0, (1080, 1920, 3))
    with pytest.raises(CameraError, match="sent no picture in 0 s") as e:
        camera.read(0.0)
    assert not e.value.final


def test_pictures_that_nobody_asks_for_are_not_unpacked_and_a_torn_one_is_passed_over(plug, camera):
    camera.open()
    silence(camera, plug)
    before = plug.unpacked
    for _ in range(5):
        plug.feed.put(plug.picture())
    while not plug.feed.empty():
        time.sleep(0.01)
    read(camera, plug, TORN, plug.picture()[:700], plug.picture())
    assert plug.unpacked == before + 3


def test_unplugged_it_is_a_passing_fault_and_plugged_in_again_it_settles_and_goes_on(plug, camera):
    camera.open()
    assert camera.read(5.0).number == 0
    unplug(camera, plug)
    plug.there = False
    with pytest.raises(CameraError, match="No camera on USB answers: check its cable"):
        camera.read(5.0)
    plug.there = True
    plug.controls.at |= {EXPOSURE_AUTO: 3, AUTO_WHITE_BALANCE: 1}
    assert camera.read(5.0).number == 1
    assert (plug.controls.at[EXPOSURE_AUTO], plug.controls.at[AUTO_WHITE_BALANCE]) == (EXPOSURE_MANUAL, 0)


def test_a_camera_that_is_back_soon_is_waited_for(plug, camera, clock):
    camera.open()
    unplug(camera, plug)
    plug.there = False

    def back(seconds: float) -> None:
        clock.now += seconds
        plug.there = True

    camera._wait = back
    assert camera.read(5.0).number == 0


def test_a_camera_that_comes_back_as_another_device_is_found_there(plug, clock):
    def nodes() -> list[VideoNode]:
        ribbon = VideoNode(Path("/dev/video0"), "rp1-cfe-csi2_ch0", "ribbon")
        return [ribbon, VideoNode(Path(f"/dev/video{8 + plug.opened}"), "Webcam", "usb")]

    for camera in made(plug, clock, nodes=nodes):
        assert camera.name == "camera on USB"
        camera.open()
        assert plug.device == "/dev/video8"
        unplug(camera, plug)
        camera.read(5.0)
        assert plug.device == "/dev/video9"


def test_without_any_usb_camera_that_is_said():
    with pytest.raises(CameraError, match="No camera on USB answers") as e:
        V4l2Camera(nodes=list).open()
    assert not e.value.final


def test_a_camera_that_sends_nothing_is_let_go_again(plug, clock, monkeypatch):
    monkeypatch.setattr(v4l2, "LOOK_S", 0.05)
    plug.retrieve = lambda: (False, None)
    for camera in made(plug, clock):
        with pytest.raises(CameraError, match=r"sent no picture in 0\.05 s"):
            camera.open()
        assert plug.released == 1
        del plug.retrieve
        camera.open()


def test_opening_it_twice_opens_the_device_once(plug, camera):
    camera.open()
    with camera:
        assert plug.opened == 1


def test_options_that_make_no_sense_are_refused():
    with pytest.raises(ValueError, match="rate_hz and mains_hz must be more than 0"):
        V4l2Camera(rate_hz=0)
