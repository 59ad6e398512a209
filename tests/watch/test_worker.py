"""The watching process at its start: no camera yet, one that cannot be opened, one that shows the same all the time."""

from __future__ import annotations

import errno
import multiprocessing
import os
import struct
import threading
import weakref
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from types import SimpleNamespace

import cv2
import msgspec
import numpy as np
import pytest
import simplejpeg

from calibration import Calibration, save_calibration
from calibration.arrays import Image
from calibration.pictures import read_picture
from companion.rules.geometry import load_board
from companion.vision.observation import Observation
from companion.vision.recogniser import Found, Recogniser
from companion.watch import messages, worker
from companion.watch.cutting import cut_out
from companion.watch.exposure import Exposure
from companion.watch.glance import READINGS
from companion.watch.messages import (
    CANNOT_RUN,
    FromWatcher,
    NextPicture,
    Quit,
    Ready,
    Same,
    Seen,
    Show,
    Shown,
    Trouble,
    Uncalibrated,
    WatchPlan,
)
from hardware.camera import Camera, CameraError, Focus, Frame
from hardware.simulated import SimulatedTable
from hardware.simulated.rehearsal import RehearsalCamera
from tests.simulated import simulated_table

LIMIT_S = 120.0


class Ends:
    """Both ends of the pipe, and the process as a thread of the test's."""

    def __init__(self, plan: WatchPlan) -> None:
        self.ours, theirs = multiprocessing.Pipe()
        self.thread = threading.Thread(target=self._work, args=(plan, theirs))
        self.thread.start()

    def _work(self, plan: WatchPlan, pipe: Connection) -> None:
        worker.work(plan, pipe)
        pipe.close()

    def hear(self) -> FromWatcher:
        assert self.ours.poll(LIMIT_S)
        return messages.decode_from_watcher(self.ours.recv_bytes())

    def says(self) -> Iterator[FromWatcher]:
        """All of it, until the process ends."""
        while True:
            try:
                yield self.hear()
            except EOFError:
                return

    def quit(self) -> None:
        self.ours.send_bytes(messages.encode(Quit()))
        self.thread.join(LIMIT_S)
        assert not self.thread.is_alive()


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short; and a thread takes no signals."""
    monkeypatch.setattr(worker, "STILL_HERE_S", 0.05)
    monkeypatch.setattr(worker, "PERIOD_S", 0.01)
    monkeypatch.setattr(worker.signal, "signal", lambda *_: None)


@pytest.fixture
def plan(tmp_path: Path) -> WatchPlan:
    return WatchPlan(camera="auto", calibration=str(tmp_path / "calibration.json"), mains_hz=60)


def shown(name: str, mains_hz: int, focus: Focus | None) -> Camera:
    assert (name, mains_hz, focus) == ("v4l2", 60, None)
    return RehearsalCamera(simulated_table(2))


def test_a_camera_that_is_not_there_is_waited_for_and_opened_by_the_next_process(
    monkeypatch: pytest.MonkeyPatch, plan: WatchPlan
) -> None:
    there: list[tuple[str, str]] = []
    monkeypatch.setattr(worker, "list_cameras", lambda: there)
    monkeypatch.setattr(worker, "open_live", shown)
    first = Ends(plan)
    assert [first.hear() for _ in range(3)] == [Trouble(text=worker.NO_CAMERA, final=False)] * 3
    there.append(("v4l2", "webcam on /dev/video0"))
    assert all(isinstance(said, Trouble) for said in first.says())
    second = Ends(plan)
    assert isinstance(second.hear(), Uncalibrated)
    second.quit()


def test_waiting_for_a_camera_it_ends_when_it_is_told_to(monkeypatch: pytest.MonkeyPatch, plan: WatchPlan) -> None:
    monkeypatch.setattr(worker, "list_cameras", list)
    ends = Ends(plan)
    ends.hear()
    ends.ours.send_bytes(messages.encode(NextPicture()))  # means nothing here
    ends.quit()


@pytest.mark.parametrize("final", [True, False])
def test_a_camera_that_cannot_be_opened_says_whether_to_try_again(
    monkeypatch: pytest.MonkeyPatch, plan: WatchPlan, final: bool
) -> None:
    def refuse(_name: str, _mains_hz: int, _focus: Focus | None) -> Camera:
        raise CameraError("Close the other program.", final=final)

    monkeypatch.setattr(worker, "open_live", refuse)
    assert list(Ends(msgspec.structs.replace(plan, camera="v4l2")).says()) == [
        Trouble(text="Close the other program.", final=final)
    ]


def test_a_full_disk_is_told_and_not_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_table: SimulatedTable, _folder: Path) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(worker, "write_session", full)
    why = {"why": "No space left on device"}
    assert list(Ends(WatchPlan(camera="simulated")).says()) == [Trouble(text=CANNOT_RUN, final=False, about=why)]


@pytest.mark.parametrize("said", [b"", struct.pack("!i", 100) + b"half"], ids=["nothing", "half"])
def test_a_program_that_has_gone_is_no_fault(
    monkeypatch: pytest.MonkeyPatch, plan: WatchPlan, caplog: pytest.LogCaptureFixture, said: bytes
) -> None:
    monkeypatch.setattr(worker, "list_cameras", list)
    ends = Ends(plan)
    ends.hear()
    os.write(ends.ours.fileno(), said)
    ends.ours.close()
    ends.thread.join(LIMIT_S)
    assert not ends.thread.is_alive()
    assert caplog.record_tuples == []


def test_a_calibration_that_nothing_can_be_read_by_is_told_until_there_is_another(
    monkeypatch: pytest.MonkeyPatch, plan: WatchPlan, table_calibration: Calibration
) -> None:
    """In place of the picture of the pieces there is one of the empty board."""
    bare = msgspec.structs.replace(table_calibration, swatch=table_calibration.reference)
    assert plan.calibration is not None
    save_calibration(Path(plan.calibration), bare)
    monkeypatch.setattr(worker, "list_cameras", lambda: [("v4l2", "webcam on /dev/video0")])
    monkeypatch.setattr(worker, "open_live", shown)
    ends = Ends(plan)
    text = "None of the pieces is seen on the picture of them; lay them out and calibrate again."
    assert [ends.hear() for _ in range(2)] == [Uncalibrated(text=text)] * 2
    ends.quit()


def test_a_camera_settles_again_when_the_light_is_another(monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []

    class LampWasLit(Exposure):
        def is_off(self, image: Image, now: float) -> bool:
            super().is_off(image, now)
            order.append("picture")
            return len(order) == 2

    monkeypatch.setattr(worker, "Exposure", LampWasLit)
    monkeypatch.setattr(RehearsalCamera, "settle", lambda _camera, _focus: order.append("settles"))
    ends = Ends(WatchPlan(camera="simulated", seed=2))
    while not isinstance(ends.hear(), Same):
        pass
    ends.quit()
    assert order[:4] == ["picture", "picture", "settles", "picture"]


def test_a_camera_that_comes_back_with_another_size_is_told_in_a_sentence_until_it_is_the_old_one_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    taken: list[Frame] = []
    whole = RehearsalCamera.read

    def read(camera: RehearsalCamera, timeout_s: float) -> Frame:
        frame = whole(camera, timeout_s)
        taken.append(frame)
        other = len(taken) in (2, 3)
        return Frame(frame.number, frame.time, np.ascontiguousarray(frame.image[:720, :1280])) if other else frame

    monkeypatch.setattr(RehearsalCamera, "read", read)
    ends = Ends(WatchPlan(camera="simulated", seed=2))
    said = [ends.hear() for _ in range(5)]
    assert [type(message) for message in said] == [Ready, Seen, Uncalibrated, Uncalibrated, Seen]
    assert isinstance(said[2], Uncalibrated)
    told = "The calibration is for 1536 x 864, this camera gives 1280 x 720."
    assert said[2].text.format(**said[2].about) == told
    ends.quit()


def test_what_was_read_last_is_shown_when_it_is_asked_for() -> None:
    ends = Ends(WatchPlan(camera="simulated", seed=2))
    hexes = ((0, 0), (1, 0))
    ends.ours.send_bytes(messages.encode(Show(hexes=hexes)))  # before anything was read
    said = [ends.hear() for _ in range(3)]
    assert [type(message) for message in said] == [Ready, Seen, Shown]
    assert isinstance(said[-1], Shown)
    assert said[-1].hexes == hexes
    assert len(said[-1].cutout.outlines) == len(hexes)
    while not isinstance(ends.hear(), Same):
        pass
    ends.ours.send_bytes(messages.encode(Show(hexes=())))
    while not isinstance(shown := ends.hear(), Shown):
        assert isinstance(shown, Same), "nothing has to be read for it"
    assert shown.hexes == ()
    ends.quit()


def test_a_table_that_nobody_touches_is_not_read_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    ends = Ends(WatchPlan(camera="simulated", seed=2))
    assert isinstance(ends.hear(), Ready)
    said = [ends.hear() for _ in range(READINGS + 4)]
    assert [type(message) for message in said] == [Seen] * READINGS + [Same] * 4
    assert isinstance(said[-1], Same)
    assert isinstance(said[0], Seen)
    assert said[-1].frame == said[0].observation.frame + len(said) - 1
    ends.quit()


def test_neither_the_last_picture_nor_what_was_read_of_it_is_held_while_the_next_is_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of 12 megapixels each takes some 35 MB."""
    recognisers: list[Recogniser] = []
    taken: list[weakref.ref[Image]] = []
    held: list[bool] = []
    whole, read = RehearsalCamera.read, Recogniser.read

    def take(camera: RehearsalCamera, timeout_s: float) -> Frame:
        held.extend(recogniser.trace is not None for recogniser in recognisers)
        held.extend(image() is not None for image in taken)
        frame = whole(camera, timeout_s)
        image = frame.image.copy()
        taken.append(weakref.ref(image))
        return Frame(frame.number, frame.time, image)

    def look(recogniser: Recogniser, found: Found, frame: int, time: float) -> Observation:
        recognisers[:] = [recogniser]
        held.append(taken[-1]() is not None)
        return read(recogniser, found, frame, time)

    monkeypatch.setattr(worker, "KEPT_SIDE", 640)
    monkeypatch.setattr(RehearsalCamera, "read", take)
    monkeypatch.setattr(Recogniser, "read", look)
    ends = Ends(WatchPlan(camera="simulated", seed=2))
    assert [type(ends.hear()) for _ in range(4)] == [Ready, Seen, Seen, Seen]
    ends.quit()
    assert len(held) > 6
    assert not any(held)


def test_of_a_large_picture_as_much_is_kept_as_is_shown(table_calibration: Calibration, table_dir: Path) -> None:
    small = read_picture(table_dir / "f01.jpg")
    assert worker.Kept.of(small, table_calibration.camera) == (small, table_calibration.camera)
    image = np.asarray(cv2.resize(small, (4608, 2592), interpolation=cv2.INTER_CUBIC), np.uint8)[:-1]  # a row too few
    (fx, fy), (cx, cy) = table_calibration.camera.focal, table_calibration.camera.centre
    camera = msgspec.structs.replace(
        table_calibration.camera, image_size=(4608, 2591), focal=(3 * fx, 3 * fy), centre=(3 * cx + 1, 3 * cy + 1)
    )
    kept = worker.Kept.of(image, camera)
    assert kept.image.shape == (1295, 2304, 3)
    assert kept.camera.image_size == (2304, 1295)
    whole, part = (
        simplejpeg.decode_jpeg(cut_out(seen, by, load_board(), [(0, 0)]).jpeg).astype(int)
        for seen, by in ((image, camera), kept)
    )
    assert np.abs(whole - part).mean() < 2


def test_of_a_picture_that_is_not_sharp_nothing_is_kept_to_be_shown(
    monkeypatch: pytest.MonkeyPatch, table_calibration: Calibration, table_dir: Path
) -> None:
    """What people ask about was seen in the last sharp one."""
    image = read_picture(table_dir / "f01.jpg")
    soft = np.asarray(cv2.GaussianBlur(image, (0, 0), 3.0), np.uint8)
    frames = iter([Frame(1, 0.0, image), Frame(2, 10.0, soft)])
    said: list[FromWatcher] = []
    monkeypatch.setattr(worker, "_send", lambda _, message: said.append(message))
    camera = SimpleNamespace(read=lambda _: next(frames))
    watching = worker._Watching(camera, table_calibration, None)  # type: ignore[arg-type]
    for _ in range(2):
        watching.look()
        watching.show(((0, 0),))
    sharp, smeared = (message for message in said if isinstance(message, Seen))
    assert (sharp.observation.registered, smeared.observation.registered) == (True, False)
    first, second = (message.cutout for message in said if isinstance(message, Shown))
    assert first == second
