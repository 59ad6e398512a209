"""9: the end of the last turn, the values under the rescued, and who has won."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.rules.options import Options
from companion.scenes.games import going_on, played_out
from companion.scenes.people import Cast, People
from companion.scenes.positions import Hexes, position
from companion.scenes.scene import LETTERS, Scene, Step, look, press, touch

_SAFE = {"nw": {"red": 5, "yellow": 2}, "ne": {"yellow": 2}, "sw": {"green": 3}, "se": {"blue": 2}}
_ALL_BUT_TWO = {"nw": {"red": 8}, "se": {"blue": 2}}
_LAST = {"K7": {"explorers": {"red": 1}}}
_RED, _BLUE, _YELLOW, _GREEN = (4, 3, 2, 2, 1), (3, 1), (6, 5, 3, 1), (6, 2, 1)


def _scoring(
    *, cast: Cast = "usual", safe: Mapping[str, Mapping[str, int]] = _SAFE, players: int = 4, **more: Any
) -> Callable[[], People]:
    return going_on(lambda: position(_LAST, players=players, cast=cast, phase="scoring", safe=safe, **more))


def _enter(*values: int) -> Step:
    return press(*(f"key:{value}" for value in values))


def _entered(*sets: tuple[int, ...]) -> tuple[Step, ...]:
    """All values of one colour after another."""
    return tuple(step for values in sets for step in (_enter(*values), press("score")))


_ALL = _entered(_RED, _BLUE, _YELLOW, _GREEN)
_BY_PLAYER = _entered(_RED, _YELLOW, _BLUE, _GREEN)

_VOLCANO: Hexes = {"F8": {"tile": "mountain", "explorers": {"red": 1}}, "K7": {"explorers": {"blue": 1}}}
_LANDED = {"nw": {"red": 2}, "se": {"blue": 1}}
_SEEN = (touch("F8"), press("sink"), look())


def _erupting(safe: Mapping[str, Mapping[str, int]], **options: bool) -> Callable[[], People]:
    """The last mountain is about to go, and the volcano is under it."""
    backs = {"mountain": {"volcano": 1}}
    return going_on(lambda: position(_VOLCANO, phase="sink", backs=backs, safe=safe, options=options))


def _a_whole_game(options: Options) -> Callable[[], People]:
    """The podium of a game that was played from its first explorer on."""

    def start() -> People:
        people = played_out(9, options)
        people.press("games", f"game:{people.vm.journal.games()[0].id}", "result")
        return people

    return start


SCORE = (
    Scene("09_ended", _erupting(_LANDED), *_SEEN),
    Scene("09a_score_first", _scoring()),
    Scene("09a_score_values", _scoring(), _enter(*_RED[:-1]), press("slot:2")),
    Scene("09a_score_right", _scoring(cast="long"), *_entered(_RED), _enter(*_BLUE)),
    Scene("09a_score_impossible", _scoring(), _enter(6, 6, 1)),
    Scene("09a_score_many", _scoring(safe=_ALL_BUT_TWO, players=2), _enter(1, 1, 1, 2, 2, 3, 3, 6)),
    Scene("09b_score_podium", _scoring(), *_ALL),
    Scene("09b_score_podium_long_names", _scoring(cast="long"), *_ALL),
    Scene("09b_score_podium_letters", _scoring(), press("menu", *LETTERS), *_ALL),
    Scene("09b_score_podium_equal", _scoring(), *_entered(_RED, _BLUE, (6, 3, 2, 1), _GREEN)),
    Scene("09b_score_podium_two_colours", _scoring(two_colours=True, players=2), *_BY_PLAYER),
    Scene("09b_score_podium_all_equal", _erupting(_LANDED, all_equal=True), *_SEEN, press("on")),
    Scene("09c_statistics", _a_whole_game(Options()), press("statistics")),
    Scene("09c_statistics_dive_dice", _a_whole_game(Options(dive_dice=True)), press("statistics")),
    Scene("09c_statistics_two_colours", _scoring(two_colours=True, players=2), *_BY_PLAYER, press("statistics")),
    Scene("09b_score_sea_won", _erupting({}), *_SEEN, press("on")),
)
