"""Two alike in a boat, one of whom has swum: what is done later tells which one hopped into the next boat (4.5)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from companion.rules import Position, apply, decode_position, encode_position
from companion.rules.actions import Action, MoveBoat, MoveExplorer, Place
from companion.table import Contradiction, Follower, Journal, Session, resume
from companion.table.dealer import Dealer
from companion.table.start import begin
from companion.table.track import Tracker
from tests.table.helpers import Camera
from tests.table.test_reconcile import table_to_spoil
from tests.table.tracked import said

HERE, NEXT = (-7, 4), (-6, 3)
HOP = MoveExplorer(colour="red", origin=Place(hex=HERE, on="boat"), target=Place(hex=NEXT, on="boat"))
HOPPED_DIVES = MoveExplorer(colour="red", origin=Place(hex=NEXT, on="boat"), target=Place(hex=NEXT, on="sea"))
OTHER_DIVES = MoveExplorer(colour="red", origin=Place(hex=HERE, on="boat"), target=Place(hex=HERE, on="sea"))
OTHER_HOP = MoveExplorer(colour="red", origin=HOP.origin, target=HOP.target, swum=True)
BOAT_GOES_ON = MoveBoat(origin=NEXT, target=(-5, 2))
HE_DIVES_THERE = MoveExplorer(colour="red", origin=Place(hex=(-5, 2), on="boat"), target=Place(hex=(-5, 2), on="sea"))


def two_aboard(moves_left: int = 3) -> Position:
    """Ann's, with two reds in a boat, one of whom has swum, and an empty boat next to it."""
    data = encode_position(table_to_spoil(moves_left))
    landing = next(item for item in data["layout"]["hexes"] if item["hex"] == list(HERE))
    landing |= {"boat": {"red": 2}, "explorers": {}}
    data["layout"]["hexes"].append({"hex": list(NEXT), "boat": {}})
    data["supply"]["boats"] -= 1
    return decode_position(data | {"swum": [{"hex": list(HERE), "on": "boat", "colour": "red", "count": 1}]})


def tables(*moves: Action) -> list[Position]:
    """What is to be seen, move by move, whoever of the two is taken to have done them."""
    line = [two_aboard()]
    for move in moves:
        line.append(apply(line[-1], move).position)
    return line


class Table:
    """A session that the camera follows; the journal is in memory."""

    def __init__(self) -> None:
        self.journal = Journal(":memory:")
        self.session: Session = begin(self.journal, two_aboard(), Dealer(1))
        self.follower, self.camera = Follower(self.session), Camera(1, doubt=0.0)

    def shows(self, position: Position) -> object:
        for _ in range(6):
            state = self.follower.see(self.camera.look(position.layout()))
        return state

    @property
    def done(self) -> list[Action | None]:
        return [entry.action for entry in self.session.record]


WAYS = [(HOP, HOPPED_DIVES), (OTHER_HOP, OTHER_DIVES), (HOP, BOAT_GOES_ON, HE_DIVES_THERE)]


@pytest.mark.parametrize("moves", WAYS)
@pytest.mark.parametrize("wait_s", [0.0, 3.0, 60.0])
def test_who_dives_after_the_hop_is_the_one_who_may(moves: Sequence[Action], wait_s: float) -> None:
    """However long the table has stood in between; the game taken up again is the same."""
    table = Table()
    for position in tables(*moves):
        state = table.shows(position)
        assert not isinstance(state, Contradiction)
        table.camera.wait(wait_s)
    assert table.done == [*moves]
    assert table.session.position == tables(*moves)[-1]
    assert {entry.source for entry in table.session.record} == {"camera"}
    assert resume(table.journal, table.session.game_id).record == table.session.record


@pytest.mark.parametrize("moves", WAYS)
@pytest.mark.parametrize("given", [True, False])
def test_who_dives_after_the_hop_is_followed_in_pictures(moves: Sequence[Action], given: bool) -> None:
    tracker, camera = Tracker(two_aboard(), {} if given else None, seed=1), Camera(1, doubt=0.0)
    for number, position in enumerate(tables(*moves)):
        assert said(tracker.see(f"p{number}.jpg", camera.look(position.layout()))) == ("explained", None)
        assert len(tracker.news()) == min(number, 1), "once each"
    assert tracker.position == tables(*moves)[-1]


def test_if_both_dive_one_of_them_swims_twice_4_5() -> None:
    """One has swum before: it does not matter which."""
    table = Table()
    after = tables(HOP, HOPPED_DIVES)
    for position in after:
        table.shows(position)
    data = encode_position(after[-1])
    here = next(item for item in data["layout"]["hexes"] if item["hex"] == list(HERE))
    here |= {"boat": {}, "explorers": {"red": 1}}
    state = table.shows(decode_position(data | {"swum": []}))
    assert isinstance(state, Contradiction)
    assert state.rule == "4.5"
    assert table.done == [HOP, HOPPED_DIVES]


def test_what_was_entered_by_touch_after_it_is_not_exchanged() -> None:
    """Only what the camera alone has followed is: people have gone on from what the screen showed."""
    table = Table()
    hopped, moved, dived = tables(HOP, BOAT_GOES_ON, HE_DIVES_THERE)[1:]
    table.shows(two_aboard())
    table.shows(hopped)
    table.session.exchange([HOP], [OTHER_HOP])
    table.session.do(BOAT_GOES_ON)
    table.shows(moved)
    state = table.shows(dived)
    assert isinstance(state, Contradiction)
    assert state.rule == "4.5"
