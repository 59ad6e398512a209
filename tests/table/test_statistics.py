"""What a game amounts to: counted by hand in small records, and adding up in whole games."""

from __future__ import annotations

import random
from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest

from companion.rules import Options
from companion.rules import events as ev
from companion.rules.events import Event
from companion.rules.geometry import Hex
from companion.rules.layout import COLOURS, HexContent, Layout
from companion.table.dealer import Dealer
from companion.table.journal import Journal
from companion.table.session import Entry, Session
from companion.table.start import start_game
from companion.table.statistics import Statistics, count, statistics, time_played
from table.helpers import BOARD, PEOPLE, random_action

RED_DIE = ("serpent", "shark", "whale")
NOON = datetime(2025, 11, 20, 12, tzinfo=UTC)


def at(label: str) -> Hex:
    return BOARD.by_label[label]


def entry(turn: int, *events: Event) -> Entry:
    return Entry(
        serial=0, turn=turn, player=0, phase="move", action=None, events=events, notation="", source="touch"
    )  # fmt: skip


def counted(*entries: Entry, left: Layout = Layout()) -> Statistics:  # noqa: B008 - frozen
    return count(entries, left, faces=RED_DIE, times=())


def test_who_takes_explorers_is_told_apart_6_4_8():
    found = counted(
        entry(1, ev.Eaten(by="shark", hex=at("D8"), explorers={"red": 2})),
        entry(1, ev.Eaten(by="serpent", hex=at("D8"), explorers={"blue": 1})),
        entry(2, ev.BoatLost(by="serpent", hex=at("E9"), explorers={"red": 1, "yellow": 2})),
        entry(2, ev.Swallowed(hexes=(at("F8"),), explorers={"yellow": 1}, boats=2)),
    )
    assert found.lost == {
        "serpent": {"blue": 1, "red": 1, "yellow": 2},
        "shark": {"red": 2},
        "whirlpool": {"yellow": 1},
        "end": {},
    }
    assert found.deadliest == ("serpent",)
    assert found.boats_lost == 3


def test_a_whale_upsets_boats_and_takes_nobody_8_3():
    found = counted(entry(1, ev.BoatLost(by="whale", hex=at("E9"), explorers={"red": 1})))
    assert (found.boats_lost, found.deadliest, sum(map(found.taken_by, found.lost))) == (1, (), 0)


def test_creatures_that_took_as_many_are_equally_dangerous():
    found = counted(
        entry(1, ev.Eaten(by="shark", hex=at("D8"), explorers={"red": 1})),
        entry(1, ev.Eaten(by="serpent", hex=at("D8"), explorers={"blue": 1})),
    )
    assert found.deadliest == ("serpent", "shark")


def test_who_is_on_the_board_at_the_end_is_lost_and_who_is_on_land_rescued_11_1():
    left = Layout(
        hexes={
            at("F8"): HexContent(tile="beach", explorers={"red": 2}),
            at("E9"): HexContent(boat={"red": 1, "blue": 1}),
        },
        safe={"nw": {"red": 3}, "se": {"red": 1, "blue": 2}},
    )
    found = counted(entry(5, ev.GameEnded(reason="volcano")), left=left)
    assert found.rescued == {"red": 4, "blue": 2}
    assert found.lost["end"] == {"red": 3, "blue": 1}


def test_tiles_rolls_and_creatures_driven_away_are_counted():
    found = counted(
        entry(1, ev.TileSunk(hex=at("F8"), tile="beach"), ev.TileKept(player=0, hex=at("F8"))),
        entry(1, ev.Rolled(face="whale")),
        entry(2, ev.TileSunk(hex=at("F9"), tile="forest")),
        entry(2, ev.Rolled(face="whale"), ev.NoSuchCreature(creature="whale")),
        entry(3, ev.TileSunk(hex=at("E7"), tile="beach")),
        entry(3, ev.Rolled(face="shark"), ev.Defended(player=1, by="shark", hex=at("D8"))),
    )
    assert found.turns == 3
    assert found.sunk == {"beach": 2, "forest": 1, "mountain": 0}
    assert found.rolled == {"serpent": 0, "shark": 1, "whale": 2}
    assert found.driven_away == 1


def test_a_pause_and_a_clock_that_is_set_are_no_playing_time():
    minutes = (0, 2, 5, 5 + 11, 18, -300, -299)
    assert time_played([NOON + timedelta(minutes=m) for m in minutes]) == timedelta(minutes=2 + 3 + 2 + 1)
    assert time_played([]) == timedelta(0)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    "options",
    [Options(), Options(dive_dice=True), Options(atlantis_sinks=True)],
    ids=["usual", "dive dice", "to the end"],
)
def test_of_every_colour_the_rescued_and_the_lost_are_all_there_were(seed: int, options: Options):
    journal = Journal(":memory:")
    session = start_game(journal, PEOPLE, options, None, Dealer(seed))
    play(session, random.Random(seed))
    found = statistics(session)
    ends = Counter(found.rescued)
    for taken in found.lost.values():
        ends.update(taken)
    own = [colour for colour in COLOURS if any(colour in player.colours for player in PEOPLE)]
    assert ends == dict.fromkeys(own, 10), seed
    tiles = Counter(content.tile for content in session.view(None).layout.hexes.values())
    assert {terrain: n + tiles[terrain] for terrain, n in found.sunk.items()} == {
        "beach": 16, "forest": 16, "mountain": 8,
    }, seed  # fmt: skip
    journal.close()


def play(session: Session, rng: random.Random) -> None:
    """To the end, at random."""
    for _ in range(2000):
        if session.position.phase == "over":
            return
        session.do(random_action(session.position, rng))
    raise AssertionError("the game has no end")
