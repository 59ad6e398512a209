"""The machine under the screen, put together from a light, a power and folders."""

from __future__ import annotations

from pathlib import Path

import pytest

import companion
from companion.cli.machine import ThisMachine
from companion.settings import Folders
from hardware.display import DisplayError
from hardware.power import PowerError


class Light:
    name = "light"

    def __init__(self) -> None:
        self.shone: list[int] = []

    def shine(self, percent: int) -> None:
        if percent < 20:
            raise DisplayError("The light does not answer.")
        self.shone.append(percent)


class Power:
    def off(self) -> None:
        raise PowerError("It stays on.")


def machine(tmp_path: Path, *, light: Light | None = None, power: Power | None = None) -> tuple[ThisMachine, list[str]]:
    closed: list[str] = []
    where = Folders(config=tmp_path / "config", data=tmp_path)
    return ThisMachine(where, light=light, power=power, close=lambda: closed.append("closed")), closed


def test_a_light_that_fails_once_is_given_up_for_the_veil(tmp_path):
    light = Light()
    built, _ = machine(tmp_path, light=light)
    assert [built.shine(percent) for percent in (80, 10, 80)] == [True, False, False]
    assert light.shone == [80]
    assert machine(tmp_path)[0].shine(50) is False


def test_shutting_down_is_the_machines_or_the_programs(tmp_path):
    own, closed = machine(tmp_path)
    assert not own.appliance
    own.shut_down()
    assert closed == ["closed"]
    on_the_table, closed = machine(tmp_path, power=Power())
    assert on_the_table.appliance
    with pytest.raises(PowerError):
        on_the_table.shut_down()
    assert closed == []


def test_it_says_its_version_its_folders_and_its_room(tmp_path, monkeypatch):
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    built, _ = machine(tmp_path)
    assert built.version == companion.__version__
    assert built.folders == ("~/games.sqlite", "~/config/settings.toml")
    assert built.free_mb is not None
    assert (
        ThisMachine(
            Folders(config=tmp_path, data=tmp_path / "none"), light=None, power=None, close=lambda: None
        ).free_mb
        is None
    )
