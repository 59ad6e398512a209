"""A calibration in the watching process: the real guide and a simulated camera, spoken to over a real pipe."""

from __future__ import annotations

import json
import multiprocessing
import threading
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
import pytest

from calibration import calibrate_session, load_calibration, save_calibration
from calibration.assessment import Assessment
from calibration.quality import Advice, Measure
from companion.calibrating import guide
from companion.viewmodel.calibration_link import Guided
from companion.watch import messages, worker
from companion.watch.calibrating import WIDTH
from companion.watch.messages import (
    BeginCalibrating,
    Calibrating,
    EndCalibrating,
    FromWatcher,
    GoToStep,
    Lay,
    PutCorner,
    Quit,
    Ready,
    Same,
    Seen,
    SkipStep,
    TakePicture,
    ToWatcher,
    Trouble,
    Uncalibrated,
    WatchPlan,
)
from hardware.camera import CameraError, Focus, Frame
from hardware.simulated.rehearsal import RehearsalCamera
from tests.simulated import simulated_table

LIMIT_S = 120.0
BEGIN = BeginCalibrating(language="en")
POOR = Assessment("poor", (Measure("light", 9.0, "of 255", "poor", Advice("Too dark.")),), ("blue", "sea"))
FOUND, KEPT = ("a lens", 1.25), ("a lens", 0.75)
LAID = {"hexes": [{"hex": [0, 0], "serpents": 1}], "safe": {}}


class TestCamera(RehearsalCamera):
    """A camera over a table that is set out by itself; `faults` come in place of the next pictures."""

    __test__ = False

    def __init__(self) -> None:
        super().__init__(simulated_table(2))
        self.faults: list[CameraError] = []
        self.covered = False
        self.settled: list[Focus | None] = []

    def settle(self, focus: Focus | None = None) -> None:
        self.settled.append(focus)
        self.focus = focus or FOUND

    def read(self, timeout_s: float) -> Frame:
        if self.faults:
            raise self.faults.pop(0)
        frame = super().read(timeout_s)
        if self.covered:
            frame.image[:, : frame.image.shape[1] // 3] = 90
        return frame


class Program:
    """The other end of the pipe: says something, and hears until what it wants is said."""

    def __init__(self, pipe: Connection) -> None:
        self.pipe = pipe
        self.heard: list[FromWatcher] = []

    def say(self, order: ToWatcher) -> None:
        self.pipe.send_bytes(messages.encode(order))

    def hear(self, wanted: Callable[[FromWatcher], Any]) -> Any:
        while self.pipe.poll(LIMIT_S):
            message = messages.decode_from_watcher(self.pipe.recv_bytes())
            self.heard.append(message)
            if wanted(message):
                return message
        raise AssertionError(f"not heard within {LIMIT_S:g} s; the last was {self.heard[-1:]}")

    def guided(self, wanted: Callable[[Guided], bool]) -> Guided:
        answer: Calibrating = self.hear(lambda m: isinstance(m, Calibrating) and wanted(m.guided))
        return answer.guided

    def at(self, step: str) -> Guided:
        """At that step, and it is ready."""
        return self.guided(lambda g: g.step == step and g.ready and not g.busy)

    def to_the_swatches(self) -> Guided:
        self.say(BEGIN)
        self.guided(lambda g: g.step == "lens")
        self.say(SkipStep())
        self.at("board")
        self.say(TakePicture())
        return self.at("swatch")

    def to_the_result(self) -> Guided:
        self.to_the_swatches()
        self.say(TakePicture())
        return self.guided(lambda g: g.step == "result")


@pytest.fixture
def camera(monkeypatch: pytest.MonkeyPatch) -> TestCamera:
    shown = TestCamera()
    monkeypatch.setattr(worker, "open_camera", lambda _name, **_more: shown)

    def open_live(_name: str, _mains_hz: int, focus: Focus | None) -> TestCamera:
        shown.settle(focus)
        return shown

    monkeypatch.setattr(worker, "open_live", open_live)
    return shown


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """Where the household's calibration lies."""
    return tmp_path / "calibration.json"


@pytest.fixture
def program(camera: TestCamera, own: Path) -> Iterator[Program]:
    """A worker at a real camera, as far as it knows, in a thread of the test's."""
    yield from _running(WatchPlan(camera="v4l2", calibration=str(own)))


def _running(plan: WatchPlan) -> Iterator[Program]:
    ours, theirs = multiprocessing.Pipe()
    thread = threading.Thread(target=worker._Worker(plan, theirs).run)
    thread.start()
    program = Program(ours)
    yield program
    program.say(Quit())
    while thread.is_alive():  # a full pipe would keep it from hearing
        if ours.poll(0.1):
            ours.recv_bytes()
    thread.join()


def test_a_camera_without_calibration_is_calibrated_kept_and_watched_by(program: Program, own: Path) -> None:
    assert program.hear(lambda m: isinstance(m, Uncalibrated)).text == "The camera is not calibrated yet."
    program.say(Lay(layout=LAID))
    result = program.to_the_result()
    assert result.grade == "good"
    assert result.accuracy is not None
    assert result.accuracy.value < result.accuracy.good
    assert not own.exists(), "nothing is kept before people say so"
    program.say(TakePicture())
    assert not program.guided(lambda g: g.done).rehearsal
    program.hear(lambda m: isinstance(m, Ready))
    seen: Seen = program.hear(lambda m: isinstance(m, Seen) and not m.observation.moving)
    assert seen.observation.layout().at((0, 0)).serpents == 1, "what lay there before is back"
    assert load_calibration(own).quality.line_rms_mm < 0.4


def test_pictures_are_small_and_sent_only_until_it_is_broken_off(
    program: Program, camera: TestCamera, own: Path
) -> None:
    program.say(BEGIN)
    shown: Calibrating = program.hear(lambda m: isinstance(m, Calibrating) and m.picture)
    assert camera.settled == [None, None], "what is measured is measured in the light that there is now"
    image = cv2.imdecode(np.frombuffer(shown.picture, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    assert image.shape[1] == WIDTH
    assert len(shown.picture) < 200_000
    assert shown.guided.size == (1536, 864), "places are told in the camera's own px"
    program.say(EndCalibrating())
    program.hear(lambda m: isinstance(m, Uncalibrated))
    assert not own.exists()


def test_a_poor_result_is_never_kept(program: Program, own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own.write_text("{}")
    monkeypatch.setattr(guide, "assess", lambda _: POOR)
    result = program.to_the_result()
    assert (result.grade, result.advice, result.ready) == ("poor", ("Too dark.",), False)
    program.say(TakePicture())
    program.say(GoToStep(step="swatch"))
    assert not program.guided(lambda g: g.step == "swatch").done
    assert own.read_text() == "{}"


def test_a_result_that_cannot_be_saved_is_told_and_can_be_kept_again(program: Program, own: Path) -> None:
    program.to_the_result()
    own.mkdir()
    program.say(TakePicture())
    assert "cannot be written" in program.guided(lambda g: bool(g.refusal)).refusal
    own.rmdir()
    program.say(TakePicture())
    assert program.guided(lambda g: g.done).refusal == ""
    assert own.is_file()


def test_a_camera_that_is_lost_in_the_middle_goes_on_where_it_was(program: Program, camera: TestCamera) -> None:
    program.to_the_swatches()
    camera.faults = [CameraError("The cable is loose.", final=False)] * 2
    assert program.hear(lambda m: isinstance(m, Trouble)).text == "The cable is loose."
    assert program.at("swatch").taken == ("lens", "cards", "board")


def test_the_focus_of_a_calibration_is_kept_with_it(program: Program, own: Path) -> None:
    program.to_the_result()
    program.say(TakePicture())
    program.guided(lambda g: g.done)
    program.hear(lambda m: isinstance(m, Ready))
    assert load_calibration(own).focus == FOUND


def test_the_camera_is_opened_with_the_focus_of_its_calibration_and_has_it_again_when_the_next_is_broken_off(
    camera: TestCamera, table_dir: Path, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_calibration(own, msgspec.structs.replace(calibrate_session(table_dir), focus=KEPT))
    monkeypatch.setattr(worker.Exposure, "is_off", lambda _exposure, _image, _time: len(camera.settled) == 1)
    for program in _running(WatchPlan(camera="v4l2", calibration=str(own))):
        while len(camera.settled) < 2:
            program.hear(lambda m: isinstance(m, Seen | Same))
        assert camera.settled == [KEPT, KEPT], "in another light it stays where it is"
        program.say(BEGIN)
        program.guided(lambda g: g.step == "lens")
        assert camera.settled[2:] == [None], "for a calibration it is looked for anew"
        program.say(EndCalibrating())
        program.hear(lambda m: isinstance(m, Ready))
        assert camera.focus == KEPT


def test_corners_that_are_dragged_stand_in_for_covered_cards(program: Program, camera: TestCamera) -> None:
    program.say(BEGIN)
    program.guided(lambda g: g.step == "lens")
    program.say(SkipStep())
    corners = {corner.card: corner for corner in program.guided(lambda g: g.step == "board" and g.ready).corners}
    program.say(GoToStep(step="cards"))
    camera.covered = True
    covered = program.guided(lambda g: any(corner.how == "guessed" for corner in g.corners))
    assert covered.step in ("cards", "board")
    assert not covered.ready
    for name in (corner.card for corner in covered.corners if corner.how == "guessed"):
        program.say(PutCorner(card=name, x=corners[name].x + 5, y=corners[name].y - 4))
    ready = program.at("board")
    assert "given" in {corner.how for corner in ready.corners}


def test_a_damaged_calibration_is_named_and_can_be_replaced(camera: TestCamera, own: Path) -> None:
    own.write_text(json.dumps({"format": 1}))
    for program in _running(WatchPlan(camera="v4l2", calibration=str(own))):
        assert "calibrate again" in program.hear(lambda m: isinstance(m, Uncalibrated)).text
        program.say(BEGIN)
        program.guided(lambda g: g.step == "lens")


def test_recorded_pictures_are_gone_through_and_the_file_named_is_left_alone(table_dir: Path, tmp_path: Path) -> None:
    named = tmp_path / "c.json"
    named.write_text("{}")
    for program in _running(WatchPlan(camera="pictures", folder=str(table_dir), calibration=str(named))):
        program.hear(lambda m: isinstance(m, Uncalibrated))
        program.say(BEGIN)
        assert program.at("board").steps == ("cards", "board", "swatch", "result"), "no sheet was recorded"
        program.say(TakePicture())
        program.at("swatch")
        program.say(TakePicture())
        program.guided(lambda g: g.step == "result")
        program.say(TakePicture())
        assert program.guided(lambda g: g.done).rehearsal
        program.hear(lambda m: isinstance(m, Ready))
        assert named.read_text() == "{}"
