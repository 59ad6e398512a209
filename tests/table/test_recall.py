"""What looks as it did while all was as it should be is what it was, whatever is read there."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import pytest

from companion.rules.actions import MoveBoat, MoveExplorer, SinkTile
from companion.rules.geometry import Hex
from companion.rules.layout import HexContent, Layout
from companion.table import Contradiction, Follower, Question, Settled, Waiting
from companion.table.track import TrackedGame
from companion.vision.observation import HexEvidence, HexHypothesis, Observation
from tests.table.helpers import BOARD, Camera, random_game
from tests.table.test_follow import Table, carried, move_on_land, without

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
    state = see(table, carried(right, move), dict.fromkeys(hexes, SAME + 1))
    assert isinstance(state, Waiting)
    assert {chore.hex for chore in state.chores} | {chore.origin_hex for chore in state.chores} >= {*hexes}
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


@pytest.mark.parametrize(("sure", "kind"), [(0.88, Settled), (0.7, Contradiction)])
def test_a_look_is_known_again_that_was_new_when_it_was_read_rather_surely(
    table: Table, sure: float, kind: type
) -> None:
    """Who stands on ground a little like him is not read more surely; of what is in doubt nothing follows."""
    h = next(h for h in table.layout.hexes if sum(table.layout.at(h).explorers.values()) == 1)
    nobody = msgspec.structs.replace(table.layout.at(h), explorers={})
    assert isinstance(see(table, table.layout, {h: SAME}), Settled)
    seen = HexEvidence(h, (HexHypothesis(table.layout.at(h), sure), HexHypothesis(nobody, 0.98 - sure)), look=SAME + 1)
    clear = table.camera.look(table.layout)
    for _ in range(3):
        table.follower.see(msgspec.structs.replace(clear, hexes=tuple(seen if e.hex == h else e for e in clear.hexes)))
    assert isinstance(see(table, Layout({**table.layout.hexes, h: nobody}, table.layout.safe), {h: SAME + 1}), kind)


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
            follower = Follower(TrackedGame(position))
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


DOUBT_OVER = (0.5, 0.44)
"""The probabilities of two readings between which a picture does not tell."""


def in_doubt(table: Table, shown: Layout, others: Mapping[Hex, Layout], looks: Mapping[Hex, int]) -> Observation:
    """A picture in which some hexes may as well show another layout, and rather do."""
    clear = table.camera.look(shown, looks=looks)
    readings = {
        h: tuple(HexHypothesis(layout.at(h), p) for layout, p in zip((other, shown), DOUBT_OVER, strict=True))
        for h, other in others.items()
    }
    return msgspec.structs.replace(
        clear,
        hexes=tuple(
            msgspec.structs.replace(e, hypotheses=readings[e.hex]) if e.hex in readings else e for e in clear.hexes
        ),
    )


def test_what_is_read_in_doubt_at_first_does_not_hide_what_was_done(table: Table) -> None:
    """The new looks of both hexes of a move are not those of the table before it."""
    move, before = move_on_land(table), table.layout
    here, there = move.origin.hex, move.target.hex
    assert here is not None
    assert there is not None
    after = carried(before, move)
    calm = dict.fromkeys(BOARD.hexes, SAME)
    assert isinstance(see(table, before, calm), Settled)
    looks = calm | {here: SAME + 1, there: SAME + 1}
    for _ in range(3):
        table.follower.see(in_doubt(table, after, {here: before, there: before}, looks))
    assert table.layout == before
    assert isinstance(see(table, after, looks, pictures=12), Settled)
    assert table.session.record[-1].action == move


def test_somebody_lifted_where_a_misreading_was_dismissed_is_still_seen_to_move(table: Table) -> None:
    """What is tolerated on such a hex is not how it looks with everybody there."""
    move, before = move_on_land(table), table.layout
    here = move.origin.hex
    assert here is not None
    calm = dict.fromkeys(BOARD.hexes, SAME)
    phantom = Layout({**before.hexes, here: msgspec.structs.replace(before.at(here), sharks=1)}, before.safe)
    assert isinstance(see(table, phantom, calm), Contradiction)
    table.follower.dismiss()
    assert isinstance(see(table, phantom, calm), Settled)
    see(table, without(before, move), calm | {here: SAME + 1}, pictures=3)
    after = carried(before, move)
    target = move.target.hex
    assert target is not None
    see(table, after, calm | {here: SAME + 1, target: SAME + 1}, pictures=8)
    assert table.layout == after


def test_what_was_read_for_nothing_and_is_not_any_more_may_come_to_stand_there(table: Table) -> None:
    move, before = move_on_land(table), table.layout
    there = move.target.hex
    assert there is not None
    after = carried(before, move)
    phantom = Layout({**before.hexes, there: after.at(there)}, before.safe)
    assert isinstance(see(table, phantom, {}), Contradiction)
    table.follower.dismiss()
    assert isinstance(see(table, phantom, {}), Settled)
    assert isinstance(see(table, before, {}), Settled)
    assert isinstance(see(table, after, {}), Settled)
    assert table.session.record[-1].action == move


def test_a_tile_that_may_as_well_lie_there_still_is_asked_about() -> None:
    """A head's shadow over one hex is another look too, and what is dealt for the tile cannot be taken back."""
    table = Table(1)
    table.play_until("sink")
    sink = table.one(SinkTile)
    assert isinstance(sink, SinkTile)
    before, calm = table.layout, dict.fromkeys(BOARD.hexes, SAME)
    gone = Layout({**before.hexes, sink.hex: msgspec.structs.replace(before.at(sink.hex), tile=None)}, before.safe)
    assert isinstance(see(table, before, calm), Settled)
    for _ in range(6):
        state = table.follower.see(in_doubt(table, before, {sink.hex: gone}, calm | {sink.hex: SAME + 1}))
    assert isinstance(state, Question)
    assert [candidate.actions for candidate in state.candidates] == [(SinkTile(hex=sink.hex),)]
    assert isinstance(see(table, gone, calm | {sink.hex: SAME + 1}), Waiting | Settled)
    assert table.session.record[-1].action.hex == sink.hex  # type: ignore[union-attr]


def flower(table: Table, h: Hex, probability: float, looks: Mapping[Hex, int]) -> Observation:
    """A picture in which that bare tile rather shows an explorer of a colour that nobody plays."""
    clear, bare = table.camera.look(table.layout, looks=looks), table.layout.at(h)
    shown = msgspec.structs.replace(bare, explorers={"green": 1})
    readings = (HexHypothesis(shown, probability), HexHypothesis(bare, 1 - probability))
    hexes = (msgspec.structs.replace(e, hypotheses=readings) if e.hex == h else e for e in clear.hexes)
    return msgspec.structs.replace(clear, hexes=tuple(hexes))


def bare_tile(table: Table) -> Hex:
    return next(h for h, content in table.layout.hexes.items() if content.tile and not content.explorers)


@pytest.mark.parametrize(("probability", "kind"), [(0.97, Settled), (0.998, Settled), (0.99999, Contradiction)])
def test_who_is_in_the_box_is_rather_a_flower(table: Table, probability: float, kind: type) -> None:
    h, looks = bare_tile(table), dict.fromkeys(BOARD.hexes, SAME)
    for _ in range(6):
        state = table.follower.see(flower(table, h, probability, looks))
    assert isinstance(state, kind)


def test_somebody_may_have_put_him_where_it_looks_otherwise(table: Table) -> None:
    h, looks = bare_tile(table), dict.fromkeys(BOARD.hexes, SAME)
    assert isinstance(see(table, table.layout, looks), Settled)
    for _ in range(6):
        state = table.follower.see(flower(table, h, 0.998, looks | {h: SAME + 1}))
    assert isinstance(state, Contradiction)
    assert h in state.hexes
