"""What no picture shows and somebody knows: read from a file, waiting for its turn, and nothing happens without it."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator, Sequence

import msgspec
import pytest

from companion.rules import Options, Player, Position, apply, legal_actions
from companion.rules.actions import (
    Action,
    Decline,
    Defend,
    EndPhase,
    MoveCreature,
    MoveExplorer,
    PlayTile,
    Protect,
    Reveal,
    Roll,
    SinkTile,
)
from companion.rules.layout import HexContent, Layout
from companion.table import Contradiction, Follower, Question, Settled, Waiting
from companion.table.facts import Fact, FactsError, awaits_tile, decode_facts
from companion.table.track import TrackedGame
from companion.vision.observation import HexEvidence, HexHypothesis
from tests.table.helpers import BOARD, Camera, random_game


def facts_of(actions: Sequence[Action]) -> tuple[Fact, ...]:
    """What would be given of these actions."""
    found = []
    for action in actions:
        match action:
            case Roll(face=face):
                found.append(Fact("roll", face=face))
            case SinkTile(back=back) if back is not None:
                found.append(Fact("sink_tile", back=back))
            case Reveal(back=back):
                found.append(Fact("reveal", back=back))
            case Decline(player=player) | Defend(player=player):
                found.append(Fact("decline" if isinstance(action, Decline) else "defend", player=player))
            case Protect(explorers=explorers):
                found.append(Fact("protect", explorers=explorers))
            case PlayTile(tile=tile):
                found.append(Fact("play_tile", tile=tile))
    return tuple(found)


def played(game: Sequence[tuple[Position, Action]], first: int, count: int) -> tuple[list[Action], Position]:
    """So many actions of the game, and the position after them."""
    position, actions = game[first][0], [action for _, action in game[first : first + count]]
    for action in actions:
        position = apply(position, action).position
    return actions, position


@pytest.mark.parametrize("backs", ["dealt", "printed"])
@pytest.mark.parametrize("seed", [1, 2])
def test_whatever_was_done_between_two_pictures_is_found_with_its_facts(seed, backs):
    """Random games, up to four actions at once: never something else than was done, hardly ever a question."""
    rng = random.Random(seed)
    game = random_game(seed, options=Options(backs=backs))
    number = next(i for i, (p, _) in enumerate(game) if p.phase not in {"place_explorers", "place_boats"})
    states = []
    while number < len(game) and game[number][0].phase != "scoring":
        count = rng.choice([1, 1, 2, 3, 4])
        actions, after = played(game, number, count)
        sheet = TrackedGame(game[number][0])
        follower = Follower(sheet, agreeing=1, patience=1)
        follower.give(facts_of(actions))
        state = follower.see(Camera(seed, doubt=0.0).look(after.layout()))
        assert isinstance(state, Settled | Question), (number, actions, state)
        if isinstance(state, Settled):
            assert sheet.position.layout() == after.layout(), (number, actions)
        states.append(state)
        number += count
    assert len(states) > 60
    assert sum(isinstance(state, Question) for state in states) < 0.15 * len(states)


def test_a_fact_that_comes_early_waits_for_its_turn():
    """The back and the roll are told while people still move: the picture shows all of it at once."""
    game = random_game(5, options=Options(backs="dealt"))
    kinds = [type(action).__name__ for _, action in game]
    first = next(
        i for i in range(40, len(game)) if kinds[i : i + 4] == ["MoveBoat", "SinkTile", "Roll", "MoveCreature"]
    )
    actions, after = played(game, first, 4)
    sheet = TrackedGame(game[first][0])
    follower = Follower(sheet, agreeing=1, patience=1)
    camera = Camera(5, doubt=0.0)
    follower.give(facts_of(actions))
    follower.see(camera.look(sheet.position.layout()))
    assert sheet.done == []
    follower.see(camera.look(after.layout()))
    assert [a for a in sheet.done if type(a).__name__ != "EndPhase"] == actions


def test_what_is_not_given_has_not_happened():
    """A tile is off the board, but nobody said what was under it: nothing is taken for done."""
    game = random_game(5, options=Options(backs="dealt"))
    first = next(i for i in range(40, len(game)) if isinstance(game[i][1], SinkTile))
    _, after = played(game, first, 1)
    sheet = TrackedGame(game[first][0])
    follower = Follower(sheet, agreeing=1, patience=1)
    follower.give(())
    state = follower.see(Camera(5, doubt=0.0).look(after.layout()))
    assert isinstance(state, Contradiction)
    assert sheet.done == []


@pytest.mark.parametrize(
    ("moved", "stayed", "said"), [(0.15, 0.84, Question), (0.5, 0.49, Settled), (0.9, 0.08, Settled)]
)
def test_a_shark_that_is_not_where_it_came_up_may_have_moved_on_or_not_been_put_down(moved, stayed, said):
    """Rather not read where it may have moved to, it is asked; else people will have put it down before they rolled."""
    game = random_game(3, options=Options(backs="dealt"))
    for position, action in game:
        if not isinstance(action, SinkTile) or "shark" not in position.backs[position.layout().at(action.hex).tile]:
            continue
        layout = position.layout()
        if layout.at(action.hex).explorers:
            continue
        bare = [h for h in BOARD.neighbours[action.hex] if layout.at(h) == HexContent()]
        if bare:
            break
    gone = Layout({**layout.hexes, action.hex: HexContent()}, layout.safe)
    seen = Camera(1, doubt=0.0).look(gone)
    readings = sorted(((moved, 1), (stayed, 0)), reverse=True)
    either = tuple(HexHypothesis(HexContent(sharks=n), p) for p, n in readings)
    hexes = tuple(msgspec.structs.replace(e, hypotheses=either) if e.hex == bare[0] else e for e in seen.hexes)
    sheet = TrackedGame(position)
    follower = Follower(sheet, agreeing=1, patience=1)
    follower.give((Fact("sink_tile", back="shark"), Fact("roll", face="shark")))
    state = follower.see(msgspec.structs.replace(seen, hexes=hexes))
    assert isinstance(state, said)
    if said is Settled:
        assert len(sheet.done) == 3
        return
    assert {len(candidate.actions) for candidate in state.candidates} == {2, 3}
    assert sheet.done == []


@pytest.mark.parametrize(("hidden", "given", "done"), [(1, True, 1), (2, True, 0), (1, False, 0)])
def test_a_tile_that_is_known_to_be_sunk_may_have_lain_where_nobody_sees_it(hidden, given, done):
    """In a glare: the only one there can be is taken for sunk, of several one is asked for, without the fact none."""
    game = random_game(5, options=Options(backs="dealt"))
    position, action = next(
        step for step in game[40:] if isinstance(step[1], SinkTile) and step[1].back == "move_whale"
    )
    others = [a.hex for a in legal_actions(position) if isinstance(a, SinkTile) and a.hex != action.hex]
    veiled = dict.fromkeys([action.hex, *others][:hidden], "glare")
    sheet = TrackedGame(position)
    follower = Follower(sheet, agreeing=1, patience=1)
    follower.give(facts_of([action]) if given else ())
    state = follower.see(Camera(5, doubt=0.0).look(apply(position, action).position.layout(), hidden=veiled))
    assert sheet.done == [action][:done]
    assert isinstance(state, Question) == (given and not done)


def test_where_a_tile_is_known_to_be_sunk_the_pictures_before_it_prove_nothing():
    """What came up is hardly readable; with the tile as it was seen before it would be a tile that lies there still."""
    game = random_game(5, options=Options(backs="dealt"))
    actions = (a for _, a in game)
    first = next(i for i, a in enumerate(actions) if isinstance(a, SinkTile) and a.back == "whale")
    position, sunk = game[first]
    camera = Camera(1, doubt=0.0)
    after = apply(position, sunk).position.layout()
    follower = Follower(sheet := TrackedGame(position), agreeing=1, patience=1)
    follower.give(())
    for _ in range(4):
        follower.see(camera.look(position.layout()))
    follower.give(facts_of([sunk]))
    right = after.at(sunk.hex)
    wrong = msgspec.structs.replace(right, whales=0, sharks=1)
    readings = (HexHypothesis(wrong, 0.33), HexHypothesis(right, 0.18))
    seen = camera.look(after)
    hexes = tuple(msgspec.structs.replace(e, hypotheses=readings) if e.hex == sunk.hex else e for e in seen.hexes)
    state = follower.see(msgspec.structs.replace(seen, hexes=hexes))
    assert sheet.position is position
    assert isinstance(state, Question)
    assert [c.actions for c in state.candidates] == [(sunk,)]


def test_a_tile_that_was_sunk_in_a_shadow_is_waited_for():
    """In a glare it is never seen; a shadow goes, and then it is known what has come up."""
    game = random_game(5, options=Options(backs="dealt"))
    position, action = next(
        step for step in game[40:] if isinstance(step[1], SinkTile) and step[1].back == "move_whale"
    )
    after = apply(position, action).position.layout()
    sheet = TrackedGame(position)
    follower = Follower(sheet, agreeing=1, patience=1)
    follower.give(facts_of([action]))
    camera = Camera(5, doubt=0.0)
    assert follower.see(camera.look(after, hidden={action.hex: "shadow"})) == Waiting("unseen", (action.hex,))
    assert sheet.done == []
    follower.see(camera.look(after))
    assert sheet.done == [action]


@pytest.mark.parametrize(("sure", "asked"), [(0.97, False), (0.3, True)])
def test_another_creature_than_the_back_brings_is_asked_about_if_it_is_not_read_clearly(sure, asked):
    game = random_game(3, options=Options(backs="dealt"))
    position, action = next((p, a) for p, a in game if isinstance(a, SinkTile) and a.back == "shark")
    sheet = TrackedGame(position)
    follower = Follower(sheet, agreeing=1, patience=1)
    follower.give(facts_of([action]))
    after = apply(position, action).position.layout()
    seen = Camera(1, doubt=0.0).look(after)
    shark = after.at(action.hex)
    whale = msgspec.structs.replace(shark, sharks=0, whales=1)
    readings = sorted([HexHypothesis(shark, sure), HexHypothesis(whale, 0.99 - sure)], key=lambda r: -r.probability)
    hexes = (HexEvidence(e.hex, tuple(readings)) if e.hex == action.hex else e for e in seen.hexes)
    state = follower.see(msgspec.structs.replace(seen, hexes=tuple(hexes)))
    assert isinstance(state, Question) == asked
    assert bool(sheet.done) != asked


def drowned() -> Iterator[tuple[Position, MoveExplorer, SinkTile, Position]]:
    """Somebody has stepped on a tile that is sunk then, a shark came up, and nobody is left there to be seen."""
    for seed in range(30):
        for position, _ in random_game(seed, options=Options(backs="dealt")):
            if position.phase != "move":
                continue
            for step in legal_actions(position):
                if not isinstance(step, MoveExplorer) or step.target.on != "tile":
                    continue
                moved = apply(position, step).position
                moved = apply(moved, EndPhase()).position if moved.phase == "move" else moved
                sinking = SinkTile(hex=step.target.hex, back="shark")
                terrain = moved.layout().at(sinking.hex).tile
                if SinkTile(hex=sinking.hex) not in legal_actions(moved) or not moved.backs[terrain].get("shark"):
                    continue
                sunk = apply(moved, sinking).position
                if sunk.phase == "roll" and sunk.layout().at(sinking.hex) == HexContent(sharks=1):
                    yield position, step, sinking, sunk
                    break


def test_who_is_to_be_seen_nowhere_since_he_was_moved_is_asked_about() -> None:
    """On a tile he stepped on, and lost with it: he may as well have been taken off the board."""
    found = list(itertools.islice(drowned(), 5))
    assert len(found) == 5
    for position, _, sinking, sunk in found:
        sheet = TrackedGame(position)
        follower = Follower(sheet, agreeing=1, patience=1)
        follower.give(facts_of([sinking]))
        assert isinstance(follower.see(Camera(1, doubt=0.0).look(sunk.layout())), Question | Contradiction)
        assert sheet.done == []


def test_what_an_answer_has_told_of_is_not_waited_for_again():
    """Which of two tiles out of sight was sunk is asked; then the fact is used up."""
    game = random_game(3, options=Options(backs="dealt"))
    position, action = next((p, a) for p, a in game if isinstance(a, SinkTile) and a.back in {"shark", "whale"})
    sheet = TrackedGame(position)
    follower = Follower(sheet, agreeing=1, patience=1)
    follower.give((Fact("sink_tile", back=action.back),))
    tiles = [a.hex for a in legal_actions(position) if isinstance(a, SinkTile)][:2]
    seen = Camera(1, doubt=0.0).look(position.layout(), hidden=dict.fromkeys(tiles, "glare"))
    question = follower.see(seen)
    assert isinstance(question, Question)
    follower.answer(question.candidates[0].actions)
    assert [type(done) for done in sheet.done] == [SinkTile]
    assert not isinstance(follower.see(seen), Question | Contradiction)


def test_a_fact_that_comes_late_is_not_too_late():
    """The tile is off already and was complained of; then its back is told, and the table shows the same."""
    game = random_game(5, options=Options(backs="dealt"))
    position, action = next(step for step in game[40:] if isinstance(step[1], SinkTile))
    sheet = TrackedGame(position)
    follower = Follower(sheet, agreeing=1, patience=1)
    follower.give(())
    seen = Camera(5, doubt=0.0).look(apply(position, action).position.layout())
    assert isinstance(follower.see(seen), Contradiction)
    follower.give(facts_of([action]))
    follower.see(seen)
    assert sheet.done == [action]


def test_a_back_that_cannot_come_is_no_back():
    """All boats are up already: the fact waits for ever, nothing is taken over, nothing is raised."""
    game = random_game(5, options=Options(backs="dealt"))
    position, action = next(
        (p, a)
        for p, a in reversed(game)
        if isinstance(a, SinkTile) and "boat" not in p.backs[p.layout().at(a.hex).tile]
    )
    sheet = TrackedGame(position)
    follower = Follower(sheet, agreeing=1, patience=1)
    follower.give((Fact("sink_tile", back="boat"),))
    state = follower.see(Camera(5, doubt=0.0).look(apply(position, action).position.layout()))
    assert sheet.done == []
    assert not isinstance(state, Settled)


def test_facts_are_taken_in_their_order():
    """A tile announced behind a sinking is the next player's, though the one before has the same."""
    sunk, played = Fact("sink_tile", back="whale"), Fact("play_tile", tile="dolphin")
    game = random_game(3, options=Options(backs="dealt"))
    position = next(p for p, _ in game if p.phase == "play_tile" and "dolphin" in p.hands[p.active])
    assert awaits_tile(position, (played, sunk))
    assert not awaits_tile(position, (sunk, played))


def test_facts_are_read_by_picture():
    text = """{"before": "p001.jpg", "actions": [{"type": "roll", "face": "shark"}, {"type": "decline", "player": 2}]}

    {"before": "p004.jpg", "actions": [{"type": "play_tile", "tile": "dolphin"}]}"""
    assert decode_facts(text) == {
        "p001.jpg": (Fact("roll", face="shark"), Fact("decline", player=2)),
        "p004.jpg": (Fact("play_tile", tile="dolphin"),),
    }


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "line 2"),
        ('{"before": "p001.jpg"}', "line 2 .*actions"),
        (json.dumps({"before": "p001.jpg", "actions": [{"type": "sink_tile"}]}), "line 2 .*`sink_tile` needs `back`"),
        (json.dumps({"before": "p001.jpg", "actions": [{"type": "roll", "face": "crab"}]}), "line 2 .*face"),
        (json.dumps({"before": "p001.jpg", "actions": [{"type": "swim"}]}), "line 2 .*swim"),
    ],
)
def test_a_line_that_is_no_fact_is_named(line, said):
    with pytest.raises(FactsError, match=said):
        decode_facts('{"before": "p000.jpg", "actions": []}\n' + line)


def test_without_a_tile_to_sink_the_moves_end_in_the_roll_that_was_told_12_2() -> None:
    """Nobody sees the turn end: the creature has been moved in the same picture."""
    players = (Player("Ann", ("red", "blue")), Player("Bo", ("yellow", "green")))
    game, tried = random_game(200, players, Options(last_survivor=True)), 0
    for i in range(len(game) - 2):
        actions, after = played(game, i, 3)
        kinds = [type(action) for action in actions]
        if game[i][0].phase != "move" or kinds != [EndPhase, Roll, MoveCreature] or after.phase in {"scoring", "over"}:
            continue
        tried += 1
        sheet, camera = TrackedGame(game[i][0]), Camera(2, doubt=0.0)
        follower = Follower(sheet, agreeing=1, patience=1)
        follower.give(())
        follower.see(camera.look(sheet.position.layout()))
        follower.give(facts_of(actions))
        assert isinstance(follower.see(camera.look(after.layout())), Settled | Waiting)
        assert sheet.done == actions
    assert tried
