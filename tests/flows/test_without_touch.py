"""A game without a finger on the glass: by the panel alone, by the keyboard alone, from home into the fourth turn."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from viewmodel.people import Chance, People, table_of

from companion.rules.geometry import Hex
from companion.rules.layout import COLOURS, Land
from companion.table.dealer import Dealer
from companion.table.journal import Journal
from companion.viewmodel import cursor
from companion.viewmodel.app import AppViewModel
from companion.viewmodel.buttons import pressable
from companion.viewmodel.states import AppState, Cursor, GamesScreen, HomeScreen, ReplayScreen, TurnScreen
from hardware.panel import BUTTONS
from hardware.panel.keyboard import KEYS, KeyboardPanel

SEED = 3


class WithoutTouch:
    """Looks to a test like the view model itself, and says everything with buttons."""

    def __init__(self, view_model: AppViewModel, button: Callable[[str, bool], None]) -> None:
        self._view_model = view_model
        self._button = button

    @property
    def state(self) -> AppState:
        return self._view_model.state

    @property
    def settled(self) -> bool:
        return self._view_model.settled

    @property
    def _presenter(self) -> object:
        return self._view_model._presenter

    def tick(self, now: float) -> None:
        self._view_model.tick(now)

    def press(self, button_id: str) -> None:
        if button_id == "roll" and ("roll", True) in pressable(self.state.screen):
            self._tap("roll")
        else:
            self._choose(Cursor(id=button_id))

    def touch_hex(self, h: Hex) -> None:
        self._choose(Cursor(hex=h))

    def touch_land(self, land: Land) -> None:
        self._choose(Cursor(land=land))

    def hold(self, player: int) -> None:
        self._button(self._own(player), True)

    def let_go(self, player: int) -> None:
        self._button(self._own(player), False)

    def _own(self, player: int) -> str:
        colour = self._view_model._presenter.desk.players[player].colours[0]
        return f"player{COLOURS.index(colour) + 1}"

    def _tap(self, button: str) -> None:
        self._button(button, True)
        self._button(button, False)

    def _choose(self, wanted: Cursor) -> None:
        things = cursor.things(self.state)
        assert wanted in things, f"{wanted} is not on the screen, where {things} are"
        self._begin()
        ahead = (things.index(wanted) - things.index(self.state.cursor)) % len(things)
        for _ in range(min(ahead, len(things) - ahead)):
            self._tap("roll" if ahead <= len(things) / 2 else "undo")
        assert self.state.cursor == wanted
        self._tap("ok")

    def _begin(self) -> None:
        """A cursor; in the phase of the roll there is none by the panel, and nothing to choose but the roll."""
        if self.state.cursor is None:
            self._tap("roll")


@pytest.fixture(params=["panel", "keyboard"])
def people(request: pytest.FixtureRequest, tmp_path: Path) -> People:
    journal = Journal(tmp_path / "games.sqlite")
    view_model = AppViewModel(journal, defaults=table_of(3), deal=lambda: Dealer(20))
    keyboard = KeyboardPanel()
    key_of = {button: key for key, button in reversed(KEYS.items())}

    def by_key(button: str, pressed: bool) -> None:
        assert keyboard.feed(key_of[button], pressed)
        for event in keyboard.poll():
            view_model.panel(event.button, event.pressed)

    def by_panel(button: str, pressed: bool) -> None:
        assert button in BUTTONS
        view_model.panel(button, pressed)

    yield People(WithoutTouch(view_model, by_key if request.param == "keyboard" else by_panel))
    journal.close()


def test_from_home_through_the_wizard_and_two_whole_turns_and_back(people: People) -> None:
    assert isinstance(people.screen, HomeScreen)
    people.start()
    chance = Chance(people, seed=SEED)
    phases = set()
    while len(people.session.record) < 35 or max(entry.turn for entry in people.session.record) < 4:
        if isinstance(people.screen, TurnScreen):
            phases.add(people.session.position.phase)
        assert chance.step()
    assert {"move", "sink", "roll", "creature"} <= phases
    while not (isinstance(people.screen, TurnScreen) and people.session.position.phase == "move"):
        assert chance.step()
    people.press("hand")
    people.press("close") if people.state.dialog else None
    people.press("menu")
    people.press("home")
    assert isinstance(people.screen, HomeScreen)
    people.press("games")
    assert isinstance(people.screen, GamesScreen)
    people.press(people.screen.rows[0].id)
    assert isinstance(people.screen, ReplayScreen)
    people.press("after")
    people.press("continue")
    assert isinstance(people.screen, TurnScreen)
