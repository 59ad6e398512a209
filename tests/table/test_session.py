"""A game played through a session: what is done is on the disk, what is undone is remembered."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import pytest

from companion.rules import WHEN, BadSetup, IllegalAction, Options, Player, apply
from companion.rules.actions import Action, EndPhase, MoveCreature, MoveExplorer, Roll, SinkTile
from companion.table import (
    ConsentNeeded,
    Journal,
    JournalError,
    NothingToUndo,
    PendingLook,
    Session,
    abandon,
    resume,
    start_game,
)
from companion.table.dealer import Dealer
from companion.table.export import export
from companion.table.session import Source
from tests.table.helpers import PEOPLE, random_action


@pytest.fixture
def journal() -> Journal:
    return Journal(":memory:")


def begin(journal: Journal, seed: int = 1, options: Options | None = None) -> Session:
    return start_game(journal, PEOPLE, options or Options(), dealer=Dealer(seed))


def play_until(session: Session, phase: str, seed: int = 1) -> Session:
    rng = random.Random(seed)
    while session.position.phase != phase:
        session.do(random_action(session.position, rng))
    return session


def sink_and_keep(session: Session) -> None:
    """Remove a tile whose back goes into the hand."""
    action = play_until(session, "sink").legal()[0]
    assert isinstance(action, SinkTile)
    tile = session.view(None).layout.at(action.hex).tile
    assert tile is not None
    kept = next(back for back in session.position.backs[tile] if WHEN[back] != "at once")
    session.do(SinkTile(hex=action.hex, back=kept))


@pytest.mark.parametrize("seed", range(6))
def test_a_game_taken_up_again_at_any_step_is_the_same_game(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    options = Options(backs="printed") if seed % 2 else Options()
    path = tmp_path / "games.db"
    journal = Journal(path)
    session = start_game(journal, PEOPLE, options, dealer=Dealer(seed))
    while session.position.phase != "over":
        for _ in range(rng.randrange(1, 40)):
            if session.position.phase != "over":
                session.do(random_action(session.position, rng))
            if rng.random() < 0.1:
                session.undo(consent=(0, 1, 2))
        journal.close()
        journal = Journal(path)
        again = resume(journal, session.game_id)
        assert again.position == session.position
        assert again.record == session.record
        assert again.fingerprint == session.fingerprint
        assert again.pending_look == session.pending_look
        assert again.undone == session.undone
        session = again
    summary = journal.games()[0]
    assert summary.finished
    assert summary.winners == session.position.winners
    assert summary.turns == session.record[-1].turn
    assert journal.open_game() is None


def test_who_took_back_the_last_step_is_known_after_taking_up_until_something_is_done(journal: Journal) -> None:
    session = begin(journal)
    session.do(session.legal()[0])
    session.undo(source="camera")
    again = resume(journal, session.game_id)
    assert again.undone == session.undone
    assert again.undone is not None
    assert again.undone.source == "camera"
    again.do(again.legal()[0])
    assert resume(journal, session.game_id).undone is None


def test_dealing_after_taking_up_is_the_same_as_without_a_break() -> None:
    games = []
    for breaks in (False, True):
        journal = Journal(":memory:")
        session = start_game(journal, PEOPLE, Options(), dealer=Dealer(5))
        rng = random.Random(5)
        while session.position.phase != "over":
            session.do(random_action(session.position, rng))
            if breaks:
                session = resume(journal, session.game_id)
        games.append([entry.notation for entry in session.record])
    assert games[0] == games[1]


def test_a_step_is_on_the_disk_before_anybody_hears_of_it(journal: Journal) -> None:
    session = begin(journal)
    heard: list[int] = []
    session.subscribe(lambda: heard.append(len(journal.records(session.game_id))))
    session.do(session.legal()[0])
    assert heard == [2]


def test_listeners_hear_every_change_until_they_leave(journal: Journal) -> None:
    session = begin(journal)
    heard: list[str] = []
    leave = session.subscribe(lambda: heard.append(session.position.phase))
    session.do(session.legal()[0])
    session.undo()
    leave()
    session.do(session.legal()[0])
    assert len(heard) == 2


def test_an_illegal_action_changes_nothing(journal: Journal) -> None:
    session = begin(journal)
    before = session.position
    with pytest.raises(IllegalAction) as caught:
        session.do(Roll())
    assert caught.value.rule == "3"
    assert session.position is before
    assert len(journal.records(session.game_id)) == 1


def test_a_step_the_disk_refuses_is_not_taken_and_deals_the_same_later(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = play_until(begin(journal), "roll")
    before, record = session.position, session.record
    heard: list[None] = []
    session.subscribe(lambda: heard.append(None))

    def full(*_: object, **__: object) -> None:
        raise JournalError("full", "The disk is full.")

    with monkeypatch.context() as patch:
        patch.setattr(journal, "append", full)
        with pytest.raises(JournalError):
            session.do(Roll())
    assert (session.position, session.record, heard) == (before, record, [])
    session.do(Roll())
    other = play_until(begin(journal), "roll")
    other.do(Roll())
    assert session.record[-1].events == other.record[-1].events


def two_moves(session: Session) -> tuple[list[MoveExplorer], list[MoveExplorer]]:
    """Two moves that have been done, and what the same explorers could have done instead."""
    play_until(session, "move")
    done, others = [], []
    for _ in range(2):
        moves = [a for a in session.legal() if isinstance(a, MoveExplorer) and a.target.on == "tile"]
        one, other = next((a, b) for a, b in itertools.combinations(moves, 2) if a.origin == b.origin)
        session.do(one, "camera")
        done.append(one)
        others.append(other)
    return done, others


def by_camera(actions: list[MoveExplorer]) -> list[tuple[Action, Source]]:
    return [(action, "camera") for action in actions]


def test_the_last_moves_are_exchanged_in_one_and_the_journal_keeps_both(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "games.db")
    session = begin(journal)
    start = play_until(session, "move").position
    done, others = two_moves(session)
    expected = apply(apply(start, others[0]).position, others[1]).position
    heard: list[None] = []
    session.subscribe(lambda: heard.append(None))
    lines = len(journal.records(session.game_id))
    assert session.exchange(done, by_camera(others))
    assert session.position == expected
    assert [(entry.action, entry.source) for entry in session.record[-2:]] == [(a, "camera") for a in others]
    assert (len(heard), session.undone) == (1, None)
    assert [r.kind for r in journal.records(session.game_id)[lines:]] == ["undo", "undo", "action", "action"]
    journal.close()
    again = resume(Journal(tmp_path / "games.db"), session.game_id)
    assert (again.position, again.record, again.undone) == (session.position, session.record, None)
    serials = [entry.serial for entry in again.record]
    assert serials == sorted(set(serials))


def test_moves_that_cannot_be_exchanged_stay(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    """Others are the last, what comes instead is illegal, the disk is full, or somebody would have to agree."""
    session = begin(journal)
    done, others = two_moves(session)
    before, record, lines = session.position, session.record, len(journal.records(session.game_id))
    assert not session.exchange(others, by_camera(done))
    with pytest.raises(IllegalAction):
        session.exchange(done, [*by_camera(others[:1]), (Roll(), "camera")])

    def full(*_: object, **__: object) -> None:
        raise JournalError("full", "The disk is full.")

    with monkeypatch.context() as patch:
        patch.setattr(journal, "append", full)
        with pytest.raises(JournalError):
            session.exchange(done, by_camera(others))
    assert (session.position, session.record) == (before, record)
    play_until(session, "roll").do(Roll())
    rolled = session.record[-1].action
    assert isinstance(rolled, Roll)
    assert not session.exchange([rolled], [(rolled, "camera")])
    assert len(journal.records(session.game_id)) == lines + len(session.record) - len(record)


def test_players_that_cannot_be_are_refused_and_nothing_is_written(journal: Journal) -> None:
    with pytest.raises(BadSetup):
        start_game(journal, [Player("Ann", ("red",)), Player("Bo", ("red",))], Options())
    assert journal.games() == []


def test_turns_are_counted_from_the_first_after_setting_up(journal: Journal) -> None:
    session = begin(journal)
    assert play_until(session, "move").record[-1].turn == 0
    play_until(session, "sink")
    assert session.record[-1].turn == 1
    play_until(session, "roll")
    assert journal.games()[0].turns == 1


def test_an_abandoned_game_is_kept_but_not_offered(journal: Journal) -> None:
    session = begin(journal)
    abandon(journal, session.game_id)
    assert journal.open_game() is None
    assert journal.games()[0].abandoned
    resume(journal, session.game_id).do(session.legal()[0])
    assert journal.open_game() is not None


def test_the_view_of_an_earlier_time_is_for_a_replay(journal: Journal) -> None:
    session = begin(journal)
    views = [session.view(None)]
    for _ in range(40):
        session.do(session.legal()[0])
        views.append(session.view(None))
    assert [session.view(None, after=n) for n in range(41)] == views


def test_a_step_that_these_rules_do_not_know_is_named_and_nothing_is_lost(journal: Journal) -> None:
    session = begin(journal)
    journal.append(
        session.game_id, [("action", {"action": {"type": "roll", "face": "shark"}, "source": "touch", "turn": 0})]
    )
    with pytest.raises(JournalError, match="Step 1 of this game"):
        resume(journal, session.game_id)
    assert len(journal.records(session.game_id)) == 2


def test_a_game_of_another_family_is_named(journal: Journal) -> None:
    journal.append("c", [("start", {"game": "catacombs", "players": [], "options": {}})])
    with pytest.raises(JournalError, match="does not know the game 'catacombs'"):
        resume(journal, "c")


# Undo


def test_at_the_start_there_is_nothing_to_undo(journal: Journal) -> None:
    session = begin(journal)
    assert session.undo_offer is None
    with pytest.raises(NothingToUndo):
        session.undo()


def test_a_move_is_taken_back_freely_and_the_journal_keeps_both(journal: Journal) -> None:
    session = play_until(begin(journal), "move")
    before = session.position
    session.do(session.legal()[0])
    offer = session.undo_offer
    assert offer is not None
    assert (offer.consent, offer.reasons) == ((), ())
    assert session.undo() == offer.entry
    assert session.position == before
    assert [r.kind for r in journal.records(session.game_id)][-2:] == ["action", "undo"]


def test_everybody_has_to_agree_to_go_back_behind_a_roll(journal: Journal) -> None:
    session = play_until(begin(journal), "roll")
    session.do(Roll())
    offer = session.undo_offer
    assert offer is not None
    assert (offer.consent, offer.reasons) == ((0, 1, 2), ("roll",))
    with pytest.raises(ConsentNeeded) as caught:
        session.undo(consent=(0, 2))
    assert caught.value.players == (1,)
    session.undo(consent=(0, 1, 2))
    assert session.position.phase == "roll"


def test_everybody_has_to_agree_to_go_back_behind_a_drawn_back(journal: Journal) -> None:
    session = play_until(begin(journal), "sink")
    session.do(session.legal()[0])
    offer = session.undo_offer
    assert offer is not None
    assert offer.reasons == ("secret",)
    assert offer.consent == (0, 1, 2)


def test_everybody_has_to_agree_to_go_back_behind_an_answer(journal: Journal) -> None:
    session = begin(journal)
    rng = random.Random(3)
    while session.position.phase != "reaction":
        assert session.position.phase != "over"
        session.do(random_action(session.position, rng))
    session.do(session.legal()[-1])
    offer = session.undo_offer
    assert offer is not None
    assert offer.reasons == ("secret",)


def test_a_creature_moved_is_taken_back_freely_into_the_turn_before(journal: Journal) -> None:
    session = play_until(begin(journal), "creature")
    player = session.position.active
    session.do(next(a for a in session.legal() if isinstance(a, MoveCreature)))
    offer = session.undo_offer
    assert offer is not None
    assert offer.consent == ()
    session.undo()
    assert (session.position.active, session.position.phase) == (player, "creature")


def test_the_stream_goes_on_after_an_undo_so_that_nothing_can_be_known_beforehand(journal: Journal) -> None:
    faces = set()
    session = play_until(begin(journal), "roll")
    for _ in range(30):
        session.do(Roll())
        action = session.record[-1].action
        assert isinstance(action, Roll)
        faces.add(action.face)
        session.undo(consent=(0, 1, 2))
    assert faces == {"serpent", "shark", "whale"}


# The tile that goes into a hand


def test_the_back_that_was_drawn_waits_for_its_player_also_after_a_restart(journal: Journal) -> None:
    session = begin(journal)
    sink_and_keep(session)
    look = session.pending_look
    assert isinstance(look, PendingLook)
    back = session.position.hands[look.player][-1]
    again = resume(journal, session.game_id)
    for s in (session, again):
        assert s.pending_look == look
        assert s.drawn_back(look.player) == back
        assert all(s.drawn_back(other) is None for other in range(3) if other != look.player)
    session.looked()
    session.looked()
    assert session.pending_look is None
    assert session.drawn_back(look.player) is None
    assert resume(journal, session.game_id).pending_look is None
    assert [r.kind for r in journal.records(session.game_id)].count("looked") == 1


def test_a_back_that_works_at_once_is_shown_to_all_and_waits_for_nobody(journal: Journal) -> None:
    session = play_until(begin(journal), "sink")
    action = session.legal()[0]
    assert isinstance(action, SinkTile)
    session.do(SinkTile(hex=action.hex, back="whale"))
    assert session.pending_look is None


def test_a_drawn_back_that_is_undone_waits_for_nobody(journal: Journal) -> None:
    session = begin(journal)
    sink_and_keep(session)
    session.undo(consent=(0, 1, 2))
    assert session.pending_look is None


def test_whoever_has_lifted_a_tile_has_looked_at_its_printed_back_6_3(journal: Journal) -> None:
    """Else people could fish for a better one."""
    session = play_until(begin(journal, options=Options(backs="printed")), "sink")
    session.do(session.legal()[0])
    offer = session.undo_offer
    assert offer is not None
    assert (offer.consent, offer.reasons) == ((0, 1, 2), ("secret",))


def test_what_is_exported_of_a_game_that_is_on_keeps_back_what_its_player_may_not_have_seen(journal: Journal) -> None:
    """Else it would tell from the hidden tile what the replay does not."""
    session = play_until(begin(journal), "sink")
    before = session.exported()
    action = session.legal()[0]
    assert isinstance(action, SinkTile)
    session.do(SinkTile(hex=action.hex, back="whale"))
    assert session.exported() == before
    assert [a["number"] for a in export(journal, session.game_id)["actions"]] == [e.serial for e in session.record[:-1]]
    session.do(Roll())
    assert len(session.exported().actions) == len(session.record)


def test_with_printed_backs_the_player_has_seen_the_back(journal: Journal) -> None:
    session = play_until(begin(journal, options=Options(backs="printed")), "reveal")
    session.do(next(a for a in session.legal() if a.back == "wind"))  # type: ignore[union-attr]
    assert session.pending_look is None
    assert session.record[-1].action is None


def test_ending_a_phase_is_an_entry_like_any_other(journal: Journal) -> None:
    session = play_until(begin(journal), "move")
    session.do(EndPhase(), source="buttons")
    assert session.record[-1].source == "buttons"
    assert session.record[-1].phase == "move"
