"""A shared screen is a viewer who may see no secret: nothing drawn depends on one, except while its owner holds."""

from __future__ import annotations

import pytest

from companion.rules.pieces import WHEN
from companion.table.errors import JournalError
from companion.viewmodel.states import AppState, NewGameScreen, SecretScreen
from companion.viewmodel.table_link import Lost
from companion.viewmodel.words import BACKS
from viewmodel.fake_machine import FakeMachine
from viewmodel.fake_table import FakeTable
from viewmodel.people import Chance, People, at_table, table_of
from viewmodel.scenes import at, on_with, position

ISLAND = {
    "F8": {"tile": "beach", "explorers": {"red": 1}},
    "H5": {"tile": "beach", "explorers": {"blue": 1}},
    "E4": {"tile": "forest"},
    "K7": {"explorers": {"red": 1}},
    "L8": {"boat": {"blue": 1}},
    "J9": {"sharks": 1},
    "C3": {"serpents": 1},
    "M3": {"whales": 1},
}
SEA = {"E8": {"tile": "forest"}, "D7": {"tile": "forest", "explorers": {"red": 1}}}
KEPT = [back for back in BACKS if WHEN[back] != "at once"]


def everything_shown(tmp_path, name: str, hands, beaches) -> tuple[People, list[AppState]]:
    folder = tmp_path / name
    folder.mkdir()
    start = position(ISLAND, phase="play_tile", hands=hands, backs={"beach": beaches})
    people = on_with(folder, start)
    shown = [people.state]
    people.vm.subscribe(shown.append)
    return people, shown


def a_turn(people: People, tile: str) -> None:
    """The same public things in every game: look at the hand, no tile, a move, sink, look, roll, leave them."""
    people.press("choose")
    people.look()
    people.press("skip")
    people.touch(at("K7"))
    people.touch(at("L7"))
    people.press("done")
    people.touch(at(tile))
    people.press("sink")


def unheld(shown: list[AppState]) -> list[AppState]:
    return [state for state in shown if getattr(state.screen, "card", None) is None]


HIDDEN_ONLY = (
    (("dolphin",), ("wind",), {"dolphin": 2}),
    (("shark_defence",), ("whale_defence",), {"wind": 2}),
    (("move_shark",), ("dolphin",), {"shark": 2}),
    (("wind",), ("move_whale",), {"whale": 2}),
    (("wind",), ("move_whale",), {"boat": 1, "move_serpent": 1}),
)
"""Games that differ in hidden tiles only: the first player's hand, the second's, the backs of the beaches."""


def test_games_that_differ_in_hidden_tiles_only_show_the_same_up_to_the_reveal(tmp_path):
    seen = []
    for i, (ann, bo, beaches) in enumerate(HIDDEN_ONLY):
        people, shown = everything_shown(tmp_path, str(i), (ann, bo), beaches)
        a_turn(people, "F8")
        people.press("not_now", "menu", "close", "hand", "close", "look")
        assert isinstance(people.screen, SecretScreen)
        seen.append(unheld(shown))
    assert all(states == seen[0] for states in seen[1:])


def test_what_was_kept_never_shows_later(tmp_path):
    seen = []
    for back in ("dolphin", "wind", "move_serpent"):
        people, shown = everything_shown(
            tmp_path, back, (("move_whale",), ("move_shark",)), {back: 1, "shark_defence": 1}
        )
        a_turn(people, "F8")
        people.look()
        people.press("roll")
        people.wait(3)
        if people.screen.phase == "Rolled":
            people.press("leave")
        people.press("skip", "done")
        seen.append(unheld(shown))
    assert seen[0] == seen[1] == seen[2]
    assert seen[0][-1].screen.phase == "Sink a tile"
    assert seen[0][-1].screen.name == "Bo"


@pytest.mark.parametrize("seed", range(2))
def test_nothing_is_named_that_only_a_hand_holds(tmp_path, seed):
    """Through a whole game: no public state names a kept back, except the one just played or defended with."""
    people = at_table(tmp_path, seed, table_of(4))
    shown: list[AppState] = []
    people.vm.subscribe(shown.append)
    people.start()
    Chance(people, seed).play_to_the_end()
    named = {back: BACKS[back][0] for back in KEPT}
    for state in unheld(shown):
        if isinstance(state.screen, NewGameScreen):
            continue  # it speaks of dolphins in general
        text = str(state)
        for back, name in named.items():
            assert f"back_{back}" not in text
            if name in text:
                assert f"played: {name}" in text or f"subtitle='{name}'" in text


def test_a_card_is_there_only_while_its_owner_holds(tmp_path):
    people = at_table(tmp_path, 3, table_of(3))
    people.start()
    states: list[tuple[AppState, set[int]]] = []
    people.vm.subscribe(lambda state: states.append((state, set(people.vm._held))))
    Chance(people, 3).play_to_the_end()
    cards = [(state.screen.player, held) for state, held in states if getattr(state.screen, "card", None)]
    assert cards, "somebody looked at something"
    assert all(held == {player} for player, held in cards)


def test_a_hand_is_for_its_owners_corner_alone(tmp_path):
    people, _shown = everything_shown(tmp_path, "game", (("dolphin",), ("wind", "shark_defence")), {"dolphin": 2})
    people.press("hand")
    assert [(a.text, a.line) for a in people.state.dialog.answers] == [("Ann", "1 tile"), ("Bo", "2 tiles")]
    people.press("hand:1")
    assert (people.screen.player, people.screen.corner) == (1, "ne")
    people.vm.hold(0)
    people.wait(1)
    people.vm.let_go(0)
    assert people.screen.card is None
    card = people.look()
    assert card.title == "Your hand"
    assert card.tiles == (("back_shark_defence", "Shark defence"), ("back_wind", "Favourable wind"), (None, ""))
    assert people.screen.phase == "Tile"


def test_an_empty_hand_has_no_curtain(tmp_path):
    people = on_with(tmp_path, position(ISLAND))
    people.press("hand")
    assert people.state.dialog is None
    assert people.state.toast.text == "Nobody holds a tile."


def open_hand(tmp_path) -> tuple[People, FakeTable]:
    """Ann holds her button, and her hand lies open."""
    table = FakeTable()
    start = position(ISLAND, phase="move", hands=(("dolphin",), ("wind",)))
    people = on_with(tmp_path, start, machine=FakeMachine(), table=table)
    people.press("hand", "hand:0")
    people.vm.panel("player1", True)
    people.wait(0.5)
    assert people.screen.card
    return people, table


def shows_nothing_until_held_anew(people: People) -> None:
    """The curtain is shut while the button stays down, and after whatever came is gone."""
    assert people.screen.card is None
    people.press("close", "stay")
    people.wait(1)
    assert people.screen.card is None
    people.vm.panel("player1", False)
    assert people.look().title == "Your hand"


def test_a_dialog_shuts_an_open_secret(tmp_path):
    people, _table = open_hand(tmp_path)
    people.vm.panel("power", True)
    people.wait(2.5)
    assert people.state.dialog.title == "Shut down?"
    shows_nothing_until_held_anew(people)


def test_a_fault_shuts_an_open_secret(tmp_path):
    people, _table = open_hand(tmp_path)
    people.vm.fault(JournalError("full", "The disk is full."))
    assert people.state.dialog.text == "The disk is full."
    shows_nothing_until_held_anew(people)


def test_a_lost_camera_shuts_an_open_secret_once(tmp_path):
    people, table = open_hand(tmp_path)
    table.status = Lost("Check the cable.", 3)
    people.wait(0.25)
    shows_nothing_until_held_anew(people)
    people.press("hand", "hand:0")
    people.hold()
    table.status = Lost("Check the cable.", 2)
    people.wait(0.25)
    assert people.screen.card, "it was lost before: people play on"


def choose_a_back(people: People) -> None:
    """Ann holds, and chooses the first back of the list that is left."""
    card = people.hold()
    for answer in card.answers:
        if not people.screen.card.strong:
            people.press(answer.id)
    assert people.screen.card.strong


@pytest.mark.parametrize("between", ["a lost finger", "another who holds", "a dialog"])
def test_only_its_owners_letting_go_makes_a_choice_count(tmp_path, between):
    people = on_with(tmp_path, position(SEA, phase="sink", options={"backs": "printed"}), machine=FakeMachine())
    people.touch(at("E8"))
    people.press("sink")
    choose_a_back(people)
    if between == "a lost finger":
        people.vm.cover(0)
    elif between == "another who holds":
        people.vm.hold(1)
        people.vm.let_go(1)
    else:
        people.vm.ask_to_shut_down()
        people.press("stay")
    people.vm.let_go(0)
    assert people.screen.card is None
    assert len(people.session.record) == 1
    people.hold()
    assert not people.screen.card.strong, "what was chosen is forgotten"
    people.vm.let_go(0)
    choose_a_back(people)
    people.vm.let_go(0)
    assert len(people.session.record) == 2
