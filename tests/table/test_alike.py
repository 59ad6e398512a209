"""Of two of a colour one has swum (4.5): what is done later tells which one it was that hopped or swam before."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from companion.rules import Player, Position, apply, decode_position, encode_position, legal_actions
from companion.rules.actions import Action, MoveBoat, MoveExplorer, Place
from companion.rules.geometry import Hex
from companion.table import Contradiction, Follower, Journal, Session, Settled, resume
from companion.table.dealer import Dealer
from companion.table.start import begin
from companion.table.track import Tracker
from tests.table.helpers import Camera, random_game
from tests.table.test_reconcile import table_to_spoil
from tests.table.tracked import said

FOUR = (Player("A", ("red",)), Player("B", ("blue",)), Player("C", ("yellow",)), Player("D", ("green",)))
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


def positions(start: Position, *moves: Action) -> list[Position]:
    """The first one, and that after each of the moves."""
    line = [start]
    for move in moves:
        line.append(apply(line[-1], move).position)
    return line


def tables(*moves: Action) -> list[Position]:
    """What is to be seen, move by move, whoever of the two is taken to have done them."""
    return positions(two_aboard(), *moves)


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


def test_who_is_named_on_the_screen_is_not_exchanged() -> None:
    """Whoever enters a move says who it was; what was entered after the camera's hop goes along."""
    hopped, moved, dived = tables(HOP, BOAT_GOES_ON, HE_DIVES_THERE)[1:]
    table = Table()
    table.session.do(OTHER_HOP)
    table.shows(hopped)
    table.session.do(BOAT_GOES_ON)
    table.shows(moved)
    state = table.shows(dived)
    assert isinstance(state, Contradiction)
    assert state.rule == "4.5"
    table = Table()
    table.shows(two_aboard())
    table.shows(hopped)
    table.session.do(MoveBoat(origin=HERE, target=(-7, 5)))
    other_dived = MoveExplorer(colour="red", origin=Place(hex=(-7, 5), on="boat"), target=Place(hex=(-7, 5), on="sea"))
    after = tables(OTHER_HOP, MoveBoat(origin=HERE, target=(-7, 5)), other_dived)
    table.shows(after[2])
    assert not isinstance(table.shows(after[3]), Contradiction)
    assert [entry.source for entry in table.session.record] == ["camera", "touch", "camera"]
    assert table.session.position == after[3]


@pytest.mark.parametrize("back_by", ["hand", "touch", "resume"])
def test_what_was_taken_back_in_between_settles_nothing(back_by: str) -> None:
    table = Table()
    hopped, moved = tables(HOP, BOAT_GOES_ON)[1:]
    for position in (two_aboard(), hopped, moved):
        table.shows(position)
    if back_by != "hand":
        table.session.undo()
    if back_by == "resume":
        table.session = resume(table.journal, table.session.game_id)
        table.follower = Follower(table.session, known=False)
    table.shows(hopped)
    assert table.done == [HOP]
    assert not isinstance(table.shows(tables(OTHER_HOP, OTHER_DIVES)[-1]), Contradiction)
    assert table.done == [OTHER_HOP, OTHER_DIVES]


def test_who_dives_and_is_put_back_leaves_the_dive_to_the_other() -> None:
    table = Table()
    for position in tables(OTHER_HOP, OTHER_DIVES):
        table.shows(position)
    table.shows(tables(HOP)[-1])
    assert not isinstance(table.shows(tables(HOP, HOPPED_DIVES)[-1]), Contradiction)
    assert table.done == [HOP, HOPPED_DIVES]


ON_THE_BEACH = Place(hex=(1, 2), on="tile")
ONE, OTHER, BETWEEN = (Place(hex=h, on="sea") for h in ((1, 3), (2, 2), (2, 3)))


def swims(origin: Place, target: Place, colour: str = "red") -> MoveExplorer:
    return MoveExplorer(colour=colour, origin=origin, target=target)


def two_off_the_beach() -> Position:
    """A red one on a beach and two in the sea next to it, with a hex of sea between them."""
    data = encode_position(table_to_spoil(3))
    hexes = [item for item in data["layout"]["hexes"] if item["hex"] not in ([1, 3], [-2, 5])]
    for item in hexes:
        if item.get("tile"):
            item["explorers"] = {"red": 1} if tuple(item["hex"]) == ON_THE_BEACH.hex else {}
    hexes += [
        {"hex": list(ONE.hex or ()), "explorers": {"red": 1}},
        {"hex": list(OTHER.hex or ()), "explorers": {"red": 1}},
    ]
    data["layout"]["hexes"] = hexes
    return decode_position(data)


def followed_from_the_second_on(line: Sequence[Position]) -> tuple[Session, Tracker, list[int]]:
    """The first two moves in one look, each other in its own, and nothing is wrong; how many actions each look told."""
    session = begin(Journal(":memory:"), line[0], Dealer(1))
    follower, tracker, camera = Follower(session), Tracker(line[0], {}), Camera(1, doubt=0.0)
    told = []
    for position in (line[0], *line[2:]):
        for _ in range(6):
            assert not isinstance(follower.see(camera.look(position.layout())), Contradiction)
        assert said(tracker.see("p.jpg", camera.look(position.layout()))) == ("explained", None)
        told.append(len(tracker.news()))
    return session, tracker, told


@pytest.mark.parametrize(
    ("swam_on", "swims_now", "target"), [(ONE, OTHER, (3, 2)), (OTHER, ONE, (0, 4))], ids=["one", "other"]
)
def test_of_two_ways_to_the_same_table_the_third_move_tells_which_it_was(
    swam_on: Place, swims_now: Place, target: Hex
) -> None:
    """In one look one has swum on, and the one on the beach has come after him: nobody can tell after which."""
    third = swims(swims_now, Place(hex=target, on="sea"))
    line = positions(two_off_the_beach(), swims(swam_on, BETWEEN), swims(ON_THE_BEACH, swam_on), third)
    session, tracker, _ = followed_from_the_second_on(line)
    assert session.position == tracker.position == line[-1]


@pytest.mark.parametrize("back_by", ["hand", "touch", "resume"])
@pytest.mark.parametrize("first", [0, 1])
def test_the_third_move_may_be_taken_back_and_another_be_made(first: int, back_by: str) -> None:
    """Each of the two who may have swum in the first look can be the one who has not."""
    line, other_line = (
        positions(two_off_the_beach(), swims(swimmer, BETWEEN), swims(ON_THE_BEACH, swimmer))
        for swimmer in (ONE, OTHER)
    )
    thirds = [
        apply(line[-1], swims(OTHER, Place(hex=(3, 2), on="sea"))).position,
        apply(other_line[-1], swims(ONE, Place(hex=(0, 4), on="sea"))).position,
    ]
    journal = Journal(":memory:")
    session = begin(journal, line[0], Dealer(1))
    follower, camera = Follower(session), Camera(1, doubt=0.0)
    for position in (line[0], line[-1], thirds[first], line[-1], thirds[not first]):
        if position is line[-1] and len(session.record) == 3 and back_by != "hand":
            session.undo()
            if back_by == "resume":
                session = resume(journal, session.game_id)
                follower = Follower(session, known=False)
        for _ in range(6):
            assert not isinstance(follower.see(camera.look(position.layout())), Contradiction)
    assert session.position == thirds[not first]


def test_one_move_may_have_been_two() -> None:
    """In one look one has hopped aboard, and who has swum has left: as if the first had gone there himself."""
    there = (-6, 4)
    data = encode_position(two_aboard())
    for item in data["layout"]["hexes"]:
        if item["hex"] in (list(HERE), list(NEXT)):
            item["boat"] = {"red": 1}
        if item["hex"] == list(there):
            item["boat"] = {}
    swum = [{"hex": list(NEXT), "on": "boat", "colour": "red", "count": 1}]
    aboard = {h: Place(hex=h, on="boat") for h in (HERE, NEXT, there)}
    leaves = MoveExplorer(colour="red", origin=aboard[NEXT], target=aboard[there], swum=True)
    start = decode_position(data | {"swum": swum})
    line = positions(start, swims(aboard[HERE], aboard[NEXT]), leaves, HOPPED_DIVES)
    session, tracker, told = followed_from_the_second_on(line)
    assert all(n <= 1 for n in told), "nothing is told twice"
    assert session.position.layout() == tracker.position.layout() == line[-1].layout()


def walks(position: Position, apart: Sequence[Place]) -> list[MoveExplorer]:
    """On land, all of it away from these places."""
    moves = (a for a in legal_actions(position) if isinstance(a, MoveExplorer))
    return [a for a in moves if a.origin.on == a.target.on == "tile" and not {a.origin, a.target} & {*apart}]


@pytest.mark.parametrize("again", [True, False], ids=["entered again", "followed on"])
def test_two_moves_have_not_been_one_because_people_move_twice_more_3(again: bool) -> None:
    """One has walked and then swum, who might have gone there at once; one move is left, and people make two."""
    (start, walk), (walked, swim), (now, _) = random_game(114, FOUR)[61:64]
    assert isinstance(walk, MoveExplorer)
    assert isinstance(swim, MoveExplorer)
    at_once = swims(walk.origin, swim.target, colour=walk.colour)
    journal = Journal(":memory:")
    session = begin(journal, start, Dealer(1))
    follower, camera = Follower(session), Camera(1, doubt=0.0)

    def shows(position: Position) -> object:
        for _ in range(7):
            state = follower.see(camera.look(position.layout()))
        camera.wait(20.0)
        return state

    for position in (start, walked, now):
        shows(position)
    done = [entry.action for entry in session.record]
    assert done == [walk, swim]
    if again:
        session = resume(journal, session.game_id)
        follower = Follower(session, known=False)
        assert isinstance(shows(now), Settled)
    position = apply(start, at_once).position
    assert position.layout() == now.layout()
    apart = [walk.origin, walk.target, swim.target]
    for _ in range(2):
        one = walks(position, apart)[0]
        apart += [one.origin, one.target]
        position = apply(position, one).position
    state = shows(position)
    assert isinstance(state, Contradiction)
    assert state.rule == "3"
    assert [entry.action for entry in session.record] == done
