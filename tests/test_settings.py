"""The settings file: read, written, and never half written."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from companion.settings import Settings, SettingsError, folders, load_settings, save_settings
from companion.viewmodel.defaults import NewGameDefaults, PlayerSetup

TWO = (PlayerSetup("Аня", ("red", "green"), 0), PlayerSetup("Bo", ("blue", "yellow"), 2))


def test_no_file_gives_the_defaults(tmp_path: Path) -> None:
    assert load_settings(tmp_path / "settings.toml") == Settings()


def test_what_is_saved_is_read_again(tmp_path: Path) -> None:
    settings = Settings(language="ru", rotation=90, last_table=NewGameDefaults(players=TWO))
    save_settings(tmp_path / "new" / "settings.toml", settings)
    assert load_settings(tmp_path / "new" / "settings.toml") == settings
    assert [p.name for p in (tmp_path / "new").iterdir()] == ["settings.toml"]


@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o007, 0o660), (0o077, 0o600)])
def test_a_written_file_can_be_read_by_whom_the_umask_says(tmp_path: Path, umask: int, mode: int) -> None:
    before = os.umask(umask)
    try:
        save_settings(tmp_path / "settings.toml", Settings())
    finally:
        assert os.umask(before) == umask
    assert stat.S_IMODE((tmp_path / "settings.toml").stat().st_mode) == mode


@pytest.mark.parametrize("text", ["language = ", "rotation = 'left'", "colour = 'blue'", "last_table = 3"])
def test_a_wrong_file_is_named_and_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(text)
    with pytest.raises(SettingsError, match=r"settings\.toml .*: mend the file or delete it\."):
        load_settings(path)
    assert path.read_text() == text


def test_a_failed_save_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "settings.toml"
    save_settings(path, Settings(language="sv"))

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(SettingsError, match="No space left on device"):
        save_settings(path, Settings(language="uk"))
    assert load_settings(path).language == "sv"
    assert [p.name for p in tmp_path.iterdir()] == ["settings.toml"]


def test_atlantis_home_moves_every_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ATLANTIS_HOME", str(tmp_path))
    where = folders()
    assert {where.settings.parent, where.journal.parent, where.calibration.parent} == {tmp_path}
