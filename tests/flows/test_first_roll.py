"""From the first start to the first roll with no word of manual: how many touches it takes."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
from viewmodel.seen_table import SeenTable

from companion.rules.actions import PlaceBoat
from companion.table.dealer import Dealer
from companion.table.journal import Journal
from companion.viewmodel.app import AppViewModel
from companion.viewmodel.states import NewGameScreen, Screen, SecretScreen, SetupScreen, TurnScreen
from flows.fingers import Fingers


@pytest.fixture
def table() -> SeenTable | None:
    return None


@pytest.fixture
def fingers(table: SeenTable | None) -> Iterator[Fingers]:
    with Journal(":memory:") as journal:
        hands = Fingers(AppViewModel(journal, table=table, deal=lambda: Dealer(20)))
        yield hands
        hands.close()


def touch_what_is_offered(fingers: Fingers, now: float) -> None:
    """The button that stands out if it can be pressed, else a place that is lit; a secret is looked at."""
    for passing in (now - 1.0, now):  # it is looked at first
        fingers.tick(passing)
    screen = fingers.state.screen
    if isinstance(screen, SecretScreen):
        fingers.hold(screen.player)
        for tenth in range(1, 8):
            fingers.tick(now + tenth / 10)
        fingers.let_go(screen.player)
    elif isinstance(screen, SetupScreen) and screen.prompt:
        fingers.press(screen.prompt[0].id)
    elif screen.primary is not None and screen.primary.enabled:
        fingers.press(screen.primary.id)
    else:
        assert isinstance(screen, SetupScreen | TurnScreen)
        fingers.touch_hex(next(view.hex for view in screen.board.hexes if view.light == "legal"))


def _has_rolled(screen: Screen) -> bool:
    return isinstance(screen, TurnScreen) and screen.die is not None and bool(screen.die.serial)


def touches_to_the_first_roll(fingers: Fingers, table: SeenTable | None = None) -> int:
    """All of them, from home. On a `table` the pieces that are asked for one by one are put by hand."""
    for now in range(100, 220, 2):  # two seconds each
        screen = fingers.state.screen
        if _has_rolled(screen):
            return fingers.touches
        if table is not None and _asks_for_a_piece(screen):
            put_a_piece(fingers, table, now)
        else:
            touch_what_is_offered(fingers, now)
    raise AssertionError(f"nobody has rolled: {fingers.state.screen}")


def _asks_for_a_piece(screen: Screen) -> bool:
    return isinstance(screen, SetupScreen) and not screen.prompt and screen.primary is None


def put_a_piece(fingers: Fingers, table: SeenTable, now: float) -> None:
    """A hand puts it on a hex where it may stand, on the island as it was laid."""
    session = fingers._presenter.desk.session
    laid = session.position.layout()
    action = session.legal()[0]
    piece = {"boat": {}} if isinstance(action, PlaceBoat) else {"explorers": {action.colour: 1}}
    table.put(*laid.hexes.items(), (action.hex, msgspec.structs.replace(laid.at(action.hex), **piece)))
    fingers.tick(now)


def test_a_new_game_takes_thirty_five_touches_of_which_the_pieces_are_twenty_four(fingers: Fingers) -> None:
    fingers.press("new_game")
    assert isinstance(fingers.state.screen, NewGameScreen)
    assert touches_to_the_first_roll(fingers) == 35


@pytest.mark.parametrize("table", [SeenTable()])
def test_with_the_pieces_set_out_by_hand_under_the_camera_it_takes_eleven(fingers: Fingers, table: SeenTable) -> None:
    fingers.press("new_game")
    assert touches_to_the_first_roll(fingers, table) == 11


def test_practice_takes_seven(fingers: Fingers) -> None:
    fingers.press("practice")
    assert touches_to_the_first_roll(fingers) == 7
