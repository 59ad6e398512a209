"""12. Settings: every row does what it says at once, is kept, can be taken back, and shuts nobody out."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from companion import i18n
from companion.rules.options import Options
from companion.viewmodel.defaults import NewGameDefaults
from companion.viewmodel.edge import LONG_S
from companion.viewmodel.lamp import RESTS_AFTER_S
from companion.viewmodel.preferences.definitions import DEFINITIONS, GROUPS, choices_of, range_of
from companion.viewmodel.preferences.model import Preferences
from companion.viewmodel.preferences.presenter import TRIAL_S
from companion.viewmodel.states import HomeScreen, NewGameScreen, SecretScreen, SegmentRow, SettingsScreen, SliderRow
from companion.viewmodel.states import SwitchRow as Switch
from viewmodel.fake_machine import FakeMachine, NoPowerError
from viewmodel.fake_table import FakeTable
from viewmodel.people import People, at_table, table_of
from viewmodel.scenes import at, move_scene, on_with
from viewmodel.test_defence import SEA, on_with_roll, position


class FullDiskError(Exception):
    """Nothing can be written."""


class Disk:
    """Where choices are kept; `full` refuses them."""

    def __init__(self) -> None:
        self.kept: list[tuple[str, object]] = []
        self.full = False

    def keep(self, name: str, value: object) -> None:
        if self.full:
            raise FullDiskError("No space left on device: /home/ann/settings.toml")
        self.kept.append((name, value))


@pytest.fixture
def disk() -> Disk:
    return Disk()


@pytest.fixture(autouse=True)
def english():
    yield
    i18n.set_language("en")


def in_settings(tmp_path, disk: Disk, group: str = "language", **more: Any) -> People:
    """People who have opened a group of the settings from the home screen."""
    more.setdefault("machine", FakeMachine())
    more.setdefault("faults", (FullDiskError, NoPowerError))
    defaults = more.pop("defaults", table_of(2))
    people = at_table(tmp_path, 1, defaults, keep=disk.keep, **more)
    people.press("settings", f"group:{group}")
    return people


def row(people: People, title: str) -> Any:
    return next(row for row in people.screen.rows if row.title == title)


def chosen(people: People) -> Preferences:
    return people.vm.household.preferences


# The table


def test_every_preference_has_a_row_and_no_row_is_for_anything_else():
    fields = [d.field for d in DEFINITIONS]
    assert sorted(fields) == sorted(Preferences.__struct_fields__)
    assert {d.group for d in DEFINITIONS} == {g.id for g in GROUPS} - {"rules", "about", "shut_down"}


def test_every_choice_has_words_and_every_usual_value_can_be_chosen():
    usual = Preferences()
    for d in DEFINITIONS:
        value = getattr(usual, d.field)
        match d.control:
            case "switch":
                assert isinstance(value, bool)
            case "segments":
                assert value in choices_of(d.field)
                assert 2 <= len(choices_of(d.field)) <= 5
                assert d.unit or {str(choice) for choice in choices_of(d.field)} == set(d.words)
            case "slider":
                least, most = range_of(d.field)
                assert (most - least) % d.step == 0
                assert (value - least) % d.step == 0
                assert d.unit
                assert d.icon
        if d.needs:
            assert isinstance(getattr(usual, d.needs), bool)


@pytest.mark.parametrize("field", [d.field for d in DEFINITIONS])
def test_what_the_table_offers_the_settings_file_takes(field):
    d = next(d for d in DEFINITIONS if d.field == field)
    values: dict[str, tuple[object, ...]] = {"switch": (True, False)}
    offered = values.get(d.control) or (choices_of(field) if d.control == "segments" else range_of(field))
    for value in offered:
        assert getattr(msgspec.convert({field: value}, Preferences), field) == value


def test_nothing_in_the_file_can_make_the_screen_unreadable_or_the_defence_short():
    for wrong in ({"brightness": 14}, {"brightness": 0}, {"answer_s": 11}, {"rotation": 45}, {"volume": 0}):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(wrong, Preferences)


# Every row


@pytest.mark.parametrize("field", [d.field for d in DEFINITIONS if d.control == "switch"])
def test_a_switch_turns_at_once_is_kept_and_turns_back(tmp_path, disk, field):
    d = next(d for d in DEFINITIONS if d.field == field)
    people = in_settings(tmp_path, disk, d.group)
    before = row(people, d.name)
    assert isinstance(before, Switch)
    people.press(field)
    assert row(people, d.name).on is not before.on
    assert disk.kept == [(field, not before.on)]
    people.press(field)
    assert row(people, d.name) == before
    assert disk.kept[-1] == (field, before.on)


@pytest.mark.parametrize(
    "field", [d.field for d in DEFINITIONS if d.control == "segments" and not d.tried_first and d.field != "language"]
)
def test_every_choice_holds_at_once_and_is_kept(tmp_path, disk, field):
    d = next(d for d in DEFINITIONS if d.field == field)
    people = in_settings(tmp_path, disk, d.group)
    before = row(people, d.name)
    assert isinstance(before, SegmentRow)
    others = [segment.id for segment in before.segments if segment.id != before.chosen]
    for button_id in (*others, before.chosen):
        people.press(button_id)
        assert row(people, d.name).chosen == button_id
        assert f"{field}:{disk.kept[-1][1]}" == button_id
    people.press(before.chosen)
    assert len(disk.kept) == len(before.segments), "what holds already is not kept again"


@pytest.mark.parametrize("field", [d.field for d in DEFINITIONS if d.control == "slider"])
def test_a_slider_is_followed_at_once_and_kept_when_it_is_let_go(tmp_path, disk, field):
    d = next(d for d in DEFINITIONS if d.field == field)
    people = in_settings(tmp_path, disk, d.group)
    before = row(people, d.name)
    assert isinstance(before, SliderRow)
    for value in (before.most, before.least):
        people.vm.slide(field, value, done=False)
        assert row(people, d.name).value == value
    assert disk.kept == []
    people.vm.slide(field, before.least, done=True)
    assert disk.kept == [(field, before.least)]
    people.vm.slide(field, before.least - 50, done=True)
    assert row(people, d.name).value == before.least, "no finger reaches beyond the end"


def test_volume_waits_for_sounds(tmp_path, disk):
    people = in_settings(tmp_path, disk, "sound")
    people.press("sound")
    assert not row(people, "Volume").enabled
    people.vm.slide("volume", 100, done=True)
    assert chosen(people).volume == 70


@pytest.mark.parametrize("button_id", ["language:ru", "group:none", "language:xx", "last_table", "answer_s:5", "sound"])
def test_what_is_not_on_the_screen_cannot_be_pressed(tmp_path, disk, button_id):
    people = in_settings(tmp_path, disk, "timing")
    people.press(button_id)
    people.vm.slide("answer_s", 3, done=True)
    people.vm.slide("nothing", 3, done=True)
    assert disk.kept == []
    assert chosen(people) == Preferences()


# The way there and back


def test_from_home_and_back(tmp_path, disk):
    people = in_settings(tmp_path, disk)
    assert isinstance(people.screen, SettingsScreen)
    assert people.screen.title == "Settings"
    people.press("back")
    assert isinstance(people.screen, HomeScreen)


def test_from_the_menu_of_a_game_and_back_to_its_turn(tmp_path):
    table = FakeTable()
    people = on_with(tmp_path, move_scene(), table=table)
    before = people.screen
    people.press("menu", "settings")
    assert isinstance(people.screen, SettingsScreen)
    assert table.session is None, "nobody's moves are read where nobody could see what was made of them"
    people.press("back")
    assert people.screen == before
    assert table.session is people.session


def test_practice_goes_on_where_it_was(tmp_path):
    people = at_table(tmp_path, 1, table_of(2))
    people.press("practice")
    people.touch(people.touchable()[0])
    before = people.screen
    people.press("menu", "settings", "back")
    assert people.screen == before


# Language


def test_another_language_is_on_every_screen_at_once(tmp_path, disk):
    people = in_settings(tmp_path, disk)
    languages = row(people, "Language")
    assert [segment.text for segment in languages.segments] == ["English", "Русский", "Українська", "Svenska"]
    people.press("language:ru")
    assert disk.kept == [("language", "ru")]
    assert i18n.language() == "ru"
    assert people.screen.rows[0].chosen == "language:ru"
    people.press("back")
    assert people.screen.buttons[0].text == "Новая игра"
    people.press("settings", "language:sv", "back", "new_game")
    assert people.screen.title == "Nytt parti"


def test_a_line_in_the_old_language_does_not_stay(tmp_path, disk):
    people = in_settings(tmp_path, disk)
    disk.full = True
    people.press("language:uk")
    assert people.state.toast is not None
    disk.full = False
    people.press("language:uk")
    assert people.state.toast is None


# A disk that is full


@pytest.mark.parametrize(
    ("group", "button_id"),
    [("language", "language:ru"), ("sound", "sound"), ("timing", "toast_s:10"), ("rules", "switch:all_equal")],
)
def test_a_full_disk_is_said_in_one_line_and_all_stays_as_it_was(tmp_path, disk, group, button_id):
    people = in_settings(tmp_path, disk, group)
    before = people.screen
    disk.full = True
    people.press(button_id)
    assert people.screen == before
    assert people.state.dialog is None
    assert people.state.toast.text == "It stays as it was: the disk is full or cannot be written."
    assert i18n.language() == "en"


def test_a_knob_goes_back_where_it_was_when_that_cannot_be_kept(tmp_path, disk):
    people = in_settings(tmp_path, disk, "screen")
    disk.full = True
    people.vm.slide("brightness", 30, done=False)
    people.vm.slide("brightness", 30, done=True)
    assert row(people, "Brightness").value == 100


# Which way up


def test_a_turned_screen_turns_back_by_itself_after_ten_seconds(tmp_path, disk):
    people = in_settings(tmp_path, disk, "screen")
    people.press("rotation:180")
    assert people.state.display.rotation == 180
    assert people.state.dialog.text == "It turns back by itself in 10 seconds."
    people.wait(5)
    assert people.state.dialog.text == "It turns back by itself in 5 seconds."
    assert people.state.display.rotation == 180
    people.wait(5)
    assert people.state.dialog is None
    assert people.state.display.rotation == 0
    assert row(people, "Which way up").chosen == "rotation:0"
    assert disk.kept == []


def test_who_can_read_it_keeps_it(tmp_path, disk):
    people = in_settings(tmp_path, disk, "screen")
    people.press("rotation:90", "keep")
    people.wait(20)
    assert people.state.display.rotation == 90
    assert disk.kept == [("rotation", 90)]


def test_the_safe_answer_turns_it_back_at_once(tmp_path, disk):
    people = in_settings(tmp_path, disk, "screen")
    people.press("rotation:90", "back")
    assert people.state.dialog is None
    assert people.state.display.rotation == 0
    assert isinstance(people.screen, SettingsScreen), "the answer is not the button under it"


def test_it_turns_back_even_if_something_else_takes_the_question_away(tmp_path, disk):
    people = in_settings(tmp_path, disk, "screen")
    people.press("rotation:270")
    people.vm.ask(None)
    people.wait(11)
    assert people.state.display.rotation == 0
    people.press("rotation:270")
    people.vm.show_home()
    people.press("nothing")
    assert people.state.display.rotation == 0


def test_a_way_up_that_cannot_be_kept_turns_back(tmp_path, disk):
    people = in_settings(tmp_path, disk, "screen")
    disk.full = True
    people.press("rotation:90", "keep")
    assert people.state.display.rotation == 0
    assert people.state.toast is not None


# Brightness, and the screen at rest


def test_the_screens_own_light_is_set(tmp_path, disk):
    machine = FakeMachine()
    people = in_settings(tmp_path, disk, "screen", machine=machine, preferences=Preferences(brightness=80))
    people.vm.slide("brightness", 40, done=True)
    assert machine.shone == [80, 40]
    assert people.state.display.veil == 0.0


def test_without_a_light_the_picture_is_darkened_and_stays_readable(tmp_path, disk):
    people = in_settings(tmp_path, disk, "screen", machine=FakeMachine(light=False))
    veils = []
    for percent in (100, 50, 15, 0):
        people.vm.slide("brightness", percent, done=True)
        veils.append(people.state.display.veil)
    assert veils[0] == 0.0
    assert veils == sorted(veils)
    assert veils[2] == veils[3] < 0.6


def test_the_screen_rests_after_five_minutes_and_the_first_touch_only_wakes_it(tmp_path, disk):
    machine = FakeMachine()
    people = in_settings(tmp_path, disk, "screen", machine=machine)
    people.wait(RESTS_AFTER_S - 1, step=1)
    assert machine.shone == [100]
    people.wait(2)
    assert machine.shone == [100, 15]
    assert people.vm.stir() is False
    assert machine.shone == [100, 15, 100]
    assert people.vm.stir() is True


def test_a_resting_screen_without_a_light_is_dark_and_clears_at_a_touch(tmp_path, disk):
    people = in_settings(tmp_path, disk, "screen", machine=FakeMachine(light=False))
    people.wait(RESTS_AFTER_S + 1, step=1)
    assert people.state.display.veil > 0.5
    people.vm.stir()
    assert people.state.display.veil == 0.0


def test_a_button_at_the_tables_edge_only_wakes_it_too(tmp_path):
    people = on_with(tmp_path, move_scene(phase="roll"), machine=FakeMachine())
    people.wait(RESTS_AFTER_S + 1, step=1)
    people.vm.panel("roll", True)
    assert len(people.session.record) == 0
    people.vm.panel("roll", False)
    people.vm.panel("roll", True)
    assert len(people.session.record) == 1


def test_a_move_on_the_table_keeps_it_awake(tmp_path):
    machine = FakeMachine()
    people = on_with(tmp_path, move_scene(), machine=machine)
    people.wait(RESTS_AFTER_S + 1, step=1)
    assert machine.shone[-1] == 15
    people.session.do(people.session.legal()[0], source="camera")
    people.wait(1)
    assert machine.shone[-1] == 100


def test_it_does_not_rest_where_people_do_not_want_it_nor_where_it_would_not_be_darker(tmp_path, disk):
    for number, preferences in enumerate((Preferences(dim=False), Preferences(brightness=15))):
        machine = FakeMachine()
        folder = tmp_path / str(number)
        folder.mkdir()
        people = in_settings(folder, disk, machine=machine, preferences=preferences)
        people.wait(RESTS_AFTER_S * 2, step=5)
        assert machine.shone == [preferences.brightness]
        assert people.vm.stir() is True


def test_a_clock_that_begins_late_is_no_rest(tmp_path, disk):
    machine = FakeMachine()
    people = at_table(tmp_path, 1, table_of(2), keep=disk.keep, machine=machine)
    people.vm.tick(80_000.0)
    people.vm.tick(80_001.0)
    assert machine.shone == [100]


# Timing and movement


def test_how_it_moves_is_told_to_the_screen(tmp_path, disk):
    people = in_settings(tmp_path, disk, "timing")
    assert (people.state.display.tumble_s, people.state.display.less_movement) == (0.7, False)
    people.press("tumble:long", "group:screen", "less_movement")
    assert (people.state.display.tumble_s, people.state.display.less_movement) == (1.4, True)


def test_marks_bear_letters_in_the_language_of_the_screen_if_people_like(tmp_path, disk):
    people = in_settings(tmp_path, disk, "screen")
    assert people.state.display.mark_letters == {}
    people.press("letters")
    assert people.state.display.mark_letters == {"red": "R", "blue": "B", "yellow": "Y", "green": "G"}
    people.press("group:language", "language:sv")
    assert people.state.display.mark_letters == {"red": "Rö", "blue": "Bl", "yellow": "Gu", "green": "Gr"}


def test_the_board_lies_at_the_right_if_people_like(tmp_path, disk):
    people = in_settings(tmp_path, disk, "screen")
    assert not people.state.display.board_right
    people.press("board_right")
    assert people.state.display.board_right
    assert disk.kept == [("board_right", True)]


def test_a_line_stays_as_long_as_people_like(tmp_path, disk):
    people = in_settings(tmp_path, disk, "timing")
    people.press("toast_s:10")
    disk.full = True
    people.press("tumble:short")
    assert people.state.toast.stays_s == 10
    people.wait(9.5)
    assert people.state.toast is not None
    people.wait(1)
    assert people.state.toast is None


@pytest.mark.parametrize("hands", [((), (), ()), ((), ("shark_defence",), ()), ((), ("dolphin",), ("shark_defence",))])
def test_a_longer_time_to_defend_is_the_same_whatever_is_held(tmp_path, monkeypatch, hands):
    start = position(SEA, players=3, phase="roll", hands=hands)
    people = on_with_roll(tmp_path, start)
    people.vm.household.try_out("answer_s", 24)
    people.touch(at("J9"))
    people.touch(at("I9"))
    assert people.screen.hint == "Everyone is asked, whatever they hold, and each answer takes 24 seconds."
    for _player in range(2):
        people.press("look")
        people.vm.household.put_back()  # a time that has begun is not changed for who is asked next
        people.wait(23.5)
        assert isinstance(people.screen, SecretScreen)
        people.wait(1)
        assert not isinstance(people.screen, SecretScreen)


# House rules


def test_house_rules_are_what_the_next_game_starts_with(tmp_path, disk):
    people = in_settings(tmp_path, disk, "rules")
    people.press("switch:all_equal", "boats:3", "defence:moved")
    name, table = disk.kept[-1]
    assert name == "last_table"
    assert isinstance(table, NewGameDefaults)
    assert table.options == Options(all_equal=True, boats_per_player=3, defence="moved")
    people.press("switch:last_survivor")
    assert not row(people, "Atlantis has sunk").enabled, "12.2, 12.4"
    people.press("back", "new_game", "next", "next")
    assert isinstance(people.screen, NewGameScreen)
    assert row(people, "All are equal").on
    assert row(people, "Boats").chosen == "boats:3"


def test_the_rules_of_an_open_game_are_shown_locked(tmp_path, disk):
    people = in_settings(tmp_path, disk, "rules", defaults=table_of(2, all_equal=True, boats_per_player=1))
    people.press("back")
    people.start()
    people.press("menu", "settings", "group:rules")
    assert people.screen.note.text == "A game is open: its rules stay as they are until it is over."
    assert row(people, "All are equal").on
    assert row(people, "Boats").chosen == "boats:1"
    kept = list(disk.kept)
    assert [button_id for button_id in people.enabled() if button_id.partition(":")[0] not in ("group", "back")] == []
    people.press("switch:all_equal", "boats:2", "defence:moved")
    assert disk.kept == kept
    assert people.vm.household.last_table.options.all_equal


# About, and shutting down


def test_about_says_what_it_is_and_where_things_lie(tmp_path, disk):
    people = in_settings(tmp_path, disk, "about", table=FakeTable())
    assert {r.title: r.line for r in people.screen.rows} == {
        "Atlantis table companion": "It follows the printed game on your table: "
        "it remembers, rolls the die and keeps secrets.",
        "Version": "0.1.0",
        "Typefaces": "Vollkorn and Lato, under the SIL Open Font License 1.1",
        "Camera": "Camera sees the whole board",
        "Games": "/var/lib/atlantis/games.sqlite",
        "Settings": "/var/lib/atlantis/settings.toml",
        "Free on the disk": "24 GB",
    }


def test_shutting_down_asks_once_and_says_when_the_plug_may_be_pulled(tmp_path, disk):
    machine = FakeMachine()
    people = in_settings(tmp_path, disk, machine=machine)
    people.press("group:shut_down")
    assert "Pull the plug only when" in people.state.dialog.text
    people.press("stay")
    assert people.state.dialog is None
    people.press("group:shut_down")
    people.vm.press("shut_down")
    assert people.state.dialog.title == "Shutting down"
    assert machine.downs == 0, "the last words are on the screen first"
    people.vm.panel("ok", True)
    assert people.state.dialog.title == "Shutting down", "there is nothing to answer"
    people.wait(5)
    assert machine.downs == 1


def test_on_anybodys_computer_only_the_program_ends(tmp_path, disk):
    machine = FakeMachine()
    machine.appliance = False
    people = in_settings(tmp_path, disk, machine=machine)
    people.press("group:shut_down")
    assert people.state.dialog.text.endswith("The program closes; the computer stays on.")


def test_a_machine_that_may_not_be_switched_off_says_so_and_stays(tmp_path, disk):
    machine = FakeMachine()
    machine.may_not = True
    people = in_settings(tmp_path, disk, machine=machine)
    people.press("group:shut_down", "shut_down")
    people.wait(2)
    assert people.state.dialog.text == "The computer cannot be switched off from here."
    people.press("close")
    assert isinstance(people.screen, SettingsScreen)
    assert machine.downs == 1


def test_where_nothing_is_known_of_the_machine_it_is_not_shut_down(tmp_path, disk):
    people = in_settings(tmp_path, disk, machine=None)
    assert "group:shut_down" not in [group.id for group in people.screen.groups]
    people.press("group:shut_down")
    assert people.state.dialog is None


def test_the_power_button_during_the_trial_ends_it_and_asks_only_whether_to_shut_down(tmp_path, disk):
    """Somebody who cannot read the turned screen reaches for the power: it turns back, and the question stays."""
    people = in_settings(tmp_path, disk, "screen")
    people.vm.machine = FakeMachine()
    people.press("rotation:180")
    people.vm.panel("power", True)
    people.wait(LONG_S + 0.5)
    people.vm.panel("power", False)
    assert people.state.dialog.title == "Shut down?"
    assert people.state.display.rotation == 0
    people.wait(TRIAL_S + 2)
    assert people.state.dialog.title == "Shut down?", "the end of the trial takes no other question away"
    people.press("stay")
    assert people.state.dialog is None
    assert people.state.display.rotation == 0
    assert disk.kept == []
