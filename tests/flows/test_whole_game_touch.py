"""A whole game on the touchscreen: real touches at real places, from the home screen to the podium."""

from __future__ import annotations

from pathlib import Path

import pytest
from viewmodel.people import Chance, People, table_of

from companion.table.dealer import Dealer
from companion.table.journal import Journal
from companion.viewmodel.app import AppViewModel
from companion.viewmodel.states import (
    DefenceScreen,
    HomeScreen,
    PodiumScreen,
    ScoreScreen,
    SecretScreen,
    SetupScreen,
    TurnScreen,
)
from flows.fingers import Fingers

SEED = 31


@pytest.fixture
def fingers(tmp_path: Path) -> Fingers:
    with Journal(tmp_path / "games.sqlite") as journal:
        hands = Fingers(AppViewModel(journal, defaults=table_of(4), deal=lambda: Dealer(20)))
        yield hands
        hands.close()


def test_four_people_play_to_the_volcano_and_the_score_with_their_fingers(fingers: Fingers) -> None:
    people = People(fingers)
    people.start()
    chance = Chance(people, seed=SEED)
    screens = {type(people.screen)}
    while chance.step():
        screens.add(type(people.screen))
    assert screens == {SetupScreen, TurnScreen, SecretScreen, DefenceScreen, ScoreScreen, PodiumScreen}
    record = people.session.record
    assert any(event.reason == "volcano" for entry in record for event in entry.events if hasattr(event, "reason"))
    assert len(record) > 100
    assert fingers.touches > len(record), "every step is at least one touch"
    people.press("done")
    assert isinstance(people.screen, HomeScreen)


def test_a_game_is_watched_again_with_a_finger_on_the_slider(fingers: Fingers) -> None:
    people = People(fingers)
    people.start()
    chance = Chance(people, seed=SEED)
    while len(people.session.record) < 30:
        assert chance.step()
    board = people.screen.board.hexes
    people.press("menu", "home", "games")
    people.press(people.screen.rows[0].id)
    fingers.slide(1.0)
    steps = people.screen.steps
    assert people.screen.step == steps > 20
    assert [view.content for view in people.screen.board.hexes] == [view.content for view in board]
    fingers.slide(0.5)
    assert abs(people.screen.step - steps / 2) <= 1
    middle = people.screen.step
    people.press("before")
    assert people.screen.step == middle - 1
    people.press("continue")
    assert [view.content for view in people.screen.board.hexes] == [view.content for view in board]


def test_the_rule_of_the_phase_is_a_touch_away(fingers: Fingers) -> None:
    people = People(fingers)
    people.start()
    people.press("rule:2.3")
    assert people.state.dialog.title == "Placing explorers"
    people.press("close")
    assert people.state.dialog is None


def test_a_tile_that_may_not_sink_stays_and_the_reason_is_on_the_screen(fingers: Fingers) -> None:
    """6.1: beaches go first."""
    people = People(fingers)
    people.start()
    chance = Chance(people, seed=SEED)
    while not (isinstance(people.screen, TurnScreen) and people.session.position.phase == "sink"):
        assert chance.step()
    layout = people.session.position.layout()
    mountain = next(h for h, content in layout.hexes.items() if content.tile == "mountain")
    fingers.touch_hex(mountain)
    assert people.session.position.phase == "sink"
    assert people.session.position.layout() == layout
    said = " ".join((people.screen.sentence, *(line.text for line in people.screen.lines)))
    assert "beach" in said.lower()
