"""Cameras: drivers are chosen by name, faults say what to do, and one that passes is told from one that is final."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.camera import Camera, CameraError, list_cameras, open_camera
from hardware.camera.pictures import PicturesCamera, read_leniently
from hardware.simulated import SimulatedCamera, SimulatedTable


@pytest.fixture
def folder(tmp_path):
    """Five pictures, each of its own grey, and a calibration picture that is no frame."""
    for i in (1, 2, 3, 10, 11):
        cv2.imwrite(str(tmp_path / f"f{i}.png"), np.full((12, 16, 3), 10 * i, np.uint8))
    cv2.imwrite(str(tmp_path / "calib_board.png"), np.full((12, 16, 3), 255, np.uint8))
    (tmp_path / "notes.txt").write_text("no picture")
    return tmp_path


def greys(camera, count):
    return [int(camera.read(1.0).image[0, 0, 0]) for _ in range(count)]


# --- the table of drivers ---


def test_an_unknown_driver_is_named_with_those_there_are():
    with pytest.raises(CameraError, match="no camera driver 'webcam'; there are picamera2, v4l2, pict") as e:
        open_camera("webcam")
    assert e.value.final


def test_a_driver_without_its_library_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraError, match=r"picamera2 needs picamera2: install it, or choose another\.") as e:
        open_camera("picamera2")
    assert e.value.final


def test_an_option_that_the_driver_does_not_know_is_final(folder):
    with pytest.raises(CameraError, match=r"The camera driver pictures cannot be set up: .*zoom") as e:
        open_camera("pictures", folder=folder, zoom=2)
    assert e.value.final


def test_importing_the_drivers_table_loads_no_driver():
    check = "import sys, hardware.camera as c; sys.exit(any(m in sys.modules for m, _ in c.DRIVERS.values()))"
    root = Path(__file__).parents[2]
    assert subprocess.run([sys.executable, "-c", check], cwd=root, check=False).returncode == 0


def test_every_driver_keeps_the_protocol(folder, board):
    with open_camera("pictures", folder=folder) as pictures:
        assert isinstance(pictures, Camera)
        assert pictures.lens is None
    table = SimulatedTable(board, size=(768, 432))
    with open_camera("simulated", table=table) as simulated:
        assert isinstance(simulated, Camera)
        assert simulated.size == (768, 432)
        assert simulated.lens == "normal"
    assert SimulatedCamera(SimulatedTable(board, style="wide", size=(768, 432))).lens == "wide"


# --- which cameras there are ---


def kernel(tmp_path: Path, *nodes: tuple[str, str, str]) -> tuple[Path, Path]:
    devices, system = tmp_path / "dev", tmp_path / "sys"
    devices.mkdir()
    system.mkdir()
    for node, label, index in nodes:
        (devices / node).touch()
        (system / node).mkdir()
        (system / node / "name").write_text(label + "\n")
        (system / node / "index").write_text(index + "\n")
    return devices, system


def test_a_laptops_camera_is_listed_once_without_its_metadata_node(tmp_path):
    there = kernel(tmp_path, ("video0", "Integrated Camera", "0"), ("video1", "Integrated Camera", "1"))
    assert list_cameras(*there) == [("v4l2", f"Integrated Camera on {tmp_path}/dev/video0")]


def test_the_ribbon_cables_camera_comes_first_and_codecs_are_none(tmp_path):
    nodes = (("video0", "HD Webcam", "0"), ("video10", "bcm2835-codec-decode", "0"), ("video2", "unicam-image", "0"))
    assert [driver for driver, _ in list_cameras(*kernel(tmp_path, *nodes))] == ["picamera2", "v4l2"]


def test_the_many_nodes_of_one_ribbon_camera_are_one_camera(tmp_path):
    nodes = (
        ("video0", "rp1-cfe-csi2_ch0", "0"),
        ("video1", "rp1-cfe-fe_image0", "0"),
        ("video20", "pispbe-input", "0"),
    )
    assert list_cameras(*kernel(tmp_path, *nodes)) == [("picamera2", "camera on the ribbon cable")]


def test_where_there_is_no_camera_the_list_is_empty(tmp_path):
    assert list_cameras(tmp_path / "dev", tmp_path / "sys") == []


# --- a folder of pictures ---


def test_pictures_come_in_natural_order_and_the_last_stays(folder):
    with PicturesCamera(folder) as camera:
        assert camera.size == (16, 12)
        assert greys(camera, 7) == [10, 20, 30, 100, 110, 110, 110]


def test_frames_are_numbered_from_0_and_timed_by_the_clock(folder, clock):
    with PicturesCamera(folder, rate_hz=4, clock=clock, wait=clock.wait) as camera:
        frames = [camera.read(1.0) for _ in range(3)]
    assert [f.number for f in frames] == [0, 1, 2]
    assert [f.time for f in frames] == [100.0, 100.25, 100.5]


def test_a_picture_is_kept_for_its_seconds(folder, clock):
    with PicturesCamera(folder, every_s=2.0, clock=clock, wait=clock.wait) as camera:
        seen = []
        for _ in range(6):
            seen += greys(camera, 1)
            clock.now += 1.0
    assert seen == [10, 10, 20, 20, 30, 30]


def test_a_picture_is_kept_until_the_next_is_asked_for(folder):
    with PicturesCamera(folder, every_s=float("inf")) as camera:
        assert greys(camera, 3) == [10, 10, 10]
        camera.advance()
        assert greys(camera, 2) == [20, 20]


def test_a_torn_picture_is_named_and_the_next_one_comes(folder):
    (folder / "f2.png").write_bytes((folder / "f2.png").read_bytes()[:40])
    with PicturesCamera(folder) as camera:
        assert greys(camera, 1) == [10]
        with pytest.raises(CameraError, match=r"f2\.png is torn") as e:
            camera.read(1.0)
        assert not e.value.final
        assert greys(camera, 2) == [30, 100]


def test_a_torn_last_picture_leaves_the_one_before_it_in_view(folder):
    (folder / "f11.png").write_bytes(b"")
    with PicturesCamera(folder) as camera:
        greys(camera, 4)
        with pytest.raises(CameraError, match=r"f11\.png is torn"):
            camera.read(1.0)
        assert greys(camera, 2) == [100, 100]


def test_a_reader_that_is_stricter_than_opencv_decides_what_is_left_out(folder):
    def read_file(path):
        if path.name == "f2.png":
            raise ValueError(f"{path}: damaged; take it again.")
        return read_leniently(path)

    with PicturesCamera(folder, read_file=read_file) as camera:
        assert greys(camera, 1) == [10]
        with pytest.raises(CameraError, match=r"f2\.png: damaged; take it again\. The picture is left out\.") as e:
            camera.read(1.0)
        assert not e.value.final
        assert greys(camera, 2) == [30, 100]


@pytest.mark.parametrize(("name", "told"), [("nowhere", "There is no folder"), ("", "There are no pictures in")])
def test_a_folder_without_pictures_is_a_final_fault(tmp_path, name, told):
    with pytest.raises(CameraError, match=told) as e:
        open_camera("pictures", folder=tmp_path / name)
    assert e.value.final


def test_a_folder_of_torn_pictures_is_a_final_fault_in_the_end(tmp_path):
    for name in ("a.png", "b.png"):
        (tmp_path / name).write_bytes(b"torn")
    faults = []
    with PicturesCamera(tmp_path) as camera:
        for _ in range(2):
            with pytest.raises(CameraError) as e:
                camera.read(1.0)
            faults.append(e.value.final)
    assert faults == [False, True]


# --- the simulated table as a camera ---


@pytest.fixture(scope="module")
def small_table(board):
    return SimulatedTable(board, size=(768, 432))


def test_the_simulated_camera_keeps_its_rate(small_table, clock):
    with SimulatedCamera(small_table, rate_hz=5, clock=clock, wait=clock.wait) as camera:
        frames = [camera.read(1.0) for _ in range(3)]
    assert [f.number for f in frames] == [0, 1, 2]
    assert [f.time for f in frames] == pytest.approx([100.0, 100.2, 100.4])
    assert frames[0].image.shape == (432, 768, 3)
    assert frames[0].image.dtype == np.uint8


def test_a_read_shorter_than_the_rate_runs_out_of_time_and_the_next_succeeds(small_table, clock):
    with SimulatedCamera(small_table, rate_hz=1, clock=clock, wait=clock.wait) as camera:
        camera.read(0.1)
        with pytest.raises(CameraError, match=r"No picture came within 0\.1 s") as e:
            camera.read(0.1)
        assert not e.value.final
        assert camera.read(2.0).number == 1


def test_a_closed_camera_says_that_it_is_closed(small_table):
    with pytest.raises(CameraError, match="closed: open it first"):
        SimulatedCamera(small_table).read(1.0)
