"""The view model's table over a watcher: its status in words, its evidence to the follower."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.rules import Options, Player
from companion.rules.layout import HexContent, Layout, encode_layout
from companion.table import Follower, Journal, start_game, weighing
from companion.table.errors import JournalError
from companion.table.follow import FollowState, Settled
from companion.table.weighing import Thinking
from companion.viewmodel.table_link import Lost, Seeing, Starting, Uncalibrated
from companion.vision.observation import (
    Blurred,
    HexEvidence,
    HexHypothesis,
    LandEvidence,
    LandHypothesis,
    Moved,
    NotSeen,
    Observation,
)
from companion.watch import link, watcher
from companion.watch.link import BUMP_S, UNFOUND_S, FollowingError, WatchedTable
from companion.watch.messages import Seen
from tests.table.helpers import PEOPLE, Camera
from watch.fakes import FakeWatcher

SHARK = HexContent(sharks=1)
SECRET = "a whale under D7"


def look(content: HexContent, **how: Any) -> Seen:
    evidence = HexEvidence(hex=(4, 0), hypotheses=(HexHypothesis(content=content, probability=1.0),))
    return Seen(observation=Observation(frame=1, time=0.0, hexes=(evidence,), safe=(), **how))


@pytest.mark.parametrize(
    ("status", "told"),
    [
        (watcher.Starting(), Starting()),
        (watcher.Watching("well"), Seeing()),
        (watcher.Blind("Not yet."), Uncalibrated("Not yet.")),
        (watcher.Blind("It gives {now}.", {"now": "9 x 6"}), Uncalibrated("It gives 9 x 6.")),
        (watcher.Lost("The cable.", None), Lost("The cable.")),
        (watcher.Lost("The cable.", 12.5), Lost("The cable.", retry_s=3)),
        (watcher.Lost("The cable.", 9.0), Lost("The cable.", retry_s=0)),
    ],
)
def test_the_status_is_told(status: watcher.Status, told: object) -> None:
    watching = FakeWatcher("v4l2")
    table = WatchedTable(watching)  # type: ignore[arg-type]
    watching.status = status
    table.poll(10.0)
    assert table.status == told


def test_the_latest_layout_is_that_of_a_steady_picture_of_the_board() -> None:
    watching = FakeWatcher("v4l2")
    table = WatchedTable(watching)  # type: ignore[arg-type]
    assert table.latest_layout() is None
    watching.seen = [look(SHARK), look(HexContent(), moving=True), look(HexContent(), registration=NotSeen())]
    table.poll(0.0)
    assert table.latest_layout() == Layout(hexes={(4, 0): SHARK})


def test_what_a_hand_hides_is_remembered_as_it_was() -> None:
    watching = FakeWatcher("v4l2")
    table = WatchedTable(watching)  # type: ignore[arg-type]
    under_a_hand = Observation(
        frame=2,
        time=0.1,
        hexes=(HexEvidence(hex=(4, 0), hidden="hand"), HexEvidence(hex=(5, 0), hidden="hand")),
        safe=(
            LandEvidence(land="ne", hidden="hand"),
            LandEvidence("sw", (LandHypothesis({"blue": 1}, 0.6),), hidden="hand"),
        ),
    )
    on_land = LandEvidence(land="ne", hypotheses=(LandHypothesis(explorers={"red": 1}, probability=1.0),))
    first = look(SHARK)
    watching.seen = [Seen(observation=msgspec.structs.replace(first.observation, safe=(on_land,)))]
    table.poll(0.0)
    watching.seen = [Seen(observation=under_a_hand)]
    table.poll(0.1)
    assert table.latest_layout() == Layout(hexes={(4, 0): SHARK}, safe={"ne": {"red": 1}})


def test_a_table_that_shows_the_same_is_weighed_again_only_when_the_game_has_gone_on_or_pictures_are_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    weighed: list[int] = []

    def seeing(follower: Follower, observation: Observation) -> Thinking[FollowState]:
        weighed.append(observation.frame)
        yield from ()
        return follower.state

    followers: list[Follower] = []
    monkeypatch.setattr(Follower, "seeing", seeing)

    def made(*args: Any, **how: Any) -> Follower:
        followers.append(Follower(*args, **how))
        return followers[-1]

    monkeypatch.setattr(link, "Follower", made)
    watching = FakeWatcher("v4l2")
    table = WatchedTable(watching)  # type: ignore[arg-type]

    def show(number: int, *, still: bool) -> None:
        observation = msgspec.structs.replace(look(SHARK).observation, frame=number)
        watching.seen = [Seen(observation=observation, still=still)]
        table.poll(float(number))

    with Journal(tmp_path / "games.sqlite") as journal:
        session = start_game(journal, (Player("Ann", ("red",)), Player("Bo", ("blue",))), Options())
        table.follow(session)
        show(1, still=False)
        show(2, still=True)  # it is settling
        followers[0].state = Settled()
        show(3, still=True)
        show(4, still=False)
        session.do(session.legal()[0])
        show(5, still=True)
        show(6, still=True)
        session.close()
    assert weighed == [1, 2, 4, 5]


def test_a_fault_of_the_weighing_is_told_once_without_what_it_says_and_the_game_is_no_longer_followed(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(*_: Any, **_how: Any) -> None:
        raise LookupError(SECRET)

    watching, camera = FakeWatcher("v4l2"), Camera(3, doubt=0.0)
    table = WatchedTable(watching)  # type: ignore[arg-type]
    session = start_game(Journal(":memory:"), PEOPLE, Options())

    def look() -> None:
        watching.seen = [Seen(observation=camera.look(session.position.layout())) for _ in range(2)]
        table.poll(0.0)

    def look_until_it_fails() -> None:
        until = time.monotonic() + 20.0
        while time.monotonic() < until:
            look()

    table.follow(session)
    with monkeypatch.context() as faulty:
        faulty.setattr(weighing, "weigh", fails)
        with pytest.raises(FollowingError, match="Play on by touch"):
            look_until_it_fails()
    (told,) = caplog.messages
    assert "LookupError" in told
    assert "in fails" in told, "where it happened"
    assert SECRET not in told
    look()
    assert table.follow_state is None
    session.do(session.legal()[0])
    table.follow(session)
    look()
    assert table.follow_state is not None
    table.follow(None)


def test_a_move_that_cannot_be_recorded_is_told_as_it_is_and_the_game_is_followed_on(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(_follower: Follower, _observation: Observation) -> Thinking[FollowState]:
        raise JournalError("full", "The disk is full.")
        yield

    watching = FakeWatcher("v4l2")
    table = WatchedTable(watching)  # type: ignore[arg-type]
    monkeypatch.setattr(Follower, "seeing", full)
    table.follow(start_game(Journal(":memory:"), PEOPLE, Options()))
    watching.seen = [look(SHARK)]
    with pytest.raises(JournalError):
        table.poll(0.0)
    assert table.follow_state is not None
    assert caplog.messages == []


def test_a_bump_is_told_at_once_and_for_some_seconds() -> None:
    watching = FakeWatcher("v4l2")
    table = WatchedTable(watching)  # type: ignore[arg-type]
    watching.status = watcher.Watching("well")
    moved = Moved(what="board", east_mm=9.0, south_mm=0.0, turn_degrees=1.0)
    watching.seen = [look(SHARK, registration=moved), look(SHARK)]
    table.poll(100.0)
    assert table.status == Seeing(bumped="board")
    table.poll(100.0 + BUMP_S - 0.1)
    assert table.status == Seeing(bumped="board")
    table.poll(100.0 + BUMP_S)
    assert table.status == Seeing()


def test_a_board_out_of_sight_is_told_when_it_is_no_passing_arm() -> None:
    watching = FakeWatcher("v4l2")
    watching.status = watcher.Watching("well")
    table = WatchedTable(watching)  # type: ignore[arg-type]
    watching.seen = [look(SHARK, registration=NotSeen())]
    table.poll(10.0)
    assert table.status == Seeing()
    table.poll(10.0 + UNFOUND_S)
    assert table.status == Seeing(registered=False)
    watching.seen = [look(SHARK, registration=Blurred(0.1))]
    table.poll(19.0)
    assert table.status == Seeing(registered=False, sharp=False)
    watching.seen = [look(SHARK)]
    table.poll(20.0)
    assert table.status == Seeing()
    watching.seen = [look(SHARK, registration=Blurred(0.1))]
    table.poll(21.0)
    assert table.status == Seeing()


def test_only_the_simulated_table_arranges_itself() -> None:
    layout = Layout(hexes={(4, 0): SHARK})
    real, simulated = FakeWatcher("v4l2"), FakeWatcher("simulated")
    for watching in (real, simulated):
        WatchedTable(watching).sync(layout)  # type: ignore[arg-type]
    assert real.laid == []
    assert simulated.laid == [encode_layout(layout)]
