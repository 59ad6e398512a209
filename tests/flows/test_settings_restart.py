"""What people chose on the settings screen is what the companion starts with; a disk that is full changes nothing."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from viewmodel.people import People

from companion import i18n
from companion.settings import SettingsError, keep_setting, load_settings
from companion.table.journal import Journal
from companion.viewmodel.app import AppViewModel


@pytest.fixture(autouse=True)
def english():
    yield
    i18n.set_language("en")


def started(folder: Path) -> People:
    """The companion as `companion play` puts it together, as far as its settings go."""
    file = folder / "settings.toml"
    settings = load_settings(file)
    i18n.set_language(settings.language)
    return People(
        AppViewModel(
            Journal(folder / "games.sqlite"),
            preferences=settings.preferences,
            defaults=settings.last_table,
            keep=lambda name, value: keep_setting(file, name, value),
            faults=(SettingsError,),
        )
    )


def test_settings_language_russian_the_home_screen_is_russian_at_once_and_after_a_restart(tmp_path):
    people = started(tmp_path)
    people.press("settings", "language:ru", "back")
    assert people.screen.buttons[0].text == "Новая игра"
    assert i18n.short_date(datetime(2026, 11, 20, tzinfo=UTC)) == "20 нояб."
    people.vm.journal.close()
    i18n.set_language("en")
    again = started(tmp_path)
    assert again.screen == people.screen
    again.press("settings")
    assert again.screen.rows[0].chosen == "language:ru"


def test_everything_chosen_is_there_after_a_restart(tmp_path):
    people = started(tmp_path)
    people.press("settings", "group:sound", "sound", "group:screen", "less_movement", "rotation:90", "keep")
    people.vm.slide("brightness", 55, done=True)
    people.press("group:timing", "answer_s:30", "group:rules", "boats:3")
    people.vm.journal.close()
    again = started(tmp_path)
    assert again.vm.household.preferences == people.vm.household.preferences
    assert again.vm.household.last_table == people.vm.household.last_table
    kept = load_settings(tmp_path / "settings.toml")
    assert (kept.sound, kept.less_movement, kept.rotation, kept.brightness, kept.answer_s) == (False, True, 90, 55, 30)
    assert kept.last_table.options.boats_per_player == 3


def test_a_way_up_that_was_only_tried_is_gone_after_a_pulled_plug(tmp_path):
    people = started(tmp_path)
    people.press("settings", "group:screen", "rotation:180")
    assert people.state.display.rotation == 180
    people.vm.journal.close()
    assert started(tmp_path).state.display.rotation == 0


def test_on_a_full_disk_the_old_settings_hold_now_and_after_a_restart(tmp_path, monkeypatch):
    people = started(tmp_path)
    people.press("settings", "language:sv")

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr("os.fsync", full)
        people.press("language:uk")
    assert people.screen.rows[0].chosen == "language:sv"
    assert i18n.language() == "sv"
    assert people.state.toast is not None
    people.vm.journal.close()
    assert started(tmp_path).vm.household.preferences.language == "sv"
