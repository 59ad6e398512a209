"""What takes long is weighed beside the screen: it is taken up when it is done, and only if it still counts."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from companion.rules import Options, apply
from companion.rules.actions import Action, MoveExplorer
from companion.rules.layout import Layout
from companion.table import Follower, Journal, Session, Settled, Waiting, start_game, weighing
from companion.table.dealer import Dealer
from companion.table.errors import JournalError
from companion.table.follow import FollowState
from companion.table.reconcile import weigh
from companion.table.weighing import Thinking
from companion.vision.observation import Observation
from companion.watch.thinking import Thinker
from tests.table.helpers import PEOPLE, Camera, random_action

LONG_S = 20.0
"""Far more than anything here takes."""


class Scales:
    """`weigh`, which waits to be let go. `begun` tells of each time that it was asked, `count` how many there were."""

    def __init__(self) -> None:
        self.free = threading.Event()
        self.begun = threading.Semaphore(0)
        self.count = 0
        self.threads: set[str] = set()
        self.error: Exception | None = None

    def __call__(self, *args: Any, **how: Any) -> object:
        self.threads.add(threading.current_thread().name)
        self.count += 1
        self.begun.release()
        assert self.free.wait(LONG_S)
        if self.error is not None:
            raise self.error
        return weigh(*args, **how)


class Table:
    """A game in play that is followed by thinking; nothing is held up before `weigh` is replaced."""

    def __init__(self) -> None:
        self.session: Session = start_game(Journal(":memory:"), PEOPLE, Options(), dealer=Dealer(3))
        self.camera = Camera(3, doubt=0.0)
        rng = random.Random(3)
        while self.session.position.phase != "move":
            self.session.do(random_action(self.session.position, rng))
        self.thinker = Thinker(self.session, Follower(self.session))
        self.show(self.session.position.layout())
        assert isinstance(self.thinker.state, Settled)

    def look(self, layout: Layout, pictures: int = 1) -> None:
        """So many pictures."""
        for _ in range(pictures):
            self.thinker.see(self.camera.look(layout))

    def wait(self, until: Any = None) -> None:
        """Poll as the screen does until it has thought, or that is so."""
        end = time.monotonic() + LONG_S
        while not (until() if until else not self.thinker.is_busy):
            assert time.monotonic() < end
            self.thinker.go_on()
            time.sleep(0.001)

    def show(self, layout: Layout) -> None:
        """Pictures enough to be taken seriously, thought through."""
        self.look(layout, pictures=2)
        self.wait()

    def moves(self) -> list[Action]:
        """Walks on land."""
        return [a for a in self.session.legal() if isinstance(a, MoveExplorer) and a.target.on == "tile"]

    def after(self, action: Action) -> Layout:
        return apply(self.session.position, action).position.layout()


@pytest.fixture
def scales(monkeypatch: pytest.MonkeyPatch) -> Iterator[Scales]:
    """They hold nothing up until the table is there."""
    scales = Scales()
    monkeypatch.setattr(weighing, "weigh", scales)
    scales.free.set()
    yield scales
    scales.free.set()


@pytest.fixture
def table(scales: Scales) -> Table:
    return Table()


@pytest.fixture
def seen(table: Table, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of the pictures that the follower is shown from now on."""
    numbers: list[int] = []
    seeing = Follower.seeing

    def noted(follower: Follower, observation: Observation) -> Thinking[FollowState]:
        numbers.append(observation.frame)
        return seeing(follower, observation)

    monkeypatch.setattr(Follower, "seeing", noted)
    return numbers


def test_the_screen_does_not_wait_and_the_move_is_taken_over_when_it_is_weighed(table: Table, scales: Scales) -> None:
    move = table.moves()[0]
    scales.free.clear()
    table.look(table.after(move), pictures=2)  # returns, though it is weighed still
    before = table.session.position
    table.thinker.go_on()
    assert table.session.position is before
    scales.free.set()
    table.wait(lambda: table.session.position is not before)
    assert table.session.record[-1].action == move
    assert all(name.startswith("thinking") for name in scales.threads)


def test_what_people_do_on_the_screen_meanwhile_counts(table: Table, scales: Scales) -> None:
    seen, touched = table.moves()[0], table.moves()[-1]
    assert seen != touched
    scales.free.clear()
    table.look(table.after(seen), pictures=2)
    table.session.do(touched)
    after = table.session.position
    scales.free.set()
    table.wait()
    assert table.session.position is after
    table.show(after.layout())
    assert isinstance(table.thinker.state, Settled)
    assert table.session.position is after


def test_what_has_not_begun_to_be_weighed_is_not_weighed_when_people_go_on(table: Table, scales: Scales) -> None:
    before = scales.count
    scales.free.clear()
    for _ in range(3):
        table.look(table.session.position.layout(), pictures=2)
        table.session.do(table.moves()[0])
        table.thinker.go_on()
    table.look(table.session.position.layout(), pictures=2)
    begun = scales.count
    scales.free.set()
    table.wait()
    assert (begun - before, scales.count - before) == (1, 2)


def test_what_was_dropped_is_looked_at_again_though_the_game_is_where_it_was(table: Table, scales: Scales) -> None:
    scales.free.clear()
    table.look(table.after(table.moves()[0]), pictures=2)
    table.session.do(table.moves()[0])
    table.thinker.go_on()
    table.session.undo()
    scales.free.set()
    table.wait()
    assert not table.thinker.knows_all


def test_of_the_pictures_that_come_meanwhile_the_last_is_seen(table: Table, scales: Scales, seen: list[int]) -> None:
    layout = table.session.position.layout()
    scales.free.clear()
    table.look(layout)
    assert scales.begun.acquire(timeout=LONG_S)
    table.look(layout, pictures=3)
    assert len(seen) == 1
    scales.free.set()
    table.wait()
    assert seen == [seen[0], seen[0] + 3]


def test_a_hand_that_comes_and_goes_meanwhile_is_seen(table: Table, scales: Scales, seen: list[int]) -> None:
    layout, hand = table.session.position.layout(), {(0, 0): "hand", (1, 0): "hand"}
    scales.free.clear()
    table.look(layout)
    assert scales.begun.acquire(timeout=LONG_S)
    table.look(layout, pictures=2)
    for _ in range(3):
        table.thinker.see(table.camera.look(layout, hidden=hand))
    table.look(layout, pictures=2)
    scales.free.set()
    table.wait()
    assert [number - seen[0] for number in seen] == [0, 2, 5, 7]
    assert table.thinker.state == Waiting("settling")


def test_an_answer_and_putting_right_drop_what_is_weighed(table: Table, scales: Scales) -> None:
    move, before = table.moves()[0], table.session.position
    for interrupt in (table.thinker.dismiss, lambda: table.thinker.answer((move,))):
        scales.free.clear()
        table.look(table.after(move), pictures=2)
        interrupt()
        scales.free.set()
        table.wait()
        assert table.session.position is before
        assert table.thinker.state == Waiting("settling")
        table.show(before.layout())


def test_a_game_that_is_followed_no_more_is_left_alone(table: Table, scales: Scales) -> None:
    before = table.session.position
    scales.free.clear()
    table.look(table.after(table.moves()[0]), pictures=2)
    table.thinker.close()
    scales.free.set()
    table.wait()
    assert table.session.position is before


def test_an_error_is_told_once_and_the_next_picture_is_seen(table: Table, scales: Scales) -> None:
    move, before = table.moves()[0], table.session.position
    scales.error = ZeroDivisionError("in the scales")
    with pytest.raises(ZeroDivisionError):
        table.show(table.after(move))
    scales.error = None
    table.wait()
    table.look(table.after(move), pictures=2)
    table.wait(lambda: table.session.position is not before)


def test_a_full_disk_is_told_and_the_step_is_taken_when_there_is_room(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    move, before = table.moves()[0], table.session.position

    def full(*_: object) -> None:
        raise JournalError("The disk is full.", "full")

    with monkeypatch.context() as disk:
        disk.setattr(table.session, "do", full)
        with pytest.raises(JournalError):
            table.show(table.after(move))
    table.look(table.after(move), pictures=2)
    table.wait(lambda: table.session.position is not before)


def test_a_table_that_shows_the_same_tells_nothing_new_once_it_is_thought_about(table: Table, scales: Scales) -> None:
    assert table.thinker.knows_all
    scales.free.clear()
    move = table.moves()[0]
    table.session.do(move)
    assert not table.thinker.knows_all
    table.look(table.session.position.layout(), pictures=2)
    assert not table.thinker.knows_all
    scales.free.set()
    table.wait()
    assert table.thinker.knows_all
    table.thinker.see(table.camera.look(table.session.position.layout(), moving=True))
    table.wait()
    assert not table.thinker.knows_all, "the same picture that stays is one in which nothing moves"
