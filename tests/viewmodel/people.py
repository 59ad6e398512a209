"""People at a table, for tests: they press, touch and hold, and know nothing but the state they are shown."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from companion.rules.geometry import Hex
from companion.rules.layout import HexContent
from companion.rules.options import Options
from companion.rules.pieces import EXPLORER_VALUES
from companion.scenes import people as scenes
from companion.scenes.people import seated
from companion.table.dealer import Dealer
from companion.table.journal import Journal
from companion.table.session import Session
from companion.viewmodel.app import AppViewModel
from companion.viewmodel.buttons import pressable
from companion.viewmodel.defaults import Laying, NewGameDefaults
from companion.viewmodel.play import Play
from companion.viewmodel.states import (
    DefenceScreen,
    PodiumScreen,
    ScoreScreen,
    SecretScreen,
    SetupScreen,
    TurnScreen,
)


def table_of(count: int, *, two_colours: bool = False, laying: Laying = "companion", **options: Any) -> NewGameDefaults:
    """So many players with these options."""
    return seated(count, two_colours=two_colours, laying=laying, options=replace(Options(), **options))


class People(scenes.People):
    """The people of the scenes, who also say what they see."""

    @property
    def session(self) -> Session:
        """The open game behind the screen: for what a test compares with, never for what people do."""
        presenter = self.vm._presenter
        assert isinstance(presenter, Play)
        return presenter.desk.session

    def enabled(self) -> list[str]:
        return [button_id for button_id, enabled in pressable(self.screen) if enabled]

    def touchable(self) -> list[Hex]:
        board = getattr(self.screen, "board", None)
        return [view.hex for view in board.hexes if view.touchable] if board else []

    def lit(self, *lights: str) -> set[Hex]:
        return {view.hex for view in self.screen.board.hexes if view.light in lights}

    def start(self) -> None:
        """From home through the wizard as it stands, to the first explorer."""
        self.press("new_game", "next", "next", "next", "next")
        if isinstance(self.screen, SetupScreen) and self.screen.primary:
            self.press("begin")


def write_unreadable(people: People) -> None:
    """The open game gets a step that no version of the rules knows."""
    body = {"action": {"type": "no such action"}, "source": "touch", "turn": 9}
    people.vm.journal.append(people.session.game_id, [("action", body)])


def at_table(folder: Path, seed: int, defaults: NewGameDefaults, **more: object) -> People:
    """People in front of the home screen, with a journal of their own and a dealer of that seed."""
    return People(AppViewModel(Journal(folder / "games.sqlite"), defaults=defaults, deal=lambda: Dealer(seed), **more))


def correct(people: People, h: Hex, truth: HexContent) -> None:
    """Touch a misread hex of a table that is taken over, and press until what is shown there is true."""
    people.touch(h)
    for _ in range(200):
        shown = next(view.content for view in people.screen.board.hexes if view.hex == h)
        if shown == truth:
            people.press("done")
            return
        people.press(next((b.id for b in people.screen.prompt if _says_otherwise(b.id, shown, truth)), "more"))
    raise AssertionError(f"{truth} cannot be reached from {people.screen.prompt}")


def _says_otherwise(button_id: str, shown: HexContent, truth: HexContent) -> bool:
    field, _, colour = button_id.partition(":")
    if field == "boat":
        return (shown.boat is None) != (truth.boat is None)
    if field in ("explorers", "passengers"):
        now, then = ((c.explorers if field == "explorers" else c.boat or {}) for c in (shown, truth))
        return now.get(colour, 0) != then.get(colour, 0)
    return field != "more" and getattr(shown, field) != getattr(truth, field)


class Chance:
    """Somebody who presses and touches at random whatever can be pressed or touched to go on with the game."""

    def __init__(self, people: People, seed: int) -> None:
        self.people = people
        self.random = random.Random(seed)

    def step(self) -> bool:
        """One thing done; False when the podium stands."""
        screen = self.people.screen
        if isinstance(screen, PodiumScreen):
            return False
        {
            SetupScreen: self._set_up,
            TurnScreen: self._turn,
            SecretScreen: self._secret,
            DefenceScreen: self._defence,
            ScoreScreen: self._score,
        }[type(screen)](screen)
        return True

    def play_to_the_end(self, limit: int = 6000) -> int:
        """Until the podium; how many things were done."""
        for count in range(limit):
            if not self.step():
                return count
        raise AssertionError(f"no end after {limit} steps: {self.people.screen}")

    def play_until(self, wanted: type, limit: int = 6000) -> None:
        """Until a screen of that kind."""
        for _ in range(limit):
            if isinstance(self.people.screen, wanted):
                return
            assert self.step(), f"the game ended without a {wanted.__name__}"
        raise AssertionError(f"no {wanted.__name__} after {limit} steps")

    def _set_up(self, screen: SetupScreen) -> None:
        if screen.primary:
            self.people.press(screen.primary.id)
            return
        colours = [button.id for button in screen.buttons if button.id.startswith("colour:")]
        if colours and self.random.random() < 0.5:
            self.people.press(self.random.choice(colours))
        self.people.touch(self.random.choice(self.people.touchable()))

    def _turn(self, screen: TurnScreen) -> None:
        deadly = [view.hex for view in screen.board.hexes if view.light == "deadly" and view.touchable]
        daring = deadly if self.random.random() < 0.6 else []
        ways = [lambda h=h: self.people.touch(h) for h in daring or self.people.touchable()]
        ways += [lambda land=land: self.people.vm.touch_land(land) for land in screen.board.legal_lands] * 5
        prompt = [lambda b=b: self.people.press(b.id) for b in screen.prompt if b.enabled]
        if prompt and self.random.random() < 0.7:
            self.random.choice(prompt)()
        elif screen.primary.enabled and (not ways or self.random.random() < 0.2):
            self.people.press(screen.primary.id)
        elif ways:
            self.random.choice(ways)()
        else:
            self.random.choice(prompt)()

    def _secret(self, screen: SecretScreen) -> None:
        self.people.vm.hold(screen.player)
        self.people.wait(0.75)
        card = self.people.screen.card
        assert card is not None
        answers = [button.id for button in card.answers if button.enabled]
        if answers and answers[0].startswith("back:"):
            while not self.people.screen.card.strong:
                self.people.press(self.random.choice(answers))
        elif answers:
            self.people.press(self.random.choice(answers))
        self.people.vm.let_go(screen.player)
        if card.left is not None:
            self.people.wait(12, step=1)

    def _defence(self, screen: DefenceScreen) -> None:
        self.people.press(screen.primary.id)

    def _score(self, screen: ScoreScreen) -> None:
        used = Counter(slot.value for slot in screen.slots if slot.value)
        if screen.primary.enabled:
            self.people.press("score")
        else:
            left = list((Counter(EXPLORER_VALUES) - used).elements())
            self.people.press(f"key:{self.random.choice(left)}")
