"""Hundreds of illegal acts of all kinds: each is named by its rule, none is taken over."""

from __future__ import annotations

import functools
from collections import Counter

import msgspec
import pytest

from companion.rules import legal_actions
from companion.rules.actions import MoveBoat, MoveCreature, MoveExplorer
from companion.rules.geometry import Hex
from companion.rules.layout import COLOURS, HexContent, Layout
from companion.rules.pieces import BOAT_CAPACITY
from companion.table import Contradiction, Follower, Journal, Question, Settled, Waiting
from companion.table.dealer import Dealer
from companion.table.follow import FollowState
from companion.table.gestures import gesture
from companion.table.start import begin
from companion.table.step import IS_PAST_S, STANDS_S
from companion.table.tally import tallies
from companion.table.track import TrackedGame
from companion.vision.observation import HexHypothesis
from tests.table.helpers import BOARD, Camera, random_game
from tests.table.planted import FOR_PICTURES, Planted, layout_of, planted


@functools.lru_cache(maxsize=1)
def acts_of(seed: int, each: int) -> tuple[Planted, ...]:
    """Acts that a layout can say, made once for the tests side by side that look at them."""
    return tuple(planted(seed, each, but=FOR_PICTURES))


def follow(act: Planted, camera: Camera) -> tuple[FollowState, TrackedGame]:
    """What the companion says to one picture of the act."""
    sheet = TrackedGame(act.position)
    follower = Follower(sheet, agreeing=1, patience=1)
    if act.given is not None:
        follower.give(act.given)
    return follower.see(camera.look(act.layout)), sheet


@pytest.mark.parametrize(("seed", "each", "lead", "share"), [(2, 20, 0, 0.99), (4, 5, 1, 0.95)])
def test_illegal_acts_are_named_by_their_rule_and_never_taken_over(seed, each, lead, share) -> None:
    """After `lead` legal actions that no picture has shown it may look like another act, or like a legal table."""
    camera = Camera(seed, doubt=0.0)
    acts, named, missed = Counter[str](), Counter[str](), []
    for act in planted(seed, each, lead, FOR_PICTURES):
        state, sheet = follow(act, camera)
        if not isinstance(state, Contradiction | Question):
            assert lead, act
            assert sheet.position.layout() == act.layout, act  # then nobody can see that it was illegal
            continue
        acts[act.kind] += 1
        named[act.kind] += act.is_named_by(state)
        if not act.is_named_by(state):
            missed.append((act.kind, act.rule, act.spots, state))
    assert acts.total() > each * 15
    assert named.total() >= share * acts.total(), missed


@pytest.mark.parametrize("pause_s", [0.0, STANDS_S, 2 * IS_PAST_S])
def test_illegal_acts_after_a_step_that_the_camera_has_seen_are_no_other_step(pause_s) -> None:
    """Steps can be taken back here: at once an act may be the step carried on, and legal; later it is none."""
    camera, acts, named, taken, missed = Camera(5, doubt=0.0), 0, 0, 0, []
    for act in acts_of(8, 20):
        if act.last is None or act.given is not None or not isinstance(act.last[1], _SEEN):
            continue
        before, step = act.last
        session = begin(Journal(":memory:"), before, Dealer(1))
        follower = Follower(session)
        for layout in (before.layout(), act.position.layout()):
            for _ in range(2):
                follower.see(camera.look(layout))
        if session.position != act.position:  # somebody is asked about it, or it was another way
            continue
        camera.wait(pause_s)
        record = session.record
        for _ in range(6):
            state = follower.see(camera.look(act.layout))
        acts += 1
        named += act.is_named_by(state)
        if session.record != record:
            taken += 1
            assert pause_s < IS_PAST_S, (act, session.record[-1])
            assert session.record[: len(record) - 1] == record[:-1], "only the step itself is another one"
            instead = [entry.action for entry in session.record[len(record) - 1 :]]
            assert step not in instead, act
        elif not act.is_named_by(state):
            missed.append((act.kind, act.rule, act.spots, state))
    assert acts > 100
    assert named >= 0.97 * (acts - taken), missed
    assert taken <= 0.1 * acts


_SEEN = (MoveExplorer, MoveBoat, MoveCreature)


def test_a_boat_moved_onto_another_breaks_5_2() -> None:
    """A picture of two boats on one hex is read as one boat that looks strange."""
    camera, count = Camera(1, doubt=0.0), 0
    for position, action in (step for seed in range(3) for step in random_game(seed)):
        layout = position.layout()
        if not isinstance(action, MoveBoat) or layout.at(action.origin).boat != {}:
            continue
        for there in BOARD.neighbours[action.origin]:
            other = layout.at(there)
            if other.boat is not None and sum(other.boat.values()) == 1:
                (colour,) = other.boat
                hexes = {
                    action.origin: msgspec.structs.replace(layout.at(action.origin), boat=None),
                    there: msgspec.structs.replace(other, boat={colour: 2}),
                }
                table = Layout({**layout.hexes, **hexes}, layout.safe)
                act = Planted("boat onto boat", position, table, "5.2", frozenset(hexes))
                state, _ = follow(act, camera)
                assert act.is_named_by(state), (act, state)
                count += 1
    assert count > 3


def test_four_in_a_boat_that_are_read_as_three_break_5_1() -> None:
    camera, count = Camera(1, doubt=0.0), 0
    for act in acts_of(3, 12):
        if act.kind != "fourth passenger":
            continue
        boat = next(h for h in act.spots if (act.layout.at(h).boat or {}) != (act.position.layout().at(h).boat or {}))
        crew = act.position.layout().at(boat).boat or {}
        (once, *_) = (colour for colour in COLOURS if crew.get(colour))
        other = next(colour for colour in COLOURS if colour != once)
        odd = {c: n for c in COLOURS if (n := crew.get(c, 0) - (c == once) + (c == other))}
        strange = msgspec.structs.replace(act.layout.at(boat), boat=odd)
        table = Layout({**act.layout.hexes, boat: strange}, act.layout.safe)
        state, _ = follow(act._replace(layout=table), camera)
        assert act.is_named_by(state), (act, state)
        count += 1
    assert count == 12


def test_a_fourth_passenger_who_is_read_as_a_swimmer_is_asked_about_if_he_may_be_aboard() -> None:
    camera, count = Camera(1, doubt=0.0), 0
    for act in acts_of(3, 12):
        if act.kind != "fourth passenger":
            continue
        before = act.position.layout()
        boat = next(h for h in act.spots if (act.layout.at(h).boat or {}) != (before.at(h).boat or {}))
        four, crew = act.layout.at(boat), before.at(boat).boat or {}
        (colour,) = (c for c, n in (four.boat or {}).items() if n > crew.get(c, 0))
        beside = {**four.explorers, colour: four.explorers.get(colour, 0) + 1}
        three = msgspec.structs.replace(four, boat=crew, explorers=beside)
        for aboard, state in ((0.02, Question), (0.0, Settled | Waiting)):
            seen = camera.look(act.layout)
            readings = (HexHypothesis(three, 0.97), HexHypothesis(four, aboard))[: 2 if aboard else 1]
            hexes = (msgspec.structs.replace(e, hypotheses=readings) if e.hex == boat else e for e in seen.hexes)
            follower = Follower(TrackedGame(act.position), agreeing=1, patience=1)
            assert isinstance(follower.see(msgspec.structs.replace(seen, hexes=tuple(hexes))), state), act
        count += 1
    assert count == 12


def test_who_vanishes_beside_a_boat_that_may_hold_four_is_asked_about_where_another_move_explains_it() -> None:
    """A tile near by is read with a phantom of his colour; but the boat looks as if it might hold one more."""
    camera, count = Camera(1, doubt=0.0), 0
    for act in acts_of(3, 12):
        before = act.position.layout()
        boat = next((h for h in act.spots if act.layout.at(h).boat != before.at(h).boat), None)
        if act.kind != "fourth passenger" or boat is None:
            continue
        (tile,) = act.spots - {boat}
        moves = (a for a in legal_actions(act.position) if isinstance(a, MoveExplorer) and a.origin.hex == tile)
        move = next((a for a in moves if a.target.on == "tile"), None)
        if move is None or before.at(tile).explorers.get(move.colour, 0) == act.layout.at(tile).explorers.get(
            move.colour, 0
        ):
            continue
        spots = tallies(before)
        seen = camera.look(layout_of({**spots, **gesture(spots, move)}))
        three, four = before.at(boat), act.layout.at(boat)
        for aboard, state in ((0.25, Question), (0.01, Settled)):
            readings = (HexHypothesis(three, 0.7), HexHypothesis(four, aboard))
            hexes = (msgspec.structs.replace(e, hypotheses=readings) if e.hex == boat else e for e in seen.hexes)
            follower = Follower(TrackedGame(act.position), agreeing=1, patience=1)
            assert isinstance(follower.see(msgspec.structs.replace(seen, hexes=tuple(hexes))), state), act
        count += 1
    assert count > 3


def test_an_illegal_act_is_named_where_something_else_is_misread() -> None:
    camera, acts, named = Camera(6, doubt=0.0), 0, 0
    for act in planted(6, 4, but=FOR_PICTURES):
        far = [h for h in BOARD.hexes if h not in act.layout.hexes and act.spots.isdisjoint(BOARD.neighbours[h])]
        stray = {far[0]: HexContent(explorers={"blue": 1})}
        table = Layout({**act.layout.hexes, **stray}, act.layout.safe)
        state, sheet = follow(act._replace(layout=table), camera)
        assert sheet.position == act.position, "nothing of it is taken over"
        if act.rule is not None:
            acts += 1
            named += act.is_named_by(state) and far[0] not in state.hexes
    assert acts > 50
    assert named >= 0.9 * acts


@pytest.mark.parametrize("is_moved", [True, False], ids=["a passenger too many", "a passenger read beside the boat"])
def test_an_illegal_act_is_named_where_a_boat_is_misread(*, is_moved: bool) -> None:
    """In the boat that was moved against the rules, or in another one far away.

    There somebody may as well have left it, legally; then the time for moves may be over (3).
    """
    camera, acts, named = Camera(6, doubt=0.0), 0, 0
    for act in planted(7, 12 if is_moved else 4, but=FOR_PICTURES):
        spot = next((h for h in _manned(act.layout) if (h in act.spots) == is_moved), None)
        if spot is None or act.rule is None or (is_moved and "boat" not in act.kind):
            continue
        content = act.layout.at(spot)
        assert content.boat is not None
        colour = next(iter(content.boat))
        aboard = {**content.boat, colour: content.boat[colour] + (1 if is_moved else -1)}
        beside = content.explorers if is_moved else {**content.explorers, colour: content.explorers.get(colour, 0) + 1}
        misread = msgspec.structs.replace(content, boat=aboard, explorers=beside)
        table = Layout({**act.layout.hexes, spot: misread}, act.layout.safe)
        state, sheet = follow(act._replace(layout=table), camera)
        assert sheet.position == act.position, "nothing of it is taken over"
        acts += 1
        is_late = not is_moved and isinstance(state, Contradiction) and state.rule == "3"
        named += act.is_named_by(state) or (is_late and not act.spots.isdisjoint(state.hexes))
    assert acts >= 12
    assert named == acts


def _manned(layout: Layout) -> list[Hex]:
    """The hexes of boats with one or two aboard."""
    return [h for h, content in layout.hexes.items() if content.boat and sum(content.boat.values()) < BOAT_CAPACITY]
