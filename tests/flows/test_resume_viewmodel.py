"""The plug is pulled at any moment: after "Continue" everybody sees what they saw before."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace
from viewmodel.people import Chance, People, at_table, table_of

from companion.table.dealer import Dealer
from companion.table.journal import Journal
from companion.viewmodel.app import AppViewModel
from companion.viewmodel.states import AppState, HomeScreen, PodiumScreen, SecretScreen


def at_rest(people: People) -> AppState:
    """The state with nothing chosen, no tile being played and nobody asked yet; without a passing line."""
    people.vm.touch_away()
    for button in ("again", "keep"):
        if button in people.enabled():
            people.press(button)
    return replace(people.state, toast=None)


def in_the_middle(people: People) -> bool:
    """Of something that is only in people's heads so far: answers behind a curtain, values half entered."""
    inner = type(people.vm._presenter._inner).__name__
    over = people.session.position.phase == "over"  # the journal has it among the finished games at once
    return over or inner in ("Defence", "ChooseTile", "RolledNothing", "Scoring")


def told_again(people: People, before: AppState) -> None:
    """What had been seen or read of the last step is said once more after a cut; people look and read again."""
    if isinstance(people.screen, SecretScreen) and not isinstance(before.screen, SecretScreen):
        people.look()
    if "on" in people.enabled() and before.screen.primary.id != "on":
        people.press("on")


@pytest.mark.parametrize("seed", range(3))
def test_after_a_cut_everybody_sees_the_same(tmp_path, seed):
    table = table_of(3 if seed else 4)
    people = at_table(tmp_path, seed, table)
    people.start()
    chance = Chance(people, seed)
    when = random.Random(seed)
    cuts = 0
    while not isinstance(people.screen, PodiumScreen):
        if when.random() < 0.04 and not in_the_middle(people):
            before = at_rest(people)
            people.vm.journal.close()  # nothing else is written or told: as good as a cut
            again = People(AppViewModel(Journal(tmp_path / "games.sqlite"), defaults=table, deal=lambda: Dealer(seed)))
            assert isinstance(again.screen, HomeScreen)
            again.press("continue")
            told_again(again, before)
            assert again.state == before
            people = chance.people = again
            cuts += 1
        chance.step()
    assert cuts > 5


def test_a_cut_before_the_look_brings_back_the_same_curtain(tmp_path):
    people = at_table(tmp_path, 1, table_of(2))
    people.start()
    chance = Chance(people, 1)
    cuts = 0
    while not isinstance(people.screen, PodiumScreen) and cuts < 6:
        if type(people.vm._presenter._inner).__name__ == "LookUnder":
            before = people.screen
            people.vm.journal.close()
            people.vm = AppViewModel(Journal(tmp_path / "games.sqlite"), defaults=table_of(2))
            people.now = 0.0
            people.press("continue")
            assert people.screen == before
            cuts += 1
        chance.step()
    assert cuts == 6
