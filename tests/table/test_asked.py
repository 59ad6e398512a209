"""What legal actions explain, and may yet have been none: it is asked about, and nobody's turn has it."""

from __future__ import annotations

import msgspec
import pytest

from companion.rules import Position, apply, decode_position, encode_position, legal_actions
from companion.rules.actions import (
    Action,
    Decline,
    EndPhase,
    LoadBoat,
    MoveBoat,
    MoveCreature,
    MoveExplorer,
    Place,
    PlaceBoat,
    Roll,
    SinkTile,
)
from companion.rules.layout import Layout
from companion.table import Contradiction, Follower, Journal, Question, Settled
from companion.table.dealer import Dealer
from companion.table.evidence import Evidence
from companion.table.facts import Facts
from companion.table.gestures import gesture, may_strike, touched
from companion.table.lags import NOTHING_DUE, NOTHING_NAMED
from companion.table.played_on import extends, played_on
from companion.table.reconcile import Candidate, Explained, Verdict
from companion.table.start import begin
from companion.table.step import IS_PAST_S, STANDS_S
from companion.table.tally import span, tallies
from companion.table.weighing import Case, Thinking
from companion.vision.observation import HiddenBy
from tests.table.helpers import BOARD, Camera, random_action
from tests.table.planted import layout_of
from tests.table.test_follow import Table
from tests.table.test_reconcile import table_to_spoil


def harmless(position: Position, *kinds: type) -> list[Action]:
    """The legal actions of these kinds after which nobody meets a creature."""
    spots = tallies(position.layout())
    return [
        action
        for action in legal_actions(position)
        if isinstance(action, kinds) and not any(map(may_strike, gesture(spots, action).values()))
    ]


def after(layout: Layout, *actions: Action) -> Layout:
    """The table once hands have done that, whoever's turn it is."""
    spots = tallies(layout)
    for action in actions:
        spots = {**spots, **gesture(spots, action)}
    return layout_of(spots)


def next_mover(position: Position) -> Position:
    """Somebody else's position: that of the next player when he moves."""
    dealer, active = Dealer(1), position.active
    while not (position.phase == "move" and position.active != active):
        action = EndPhase() if EndPhase() in legal_actions(position) else legal_actions(position)[0]
        position = apply(position, dealer.complete(position, action)).position
    return position


@pytest.fixture
def rolling() -> Table:
    """A table that the camera has seen in order, at which the die is due."""
    table = Table(2)
    table.play_until("roll")
    table.see(table.layout)
    return table


def leave_aside(table: Table, displaced: Layout) -> None:
    """Something is seen out of its place, the die is rolled, and it still lies there."""
    table.see(displaced, 6)
    roll_on(table)
    table.see(displaced, 8)


def roll_on(table: Table) -> None:
    """Press Roll, and end the creature's phase on the screen if it has not ended itself."""
    table.session.do(Roll())
    while table.session.position.phase != "move":
        table.session.do(EndPhase())


def test_a_piece_displaced_before_the_roll_is_nobodys_move_after_it(rolling: Table) -> None:
    move = harmless(next_mover(rolling.session.position), MoveExplorer)[0]
    displaced = after(rolling.layout, move)
    assert isinstance(rolling.see(displaced, 6), Contradiction)
    roll_on(rolling)
    assert move in rolling.session.legal()
    state = rolling.see(displaced, 8)
    assert isinstance(state, Question)
    assert [c.actions for c in state.candidates] == [(move,)]
    assert rolling.session.record[-1].source == "touch"


def test_it_is_seen_once_before_the_roll_and_that_is_enough(rolling: Table) -> None:
    move = harmless(next_mover(rolling.session.position), MoveExplorer)[0]
    displaced = after(rolling.layout, move)
    rolling.see(displaced, 1)
    roll_on(rolling)
    assert isinstance(rolling.see(displaced, 8), Question)


def test_playing_on_is_no_proof_of_it(rolling: Table) -> None:
    first, *others = harmless(next_mover(rolling.session.position), MoveExplorer)
    displaced = after(rolling.layout, first)
    rolling.see(displaced, 6)
    roll_on(rolling)
    rolling.see(displaced, 6)
    second = next(a for a in others if set(touched(a)).isdisjoint(touched(first)))
    rolling.see(after(displaced, second), 8)
    assert rolling.session.record[-1].source == "touch"


def test_once_it_is_back_the_same_move_is_a_move(rolling: Table) -> None:
    move = harmless(next_mover(rolling.session.position), MoveExplorer)[0]
    before = rolling.layout
    rolling.see(after(before, move), 6)
    roll_on(rolling)
    rolling.see(after(before, move), 6)
    assert isinstance(rolling.see(before), Settled)
    assert isinstance(rolling.see(after(before, move)), Settled)
    assert (rolling.session.record[-1].action, rolling.session.record[-1].source) == (move, "camera")


def test_who_says_that_it_was_a_move_has_it(rolling: Table) -> None:
    move = harmless(next_mover(rolling.session.position), MoveExplorer)[0]
    displaced = after(rolling.layout, move)
    leave_aside(rolling, displaced)
    rolling.follower.answer((move,))
    assert rolling.session.record[-1].action == move
    assert isinstance(rolling.see(displaced), Settled)


@pytest.mark.parametrize("seed", range(6))
def test_of_two_tiles_taken_it_is_said_that_the_die_comes_first(seed: int) -> None:
    """Whatever is under the first: nobody is asked for a defence before that is known."""
    table = Table(seed)
    table.play_until("sink")
    table.see(table.layout)
    two = [a for a in table.session.legal() if isinstance(a, SinkTile)][:2]
    state = table.see(after(table.layout, *two), 6)
    assert isinstance(state, Contradiction)
    assert (state.rule, state.message) == ("3", f"Not now: {active(table)} must roll the die.")


def active(table: Table) -> str:
    position = table.session.position
    return position.players[position.active].name


@pytest.mark.parametrize("veil", ["shadow", "glare"])
@pytest.mark.parametrize("before_the_tap", [True, False])
def test_a_shadow_over_it_makes_nobody_forget(rolling: Table, veil: HiddenBy, before_the_tap: bool) -> None:
    move = harmless(next_mover(rolling.session.position), MoveExplorer)[0]
    displaced = after(rolling.layout, move)
    rolling.see(displaced, 6)
    veiled = rolling.camera.look(displaced, hidden=dict.fromkeys(touched(move), veil))  # type: ignore[arg-type]
    if not before_the_tap:
        roll_on(rolling)
    for _ in range(3):
        rolling.follower.see(veiled)
    if before_the_tap:
        roll_on(rolling)
    assert isinstance(rolling.see(displaced, 8), Question)
    assert rolling.session.record[-1].source == "touch"


def test_one_picture_in_which_it_looks_right_makes_nobody_forget(rolling: Table) -> None:
    move = harmless(next_mover(rolling.session.position), MoveExplorer)[0]
    before = rolling.layout
    displaced = after(before, move)
    rolling.see(displaced, 8)
    roll_on(rolling)
    rolling.see(before, 1)
    assert isinstance(rolling.see(displaced, 8), Question)


def test_who_comes_back_to_a_displaced_piece_in_the_dark_is_asked_when_it_is_light(rolling: Table) -> None:
    roll_on(rolling)
    move = harmless(rolling.session.position, MoveExplorer)[0]
    displaced = after(rolling.layout, move)
    rolling.follower = Follower(rolling.session, known=False)
    for _ in range(4):
        rolling.follower.see(rolling.camera.look(displaced, hidden=dict.fromkeys(touched(move), "shadow")))  # type: ignore[arg-type]
    assert isinstance(rolling.see(displaced, 8), Question)


def pair(table: Table) -> tuple[MoveExplorer, MoveExplorer]:
    """Of the next player's moves one to a hex from which he may go on, and one that comes to where it began."""
    position = next_mover(table.session.position)
    for first in harmless(position, MoveExplorer):
        then = apply(position, first).position
        for second in harmless(then, MoveExplorer) if then.phase == "move" else ():
            if touched(second)[1] == touched(first)[0] and touched(second)[0] != touched(first)[1]:
                return first, second  # type: ignore[return-value]
    raise AssertionError("no such moves")


@pytest.mark.parametrize("seed", [2, 3, 4])
def test_what_was_pushed_aside_is_not_forgotten_when_another_one_takes_its_place(seed: int) -> None:
    table = Table(seed)
    table.play_until("roll")
    table.see(table.layout)
    pushed, other = pair(table)
    displaced = after(table.layout, pushed)
    leave_aside(table, displaced)
    count = len(table.session.record)
    assert isinstance(table.see(after(displaced, other), 8), Question)
    assert len(table.session.record) == count


@pytest.mark.parametrize("seed", [3, 4, 5, 13])
def test_of_two_alike_that_go_the_same_way_the_one_pushed_aside_is_not_forgotten(seed: int) -> None:
    table = Table(seed)
    for _ in range(4):
        table.play_until("roll")
        table.session.do(random_action(table.session.position, table.rng))
    table.play_until("roll")
    position = next_mover(table.session.position)
    move = next(
        a
        for a in harmless(position, MoveExplorer)
        if isinstance(a, MoveExplorer)
        and not a.swum
        and a.origin.on == a.target.on == "tile"
        and a in legal_actions(apply(position, a).position)
    )
    displaced = after(table.layout, move)
    table.see(table.layout)
    leave_aside(table, displaced)
    count = len(table.session.record)
    assert isinstance(table.see(after(displaced, move), 8), Question)
    assert len(table.session.record) == count


def test_one_picture_in_which_it_looks_like_something_else_makes_nobody_forget(rolling: Table) -> None:
    move = harmless(next_mover(rolling.session.position), MoveExplorer)[0]
    displaced = after(rolling.layout, move)
    rolling.see(displaced, 6)
    roll_on(rolling)
    rolling.see(displaced, 4)
    hexes = {h: msgspec.structs.replace(displaced.at(h), explorers={"yellow": 1}) for h in touched(move)}  # type: ignore[arg-type]
    rolling.see(Layout({**displaced.hexes, **hexes}, displaced.safe), 1)
    assert isinstance(rolling.see(displaced, 8), Question)
    assert rolling.session.record[-1].source == "touch"


def test_a_move_entered_on_the_screen_makes_nothing_old_of_those_beside_it() -> None:
    """Within one player's moves the order does not matter."""
    table = Table(1)
    table.play_until("move")
    table.see(table.layout)
    moved, *others = harmless(table.session.position, MoveExplorer)
    entered = next(a for a in others if set(touched(a)).isdisjoint(touched(moved)))
    layout = after(table.layout, moved)
    table.see(layout, 1)
    table.session.do(entered)
    assert isinstance(table.see(after(layout, entered)), Settled)
    assert [entry.source for entry in table.session.record[-2:]] == ["touch", "camera"]


# A creature that might be moved


@pytest.fixture
def creature() -> Table:
    """A table that the camera has seen in order, with a creature to move."""
    table = Table(1)
    table.play_until("creature")
    table.see(table.layout)
    assert harmless(table.session.position, MoveCreature)
    return table


def test_the_next_move_does_not_end_the_phase_of_a_creature_in_silence(creature: Table) -> None:
    move = harmless(next_mover(creature.session.position), MoveExplorer)[0]
    moved = after(creature.layout, move)
    state = creature.see(moved, 8)
    assert isinstance(state, Question)
    assert state.candidates[0].actions == (EndPhase(), move)
    second = next(
        a
        for a in harmless(next_mover(creature.session.position), MoveExplorer)
        if set(touched(a)).isdisjoint(touched(move))
    )
    count = len(creature.session.record)
    creature.see(after(moved, second), 8)
    assert len(creature.session.record) == count, "playing on is no proof that nobody wanted to move it"
    creature.see(moved, 8)
    creature.follower.answer((EndPhase(), move))
    assert [e.action for e in creature.session.record[-2:]] == [EndPhase(), move]


def test_who_moves_before_the_creature_is_not_taken_over_when_it_has_moved(creature: Table) -> None:
    """What came first was out of turn; the creature's move is none the worse for it."""
    position = creature.session.position
    moved = harmless(position, MoveCreature)[0]
    then = apply(position, moved).position
    early = next(a for a in harmless(then, MoveExplorer) if set(touched(a)).isdisjoint(touched(moved)))
    creature.see(after(creature.layout, early), 8)
    state = creature.see(after(creature.layout, early, moved), 8)
    assert creature.session.record[-1].action == moved
    assert isinstance(state, Question)
    assert [c.actions for c in state.candidates] == [(early,)]


def test_what_both_did_between_two_looks_was_done_in_turn(creature: Table) -> None:
    position = creature.session.position
    moved = harmless(position, MoveCreature)[0]
    then = apply(position, moved).position
    move = next(a for a in harmless(then, MoveExplorer) if set(touched(a)).isdisjoint(touched(moved)))
    creature.see(after(creature.layout, moved, move), 3)
    assert [entry.action for entry in creature.session.record[-2:]] == [moved, move]


def test_a_tile_lifted_before_anybody_has_moved_is_asked_about() -> None:
    table = Table(1)
    table.play_until("move")
    table.see(table.layout)
    position = table.session.position
    while position.phase != "sink":
        position = apply(position, EndPhase()).position
    sink = next(a for a in legal_actions(position) if isinstance(a, SinkTile))
    state = table.see(after(table.layout, sink), 8)
    assert isinstance(state, Question)
    assert state.candidates[0].actions[-1] == sink


# Entered on the screen, and put elsewhere


@pytest.mark.parametrize("kind", [MoveExplorer, MoveBoat])
def test_what_was_entered_and_stands_elsewhere_is_asked_about_and_carried_from_there(kind: type[Action]) -> None:
    table = Table(1)
    table.play_until("move")
    table.see(table.layout)
    before = table.layout
    entered, other = next(
        (a, b)
        for a in harmless(table.session.position, kind)
        for b in harmless(table.session.position, kind)
        if touched(a)[0] == touched(b)[0]
        and getattr(a, "colour", None) == getattr(b, "colour", None)
        and touched(a)[1] != touched(b)[1]
        and touched(b)[1] in BOARD.neighbours[touched(a)[1]]
    )
    table.session.do(entered)
    count = len(table.session.record)
    state = table.see(after(before, other), 8)
    assert len(table.session.record) == count
    assert isinstance(state, Question | Contradiction)
    if isinstance(state, Contradiction):
        assert [(c.origin_hex, c.hex) for c in state.way_back] == [(touched(other)[1], touched(entered)[1])]
    assert isinstance(table.see(after(before, entered)), Settled)


def test_a_boat_placed_on_the_screen_and_put_elsewhere_is_not_the_next_players() -> None:
    table = Table(1)
    table.play_until("place_boats")
    table.see(table.layout)
    before = table.layout
    entered, other = [a for a in table.session.legal() if isinstance(a, PlaceBoat)][:2]
    table.session.do(entered)
    count = len(table.session.record)
    assert isinstance(table.see(after(before, other), 8), Question)
    assert len(table.session.record) == count
    assert isinstance(table.see(after(before, entered)), Settled)


def test_another_tile_lifted_than_was_entered_is_asked_about() -> None:
    """Rolled meanwhile, so that it may be the next player's."""
    table = Table(1)
    table.play_until("sink")
    table.see(table.layout)
    entered, other = [a for a in table.session.legal() if isinstance(a, SinkTile)][:2]
    before = table.layout
    table.session.do(entered)
    while table.session.position.phase != "roll":
        table.session.do(Decline(player=table.session.position.threat.asked[0]))  # type: ignore[union-attr]
    roll_on(table)
    count = len(table.session.record)
    table.see(after(before, other), 8)
    assert len(table.session.record) == count


def test_what_is_undone_on_the_screen_and_carried_on_is_done_otherwise() -> None:
    table = Table(1)
    table.play_until("move")
    before = table.layout
    table.see(before)
    first, other = next(
        (a, b)
        for a in harmless(table.session.position, MoveExplorer)
        for b in harmless(table.session.position, MoveExplorer)
        if touched(a)[0] == touched(b)[0] and a.colour == b.colour and a.target != b.target  # type: ignore[attr-defined]
    )
    table.see(after(before, first))
    table.session.undo()
    assert isinstance(table.see(after(before, other)), Settled)
    assert table.session.record[-1].action == other


# A step stands


@pytest.mark.parametrize("looked_at_meanwhile", [False, True])
def test_a_step_is_taken_back_by_hands_only_for_a_while(looked_at_meanwhile: bool) -> None:
    for wait_s, stands in ((IS_PAST_S / 2, False), (IS_PAST_S * 1.5, True)):
        table = Table(1)
        table.play_until("creature")
        before = table.layout
        table.see(before)
        move = harmless(table.session.position, MoveCreature)[0]
        table.see(after(before, move))
        position = table.session.position
        if looked_at_meanwhile:
            table.see(after(before, move), round(wait_s * 5))
        else:
            table.camera.wait(wait_s)
        table.see(before, 8)
        assert (table.session.position is position) == stands


@pytest.mark.parametrize(("wait_s", "stands"), [(STANDS_S / 2, False), (STANDS_S * 2, True)])
def test_a_piece_that_goes_on_makes_another_step_of_it_only_at_once(wait_s: float, stands: bool) -> None:
    table = Table(3)
    table.play_until("creature")
    before = table.layout
    table.see(before)
    legal = harmless(table.session.position, MoveCreature)
    near, far = next((a, b) for a in legal for b in legal if a.origin == b.origin and a.target != b.target)  # type: ignore[attr-defined]
    table.see(after(before, near))
    table.camera.wait(wait_s)
    state = table.see(after(before, far), 8)
    assert table.session.record[-1].action == (near if stands else far)
    assert isinstance(state, Contradiction) == stands


def test_a_hand_over_the_table_lets_nothing_stand() -> None:
    """As in chess: as long as somebody has a finger on it."""
    table = Table(1)
    table.play_until("creature")
    before = table.layout
    table.see(before)
    move = harmless(table.session.position, MoveCreature)[0]
    table.see(after(before, move))
    position, there = table.session.position, touched(move)[1]
    for _ in range(3):
        table.follower.see(table.camera.look(after(before, move), hidden={there: "hand"}))
        table.camera.wait(IS_PAST_S)
        table.follower.see(table.camera.look(after(before, move), moving=True))
        table.camera.wait(IS_PAST_S)
    table.see(before, 8)
    assert table.session.position is not position


def test_who_took_a_step_back_is_in_the_journal() -> None:
    table = Table(1)
    table.play_until("creature")
    before = table.layout
    table.see(before)
    table.see(after(before, harmless(table.session.position, MoveCreature)[0]))
    table.see(before, 4)
    last = table.session._journal.records(table.session.game_id)[-1]
    assert (last.kind, last.content()["source"]) == ("undo", "camera")


def weighed(thinking: Thinking[Explained | None], *verdicts: Verdict) -> Explained | None:
    """What comes of it with these verdicts."""
    next(thinking)
    for verdict in verdicts:
        try:
            thinking.send(verdict)
        except StopIteration as end:
            said: Explained | None = end.value
            return said
    pytest.fail("it wanted more to be weighed")


@pytest.mark.parametrize("facts", [None, ()])
def test_what_nothing_else_explains_is_taken_over_if_people_play_on_and_all_is_given(facts: Facts | None) -> None:
    """Though it is not clearly to be seen; else people are there to be asked."""
    table = Table(1)
    table.play_until("move")
    position = table.session.position
    (hidden, *_) = harmless(position, MoveExplorer)
    there = hidden.target.hex
    lags = {there: span(tallies(apply(position, hidden).position.layout())[there])}
    asked = Question((Candidate((hidden,), 1.0, (), lags),), ())
    seen = Evidence.of(table.camera.look(table.layout))
    case = Case(position, seen, {}, facts, (), (), (), NOTHING_NAMED, NOTHING_DUE)
    said = weighed(played_on(asked.candidates, asked, case), Explained((EndPhase(),)))
    assert said == (None if facts is None else Explained((hidden,), lags))


@pytest.mark.parametrize("is_possible", [True, False])
def test_playing_on_proves_nothing_while_something_else_is_as_possible(is_possible: bool) -> None:
    """He has come to where that is not clearly to be seen, or is lost where nothing of it can be: both go on."""
    table = Table(1)
    table.play_until("move")
    position = table.session.position
    hidden, clear = harmless(position, MoveExplorer)[:2]
    seen = Evidence.of(table.camera.look(table.layout))  # as before either of them
    there = hidden.target.hex
    lags = {there: span(tallies(apply(position, hidden).position.layout())[there])}
    asked = Question((Candidate((hidden,), 0.9, (), lags), Candidate((clear,), 0.1, ())), ())
    case = Case(position, seen, {}, (), (), (), (), NOTHING_NAMED, NOTHING_DUE)
    first = Explained((EndPhase(),) if is_possible else ())
    said = weighed(played_on(asked.candidates, asked, case), first, Explained((EndPhase(),)))
    assert said == (None if is_possible else Explained((clear,)))


@pytest.mark.parametrize(("since", "goes_on"), [(((EndPhase(),), (EndPhase(),)), True), (((EndPhase(),),), False)])
def test_a_question_goes_on_if_each_of_its_candidates_does(
    since: tuple[tuple[Action, ...], ...], goes_on: bool
) -> None:
    """Whatever the actions are: what is loaded into a boat has no hash."""
    starts = (LoadBoat(explorers={"red": 1}), LoadBoat(explorers={"red": 2}))
    asked, now = (
        Question(tuple(Candidate((start, *more), 0.5, ()) for start, more in zip(starts, after_it, strict=False)), ())
        for after_it in (((), ()), since)
    )
    assert extends(now, asked) == goes_on
    assert not extends(asked, now)


def test_one_candidate_and_what_brings_about_the_other_is_no_proof_of_it() -> None:
    """Whether he dived beside the boat that came, or came aboard: aboard, and dived from there, is the same table."""
    data = encode_position(table_to_spoil(3))
    hexes = [{k: v for k, v in item.items() if k != "explorers"} for item in data["layout"]["hexes"] if "tile" in item]
    for h in ([1, -3], [1, -2]):
        next(item for item in hexes if item["hex"] == h)["explorers"] = {"red": 1}
    hexes += [
        {"hex": [2, -5], "boat": {"red": 1}},
        {"hex": [0, -4], "boat": {}},
        {"hex": [1, -4], "explorers": {"red": 1}},
    ]
    data["layout"] = {"hexes": hexes, "safe": {}}
    start = decode_position(data | {"supply": {**data["supply"], "boats": 8, "sharks": 6, "whales": 5}})
    dive = MoveExplorer(colour="red", origin=Place(hex=(1, -3), on="tile"), target=Place(hex=(1, -4), on="sea"))
    boat = MoveBoat(origin=(2, -5), target=(1, -4))
    shown = apply(apply(start, dive).position, boat).position
    session = begin(Journal(":memory:"), start, Dealer(1))
    follower, camera = Follower(session), Camera(162, doubt=0.0)
    for _ in range(6):
        follower.see(camera.look(start.layout()))
    for _ in range(20):
        state = follower.see(camera.look(shown.layout()))
        assert not session.record, "nobody has answered"
    assert isinstance(state, Question)
    assert len(state.candidates) == 2
    follower.answer(next(c.actions for c in state.candidates if dive in c.actions))
    assert session.position == shown


@pytest.mark.parametrize("wait_s", [0.0, 30.0])
def test_what_was_entered_and_is_done_by_another_alike_is_no_second_move(wait_s: float) -> None:
    """From A to B was entered. The hand takes one from beside A to B: as if he had come to A after that."""
    data = encode_position(table_to_spoil(3))
    hexes = [{k: v for k, v in item.items() if k != "explorers"} for item in data["layout"]["hexes"] if "tile" in item]
    a, other, b = (0, 2), (1, 2), (0, 3)
    for h in (a, other):
        next(item for item in hexes if item["hex"] == list(h))["explorers"] = {"red": 1}
    data["layout"] = {"hexes": hexes, "safe": {}}
    start = decode_position(data | {"supply": {**data["supply"], "boats": 12, "sharks": 6, "whales": 5}})
    entered, done = (
        MoveExplorer(colour="red", origin=Place(hex=h, on="tile"), target=Place(hex=b, on="tile")) for h in (a, other)
    )
    session = begin(Journal(":memory:"), start, Dealer(1))
    follower, camera = Follower(session), Camera(1, doubt=0.0)
    for _ in range(4):
        follower.see(camera.look(start.layout()))
    session.do(entered)
    follower.see(camera.look(start.layout()))
    camera.wait(wait_s)
    for _ in range(8):
        state = follower.see(camera.look(apply(start, done).position.layout()))
    assert isinstance(state, Question)
    assert [entry.action for entry in session.record] == [entered]
    for _ in range(8):
        state = follower.see(camera.look(session.position.layout()))
    assert isinstance(state, Settled), "it is put right by hand"
