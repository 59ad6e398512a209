"""Nothing that everybody can see depends on what is hidden: two games that differ only in a hand look the same."""

from __future__ import annotations

import random
import traceback

import msgspec
import pytest

from companion.rules import WHEN, IllegalAction, Options, encode_event, encode_view, outcomes
from companion.rules.actions import Action, Defend, PlayTile, SinkTile
from companion.rules.draft import Draft
from companion.table import Journal, Session, start_game
from companion.table.dealer import Dealer
from tests.table.helpers import PEOPLE, random_action

SECRET_WORDS = tuple(back for back, when in WHEN.items() if when != "at once")


def public_output(session: Session, journal: Journal, entries: int = 1) -> bytes:
    """What is meant for all eyes, byte for byte, of the record so many of the last entries.

    The game's id, its time and the commitment are made anew for every game.
    """
    summary = msgspec.structs.replace(journal.games()[0], id="", started=journal.games()[0].started.min)
    return msgspec.json.encode(
        {
            "record": [
                [msgspec.to_builtins(entry.action), [encode_event(e) for e in entry.events], entry.notation, entry.turn]
                for entry in session.record[-entries:]
            ],
            "view": encode_view(session.view(None)),
            "games": summary,
            "look": session.pending_look,
            "undo": session.undo_offer,
            "repr": repr((session.record[-entries:], session.pending_look, session.undo_offer)),
        }
    )


def twin_of(action: Action, session: Session) -> Action | None:
    """The same action with another hidden back, if the twin's deck has one."""
    assert isinstance(action, SinkTile)
    hidden = [back for back, _ in outcomes(session.position, SinkTile(hex=action.hex)) if WHEN[back] != "at once"]  # type: ignore[index]
    other = next((back for back in hidden if back != action.back), None)
    return None if other is None else SinkTile(hex=action.hex, back=other)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(10))
def test_two_games_that_differ_in_hidden_tiles_look_the_same_until_one_is_shown(seed: int) -> None:
    rng = random.Random(seed)
    journals = [Journal(":memory:"), Journal(":memory:")]
    dealer = Dealer(seed)
    one, two = (start_game(j, PEOPLE, Options(), dealer=Dealer(seed)) for j in journals)
    differ = False
    for _ in range(400):
        if one.position.phase in {"scoring", "over"}:
            break
        action = dealer.complete(one.position, random_action(one.position, rng))
        if isinstance(action, PlayTile | Defend):
            continue
        mirrored = action
        if isinstance(action, SinkTile) and action.back is not None and WHEN[action.back] != "at once":
            mirrored = twin_of(action, two) or action
        try:
            two.do(mirrored)
        except IllegalAction:
            break  # the twin's deck has run out of what comes here: from now on the decks differ in public
        one.do(action)
        differ |= one.position.hands != two.position.hands
        assert public_output(one, journals[0]) == public_output(two, journals[1])
    assert public_output(one, journals[0], 999) == public_output(two, journals[1], 999)
    assert differ, f"seed {seed}: no hidden tile was drawn"


@pytest.mark.parametrize("seed", range(3))
def test_what_is_printed_for_people_and_logs_names_no_hidden_tile(seed: int) -> None:
    rng = random.Random(seed)
    journal = Journal(":memory:")
    session = start_game(journal, PEOPLE, Options(), dealer=Dealer(bytes([seed]) * 32))
    while not any(session.position.hands):
        action = random_action(session.position, rng)
        if not isinstance(action, PlayTile):
            session.do(action)
    records = journal.records(session.game_id)
    parts = (session, session.position, journal, records, session.record, session.pending_look, session.undo_offer)
    printed = repr((*parts, Draft.of(session.position)))
    step = repr(session._steps[-1])
    seed_hex = records[0].content()["seed"]
    for word in (*map(repr, SECRET_WORDS), seed_hex):
        assert word not in printed
        assert word not in step


def test_a_crash_report_names_no_hidden_tile() -> None:
    """What goes to the log when the program falls over in the middle of a hidden tile's sinking."""

    def fall_over() -> None:
        if any(session.position.hands):
            raise RuntimeError(f"{session.position} of {session}: {session.record[-1]}")

    rng = random.Random(4)
    session = start_game(Journal(":memory:"), PEOPLE, Options(), dealer=Dealer(bytes(32)))
    session.subscribe(fall_over)
    with pytest.raises(RuntimeError) as crash:  # noqa: PT012 - the draw that fills a hand comes when it comes
        while True:
            session.do(random_action(session.position, rng))
    report = "".join(traceback.format_exception(crash.value))
    assert "in fall_over" in report
    assert not any(repr(word) in report for word in SECRET_WORDS)


def test_only_the_owner_sees_the_drawn_back() -> None:
    rng = random.Random(1)
    session = start_game(Journal(":memory:"), PEOPLE, Options(), dealer=Dealer(1))
    looks = 0
    while session.position.phase != "over":
        session.do(random_action(session.position, rng))
        look = session.pending_look
        if look is not None:
            looks += 1
            seen = [session.drawn_back(player) for player in range(3)]
            assert [i for i, back in enumerate(seen) if back is not None] == [look.player]
            hands = session.view(look.player).hands
            assert all(hand.tiles is None for i, hand in enumerate(hands) if i != look.player)
            session.looked()
    assert looks > 3


def test_the_seed_is_shown_when_the_game_is_over_and_not_before() -> None:
    rng = random.Random(2)
    session = start_game(Journal(":memory:"), PEOPLE, Options(), dealer=Dealer(2))
    while session.position.phase != "over":
        assert session.proof is None
        session.do(random_action(session.position, rng))
    assert session.proof is not None
