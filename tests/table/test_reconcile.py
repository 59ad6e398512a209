"""From pictures to legal actions: what was done is taken over, what is unsure is asked, what is illegal is named."""

from __future__ import annotations

import itertools
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Literal

import msgspec
import pytest

from companion.rules import (
    Options,
    Position,
    apply,
    decode_position,
    encode_position,
    legal_actions,
)
from companion.rules.actions import (
    Action,
    DiveRoll,
    EndPhase,
    Face,
    LoadBoat,
    MoveBoat,
    MoveCreature,
    MoveExplorer,
    PlaceBoat,
    PlaceExplorer,
    PlayTile,
    SinkTile,
)
from companion.rules.geometry import Hex
from companion.rules.layout import HexContent, Layout
from companion.table import explain
from companion.table.evidence import Evidence
from companion.table.facts import Fact
from companion.table.gestures import gesture, sunk_in, touched
from companion.table.reconcile import Contradiction, Explained, Question, Unclear, reconcile, weigh
from companion.table.tally import ABOARD, SORTS, Tally, changed, tallies
from companion.vision.observation import HexEvidence, HexHypothesis
from tests.table.helpers import BOARD, Camera, random_game
from tests.table.planted import layout_of, reach, refused

SEEN = (PlaceExplorer, PlaceBoat, MoveExplorer, MoveBoat, SinkTile, LoadBoat, MoveCreature)
"""Actions that hands do on the table."""


def on_the_table(position: Position, action: Action) -> Layout:
    """The table once hands have done the action: a tile's back has not had its effect yet."""
    if isinstance(action, SinkTile):
        layout = position.layout()
        return put(layout, {action.hex: msgspec.structs.replace(layout.at(action.hex), tile=None)})
    return apply(position, action).position.layout()


def put(layout: Layout, contents: dict[Hex, HexContent]) -> Layout:
    """The layout with other contents on some hexes."""
    return Layout({**layout.hexes, **contents}, layout.safe)


def _turns(game: list[tuple[Position, Action]], count: int) -> Iterator[tuple[Position, tuple[Action, ...]]]:
    """Where so many moves of explorers and boats follow each other: the position before them, and they."""
    for i, (position, _) in enumerate(game):
        actions = tuple(action for _, action in game[i : i + count])
        if len(actions) == count and all(isinstance(action, MoveExplorer | MoveBoat) for action in actions):
            yield position, actions


def table_after(position: Position, actions: tuple[Action, ...]) -> Layout:
    """The table once all of them have been done."""
    for action in actions:
        position = apply(position, action).position
    return position.layout()


def chosen(action: Action) -> Action:
    """The action as it was chosen, without its outcome."""
    return SinkTile(hex=action.hex) if isinstance(action, SinkTile) else action


def visible_steps(seed: int, options: Options | None = None) -> Iterator[tuple[Position, Action]]:
    return ((p, action) for p, action in random_game(seed, options=options) if isinstance(action, SEEN))


def positions(seed: int, phase: str) -> Iterator[Position]:
    return (position for position, _ in random_game(seed) if position.phase == phase)


def leads_to(position: Position, actions: tuple[Action, ...], layout: Layout) -> bool:
    """True if the actions are legal and the table is this after them."""
    for action in actions[:-1]:
        position = apply(position, action).position
    return not actions or on_the_table(position, actions[-1]) == layout


@pytest.mark.parametrize("options", [Options(), Options(dive_dice=True, overpopulation=True)], ids=["plain", "dive"])
@pytest.mark.parametrize("seed", range(4))
def test_every_legal_action_seen_clearly_is_taken_over(seed: int, options: Options) -> None:
    camera = Camera(seed, doubt=0.0)
    for position, action in visible_steps(seed, options):
        layout = on_the_table(position, action)
        verdict = reconcile(position, [camera.look(layout)])
        if layout == position.layout():  # straight into the jaws of a creature: there is nothing to see
            continue
        if isinstance(verdict, Question):  # gone, as if eaten: not taken over without asking
            assert any(leads_to(position, candidate.actions, layout) for candidate in verdict.candidates)
            assert isinstance(action, MoveExplorer | MoveBoat)
            continue
        assert isinstance(verdict, Explained), (seed, action, verdict)
        done = tuple(a for a in verdict.actions if not isinstance(a, EndPhase))
        assert done == (chosen(action),), (seed, action)


@pytest.mark.parametrize("seed", range(4))
def test_in_doubt_the_table_is_never_taken_for_another(seed: int) -> None:
    """In 3 of 10 hexes a wrong reading comes close; it may wait or ask, but what it takes over is the truth."""
    camera = Camera(seed, doubt=0.3)
    taken = 0
    for position, action in visible_steps(seed):
        layout = on_the_table(position, action)
        verdict = reconcile(position, [camera.look(layout), camera.look(layout)])
        assert not isinstance(verdict, Contradiction), (seed, action, verdict)
        if isinstance(verdict, Explained) and verdict.actions:
            assert leads_to(position, verdict.actions, layout), (seed, action, verdict)
            taken += 1
    assert taken > 60


@pytest.mark.parametrize("seed", range(4))
def test_when_nothing_was_done_nothing_is_taken_over(seed: int) -> None:
    camera = Camera(seed, doubt=0.3)
    for position, _ in itertools.islice(random_game(seed), 0, None, 3):
        layout = position.layout()
        verdict = reconcile(position, [camera.look(layout), camera.look(layout)])
        assert verdict == Explained() or isinstance(verdict, Unclear)


@pytest.mark.parametrize("seed", range(6))
def test_a_piece_in_the_air_is_never_taken_for_lost(seed: int) -> None:
    """Every explorer, boat and creature in turn, in all phases; it may be asked about, if it can have been eaten."""
    camera, rng = Camera(seed, doubt=0.0), random.Random(seed)
    lifted = 0
    for position, _ in rng.sample(random_game(seed, options=Options(backs="printed")), 12):
        spots = tallies(position.layout())
        for spot, tally in spots.items():
            for shown in set(without_one(tally)):
                verdict = reconcile(position, [camera.look(layout_of({**spots, spot: shown}))])
                assert isinstance(verdict, Question | Contradiction | Unclear) or not verdict.actions, (position, spot)
                lifted += 1
    assert lifted > 120


def without_one(tally: Tally) -> Iterator[Tally]:
    """The tally without each of its pieces; a boat goes with its crew, tiles stay."""
    for sort, count in zip(SORTS, tally, strict=True):
        if count and sort.piece == "boat":
            bare = changed(tally, sort, -1)
            yield (*bare[: ABOARD.start], *(0 for _ in bare[ABOARD]), *bare[ABOARD.stop :])
        elif count and sort.piece != "tile":
            yield changed(tally, sort, -1)


@pytest.mark.parametrize("seed", range(4))
def test_the_moves_of_a_turn_are_found_from_the_table_after_them(seed: int) -> None:
    """Two or three moves and the tile sunk, between two looks at the table."""
    rng = random.Random(seed)
    camera = Camera(seed, doubt=0.0)
    found = 0
    for position in itertools.islice(positions(seed, "move"), 0, None, 5):
        here, layout = position, position.layout()
        while here.phase in {"move", "sink"}:
            action = rng.choice([a for a in legal_actions(here) if isinstance(a, SEEN)] or [EndPhase()])
            layout = on_the_table(here, action)
            if isinstance(action, SinkTile):
                break
            here = apply(here, action).position
        if here.phase == "reaction":
            continue
        verdict = reconcile(position, [camera.look(layout)])
        if isinstance(verdict, Explained):
            assert leads_to(position, verdict.actions, layout)
            found += 1
    assert found >= 3


def test_a_phase_nobody_ended_ends_with_what_shows_it() -> None:
    position = next(p for p in positions(2, "move") if p.moves_left == 1)
    sink = next(a for a in legal_actions(apply(position, EndPhase()).position) if isinstance(a, SinkTile))
    verdict = reconcile(position, [Camera(1).look(on_the_table(position, sink), sure=BOARD.hexes)])
    assert isinstance(verdict, Explained)
    assert verdict.actions == (EndPhase(), sink)


# What is asked


def test_a_piece_that_would_have_gone_where_nobody_can_see_is_asked_about() -> None:
    position = next(p for p in positions(3, "move"))
    move = next(a for a in legal_actions(position) if isinstance(a, MoveExplorer) and a.target.on == "tile")
    layout = on_the_table(position, move)
    assert move.target.hex is not None
    verdict = reconcile(position, [Camera(1, doubt=0.0).look(layout, hidden={move.target.hex: "glare"})])
    assert isinstance(verdict, Question)
    assert move in [a for candidate in verdict.candidates for a in candidate.actions]


def test_of_two_alike_the_one_that_has_swum_is_taken_to_have_left_the_boat_4_5() -> None:
    data = encode_position(table_to_spoil(moves_left=2))
    landing = next(item for item in data["layout"]["hexes"] if item["hex"] == [-7, 4])
    landing |= {"boat": {"red": 2}, "explorers": {}}
    position = decode_position(data | {"swum": [{"hex": [-7, 4], "on": "boat", "colour": "red", "count": 1}]})
    ashore = [a for a in legal_actions(position) if isinstance(a, MoveExplorer) and a.target.safe]
    assert [a.swum for a in ashore] == [False, True], "nobody can see which of the two it is"
    verdict = reconcile(position, [Camera(1, doubt=0.0).look(on_the_table(position, ashore[0]))])
    assert isinstance(verdict, Explained)
    assert verdict.actions == (ashore[1],)


def test_two_readings_that_are_close_are_both_offered() -> None:
    position = next(p for p in positions(3, "move"))
    moves = [a for a in legal_actions(position) if isinstance(a, MoveExplorer) and a.target.on == "tile"]
    one, other = next(
        (a, b) for a, b in itertools.combinations(moves, 2) if a.origin == b.origin and a.colour == b.colour
    )
    first = Camera(1, doubt=0.0).look(on_the_table(position, one))
    second = Camera(2, doubt=0.0).look(on_the_table(position, other))
    verdict = reconcile(position, [first, second])
    assert isinstance(verdict, Question)
    assert {a for c in verdict.candidates for a in c.actions} == {one, other}
    assert sum(c.probability for c in verdict.candidates) == pytest.approx(1)


@pytest.mark.parametrize(("most", "kind"), [(2, Explained), (1, Question)])
def test_where_one_action_more_than_is_looked_for_may_explain_what_is_left_it_is_asked(
    most: int, kind: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One move is clear, another so little that the table might be without it."""
    monkeypatch.setattr(explain, "MOST_ACTIONS", most)
    monkeypatch.setattr(sys.modules["companion.table.reconcile"], "MOST_ACTIONS", most)
    position = next(p for p in positions(3, "move") if p.moves_left == 3)
    moves = [a for a in legal_actions(position) if isinstance(a, MoveExplorer) and a.target.on == "tile"]
    one, other = next(
        (a, b)
        for a, b in itertools.combinations(moves, 2)
        if {a.origin.hex, a.target.hex}.isdisjoint({b.origin.hex, b.target.hex})
    )
    before, after = position.layout(), table_after(position, (one, other))
    seen = Camera(1, doubt=0.0).look(after)
    rather = {h: (HexHypothesis(after.at(h), 0.9), HexHypothesis(before.at(h), 0.09)) for h in touched(other)}
    hexes = tuple(HexEvidence(e.hex, rather.get(e.hex, e.hypotheses)) for e in seen.hexes)
    verdict = reconcile(position, [msgspec.structs.replace(seen, hexes=hexes)])
    assert isinstance(verdict, kind)
    if isinstance(verdict, Question):
        assert all(candidate.doubtful for candidate in verdict.candidates), "playing on is no proof of it"


@pytest.mark.parametrize(("one_only", "have_moved"), [(0.98, 2), (1.0, 1)])
def test_two_who_have_come_together_and_are_read_as_one_are_asked_about(one_only: float, have_moved: int) -> None:
    """Neither of them has vanished, unless it is certain that one alone stands there: then nobody knows which."""
    position, one, other = next(
        (p, a, b)
        for p in positions(3, "move")
        if p.moves_left == 3
        for a, b in itertools.combinations([a for a in legal_actions(p) if isinstance(a, MoveExplorer)], 2)
        if a.target.on == "sea" and a.target == b.target and a.colour == b.colour
        if a.origin.on == b.origin.on == "tile" and a.origin != b.origin
        if p.layout().at(a.target.hex) == HexContent()
    )
    after = table_after(position, (one, other))
    both = after.at(one.target.hex)
    assert both == HexContent(explorers={one.colour: 2})
    alone = msgspec.structs.replace(both, explorers={one.colour: 1})
    readings = tuple(HexHypothesis(c, p) for c, p in ((alone, one_only), (both, (1 - one_only) / 3)) if p)
    seen = Camera(1, doubt=0.0).look(after)
    hexes = tuple(HexEvidence(e.hex, readings) if e.hex == one.target.hex else e for e in seen.hexes)
    verdict = reconcile(position, [msgspec.structs.replace(seen, hexes=hexes)])
    assert isinstance(verdict, Question)
    assert len(verdict.candidates[0].actions) == have_moved
    assert {action for candidate in verdict.candidates for action in candidate.actions} == {one, other}


def test_an_explorer_that_vanished_beside_a_serpent_is_not_taken_for_eaten_in_silence() -> None:
    for seed, (position, action) in ((s, step) for s in range(9) for step in visible_steps(s)):
        if isinstance(action, MoveExplorer) and action.target.on == "sea":
            assert action.target.hex is not None
            layout = on_the_table(position, action)
            if layout.at(action.target.hex) == position.layout().at(action.target.hex):
                verdict = reconcile(position, [Camera(seed, doubt=0.0).look(layout)])
                assert isinstance(verdict, Question)
                return
    pytest.fail("no explorer swam to its death in these games")


# What is illegal


def table_to_spoil(moves_left: int = 1) -> Position:
    """A position made for breaking rules in: Ann (red) is to move.

    She has one explorer on a beach, one swimming, one in a boat of blue's, one in a boat on a landing hex, one there in
    the sea and one safe.
    """
    data = encode_position(next(positions(1, "move")))
    island = BOARD.island
    hexes = [
        {"hex": list(h), "tile": "beach" if i >= 24 else "forest" if i >= 8 else "mountain"}
        for i, h in enumerate(island)
    ]
    by_hex = {tuple(item["hex"]): item for item in hexes}
    by_hex[(0, 3)]["explorers"] = {"red": 1}
    by_hex[(0, 2)]["explorers"] = {"blue": 1}
    hexes += [
        {"hex": [1, 3], "explorers": {"red": 1}},
        {"hex": [4, 1], "boat": {"blue": 2, "red": 1}},
        {"hex": [-2, 5], "boat": {}},
        {"hex": [-4, 5], "sharks": 1},
        {"hex": [-6, 4], "boat": {"yellow": 3}},
        {"hex": [-7, 4], "explorers": {"red": 1}, "boat": {"red": 1}},
        {"hex": [0, 0], "serpents": 1},
    ]  # fmt: skip
    data |= {
        "layout": {"hexes": hexes, "safe": {"nw": {"red": 1}}},
        "phase": "move",
        "active": 0,
        "moves_left": moves_left,
        "hands": [[], [], []],
        "backs": {t: dict(b) for t, b in encode_position(next(positions(1, "place_explorers")))["backs"].items()},
        "supply": {"boats": 6, "sharks": 5, "whales": 5},
        "swum": [],
    }
    return decode_position(data)


def moved(layout: Layout, what: str, origin: Hex, target: Hex, colour: str = "red") -> Layout:
    """The layout after carrying a piece from hex to hex, whatever the rules say."""
    replace = msgspec.structs.replace
    a, b = layout.at(origin), layout.at(target)
    if what == "explorer":
        a = replace(a, explorers={c: n - (c == colour) for c, n in a.explorers.items() if n > (c == colour)})
        b = replace(b, explorers={**b.explorers, colour: b.explorers.get(colour, 0) + 1})
    elif what == "boat":
        a, b = replace(a, boat=None), replace(b, boat=a.boat)
    elif what == "shark":
        a, b = replace(a, sharks=a.sharks - 1), replace(b, sharks=b.sharks + 1)
    return put(layout, {origin: a, target: b})


def taken(layout: Layout, h: Hex) -> Layout:
    return put(layout, {h: msgspec.structs.replace(layout.at(h), tile=None)})


ILLEGAL: list[tuple[str, str, Callable[[Layout], Layout]]] = [
    ("4.7", "another player's explorer is moved", lambda t: moved(t, "explorer", (0, 2), (0, 1), "blue")),
    ("4.3", "a swimmer goes two hexes", lambda t: moved(t, "explorer", (1, 3), (1, 5))),
    ("4.1", "a dry explorer goes two tiles with one move left", lambda t: moved(t, "explorer", (0, 3), (0, 1))),
    ("4.4", "a swimmer climbs on a tile", lambda t: moved(t, "explorer", (1, 3), (1, 2))),
    ("5.3", "a boat is moved by the fewer of its passengers", lambda t: moved(t, "boat", (4, 1), (5, 1))),
    ("5.2", "a boat goes two hexes with one move left", lambda t: moved(t, "boat", (-2, 5), (0, 5))),
    ("3", "a creature is moved without a roll", lambda t: moved(t, "shark", (-4, 5), (-3, 5))),
    ("6.1", "a forest goes while there are beaches", lambda t: taken(t, BOARD.island[10])),
    ("6.2", "a beach inland goes while others lie by the sea", lambda t: taken(t, (-1, 2))),
]


@pytest.mark.parametrize(("rule", "what", "spoil"), ILLEGAL, ids=[f"{rule}: {what}" for rule, what, _ in ILLEGAL])
def test_an_illegal_table_is_named_by_its_rule(rule: str, what: str, spoil: Callable[[Layout], Layout]) -> None:
    position = table_to_spoil()
    layout = spoil(position.layout())
    verdict = reconcile(position, [Camera(1, doubt=0.0).look(layout)])
    assert isinstance(verdict, Contradiction), verdict
    assert verdict.rule == rule, verdict.message
    assert verdict.message
    differing = {h for h in BOARD.hexes if layout.at(h) != position.layout().at(h)}
    assert set(verdict.hexes) == differing


def test_two_moved_at_once_when_the_moves_are_over_break_3() -> None:
    over = apply(table_to_spoil(), EndPhase()).position
    elsewhere = (a.hex for a in legal_actions(over) if isinstance(a, SinkTile) and a.hex not in {(0, 3), (-1, 3)})
    position = apply(over, SinkTile(hex=next(elsewhere), back="dolphin")).position
    assert position.phase == "roll"
    layout = moved(moved(position.layout(), "explorer", (0, 3), (-1, 3)), "boat", (-2, 5), (-1, 5))
    verdict = reconcile(position, [Camera(1, doubt=0.0).look(layout)])
    assert isinstance(verdict, Contradiction)
    assert (verdict.rule, set(verdict.hexes)) == ("3", {(0, 3), (-1, 3), (-2, 5), (-1, 5)})


def test_two_of_one_hex_moved_by_somebody_else_break_4_7() -> None:
    position = table_to_spoil(moves_left=3)
    data = encode_position(position)
    item = next(item for item in data["layout"]["hexes"] if tuple(item["hex"]) == (0, 2))
    item["explorers"] = {"blue": 2}
    position = decode_position(data)
    shown = moved(moved(position.layout(), "explorer", (0, 2), (0, 1), "blue"), "explorer", (0, 2), (-1, 2), "blue")
    verdict = reconcile(position, [Camera(1, doubt=0.0).look(shown)])
    assert isinstance(verdict, Contradiction)
    assert (verdict.rule, set(verdict.hexes)) == ("4.7", {(0, 2), (0, 1), (-1, 2)})


def test_of_two_acts_against_different_rules_one_is_named_and_both_are_told_of() -> None:
    position = table_to_spoil()
    layout = moved(moved(position.layout(), "explorer", (0, 2), (0, 1), "blue"), "shark", (-4, 5), (-3, 5))
    verdict = reconcile(position, [Camera(1, doubt=0.0).look(layout)])
    assert isinstance(verdict, Contradiction)
    assert (verdict.rule, set(verdict.hexes)) == ("3", {(0, 2), (0, 1), (-4, 5), (-3, 5)})
    assert verdict.message is not None
    assert verdict.message.count(".") == 2


def test_what_a_search_broken_off_has_found_is_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    """Something else may explain the table as well."""
    position = table_to_spoil(moves_left=3)
    shown = moved(position.layout(), "explorer", (0, 3), (-1, 3))
    seen = Camera(1, doubt=0.0).look(shown)
    assert isinstance(reconcile(position, [seen]), Explained)
    for budget in range(100):
        monkeypatch.setattr(explain, "BUDGET", budget)
        if not isinstance(verdict := reconcile(position, [seen]), Contradiction):
            break
    assert isinstance(verdict, Question)


def test_where_a_search_was_broken_off_nobody_is_accused_of_what_came_after_something_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Somebody else's explorer moves first and the own one after him; a legal way to it may not have been looked at."""
    position = table_to_spoil(moves_left=1)
    shown = moved(position.layout(), "explorer", (0, 3), (-1, 3))
    shown = moved(shown, "explorer", (0, 2), (0, 1), "blue")
    seen = Camera(1, doubt=0.0).look(shown)
    whole = reconcile(position, [seen])
    assert isinstance(whole, Contradiction)
    assert whole.rule is not None
    for budget in range(1, 12):
        monkeypatch.setattr(explain, "BUDGET", budget)
        verdict = reconcile(position, [seen])
        assert isinstance(verdict, Question) or (isinstance(verdict, Contradiction) and verdict.rule is None), budget


def test_a_search_looks_at_no_more_positions_than_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    position, actions = next(_turns(random_game(5), 3))
    seen = Evidence.of(Camera(1, doubt=0.0).look(table_after(position, actions)))
    monkeypatch.setattr(explain, "BUDGET", 40)
    assert len(explain.explain(position, seen, {}).visited) == 40


@pytest.mark.parametrize("boarded", [1, 2, 3, 4])
def test_who_boards_a_boat_that_has_come_up_is_waited_for_and_three_are_enough_6_4(boarded: int) -> None:
    games = (random_game(number) for number in itertools.count(400))
    position = next(p for game in games for p, _ in game if p.phase == "load_boat")
    h = sunk_in(position)
    assert h is not None
    there = position.layout().at(h)
    swimmers = [colour for colour, n in there.explorers.items() for _ in range(n)]
    aboard, beside = Counter(swimmers[:boarded]), Counter(swimmers[boarded:])
    shown = put(position.layout(), {h: msgspec.structs.replace(there, boat=dict(aboard), explorers=dict(beside))})
    verdict = reconcile(position, [Camera(1, doubt=0.0).look(shown)])
    if boarded < 3:
        assert isinstance(verdict, Unclear)
        assert all(isinstance(c.actions[0], LoadBoat) for c in verdict.question.candidates)
        assert all(aboard <= Counter(c.actions[0].explorers) for c in verdict.question.candidates)  # type: ignore[union-attr]
    elif boarded == 3:
        assert verdict == Explained((LoadBoat(explorers=dict(aboard)),), verdict.lags)  # type: ignore[union-attr]
    else:
        assert isinstance(verdict, Contradiction)
        assert verdict.rule == "6.4"


def test_an_empty_boat_moved_too_far_by_the_dice_is_not_taken_for_two_peoples_moves_13_2() -> None:
    """The next player may go on with it: that is asked about."""
    tried = 0
    for position, _ in random_game(400, options=Options(dive_dice=True)):
        die = position.die
        if position.phase != "creature" or not isinstance(die, DiveRoll) or die.creature != "boat" or die.hexes == "D":
            continue
        layout = position.layout()
        for origin in (h for h, content in layout.hexes.items() if content.boat == {}):
            for target in reach(origin, die.hexes + 1):
                act = MoveCreature(creature="boat", origin=origin, target=target)
                if target in layout.hexes or refused(position, act) != "13.2":
                    continue
                tried += 1
                before = tallies(layout)
                table = layout_of({**before, **gesture(before, act)})
                verdict = reconcile(position, [Camera(1, doubt=0.0).look(table)])
                if isinstance(verdict, Question):
                    assert all(candidate.doubtful for candidate in verdict.candidates)
                else:
                    assert isinstance(verdict, Contradiction)
                    assert verdict.rule == "13.2"
    assert tried > 5


def test_a_tile_from_the_hand_played_wrongly_breaks_its_own_rule_10() -> None:
    """It was announced, so the piece was moved by it."""
    named = Counter[str]()
    for position, _ in random_game(700):
        if position.phase != "play_tile":
            continue
        for tile, kind in (("move_serpent", "serpents"), ("move_shark", "sharks"), ("move_whale", "whales")):
            layout = position.layout()
            origin = next((h for h, content in layout.hexes.items() if getattr(content, kind)), None)
            target = next((h for h, content in layout.hexes.items() if content.boat == {}), None)
            if tile not in position.hands[position.active] or origin is None or target in {None, origin}:
                continue
            act = PlayTile(tile=tile, origin=origin, target=target)
            before = tallies(layout)
            table = layout_of({**before, **gesture(before, act)})
            verdict = weigh(
                position, Evidence.of(Camera(1, doubt=0.0).look(table)), {}, (Fact("play_tile", tile=tile),)
            )
            assert isinstance(verdict, Contradiction)
            assert verdict.rule == refused(position, act) == "10.3"
            named[tile] += 1
    assert named.total() > 5


@pytest.mark.parametrize("backs", ["dealt", "printed"])
def test_two_tiles_taken_at_once_break_3(backs: Literal["dealt", "printed"]) -> None:
    """Nobody has seen which came first, and what is under it the session has still to deal."""
    position = next(p for p, _ in random_game(2, options=Options(backs=backs)) if p.phase == "sink")
    one, other = (a.hex for a in itertools.islice(legal_actions(position), 2) if isinstance(a, SinkTile))
    verdict = reconcile(position, [Camera(1, doubt=0.0).look(taken(taken(position.layout(), one), other))])
    assert isinstance(verdict, Contradiction)
    assert (verdict.rule, set(verdict.hexes)) == ("3", {one, other})


def test_of_two_tiles_taken_at_once_one_that_may_not_be_breaks_its_own_rule_6_1() -> None:
    position = table_to_spoil()
    beach, forest = (
        next(a.hex for a in legal_actions(apply(position, EndPhase()).position) if isinstance(a, SinkTile)),
        BOARD.island[10],
    )
    verdict = reconcile(position, [Camera(1, doubt=0.0).look(taken(taken(position.layout(), beach), forest))])
    assert isinstance(verdict, Contradiction)
    assert (verdict.rule, set(verdict.hexes)) == ("6.1", {beach, forest})


@pytest.mark.parametrize(
    ("die", "is_it"),
    [("shark", True), ("whale", False), *((DiveRoll(kind, 2), kind != "whale") for kind in ("shark", "star", "whale"))],
)
def test_a_rolled_creature_that_is_gone_has_not_been_left_where_it_was(die: Face | DiveRoll, is_it: bool) -> None:
    """Where all else is given: the next player has moved, and the shark is not seen where it went.

    Another creature than the rolled one is a matter of its own.
    """
    data = encode_position(table_to_spoil()) | {"phase": "creature", "die": msgspec.to_builtins(die), "active": 2}
    if isinstance(die, DiveRoll):
        data["options"]["dive_dice"] = True
    position = decode_position(data)
    layout = moved(position.layout(), "explorer", (0, 3), (-1, 3))
    layout = put(layout, {(-4, 5): HexContent()})
    seen = Evidence.of(Camera(1, doubt=0.0).look(layout))
    verdict = weigh(position, seen, {}, facts=())
    assert isinstance(verdict, Explained) == (not is_it)


def test_who_is_claimed_to_be_nobody_only_for_what_the_box_holds_is_followed_as_probable_as_he_is() -> None:
    """Whoever knows the game knows who is there: to him the most probable reading is the best one."""
    position = table_to_spoil()
    layout = position.layout()
    seen = Camera(1, doubt=0.0).look(layout)
    h = next(h for h, content in layout.hexes.items() if content.explorers and content.tile is None)
    nobody = msgspec.structs.replace(layout.at(h), explorers={})
    claimed = HexEvidence(h, (HexHypothesis(nobody, 0.3), HexHypothesis(layout.at(h), 0.7)))
    seen = msgspec.structs.replace(seen, hexes=tuple(claimed if e.hex == h else e for e in seen.hexes))
    assert seen.layout().at(h) == nobody
    assert Evidence.of(seen).best(h) == tallies(layout)[h]
    assert isinstance(reconcile(position, [seen]), Explained)


def test_a_swimmer_that_swims_twice_breaks_4_5() -> None:
    position = table_to_spoil(moves_left=3)
    layout = moved(position.layout(), "explorer", (1, 3), (1, 5))
    verdict = reconcile(position, [Camera(1, doubt=0.0).look(layout)])
    assert isinstance(verdict, Contradiction)
    assert verdict.rule == "4.5"


def test_an_explorer_taken_back_from_safe_land_breaks_4_7() -> None:
    position = table_to_spoil()
    layout = position.layout()
    back = put(layout, {(-6, 5): HexContent(explorers={"red": 1})})
    verdict = reconcile(position, [Camera(1, doubt=0.0).look(Layout(back.hexes, {}))])
    assert isinstance(verdict, Contradiction)
    assert verdict.rule == "4.7"
    assert [(c.do, c.piece, c.land, c.origin_hex) for c in verdict.way_back] == [("put", "explorer", "nw", (-6, 5))]


def test_a_fourth_passenger_breaks_5_1() -> None:
    position = table_to_spoil()
    layout = position.layout()
    here, there = layout.at((-7, 4)), layout.at((-6, 4))
    replace = msgspec.structs.replace
    crowded = put(layout, {(-7, 4): replace(here, boat={}), (-6, 4): replace(there, boat={"red": 1, "yellow": 3})})
    verdict = reconcile(position, [Camera(1, doubt=0.0).look(crowded)])
    assert isinstance(verdict, Contradiction)
    assert verdict.rule == "5.1"


def test_a_swimmer_squeezed_into_a_full_boat_is_not_taken_for_one_beside_it_4_3() -> None:
    four, three = {"red": 1, "yellow": 3}, {"yellow": 3}
    assert rule_beside_a_full_boat({"explorers": {}}, (four, 0.85), (three, 0.1), moves_left=1) == "4.3"


def test_where_a_fourth_passenger_is_hardly_seen_the_hint_is_enough_5_1() -> None:
    """Of three aboard recognition hardly ever says that they might be four, and somebody is missing next to them."""
    three, hint = ({"yellow": 3}, 0.99), ({"red": 1, "yellow": 3}, 0.003)
    assert rule_beside_a_full_boat({"boat": {}}, three, hint) == "5.1"
    assert rule_beside_a_full_boat({"boat": {}}, three) is None


def test_who_is_missing_next_to_a_hint_at_four_was_not_lost_elsewhere_5_1() -> None:
    three, hint = ({"yellow": 3}, 0.99), ({"red": 1, "yellow": 3}, 0.003)
    assert rule_beside_a_full_boat({"boat": {}}, three, hint, serpent=(-7, 5)) == "5.1"


def test_four_aboard_are_not_taken_for_three_and_a_swimmer_in_whatever_order_they_are_read_4_3() -> None:
    three, four = ({"red": 1, "yellow": 2}, 0.62), ({"red": 1, "yellow": 3}, 0.37)
    assert rule_beside_a_full_boat({"explorers": {}}, three, four) == "4.3"


@pytest.mark.parametrize("has_boarded", [False, True])
def test_who_seems_to_board_a_boat_as_it_comes_is_asked_about(has_boarded: bool) -> None:
    """Leaning over each other in the picture, the two have never been seen apart."""
    position = table_to_spoil(moves_left=3)
    swimmer, harbour = (1, 3), (-2, 5)
    target = next(a.target for a in legal_actions(position) if isinstance(a, MoveBoat) and a.origin == harbour)
    data = encode_position(position)
    for item in data["layout"]["hexes"]:
        if item["hex"] == list(swimmer):
            item["hex"] = list(target)
    position = decode_position(data)
    seats = HexContent(boat={"red": 1}) if has_boarded else HexContent(boat={}, explorers={"red": 1})
    shown = put(position.layout(), {harbour: HexContent(), target: seats})
    verdict = reconcile(position, [Camera(1, doubt=0.0).look(shown)])
    move = MoveBoat(origin=harbour, target=target)
    if not has_boarded:
        assert isinstance(verdict, Explained)
        assert verdict.actions == (move,)
        return
    assert isinstance(verdict, Question)
    assert [candidate.actions[0] for candidate in verdict.candidates] == [move, move]
    assert {len(candidate.actions) for candidate in verdict.candidates} == {1, 2}


def rule_beside_a_full_boat(
    gone: dict[str, object], *crews: tuple[dict[str, int], float], moves_left: int = 3, serpent: Hex | None = None
) -> str | None:
    """The rule of what is said where somebody is gone from (-7, 4); `crews`: how the full boat next to it is read."""
    data = encode_position(table_to_spoil(moves_left))
    if serpent is not None:
        next(item for item in data["layout"]["hexes"] if item.get("serpents"))["hex"] = list(serpent)
    position = decode_position(data)
    layout = position.layout()
    replace = msgspec.structs.replace
    seen = Camera(1, doubt=0.0).look(put(layout, {(-7, 4): replace(layout.at((-7, 4)), **gone)}))
    full = layout.at((-6, 4))
    readings = tuple(HexHypothesis(replace(full, boat=crew), probability) for crew, probability in crews)
    hexes = tuple(HexEvidence(e.hex, readings) if e.hex == (-6, 4) else e for e in seen.hexes)
    verdict = reconcile(position, [replace(seen, hexes=hexes)])
    assert isinstance(verdict, Contradiction)
    return verdict.rule


def test_an_explorer_placed_on_a_taken_tile_breaks_2_3() -> None:
    position = next(p for p in positions(1, "place_explorers") if len(p.dry["red"]) > 3)
    taken_by = next(h for h, content in position.layout().hexes.items() if content.explorers)
    colour = position.players[position.active].colours[0]
    content = position.layout().at(taken_by)
    more = {**content.explorers, colour: content.explorers.get(colour, 0) + 1}
    layout = put(position.layout(), {taken_by: msgspec.structs.replace(content, explorers=more)})
    verdict = reconcile(position, [Camera(1, doubt=0.0).look(layout)])
    assert isinstance(verdict, Contradiction)
    assert verdict.rule == "2.3"


def test_a_piece_that_has_just_vanished_is_no_rules_matter_and_goes_back_where_it_was() -> None:
    position = table_to_spoil()
    layout = put(position.layout(), {(0, 3): HexContent(tile="beach")})
    verdict = reconcile(position, [Camera(1, doubt=0.0).look(layout)])
    assert isinstance(verdict, Contradiction)
    assert (verdict.hexes, verdict.rule) == (((0, 3),), None)
    (chore,) = verdict.way_back
    assert (chore.do, chore.piece, chore.colour, chore.hex, chore.on) == ("put", "explorer", "red", (0, 3), "tile")


def test_the_way_back_carries_what_was_carried() -> None:
    position = table_to_spoil()
    layout = moved(position.layout(), "explorer", (0, 2), (0, 1), "blue")
    verdict = reconcile(position, [Camera(1, doubt=0.0).look(layout)])
    assert isinstance(verdict, Contradiction)
    (chore,) = verdict.way_back
    assert (chore.piece, chore.colour, chore.origin_hex, chore.hex) == ("explorer", "blue", (0, 1), (0, 2))


def test_one_illegal_move_among_legal_ones_is_found() -> None:
    position = table_to_spoil(moves_left=3)
    layout = moved(position.layout(), "explorer", (0, 3), (-1, 3))
    layout = moved(layout, "explorer", (0, 2), (0, 1), "blue")
    verdict = reconcile(position, [Camera(1, doubt=0.0).look(layout)])
    assert isinstance(verdict, Contradiction)
    assert verdict.rule == "4.7"
    assert set(verdict.hexes) == {(0, 2), (0, 1)}


def test_who_boarded_where_he_was_and_sailed_is_found_where_the_boats_old_hex_is_in_doubt() -> None:
    """In between the hex looks like neither: somebody aboard who was beside the boat, and the boat there still."""
    camera, count, found = Camera(1, doubt=0.0), 0, 0
    positions = (position for seed in range(3) for position, _ in random_game(seed) if position.phase == "move")
    for position in positions:
        boarding = (a for a in legal_actions(position) if isinstance(a, MoveExplorer) and a.target.on == "boat")
        board = next((a for a in boarding if a.origin.on == "sea" and a.origin.hex == a.target.hex), None)
        if board is None:
            continue
        here = board.target.hex
        aboard = apply(position, board).position
        sailing = next((a for a in legal_actions(aboard) if isinstance(a, MoveBoat) and a.origin == here), None)
        if here is None or sailing is None:
            continue
        after = apply(aboard, sailing).position.layout()
        seen = camera.look(after)
        readings = (HexHypothesis(after.at(here), 0.8), HexHypothesis(position.layout().at(here), 0.15))
        hexes = tuple(msgspec.structs.replace(e, hypotheses=readings) if e.hex == here else e for e in seen.hexes)
        verdict = reconcile(position, [msgspec.structs.replace(seen, hexes=hexes)] * 2)
        assert isinstance(verdict, Explained | Question), verdict
        told = [verdict] if isinstance(verdict, Explained) else verdict.candidates
        found += any(table_after(position, one.actions) == after for one in told)
        count += 1
    assert count >= 10
    assert found >= 0.85 * count


def test_a_reading_counts_beside_the_best_one_if_it_is_at_least_half_as_probable() -> None:
    best, other, third = (tuple(int(i == n) for i in range(len(SORTS))) for n in range(3))
    evidence = Evidence({(0, 0): [(best, 0.5), (other, 0.26), (third, 0.24)]}, frozenset())
    assert [*evidence.readings((0, 0), best)] == [best, other]
