"""The plug is pulled at any moment: everything that was acknowledged is there afterwards, and the game goes on."""

from __future__ import annotations

import os
import random
import resource
import signal
import struct
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.rules import Options
from companion.table import Journal, JournalError, resume, start_game
from companion.table.dealer import Dealer
from companion.table.game import ATLANTIS
from companion.table.session import GameSession
from tests.table.helpers import PEOPLE, random_action

_ACKNOWLEDGED = struct.Struct("<II")


def play_and_acknowledge(path: Path, game_id: str, seed: int, out: int) -> None:
    """Take the game up and play it on; after each step write how many records there are and the position's hash."""
    rng = random.Random(seed)
    journal = Journal(path)
    session = resume(journal, game_id)
    while session.position.phase != "over":
        if rng.random() < 0.1 and session.undo_offer:
            session.undo(consent=(0, 1, 2))
        else:
            session.do(random_action(session.position, rng))
        if session.pending_look and rng.random() < 0.5:
            session.looked()
        os.write(out, _ACKNOWLEDGED.pack(journal.next_number(game_id), _digest(session.position)))


def _digest(position: object) -> int:
    return hash(position) & 0xFFFFFFFF


def killed_while_playing(path: Path, game_id: str, rng: random.Random) -> tuple[int, int] | None:
    """Let a child play, kill it at a random moment, and return the last thing it acknowledged."""
    seed, steps, delay = rng.randrange(10**9), rng.randrange(12), rng.uniform(0, 0.004)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:  # pragma: no cover - the child is killed
        os.close(reader)
        try:
            play_and_acknowledge(path, game_id, seed, writer)
        finally:
            os._exit(0)
    os.close(writer)
    read = b""
    while len(read) < steps * _ACKNOWLEDGED.size and (more := os.read(reader, 4096)):
        read += more
    until = time.perf_counter() + delay
    while time.perf_counter() < until:
        pass
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while more := os.read(reader, 4096):
        read += more
    os.close(reader)
    whole = len(read) // _ACKNOWLEDGED.size * _ACKNOWLEDGED.size
    return None if not whole else _ACKNOWLEDGED.unpack_from(read, whole - _ACKNOWLEDGED.size)  # type: ignore[return-value]


@pytest.mark.parametrize("seed", range(25))
def test_every_acknowledged_step_survives_a_kill_at_any_moment(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    path = tmp_path / "games.db"
    with Journal(path) as journal:
        game_id = start_game(journal, PEOPLE, Options(), dealer=Dealer(seed)).game_id
    acknowledged = 0
    for _ in range(8):
        last = killed_while_playing(path, game_id, rng)
        with Journal(path) as journal:
            assert journal.notice is None
            records = journal.records(game_id)
            if last is not None:
                acknowledged += 1
                count, digest = last
                # at most the step under way, with its `looked` or `finished`, came after what was acknowledged
                assert count <= len(records) <= count + 2
                assert _digest(GameSession(journal, ATLANTIS, records[:count]).position) == digest
            again = resume(journal, game_id)
            if again.position.phase != "over":
                again.do(random_action(again.position, rng))
            assert resume(journal, game_id).position == again.position
    assert acknowledged >= 4


def in_a_child(task: Callable[[], bool]) -> bool:
    """What the task answers in a process of its own; an error counts as False."""
    child = os.fork()
    if child == 0:  # pragma: no cover - runs in the child
        answer = False
        try:
            answer = task()
        finally:
            os._exit(0 if answer else 1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_a_journal_open_in_another_process_is_named(tmp_path: Path) -> None:
    def try_to_open() -> bool:
        try:
            Journal(tmp_path / "games.db")
        except JournalError as error:
            return error.fault == "locked"
        return False

    hold, release = os.pipe()
    wait, ready = os.pipe()
    child = os.fork()
    if child == 0:  # pragma: no cover - holds the journal until the pipe is closed
        os.close(release)
        Journal(tmp_path / "games.db").append("g", [("start", {"players": []})])
        os.write(ready, b".")
        os.read(hold, 1)
        os._exit(0)
    os.close(ready)
    try:
        assert os.read(wait, 1) == b"."
        assert in_a_child(try_to_open)
    finally:
        for pipe in (hold, release, wait):
            os.close(pipe)
        os.waitpid(child, 0)
    assert not in_a_child(try_to_open)


def test_a_disk_that_takes_no_more_bytes_refuses_the_step_and_keeps_the_game(tmp_path: Path) -> None:
    path = tmp_path / "games.db"

    def play_into_the_limit() -> bool:
        session = start_game(Journal(path), PEOPLE, Options(), dealer=Dealer(1))
        for _ in range(20):
            session.do(session.legal()[0])
        full = path.with_name("games.db-wal").stat().st_size + 2000
        resource.setrlimit(resource.RLIMIT_FSIZE, (full, resource.RLIM_INFINITY))
        before = session.position
        try:
            session.do(session.legal()[0])
        except JournalError as error:
            refused = error.fault in {"full", "disk"} and session.position is before
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        session.do(session.legal()[0])
        return refused

    assert in_a_child(play_into_the_limit)
    with Journal(path) as journal:
        assert journal.notice is None
        open_game = journal.open_game()
        assert open_game is not None
        assert len(resume(journal, open_game.id).record) == 21
