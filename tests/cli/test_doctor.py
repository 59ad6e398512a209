"""Each part a line, ok or what to do; the exit status tells whether something needed is missing."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import msgspec
import numpy as np
import pytest

from calibration import save_calibration
from companion.cli import checkup
from companion.cli.checkup import Finding, System, check_up
from companion.cli.program import main
from companion.settings import Folders, Settings, save_settings
from companion.table.journal import Journal
from hardware.camera import Frame
from hardware.errors import CameraError


class FakeCamera:
    """A camera that gives one picture."""

    name = "camera on /dev/video0"

    def __init__(self, brightness: int, size: tuple[int, int] = (1536, 864)) -> None:
        self.size = size
        self._brightness = brightness

    def open(self) -> None:
        """Nothing to do."""

    def read(self, timeout_s: float) -> Frame:
        width, height = self.size
        return Frame(0, timeout_s, np.full((height, width, 3), self._brightness, np.uint8))

    def close(self) -> None:
        """Nothing to do."""

    def __enter__(self) -> FakeCamera:
        return self

    def __exit__(self, *exc: object) -> None:
        """Nothing to do."""


def silent(_name: str) -> FakeCamera:
    raise CameraError("No camera answers on /dev/video0: check the cable, then start again.", final=True)


@pytest.fixture
def where(tmp_path: Path) -> Folders:
    return Folders(config=tmp_path / "home", data=tmp_path / "home")


@pytest.fixture
def system(tmp_path: Path) -> System:
    """A Raspberry Pi on which all is well."""
    (tmp_path / "model").write_bytes(b"Raspberry Pi 5 Model B Rev 1.0\0")
    for name, text in (
        ("drm/card1-DSI-1/modes", "800x480\n"),
        ("cards/card1", ""),
        ("inputs/event0/device/name", "Goodix Capacitive TouchScreen\n"),
        ("heat", "52300\n"),
        ("throttled", "0\n"),
        ("synchronised", ""),
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return System(
        **{f: tmp_path / f for f in ("model", "drm", "cards", "inputs", "heat", "throttled", "synchronised")},
        open_camera=lambda _name: FakeCamera(120),
        list_cameras=lambda: [("v4l2", "webcam on /dev/video0")],
        screen=lambda: "kmsdrm",
    )


def found(system: System, where: Folders) -> dict[str, Finding]:
    return {finding.part: finding for finding in check_up(system, where)}


def quiet_panel(where: Folders) -> None:
    """No pins on the machine where this runs."""
    save_settings(where.settings, Settings(panel="none"))


def test_where_all_is_well_every_line_says_so(system, where, table_calibration):
    quiet_panel(where)
    save_calibration(where.calibration, table_calibration)
    Journal(where.journal).close()
    parts = found(system, where)
    assert {part: f.state for part, f in parts.items()} == dict.fromkeys(
        ("camera", "calibration", "panel", "screen", "touch", "disk", "games", "clock", "heat", "versions"), "ok"
    )
    assert parts["camera"].text == "camera on /dev/video0, 1536 x 864."
    assert parts["screen"].text == "By kmsdrm, 800x480."
    assert "Raspberry Pi 5" in parts["versions"].text


@pytest.mark.parametrize(
    "wrong",
    [
        ("camera", "missing", "check its cable", {"list_cameras": list}),
        ("camera", "missing", "No camera answers", {"open_camera": silent}),
        ("camera", "missing", "Is the lens covered", {"open_camera": lambda _: FakeCamera(3)}),
        ("camera", "missing", "Turn the lamp away", {"open_camera": lambda _: FakeCamera(250)}),
        ("calibration", "missing", "calibrate again", {"open_camera": lambda _: FakeCamera(120, (640, 480))}),
        ("screen", "missing", "no screen", {"screen": lambda: None}),
        ("screen", "missing", "groups video and render", {"cards": Path("/nowhere")}),
        ("touch", "note", "No touchscreen", {"inputs": Path("/nowhere")}),
        ("heat", "ok", "does not tell", {"heat": Path("/nowhere")}),
    ],
)
def test_what_is_wrong_is_said_with_what_to_do(system, where, table_calibration, wrong):
    part, state, told, changes = wrong
    quiet_panel(where)
    save_calibration(where.calibration, table_calibration)
    finding = found(msgspec.structs.replace(system, **changes), where)[part]
    assert finding.state == state
    assert told in finding.text


def test_on_a_laptop_a_camera_is_not_needed_unless_the_settings_name_it(system, where):
    laptop = msgspec.structs.replace(system, model=Path("/nowhere"), list_cameras=list, open_camera=silent)
    assert found(laptop, where)["camera"].state == "note"
    assert found(laptop, where)["calibration"].state == "note"
    save_settings(where.settings, Settings(camera="v4l2", panel="none"))
    assert found(laptop, where)["camera"].state == "missing"


def test_a_camera_that_was_never_calibrated_is_told_what_to_do(system, where):
    quiet_panel(where)
    assert found(system, where)["calibration"] == Finding(
        "calibration",
        "missing",
        "This camera has not been calibrated yet: `companion calibrate` does it, with the printed cards.",
    )


@pytest.mark.parametrize(
    "damage",
    [
        ("settings.toml", "language = ", "settings", "mend the file"),
        ("calibration.json", "{}", "calibration", "calibrate again"),
        ("games.sqlite", "no database " * 500, "games", "set aside"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(system, where, damage):
    name, content, part, told = damage
    quiet_panel(where)
    (where.data / name).write_text(content)
    finding = found(msgspec.structs.replace(system, model=Path("/nowhere")), where)[part]
    assert finding.state != "ok"
    assert name in finding.text
    assert told in finding.text


def test_a_game_under_way_is_not_disturbed(system, where):
    quiet_panel(where)
    with Journal(where.journal):
        finding = found(system, where)["games"]
    assert finding.state in ("note", "ok")
    assert not list(where.data.glob("*.damaged*"))


@pytest.mark.parametrize(("free_mb", "state"), [(20, "missing"), (200, "note"), (40_000, "ok")])
def test_a_disk_that_fills_up_is_told_in_time(system, where, monkeypatch, free_mb, state):
    quiet_panel(where)
    usage = type("Usage", (), {"free": free_mb * 1_000_000})
    monkeypatch.setattr(checkup.shutil, "disk_usage", lambda _path: usage)
    assert found(system, where)["disk"].state == state


def test_a_disk_that_cannot_be_written_to_is_told(system, where, monkeypatch):
    quiet_panel(where)

    def refuse(*_args: object, **_more: object) -> None:
        raise OSError(30, os.strerror(30))

    monkeypatch.setattr(checkup.tempfile, "NamedTemporaryFile", refuse)
    finding = found(system, where)["disk"]
    assert finding.state == "missing"
    assert "Read-only file system" in finding.text


@pytest.mark.parametrize(
    "report",
    [
        ("throttled", "0x1\n", "power supply"),
        ("throttled", "50000\n", "since it was switched on"),
        ("heat", "84000", "air"),
    ],
)
def test_heat_and_too_little_voltage_are_told(system, where, tmp_path, report):
    name, content, told = report
    quiet_panel(where)
    (tmp_path / name).write_text(content)
    finding = found(system, where)["heat"]
    assert finding.state == "note"
    assert told in finding.text


def test_a_clock_that_was_never_set_is_told(system, where, monkeypatch):
    quiet_panel(where)

    class Old(checkup.datetime):
        @classmethod
        def now(cls, tz: object = None) -> checkup.datetime:  # noqa: ARG003 - as datetime has it
            return checkup.datetime(1970, 1, 1, 0, 5)

    monkeypatch.setattr(checkup, "datetime", Old)
    finding = found(system, where)["clock"]
    assert finding.state == "note"
    assert "1970" in finding.text


@pytest.mark.parametrize(("state", "status"), [("ok", 0), ("note", 0), ("missing", 1)])
def test_the_exit_status_tells_whether_something_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], state: checkup.State, status: int
) -> None:
    finding = Finding("camera", state, "In a sentence.")
    look: Callable[[System, Folders], list[Finding]] = lambda _system, _where: [finding]  # noqa: E731 - a stand-in
    monkeypatch.setattr("companion.cli.doctor.check_up", look)
    assert main(["doctor"]) == status
    assert "In a sentence." in capsys.readouterr().out
    assert main(["doctor", "--json"]) == status
    assert json.loads(capsys.readouterr().out) == [{"part": "camera", "state": state, "text": "In a sentence."}]


def test_without_a_panel_its_buttons_cannot_be_tried(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("ATLANTIS_HOME", str(tmp_path))
    monkeypatch.setattr("companion.cli.doctor.check_up", lambda _system, _where: [])
    assert main(["doctor", "--buttons"]) == 0
    assert "no button panel" in capsys.readouterr().out


def test_settings_that_cannot_be_read_are_one_line_also_when_buttons_are_to_be_tried(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("ATLANTIS_HOME", str(tmp_path))
    (tmp_path / "settings.toml").write_text("language = ")
    monkeypatch.setattr("companion.cli.doctor.check_up", lambda _system, _where: [])
    assert main(["doctor", "--buttons"]) == 1
    assert "mend the file" in capsys.readouterr().err
