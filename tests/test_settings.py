"""The settings file: read, written, and never half written."""

from __future__ import annotations

import logging
import os
import stat
import tomllib
from pathlib import Path

import pytest
import tomli_w

from companion.faults import told
from companion.i18n import set_language
from companion.rules.options import Options
from companion.settings import (
    Settings,
    SettingsError,
    folders,
    keep_setting,
    load_settings,
    mend_settings,
    read_settings,
)
from companion.viewmodel.defaults import NewGameDefaults, PlayerSetup

TWO = (PlayerSetup("Аня", ("red", "green"), 0), PlayerSetup("Bo", ("blue", "yellow"), 2))


def test_no_file_gives_the_defaults(tmp_path: Path) -> None:
    assert load_settings(tmp_path / "settings.toml") == Settings()


def test_what_is_saved_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "new" / "settings.toml"
    settings = Settings(language="ru", rotation=90, last_table=NewGameDefaults(players=TWO))
    for field in Settings.__struct_fields__:
        keep_setting(path, field, getattr(settings, field))
    assert load_settings(path) == settings
    assert [p.name for p in path.parent.iterdir()] == ["settings.toml"]


@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o007, 0o660), (0o077, 0o600)])
def test_a_written_file_can_be_read_by_whom_the_umask_says(tmp_path: Path, umask: int, mode: int) -> None:
    before = os.umask(umask)
    try:
        keep_setting(tmp_path / "settings.toml", "language", "ru")
    finally:
        assert os.umask(before) == umask
    assert stat.S_IMODE((tmp_path / "settings.toml").stat().st_mode) == mode


BAD = (
    *("language = ", "language = 'tlh'", "rotation = 'left'", "last_table = 3", "brightness = 3"),
    *("[last_table]\nbegins = 2", "[last_table]\nplayers = []"),
)


@pytest.mark.parametrize("text", BAD)
def test_a_wrong_file_is_named_and_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(text)
    with pytest.raises(SettingsError, match=r"settings\.toml .*: mend the file or delete it\."):
        load_settings(path)
    assert path.read_text() == text


def test_a_language_that_there_is_not_is_named_with_those_there_are(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("language = 'tlh'")
    with pytest.raises(SettingsError, match=r"\(Invalid language 'tlh', not one of en, ru, .* - at `\$\.language`\)"):
        load_settings(path)


# --- a bad file on a machine with a screen


@pytest.mark.parametrize("content", [*(text.encode() for text in BAD), b"\xff\xfe"])
def test_a_bad_file_is_set_aside_unchanged_and_the_screen_starts(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "settings.toml"
    path.write_bytes(content)
    settings, fault = mend_settings(path)
    assert settings == Settings()
    assert fault is not None
    assert told(fault).endswith("The old file is kept as settings.toml.damaged-1, as it was.")
    assert (tmp_path / "settings.toml.damaged-1").read_bytes() == content
    assert mend_settings(path) == (Settings(), None), "the next start has nothing to say"


def test_of_a_bad_file_all_that_is_good_holds_and_lasts(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("language = 'sv'\nrotation = 'left'\npanel = 'gpio'\nvolume = 200\nshelf = 3\n")
    settings, fault = mend_settings(path)
    assert settings == Settings(language="sv", panel="gpio")
    assert told(fault).startswith("Settings with a value that cannot be: Volume, Which way up. ")
    keep_setting(path, "brightness", 60)
    assert load_settings(path) == Settings(language="sv", panel="gpio", brightness=60)
    assert read_settings(path).said["shelf"] == 3


def test_no_file_that_was_set_aside_before_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    for text in ("volume = 1", "volume = 2", "volume = 3"):
        path.write_text(text)
        mend_settings(path)
    assert [(tmp_path / f"settings.toml.damaged-{n}").read_text() for n in (1, 2, 3)] == [
        "volume = 1",
        "volume = 2",
        "volume = 3",
    ]


def test_what_cannot_be_set_aside_stays_and_the_screen_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("language = 'sv'\nrotation = 'left'\n")

    def refuse(_path: Path, _target: Path) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(Path, "rename", refuse)
    settings, fault = mend_settings(path)
    assert settings == Settings(language="sv")
    assert f"{path} could not be set aside" in told(fault)
    with pytest.raises(SettingsError, match="mend the file or delete it"):
        keep_setting(path, "volume", 50)
    assert path.read_text() == "language = 'sv'\nrotation = 'left'\n"
    assert [p.name for p in tmp_path.iterdir()] == ["settings.toml"]


def test_a_good_file_that_cannot_take_its_place_holds_where_it_lies_and_is_not_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("language = 'sv'\nrotation = 'left'\n")
    usual = Path.replace

    def refuse(file: Path, target: Path) -> Path:
        if file.name == "settings.toml.mended":
            raise OSError(5, "Input/output error")
        return usual(file, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", refuse)
        settings, fault = mend_settings(path)
        assert settings == Settings(language="sv")
        assert told(fault).endswith("The old file is kept as settings.toml.damaged-1, as it was.")
        assert (tmp_path / "settings.toml.damaged-1").read_text() == "language = 'sv'\nrotation = 'left'\n"
        keep_setting(path, "volume", 50)
        assert mend_settings(path) == (Settings(language="sv", volume=50), None), "not yet"
    assert mend_settings(path) == (Settings(language="sv", volume=50), None)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["settings.toml", "settings.toml.damaged-1"]


def test_a_mending_that_was_cut_short_before_it_counted_never_does(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    (tmp_path / "settings.toml.mended").write_text('language = "ru"')
    path.write_text('language = "uk"')
    assert mend_settings(path) == (Settings(language="uk"), None)
    path.unlink()
    assert mend_settings(path) == (Settings(), None)


def test_settings_are_named_as_on_the_screen_in_the_peoples_language(tmp_path: Path) -> None:
    """What only the file says is named as it stands there."""
    path = tmp_path / "settings.toml"
    path.write_text("rotation = 45\nbrightness = 3\ncamera = 'box'\nlast_table = 3\n")
    _settings, fault = mend_settings(path)
    assert ": Brightness, Which way up, camera, Players and house rules. " in str(fault)
    set_language("ru")
    try:
        assert ": Яркость, Поворот, camera, " in told(fault)
    finally:
        set_language("en")


def test_a_mending_that_was_cut_short_is_finished(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    (tmp_path / "settings.toml.mended").write_text('language = "ru"')
    assert mend_settings(path) == (Settings(language="ru"), None)
    assert load_settings(path).language == "ru"


def test_what_another_version_says_is_named_left_alone_and_kept(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("volume = 40\ncolour = 'blue'\n[lamp]\nhours = 3\n")
    with caplog.at_level(logging.WARNING):
        assert load_settings(path) == mend_settings(path)[0] == Settings(volume=40)
        assert [record.getMessage() for record in caplog.records] == [
            f"{path} says what this version does not know; it is left alone: colour, lamp"
        ] * 2
        caplog.clear()
        keep_setting(path, "volume", 50)
    assert not caplog.records, "once a start is enough"
    said = read_settings(path).said
    assert (said["colour"], said["lamp"]) == ("blue", {"hours": 3})
    assert load_settings(path).volume == 50


def test_what_another_version_says_of_the_last_table_is_named_left_alone_and_kept(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Back at an older version the household keeps its players and its rules."""
    path = tmp_path / "settings.toml"
    table = NewGameDefaults(players=TWO, options=Options(dive_dice=True))
    keep_setting(path, "last_table", table)
    said = tomllib.loads(path.read_text())
    said["last_table"]["music"] = "sea"
    said["last_table"]["options"]["new_rule"] = True
    for player in said["last_table"]["players"]:
        player["hat"] = 4
    path.write_text(tomli_w.dumps(said))
    with caplog.at_level(logging.WARNING):
        assert mend_settings(path) == (Settings(last_table=table), None)
    named = caplog.records[0].getMessage().partition("left alone: ")[2]
    assert named == "last_table.music, last_table.players.hat, last_table.options.new_rule"
    assert load_settings(path).last_table == table
    keep_setting(path, "volume", 50)
    said["volume"] = 50
    assert tomllib.loads(path.read_text()) == said
    keep_setting(path, "last_table", NewGameDefaults())
    kept = tomllib.loads(path.read_text())["last_table"]
    assert (kept["music"], kept["options"]["new_rule"], kept["options"]["dive_dice"]) == ("sea", True, False)
    assert load_settings(path).last_table == NewGameDefaults()


# --- saving


def test_a_failed_save_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "settings.toml"
    keep_setting(path, "language", "sv")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(SettingsError, match="No space left on device"):
        keep_setting(path, "language", "uk")
    assert load_settings(path).language == "sv"
    assert [p.name for p in tmp_path.iterdir()] == ["settings.toml"]


def test_atlantis_home_moves_every_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ATLANTIS_HOME", str(tmp_path))
    where = folders()
    assert {where.settings.parent, where.journal.parent, where.calibration.parent} == {tmp_path}
