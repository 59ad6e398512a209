"""The tracker names illegal acts that go on standing, are carried out to the end, or are seen badly at first."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

import msgspec
import pytest

from companion.rules import Options, Position, apply, legal_actions
from companion.rules.actions import Action, EndPhase, MoveBoat, MoveExplorer, Place, PlayTile, Roll, SinkTile
from companion.rules.geometry import Hex
from companion.rules.layout import EMPTY, LANDS, HexContent, Land, Layout
from companion.table.facts import Fact
from companion.table.gestures import gesture, touched
from companion.table.tally import NOTHING, Sort, changed, tallies
from companion.table.track import Tracker
from companion.vision.observation import Blurred, HexHypothesis, LandEvidence, LandHypothesis, Observation
from tests.table.helpers import BOARD, Camera, random_game
from tests.table.planted import ACTS, FOR_PICTURES, Planted, layout_of, plant, planted
from tests.table.test_facts import facts_of
from tests.table.tracked import said

PICTURE = "p.jpg"
replace = msgspec.structs.replace


class Watched:
    """A tracker that is given facts, and the camera before which it sits."""

    def __init__(self, position: Position, seed: int = 1) -> None:
        self.tracker, self.camera = Tracker(position, {}), Camera(seed, doubt=0.0)
        self.shows(position.layout())

    def shows(self, layout: Layout, **how) -> tuple[str, str | None]:
        """The status, and the rule, if any, that is told of the next picture."""
        return self.is_told(self.camera.look(layout, **how))

    def is_told(self, observation: Observation) -> tuple[str, str | None]:
        return said(self.tracker.see(PICTURE, observation))


def acts(seed: int, each: int) -> Iterator[Planted]:
    """Acts of which a rule speaks, each by itself in its position."""
    return (act for act in planted(seed, each, but=FOR_PICTURES) if act.rule is not None and act.given is None)


def with_hex(layout: Layout, h: Hex, content: HexContent) -> Layout:
    return Layout({**layout.hexes, h: content}, layout.safe)


@pytest.mark.parametrize("by", ["glare", "shadow"])
def test_what_lay_in_a_glare_does_not_hide_an_act_in_the_next_picture(by) -> None:
    """The hexes as they were, hidden, as they are: the last picture alone tells how they are."""
    seen = []
    for act in acts(11, 2):
        watched = Watched(act.position)
        hexes = [spot for spot in act.spots if not isinstance(spot, str)]
        watched.shows(act.position.layout(), hidden=dict.fromkeys(hexes, by))
        seen.append(watched.shows(act.layout) == ("contradiction", act.rule))
    assert len(seen) > 15
    assert all(seen)


@pytest.mark.parametrize("piece", ["sharks", "whales", "boat"])
def test_a_wrong_tile_is_named_though_what_it_brought_lies_there(piece) -> None:
    """People take it, and do what its back says: the rule is broken all the same (6.1, 6.2)."""
    count = 0
    for act in acts(12, 12):
        (spot, *others) = act.spots
        if act.rule not in {"6.1", "6.2"} or others or isinstance(spot, str):
            continue
        there = act.layout.at(spot)
        brought = replace(there, explorers={}, **{piece: dict(there.explorers) if piece == "boat" else 1})
        if sum(there.explorers.values()) < 4:
            assert Watched(act.position).shows(with_hex(act.layout, spot, brought)) == ("contradiction", act.rule)
            count += 1
    assert count > 5


def sinkings() -> Iterator[tuple[Position, SinkTile]]:
    """Tiles with nobody on them under which a shark is."""
    for seed in range(3, 20):
        for position, action in random_game(seed, options=Options(backs="dealt")):
            if (
                isinstance(action, SinkTile)
                and action.back == "shark"
                and not position.layout().at(action.hex).explorers
            ):
                yield position, action
                break


def test_the_wrong_piece_under_a_tile_is_named_once_it_is_clear() -> None:
    """Unclear in the picture in which the tile has gone, a whale ever after, and a shark was under it: 6.4."""
    positions = list(sinkings())
    assert len(positions) > 3
    for position, sinking in positions:
        layout, h = position.layout(), sinking.hex
        bare = replace(layout.at(h), tile=None)
        whale, shark = replace(bare, whales=1), replace(bare, sharks=1)
        watched = Watched(position)
        watched.tracker._given = {PICTURE: (Fact("sink_tile", back="shark"),)}
        seen = watched.camera.look(with_hex(layout, h, whale))
        readings = (HexHypothesis(whale, 0.55), HexHypothesis(shark, 0.4))
        unclear = tuple(replace(e, hypotheses=readings) if e.hex == h else e for e in seen.hexes)
        watched.is_told(replace(seen, hexes=unclear))
        told = [watched.shows(with_hex(layout, h, whale)) for _ in range(4)]
        assert told[-1] == ("contradiction", "6.4"), told
        assert watched.shows(with_hex(layout, h, shark))[0] == "explained"


def played_beside(act: Planted, rng: random.Random) -> Iterator[Position]:
    """Positions as people play on beside an act, of which none touches it or what lies next to it."""
    away = {*act.spots, *(n for spot in act.spots if not isinstance(spot, str) for n in BOARD.neighbours[spot])}
    position = act.position
    for _ in range(12):
        legal = [
            action
            for action in legal_actions(position)
            if isinstance(action, EndPhase | MoveExplorer) and away.isdisjoint(touched(action))
        ]
        if not legal:
            return
        action = rng.choice(legal)
        after = apply(position, action).position
        shown = tallies(after.layout())
        carried = gesture(tallies(position.layout()), action)
        if after.active != act.position.active or any(shown.get(s, NOTHING) != t for s, t in carried.items()):
            return
        position = after
        if isinstance(action, MoveExplorer):
            yield position


def test_an_act_that_stands_keeps_its_rule_while_people_play_on_beside_it() -> None:
    """What they do is followed, the act is never taken over, and once it is put right all is well."""
    rng, followed = random.Random(1), 0
    for act in acts(13, 3):
        watched, before = Watched(act.position), tallies(act.position.layout())
        if watched.shows(act.layout) != ("contradiction", act.rule):
            continue
        touched_by_it = {spot: tallies(act.layout).get(spot, NOTHING) for spot in act.spots}
        position = act.position
        for position in played_beside(act, rng):
            told = watched.shows(layout_of({**tallies(position.layout()), **touched_by_it}))
            assert told == ("contradiction", act.rule), act.kind
            followed += 1
        taken = tallies(watched.tracker.position.layout())
        assert all(taken.get(spot, NOTHING) == before.get(spot, NOTHING) for spot in act.spots), act.kind
        assert watched.shows(position.layout())[0] == "explained", act.kind
        assert watched.tracker.position.layout() == position.layout(), act.kind
    assert followed > 15


def test_of_two_acts_against_different_rules_one_is_named() -> None:
    pairs, named = 0, 0
    found = list(acts(14, 6))
    for one in found:
        for other in acts_beside(one):
            both = {spot: tallies(act.layout).get(spot, NOTHING) for act in (one, other) for spot in act.spots}
            layout = layout_of({**tallies(one.position.layout()), **both})
            status, rule = Watched(one.position).shows(layout)
            assert status == "contradiction"
            pairs += 1
            named += rule in {one.rule, other.rule}
    assert pairs > 8
    assert named >= 0.9 * pairs


def acts_beside(one: Planted) -> Iterator[Planted]:
    """Another act in the same position, elsewhere, against another rule."""
    rng = random.Random(len(one.spots))
    near = {*one.spots, *(n for spot in one.spots if not isinstance(spot, str) for n in BOARD.neighbours[spot])}
    for kind in sorted(ACTS):
        act = plant(kind, one.position, rng)
        if act is not None and act.rule not in {one.rule, None} and near.isdisjoint(act.spots):
            yield act
            return


def carried_and_swum() -> Iterator[tuple[Position, Position, tuple[MoveExplorer, ...]]]:
    """Before and after a dolphin has carried one swimmer and another has swum; then what the carried one may do."""
    for seed in range(100, 140):
        for position, _ in random_game(seed, options=Options(backs="dealt")):
            if position.phase != "play_tile" or "dolphin" not in position.hands[position.active]:
                continue
            (colour, *_), layout = position.players[position.active].colours, position.layout()
            alone = [h for h, c in layout.hexes.items() if c == HexContent(explorers={colour: 1})]
            free = {h: [n for n in BOARD.neighbours[h] if layout.at(n) == EMPTY] for h in alone}
            pairs = ((x, y) for x in alone for y in alone if x != y and x not in free[y])
            x, y = next(((x, y) for x, y in pairs if free[x] and set(free[y]) - set(free[x])), (None, None))
            if x is None or y is None:
                continue
            to, beside = free[x][0], next(n for n in free[y] if n not in free[x])
            dolphin = PlayTile(tile="dolphin", colour=colour, origin=x, target=to)
            after = apply(apply(position, dolphin).position, swim(colour, y, beside)).position
            ways = [swim(colour, to, n) for n in BOARD.neighbours[to] if after.layout().at(n) == EMPTY and n != x]
            if ways:
                yield position, after, tuple(ways)
                break


def test_who_has_been_carried_alone_is_not_asked_whether_he_swam_the_last_hex_himself() -> None:
    """A dolphin carries up to three hexes (10.1); nobody uses up a move, and his swim, for what it does."""
    found = 0
    for position, _, _ in carried_and_swum():
        tile = [a for a in legal_actions(position) if isinstance(a, PlayTile) and a.tile == "dolphin"]
        layout = position.layout()
        far = [a for a in tile if layout.at(a.target) == EMPTY and a.target not in BOARD.neighbours[a.origin]]
        for action in far[:3]:
            watched = Watched(position)
            watched.tracker._given = {PICTURE: (Fact("play_tile", tile="dolphin"),)}
            after = apply(position, action).position.layout()
            assert watched.shows(after) == ("explained", None)
            assert watched.tracker.position.layout() == after
            found += 1
    assert found > 3


@pytest.mark.parametrize(("sure", "status"), [(0.999, "contradiction"), (0.95, "explained")])
def test_who_has_surely_vanished_is_told_of_though_others_have_moved(sure: float, status: str) -> None:
    """What is a little unsure may be misread, as long as nobody seems to have touched it."""
    told = set()
    for seed in range(20, 30):
        position = next(p for p, _ in random_game(seed, options=Options(backs="dealt")) if p.phase == "move")
        layout = position.layout()
        move = next(a for a in legal_actions(position) if isinstance(a, MoveExplorer) and a.target.on == "tile")
        near = {h for at in (move.origin.hex, move.target.hex) for h in (at, *BOARD.neighbours[at])}
        others = ((h, c) for h, c in layout.hexes.items() if move.colour not in c.explorers)
        h = next(
            h
            for h, content in others
            if sum(content.explorers.values()) == 1
            and h not in near
            and all(layout.at(n).tile for n in BOARD.neighbours[h])
        )
        nobody = replace(layout.at(h), explorers={})
        watched = Watched(position)
        seen = watched.camera.look(apply(position, move).position.layout())
        readings = (HexHypothesis(nobody, sure), HexHypothesis(layout.at(h), 1 - sure))
        hexes = tuple(replace(e, hypotheses=readings) if e.hex == h else e for e in seen.hexes)
        told.add(watched.is_told(replace(seen, hexes=hexes))[0])
    assert told == {status}


def stepped_from_either() -> Iterator[tuple[list[Position], list[Action], tuple[Hex, Hex]]]:
    """Who has stepped on a hex may have come from two others; and what is done in the next turns, which leaves them."""
    for seed in range(60):
        game = random_game(seed, options=Options(backs="dealt"))
        for i, (position, action) in enumerate(game[:-10]):
            if not isinstance(action, MoveExplorer) or action.origin.on != "tile" or action.target.on != "tile":
                continue
            here = action.origin.hex
            others = [
                a.origin.hex
                for a in legal_actions(position)
                if isinstance(a, MoveExplorer) and (a.colour, a.target) == (action.colour, action.target)
            ]
            alone = {h for h in others if position.layout().at(h).explorers == {action.colour: 1}}
            after = [p for p, _ in game[i + 1 : i + 10]]
            left = all(p.layout().at(h) == after[0].layout().at(h) for h in alone for p in after)
            if len(alone) == 2 and here in alone and left and {"roll", "sink"} <= {p.phase for p in after}:
                yield [position, *after], [a for _, a in game[i : i + 9]], (here, *(alone - {here}))
                break


def test_what_nobody_can_tell_stays_asked_about_through_the_turns_after_it() -> None:
    """All that is done goes on to be followed, and is taken over when it is clear who has gone."""
    found = list(itertools.islice(stepped_from_either(), 4))
    assert len(found) == 4
    for positions, actions, (here, other) in found:
        watched = Watched(positions[0])
        before = positions[0].layout()
        for first, last in ((0, 1), (1, 5), (5, 9)):
            layout = positions[last].layout()
            gone = {h: replace(before.at(h), explorers={}) for h in (here, other)}
            watched.tracker._given = {PICTURE: facts_of(actions[first:last])}
            seen = watched.camera.look(layout)
            either = {h: (HexHypothesis(gone[h], 0.49), HexHypothesis(before.at(h), 0.48)) for h in (here, other)}
            hexes = tuple(replace(e, hypotheses=either.get(e.hex, e.hypotheses)) for e in seen.hexes)
            assert watched.is_told(replace(seen, hexes=hexes))[0] == "question"
        assert watched.shows(positions[9].layout())[0] == "explained"
        assert watched.tracker.position.layout() == positions[9].layout()


@pytest.mark.parametrize(("share", "status"), [(0.6, "explained"), (0.5, "question")])
def test_who_is_read_as_doubtfully_as_before_has_not_gone(share: float, status: str) -> None:
    """Of two who may have gone to the same hex one is rather gone; the other's doubt is the same, or another one."""
    for positions, _, (here, other) in itertools.islice(stepped_from_either(), 4):
        watched, before = Watched(positions[0]), positions[0].layout()

        def look(layout: Layout, *there: float, camera=watched.camera, before=before, at=(here, other)) -> Observation:
            readings = {
                h: (HexHypothesis(before.at(h), p), HexHypothesis(replace(before.at(h), explorers={}), 0.99 - p))
                for h, p in zip(at, there, strict=True)
            }
            ranked = {h: tuple(sorted(r, key=lambda h: -h.probability)) for h, r in readings.items()}
            seen = camera.look(layout)
            return replace(
                seen, hexes=tuple(replace(e, hypotheses=ranked.get(e.hex, e.hypotheses)) for e in seen.hexes)
            )

        assert watched.is_told(look(before, 0.6, 0.6))[0] == "explained"
        after = positions[1].layout()
        assert watched.is_told(look(after, 0.08, share))[0] == status
        assert watched.tracker.position.layout() == (after if status == "explained" else before)


def swim(colour: str, origin: Hex, target: Hex) -> MoveExplorer:
    return MoveExplorer(colour=colour, origin=Place(hex=origin, on="sea"), target=Place(hex=target, on="sea"))


def test_whom_a_dolphin_has_carried_may_swim_though_no_picture_tells_him_from_the_other() -> None:
    """Two swimmers have moved, one of them by a dolphin (10.1): which, is not to be seen, and 4.5 hangs on it."""
    found = list(carried_and_swum())
    assert len(found) > 2
    for position, after, ways in found:
        watched = Watched(position)
        watched.tracker._given = {PICTURE: (Fact("play_tile", tile="dolphin"),)}
        assert watched.shows(after.layout())[0] in {"explained", "question"}
        then = apply(after, ways[0]).position.layout()
        status, _ = watched.shows(then)
        assert status in {"explained", "question"}
        assert watched.tracker.position.layout() in (then, after.layout(), position.layout())


def surely(layout: Layout, observation: Observation) -> Observation:
    """The same picture, read beyond doubt."""
    hexes = (replace(e, hypotheses=(HexHypothesis(layout.at(e.hex), 0.999),)) for e in observation.hexes)
    safe = (LandEvidence(land, (LandHypothesis(layout.safe.get(land, {}), 0.999),)) for land in LANDS)
    return replace(observation, hexes=tuple(hexes), safe=tuple(safe))


def people_ashore() -> Iterator[tuple[Position, list[Layout], Land, str]]:
    """Positions with somebody on a safe land, what the table shows after each of two moves, his land and colour."""
    for position, tables in before_two_moves():
        for land, people in position.layout().safe.items():
            yield from ((position, tables, land, colour) for colour in people)


def before_two_moves() -> Iterator[tuple[Position, list[Layout]]]:
    """Positions, and what the table shows after each of the next two moves."""
    for seed in range(1, 200):
        for position, _ in random_game(seed, options=Options(backs="dealt")):
            if position.phase == "move" and position.moves_left > 2:
                tables = list(itertools.islice(_stepping(position), 2))
                if len(tables) == 2:
                    yield position, tables


def _stepping(position: Position) -> Iterator[Layout]:
    """What the table shows after each move to where no creature is, while there is another one."""
    while True:
        steps = (a for a in legal_actions(position) if _is_plain(a, position))
        step = next(steps, None)
        if step is None:
            return
        position = apply(position, step).position
        yield position.layout()


def _is_plain(action: Action, position: Position) -> bool:
    if not isinstance(action, MoveExplorer | MoveBoat):
        return False
    target = action.target.hex if isinstance(action, MoveExplorer) else action.target
    there = EMPTY if target is None else position.layout().at(target)
    return target is not None and not (there.serpents or there.sharks or there.whales)


def with_one(layout: Layout, land: Land, colour: str, more: int) -> Layout:
    """With one more, or one fewer, of a colour on a safe land."""
    spots = tallies(layout)
    return layout_of({**spots, land: changed(spots.get(land, NOTHING), Sort("explorer", colour), more)})


def test_who_vanishes_from_a_safe_land_is_told_of_as_long_as_he_is_missing() -> None:
    found = list(itertools.islice(people_ashore(), 4))
    assert len(found) == 4
    for position, tables, land, colour in found:
        watched = Watched(position)
        for table in tables:
            gone = with_one(table, land, colour, -1)
            assert watched.is_told(surely(gone, watched.camera.look(gone))) == ("contradiction", None)


def test_an_act_between_safe_lands_is_over_when_it_is_put_right() -> None:
    """4.7; and the moves after it are followed."""
    seen = 0
    for position, tables, land, colour in people_ashore():
        if colour not in position.players[position.active].colours:
            continue
        other = next(name for name in LANDS if name != land)
        carried = with_one(with_one(position.layout(), land, colour, -1), other, colour, 1)
        watched = Watched(position)
        assert watched.shows(carried) == ("contradiction", "4.7")
        assert watched.shows(position.layout()) == ("explained", None)
        assert [watched.shows(table) for table in tables] == [("explained", None)] * 2
        assert watched.tracker.position.layout() == tables[-1]
        seen += 1
    assert seen > 2


def test_who_vanishes_while_an_act_stands_is_told_of_when_that_is_put_right() -> None:
    """6.1, a mountain gone too early; of two things one is told at a time."""
    seen = 0
    for position, tables in itertools.islice(before_two_moves(), 0, None, 5):
        before = position.layout()
        near = {n for t in tables for h in t.hexes if t.at(h) != before.at(h) for n in (h, *BOARD.neighbours[h])}
        tiles = {h: content for h, content in before.hexes.items() if h not in near and content.tile}
        mountain = next((h for h, c in tiles.items() if c.tile == "mountain" and not c.explorers), None)
        inland = (h for h in tiles if h != mountain and all(before.at(n).tile for n in BOARD.neighbours[h]))
        h = next((h for h in inland if sum(tiles[h].explorers.values()) == 1), None)
        if mountain is None or h is None:
            continue
        watched = Watched(position)
        act = with_hex(before, mountain, replace(before.at(mountain), tile=None))
        both = with_hex(act, h, replace(before.at(h), explorers={}))
        told = [watched.is_told(surely(table, watched.camera.look(table))) for table in (act, both)]
        assert told == [("contradiction", "6.1")] * 2
        for table in tables:
            gone = with_hex(table, h, replace(before.at(h), explorers={}))
            assert watched.is_told(surely(gone, watched.camera.look(gone)))[0] != "explained"
        seen += 1
        if seen == 4:
            return
    raise AssertionError(f"only {seen} such positions")


def test_a_doubt_is_over_when_the_spot_has_been_read_clearly() -> None:
    """And is none again many pictures later; twice in a row it is told."""
    position = next(p for p, _ in random_game(20, options=Options(backs="dealt")) if p.phase == "move")
    layout = position.layout()
    tiles = (h for h, content in layout.hexes.items() if content.tile and sum(content.explorers.values()) == 1)
    h = next(h for h in tiles if all(layout.at(n).tile for n in BOARD.neighbours[h]))
    gone = (HexHypothesis(replace(layout.at(h), explorers={}), 0.95),)
    watched = Watched(position)

    def told(number: int, *, doubtful: bool) -> str:
        seen = watched.camera.look(layout, looks=dict.fromkeys(BOARD.hexes, number))  # the light is another each time
        hexes = (replace(e, hypotheses=gone) if doubtful and e.hex == h else e for e in seen.hexes)
        return watched.is_told(replace(seen, hexes=tuple(hexes)))[0]

    statuses = [told(i, doubtful=doubtful) for i, doubtful in enumerate((True, False, False, True, True), 1)]
    assert statuses == ["explained", "explained", "explained", "explained", "contradiction"]


def test_a_fact_given_before_the_first_picture_has_happened_in_it() -> None:
    position = next(p for p, _ in random_game(20, options=Options(backs="dealt")) if p.phase == "roll")
    tracker = Tracker(position, {"p0.jpg": (Fact("roll", face="shark"),)})
    tracker.see("p0.jpg", Camera(1, doubt=0.0).look(position.layout()))
    assert tracker.position.phase != "roll"
    assert tracker.unused() == []


def test_what_was_done_under_a_last_complaint_is_news() -> None:
    """A roll is known, and the picture shows a tile that was taken off the island all the same."""
    position = next(p for p, action in random_game(5) if isinstance(action, Roll))
    before = position.layout()
    h, content = next((h, content) for h, content in before.hexes.items() if content.tile == "mountain")
    taken = with_hex(before, h, replace(content, tile=None))
    tracker = Tracker(position, {"p.jpg": (Fact("roll", face="shark"),)})
    camera = Camera(1, doubt=0.0)
    assert said(tracker.see("o.jpg", camera.look(before))) == ("explained", None)
    assert tracker.news() == []
    assert said(tracker.see("p.jpg", camera.look(taken)))[0] == "contradiction"
    assert [type(action) for action in tracker.news()] == [Roll]
    assert tracker.news() == []


def test_a_tile_taken_while_a_creature_may_still_be_moved_is_a_second_one() -> None:
    """Rule 3; it is not the next player's, of the wrong terrain (6.1)."""
    seen = 0
    for position in [p for p, _ in random_game(7) if p.phase == "creature"][::4]:
        before = position.layout()
        mountain = next((h for h, c in before.hexes.items() if c.tile == "mountain" and not c.explorers), None)
        if mountain is None:
            continue
        taken = with_hex(before, mountain, replace(before.at(mountain), tile=None))
        assert Watched(position).shows(taken) == ("contradiction", "3")
        seen += 1
    assert seen > 3


@pytest.mark.parametrize("smeared", [True, False])
def test_what_is_misread_in_a_picture_that_is_not_sharp_is_news_in_the_next(smeared: bool) -> None:
    """One has moved, and another of his colour is too many."""
    position, move = next(
        (position, action)
        for position, action in random_game(3)[46:]
        if isinstance(action, MoveExplorer) and action.target.on == "tile"
    )
    layout = apply(position, move).position.layout()
    apart = {move.origin.hex, move.target.hex}
    there = next(h for h, content in layout.hexes.items() if content.tile and not content.explorers and h not in apart)
    spoiled = with_hex(layout, there, replace(layout.at(there), explorers={move.colour: 1}))
    tracker, camera = Tracker(position, {}), Camera(1, doubt=0.0)
    for _ in range(2):
        tracker.see(PICTURE, camera.look(position.layout()))
    picture = camera.look(spoiled, sure=[there])
    if smeared:
        unread = replace(picture, registration=Blurred(0.1))
        assert said(tracker.see(PICTURE, unread)) == ("waiting", None)
    assert said(tracker.see(PICTURE, picture)) == ("contradiction", None)
