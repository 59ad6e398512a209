"""13: the rules in full, from the wizard and from a game, and back to where people were."""

from __future__ import annotations

import itertools

import pytest
from msgspec.structs import replace

from companion.rules.options import Options
from companion.table.reconcile import Contradiction
from companion.viewmodel.buttons import pressable
from companion.viewmodel.help.chapters import CHAPTERS, NOT_HERE, ONLY_WITH, chapters, holds
from companion.viewmodel.help.rules import RULES
from companion.viewmodel.states import (
    ContradictionScreen,
    Cursor,
    NewGameScreen,
    RuleCard,
    RulesScreen,
    SecretScreen,
    TurnScreen,
)
from companion.viewmodel.words import CHALLENGES
from viewmodel.fake_table import FakeTable
from viewmodel.people import People, at_table, table_of
from viewmodel.scenes import at, move_scene, on_with, position

ALL_OPTIONS = [
    replace(Options(), **dict.fromkeys(chosen, True))
    for count in range(len(CHALLENGES) + 1)
    for chosen in itertools.combinations(CHALLENGES, count)
]


def numbers(people: People) -> dict[str, list[str]]:
    """The rules that are listed, by the title of their group."""
    assert isinstance(people.screen, RulesScreen)
    return {group.title: [row.number for row in group.rows] for group in people.screen.groups}


def not_here(people: People) -> list[str]:
    return numbers(people).get(NOT_HERE, [])


# Which rules


@pytest.mark.parametrize("options", ALL_OPTIONS)
def test_whatever_is_chosen_every_rule_is_there_once_and_in_order(options):
    found = chapters(options)
    assert sorted(rule for chapter in found for rule in chapter.rules) == sorted(RULES)
    order = list(RULES).index
    for chapter in found:
        assert list(chapter.rules) == sorted(chapter.rules, key=order)
        assert all(holds(rule, options) == chapter.holds for rule in chapter.rules)
    assert [rule for chapter in found if chapter.holds for rule in chapter.rules] == [
        rule for rule in RULES if holds(rule, options)
    ]


def test_every_rule_belongs_to_one_chapter():
    begins = [number for _title, numbers in CHAPTERS for number in numbers]
    assert len(set(begins)) == len(begins)
    assert {rule.partition(".")[0] for rule in RULES} == set(begins)


def test_every_challenge_has_a_rule_of_its_own_12_13():
    assert set(ONLY_WITH.values()) == set(CHALLENGES)
    assert set(ONLY_WITH) <= set(RULES)


@pytest.mark.parametrize(
    ("option", "comes", "goes"),
    [
        ("overpopulation", {"12.1"}, set()),
        ("last_survivor", {"12.2"}, {"11.1"}),
        ("atlantis_sinks", {"12.4"}, {"11.1"}),
        ("all_equal", {"12.3"}, {"11.2"}),
        ("dive_dice", {"13.1", "13.2", "13.3", "13.4", "13.5", "13.6"}, {"7.2", "10.1"}),
    ],
)
def test_a_challenge_brings_its_rules_and_those_in_whose_place_they_come_go(option, comes, goes):
    usual, chosen = Options(), replace(Options(), **{option: True})
    assert {rule for rule in RULES if holds(rule, chosen) and not holds(rule, usual)} == comes
    assert {rule for rule in RULES if holds(rule, usual) and not holds(rule, chosen)} == goes


def test_a_row_says_what_the_rule_says_and_not_that_something_cannot_be(tmp_path):
    people = on_with(tmp_path, move_scene())
    people.press("menu", "rules")
    row = next(row for group in people.screen.groups for row in group.rows if row.number == "3")
    assert row.line.startswith("First a tile from the hand")
    people.press(row.id)
    assert (people.state.dialog.sentence, people.state.dialog.text) == (row.line, "")


# From the wizard


def test_from_the_wizard_a_rule_is_read_and_nothing_that_was_chosen_or_typed_is_lost(tmp_path):
    people = at_table(tmp_path, 1, table_of(2))
    people.press("new_game", "count:3", "next")
    people.vm.edit("name:1", "Bosse")
    people.press("swap_seats:0:1", "next", "switch:all_equal", "boats:3")
    wizard = people.screen
    assert (wizard.secondary.text, wizard.secondary.icon) == ("The rules in full", "rules")
    people.press("rules")
    listed = people.screen
    people.press("rule:12.3")
    assert people.state.dialog.title == "All are equal"
    people.press("close")
    assert people.screen == listed
    people.press("back")
    assert people.screen == wizard
    people.press("back")
    assert people.screen.players[1].name == "Bosse"
    people.press("next", "next", "next", "begin")
    assert people.session.position.options.all_equal
    assert "Bosse" in [player.name for player in people.session.position.players]


def test_the_wizard_shows_the_rules_of_what_is_chosen_in_it_and_the_others_last(tmp_path):
    people = at_table(tmp_path, 1, table_of(2))
    people.press("new_game", "next", "next", "rules")
    assert not_here(people) == ["12.1", "12.2", "12.3", "12.4", "13.1", "13.2", "13.3", "13.4", "13.5", "13.6"]
    assert "Challenges" not in numbers(people)
    assert list(numbers(people))[-1] == NOT_HERE
    people.press("back", "switch:dive_dice", "rules")
    assert not_here(people) == ["7.2", "10.1", "12.1", "12.2", "12.3", "12.4"]
    assert numbers(people)["Challenges"] == ["13.1", "13.2", "13.3", "13.4", "13.5", "13.6"]
    people.press("rule:12.4")
    assert people.state.dialog.title == "Atlantis has sunk", "what is not chosen can be read of, to be chosen"


def test_only_the_page_of_the_rules_leads_there(tmp_path):
    people = at_table(tmp_path, 1, table_of(2))
    people.press("new_game")
    for _page in ("edition", "players", "rules", "tiles"):
        assert isinstance(people.screen, NewGameScreen)
        assert (("rules", True) in pressable(people.screen)) == (people.screen.step == 2)
        people.press("next")


# From a game


def test_from_a_game_its_own_rules_and_back_to_it_as_it_was(tmp_path):
    people = on_with(tmp_path, move_scene(options={"last_survivor": True}))
    before, record = people.screen, people.session.record
    people.press("menu", "rules")
    assert people.state.dialog is None
    assert "11.1" in not_here(people)
    assert numbers(people)["Challenges"] == ["12.2"]
    people.press("rule:4.4")
    assert isinstance(people.state.dialog, RuleCard)
    people.press("close", "back")
    assert people.screen == before
    assert people.session.record == record


def test_a_chosen_piece_is_let_go_as_on_the_way_to_the_settings(tmp_path):
    people = on_with(tmp_path, move_scene())
    before = people.screen
    people.touch(at("E8"))
    assert people.screen != before
    people.press("menu", "rules", "back")
    assert people.screen == before


def test_values_that_have_been_typed_stay(tmp_path):
    home = position({"H5": {"tile": "forest"}}, phase="scoring", safe={"nw": {"red": 2}})
    people = on_with(tmp_path, home)
    people.press("key:5")
    before = people.screen
    people.press("menu", "rules", "back")
    assert people.screen == before


def test_the_camera_follows_the_game_again(tmp_path):
    table = FakeTable()
    people = on_with(tmp_path, move_scene(), table=table)
    people.press("menu", "rules")
    assert table.session is None, "nobody's moves are read where nobody could see what was made of them"
    people.press("back")
    assert table.session is people.session


def test_practice_goes_on_after_a_look_at_the_rules(tmp_path):
    people = at_table(tmp_path, 1, table_of(2))
    people.press("practice")
    people.touch(people.touchable()[0])
    before = people.screen
    people.press("menu", "rules", "back")
    assert people.screen == before


def test_behind_a_curtain_there_is_no_way_to_the_rules(tmp_path):
    people = on_with(tmp_path, position({"F8": {"tile": "beach"}, "H5": {"tile": "forest"}}, phase="sink"))
    people.touch(at("F8"))
    people.press("sink")
    assert isinstance(people.screen, SecretScreen)
    people.press("menu", "rules")
    assert isinstance(people.screen, SecretScreen)
    assert people.state.dialog is None


def test_the_menu_of_a_contradiction_leads_there_too(tmp_path):
    table = FakeTable()
    people = on_with(tmp_path, move_scene(), table=table)
    table.state = Contradiction(hexes=(at("D7"),), rule="4.4", message="", way_back=())
    people.wait(0.5)
    people.press("menu", "rules", "rule:4.4", "close", "back")
    people.wait(0.5)
    assert isinstance(people.screen, ContradictionScreen)


# Without a finger


def tap(people: People, *buttons: str) -> None:
    people.settle()
    for button in buttons:
        people.vm.panel(button, True)
        people.vm.panel(button, False)
        people.settle()


@pytest.mark.parametrize(("on", "back", "accept"), [("roll", "undo", "ok"), ("down", "up", "ok")])
def test_by_the_panel_and_by_the_keys_a_rule_is_read_and_left(tmp_path, on, back, accept):
    people = on_with(tmp_path, move_scene())
    people.press("menu", "rules")
    tap(people, accept, "undo")
    assert isinstance(people.screen, RulesScreen), "without a cursor neither does anything"
    tap(people, on, on)
    assert people.state.cursor == Cursor(id="rule:1.2")
    tap(people, accept)
    assert people.state.dialog.rule == "Rule 1.2"
    tap(people, accept)
    assert people.state.dialog is None
    tap(people, on, on, back, accept)
    assert isinstance(people.screen, TurnScreen)
