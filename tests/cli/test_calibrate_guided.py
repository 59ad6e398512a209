"""`companion calibrate` with a camera: recorded pictures and the simulated table stand in for a real one."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import shutil
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration import load_calibration
from calibration.assessment import Assessment, assess
from calibration.quality import Advice, Measure
from companion.calibrating import Guide, GuideState, guide
from companion.cli import calibrate
from companion.cli.guided import PATIENCE_S, REFUSALS, GuideError, SilentFace, conduct
from companion.cli.live import TerminalFace, lines
from companion.cli.program import main
from companion.watch import setting_out
from companion.watch.setting_out import People
from hardware.camera import CameraError, Frame

OLD = '{"format": 1}'


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ATLANTIS_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """Where a calibration lies already."""
    path = tmp_path / "table.json"
    path.write_text(OLD)
    return path


def run(*words: object) -> int:
    return main(["calibrate", *(str(word) for word in words)])


def recorded(folder: Path, **pictures: np.ndarray) -> Path:
    """A folder of frames in that order."""
    folder.mkdir()
    for number, (name, picture) in enumerate(pictures.items()):
        cv2.imwrite(str(folder / f"{number}_{name}.png"), picture)
    return folder


@pytest.fixture(scope="module")
def empty(table_dir: Path) -> np.ndarray:
    return np.asarray(cv2.imread(str(table_dir / "calib_board.jpg")))


@pytest.fixture(scope="module")
def swatch(table_dir: Path) -> np.ndarray:
    return np.asarray(cv2.imread(str(table_dir / "calib_pieces.jpg")))


def covered(picture: np.ndarray) -> np.ndarray:
    """The same with the north-east card under a cup."""
    hidden = picture.copy()
    hidden[600:, :420] = 128
    return hidden


def under_a_cloth(picture: np.ndarray) -> np.ndarray:
    """The same with a cloth over the board: what is wrong with it is seen when it is taken."""
    at = np.array([card.corners for card in Guide().see(picture).sight.cards]).mean(axis=1)
    inner = at.mean(axis=0) + 0.75 * (at - at.mean(axis=0))
    return np.asarray(cv2.fillConvexPoly(picture.copy(), np.round(inner).astype(np.int32), (60, 110, 60)))


def test_a_sessions_folder_serves_as_a_camera(table_dir: Path, out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--camera", "pictures", "--pictures", table_dir, "--out", out, "--json") == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    assert json.loads(printed.out)["grade"] == "good"
    assert load_calibration(out).camera.image_size == (1536, 864)


def test_recorded_frames_are_gone_through_until_each_step_has_its_picture(
    tmp_path: Path, out: Path, empty: np.ndarray, swatch: np.ndarray, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = recorded(
        tmp_path / "frames", cup=covered(empty), dark=empty // 6, good=empty, dim=swatch // 6, laid=swatch
    )
    assert run("--pictures", folder, "--out", out) == 0
    said = capsys.readouterr().out
    assert "calibration          good\nAll is well." in said
    assert load_calibration(out).quality.level > 200


def test_recorded_frames_that_were_refused_are_turned_over(
    tmp_path: Path, out: Path, empty: np.ndarray, swatch: np.ndarray, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = recorded(tmp_path / "frames", cloth=under_a_cloth(empty), good=empty, laid=swatch)
    assert run("--pictures", folder, "--out", out) == 0
    assert load_calibration(out).quality.level > 200


def test_a_card_that_is_never_seen_is_named_and_the_old_calibration_kept(
    tmp_path: Path, out: Path, empty: np.ndarray, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = recorded(tmp_path / "frames", cup=covered(empty), still_there=covered(empty))
    assert run("--pictures", folder, "--out", out) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert "The north-east card is not seen" in printed.err
    assert out.read_text() == OLD
    assert {p.name for p in tmp_path.iterdir()} == {"frames", "table.json"}


def test_swatch_pieces_that_are_never_laid_are_named(
    tmp_path: Path, out: Path, empty: np.ndarray, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("--pictures", recorded(tmp_path / "frames", bare=empty), "--out", out) == 1
    assert "Still to lay: the beach on G7" in capsys.readouterr().err
    assert out.read_text() == OLD


def test_pictures_of_two_sizes_are_refused(
    tmp_path: Path, out: Path, empty: np.ndarray, swatch: np.ndarray, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = recorded(tmp_path / "frames", board=empty, swatch=cv2.resize(swatch, (768, 432)))
    assert run("--pictures", folder, "--out", out) == 1
    said = capsys.readouterr().err
    assert re.search(r"calibrate: \S+\.png: The picture is 768 x 432 px large, the camera's is 1536 x 864", said)
    assert out.read_text() == OLD


def test_a_poor_calibration_does_not_replace_the_old_one(
    table_dir: Path, out: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    advice = Advice("Switch a lamp on.")
    poor = Assessment("poor", (Measure("light", 9.0, "of 255", "poor", advice),), ("blue", "sea"))
    monkeypatch.setattr(guide, "assess", lambda _: poor)
    assert run("--pictures", table_dir, "--out", out) == 1
    assert capsys.readouterr().err.endswith("The calibration is poor and was not kept. Switch a lamp on.\n")
    assert out.read_text() == OLD


def test_a_file_that_cannot_be_written_is_told_before_anybody_lays_a_piece(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(calibrate, "_source", lambda _: pytest.fail("the camera was opened"))
    assert run("--simulate", "--out", tmp_path) == 1
    assert "the calibration cannot be written" in capsys.readouterr().err
    (tmp_path / "file").touch()
    assert run("--simulate", "--out", tmp_path / "file" / "table.json") == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--camera", "auto"], "No camera is plugged in"),
        (["--pictures", "nowhere"], "There is no folder nowhere"),
    ],
)
def test_no_camera_is_said_in_a_sentence(
    words: list[str], said: str, out: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(calibrate, "list_cameras", list)
    assert run(*words, "--out", out) == 1
    printed = capsys.readouterr().err
    assert said in printed
    assert printed.count("\n") == 1
    assert out.read_text() == OLD


@pytest.mark.parametrize(
    "words",
    [
        ["--out", "c"],
        ["DIR"],
        ["DIR", "--simulate", "--out", "c"],
        ["--simulate", "--camera", "v4l2"],
        ["--camera", "v4l2", "--pictures", "DIR"],
        ["--camera", "pictures"],
        ["--simulate", "--pictures", "DIR"],
        ["DIR", "--lens", "wide", "--out", "c"],
        ["DIR", "--guided", "--out", "c"],
        ["--camera", "v4l2", "--seed", "3"],
        ["--camera", "telescope"],
        ["--lens", "fish"],
    ],
)
def test_wrong_usage_is_status_2(words: list[str]) -> None:
    with pytest.raises(SystemExit) as end:
        run(*words)
    assert end.value.code == 2


class WindowCamera:
    """A camera that looks out of the window, and sometimes fails to answer."""

    name, size = "window", (640, 360)

    def __init__(self, *faults: CameraError | None) -> None:
        self._faults = list(faults)
        self.reads = 0

    def read(self, _timeout_s: float) -> Frame:
        self.reads += 1
        fault = self._faults.pop(0) if self._faults else None
        if fault:
            raise fault
        return Frame(self.reads, float(self.reads), np.full((360, 640, 3), 200, np.uint8))


def test_where_nobody_is_there_it_is_given_up_with_what_is_in_the_way() -> None:
    camera = WindowCamera()
    with pytest.raises(GuideError, match="No corner card is seen"):
        conduct(Guide(), camera, People(), SilentFace(), clock=lambda: camera.reads * PATIENCE_S / 10)
    assert 9 < camera.reads < 13


def test_a_camera_that_answers_again_is_forgiven_and_one_that_does_not_is_told() -> None:
    late = CameraError("No picture came within 5 s.", final=False)
    camera = WindowCamera(late, late, None, late)
    with pytest.raises(GuideError):
        conduct(Guide(), camera, People(), SilentFace(), clock=lambda: camera.reads * PATIENCE_S / 10)
    with pytest.raises(CameraError, match="No picture came"):
        conduct(Guide(), WindowCamera(*[late] * 9), People(), SilentFace())
    gone = CameraError("The camera was unplugged.", final=True)
    with pytest.raises(CameraError, match="unplugged"):
        conduct(Guide(), WindowCamera(gone), People(), SilentFace())


class Keys(SilentFace):
    """Somebody who presses one key after another."""

    attended = True

    def __init__(self, *keys: str) -> None:
        self._keys = list(keys)
        self.steps: list[str] = []

    def show(self, state: object, _by_key: bool) -> None:
        self.steps.append(state.step)  # type: ignore[attr-defined]

    def key(self) -> str:
        return self._keys.pop(0)


class StillCamera(WindowCamera):
    """Always the same picture."""

    def __init__(self, picture: np.ndarray) -> None:
        super().__init__()
        self._picture = picture

    def read(self, _timeout_s: float) -> Frame:
        return Frame(0, 0.0, self._picture)


class CountingGuide(Guide):
    """Knows how many pictures it was given to take."""

    taken = 0

    def take(self) -> GuideState:
        self.taken += self.state.sight.ready
        return super().take()


class PassingShadowCamera(StillCamera):
    """The same picture, six times, then as often in the dark."""

    def read(self, timeout_s: float) -> Frame:
        frame = super().read(timeout_s)
        self.reads += 1
        return frame if self.reads % 12 < 6 else Frame(0, 0.0, frame.image // 6)


def test_where_nobody_is_there_it_is_given_up_after_so_many_refusals_and_one_more(empty: np.ndarray) -> None:
    """However long a refusal stands there before the next picture is ready."""
    calibrating = CountingGuide()
    camera = PassingShadowCamera(under_a_cloth(empty))
    camera.reads = 2  # the board's first picture is ready just before it gets dark
    with pytest.raises(GuideError, match="Is the board empty"):
        conduct(calibrating, camera, People(), SilentFace(), clock=lambda: 0.0)
    cards = 1
    assert calibrating.taken == cards + REFUSALS + 1


@pytest.mark.parametrize(
    ("typed", "key"),
    [
        (b"b", "back"),
        (b"B", "back"),
        (b"S", "skip"),
        (b"Q", "quit"),
        (b"\n\n", "take"),
        pytest.param(b"\x1b[B", "", id="arrow down"),
        pytest.param(b"\x1bOq", "", id="a key of the number pad"),
        pytest.param("\N{LATIN SMALL LETTER O WITH DIAERESIS}".encode("latin-1"), "", id="no text"),
        pytest.param(b"", "quit", id="the terminal has gone"),
    ],
)
def test_keys_count_in_either_case_if_they_are_typed_alone(
    typed: bytes, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    there, typing = os.pipe()
    os.write(typing, typed)
    os.close(typing)
    with os.fdopen(there) as keyboard:
        monkeypatch.setattr(sys, "stdin", keyboard)
        assert TerminalFace().key() == key


def test_guided_takes_nothing_before_the_key_and_keys_go_back_and_end(empty: np.ndarray) -> None:
    face = Keys("", "", "take", "", "back", "take", "quit")
    with pytest.raises(GuideError, match="Nothing was changed"):
        conduct(Guide(), StillCamera(empty), People(), face, by_key=True)
    assert face.steps == ["cards", "cards", "cards", "board", "board", "cards", "board"]


def test_the_terminal_shows_step_task_advice_and_keys(empty: np.ndarray) -> None:
    g = Guide()
    shown = "\n".join(text.plain for text in lines(g.see(covered(empty)), by_key=True))
    assert shown.startswith("Step 1 of 4  Lay the four corner cards")
    assert "  - The north-east card is not seen" in shown
    assert "Ready" not in shown
    assert "Ready: press Return." in "\n".join(text.plain for text in lines(g.see(empty), by_key=True))


def test_at_a_terminal_return_takes_each_picture_and_keeps_the_result(tmp_path: Path, table_dir: Path) -> None:
    """In a terminal of its own; what is said there does not mix with what is printed."""
    keyboard, terminal = pty.openpty()
    out = tmp_path / "table.json"
    command = [
        sys.executable,
        "-m",
        "companion",
        "calibrate",
        "--pictures",
        table_dir,
        "--guided",
        "--out",
        out,
        "--json",
    ]
    environ = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    with subprocess.Popen(command, stdin=terminal, stderr=terminal, stdout=subprocess.PIPE, env=environ) as program:
        os.close(terminal)
        said = b""
        while program.poll() is None:
            if select.select([keyboard], [], [], 0.2)[0]:
                try:
                    new = os.read(keyboard, 65536)
                except OSError:  # the program has gone and its terminal with it
                    break
                said += new
                if b"press Return" in new or b"Return keeps" in new:
                    os.write(keyboard, b"\n")
        assert program.stdout is not None
        printed = program.stdout.read()
    os.close(keyboard)
    assert program.returncode == 0
    assert json.loads(printed)["grade"] == "good"
    assert [b"Step %d of 4" % n in said for n in (1, 2, 3, 4)] == [True] * 4
    assert assess(load_calibration(out)).advice == ()


def test_a_rehearsal_leaves_the_households_calibration_alone_and_says_so(
    home: Path, table_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home.mkdir()
    (home / "calibration.json").write_text(OLD)
    assert run("--simulate", "--lens", "wide", "--seed", "3") == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    assert "error of the lens pictures" in printed.out
    assert printed.out.endswith("A rehearsal: nothing was written. To keep it say --out FILE.\n")
    assert run("--pictures", table_dir, "--json") == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["grade"] == "good"
    assert "nothing was written" in printed.err
    assert [(p.name, p.read_text()) for p in home.iterdir()] == [("calibration.json", OLD)]


def test_a_real_cameras_calibration_is_the_households(
    home: Path, table_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = setting_out.recorded(table_dir)
    monkeypatch.setattr(source.camera, "focus", ("a lens", 0.75))
    monkeypatch.setattr(calibrate, "_source", lambda _args, _settings: source)
    assert run("--camera", "v4l2") == 0
    kept = load_calibration(home / "calibration.json")
    assert kept.camera.image_size == (1536, 864)
    assert kept.focus == ("a lens", 0.75)


def test_the_simulated_table_can_be_kept_where_people_say(out: Path) -> None:
    assert run("--simulate", "--lens", "wide", "--seed", "3", "--out", out) == 0
    assert load_calibration(out).quality.lens_rms_px < 0.5


def test_the_lens_pictures_of_a_session_are_used(
    tmp_path: Path, table_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A session that names a lens sheet but has too few pictures of it: the lens step is never over."""
    folder = tmp_path / "session"
    shutil.copytree(table_dir, folder)
    info = json.loads((folder / "session.json").read_text())
    charuco = {"squares": [7, 5], "square_mm": 30, "marker_mm": 22, "dict": "DICT_5X5_100"}
    info |= {"lens": "wide", "lens_pictures": {"folder": "lens", "charuco": charuco}}
    (folder / "session.json").write_text(json.dumps(info))
    assert run("--pictures", folder, "--out", tmp_path / "c.json") == 1
    assert "The lens sheet is not seen" in capsys.readouterr().err
