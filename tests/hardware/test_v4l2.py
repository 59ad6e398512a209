"""The USB camera: silence, unplugging and plugging in again, with a capture device that the test holds in its hand."""

from __future__ import annotations

import queue
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from hardware.camera import CameraError, Frame, v4l2
from hardware.camera.nodes import VideoNode
from hardware.camera.v4l2 import V4l2Camera

PICTURE = np.full((8, 12, 3), 7, np.uint8)
UNPLUGGED = object()
TORN = object()


class Plug:
    """A camera that delivers what the test puts into `feed`; `there` tells whether it can be opened."""

    def __init__(self) -> None:
        self.there = True
        self.feed: queue.Queue[object] = queue.Queue()
        self.opened = 0
        self.released = 0
        self.grabbed: object = None
        self.unpacked = 0

    def __call__(self, device: str) -> Plug:
        assert device == "/dev/video0"
        self.opened += 1
        return self

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return self.there

    def set(self, prop: int, value: float) -> bool:
        return prop >= 0 and value >= 0

    def grab(self) -> bool:
        self.grabbed = self.feed.get(timeout=5)
        return self.grabbed is not UNPLUGGED

    def retrieve(self) -> tuple[bool, object]:
        self.unpacked += 1
        return self.grabbed is not TORN, self.grabbed

    def release(self) -> None:
        self.released += 1


@pytest.fixture
def plug(monkeypatch):
    monkeypatch.setattr(v4l2, "RETRY_S", 0.0)
    return Plug()


@pytest.fixture
def camera(plug):
    camera = V4l2Camera("/dev/video0", size=(12, 8), capture=plug)
    yield camera
    plug.there = False
    plug.feed.put(UNPLUGGED)
    camera.close()


def test_a_missing_camera_says_what_to_do_and_may_be_plugged_in_later(plug, camera):
    plug.there = False
    with pytest.raises(CameraError, match=r"No camera on /dev/video0 answers: check its cable\.") as e:
        camera.open()
    assert not e.value.final
    plug.there = True
    camera.open()


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


def test_a_picture_that_was_asked_for_is_read_once(plug, camera):
    camera.open()
    frame = read(camera, plug, PICTURE)
    assert (frame.number, frame.image.shape) == (0, (8, 12, 3))
    with pytest.raises(CameraError, match="sent no picture in 0 s") as e:
        camera.read(0.0)
    assert not e.value.final


def test_pictures_that_nobody_asks_for_are_not_unpacked_and_a_torn_one_is_passed_over(plug, camera):
    camera.open()
    for _ in range(5):
        plug.feed.put(PICTURE)
    while not plug.feed.empty():
        time.sleep(0.01)
    read(camera, plug, TORN, PICTURE)
    assert plug.unpacked == 2


def test_unplugged_it_is_a_passing_fault_and_plugged_in_again_it_goes_on(plug, camera):
    camera.open()
    read(camera, plug, PICTURE)
    plug.feed.put(UNPLUGGED)
    with pytest.raises(CameraError, match="has gone: check its cable") as e:
        camera.read(5.0)
    assert not e.value.final
    assert read(camera, plug, PICTURE).number == 1
    assert plug.opened == 2
    assert plug.released == 1


def test_a_camera_that_comes_back_as_another_device_is_found_there(plug):
    def nodes() -> list[VideoNode]:
        ribbon = VideoNode(Path("/dev/video0"), "rp1-cfe-csi2_ch0", "ribbon")
        return [ribbon, VideoNode(Path(f"/dev/video{8 + len(opened)}"), "Webcam", "usb")]

    opened: list[str] = []

    def capture(device: str) -> Plug:
        opened.append(device)
        return plug

    camera = V4l2Camera(size=(12, 8), capture=capture, nodes=nodes)
    assert camera.name == "camera on USB"
    with camera:
        read(camera, plug, PICTURE)
        plug.feed.put(UNPLUGGED)
        with pytest.raises(CameraError, match="The camera on USB has gone: check its cable"):
            camera.read(5.0)
        read(camera, plug, PICTURE)
        plug.there = False
        plug.feed.put(UNPLUGGED)
    assert opened[:2] == ["/dev/video8", "/dev/video9"]


def test_without_any_usb_camera_that_is_said():
    with pytest.raises(CameraError, match="No camera on USB answers") as e:
        V4l2Camera(nodes=list).open()
    assert not e.value.final


def test_a_camera_of_another_size_is_a_final_fault(plug, camera):
    camera.open()
    with pytest.raises(CameraError, match="gives 9 x 6, not 12 x 8: set a size that it has") as e:
        read(camera, plug, np.zeros((6, 9, 3), np.uint8))
    assert e.value.final


def test_opening_it_twice_opens_the_device_once(plug, camera):
    camera.open()
    with camera:
        assert plug.opened == 1


def test_options_that_make_no_sense_are_refused():
    with pytest.raises(ValueError, match="size and rate_hz must be more than 0"):
        V4l2Camera(size=(0, 480))
