"""The service manager hears that the companion lives; without one nothing is sent."""

from __future__ import annotations

import socket

import pytest

from hardware.watchdog import Watchdog


@pytest.fixture
def manager(tmp_path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ears:
        ears.bind(str(tmp_path / "notify"))
        ears.setblocking(False)
        yield ears


def test_it_tells_that_it_is_ready_lives_and_stops(manager, tmp_path):
    watchdog = Watchdog({"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "10000000"})
    assert watchdog.interval_s == 5.0
    watchdog.ready()
    watchdog.beat(1.0)
    watchdog.beat(5.9)
    watchdog.beat(6.0)
    watchdog.stopping()
    assert [manager.recv(100) for _ in range(4)] == [b"READY=1", b"WATCHDOG=1", b"WATCHDOG=1", b"STOPPING=1"]
    with pytest.raises(BlockingIOError):
        manager.recv(100)


def test_without_a_manager_it_is_silent():
    watchdog = Watchdog({})
    assert watchdog.interval_s is None
    watchdog.beat(0.0)


def test_a_manager_that_has_gone_does_not_stop_the_game(manager, tmp_path):
    watchdog = Watchdog({"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "1000000"})
    (tmp_path / "notify").unlink()
    watchdog.beat(0.0)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as another:
        another.bind(str(tmp_path / "notify"))
        another.setblocking(False)
        watchdog.beat(1.0)
        assert another.recv(100) == b"WATCHDOG=1", "it is heard again by the next one"
