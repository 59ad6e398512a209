"""The supervisor of the watching process, driven by a clock of the test's own and a process that is none."""

from __future__ import annotations

import contextlib
import errno
import multiprocessing
import os
import signal
import struct
import threading
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.viewmodel.calibration_link import Guided
from companion.viewmodel.cutout import Cutout
from companion.vision.observation import Moved, Observation, Still
from companion.watch import messages
from companion.watch.messages import (
    CANNOT_RUN,
    BeginCalibrating,
    Calibrating,
    EndCalibrating,
    Lay,
    Quit,
    Ready,
    Same,
    Seen,
    Show,
    Shown,
    TakePicture,
    Trouble,
    Uncalibrated,
    WatchPlan,
)
from companion.watch.watcher import (
    BACK_OFF_S,
    SILENCE_S,
    START_S,
    WORKS_S,
    Blind,
    Lost,
    Starting,
    Watcher,
    Watching,
)

PLAN = WatchPlan(camera="simulated")


@dataclass
class Child:
    """Stands in for the process: the test says what it sends and when it dies."""

    connection: Connection
    alive: bool = True
    killed: bool = False
    told: list[str] = field(default_factory=list)

    def is_alive(self) -> bool:
        return self.alive

    def kill(self) -> None:
        self.alive, self.killed = False, True
        self.told.append("kill")

    def terminate(self) -> None:
        self.told.append("end")

    def join(self, timeout: float) -> None:
        assert timeout > 0
        self.told.append("join")

    def say(self, message: messages.FromWatcher) -> None:
        self.connection.send_bytes(messages.encode(message))

    def hears(self, most: int = 100) -> list[messages.ToWatcher]:
        heard: list[messages.ToWatcher] = []
        with contextlib.suppress(EOFError):
            while len(heard) < most and self.connection.poll():
                heard.append(messages.decode_to_watcher(self.connection.recv_bytes()))
        return heard


@dataclass
class Nursery:
    """Every process that the watcher has started, oldest first."""

    children: list[Child] = field(default_factory=list)
    is_full: bool = False

    def spawn(self, plan: WatchPlan, connection: Connection) -> Any:
        assert plan == PLAN
        if self.is_full:
            raise OSError(errno.ENOMEM, os.strerror(errno.ENOMEM))
        # The watcher closes its copy of this end, as it must for a real process: keep another.
        self.children.append(Child(Connection(_duplicate(connection))))
        return self.children[-1]


def _duplicate(connection: Connection) -> int:
    return os.dup(connection.fileno())


@pytest.fixture
def nursery() -> Nursery:
    return Nursery()


@pytest.fixture
def watcher(nursery: Nursery) -> Watcher:
    return Watcher(PLAN, now=0.0, spawn=nursery.spawn)


def seen(frame: int) -> Seen:
    return Seen(observation=Observation(frame=frame, time=0.5, hexes=(), safe=()))


def test_what_is_seen_arrives_in_order(watcher: Watcher, nursery: Nursery) -> None:
    assert watcher.status == Starting()
    child = nursery.children[0]
    child.say(Ready(line="Camera sees the whole board"))
    child.say(seen(1))
    child.say(seen(2))
    assert [s.observation.frame for s in watcher.poll(1.0)] == [1, 2]
    assert watcher.status == Watching("Camera sees the whole board")


def cutout(size: int) -> Cutout:
    return Cutout(jpeg=b"a picture", size=(size, size))


def test_what_was_asked_for_is_shown_and_what_was_asked_before_it_is_not(watcher: Watcher, nursery: Nursery) -> None:
    child = nursery.children[0]
    child.say(Ready(line="ok"))
    watcher.show(((0, 0),))
    watcher.show(())
    assert child.hears() == [Show(hexes=((0, 0),)), Show(hexes=())]
    child.say(Shown(hexes=((0, 0),), cutout=cutout(1)))
    watcher.poll(1.0)
    assert watcher.cutout is None
    child.say(Shown(hexes=(), cutout=cutout(2)))
    watcher.poll(1.0)
    assert watcher.cutout == cutout(2)


def test_a_process_that_died_over_a_picture_is_asked_again(watcher: Watcher, nursery: Nursery) -> None:
    watcher.show(())
    nursery.children[0].alive = False
    watcher.poll(10.0)
    watcher.poll(10.0 + BACK_OFF_S[0])
    assert nursery.children[1].hears() == [Show(hexes=())]


def test_a_dead_process_is_started_again_after_a_wait(watcher: Watcher, nursery: Nursery) -> None:
    nursery.children[0].alive = False
    watcher.poll(10.0)
    assert isinstance(watcher.status, Lost)
    assert watcher.status.retry_at == 10.0 + BACK_OFF_S[0]
    watcher.poll(10.5)
    assert len(nursery.children) == 1
    watcher.poll(11.0)
    assert len(nursery.children) == 2
    assert watcher.status == Starting()


def tried_again(watcher: Watcher, now: float) -> float:
    """Polled when the process is to be found lost, and when it is to be started again: that time."""
    watcher.poll(now)
    assert isinstance(watcher.status, Lost)
    assert watcher.status.retry_at is not None
    again = watcher.status.retry_at
    watcher.poll(again)
    return again


def test_the_wait_grows_and_is_forgotten_once_it_works(watcher: Watcher, nursery: Nursery) -> None:
    now, waits = 0.0, []
    for _ in range(len(BACK_OFF_S) + 1):
        nursery.children[-1].alive = False
        again = tried_again(watcher, now)
        waits.append(again - now)
        now = again
    assert waits == pytest.approx([*BACK_OFF_S, BACK_OFF_S[-1]])
    nursery.children[-1].say(Ready(line="ok"))
    for number in (1, 2):
        nursery.children[-1].say(seen(number))
        watcher.poll(now)
        now += WORKS_S
    nursery.children[-1].alive = False
    watcher.poll(now)
    assert watcher.status == Lost("The camera program has ended unexpectedly.", now + BACK_OFF_S[0])


WORDS: dict[str, list[messages.FromWatcher]] = {
    "no picture": [Ready(line="ok")],
    "a picture": [Ready(line="ok"), seen(1)],
    "no calibration": [Uncalibrated(text="Not yet.")],
}


@pytest.mark.parametrize("said", WORDS.values(), ids=WORDS.keys())
def test_the_wait_grows_also_for_a_camera_that_is_opened_and_then_gives_no_more_pictures(
    watcher: Watcher, nursery: Nursery, said: list[messages.FromWatcher]
) -> None:
    now, waits = 0.0, []
    for _ in BACK_OFF_S:
        for message in said:
            nursery.children[-1].say(message)
        watcher.poll(now)
        now += SILENCE_S + 1
        again = tried_again(watcher, now)
        waits.append(again - now)
        now = again
    assert waits == pytest.approx(BACK_OFF_S)


def test_a_camera_whose_pictures_fail_now_and_then_does_not_work(watcher: Watcher, nursery: Nursery) -> None:
    now = BACK_OFF_S[0]
    nursery.children[0].alive = False
    watcher.poll(0.0)
    watcher.poll(now)
    child = nursery.children[1]
    for message in (seen(1), Trouble(text="The cable is loose.", final=False), seen(2)):
        child.say(message)
        watcher.poll(now)
        now += WORKS_S - 1
    child.alive = False
    watcher.poll(now)
    assert isinstance(watcher.status, Lost)
    assert watcher.status.retry_at == now + BACK_OFF_S[1]


def test_nothing_is_watched_before_the_first_picture(watcher: Watcher, nursery: Nursery) -> None:
    child = nursery.children[0]
    child.say(Ready(line="ok"))
    watcher.poll(1.0)
    assert watcher.status == Starting()
    child.say(seen(1))
    watcher.poll(2.0)
    assert watcher.status == Watching("ok")


def test_a_process_that_is_ready_may_be_silent_no_longer_than_one_that_watches(
    watcher: Watcher, nursery: Nursery
) -> None:
    nursery.children[0].say(Ready(line="ok"))
    watcher.poll(1.0)
    watcher.poll(1.0 + SILENCE_S)
    assert not nursery.children[0].killed
    watcher.poll(1.5 + SILENCE_S)
    assert nursery.children[0].killed


def test_a_process_that_cannot_be_started_is_told_and_tried_again_after_growing_waits(nursery: Nursery) -> None:
    nursery.is_full = True
    watcher = Watcher(PLAN, now=0.0, spawn=nursery.spawn)
    about: dict[str, float | str] = {"why": "Cannot allocate memory"}
    assert watcher.status == Lost(CANNOT_RUN, BACK_OFF_S[0], about)
    before, now = _open_files(), BACK_OFF_S[0]
    watcher.lay({"hexes": [], "safe": {}})  # nobody is there to hear it yet
    assert watcher.poll(now) == []
    assert watcher.status == Lost(CANNOT_RUN, now + BACK_OFF_S[1], about)
    assert _open_files() == before
    nursery.is_full = False
    watcher.poll(now + BACK_OFF_S[1])
    assert watcher.status == Starting()
    assert nursery.children[0].hears() == [Lay(layout={"hexes": [], "safe": {}})]
    watcher.close()


def test_a_silent_process_is_killed(watcher: Watcher, nursery: Nursery) -> None:
    child = nursery.children[0]
    child.say(Ready(line="ok"))
    watcher.poll(1.0)
    watcher.poll(1.0 + SILENCE_S)
    assert not child.killed
    child.say(seen(1))
    watcher.poll(2.0 + SILENCE_S)
    watcher.poll(2.5 + 2 * SILENCE_S)
    assert child.killed
    assert isinstance(watcher.status, Lost)


def test_starting_may_take_longer_than_silence(watcher: Watcher, nursery: Nursery) -> None:
    watcher.poll(START_S - 1)
    assert not nursery.children[0].killed
    watcher.poll(START_S + 1)
    assert nursery.children[0].killed


def test_a_final_trouble_is_not_tried_again(watcher: Watcher, nursery: Nursery) -> None:
    nursery.children[0].say(Trouble(text="There is no calibration: run companion calibrate.", final=True))
    watcher.poll(1.0)
    watcher.poll(1000.0)
    assert watcher.status == Lost("There is no calibration: run companion calibrate.", None)
    assert len(nursery.children) == 1


def test_a_passing_trouble_is_told_and_passes(watcher: Watcher, nursery: Nursery) -> None:
    nursery.children[0].say(Trouble(text="The cable is loose.", final=False))
    watcher.poll(1.0)
    assert watcher.status == Lost("The cable is loose.", 1.0)
    nursery.children[0].say(seen(1))
    assert len(watcher.poll(2.0)) == 1
    assert isinstance(watcher.status, Watching)


def test_a_process_that_ends_for_a_passing_trouble_is_started_again_and_why_stays_told(
    watcher: Watcher, nursery: Nursery
) -> None:
    trouble = Trouble(text="No camera on {place} answers.", final=False, about={"place": "the ribbon"})
    nursery.children[0].say(trouble)
    nursery.children[0].alive = False
    watcher.poll(10.0)
    assert watcher.status == Lost(trouble.text, 10.0 + BACK_OFF_S[0], {"place": "the ribbon"})
    watcher.poll(12.0)
    assert len(nursery.children) == 2


def test_a_picture_that_was_not_read_is_the_evidence_of_the_last_one_later_and_at_rest(
    watcher: Watcher, nursery: Nursery
) -> None:
    moved = Moved(what="board", east_mm=9.0, south_mm=0.0, turn_degrees=1.0)
    first = msgspec.structs.replace(seen(1).observation, moving=True, registration=moved)
    nursery.children[0].say(Seen(observation=first))
    nursery.children[0].say(Same(frame=2, time=0.75))
    read, same = watcher.poll(1.0)
    assert (read.still, same.still) == (False, True)
    at_rest = msgspec.structs.replace(first, frame=2, time=0.75, moving=False, registration=Still())
    assert same.observation == at_rest
    assert isinstance(watcher.status, Watching)


def test_a_new_process_is_told_what_stands_on_the_simulated_table(watcher: Watcher, nursery: Nursery) -> None:
    layout = {"hexes": [{"hex": [0, 0], "serpents": 1}], "safe": {}}
    watcher.lay(layout)
    assert nursery.children[0].hears() == [Lay(layout=layout)]
    nursery.children[0].alive = False
    watcher.poll(0.0)
    watcher.poll(5.0)
    assert nursery.children[1].hears() == [Lay(layout=layout)]


def guided(**what: Any) -> Guided:
    return Guided(step="board", steps=("lens", "cards", "board", "swatch", "result"), **what)


def test_a_camera_without_calibration_is_not_a_lost_one(watcher: Watcher, nursery: Nursery) -> None:
    nursery.children[0].say(Uncalibrated(text="The camera is not calibrated yet."))
    watcher.poll(1.0)
    assert watcher.status == Blind("The camera is not calibrated yet.")
    nursery.children[0].say(Uncalibrated(text="It gives {now}.", about={"now": "9 x 6"}))
    watcher.poll(2.0)
    assert watcher.status == Blind("It gives {now}.", {"now": "9 x 6"})


def test_what_is_heard_of_a_calibration_is_at_hand_with_the_last_picture(watcher: Watcher, nursery: Nursery) -> None:
    watcher.begin_calibrating("sv")
    watcher.steer(TakePicture())
    child = nursery.children[0]
    assert child.hears() == [BeginCalibrating(language="sv"), TakePicture()]
    child.say(Calibrating(guided=guided(ready=True), picture=b"jpeg"))
    child.say(Calibrating(guided=guided(busy=True)))
    watcher.poll(1.0)
    assert (watcher.guided, watcher.picture) == (guided(busy=True), b"jpeg")
    assert isinstance(watcher.status, Watching)


def test_after_a_calibration_the_process_may_take_its_time_to_watch_again(watcher: Watcher, nursery: Nursery) -> None:
    child = nursery.children[0]
    watcher.begin_calibrating("en")
    child.say(Calibrating(guided=guided()))
    watcher.poll(1.0)
    watcher.end_calibrating()
    assert child.hears() == [BeginCalibrating(language="en"), EndCalibrating()]
    child.say(Calibrating(guided=guided(ready=True)))  # it was on its way
    watcher.poll(2.0)
    assert (watcher.status, watcher.guided) == (Starting(), guided())
    watcher.poll(2.0 + 2 * SILENCE_S)
    assert not child.killed


def test_working_a_calibration_out_may_take_longer_than_silence(watcher: Watcher, nursery: Nursery) -> None:
    child = nursery.children[0]
    watcher.begin_calibrating("en")
    child.say(Calibrating(guided=guided(busy=True)))
    watcher.poll(1.0)
    watcher.poll(1.0 + 2 * SILENCE_S)
    assert not child.killed
    watcher.poll(2.0 + START_S)
    assert child.killed
    assert watcher.guided == guided(), "nobody is at work on it any more"


def test_a_process_that_dies_in_a_calibration_begins_it_again(watcher: Watcher, nursery: Nursery) -> None:
    watcher.begin_calibrating("en")
    nursery.children[0].alive = False
    watcher.poll(0.0)
    watcher.poll(5.0)
    assert nursery.children[1].hears() == [BeginCalibrating(language="en")]
    nursery.children[1].say(Calibrating(guided=guided(done=True)))
    watcher.poll(6.0)
    nursery.children[1].alive = False
    watcher.poll(7.0)
    watcher.poll(60.0)
    assert nursery.children[2].hears() == [], "it was kept"


def test_closing_says_quit_and_leaves_no_process(watcher: Watcher, nursery: Nursery) -> None:
    with watcher:
        pass
    assert nursery.children[0].hears() == [Quit()]
    told = ["join", "end", "join", "kill", "join"]
    assert nursery.children[0].told == told, "the camera may have to be put in order"


def half(message: messages.FromWatcher) -> bytes:
    """As much of a message as fits into a pipe before a process is stopped: the length, and some of the body."""
    body = messages.encode(message)
    return struct.pack("!i", len(body)) + body[: len(body) // 2]


@pytest.mark.parametrize("sent", [b"\0\0", struct.pack("!i", 20_000), half(seen(2))], ids=["length", "body", "half"])
def test_a_process_that_is_stopped_in_the_middle_of_a_message_is_wedged_and_started_again(
    watcher: Watcher, nursery: Nursery, sent: bytes
) -> None:
    child = nursery.children[0]
    child.say(Ready(line="ok"))
    child.say(seen(1))
    os.write(child.connection.fileno(), sent)
    assert [s.observation.frame for s in watcher.poll(1.0)] == [1]
    assert watcher.poll(1.0 + SILENCE_S) == []
    assert isinstance(watcher.status, Watching)
    watcher.poll(1.5 + SILENCE_S)
    assert isinstance(watcher.status, Lost)
    assert child.told == ["kill"], "nobody waits for it to die"
    watcher.poll(3.0 + SILENCE_S)
    nursery.children[1].say(Ready(line="back"))
    nursery.children[1].say(seen(3))
    watcher.poll(4.0 + SILENCE_S)
    assert watcher.status == Watching("back"), "and what it had begun to say is forgotten"


def test_a_message_that_comes_in_two_halves_is_one(watcher: Watcher, nursery: Nursery) -> None:
    child, picture = nursery.children[0], Shown(hexes=(), cutout=Cutout(jpeg=bytes(70_000), size=(9, 9)))
    watcher.show(())
    whole = struct.pack("!i", len(messages.encode(picture))) + messages.encode(picture)
    os.write(child.connection.fileno(), whole[:30_000])
    watcher.poll(1.0)
    assert watcher.cutout is None
    os.write(child.connection.fileno(), whole[30_000:])
    watcher.poll(2.0)
    assert watcher.cutout == picture.cutout


def test_orders_wait_for_a_process_that_hears_none_and_are_then_all_there(watcher: Watcher, nursery: Nursery) -> None:
    layouts = [{"hexes": [], "number": n, "much": "x" * 2000} for n in range(500)]
    for layout in layouts:
        watcher.lay(layout)  # more than a pipe holds
    heard: list[messages.ToWatcher] = []
    for _ in layouts:
        heard += nursery.children[0].hears(most=1)
        watcher.poll(1.0)
    assert heard == [Lay(layout=layout) for layout in layouts]


def test_last_words_are_heard(watcher: Watcher, nursery: Nursery) -> None:
    child = nursery.children[0]
    child.say(Trouble(text="There is no such camera.", final=True))
    child.alive = False
    child.connection.close()
    watcher.poll(1.0)
    assert watcher.status == Lost("There is no such camera.", None)


def _open_files() -> int:
    return len(list(Path("/dev/fd").iterdir()))


def test_many_restarts_leave_nothing_behind(watcher: Watcher, nursery: Nursery) -> None:
    now, counts = 0.0, []
    for _ in range(20):
        nursery.children[-1].connection.close()
        watcher.poll(now + START_S + 1)
        now += START_S + 2 * BACK_OFF_S[-1]
        watcher.poll(now)
        counts.append((_open_files(), threading.active_count(), len(watcher._killed)))
    assert len(nursery.children) == 21
    assert set(counts) == {counts[0]}
    watcher.close()
    assert watcher._killed == []


def _say_half_and_stop(pipe: Connection) -> None:
    os.write(pipe.fileno(), half(seen(1)))
    os.kill(os.getpid(), signal.SIGSTOP)


def test_a_real_process_that_is_stopped_in_the_middle_of_a_message_is_killed_and_reaped() -> None:
    processes: list[SpawnProcess] = []

    def spawn(_plan: WatchPlan, pipe: Connection) -> SpawnProcess:
        processes.append(multiprocessing.get_context("spawn").Process(target=_say_half_and_stop, args=(pipe,)))
        processes[-1].start()
        return processes[-1]

    with Watcher(PLAN, now=0.0, spawn=spawn) as watcher:
        os.waitid(os.P_PID, processes[0].pid or 0, os.WSTOPPED | os.WNOWAIT)
        assert watcher.poll(START_S) == []
        assert watcher.status == Starting()
        watcher.poll(START_S + 1)
        assert isinstance(watcher.status, Lost)
        processes[0].join(60)
        assert processes[0].exitcode == -signal.SIGKILL
        watcher.poll(START_S + 1)
        assert watcher._killed == []


def test_between_two_starts_waiting_is_sleeping(
    watcher: Watcher, nursery: Nursery, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[tuple[list[object], float]] = []
    monkeypatch.setattr("multiprocessing.connection.wait", lambda heard, seconds: waited.append((heard, seconds)))
    nursery.children[0].alive = False
    watcher.poll(0.0)
    waited.clear()
    watcher.wait(0.5)
    assert waited == [([], 0.5)]
