"""A game in progress is taken over from the table alone, or it is said in sentences why it cannot be."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import msgspec
import pytest

from companion.rules import BACKS, Options, Player, Position
from companion.rules.layout import TERRAINS, HexContent, Layout
from companion.table import CannotAdopt, Journal, resume, start_from_layout
from companion.table.adopt import adopt
from companion.table.dealer import Dealer
from tests.table.helpers import BOARD, PEOPLE, random_action, random_game

SEED = bytes(32)


def layouts(seed: int, options: Options | None = None) -> list[tuple[Position, Layout]]:
    """The tables at the beginning of each turn of a game."""
    turns = []
    for position, _ in itertools.islice(random_game(seed, options=options), 300):
        if position.phase == "move" and position.moves_left == 3 and not position.swum:
            turns.append((position, position.layout()))
    return turns


@pytest.mark.parametrize("options", [Options(), Options(last_survivor=True), Options(dive_dice=True)], ids=str)
@pytest.mark.parametrize("seed", range(4))
def test_every_table_of_a_game_can_be_taken_over_and_played_on(seed: int, options: Options) -> None:
    for position, layout in layouts(seed, options):
        session = start_from_layout(Journal(":memory:"), PEOPLE, options, layout, position.active, dealer=Dealer(seed))
        assert session.position.layout() == layout
        assert session.position.active == position.active
        rng = random.Random(seed)
        for _ in range(60):
            if session.position.phase != "over":
                session.do(random_action(session.position, rng))


def test_as_many_backs_are_drawn_as_tiles_are_left_and_the_volcano_stays_in() -> None:
    for position, layout in layouts(1):
        for n in range(20):
            backs = adopt(PEOPLE, Options(), layout, position.active, bytes([n])).backs
            tiles = Counter(content.tile for content in layout.hexes.values())
            for terrain in TERRAINS:
                assert sum(backs[terrain].values()) == tiles[terrain]
                assert not Counter(backs[terrain]) - Counter(BACKS[terrain])
            assert backs["mountain"]["volcano"] == 1


def test_every_back_that_can_be_left_may_be_left() -> None:
    _, layout = layouts(1)[12]
    drawn = Counter(back for n in range(200) for back in adopt(PEOPLE, Options(), layout, 0, bytes([n])).backs["beach"])
    assert set(drawn) == set(BACKS["beach"])


def test_who_has_no_explorer_left_begins_with_the_tile() -> None:
    _, layout = layouts(1)[3]
    players = (*PEOPLE, Player("Dee", ("green",)))
    adopted = adopt(players, Options(), layout, 3, SEED)
    assert (adopted.phase, adopted.active) == ("sink", 3)


def test_an_adopted_game_is_resumed_like_any_other() -> None:
    position, layout = layouts(2)[5]
    journal = Journal(":memory:")
    session = start_from_layout(journal, PEOPLE, Options(), layout, position.active)
    session.do(session.legal()[0])
    again = resume(journal, session.game_id)
    assert again.position == session.position
    assert again.record[-1].turn == 1


def changed(layout: Layout, **contents: HexContent) -> Layout:
    """The layout with other contents on the hexes of these labels."""
    return Layout({**layout.hexes, **{BOARD.by_label[label]: c for label, c in contents.items()}}, layout.safe)


def test_each_thing_that_cannot_be_is_said_in_a_sentence() -> None:
    _, layout = layouts(1)[0]  # the first turn: all forty tiles and thirty explorers
    boat = next(h for h, c in layout.hexes.items() if c.boat is not None)
    beach = next(h for h, c in layout.hexes.items() if c.tile == "forest" and not c.explorers)
    wrong = {
        "more beach tiles on the table (17)": changed(layout, **{BOARD.labels[beach]: HexContent(tile="beach")}),
        "outside the island": changed(layout, A1=HexContent(tile="beach")),
        "could not be seen: A1": Layout(layout.hexes, layout.safe, frozenset({BOARD.by_label["A1"]})),
        "nobody plays green": changed(layout, A1=HexContent(explorers={"green": 1})),
        "more red explorers (11)": changed(layout, A1=HexContent(explorers={"red": 1})),
        "more sea serpents on the table (6)": changed(layout, A1=HexContent(serpents=1)),
        "more sharks on the table (7)": changed(layout, A1=HexContent(sharks=7)),
        "holds more than 3": changed(layout, A1=HexContent(boat={"red": 4})),
        "on A1 together with the creature": changed(layout, A1=HexContent(explorers={"red": 1}, serpents=1)),
        f"on {BOARD.labels[boat]} together with the creature": changed(
            layout, **{BOARD.labels[boat]: HexContent(boat={"red": 1}, whales=1)}
        ),
        "dive dice only": changed(layout, A1=HexContent(dolphins=1)),
        "those go first": changed(layout, **{BOARD.labels[beach]: HexContent()}),
        "No mountain is left": Layout(
            {h: c if c.tile is None else HexContent() for h, c in layout.hexes.items()}, layout.safe
        ),
        "No explorer is left": Layout(
            {h: msgspec.structs.replace(c, explorers={}) for h, c in layout.hexes.items()}, layout.safe
        ),
    }
    for sentence, table in wrong.items():
        journal = Journal(":memory:")
        with pytest.raises(CannotAdopt) as caught:
            start_from_layout(journal, PEOPLE, Options(), table, 0)
        assert any(sentence in str(problem) for problem in caught.value.problems), caught.value.problems
        assert journal.games() == []


def test_a_swimmer_may_be_with_a_shark_where_a_dolphin_is_13_4() -> None:
    position, layout = layouts(1)[-1]
    bare = next(h for h in BOARD.hexes if h not in layout.hexes and h not in BOARD.island)
    colour = next(colour for c in layout.hexes.values() for colour in c.explorers)
    there = HexContent(explorers={colour: 1}, sharks=1)
    options = Options(dive_dice=True)
    sharks = {h: msgspec.structs.replace(c, sharks=0, explorers={}) for h, c in layout.hexes.items()}
    for dolphins in (0, 1):
        shared = Layout({**sharks, bare: msgspec.structs.replace(there, dolphins=dolphins)}, layout.safe)
        try:
            adopt(PEOPLE, options, shared, position.active, SEED)
            said = ""
        except CannotAdopt as cannot:
            said = str(cannot)
        assert ("together with the creature" in said) == (not dolphins)


def test_when_atlantis_has_sunk_there_is_nothing_to_go_on_with_12_4() -> None:
    _, layout = layouts(1)[0]
    sunk = {h: c if c.tile is None else HexContent() for h, c in layout.hexes.items()}
    left = Layout({**sunk, BOARD.by_label["A1"]: HexContent(explorers={"red": 1})}, layout.safe)
    with pytest.raises(CannotAdopt, match=r"Atlantis has sunk and the game is over \(12\.4\)"):
        adopt(PEOPLE, Options(atlantis_sinks=True), left, 0, SEED)


def test_with_printed_backs_a_game_cannot_be_taken_over() -> None:
    with pytest.raises(CannotAdopt, match="companion deals the backs"):
        adopt(PEOPLE, Options(backs="printed"), layouts(1)[0][1], 0, SEED)


def test_players_that_cannot_be_are_named() -> None:
    _, layout = layouts(1)[0]
    red = {h: c for h, c in layout.hexes.items() if not set(c.explorers) - {"red"}}
    tiles = {h: HexContent(tile=c.tile) for h, c in layout.hexes.items() if h not in red}
    with pytest.raises(CannotAdopt, match="two to four"):
        adopt(PEOPLE[:1], Options(), Layout({**red, **tiles}), 0, SEED)
