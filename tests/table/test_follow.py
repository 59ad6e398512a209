"""Picture by picture at the table: when it waits, what it takes over, what is still to do, when it complains."""

from __future__ import annotations

import contextlib
import itertools
import math
import random
from collections.abc import Iterator, Mapping

import msgspec
import pytest

from companion.rules import Options, Position, apply, decode_position, encode_position, legal_actions
from companion.rules.actions import (
    Action,
    Decline,
    Defend,
    EndPhase,
    LoadBoat,
    MoveBoat,
    MoveCreature,
    MoveExplorer,
    PlayTile,
    Roll,
    SinkTile,
)
from companion.rules.geometry import Hex
from companion.rules.layout import COLOURS, TERRAINS, HexContent, Layout
from companion.table import Contradiction, Follower, Journal, Question, Session, Settled, Waiting, start_game
from companion.table.dealer import Dealer
from companion.table.errors import JournalError
from companion.table.gestures import gesture, may_strike
from companion.table.start import begin
from companion.table.tally import NOTHING, Sort, Spot, Tally, changed, tallies
from companion.vision.observation import Blurred, HexHypothesis, HiddenBy, NotSeen, Observation
from tests.table.helpers import BOARD, PEOPLE, Camera, random_action, random_game
from tests.table.planted import layout_of


class Table:
    """A session, a camera and the hands of the people. Journals in memory: nothing here is about the disk."""

    def __init__(self, seed: int, doubt: float = 0.0) -> None:
        self.session: Session = start_game(Journal(":memory:"), PEOPLE, Options(), dealer=Dealer(seed))
        self.rng = random.Random(seed)
        self.camera = Camera(seed, doubt)
        self.follower = Follower(self.session)

    def play_until(self, phase: str) -> None:
        """By touch, before anybody looks."""
        while self.session.position.phase != phase:
            self.session.do(random_action(self.session.position, self.rng))
        self.follower = Follower(self.session)

    @property
    def layout(self) -> Layout:
        """The table as the position has it."""
        return self.session.position.layout()

    def see(self, layout: Layout, pictures: int = 2) -> Settled | Waiting | Question | Contradiction:
        """So many steady pictures of the same table."""
        for _ in range(pictures):
            state = self.follower.see(self.camera.look(layout))
        return state

    def one(self, kind: type, **fields: object) -> Action:
        """A legal action of a kind."""
        return next(
            a
            for a in self.session.legal()
            if isinstance(a, kind) and all(getattr(a, k) == v for k, v in fields.items())
        )


def move_on_land(table: Table) -> MoveExplorer:
    return next(a for a in table.session.legal() if isinstance(a, MoveExplorer) and a.target.on == "tile")


def carried(layout: Layout, move: MoveExplorer) -> Layout:
    """The table after a move on land."""
    hexes = dict(layout.hexes)
    for place, by in ((move.origin, -1), (move.target, 1)):
        assert place.hex is not None
        there = hexes[place.hex]
        count = there.explorers.get(move.colour, 0) + by
        others = {c: n for c, n in there.explorers.items() if c != move.colour}
        hexes[place.hex] = msgspec.structs.replace(
            there, explorers={**others, **({move.colour: count} if count else {})}
        )
    return Layout(hexes, layout.safe)


def without(layout: Layout, move: MoveExplorer) -> Layout:
    """The table with the moved piece in the air."""
    assert move.target.hex is not None
    return Layout({**carried(layout, move).hexes, move.target.hex: layout.at(move.target.hex)}, layout.safe)


@pytest.fixture
def table() -> Table:
    table = Table(1)
    table.play_until("move")
    return table


def test_one_picture_is_not_enough(table: Table) -> None:
    move = move_on_land(table)
    layout = carried(table.layout, move)
    assert table.see(layout, pictures=1) == Waiting("settling")
    assert isinstance(table.see(layout, pictures=1), Settled)
    assert table.session.record[-1].action == move
    assert table.session.record[-1].source == "camera"


def test_it_waits_while_most_of_what_stands_there_lies_in_shadow(table: Table) -> None:
    """What is not seen cannot have been left as it was: a table of which hardly anything is seen shows nothing."""
    occupied = [h for h in BOARD.hexes if table.layout.hexes.get(h)]
    for share, why in ((0.4, None), (0.7, "unseen")):
        dark: dict[Hex, HiddenBy] = dict.fromkeys(occupied[: round(share * len(occupied))], "shadow")
        for _ in range(3):
            state = table.follower.see(table.camera.look(table.layout, hidden=dark))
        assert getattr(state, "why", None) == why
        assert why is None or state.hexes == tuple(dark)  # type: ignore[union-attr]


def test_it_waits_while_a_hand_is_in_the_picture(table: Table) -> None:
    layout = carried(table.layout, move_on_land(table))
    hand = {BOARD.hexes[0]: "hand"}
    for _ in range(4):
        state = table.follower.see(table.camera.look(layout, hidden=hand))  # type: ignore[arg-type]
        assert state == Waiting("hand", (BOARD.hexes[0],))
    before = table.session.position
    assert table.see(layout, pictures=1) == Waiting("settling")
    assert table.session.position is before


def test_it_waits_while_something_moves_and_while_the_board_is_not_found(table: Table) -> None:
    picture = table.camera.look(carried(table.layout, move_on_land(table)))
    for _ in range(4):
        assert table.follower.see(msgspec.structs.replace(picture, moving=True)) == Waiting("moving")
        assert table.follower.see(msgspec.structs.replace(picture, registration=NotSeen())) == Waiting("unregistered")
        smeared = msgspec.structs.replace(picture, registration=Blurred(0.1))
        assert table.follower.see(smeared) == Waiting("blurred")
    assert table.session.record[-1].source == "touch"


def test_pictures_that_differ_do_not_agree(table: Table) -> None:
    move = move_on_land(table)
    for _ in range(3):
        assert table.see(table.layout, pictures=1) == Waiting("settling")
        assert table.see(without(table.layout, move), pictures=1) == Waiting("settling")


def test_a_piece_in_the_air_for_a_moment_is_no_contradiction(table: Table) -> None:
    move = move_on_land(table)
    assert isinstance(table.see(table.layout), Settled)
    state = table.see(without(table.layout, move), pictures=3)
    assert isinstance(state, Waiting)
    assert state.why == "settling"
    assert isinstance(table.see(carried(table.layout, move)), Settled)
    assert table.session.record[-1].action == move


def test_a_contradiction_has_to_stand_and_goes_away_by_itself(table: Table) -> None:
    layout, right = without(table.layout, move_on_land(table)), table.layout
    assert isinstance(table.see(layout, pictures=4), Waiting)
    state = table.see(layout, pictures=1)
    assert isinstance(state, Contradiction)
    assert [chore.do for chore in state.way_back] == ["put"]
    assert isinstance(table.see(right), Settled)


def test_a_contradiction_goes_when_what_it_rests_on_becomes_doubtful(table: Table) -> None:
    """The best reading stays the same, and another is as good now."""
    h = move_on_land(table).origin.hex
    here, gone = table.layout.at(h), without(table.layout, move_on_land(table)).at(h)
    states = []
    for pictures, share in ((6, 0.97), (6, 0.5)):
        readings = (HexHypothesis(gone, share), HexHypothesis(here, 0.98 - share))
        for _ in range(pictures):
            seen = table.camera.look(table.layout)
            hexes = (msgspec.structs.replace(e, hypotheses=readings) if e.hex == h else e for e in seen.hexes)
            state = table.follower.see(msgspec.structs.replace(seen, hexes=tuple(hexes)))
        states.append(type(state))
    assert states == [Contradiction, Settled]


def test_a_contradiction_names_the_rule(table: Table) -> None:
    active = table.session.position.active
    other = next(c for i, p in enumerate(PEOPLE) for c in p.colours if i != active)
    origin, target = next(
        (h, n)
        for h, content in table.layout.hexes.items()
        if content.tile and content.explorers == {other: 1}
        for n in BOARD.neighbours[h]
        if table.layout.at(n).tile and not table.layout.at(n).explorers
    )
    replace = msgspec.structs.replace
    layout = Layout(
        {
            **table.layout.hexes,
            origin: replace(table.layout.at(origin), explorers={}),
            target: replace(table.layout.at(target), explorers={other: 1}),
        },
        table.layout.safe,
    )
    state = table.see(layout, pictures=5)
    assert isinstance(state, Contradiction)
    assert state.rule == "4.7"
    assert set(state.hexes) == {origin, target}


def test_what_was_entered_by_touch_is_a_chore_until_the_table_follows(table: Table) -> None:
    before = table.layout
    table.see(before)
    boat = table.one(MoveBoat)
    assert isinstance(boat, MoveBoat)
    table.session.do(boat)
    state = table.see(before, pictures=8)
    assert isinstance(state, Waiting)
    assert state.why == "chores"
    assert [(c.do, c.piece, c.hex, c.origin_hex) for c in state.chores] == [("put", "boat", boat.target, boat.origin)]
    assert set(state.hexes) == {boat.origin, boat.target}
    assert isinstance(table.see(table.layout), Settled)


def test_play_goes_on_while_chores_are_left(table: Table) -> None:
    lagging = table.layout
    table.see(lagging)
    table.session.do(table.one(MoveBoat))
    move = move_on_land(table)
    state = table.see(carried(lagging, move))
    assert table.session.record[-1].action == move
    assert isinstance(state, Waiting)
    assert {chore.piece for chore in state.chores} == {"boat"}


def whale_dealt() -> tuple[Table, Hex, Layout]:
    """A table at which a whale has been dealt under the tile of that hex, and how it lay before."""
    table = Table(2)
    table.play_until("sink")
    sink = table.one(SinkTile)
    assert isinstance(sink, SinkTile)
    table.see(table.layout)
    before = table.layout
    table.session.do(SinkTile(hex=sink.hex, back="whale"))
    return table, sink.hex, before


def test_what_a_tile_brings_is_a_chore() -> None:
    table, h, before = whale_dealt()
    gone = Layout({**before.hexes, h: msgspec.structs.replace(before.at(h), tile=None)}, before.safe)
    state = table.see(gone)
    assert isinstance(state, Waiting)
    assert [(c.do, c.piece, c.hex) for c in state.chores] == [("put", "whale", h)]
    assert isinstance(table.see(table.layout), Settled)


def test_something_else_than_the_tile_brings_breaks_6_4() -> None:
    table, h, _ = whale_dealt()
    there = msgspec.structs.replace(table.layout.at(h), whales=0, sharks=1)
    state = table.see(Layout({**table.layout.hexes, h: there}, table.layout.safe), pictures=5)
    assert isinstance(state, Contradiction)
    assert (state.rule, state.hexes) == ("6.4", (h,))
    assert [(c.do, c.piece) for c in state.way_back] == [("take", "shark"), ("put", "whale")]
    assert isinstance(table.see(table.layout), Settled)


def test_a_creature_moved_to_where_a_tile_has_gone_did_not_come_up_from_under_it() -> None:
    """Whoever reads it as another kind must not hear of a rule about what comes up (6.4)."""
    table = Table(2)
    table.play_until("sink")
    sinks = [a for a in legal_actions(table.session.position) if isinstance(a, SinkTile)]
    serpents = {h for h, content in table.layout.hexes.items() if content.serpents}
    h, near = next((a.hex, n) for a in sinks for n in BOARD.neighbours[a.hex] if n in serpents)
    table.see(table.layout)
    table.session.do(SinkTile(hex=h, back="whale"))
    table.session.do(Roll(face="serpent"))
    after = apply(table.session.position, MoveCreature(creature="serpent", origin=near, target=h)).position.layout()
    misread = msgspec.structs.replace(after.at(h), serpents=0, sharks=1)
    state = table.see(Layout({**after.hexes, h: misread}, after.safe), pictures=5)
    assert isinstance(state, Question | Contradiction)
    assert getattr(state, "rule", None) is None


def test_what_came_up_and_was_moved_too_far_at_once_breaks_7_2() -> None:
    """Nobody has seen it where it came up."""
    table, h, before = whale_dealt()
    table.session.do(Roll(face="whale"))
    x, y = BOARD.centre_mm(h)
    far = max(BOARD.hexes, key=lambda n: (n not in before.hexes, math.dist(BOARD.centre_mm(n), (x, y))))
    moved = {h: msgspec.structs.replace(table.layout.at(h), whales=0), far: HexContent(whales=1)}
    state = table.see(Layout({**table.layout.hexes, **moved}, table.layout.safe), pictures=5)
    assert isinstance(state, Contradiction)
    assert (state.rule, set(state.hexes)) == ("7.2", {h, far})


def test_who_plays_on_after_a_complaint_about_what_came_up_knows_better_6_4() -> None:
    """It may have been misread; the game goes on, and what is to be put right stays in the list."""
    table, h, _ = whale_dealt()
    shark = {h: msgspec.structs.replace(table.layout.at(h), whales=0, sharks=1)}
    table.see(Layout({**table.layout.hexes, **shark}, table.layout.safe), pictures=5)
    table.session.do(Roll())
    while table.session.position.phase != "move":
        table.session.do(EndPhase())
    move = move_on_land(table)
    after = carried(table.layout, move)
    state = table.see(Layout({**after.hexes, **shark}, after.safe), pictures=5)
    assert table.session.record[-1].action == move
    assert isinstance(state, Waiting)
    assert {(c.do, c.piece, c.hex) for c in state.chores} == {("take", "shark", h), ("put", "whale", h)}
    assert isinstance(table.see(after), Settled)


def test_a_creature_that_nobody_has_touched_may_be_read_as_another() -> None:
    """Nobody changes a serpent for a shark, but recognisers mistake one for the other."""
    table = Table(2)
    table.play_until("move")
    table.see(table.layout)
    serpent = next(h for h, content in table.layout.hexes.items() if content.serpents and content.boat is None)
    misread = msgspec.structs.replace(table.layout.at(serpent), serpents=0, sharks=1)
    assert isinstance(table.see(Layout({**table.layout.hexes, serpent: misread}, table.layout.safe), 5), Settled)
    gone = msgspec.structs.replace(misread, sharks=0)
    assert isinstance(table.see(Layout({**table.layout.hexes, serpent: gone}, table.layout.safe), 5), Contradiction)


def test_a_tile_that_nobody_has_touched_may_be_read_as_another(table: Table) -> None:
    h = next(h for h, content in table.layout.hexes.items() if content.tile == "forest")
    for misread in ("beach", "mountain"):
        other = msgspec.structs.replace(table.layout.at(h), tile=misread)
        assert isinstance(table.see(Layout({**table.layout.hexes, h: other}, table.layout.safe), 5), Settled)
    gone = msgspec.structs.replace(table.layout.at(h), tile=None)
    assert not isinstance(table.see(Layout({**table.layout.hexes, h: gone}, table.layout.safe), 5), Settled)


def to_another(table: Table) -> Iterator[tuple[MoveCreature, str]]:
    """Legal moves of a creature to where nothing but one of another kind is, and of which."""
    for a in table.session.legal():
        if isinstance(a, MoveCreature):
            there = table.layout.at(a.target)
            for other in ("serpent", "shark", "whale"):
                if other != a.creature and there == HexContent(**{f"{other}s": 1}):
                    yield a, other


@pytest.mark.parametrize(("left", "read_as"), [("seen", "other"), ("seen", "moved"), ("hidden", "other")])
def test_a_creature_is_moved_to_one_that_is_read_as_another(left: str, read_as: str) -> None:
    """The one that stood there is known, and so is the one that has come, if it was seen to leave where it was."""
    table = Table(3)
    while not (moves := list(to_another(table))):
        if table.session.position.phase == "creature":
            table.session.do(EndPhase())
        table.play_until("creature")
    move, other = moves[0]
    table.see(table.layout)
    after = apply(table.session.position, move).position.layout()
    both = HexContent(**{f"{other if read_as == 'other' else move.creature}s": 2})
    shown = Layout({**after.hexes, move.target: both}, after.safe)
    hidden: dict[Hex, HiddenBy] = {move.origin: "shadow"} if left == "hidden" else {}
    for _ in range(5):
        table.follower.see(table.camera.look(shown, hidden=hidden))
    assert (table.session.record[-1].action == move) == (left == "seen")


@pytest.mark.parametrize("others", [1, 2])
def test_a_creature_that_left_and_is_overlooked_among_several_others_is_asked_about(others: int) -> None:
    """Among several others it may be covered; next to one alone it would be seen."""
    table = Table(3)
    table.play_until("creature")
    data, layout = encode_position(table.session.position), table.layout
    alone = [h for h, content in layout.hexes.items() if content == HexContent(serpents=1)]
    move = next(
        a
        for a in table.session.legal()
        if isinstance(a, MoveCreature) and layout.at(a.target) == HexContent() and a.origin not in alone[:others]
    )
    kept = [item for item in data["layout"]["hexes"] if tuple(item["hex"]) not in alone[:others]]
    data["layout"]["hexes"] = [*kept, {"hex": list(move.target), "serpents": others}]
    table.session = begin(Journal(":memory:"), decode_position(data), Dealer(3))
    table.follower = Follower(table.session)
    table.see(table.layout)
    after = apply(table.session.position, move).position.layout()
    shown = Layout({**after.hexes, move.target: HexContent(serpents=others)}, after.safe)
    state = table.see(shown, 5)
    if others == 1:
        assert isinstance(state, Contradiction)
        return
    assert isinstance(state, Question)
    assert [candidate.actions for candidate in state.candidates] == [(move,)]
    table.follower.answer((move,))
    assert table.session.record[-1].action == move
    assert isinstance(table.see(shown, 5), Settled), "what people have said is not complained about"


def test_a_creature_that_has_come_to_two_places_is_asked_about() -> None:
    """One of the two is not there, or should not be; no rule is broken that anybody could name."""
    table = Table(3)
    table.play_until("creature")
    bare = (a for a in table.session.legal() if isinstance(a, MoveCreature) and not table.layout.hexes.get(a.target))
    one, other = itertools.islice(bare, 2)
    assert one.origin == other.origin
    table.see(table.layout)
    after = apply(table.session.position, one).position.layout()
    twice = Layout({**after.hexes, other.target: after.at(one.target)}, after.safe)
    state = table.see(twice, 5)
    assert isinstance(state, Question)
    assert {candidate.actions for candidate in state.candidates} == {(one,), (other,)}
    table.follower.answer((one,))
    state = table.see(twice, 5)
    assert isinstance(state, Contradiction)
    assert state.hexes == (other.target,)


@pytest.mark.parametrize("over", ["hand", "moving"])
def test_what_people_read_can_be_answered_while_a_hand_comes(table: Table, over: str) -> None:
    """The question was on the screen when they reached for it; what the table showed before the hand is what counts."""
    move = move_on_land(table)
    assert move.target.hex is not None
    seen = [table.camera.look(carried(table.layout, move), hidden={move.target.hex: "glare"}) for _ in range(5)]
    for picture in seen:
        state = table.follower.see(picture)
    assert isinstance(state, Question)
    hand: dict[Hex, HiddenBy] = {BOARD.hexes[0]: "hand"}
    layout = carried(table.layout, move)
    coming = table.camera.look(layout, hidden=hand) if over == "hand" else table.camera.look(layout, moving=True)
    assert isinstance(table.follower.see(coming), Waiting)
    table.follower.answer((move,))
    assert table.session.record[-1].action == move
    assert table.session.record[-1].source == "answer"
    count = len(table.session.record)
    table.follower.answer((move,))
    assert len(table.session.record) == count, "once"


def test_what_people_read_can_be_dismissed_while_a_hand_comes(table: Table) -> None:
    stray = next(h for h in BOARD.hexes if h not in table.layout.hexes)
    strange = Layout({**table.layout.hexes, stray: HexContent(explorers={"blue": 1})}, table.layout.safe)
    assert isinstance(table.see(strange, 5), Contradiction)
    table.follower.see(table.camera.look(strange, hidden={BOARD.hexes[0]: "hand"}))
    table.follower.dismiss()
    assert isinstance(table.see(strange, 5), Settled)


def test_what_has_gone_away_by_itself_can_no_longer_be_dismissed(table: Table) -> None:
    stray = next(h for h in BOARD.hexes if h not in table.layout.hexes)
    strange = Layout({**table.layout.hexes, stray: HexContent(explorers={"blue": 1})}, table.layout.safe)
    assert isinstance(table.see(strange, 5), Contradiction)
    table.see(table.layout, 5)
    table.follower.dismiss()
    assert isinstance(table.see(strange, 5), Contradiction)


@pytest.mark.parametrize("count", [1, 2])
def test_a_piece_or_two_too_many_do_not_stop_the_game_from_being_followed(table: Table, count: int) -> None:
    strays = [h for h in BOARD.hexes if h not in table.layout.hexes][: 6 * count : 6]
    strange = {stray: HexContent(explorers={"blue": 1}) for stray in strays}
    move = move_on_land(table)
    moved = carried(table.layout, move)
    state = table.see(Layout({**moved.hexes, **strange}, moved.safe), pictures=5)
    assert table.session.record[-1].action == move
    assert isinstance(state, Contradiction)
    assert (set(state.hexes), state.rule) == (set(strays), None)
    assert isinstance(table.see(moved), Settled)


def test_a_piece_of_another_colour_where_somebody_has_left_does_not_stop_the_game(table: Table) -> None:
    """The move is taken over, the stray piece complained of; but a piece that stands there as before has not moved."""
    move = move_on_land(table)
    moved = carried(table.layout, move)
    other = next(c for c in COLOURS if c != move.colour and c not in table.layout.at(move.origin.hex).explorers)
    left = moved.at(move.origin.hex)
    strange = msgspec.structs.replace(left, explorers={**left.explorers, other: 1})
    state = table.see(Layout({**moved.hexes, move.origin.hex: strange}, moved.safe), pictures=5)
    assert table.session.record[-1].action == move
    assert isinstance(state, Contradiction)
    assert state.hexes == (move.origin.hex,)


def test_a_table_that_is_read_badly_is_asked_about(table: Table) -> None:
    """With many hexes known to be misread nothing is taken over unasked."""
    bare = [h for h in BOARD.hexes if h not in table.layout.hexes][:21:3]
    phantoms = {h: HexContent(sharks=1) for h in bare}
    table.see(Layout({**table.layout.hexes, **phantoms}, table.layout.safe), pictures=5)
    table.follower.dismiss()
    move, before = move_on_land(table), len(table.session.record)
    moved = carried(table.layout, move)
    state = table.see(Layout({**moved.hexes, **phantoms}, moved.safe), pictures=5)
    assert len(table.session.record) == before
    assert isinstance(state, Question)
    table.follower.answer((move,))
    assert table.session.record[-1].action == move


@pytest.mark.parametrize("sureness", [0.98, 0.5])
def test_who_comes_to_where_it_is_known_to_be_misread_is_asked_about_unless_it_is_clear(
    table: Table, sureness: float
) -> None:
    move, before = move_on_land(table), len(table.session.record)
    target = move.target.hex
    assert target is not None
    phantom = msgspec.structs.replace(table.layout.at(target), explorers={"green": 3})
    table.see(Layout({**table.layout.hexes, target: phantom}, table.layout.safe), pictures=5)
    table.follower.dismiss()
    seen = table.camera.look(carried(table.layout, move))
    odd = msgspec.structs.replace(phantom, explorers={"green": 2})
    for _ in range(5):
        hexes = [
            msgspec.structs.replace(
                e, hypotheses=(HexHypothesis(e.hypotheses[0].content, sureness), HexHypothesis(odd, 0.99 - sureness))
            )
            if e.hex == target
            else e
            for e in seen.hexes
        ]
        state = table.follower.see(msgspec.structs.replace(seen, hexes=tuple(hexes)))
    assert isinstance(state, Settled if sureness > 0.9 else Question)
    assert (len(table.session.record) > before) == (sureness > 0.9)


def test_tiles_misread_give_no_reason_for_a_walk_that_nobody_has_seen(table: Table) -> None:
    """An explorer hidden in a shadow might have gone over a tile read as another and back: no question, no move."""
    spots = table.layout.hexes
    walker, tile = next(
        (h, there)
        for h, content in spots.items()
        if content.tile and content.explorers
        for there in BOARD.neighbours[h]
        if there in spots and spots[there].tile and not spots[there].explorers
    )
    terrain = next(t for t in TERRAINS if t != spots[tile].tile)
    shown = Layout({**spots, tile: msgspec.structs.replace(spots[tile], tile=terrain)}, table.layout.safe)
    before = len(table.session.record)
    for _ in range(5):
        state = table.follower.see(table.camera.look(shown, hidden={walker: "shadow"}, sure=spots))
    assert isinstance(state, Settled)
    assert len(table.session.record) == before


@pytest.mark.parametrize("probability", [0.99, 0.9])
def test_whether_somebody_has_boarded_is_asked_unless_it_is_clear(probability: float) -> None:
    table = Table(4)
    table.play_until("move")
    while not (boarding := [a for a in table.session.legal() if isinstance(a, MoveExplorer) and is_boarding(a)]):
        table.play_until("sink")
        table.play_until("move")
    move = boarding[0]
    after = apply(table.session.position, move).position.layout()
    before = len(table.session.record)
    for _ in range(5):
        seen = table.camera.look(after, sure=BOARD.hexes)
        there = next(e for e in seen.hexes if e.hex == move.target.hex)
        doubtful = HexHypothesis(there.hypotheses[0].content, probability)
        hexes = tuple(e if e is not there else msgspec.structs.replace(e, hypotheses=(doubtful,)) for e in seen.hexes)
        state = table.follower.see(msgspec.structs.replace(seen, hexes=hexes))
    assert (len(table.session.record) > before) == (probability > 0.95)
    assert isinstance(state, Question) == (probability < 0.95)


def test_what_looked_like_that_while_all_was_well_holds_up_nothing(table: Table) -> None:
    """Seen less and less clearly, but never otherwise: the game goes on beside it. What is clear then is news."""
    h, content = next((h, c) for h, c in table.layout.hexes.items() if c.tile and not c.explorers)
    phantom = msgspec.structs.replace(content, explorers={"red": 1})

    def shown(layout: Layout, right: float) -> Observation:
        seen = table.camera.look(layout, sure=BOARD.hexes)
        ranked = tuple(sorted((HexHypothesis(content, right), HexHypothesis(phantom, 0.97 - right)), key=probability))
        hexes = tuple(e if e.hex != h else msgspec.structs.replace(e, hypotheses=ranked) for e in seen.hexes)
        return msgspec.structs.replace(seen, hexes=hexes)

    for _ in range(3):
        assert not isinstance(table.follower.see(shown(table.layout, right=0.2)), Contradiction)
    for _ in range(6):
        state = table.follower.see(shown(table.layout, right=0.09))
    assert isinstance(state, Settled)
    moves = (a for a in table.session.legal() if isinstance(a, MoveExplorer) and a.target.on == "tile")
    move = next(a for a in moves if h not in (a.origin.hex, a.target.hex))
    moved = carried(table.layout, move)
    for _ in range(3):
        state = table.follower.see(shown(moved, right=0.09))
    assert table.session.record[-1].action == move
    assert isinstance(state, Settled)
    for _ in range(6):
        state = table.follower.see(shown(moved, right=0.001))
    assert isinstance(state, Contradiction)
    assert state.hexes == (h,)


def probability(hypothesis: HexHypothesis) -> float:
    """To sort the most probable first."""
    return -hypothesis.probability


def test_who_may_be_in_a_hand_is_not_lost_because_somebody_plays_on() -> None:
    """An explorer beside a creature is lifted; a boat is moved meanwhile; the explorer is put back."""
    table = Table(2)
    while True:
        table.play_until("move")
        legal = [a for a in table.session.legal() if isinstance(a, MoveExplorer | MoveBoat)]
        spots = tallies(table.layout)
        deadly = [a for a in legal if isinstance(a, MoveExplorer) and is_deadly(spots, a)]
        others = [a for a in legal if isinstance(a, MoveBoat) and table.layout.at(a.origin).boat == {}]
        others = [a for a in others if not is_deadly(spots, a)]
        if deadly and others and table.session.position.moves_left > 1:
            break
        table.session.do(EndPhase())
        table.play_until("sink")
    table.see(table.layout)
    before, origin = len(table.session.record), deadly[0].origin
    lifted = dict(tallies(table.layout))
    sort = Sort("explorer", deadly[0].colour, aboard=origin.on == "boat")
    lifted[origin.hex] = changed(lifted[origin.hex], sort, -1)
    table.see(layout_of(lifted), pictures=6)
    lifted.update(gesture(lifted, others[0]))
    table.see(layout_of(lifted), pictures=6)
    assert len(table.session.record) == before
    back = {**tallies(table.layout), **gesture(tallies(table.layout), others[0])}
    assert isinstance(table.see(layout_of(back), pictures=6), Settled)
    assert [entry.action for entry in table.session.record[before:]] == [others[0]]


def is_deadly(spots: Mapping[Spot, Tally], action: Action) -> bool:
    """True if somebody would meet a creature where he goes."""
    return any(may_strike(tally) for tally in gesture(spots, action).values())


def is_boarding(move: MoveExplorer) -> bool:
    """From the water into the boat beside, on one hex."""
    return move.origin.hex == move.target.hex and move.target.on == "boat"


def test_a_tile_taken_off_is_dealt_at_once_and_its_effect_followed() -> None:
    table = Table(5)
    table.play_until("sink")
    sink = table.one(SinkTile)
    assert isinstance(sink, SinkTile)
    before = table.layout
    table.see(before)
    gone = Layout({**before.hexes, sink.hex: msgspec.structs.replace(before.at(sink.hex), tile=None)}, before.safe)
    state = table.see(gone)
    assert table.session.record[-1].phase == "sink"
    assert isinstance(state, Settled) or (isinstance(state, Waiting) and state.why == "chores")
    assert isinstance(table.see(table.layout), Settled)


def test_who_boards_is_seen_when_four_swim_where_a_boat_comes_up() -> None:
    """6.4 `boat` with more than three swimmers: people put in whom they like, and that is the choice."""
    table = Table(2)
    table.play_until("sink")
    data = encode_position(table.session.position)
    beach = table.one(SinkTile)
    assert isinstance(beach, SinkTile)
    crowd = next(item for item in data["layout"]["hexes"] if item["hex"] == list(beach.hex))
    for item in data["layout"]["hexes"]:  # four of the people from elsewhere on the island stand on the beach
        if "tile" in item and item is not crowd and sum(crowd.setdefault("explorers", {}).values()) < 4:
            for colour, n in item.pop("explorers", {}).items():
                crowd["explorers"][colour] = crowd["explorers"].get(colour, 0) + n
    table.session = begin(Journal(":memory:"), decode_position(data), Dealer(2))
    table.follower = Follower(table.session)
    table.see(table.layout)
    table.session.do(SinkTile(hex=beach.hex, back="boat"))
    load = table.session.legal()[-1]
    assert isinstance(load, LoadBoat)
    state = table.see(table.layout)
    assert isinstance(state, Settled)
    table.see(apply(table.session.position, load).position.layout())
    assert table.session.record[-1].action == load


@pytest.mark.parametrize("early", [True, False], ids=["taken off at once", "taken off later"])
def test_the_eaten_are_taken_off_the_board_when_people_get_round_to_it(early: bool) -> None:
    """A shark comes to swimmers of others, who are asked (9.2); nobody minds when the swimmers are taken off."""
    table = next(t for t in map(shark_attack, range(40)) if t is not None)
    shark = next(a for a in table.session.legal() if is_attack(table, a))
    assert isinstance(shark, MoveCreature)
    before = table.layout
    after = apply(table.session.position, shark).position
    there = after.layout().at(shark.target)
    eaten = Layout({**after.layout().hexes, shark.target: msgspec.structs.replace(there, explorers={})}, before.safe)
    table.see(before)
    table.see(eaten if early else after.layout())
    assert table.session.record[-1].action == shark
    assert table.session.position.phase == "reaction"
    while table.session.position.threat is not None:
        table.session.do(Decline(player=table.session.position.threat.asked[0]))
    if not early:
        state = table.see(after.layout())
        assert isinstance(state, Waiting)
        assert {(c.do, c.piece, c.hex) for c in state.chores} == {("take", "explorer", shark.target)}
    assert isinstance(table.see(eaten), Settled)


def shark_attack(seed: int) -> Table | None:
    """A table at which a shark can be moved on swimmers of others, if this game comes to one."""
    table = Table(seed)
    while table.session.position.phase not in {"scoring", "over"}:
        table.session.do(random_action(table.session.position, table.rng))
        if table.session.position.phase == "creature" and any(is_attack(table, a) for a in table.session.legal()):
            table.follower = Follower(table.session)
            return table
    return None


def is_attack(table: Table, action: Action) -> bool:
    if not isinstance(action, MoveCreature) or action.creature != "shark":
        return False
    there = table.layout.at(action.target)
    own = table.session.position.players[table.session.position.active].colours
    return bool(set(there.explorers) - set(own)) and not (there.boat or there.sharks or there.whales or there.serpents)


def test_an_undo_is_followed_by_carrying_back(table: Table) -> None:
    move = move_on_land(table)
    after = carried(table.layout, move)
    table.see(after)
    table.session.undo()
    state = table.see(after, pictures=8)
    assert isinstance(state, Waiting)
    assert [(c.do, c.hex, c.origin_hex) for c in state.chores] == [("put", move.origin.hex, move.target.hex)]
    assert isinstance(table.see(table.layout), Settled)


def test_what_was_put_right_by_touch_is_not_asked_again_while_the_same_is_to_stand_there(table: Table) -> None:
    wrong = without(table.layout, move_on_land(table))
    assert isinstance(table.see(wrong, pictures=5), Contradiction)
    table.follower.dismiss()
    assert isinstance(table.see(wrong, pictures=9), Settled)
    other = next(a for a in table.session.legal() if isinstance(a, MoveBoat))
    table.session.do(other)
    moved = Layout({**wrong.hexes, other.origin: HexContent(), other.target: table.layout.at(other.target)}, wrong.safe)
    assert isinstance(table.see(moved), Settled)
    assert isinstance(table.see(table.layout, pictures=5), Settled)  # looks right for a while
    assert isinstance(table.see(moved, pictures=9), Settled)
    changed = Layout({**moved.hexes, (0, 0): HexContent()}, moved.safe)
    assert isinstance(table.see(changed, pictures=5), Contradiction)


def test_an_answer_is_done_and_recorded_as_one(table: Table) -> None:
    move = move_on_land(table)
    layout = carried(table.layout, move)
    assert move.target.hex is not None
    for _ in range(5):
        state = table.follower.see(table.camera.look(layout, hidden={move.target.hex: "glare"}))
    assert isinstance(state, Question)
    table.follower.answer((move,))
    assert table.session.record[-1].action == move
    assert table.session.record[-1].source == "answer"
    assert isinstance(table.see(layout), Settled)


def test_a_picture_that_shows_it_badly_does_not_decide_what_was_asked(table: Table) -> None:
    move = move_on_land(table)
    layout = carried(table.layout, move)
    target = move.target.hex
    assert target is not None
    for _ in range(5):
        table.follower.see(table.camera.look(layout, hidden={target: "glare"}))
    assert isinstance(table.follower.state, Question)
    before = table.session.position
    clear = table.camera.look(layout)
    odd = [msgspec.structs.replace(layout.at(target), **{kind: 1}) for kind in ("serpents", "sharks", "whales")]
    guesses = (HexHypothesis(layout.at(target), 0.49), *(HexHypothesis(content, 0.17) for content in odd))
    hexes = tuple(msgspec.structs.replace(e, hypotheses=guesses) if e.hex == target else e for e in clear.hexes)
    for _ in range(6):
        table.follower.see(msgspec.structs.replace(clear, hexes=hexes))
    assert isinstance(table.follower.state, Question)
    assert table.session.position is before
    assert isinstance(table.see(layout, pictures=5), Settled)
    assert table.session.record[-1].action == move


def test_an_answer_to_a_question_that_has_passed_does_nothing(table: Table) -> None:
    move = move_on_land(table)
    assert move.target.hex is not None
    for _ in range(5):
        table.follower.see(table.camera.look(carried(table.layout, move), hidden={move.target.hex: "glare"}))
    table.session.do(EndPhase())
    before = table.session.position
    table.follower.answer((move,))
    assert table.session.position is before


def test_an_answer_to_another_question_than_the_one_that_stands_does_nothing(table: Table) -> None:
    """The next picture was read after people had read the question, and before they answered it."""
    other = move_on_land(table)
    read = next(a for a in table.session.legal() if isinstance(a, MoveExplorer) and a != other)
    assert other.target.hex is not None
    for _ in range(5):
        stands = table.follower.see(table.camera.look(carried(table.layout, other), hidden={other.target.hex: "glare"}))
    assert isinstance(stands, Question)
    before = table.session.position
    table.follower.answer((read,))
    assert table.session.position is before
    assert table.follower.state is stands, "it is asked still"
    table.follower.answer((other,))
    assert table.session.record[-1].action == other


def test_an_answer_that_comes_while_a_picture_has_settled_it_does_nothing(table: Table) -> None:
    """The camera has taken it over, and what else the table shows is being weighed still."""
    move = move_on_land(table)
    layout = carried(table.layout, move)
    assert move.target.hex is not None
    for _ in range(5):
        table.follower.see(table.camera.look(layout, hidden={move.target.hex: "glare"}))
    asked = table.follower.state
    assert isinstance(asked, Question)
    before = table.session.position
    while table.session.position is before:
        thinking = table.follower.seeing(table.camera.look(layout))
        with contextlib.suppress(StopIteration):
            weighing = next(thinking)
            while table.session.position is before:
                weighing = thinking.send(weighing())
    thinking.close()
    record = table.session.record
    assert record[-1].action == move
    for candidate in asked.candidates:
        table.follower.answer(candidate.actions)
    table.follower.dismiss()
    assert table.session.record == record


@pytest.mark.parametrize("stopped", ["full", "dropped"])
def test_what_is_put_back_is_taken_back_by_the_next_picture_if_it_could_not_be_at_once(
    stopped: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, position = just_moved(MoveCreature)
    before = position.layout()
    table.follower.see(table.camera.look(before))
    if stopped == "full":
        with monkeypatch.context() as disk:
            disk.setattr(table.session, "undo", full_disk)
            with pytest.raises(JournalError):
                table.follower.see(table.camera.look(before))
    else:
        thinking = table.follower.seeing(table.camera.look(before))
        thinking.send(next(thinking)())  # it is asked what was done instead
        thinking.close()
    assert isinstance(table.see(before), Settled)
    assert table.session.position == position


def full_disk(**_: object) -> None:
    raise JournalError("The disk is full.", "full")


def just_moved(kind: type[Action]) -> tuple[Table, Position]:
    """A table at which the camera has just seen a move of that kind, and the position before it."""
    table = Table(1)
    table.play_until("creature" if kind is MoveCreature else "move")
    before = table.session.position
    table.see(before.layout())
    spots = tallies(before.layout())
    move = next(a for a in table.session.legal() if isinstance(a, kind) and not is_deadly(spots, a))
    table.see(layout_of({**spots, **gesture(spots, move)}))
    assert table.session.record[-1].action == move
    return table, before


@pytest.mark.parametrize("kind", [MoveExplorer, MoveBoat, MoveCreature])
def test_what_is_put_back_where_it_was_is_taken_back(kind: type[Action]) -> None:
    """It costs no moves, and a swimmer that goes back has not swum twice."""
    table, position = just_moved(kind)
    assert isinstance(table.see(position.layout()), Settled)
    assert table.session.position == position


def test_a_hand_that_rests_on_the_way_has_gone_on() -> None:
    """A shark is walked hex by hex: what it has come to in the end is its move, as long as that is legal."""
    table = Table(3)
    table.play_until("creature")
    start = table.layout
    legal = [a for a in table.session.legal() if isinstance(a, MoveCreature) and not start.hexes.get(a.target)]
    near = next(a for a in legal if a.target in BOARD.neighbours[a.origin])
    far = next(
        a
        for a in legal
        if (a.creature, a.origin) == (near.creature, near.origin)
        and a.target in set(BOARD.neighbours[near.target]) - set(BOARD.neighbours[near.origin]) - {near.origin}
    )
    table.see(start)
    for step in (near, far):
        state = table.see(layout_of({**tallies(start), **gesture(tallies(start), step)}), 3)
        assert isinstance(state, Settled)
    assert table.session.record[-1].action == far
    assert near not in [entry.action for entry in table.session.record]


def test_where_a_creature_has_gone_is_not_settled_by_playing_on_while_it_is_not_to_be_seen_there() -> None:
    """Its hex is bare, and one other might show it, but looks bare: it may as well stand where nobody sees it."""
    table = Table(3)
    table.play_until("creature")
    start, before = table.layout, len(table.session.record)
    table.see(start)
    legal = [a for a in table.session.legal() if isinstance(a, MoveCreature) and not start.hexes.get(a.target)]
    move = legal[0]
    gone = layout_of({**tallies(start), **gesture(tallies(start), move), move.target: NOTHING})
    faint = HexHypothesis(HexContent(**{f"{move.creature}s": 1}), 0.14)

    def see(layout: Layout) -> None:
        seen = table.camera.look(layout, sure=BOARD.hexes)
        looks_bare = (HexHypothesis(HexContent(), 0.85), faint)
        hexes = (msgspec.structs.replace(e, hypotheses=looks_bare) if e.hex == move.target else e for e in seen.hexes)
        table.follower.see(msgspec.structs.replace(seen, hexes=tuple(hexes)))

    for _ in range(6):
        see(gone)
    assert isinstance(table.follower.state, Question)
    after = apply(table.session.position, move).position
    on = next(a for a in legal_actions(apply(after, EndPhase()).position) if isinstance(a, MoveBoat))
    for _ in range(6):
        see(layout_of({**tallies(gone), **gesture(tallies(gone), on)}))
    assert len(table.session.record) == before


def test_a_stray_piece_is_no_reason_to_take_a_step_back_and_do_it_again() -> None:
    table = Table(3)
    table.play_until("creature")
    start = table.layout
    table.see(start)
    move = next(a for a in table.session.legal() if isinstance(a, MoveCreature) and not start.hexes.get(a.target))
    table.see(layout_of({**tallies(start), **gesture(tallies(start), move)}))
    record = table.session.record
    assert record[-1].action == move
    bare = next(h for h in BOARD.hexes if h not in table.layout.hexes)
    stray = Layout({**table.layout.hexes, bare: HexContent(explorers={"red": 1})}, table.layout.safe)
    assert isinstance(table.see(stray, 6), Contradiction)
    assert [entry.serial for entry in table.session.record] == [entry.serial for entry in record]


def test_a_step_on_the_screen_is_not_taken_back_by_hands(table: Table) -> None:
    move, before = move_on_land(table), table.layout
    table.see(before)
    table.session.do(move)
    table.see(table.layout)
    table.see(before)
    assert table.session.record[-1].action != move, "carried back it is another move"
    assert table.session.record[-2].action == move


@pytest.mark.parametrize("undone", [False, True], ids=["entered by touch", "undone on the screen"])
def test_who_comes_back_to_a_table_that_has_not_followed_yet_is_asked(table: Table, undone: bool) -> None:
    """A restart between what the screen was told and what hands were to do: nobody moved anything back, or again."""
    move, before = move_on_land(table), table.layout
    table.session.do(move)
    shown = table.layout if undone else before
    if undone:
        table.session.undo()
    table.follower = Follower(table.session, known=False)
    count = len(table.session.record)
    assert isinstance(table.see(shown, 5), Question)
    assert len(table.session.record) == count
    table.follower.dismiss()
    assert isinstance(table.see(shown, 2), Settled)
    assert isinstance(table.see(table.layout, 2), Settled)
    boat = table.one(MoveBoat)
    table.see(layout_of({**tallies(table.layout), **gesture(tallies(table.layout), boat)}))
    assert table.session.record[-1].action == boat, "once the table has shown the position it is followed"


def test_when_the_game_is_over_the_table_may_be_cleared() -> None:
    table = Table(3)
    while table.session.position.phase not in {"scoring", "over"}:
        table.session.do(random_action(table.session.position, table.rng))
    assert isinstance(table.see(Layout(), pictures=9), Settled)


@pytest.mark.parametrize("seed", range(2))
def test_a_whole_game_is_followed_with_the_screen_used_for_rolls_and_secrets_only(seed: int) -> None:
    """People do everything with their hands that hands can do, then tidy the table up as it should be."""
    table = Table(seed, doubt=0.1)
    by_camera = asked = by_touch = 0
    for _ in range(400):
        if table.session.position.phase in {"scoring", "over"}:
            break
        action = random_action(table.session.position, table.rng)
        if isinstance(action, Roll | PlayTile | Decline | Defend | EndPhase):
            table.session.do(action)
            table.see(table.layout)
            continue
        before = len(table.session.record)
        layout = table.layout
        if isinstance(action, SinkTile):
            sunk = msgspec.structs.replace(layout.at(action.hex), tile=None)
            layout = Layout({**layout.hexes, action.hex: sunk}, layout.safe)
        else:
            layout = apply(table.session.position, action).position.layout()
        state = table.see(layout, pictures=5)
        if isinstance(state, Question):
            asked += 1
            truth = [candidate.actions for candidate in state.candidates if action in candidate.actions]
            if truth:
                table.follower.answer(truth[0])
            else:
                table.follower.dismiss()
        by_camera += len(table.session.record) > before
        if len(table.session.record) == before:
            by_touch += 1
            table.session.do(action)
        done = table.session.record[-1].action
        assert isinstance(done, SinkTile) or table.session.position.layout() == layout, (seed, action, done)
        table.see(table.layout)
    assert by_camera > 20 * by_touch, (by_camera, by_touch, asked)
    assert by_camera > 10 * asked, (by_camera, by_touch, asked)


def being_asked(position: Position) -> bool:
    """Whether people are asked who is defended or protected."""
    return position.phase in {"reaction", "protect"}


def outcomes(position: Position) -> Iterator[Position]:
    """How it may go on as people answer a threat."""
    if not being_asked(position):
        yield position
        return
    for action in legal_actions(position):
        yield from outcomes(apply(position, action).position)


def threats(phase: str, options: Options) -> Iterator[tuple[Position, MoveCreature]]:
    """Moves of the rolled creature after which somebody is asked, one a game."""
    for seed in range(30):
        moves = (
            (position, action)
            for position, _ in random_game(seed, options=options)
            if position.phase == "creature"
            for action in legal_actions(position)
            if isinstance(action, MoveCreature) and apply(position, action).position.phase == phase
        )
        yield from itertools.islice(moves, 1)


@pytest.mark.parametrize(
    ("phase", "options"), [("reaction", Options()), ("protect", Options(dive_dice=True))], ids=["9.2", "13.4"]
)
def test_while_people_are_asked_the_table_may_be_tidied_already(phase: str, options: Options) -> None:
    """Before the last one has answered who would be lost may be off the board, or the creature: nothing is wrong."""
    count = 0
    for position, move in itertools.islice(threats(phase, options), 12):
        session, camera = begin(Journal(":memory:"), position, Dealer(1)), Camera(1, doubt=0.0)
        follower = Follower(session)
        threatened = apply(position, move).position
        layout = threatened.layout()
        for shown in (position.layout(), layout):
            for _ in range(4):
                follower.see(camera.look(shown))
        assert session.position == threatened
        for end in outcomes(threatened):
            tidied = Layout({**layout.hexes, move.target: end.layout().at(move.target)}, layout.safe)
            for _ in range(8):
                state = follower.see(camera.look(tidied))
            assert not isinstance(state, Contradiction | Question)
            assert session.position == threatened
            count += 1
        while being_asked(session.position):
            session.do(session.legal()[0])
            state = follower.see(camera.look(layout))
            assert not isinstance(state, Contradiction | Question)
        for _ in range(8):
            state = follower.see(camera.look(session.position.layout()))
        assert isinstance(state, Settled)
    assert count > 12
