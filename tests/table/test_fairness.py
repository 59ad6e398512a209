"""Chance is fair, fixed from the start, and can be checked by anybody afterwards."""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from companion.rules import BACKS, DIE, TILE_COUNTS, Options
from companion.rules.actions import Roll, SinkTile
from companion.table import Journal, JournalError, start_game
from companion.table.dealer import Dealer
from companion.table.errors import UnreadableStep
from companion.table.fairness import commitment, deck_order, draw, fingerprint
from companion.table.session import Session
from companion.table.start import begin
from companion.table.verify import Verdict, verify
from tests.table.helpers import PEOPLE, random_action, random_game

SEED = bytes(range(32))


def chi_squared(counts: list[int]) -> float:
    """How far counts that should be equal are apart."""
    usual = sum(counts) / len(counts)
    return sum((count - usual) ** 2 / usual for count in counts)


def test_a_draw_depends_on_seed_stream_and_number_only() -> None:
    outcomes = tuple(DIE.items())
    assert draw(SEED, "die", 3, outcomes) == draw(SEED, "die", 3, tuple(reversed(outcomes)))
    drawn = {
        (s, stream, n): draw(s, stream, n, [(str(i), 1) for i in range(10_000)])
        for s in (SEED, b"other")
        for stream in ("die", "beach")
        for n in range(3)
    }
    assert len(set(drawn.values())) == len(drawn)


def test_each_face_comes_as_often_as_its_weight_says() -> None:
    rolls = Counter(draw(SEED, "die", n, DIE.items()) for n in range(60_000))
    assert chi_squared([rolls[face] for face in DIE]) < 13.8  # 2 degrees of freedom: exceeded once in a thousand
    uneven = Counter(draw(SEED, "die", n, [("a", 1), ("b", 3)]) for n in range(4000))
    assert abs(uneven["a"] - 1000) < 120


def test_a_roll_does_not_depend_on_the_roll_before_nor_on_the_backs_dealt() -> None:
    faces = [draw(SEED, "die", n, DIE.items()) for n in range(60_000)]
    backs = [draw(SEED, "beach", n, [("a", 1), ("b", 1), ("c", 1)]) for n in range(60_000)]
    for others in (faces[1:] + faces[:1], backs):
        pairs = Counter(zip(faces, others, strict=True))
        assert len(pairs) == 9
        assert chi_squared(list(pairs.values())) < 26.2  # 8 degrees of freedom: exceeded once in a thousand


def test_a_deck_comes_out_whole_and_in_another_order_for_another_seed() -> None:
    for terrain, backs in BACKS.items():
        assert Counter(deck_order(SEED, terrain, backs)) == Counter(backs)
    assert deck_order(SEED, "beach", BACKS["beach"]) != deck_order(b"other", "beach", BACKS["beach"])


def test_every_place_in_the_deck_may_hold_the_volcano() -> None:
    places = Counter(deck_order(bytes([n]), "mountain", BACKS["mountain"]).index("volcano") for n in range(250))
    assert set(places) == set(range(8))


def test_the_backs_come_in_the_order_the_dealer_is_committed_to() -> None:
    orders = json.loads(commitment(b"7", BACKS))["decks"]
    came: dict[str, list[str]] = {terrain: [] for terrain in BACKS}
    for position, action in random_game(7):
        if isinstance(action, SinkTile):
            tile = position.layout().at(action.hex).tile
            assert tile is not None
            assert action.back is not None
            came[tile].append(action.back)
    assert sum(map(len, came.values())) > 30
    for terrain, backs in came.items():
        assert orders[terrain][: len(backs)] == backs


def test_the_fingerprint_is_the_sha_256_of_the_line_that_is_shown_at_the_end() -> None:
    line = commitment(SEED, BACKS)
    assert SEED.hex() in line
    assert hashlib.sha256(line.encode()).hexdigest() == fingerprint(SEED, BACKS)


def test_the_dealer_shuffles_forty_tiles_and_prints_no_seed() -> None:
    assert Counter(Dealer(3).tiles().values()) == Counter(TILE_COUNTS)
    assert Dealer(3).tiles() == Dealer(3).tiles() != Dealer(4).tiles()
    assert repr(Dealer(b"secret")) == "Dealer()"
    assert Dealer().seed != Dealer().seed


@pytest.fixture
def finished() -> tuple[Journal, str]:
    """A game with a roll and a back taken back on the way."""
    rng = random.Random(4)
    journal = Journal(":memory:")
    session = start_game(journal, PEOPLE, Options(), dealer=Dealer(4))
    while session.position.phase != "over":
        session.do(random_action(session.position, rng))
        if isinstance(session.record[-1].action, Roll | SinkTile) and rng.random() < 0.2 and not session.proof:
            session.undo(consent=(0, 1, 2))
    return journal, session.game_id


def test_a_finished_game_can_be_verified(finished: tuple[Journal, str]) -> None:
    verdict = verify(*finished)
    assert verdict.problems == ()
    assert verdict.draws > 60
    assert hashlib.sha256(verdict.commitment.encode()).hexdigest() == verdict.fingerprint


def forged(finished: tuple[Journal, str], kind: str, forge: Callable[[dict[str, Any]], None]) -> Verdict:
    """The same game with one record of a kind changed and all of it sealed again."""
    journal, game_id = finished
    other = Journal(":memory:")
    done = False
    for record in journal.records(game_id):
        body = record.content()
        if not done and (record.kind == kind or body.get("action", {}).get("type") == kind):
            forge(body)
            done = True
        other.append(game_id, [(record.kind, body)])
    return verify(other, game_id)


def test_a_roll_that_the_seed_does_not_give_is_found(finished: tuple[Journal, str]) -> None:
    def forge(body: dict[str, Any]) -> None:
        body["draw"][1] += 1

    assert "which was due" in forged(finished, "roll", forge).problems[0]


def test_a_back_that_the_seed_does_not_give_is_found(finished: tuple[Journal, str]) -> None:
    def forge(body: dict[str, Any]) -> None:
        body["action"]["back"] = "wind" if body["action"]["back"] != "wind" else "dolphin"

    journal, game_id = finished
    beach = Journal(":memory:")
    for record in journal.records(game_id):
        body = record.content()
        last = body.get("action", {}).get("type") == "sink_tile"
        if last:
            forge(body)
        beach.append(game_id, [(record.kind, body)])
        if last:
            beach.append(game_id, [("finished", {"winners": [0], "totals": [0, 0, 0]})])
            break
    assert "not what the seed says" in verify(beach, game_id).problems[0]


def test_another_seed_than_the_published_one_is_found(finished: tuple[Journal, str]) -> None:
    def forge(body: dict[str, Any]) -> None:
        body["fingerprint"] = "0" * 64

    assert "fingerprint" in forged(finished, "start", forge).problems[0]


@pytest.mark.parametrize("digits", [8, 20, 64])
def test_the_record_is_held_against_what_people_noted_at_the_start(finished: tuple[Journal, str], digits: int) -> None:
    """A record that somebody has written anew, fingerprint and all, is that of another deal."""
    published = verify(*finished).fingerprint
    assert verify(*finished, published[:digits].upper()).problems == ()
    (problem,) = verify(*finished, f"{published[: digits - 1]}{'0' if published[digits - 1] != '0' else '1'}").problems
    assert f"begins with {published[:digits]}, not with {published[: digits - 1]}" in problem


def shuffled(journal: Journal, session: Session, rng: random.Random) -> bool | None:
    """What is found of the tiles when the game has been played to its end."""
    while session.position.phase != "over":
        session.do(random_action(session.position, rng))
    verdict = verify(journal, session.game_id)
    assert verdict.problems == ()
    return verdict.shuffled


def test_whether_the_seed_shuffled_the_tiles_is_found() -> None:
    """The record does not say who laid the tiles: the dealer, people, or those who began from a later position."""
    rng, journal = random.Random(4), Journal(":memory:")
    assert shuffled(journal, start_game(journal, PEOPLE, Options(), dealer=Dealer(4)), rng) is True
    assert shuffled(journal, start_game(journal, PEOPLE, Options(), Dealer(5).tiles(), Dealer(4)), rng) is False
    later = next(position for position, action in reversed(random_game(5)) if isinstance(action, SinkTile))
    assert shuffled(journal, begin(journal, later, Dealer(4)), rng) is None


def test_another_result_than_the_game_gives_is_found(finished: tuple[Journal, str]) -> None:
    def forge(body: dict[str, Any]) -> None:
        body["totals"] = [99, *body["totals"][1:]]

    assert "winners and totals" in forged(finished, "finished", forge).problems[0]


def test_a_roll_that_claims_to_be_entered_is_counted_as_such_and_the_draws_after_it_are_not_due(
    finished: tuple[Journal, str],
) -> None:
    def forge(body: dict[str, Any]) -> None:
        del body["draw"]

    verdict = forged(finished, "roll", forge)
    assert verdict.entered == verify(*finished).entered + 1
    assert "which was due" in verdict.problems[0]


def test_printed_backs_are_counted_as_entered_by_people() -> None:
    rng, journal = random.Random(5), Journal(":memory:")
    session = start_game(journal, PEOPLE, Options(backs="printed"), dealer=Dealer(5))
    while session.position.phase != "over":
        session.do(random_action(session.position, rng))
    bodies = [record.content() for record in journal.records(session.game_id) if record.kind == "action"]
    backs = sum(body["action"]["type"] == "reveal" for body in bodies)
    verdict = verify(journal, session.game_id)
    assert (verdict.entered, verdict.problems) == (backs, ())
    assert backs > 0


def test_a_step_that_the_rules_refuse_is_one_sentence(finished: tuple[Journal, str]) -> None:
    def forge(body: dict[str, Any]) -> None:
        body["action"]["face"] = "teapot"

    with pytest.raises(UnreadableStep, match="does not go by the rules"):
        forged(finished, "roll", forge)


def test_a_start_of_a_later_version_is_one_sentence(finished: tuple[Journal, str]) -> None:
    def forge(body: dict[str, Any]) -> None:
        body["position"]["phase_of_the_moon"] = 1

    with pytest.raises(UnreadableStep, match="does not go by the rules"):
        forged(finished, "start", forge)


def test_records_in_an_order_that_cannot_be_are_found(finished: tuple[Journal, str]) -> None:
    """A result of a game in which nothing was done, and something taken back that nobody has done."""
    journal, game_id = finished
    start, *_, end = (r for r in journal.records(game_id) if r.kind in {"start", "finished"})
    bare = Journal(":memory:")
    for kind, body in (("start", start.content()), ("undo", {"undoes": 1, "turn": 0}), ("finished", end.content())):
        bare.append(game_id, [(kind, body)])
    taken_back, result = verify(bare, game_id).problems
    assert "takes back what nobody has done" in taken_back
    assert "winners and totals" in result


def test_a_game_of_another_companion_is_said_to_be_unknown(finished: tuple[Journal, str]) -> None:
    def forge(body: dict[str, Any]) -> None:
        body["game"] = "catacombs"

    with pytest.raises(JournalError, match="does not know the game 'catacombs'"):
        forged(finished, "start", forge)


def test_what_was_taken_back_is_counted_and_who_agreed_is_on_record(finished: tuple[Journal, str]) -> None:
    journal, game_id = finished
    undone = [record.content() for record in journal.records(game_id) if record.kind == "undo"]
    assert verify(*finished).undone == len(undone) > 0
    assert all(body["consent"] == [0, 1, 2] for body in undone)


def test_a_game_that_is_not_over_cannot_be_verified() -> None:
    journal = Journal(":memory:")
    session = start_game(journal, PEOPLE, Options())
    with pytest.raises(JournalError, match="when it is over"):
        verify(journal, session.game_id)
