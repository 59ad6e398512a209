"""A shared screen is a viewer who may see no secret: nothing drawn depends on one, except while its owner holds."""

from __future__ import annotations

import pytest

from companion.rules.pieces import WHEN
from companion.viewmodel.states import AppState, NewGameScreen, SecretScreen
from companion.viewmodel.words import BACKS
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
