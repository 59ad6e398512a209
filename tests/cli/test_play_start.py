"""`companion play` on a screen: whatever is wrong at the start, people are shown it, and the service does not end."""

from __future__ import annotations

import socket
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion import i18n
from companion.cli import devices
from companion.cli.program import main
from companion.settings import load_settings
from companion.table.journal import Journal
from companion.viewmodel.app import AppViewModel
from companion.viewmodel.states import Dialog, HomeScreen, ShutScreen
from companion.watch.link import FollowingError
from hardware.errors import PanelError
from hardware.panel.gpio import GpioPanel
from hardware.panel.patient import FIRST_RETRY_S, PatientPanel


class Screen:
    """What stands in for the window: it ticks, and presses keys as the window would."""

    def __init__(self, view_model: AppViewModel, on_tick: Callable[[], None], keyboard: Callable[[str, bool], None]):
        self.vm = view_model
        self._on_tick = on_tick
        self._keyboard = keyboard
        self._now = 0.0

    def tick(self, seconds: float = 1.0) -> None:
        until = self._now + seconds
        while self._now < until:
            self._now += 0.05
            self.vm.tick(self._now)
            self._on_tick()

    def key(self, name: str) -> None:
        for pressed in (True, False):
            self._keyboard(name, pressed)
            self.tick()


class NoWatcher:
    """A table that nobody watches: that takes a process and a second."""

    def __init__(self, *_args: object, **_options: object) -> None:
        self.calibration = None

    def __getattr__(self, name: str) -> Any:
        return lambda *_args, **_options: ()

    def __enter__(self) -> NoWatcher:
        return self

    def __exit__(self, *exc: object) -> None:
        """Nothing to end."""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The service's folder, on a machine with a screen, a quiet one."""
    monkeypatch.setenv("ATLANTIS_HOME", str(tmp_path))
    monkeypatch.setenv("SDL_VIDEODRIVER", "offscreen")
    monkeypatch.setattr(devices, "speaker_name", lambda _settings: "none")
    yield tmp_path
    i18n.set_language("en")


def play(monkeypatch: pytest.MonkeyPatch, people: Callable[[Screen], None]) -> int:
    """Start the program; `people` have its screen until they return."""

    def run(view_model: AppViewModel, *, on_tick: Any, keyboard: Any, **_window: object) -> None:
        people(Screen(view_model, on_tick, keyboard))

    monkeypatch.setattr("companion.ui.app.run", run)
    monkeypatch.setattr("companion.cli.play.Watcher", NoWatcher)
    monkeypatch.setattr("companion.cli.play.WatchedTable", lambda _watcher: NoTable())
    return main(["play", "--simulate"])


class NoTable:
    """No camera's table."""

    status = None

    def poll(self, now: float) -> None:
        """Nothing has come."""


def test_a_fault_of_the_following_is_told_and_the_screen_goes_on(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    faults: list[Exception] = [FollowingError()]

    def poll(_table: NoTable, _now: float) -> None:
        if faults:
            raise faults.pop()

    monkeypatch.setattr(NoTable, "poll", poll)

    def people(screen: Screen) -> None:
        screen.tick()
        assert isinstance(screen.vm.state.dialog, Dialog)
        assert "Play on by touch" in screen.vm.state.dialog.text
        screen.key("enter")
        assert isinstance(screen.vm.state.screen, HomeScreen)
        assert screen.vm.state.dialog is None

    assert play(monkeypatch, people) == 0


def is_of_version(path: Path, version: int) -> None:
    if not path.exists():
        Journal(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version = {version}")
    connection.close()


def test_a_record_of_games_that_cannot_be_opened_is_shown_and_can_be_tried_again(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It used to end the program, which systemd started again, every two seconds, on a black screen."""
    is_of_version(home / "games.sqlite", 99)
    notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    notify.bind(str(home / "notify"))
    notify.settimeout(5)
    monkeypatch.setenv("NOTIFY_SOCKET", str(home / "notify"))
    monkeypatch.setenv("WATCHDOG_USEC", "2000")
    shown = []

    def people(screen: Screen) -> None:
        screen.tick()
        assert isinstance(screen.vm.state.screen, ShutScreen)
        assert "newer companion" in screen.vm.state.screen.sentence
        assert [b.id for b in screen.vm.state.screen.buttons] == ["shut_down"], "systemd's own service"
        said = {notify.recv(64) for _ in range(2)}
        assert said == {b"READY=1", b"WATCHDOG=1"}, "systemd waits, and does not start it again"
        screen.key("enter")
        assert isinstance(screen.vm.state.screen, ShutScreen), "it is newer still"
        is_of_version(home / "games.sqlite", 1)
        screen.key("enter")
        shown.append(screen.vm.state.screen)

    assert play(monkeypatch, people) == 0
    assert isinstance(shown[0], HomeScreen)
    notify.close()
    Journal(home / "games.sqlite").close()  # it has been let go


def test_settings_that_cannot_be_are_told_on_the_screen_once(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "settings.toml").write_text("language = 'sv'\nrotation = 45\n")
    dialogs: list[object] = []

    def people(screen: Screen) -> None:
        screen.tick()
        dialogs.append(screen.vm.state.dialog)
        screen.key("enter")
        assert screen.vm.state.dialog is None
        screen.vm.household.choose("brightness", 50)

    assert play(monkeypatch, people) == 0
    assert isinstance(dialogs[0], Dialog)
    assert "settings.toml.damaged-1" in dialogs[0].text
    assert "Åt vilket håll" in dialogs[0].text
    assert i18n.language() == "sv", "what is good holds"
    kept = load_settings(home / "settings.toml")
    assert (kept.language, kept.brightness) == ("sv", 50)
    assert play(monkeypatch, lambda screen: dialogs.append(screen.vm.state.dialog)) == 0
    assert dialogs[1] is None


@pytest.mark.parametrize("named", ["gpio", "auto"])
def test_pins_that_are_taken_are_told_until_they_are_free_and_everything_can_be_touched(
    home: Path, monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    (home / "settings.toml").write_text(f"panel = '{named}'\n")
    monkeypatch.setattr(devices, "is_raspberry_pi", lambda _model: True)
    taken = [True]

    def claim(_panel: GpioPanel) -> None:
        if taken:
            raise PanelError("GPIO busy")

    monkeypatch.setattr(GpioPanel, "open", claim)

    def lose(_panel: GpioPanel) -> None:
        raise PanelError("GPIO gone")

    now = [100.0]
    usual = devices.panel

    def panel(settings: Any) -> PatientPanel:
        patient = usual(settings)
        patient._clock = lambda: now[0]
        return patient

    monkeypatch.setattr(devices, "panel", panel)

    def people(screen: Screen) -> None:
        screen.tick()
        assert screen.vm.state.dialog is None, "it may be a matter of seconds"
        now[0] += FIRST_RETRY_S
        screen.tick()
        assert isinstance(screen.vm.state.dialog, Dialog)
        assert "button panel cannot be used" in screen.vm.state.dialog.text
        screen.key("enter")
        now[0] += 2 * FIRST_RETRY_S
        screen.tick()
        assert screen.vm.state.dialog is None, "once is enough"
        taken.clear()
        now[0] += 4 * FIRST_RETRY_S
        screen.tick()
        assert screen.vm.state.dialog is None
        taken.append(True)
        monkeypatch.setattr(GpioPanel, "poll", lose)
        screen.tick()
        now[0] += FIRST_RETRY_S
        screen.tick()
        assert isinstance(screen.vm.state.dialog, Dialog), "it is lost again"
        taken.clear()
        monkeypatch.setattr(GpioPanel, "poll", lambda _panel: [])
        now[0] += 2 * FIRST_RETRY_S
        screen.tick()
        assert screen.vm.state.dialog is None
        assert isinstance(screen.vm.state.screen, HomeScreen)

    assert play(monkeypatch, people) == 0
