"""Each part a line, ok or what to do; the exit status tells whether something needed is missing."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest

from calibration import save_calibration
from companion.cli import check_screen, check_storage, checkup, devices, doctor
from companion.cli.check_picture import SHARP, sharpness
from companion.cli.checkup import check_up
from companion.cli.doctor import _play_one
from companion.cli.finding import SERVICE, Finding, System
from companion.cli.program import main
from companion.settings import Folders, Settings, keep_setting
from companion.table.journal import Journal
from hardware.camera import Frame
from hardware.errors import CameraError
from hardware.sound.aplay import AlsaSpeaker
from hardware.sound.cards import cards_to_try


class FakeCamera:
    """A camera that gives one picture."""

    name = "camera on /dev/video0"

    def __init__(self, brightness: int, size: tuple[int, int] = (1536, 864), contrast: int = 8) -> None:
        self.size = size
        self._brightness, self._contrast = brightness, contrast

    def open(self) -> None:
        """Nothing to do."""

    def read(self, timeout_s: float) -> Frame:
        width, height = self.size
        checks = np.indices((height, width)).sum(axis=0) // 8 % 2 * 2 - 1
        image = np.clip(self._brightness + self._contrast * checks, 0, 255).astype(np.uint8)
        return Frame(0, timeout_s, np.repeat(image[..., None], 3, axis=2))

    def settle(self, focus: object = None) -> None:
        """Nothing to do."""

    def close(self) -> None:
        """Nothing to do."""

    def __enter__(self) -> FakeCamera:
        return self

    def __exit__(self, *exc: object) -> None:
        """Nothing to do."""


PLACES = (
    *("model", "drm", "cards", "lights", "inputs", "chips", "sound_cards", "mounts", "file_systems"),
    *("heat", "firmware", "synchronised"),
)


def silent(*_how: object) -> FakeCamera:
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
        ("inputs/event0/device/name", "10-0038 generic ft5x06 (79)\n"),
        ("inputs/event0/device/properties", "2\n"),
        ("inputs/event0/device/capabilities/abs", "260800000000003\n"),
        ("heat", "52300\n"),
        ("firmware/soc@107c000000/soc@107c000000:firmware/get_throttled", "0\n"),
        ("synchronised", ""),
        ("drm/card1-DSI-1/status", "connected\n"),
        ("cards/renderD128", ""),
        ("lights/10-0045/bl_power", "0\n"),
        ("lights/10-0045/brightness", "31\n"),
        ("chips/gpiochip0", ""),
        ("sound_cards", "--- no soundcards ---\n"),
        ("mounts", "/dev/mmcblk0p2 / ext4 rw 0 0\nproc /proc proc rw 0 0\n"),
        ("file_systems/mmcblk0p2/errors_count", "0\n"),
        ("blocks/mmcblk0/device/pre_eol_info", "0x01\n"),
        ("blocks/mmcblk0/mmcblk0p2/size", "1"),
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return System(
        **{folder: tmp_path / folder for folder in PLACES},
        open_camera=lambda *_how: FakeCamera(120),
        list_cameras=lambda: [("v4l2", "webcam on /dev/video0")],
        screen=lambda: "kmsdrm",
        unit_state=lambda _unit: "inactive",
    )


def found(system: System, where: Folders) -> dict[str, Finding]:
    return {finding.part: finding for finding in check_up(system, where)}


def choose(where: Folders, **settings: object) -> None:
    """What the household's file says."""
    for field, value in settings.items():
        keep_setting(where.settings, field, value)


def quiet_panel(where: Folders) -> None:
    """No pins and no loudspeaker on the machine where this runs."""
    choose(where, panel="none", speaker="none")


def test_where_all_is_well_every_line_says_so(system, where, table_calibration):
    quiet_panel(where)
    save_calibration(where.calibration, table_calibration)
    Journal(where.journal).close()
    parts = found(system, where)
    service = parts.pop("service")
    assert {part: f.state for part, f in parts.items()} == dict.fromkeys(
        (
            *("camera", "lens", "light", "calibration", "panel", "pins", "screen", "drawing", "backlight"),
            *("touch", "sound", "disk", "card", "games", "clock", "heat", "versions"),
        ),
        "ok",
    )
    assert service == Finding("service", "note", service.text)
    assert parts["camera"].text == "camera on /dev/video0, 1536 x 864."
    assert parts["screen"].text == "By kmsdrm, 800x480."
    assert "Raspberry Pi 5" in parts["versions"].text


@pytest.mark.parametrize(
    "wrong",
    [
        ("camera", "missing", "check its cable", {"list_cameras": list}),
        ("camera", "missing", "No camera answers", {"open_camera": silent}),
        ("light", "missing", "Is the lens covered", {"open_camera": lambda *_: FakeCamera(3)}),
        ("light", "missing", "Turn the lamp away", {"open_camera": lambda *_: FakeCamera(250)}),
        ("light", "note", "burnt out", {"open_camera": lambda *_: FakeCamera(200, contrast=55)}),
        ("lens", "note", "not sharp", {"open_camera": lambda *_: FakeCamera(120, contrast=0)}),
        ("calibration", "missing", "calibrate again", {"open_camera": lambda *_: FakeCamera(120, (640, 480))}),
        ("screen", "missing", "no screen", {"screen": lambda: None}),
        ("screen", "missing", "groups video and render", {"cards": Path("/nowhere")}),
        ("screen", "missing", "vc4-kms-v3d", {"screen": lambda: None, "cards": Path("/nowhere")}),
        ("screen", "missing", "Nothing is on DSI-1", {"screen": lambda: None}),
        ("drawing", "note", "by the processor", {"cards": Path("/nowhere")}),
        ("drawing", "missing", "A desktop has", {"unit_state": {"display-manager.service": "active"}.get}),
        ("service", "ok", "It runs", {"unit_state": lambda _unit: "active"}),
        ("service", "note", "waiting for a screen", {"unit_state": lambda _unit: "activating"}),
        ("service", "note", "says why it ended", {"unit_state": lambda _unit: "failed"}),
        ("touch", "note", "No touchscreen", {"inputs": Path("/nowhere")}),
        ("heat", "ok", "does not tell", {"heat": Path("/nowhere")}),
        ("heat", "note", "cannot be told", {"firmware": Path("/nowhere")}),
        ("clock", "note", "no network has confirmed", {"synchronised": Path("/nowhere")}),
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
    choose(where, camera="v4l2", panel="none")
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
    monkeypatch.setattr(check_storage.shutil, "disk_usage", lambda _path: usage)
    assert found(system, where)["disk"].state == state


def test_a_disk_that_cannot_be_written_to_is_told(system, where, monkeypatch):
    quiet_panel(where)

    def refuse(*_args: object, **_more: object) -> None:
        raise OSError(30, os.strerror(30))

    monkeypatch.setattr(check_storage.tempfile, "NamedTemporaryFile", refuse)
    finding = found(system, where)["disk"]
    assert finding.state == "missing"
    assert "Read-only file system" in finding.text


@pytest.mark.parametrize(
    "report",
    [
        ("throttled", "0x1\n", "power supply"),
        ("throttled", "50000\n", "too little voltage since it was switched on"),
        ("throttled", "20002\n", "is held back"),
        ("throttled", "80008\n", "slows itself down"),
        ("throttled", "60000\n", "was slowed down"),
        ("throttled", "80000\n", "slowed itself down"),
        ("throttled", "20000\n", "was held back"),
        ("heat", "84000", "air"),
    ],
)
def test_heat_and_too_little_voltage_are_told(system, where, tmp_path, report):
    name, content, told = report
    quiet_panel(where)
    if name == "throttled":
        name = "firmware/soc@107c000000/soc@107c000000:firmware/get_throttled"
    (tmp_path / name).write_text(content)
    finding = found(system, where)["heat"]
    assert finding.state == "note"
    assert told in finding.text


@pytest.mark.parametrize(
    ("told", "state"),
    [
        (("2", "260800000000003"), "ok"),
        (("2", "3"), "ok"),  # one finger only
        (("5", "260800000000003"), "note"),  # a touchpad
        (("0", "0"), "note"),  # a keyboard
        (("2", "1 0"), "note"),  # an axis of the next word
    ],
)
def test_a_touchscreen_is_known_by_what_it_feels_and_not_by_its_name(system, where, tmp_path, told, state):
    quiet_panel(where)
    device = tmp_path / "inputs/event0/device"
    for name, bits in zip(("properties", "capabilities/abs"), told, strict=True):
        (device / name).write_text(f"{bits}\n")
    assert found(system, where)["touch"].state == state


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


def test_of_settings_that_cannot_be_what_is_good_is_looked_at(system, where, monkeypatch, capsys):
    monkeypatch.setenv("ATLANTIS_HOME", str(where.data))
    where.data.mkdir()
    where.settings.write_text("language = 3\npanel = 'keyboard'\nspeaker = 'none'\n")
    parts = found(system, where)
    assert (parts["settings"].state, "mend the file" in parts["settings"].text) == ("missing", True)
    assert parts["panel"] == Finding("panel", "ok", parts["panel"].text)
    monkeypatch.setattr("companion.cli.doctor.check_up", lambda _system, _where: [])
    assert main(["doctor", "--buttons"]) == 0
    assert "no button panel" in capsys.readouterr().out


def test_the_camera_is_looked_at_as_it_is_played_with(system, where, table_calibration):
    """By its lens where it was calibrated, and on the mains of this country."""
    opened = []

    def live(*how: object) -> FakeCamera:
        opened.append(how)
        return FakeCamera(120, contrast=0)

    seen_so = msgspec.structs.replace(system, open_camera=live)
    choose(where, panel="none", speaker="none", mains_hz=60)
    found(seen_so, where)
    save_calibration(where.calibration, msgspec.structs.replace(table_calibration, focus=("HD Webcam", 35.0)))
    assert "calibrate anew" in found(seen_so, where)["lens"].text
    assert opened == [("v4l2", 60, None), ("v4l2", 60, ("HD Webcam", 35.0))]


def test_settings_of_another_version_are_named(system, where):
    where.data.mkdir()
    where.settings.write_text("panel = 'none'\nspeaker = 'none'\nshelf = 3\n")
    finding = found(system, where)["settings"]
    assert (finding.state, finding.text.endswith("left alone: shelf.")) == ("note", True)


def test_while_the_companion_runs_camera_and_pins_are_left_to_it(system, where):
    choose(where, panel="gpio", speaker="none")

    def nobody(*_how: object) -> FakeCamera:
        raise AssertionError

    running = msgspec.structs.replace(system, open_camera=nobody, unit_state={SERVICE: "active"}.get)
    parts = found(running, where)
    for part in ("camera", "panel"):
        assert parts[part].state == "note"
        assert f"sudo systemctl stop {SERVICE}" in parts[part].text
    assert "lens" not in parts


@pytest.mark.parametrize(
    "case",
    [
        ({"panel": "gpio", "chips": "nowhere"}, "The kernel has no pins"),
        ({"panel": "gpio", "factory": "lgpioo"}, "sudo apt install python3-lgpioo"),
        ({"panel": "gpio", "factory": "json"}, "By json"),
        ({"panel": "none"}, "Not used"),
    ],
)
def test_what_speaks_to_the_pins_is_named(system, where, tmp_path, monkeypatch, case):
    changes, told = case
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", changes.get("factory", "json"))
    choose(where, panel=changes["panel"], speaker="none")
    looked = msgspec.structs.replace(system, chips=tmp_path / changes.get("chips", "chips"))
    assert told in found(looked, where)["pins"].text


def test_a_screen_whose_light_is_off_is_told(system, where, tmp_path):
    quiet_panel(where)
    (tmp_path / "lights/10-0045/bl_power").write_text("4\n")
    finding = found(system, where)["backlight"]
    assert (finding.state, "is off" in finding.text) == ("missing", True)


def test_a_library_that_draws_and_is_not_there_is_named(system, where, monkeypatch):
    quiet_panel(where)
    monkeypatch.setattr(check_screen, "LIBRARIES", ("libnobody.so.1",))
    finding = found(system, where)["drawing"]
    assert (finding.state, "libnobody.so.1" in finding.text) == ("missing", True)


@pytest.mark.parametrize(
    "case",
    [
        ("file_systems/mmcblk0p2/errors_count", "3\n", "3 faults"),
        ("blocks/mmcblk0/device/pre_eol_info", "0x03\n", "worn out"),
    ],
)
def test_a_card_that_is_not_well_is_told(system, where, tmp_path, case):
    file, content, told = case
    quiet_panel(where)
    (tmp_path / file).write_text(content)
    (tmp_path / "class").mkdir()
    (tmp_path / "class/mmcblk0p2").symlink_to(tmp_path / "blocks/mmcblk0/mmcblk0p2")
    looked = msgspec.structs.replace(system, blocks=tmp_path / "class")
    finding = found(looked, where)["card"]
    assert (finding.state, told in finding.text) == ("note", True)


@pytest.mark.parametrize("kind", ["none", "auto"])
def test_silence_is_in_order_only_where_it_was_chosen(system, where, kind):
    choose(where, panel="none", speaker=kind)
    assert found(system, where)["sound"].state == ("ok" if kind == "none" else "note")


def test_a_loudspeaker_without_its_player_says_what_to_install(system, where, tmp_path, monkeypatch):
    choose(where, panel="none")
    (tmp_path / "sound_cards").write_text(" 0 [vc4hdmi0       ]: vc4-hdmi - vc4-hdmi-0\n")
    monkeypatch.setenv("PATH", str(tmp_path))
    finding = found(system, where)["sound"]
    assert (finding.state, "alsa-utils" in finding.text) == ("missing", True)


def test_the_card_that_will_play_is_named_and_what_became_of_a_sound(system, where, tmp_path, monkeypatch, capsys):
    choose(where, panel="none")
    (tmp_path / "sound_cards").write_text(
        " 0 [vc4hdmi0       ]: vc4-hdmi - vc4-hdmi-0\n 2 [Device         ]: USB-Audio - USB PnP Sound Device\n"
    )
    for number in (0, 2):
        (tmp_path / f"card{number}" / "pcm0p").mkdir(parents=True)
    player = tmp_path / "aplay"
    player.write_text("#!/bin/sh\n/bin/cat > /dev/null\n[ $3 != sysdefault:CARD=Device ] || exit 3\n")
    player.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    finding = found(system, where)["sound"]
    assert (finding.state, "By aplay on USB PnP Sound Device;" in finding.text) == ("ok", True)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(devices, "speaker_name", lambda _settings: "aplay")
    cards = lambda: cards_to_try(tmp_path / "sound_cards", {}, ())  # noqa: E731
    for first, state, told in ((0, "ok", "vc4-hdmi-0: aplay ended with 0."), (None, "missing", "aplay ended with 3.")):
        tried = cards() if first is not None else cards()[:1]
        monkeypatch.setattr(doctor, "open_speaker", lambda _name, tried=tried: AlsaSpeaker(cards=lambda: tried))
        finding = _play_one(Settings())
        assert (finding.state, told in finding.text) == (state, True), finding.text
        assert f"in {tmp_path}/.asoundrc: `defaults.pcm.!card NAME`" in finding.text, "a file that an upgrade leaves"


@pytest.mark.parametrize("case", [("auto", "note", "no sound card"), ("none", "note", "settings say")])
def test_where_nothing_can_play_a_sound_it_is_said_why(monkeypatch, case):
    kind, state, told = case
    name = devices.speaker_name
    monkeypatch.setattr(devices, "speaker_name", lambda settings: name(settings, Path("/nowhere")))
    finding = _play_one(Settings(speaker=kind))
    assert (finding.state, told in finding.text) == (state, True), finding.text


def test_a_sound_without_its_player_says_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    finding = _play_one(Settings(speaker="aplay"))
    assert (finding.state, "alsa-utils" in finding.text) == ("missing", True)


def test_a_blurred_picture_of_a_table_is_told_from_a_sharp_one(table_dir):
    picture = cv2.imread(str(next(iter(sorted(table_dir.glob("*.jpg"))))))
    assert sharpness(picture) > 2 * SHARP
    assert sharpness(cv2.GaussianBlur(picture, (0, 0), 5)) < SHARP
