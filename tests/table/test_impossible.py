"""Facts that no play can lead to are left out and named; whatever random games tell of themselves is not."""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec
import pytest

from companion.rules import Options, Position
from companion.rules.actions import DiveRoll, Reveal
from companion.table.facts import Fact
from companion.table.impossible import described, sift
from tests.table.helpers import random_game
from tests.table.test_facts import facts_of


def begun(options: Options | None = None) -> Position:
    """Three players, all forty tiles on the island, and everything placed."""
    game = random_game(3, options=options or Options(backs="dealt"))
    return next(p for p, _ in game if p.phase == "move")


def why(position: Position, *facts: Fact) -> str | None:
    possible, complaints = sift(position, {"p1.jpg": facts})
    assert len(possible["p1.jpg"]) == len(facts) - len(complaints)
    return complaints[0] if complaints else None


@pytest.mark.parametrize("options", [Options(), Options(backs="printed"), Options(dive_dice=True)], ids=str)
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("stretch", [1, 7])
def test_what_has_happened_is_possible_from_wherever_it_is_told(seed: int, options: Options, stretch: int) -> None:
    game = random_game(seed, options=options)
    actions = [action for _, action in game]
    for first in range(0, len(game), 11):
        lines = range(first, len(game), stretch)
        given = {f"p{n}.jpg": facts_of(actions[n : n + stretch]) for n in lines}
        assert sift(game[first][0], given) == (given, [])


SHARKS = Fact("sink_tile", back="shark")


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ([Fact("decline", player=9)], "decline 9 before p1.jpg cannot be: the players are 0 to 2"),
        ([Fact("defend", player=-1)], "the players are 0 to 2"),
        ([Fact("roll", face=DiveRoll("star", "D"))], "roll star D before p1.jpg .* creature die"),
        ([Fact("sink_tile", back="volcano")], "sink_tile volcano before p1.jpg .* is a beach, and no volcano is left"),
        ([SHARKS, SHARKS, SHARKS, SHARKS], "a beach, and no shark is left"),
        ([Fact("reveal", back="shark")], "whose backs are dealt, `sink_tile` tells of them"),
        ([Fact("play_tile", tile="wind")], "nobody has that tile by then"),
        ([Fact("play_tile", tile="shark_defence")], "not played in one's own turn"),
        ([Fact("protect", explorers={"red": 1})], "only in a game with the dive dice"),
    ],
)
def test_what_this_game_does_not_have_is_named_with_its_picture(facts: Iterable[Fact], said: str) -> None:
    assert re.search(said, why(begun(), *facts) or "")


def test_the_volcano_may_come_when_beaches_and_forests_are_gone() -> None:
    beaches = [back for back, n in begun().backs["beach"].items() for _ in range(n)]
    forests = [back for back, n in begun().backs["forest"].items() for _ in range(n)]
    below = tuple(Fact("sink_tile", back=back) for back in (*beaches, *forests))
    volcano = Fact("sink_tile", back="volcano")
    assert why(begun(), *below, volcano) is None
    assert why(begun(), *below[:-1], volcano) is not None
    mountains = tuple(Fact("sink_tile", back=back) for back, n in begun().backs["mountain"].items() for _ in range(n))
    assert "no tile is left" in (why(begun(), *below, *mountains, volcano) or "")


def test_a_tile_is_played_that_was_found_before_and_only_once() -> None:
    found, played = Fact("sink_tile", back="wind"), Fact("play_tile", tile="wind")
    assert why(begun(), found, played) is None
    assert why(begun(), found, played, played) is not None


def test_who_defends_has_a_tile_for_it_and_that_only_once() -> None:
    """9.2; which of the two tiles it is is not told."""
    found, again = Fact("sink_tile", back="shark_defence"), Fact("defend", player=1)
    assert re.search("defend 1 before p1.jpg .* nobody has a tile to defend with", why(begun(), again) or "")
    assert why(begun(), found, again) is None
    assert re.search("defend 1", why(begun(), found, again, again) or "")


def test_printed_backs_are_entered_also_for_a_tile_that_is_off_already() -> None:
    game = random_game(1, options=Options(backs="printed"))
    position, action = next((p, a) for p, a in game if isinstance(a, Reveal))
    assert why(position, *facts_of([action])) is None
    assert "`reveal` tells of them" in (why(position, SHARKS) or "")
    assert "no volcano is left" in (why(position, Fact("reveal", back="volcano")) or "")


def test_with_the_dive_dice_there_is_another_die_and_dolphins_protect() -> None:
    position = begun(Options(dive_dice=True))
    assert why(position, Fact("roll", face=DiveRoll("star", "D")), Fact("protect", explorers={"red": 1})) is None
    assert "dive dice" in (why(position, Fact("roll", face="shark")) or "")
    three = {colour for player in position.players for colour in player.colours}
    (nobody,) = {"red", "blue", "yellow", "green"} - three
    fact = msgspec.convert({"type": "protect", "explorers": {nobody: 1}}, Fact)
    assert f"nobody plays {nobody}" in (why(position, fact) or "")


def test_a_fact_is_told_in_a_few_words() -> None:
    facts = [
        SHARKS,
        Fact("roll", face="whale"),
        Fact("decline", player=0),
        Fact("protect"),
        Fact("play_tile", tile="wind"),
    ]
    assert [*map(described, facts)] == ["sink_tile shark", "roll whale", "decline 0", "protect", "play_tile wind"]
