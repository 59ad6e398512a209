"""What looks as it did while all was as it should be is what it was, whatever is read there."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import pytest

from companion.rules.actions import MoveBoat, MoveExplorer
from companion.rules.geometry import Hex
from companion.rules.layout import HexContent, Layout
from companion.table import Contradiction, Follower, Question, Settled, Waiting
from companion.vision.observation import HexEvidence, HexHypothesis
from tests.table.helpers import BOARD, Camera, random_game
from tests.table.test_facts import Sheet
from tests.table.test_follow import Table, carried, move_on_land

State = Settled | Waiting | Question | Contradiction

SAME = 7
"""The number of a look."""


@pytest.fixture
def table() -> Table:
    table = Table(1)
    table.play_until("move")
    return table


def see(table: Table, layout: Layout, looks: Mapping[Hex, int], pictures: int = 6) -> State:
    for _ in range(pictures):
        state = table.follower.see(table.camera.look(layout, looks=looks))
    return state


@pytest.mark.parametrize(("look", "kind"), [(SAME, Settled), (SAME + 1, Contradiction), (0, Contradiction)])
def test_a_misreading_of_what_has_not_changed_is_none(table: Table, look: int, kind: type) -> None:
    h = next(h for h in table.layout.hexes if table.layout.at(h).tile)
    assert isinstance(see(table, table.layout, {h: SAME}), Settled)
    bare = Layout({**table.layout.hexes, h: HexContent()}, table.layout.safe)
    before = table.session.position
    assert isinstance(see(table, bare, {h: look}), kind)
    assert table.session.position is before


def test_nobody_has_left_a_hex_that_looks_as_before(table: Table) -> None:
    """Who seems to have gone there has come from elsewhere, or is read for nothing: it is asked or complained about."""
    move = move_on_land(table)
    assert move.origin.hex is not None
    looks = {move.origin.hex: SAME}
    assert isinstance(see(table, table.layout, looks), Settled)
    before = table.session.position
    assert isinstance(see(table, carried(table.layout, move), looks), Contradiction)
    assert table.session.position is before
    assert isinstance(see(table, carried(table.layout, move), {}), Settled)
    assert table.session.record[-1].action == move


def test_what_people_have_said_is_misread_is_known_again(table: Table) -> None:
    h = next(h for h in table.layout.hexes if table.layout.at(h).serpents)
    two, three = (Layout({**table.layout.hexes, h: HexContent(sharks=n)}, table.layout.safe) for n in (2, 3))
    assert isinstance(see(table, two, {h: SAME}), Contradiction)
    table.follower.dismiss()
    assert isinstance(see(table, two, {h: SAME}), Settled)
    assert isinstance(see(table, three, {h: SAME}), Settled)


def test_what_was_taken_over_and_is_undone_is_not_known_again(table: Table) -> None:
    """The looks of the wrong table must not speak for it once people have said that it is wrong."""
    move = move_on_land(table)
    assert move.origin.hex is not None
    assert move.target.hex is not None
    hexes = (move.origin.hex, move.target.hex)
    right = table.layout
    see(table, right, dict.fromkeys(hexes, SAME))
    see(table, carried(right, move), dict.fromkeys(hexes, SAME + 1))
    assert table.session.record[-1].action == move
    table.session.undo()
    assert table.layout == right
    assert isinstance(see(table, right, dict.fromkeys(hexes, SAME + 1)), Settled)
    assert table.layout == right


@pytest.mark.parametrize(("look", "kind"), [(SAME, Settled), (SAME + 1, Contradiction)])
def test_what_was_in_doubt_and_is_clear_is_news_only_if_it_looks_otherwise(table: Table, look: int, kind: type) -> None:
    h = next(h for h in table.layout.hexes if table.layout.at(h).serpents)
    two, one = HexContent(serpents=1, sharks=1), HexContent(serpents=1)
    seen = HexEvidence(h, (HexHypothesis(two, 0.5), HexHypothesis(one, 0.48)), look=SAME)
    clear = table.camera.look(table.layout)
    doubtful = msgspec.structs.replace(clear, hexes=tuple(seen if e.hex == h else e for e in clear.hexes))
    for _ in range(6):
        state = table.follower.see(doubtful)
    assert isinstance(state, Settled)
    assert isinstance(see(table, Layout({**table.layout.hexes, h: two}, table.layout.safe), {h: look}), kind)


@pytest.mark.parametrize(("others", "rule"), [(SAME, "5.2"), (SAME + 1, None)])
def test_a_boat_put_onto_another_is_told_by_how_the_other_looks(others: int, rule: str | None) -> None:
    """Two boats are read as one; in the same light they look otherwise. In another light nothing follows."""
    camera, told = Camera(1, doubt=0.0), set()
    for position, action in (step for seed in range(3) for step in random_game(seed)):
        layout = position.layout()
        if not isinstance(action, MoveBoat) or layout.at(action.origin).boat != {}:
            continue
        for there in BOARD.neighbours[action.origin]:
            if layout.at(there).boat is None:
                continue
            follower = Follower(Sheet(position))
            for _ in range(2):
                follower.see(camera.look(layout, looks=dict.fromkeys(BOARD.hexes, SAME)))
            hexes = {**layout.hexes, action.origin: msgspec.structs.replace(layout.at(action.origin), boat=None)}
            looks = dict.fromkeys(BOARD.hexes, others) | dict.fromkeys((action.origin, there), SAME + 2)
            for _ in range(6):
                state = follower.see(camera.look(Layout(hexes, layout.safe), looks=looks))
            assert isinstance(state, Contradiction)
            told.add((state.rule, action.origin in state.hexes))
    assert told == {(rule, True)}


def explorers(layout: Layout, h: Hex, **counts: int) -> Layout:
    """The table with these explorers on a hex, and no others."""
    return Layout({**layout.hexes, h: msgspec.structs.replace(layout.at(h), explorers=counts)}, layout.safe)


def test_who_is_known_not_to_be_seen_stays_unseen_when_somebody_comes(table: Table) -> None:
    """Also if he is seen for a while in between, in another light; until he has left."""
    move = next(
        a
        for a in table.session.legal()
        if isinstance(a, MoveExplorer) and a.target.on == "tile" and len(table.layout.at(a.target.hex).explorers) == 1
    )
    there, here = move.target.hex, move.origin.hex
    assert there is not None
    assert here is not None
    ((hidden, n),) = table.layout.at(there).explorers.items()
    assert (hidden, n) != (move.colour, 1)
    assert isinstance(see(table, explorers(table.layout, there), {}), Contradiction)
    table.follower.dismiss()
    assert isinstance(see(table, explorers(table.layout, there), {}), Settled)
    assert isinstance(see(table, table.layout, {}), Settled)
    moved = carried(table.layout, move)
    assert isinstance(see(table, explorers(moved, there, **{move.colour: 1}), {}), Settled)
    assert table.session.record[-1].action == move
    assert table.layout == moved
    assert isinstance(see(table, explorers(moved, there, **{move.colour: 1}), {}), Settled)
    assert table.layout == moved


@pytest.mark.parametrize(("others", "rule"), [(SAME, "6.1"), (SAME + 1, None)])
def test_what_looks_otherwise_in_the_same_light_was_touched(others: int, rule: str | None) -> None:
    """A mountain that is rather gone than not has been taken; in another light that is no more than a doubt."""
    table = Table(1)
    table.play_until("sink")
    h = next(h for h, content in table.layout.hexes.items() if content.tile == "mountain")
    people = table.layout.at(h).explorers
    see(table, table.layout, dict.fromkeys(BOARD.hexes, SAME))
    looks = dict.fromkeys(BOARD.hexes, others) | {h: SAME + 2}
    clear = table.camera.look(table.layout, looks=looks)
    gone = (
        HexHypothesis(HexContent(explorers=people), 0.55),
        HexHypothesis(HexContent(tile="mountain", explorers=people), 0.3),
    )
    doubtful = HexEvidence(h, gone, look=looks[h])
    for _ in range(6):
        state = table.follower.see(
            msgspec.structs.replace(clear, hexes=tuple(doubtful if e.hex == h else e for e in clear.hexes))
        )
    assert getattr(state, "rule", None) == rule
    assert rule is not None or isinstance(state, Settled)
