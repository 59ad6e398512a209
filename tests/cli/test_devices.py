"""Which parts a run is put together from: by name, and never fallen back to in silence."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Literal

import pytest

from companion.cli import devices
from companion.cli.devices import CameraChoiceError
from companion.cli.program import main
from companion.settings import Folders, Settings
from companion.watch.messages import WatchPlan
from hardware.panel import PanelError
from hardware.panel.gpio import GpioPanel


def chosen(folder: Path, *words: str, settings: Settings | None = None) -> tuple[WatchPlan, str]:
    parser = argparse.ArgumentParser()
    devices.add_camera_arguments(parser)
    return devices.plan(parser.parse_args(words), settings or Settings(), Folders(config=folder, data=folder))


@pytest.fixture(autouse=True)
def no_cameras(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "list_cameras", list)


def test_without_a_camera_the_simulated_table_is_said(tmp_path: Path) -> None:
    watch, line = chosen(tmp_path)
    assert watch.camera == "simulated"
    assert line == "No camera here: playing on the simulated table."


def test_the_first_camera_is_taken_and_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "list_cameras", lambda: [("v4l2", "Webcam on /dev/video0")])
    plan = WatchPlan(camera="v4l2", calibration=str(tmp_path / "calibration.json"))
    assert chosen(tmp_path) == (plan, "Camera: Webcam on /dev/video0.")


def test_what_is_named_is_found_from_any_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "evening").mkdir()
    monkeypatch.chdir(tmp_path)
    watch = chosen(tmp_path, "--pictures", "evening", "--calibration", "c.json")[0]
    assert (watch.folder, watch.calibration) == (str(tmp_path / "evening"), str(tmp_path / "c.json"))


def test_the_households_calibration_is_used_or_will_be_kept_unless_another_is_named(tmp_path: Path) -> None:
    assert chosen(tmp_path, "--camera", "v4l2")[0].calibration == str(tmp_path / "calibration.json")
    assert chosen(tmp_path, "--camera", "v4l2", "--calibration", "/other")[0].calibration == "/other"


def test_the_arguments_outweigh_the_settings(tmp_path: Path) -> None:
    settings = Settings(camera="picamera2")
    assert chosen(tmp_path, settings=settings)[0].camera == "picamera2"
    assert chosen(tmp_path, "--simulate", settings=settings)[0].camera == "simulated"


def test_pictures_bring_their_calibration_or_are_given_one(tmp_path: Path) -> None:
    with pytest.raises(CameraChoiceError, match=r"say --calibration FILE"):
        chosen(tmp_path, "--pictures", str(tmp_path))
    assert chosen(tmp_path, "--pictures", str(tmp_path), "--calibration", "/c")[0].calibration == "/c"
    (tmp_path / "session.json").touch()
    watch = chosen(tmp_path, "--pictures", str(tmp_path), "--every", "2")[0]
    assert (watch.folder, watch.calibration, watch.every_s) == (str(tmp_path), None, 2.0)


@pytest.mark.parametrize(
    ("environ", "driver"),
    [
        ({"DISPLAY": ":0"}, "x11"),
        ({"DISPLAY": ":0.0"}, "x11"),
        ({"DISPLAY": "desk:10.0"}, "x11"),
        ({"DISPLAY": ":99"}, None),
        ({"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"}, "x11"),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "wayland"),
        ({"DISPLAY": ":0", "SDL_VIDEODRIVER": "offscreen"}, "offscreen"),
    ],
)
def test_a_desktop_that_runs_is_a_screen(tmp_path: Path, environ: dict[str, str], driver: str | None) -> None:
    (tmp_path / "X0").touch()
    assert devices.screen(environ, drm=tmp_path, sockets=tmp_path) == driver


def test_a_connected_monitor_is_a_screen_and_an_empty_socket_is_none(tmp_path: Path) -> None:
    for name, status in (("card0-HDMI-A-1", "disconnected"), ("card1-DSI-1", "connected")):
        assert devices.screen({}, tmp_path) is None
        (tmp_path / name).mkdir()
        (tmp_path / name / "status").write_text(status + "\n")
    assert devices.screen({}, tmp_path) == "kmsdrm"


@pytest.mark.parametrize(
    ("connected", "card"),
    [
        ((), None),
        (("card2-HDMI-A-1",), None),  # SDL finds it
        (("card1-DSI-1", "card1-HDMI-A-1"), None),  # of a Pi 4, which has one card for both
        (("card1-DSI-1", "card2-HDMI-A-1"), 1),
        (("card0-HDMI-A-1", "card1-DSI-2", "card0-HDMI-A-2"), 1),
        (("card10-HDMI-A-1", "card9-HDMI-A-1"), 9),
    ],
)
def test_where_two_cards_have_a_screen_the_one_on_the_ribbon_cable_is_drawn_on(
    tmp_path: Path, connected: tuple[str, ...], card: int | None
) -> None:
    for name in ("card1-DSI-1", "card1-Writeback-1", "card2-HDMI-A-2", *connected):
        (tmp_path / name).mkdir(exist_ok=True)
        (tmp_path / name / "status").write_text("connected\n" if name in connected else "disconnected\n")
    assert devices.card(tmp_path) == card


def test_the_panel_is_the_pins_of_a_raspberry_pi_else_the_keyboard(tmp_path: Path) -> None:
    model = tmp_path / "model"
    assert devices.panel_name(Settings(), model) == "keyboard"
    model.write_bytes(b"Raspberry Pi 5 Model B Rev 1.0\0")
    assert devices.panel_name(Settings(), model) == "gpio"
    assert devices.panel_name(Settings(panel="none"), model) == "none"


@pytest.fixture
def taken_pins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The model of a Raspberry Pi whose pins somebody else has."""

    def claim(_panel: GpioPanel) -> None:
        raise PanelError("The button panel cannot be used: GPIO busy.")

    monkeypatch.setattr(GpioPanel, "open", claim)
    model = tmp_path / "model"
    model.write_bytes(b"Raspberry Pi 4 Model B Rev 1.5\0")
    return model


@pytest.mark.parametrize("named", ["auto", "gpio"])
def test_a_panel_that_cannot_be_used_is_done_without(
    taken_pins: Path, caplog: pytest.LogCaptureFixture, named: Literal["auto", "gpio"]
) -> None:
    with devices.panel(Settings(panel=named), taken_pins) as panel:
        assert panel.poll() == []
        panel.set_led("player1", True)
    assert [record.getMessage() for record in caplog.records] == [
        "No buttons: The button panel cannot be used: GPIO busy."
    ]


@pytest.mark.parametrize("words", [["--every", "2"], ["--simulate", "--calibration", "c.json"]])
def test_arguments_of_play_that_would_be_ignored_are_wrong_usage(words: list[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["play", *words])
    assert end.value.code == 2


def test_sounds_come_from_the_sound_card_if_there_is_one_unless_the_settings_say_otherwise(tmp_path: Path) -> None:
    cards = tmp_path / "cards"
    assert devices.speaker_name(Settings(), cards) == "none"
    cards.write_text("--- no soundcards ---\n")
    assert devices.speaker_name(Settings(), cards) == "none"
    cards.write_text(" 0 [vc4hdmi0       ]: vc4-hdmi - vc4-hdmi-0\n")
    assert devices.speaker_name(Settings(), cards) == "aplay"
    assert devices.speaker_name(Settings(speaker="buzzer"), cards) == "buzzer"


def test_a_speaker_that_cannot_be_used_is_one_line_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    speaker = devices.speaker(Settings(speaker="buzzer"))  # none is fitted
    speaker.play("turn", 0.5)
    assert [record.getMessage().partition(":")[0] for record in caplog.records] == ["No sounds"]
