"""What the companion costs the machine that it runs on: processor and memory of both processes, idle and in play.

`./deploy/bench appliance [--seconds 30]`. The watching process looks at pictures of the simulated table that were
drawn before, each copied from the disk as a camera's is from its buffer: nothing is measured but what a real table
costs too. Where there is no GPU the screens are drawn in software, which costs more than it does on a Raspberry Pi.
Seconds are the processor's, so that what else runs on the machine does not count; it slows the looking down, though.
"""

from __future__ import annotations

import argparse
import itertools
import json
import multiprocessing
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Self

import numpy as np

from bench.simulated import board_object, crowded
from calibration import calibrate_session, save_calibration
from hardware import camera
from hardware.camera import Focus, Frame, LensKind
from hardware.simulated import SimulatedTable, write_session

IDLE_BAR = 15.0
"""Percent of one core, both processes together, when nobody moves."""

SETTLED_S = 8.0
"""What is done once, at the start, is over by then."""

PLAYED = ("04a_turn", "04b_turn_explorer", "04c_turn_sink", "04c_turn_roll")
"""Screens of a turn, one a second in play."""

STEPS = 8
"""Pictures of a hand on its way over the table, and of the table after it."""

TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Cost:
    """Percent of one core; MB of memory that is a process's own, and the most that it ever had, libraries included."""

    cpu: float
    own_mb: float
    peak_mb: float

    def __str__(self) -> str:
        return f"{self.cpu:6.1f} % of a core   {self.own_mb:5.0f} MB of its own   {self.peak_mb:5.0f} MB at most"


def main(arguments: Sequence[str] = ()) -> None:
    """Print a line for each process and state, and the sums."""
    parser = argparse.ArgumentParser(prog="./deploy/bench appliance", description="what both processes cost")
    parser.add_argument("--seconds", type=float, default=30.0, help="measure each so long (30)")
    args = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="companion-bench-") as folder:
        _draw(Path(folder))
        watching = {kind: _watching(Path(folder) / kind, args.seconds) for kind in ("idle", "play")}
        home = _program(Path(folder), args.seconds)
    turn = {kind: _screens(scenes, args.seconds) for kind, scenes in (("idle", PLAYED[:1]), ("play", PLAYED))}
    print(f"watching, nobody moves        {watching['idle']}")
    print(f"watching, hands and moves     {watching['play']}")
    print(f"the program at home           {home}")
    print(f"a turn's screen, untouched    {turn['idle']}")
    print(f"another screen every second   {turn['play']}")
    idle = watching["idle"].cpu + max(home.cpu, turn["idle"].cpu)
    met = "met" if idle <= IDLE_BAR else "missed"
    print(f"both, when nobody moves: {idle:.1f} % of a core (bar {IDLE_BAR:.0f}: {met})")
    print(f"both, at most: {watching['play'].peak_mb + max(home.peak_mb, turn['play'].peak_mb):.0f} MB resident")


# --- the watching process ---


class Drawn:
    """A camera over pictures that are at hand in a folder: one after the other, again and again, ten a second."""

    name = "drawn pictures"
    lens: LensKind | None = "normal"
    focus: Focus | None = None

    def __init__(self, folder: str = "", rate_hz: float = 10.0, **_told: object) -> None:
        self._paths = sorted(Path(folder or os.environ["DRAWN"]).glob("*.npy"))
        self.size = np.load(self._paths[0], mmap_mode="r").shape[1::-1]
        self._rate_hz = rate_hz
        self._began = time.monotonic()

    def open(self) -> None:
        """Nothing to do."""

    def read(self, timeout_s: float) -> Frame:  # noqa: ARG002 - it is always in time
        """The picture whose time it is."""
        now = time.monotonic()
        number = int((now - self._began) * self._rate_hz)
        return Frame(number, now, np.load(self._paths[number % len(self._paths)]))

    def settle(self, focus: Focus | None = None) -> None:
        """Nothing to do."""

    def close(self) -> None:
        """Nothing to do."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        """Nothing to do."""


def _draw(folder: Path) -> None:
    """A calibration, pictures of a table that nobody touches, and of one where a hand comes and goes."""
    table = SimulatedTable(board_object(), seed=1)
    write_session(table, folder / "session")
    calibration = calibrate_session(folder / "session")
    for kind, scenes in (("idle", ["still"] * 8), ("play", ["still", "hand"] * 2)):
        (folder / kind).mkdir()
        save_calibration(folder / kind / "calibration.json", calibration)
        number = itertools.count()
        for turn, scene in enumerate(scenes):
            table.put(crowded(board_object(), turn // 2 if kind == "play" else 0))
            for step in range(STEPS if kind == "play" else 1):
                table.hand((800.0 * step / STEPS - 400, 0.0) if scene == "hand" else None)
                np.save(folder / kind / f"{next(number):03}.npy", table.picture())


def _watch(folder: Path, pipe: Connection) -> None:
    """In a process of its own, as the program starts it."""
    os.environ["DRAWN"] = str(folder)
    camera.DRIVERS = {**camera.DRIVERS, "v4l2": ("bench.appliance", "Drawn")}
    from companion.watch.messages import WatchPlan
    from companion.watch.worker import work

    work(WatchPlan(camera="v4l2", calibration=str(folder / "calibration.json")), pipe)


def _watching(folder: Path, seconds: float) -> Cost:
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=_watch, args=(folder, theirs), daemon=True)
    process.start()
    theirs.close()
    try:
        ours.recv_bytes()  # it is ready
        _hear(ours, SETTLED_S)
        assert process.pid is not None
        before = _cpu_s(process.pid)
        took = _hear(ours, seconds)
        return _cost(process.pid, before, took)
    finally:
        process.kill()
        process.join()


def _hear(pipe: Connection, seconds: float) -> float:
    """Take in what is said, as the program does; how long that was."""
    began = time.monotonic()
    while (left := began + seconds - time.monotonic()) > 0:
        if pipe.poll(left):
            pipe.recv_bytes()
    return time.monotonic() - began


# --- the program ---


def _program(folder: Path, seconds: float) -> Cost:
    """The whole program on its first screen with the simulated table; its watching process is not counted here."""
    home = folder / "home"
    home.mkdir()
    return _running([sys.executable, "-m", "companion", "play", "--simulate", "--fullscreen"], home, seconds)


def _screens(scenes: Sequence[str], seconds: float) -> Cost:
    """A process that shows these screens, one a second."""
    with tempfile.TemporaryDirectory(prefix="companion-bench-") as home:
        return _running([sys.executable, "-m", "bench.appliance", json.dumps(scenes)], Path(home), seconds)


def _running(command: Sequence[str], home: Path, seconds: float) -> Cost:
    """Start it with a screen that nobody sees, wait until that is shown, and measure."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
        ear.bind(str(home / "notify"))
        ear.settimeout(120)
        told = {"ATLANTIS_HOME": str(home), "SDL_VIDEODRIVER": "offscreen", "NOTIFY_SOCKET": str(home / "notify")}
        process = subprocess.Popen(command, env=os.environ | told, stderr=subprocess.DEVNULL)
        try:
            ear.recv(100)  # READY=1
            time.sleep(SETTLED_S)
            before, began = _cpu_s(process.pid), time.monotonic()
            time.sleep(seconds)
            return _cost(process.pid, before, time.monotonic() - began)
        finally:
            process.terminate()
            process.wait()


def _show(scenes: Sequence[str]) -> None:
    """Until told to end."""
    from companion.i18n import SOURCE_LANGUAGE
    from companion.scenes.catalogue import SCENES
    from companion.ui import app
    from companion.ui.snapshot import StillLife
    from companion.viewmodel.states import AppState
    from hardware.watchdog import Watchdog

    by_name = {scene.name: scene for scene in SCENES}
    states: Iterator[AppState] = itertools.cycle([by_name[name].state(SOURCE_LANGUAGE) for name in scenes])

    class Album(StillLife):
        """Another state every second."""

        def __init__(self, state: AppState) -> None:
            super().__init__(state)
            self._listeners: list[Callable[[AppState], None]] = []

        def subscribe(self, listener: Callable[[AppState], None]) -> Callable[[], None]:
            self._listeners.append(listener)
            return lambda: self._listeners.remove(listener)

        def turn(self) -> None:
            self.state = next(states)
            for listener in self._listeners:
                listener(self.state)

    album, watchdog, due = Album(next(states)), Watchdog(), [0.0]

    def tick() -> None:
        watchdog.ready()
        if len(scenes) > 1 and time.monotonic() >= due[0]:
            due[0] = time.monotonic() + 1.0
            album.turn()

    app.run(album, fullscreen=True, on_tick=tick)


# --- what the kernel says ---


def _cpu_s(pid: int) -> float:
    """Seconds of the processor that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def _cost(pid: int, before: float, took: float) -> Cost:
    status = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    own, peak = (int(status[name].split()[0]) / 1000 for name in ("RssAnon", "VmHWM"))
    return Cost(100 * (_cpu_s(pid) - before) / took, own, peak)


if __name__ == "__main__":
    _show(json.loads(sys.argv[1]))
