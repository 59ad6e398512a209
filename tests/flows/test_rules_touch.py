"""A newcomer reads the rules with a finger, before a game and in it, and goes on where the wizard and the game were."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from viewmodel.people import People, table_of

from companion.table.dealer import Dealer
from companion.table.journal import Journal
from companion.viewmodel.app import AppViewModel
from companion.viewmodel.states import NewGameScreen, RuleCard, RulesScreen, SetupScreen
from flows.fingers import Fingers


@pytest.fixture
def people() -> Iterator[People]:
    with Journal(":memory:") as journal:
        fingers = Fingers(AppViewModel(journal, defaults=table_of(2), deal=lambda: Dealer(20)))
        yield People(fingers)
        fingers.close()


def test_from_the_wizard_and_from_a_game_to_a_rule_and_back(people: People) -> None:
    people.press("new_game", "next", "next", "switch:last_survivor")
    wizard = people.screen
    assert isinstance(wizard, NewGameScreen)
    people.press("rules")
    assert isinstance(people.screen, RulesScreen)
    people.press("rule:1.2")
    assert isinstance(people.state.dialog, RuleCard)
    people.press("close", "back")
    assert people.screen == wizard
    people.press("next", "next", "begin")
    people.touch(people.touchable()[0])
    game = people.screen
    assert isinstance(game, SetupScreen)
    people.press("menu", "rules", "rule:2.3")
    assert isinstance(people.state.dialog, RuleCard)
    people.press("close", "back")
    assert people.screen == game
    people.touch(people.touchable()[0])
    assert people.screen != game, "and it goes on"
