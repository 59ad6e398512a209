"""The games that the scenes are taken from: one of four people in its middle, and smaller ones for what it lacks."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

from companion.i18n import language
from companion.rules import EXPLORER_VALUES, Position, legal_actions
from companion.rules.actions import Action, MoveExplorer, Score
from companion.rules.options import Options
from companion.scenes.people import Cast, People, seated
from companion.scenes.positions import at, dealer_for, drawn, position
from companion.scenes.staged_calibration import StagedCalibration
from companion.scenes.staged_machine import StagedMachine
from companion.scenes.staged_table import StagedTable
from companion.table.dealer import Dealer
from companion.table.journal import Journal
from companion.table.start import begin, start_game
from companion.viewmodel.app import AppViewModel
from companion.viewmodel.defaults import NewGameDefaults
from companion.viewmodel.preferences.model import Preferences
from companion.viewmodel.score import rescued, to_score

_ISLAND = """
D4 fy  D6 fb  D7 frg  E4 fr  E5 fby  E6 br  E7 br  E8 f  F3 fg  F4 mb  F6 my  F7 brbg  F8 b  F9 b  F10 fg
G3 my  G4 mg  G7 f  G8 fy  H4 b  H5 bb  H8 f  H9 f  H10 fb  I4 fr  I5 my  I8 m  J4 m  J5 fb  J6 m  J7 f
D3 .r  I9 .by  K7 .g
"""
_BOATS = {"C6": "", "C8": "", "E9": "rb", "G2": "", "I3": "yg", "H11": "", "K5": "ryg", "L8": ""}
_CREATURES = {"serpents": "C3 C10 G6 K1 K10", "sharks": "D8 J9", "whales": "F12 J3"}
_SAFE = {"nw": {"red": 1}, "ne": {"yellow": 1}, "sw": {"green": 2}, "se": {"blue": 1}}
_BEACHES = {"shark": 2, "whale": 1, "boat": 1, "dolphin": 2, "wind": 1}
_HANDS = (("dolphin",), ("wind", "move_whale"), (), ("shark_defence",))

EVENING = datetime(2025, 11, 20, 20, 10)
"""When games of scenes begin, by the clock on the wall: their pictures do not depend on the day, nor on the place."""


class WallClock:
    """The clock on the wall of a scene: it is set to the evening, and each look at it finds it a little later."""

    def __init__(self) -> None:
        self.at = EVENING

    def __call__(self) -> datetime:
        """What time it is."""
        now, self.at = self.at, self.at + _A_WHILE
        return now.astimezone()


_A_WHILE = timedelta(seconds=15)

EXPORTED = "/media/ann/STICK/atlantis-2025-11-20.json"
"""Where a game lies that was written down."""


def at_home(
    defaults: Callable[[], NewGameDefaults] = lambda: seated(2),
    *,
    table: Callable[[], StagedTable] | None = StagedTable,
    dealer: int = 1,
    light: bool = True,
) -> Callable[[], People]:
    """People in front of the home screen, with no game played yet; `table` None: the machine has no camera.

    `light`: its screen has one that can be set.
    """

    def start() -> People:
        journal = Journal(":memory:", WallClock())
        return _people(journal, defaults(), table() if table else None, Dealer(dealer), light=light)

    return start


def going_on(
    make: Callable[[], Position],
    *,
    dice: Sequence[str] = (),
    table: Callable[[], StagedTable] | None = StagedTable,
    **backs: Sequence[str],
) -> Callable[[], People]:
    """People who go on with a game that stands at this position; dice and backs come as given."""

    def start() -> People:
        begun = make()
        dealer = dealer_for(begun, dice=dice, **backs)
        journal = Journal(":memory:", WallClock())
        begin(journal, begun, dealer)
        people = _people(journal, NewGameDefaults(), table() if table else None, dealer)
        people.press("continue")
        return people

    return start


def played_out(seed: int, options: Options) -> People:
    """Four people at home who have played a game to its end: at random, but ashore where somebody can go ashore."""
    journal = Journal(":memory:", WallClock())
    usual = seated(4, options=options)
    session = start_game(journal, usual.seated(), usual.options, None, Dealer(seed))
    chance = random.Random(seed)
    while session.position.phase != "over":
        session.do(_anything(session.position, chance))
    return _people(journal, usual, StagedTable(), Dealer(seed))


def _anything(position: Position, chance: random.Random) -> Action:
    """A legal action; while scoring the first values there are."""
    if position.phase == "scoring":
        colour = next(colour for colour in to_score(position) if colour not in position.scores)
        return Score(colour=colour, values=EXPLORER_VALUES[: rescued(position, colour)])
    legal = legal_actions(position)
    home = [action for action in legal if isinstance(action, MoveExplorer) and action.target.safe]
    return chance.choice(home or legal)


def _people(
    journal: Journal, defaults: NewGameDefaults, table: StagedTable | None, dealer: Dealer, *, light: bool = True
) -> People:
    chosen = Preferences(language=language(), brightness=70)
    machine = StagedMachine(light=light)
    calibration = StagedCalibration() if table else None
    view_model = AppViewModel(
        journal,
        table=table,
        preferences=chosen,
        defaults=defaults,
        deal=lambda: dealer,
        calibration=calibration,
        panel=table is not None,
        machine=machine,
        exporter=lambda _game_id: EXPORTED,
    )
    return People(view_model, table, calibration)


def before_midgame(*, cast: Cast = "usual", **more: Any) -> Position:
    """The turn before: the fourth has one move left."""
    fields: dict[str, Any] = {"active": 3, "phase": "move", "moves_left": 1, "hands": _HANDS, "safe": _SAFE}
    fields |= {"backs": {"beach": _BEACHES}} | more
    return position(drawn(_ISLAND, _BOATS, _CREATURES), players=4, cast=cast, **fields)


def midgame(
    die: str = "shark", back: str = "dolphin", *, cast: Cast = "usual", table: type[StagedTable] | None = StagedTable
) -> Callable[[], People]:
    """The first has made one move of three; `back` comes up under the beach that is sunk next, then `die` is rolled."""
    begun = going_on(lambda: before_midgame(cast=cast), dice=("serpent", die), beach=("boat", back), table=table)

    def start() -> People:
        people = begun()
        people.touch(at("I3"))
        people.press("piece:1")  # the boat itself, and not who is in it
        people.touch(at("H3"))
        people.touch(at("F9"))
        people.press("sink")
        people.look()
        people.press("roll")
        people.touch(at("G6"))
        people.touch(at("H7"))
        people.press("skip")
        people.touch(at("E7"))
        people.touch(at("E8"))
        people.wait(5)
        return people

    return start
