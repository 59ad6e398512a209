"""The running program: its frames while the vision process works, how soon it answers a touch, how soon it is there.

`python -m bench.frames WxH SECONDS` runs `companion play --simulate` in this process, with fingers that start a game
and play it quickly, and prints a `Run` as JSON. Every frame is drawn anew, as in an animation, and waited for until it
is drawn; a touch is timed from the moment it is due, anywhere between two frames, to the end of the frame that shows
it. What is written to the disk before it is shown counts.
"""

from __future__ import annotations

import itertools
import math
import os
import subprocess
import sys
import tempfile
import time
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from bench.fingers import Player

BUDGET_MS = 20.0
"""What a frame may take, 99 times of 100."""

RESPONSE_MS = 50.0
START_S = 3.0

_BEGAN = "COMPANION_BENCH_BEGAN"
_EDGES_MS = (8, 12, 16, 20, 25, 33, 50, 100)
_BAR = 60
_CALM_S = 1.0
"""What comes with the start is no frame of a game."""


class Run(msgspec.Struct):
    """Times of one run; `frames_ms` from the end of a frame to the end of the next."""

    start_s: float
    frames_ms: list[float]
    responses_ms: list[float]


def report(size: tuple[int, int], seconds: float) -> None:
    """Print the figures of a run of the program, and how long its frames took."""
    run = measure(size, seconds)
    print(f"  the program, with the vision process at work and fingers that play for {seconds:g} s")
    frames = sorted(run.frames_ms)
    print(f"    {1000 * len(frames) / sum(frames):.0f} frames a second; " + _percentiles(frames, BUDGET_MS))
    print("    touch to response: " + _percentiles(sorted(run.responses_ms), RESPONSE_MS))
    print(f"    start to usable: {run.start_s:.1f} s ({_verdict(run.start_s, START_S)} {START_S:g} s)")
    edges = (0.0, *_EDGES_MS, math.inf)
    for low, high in itertools.pairwise(edges):
        count = sum(low <= ms < high for ms in frames)
        label = f"{low:3g} to {high:3g} ms" if high < math.inf else f"{low:3g} ms or more"
        bar = "#" * math.ceil(_BAR * count / len(frames))
        print(f"    {label:13} {count:6} {bar}")


def _percentiles(ordered: list[float], most: float) -> str:
    p50, p95, p99 = (ordered[min(len(ordered) - 1, int(p * len(ordered)))] for p in (0.50, 0.95, 0.99))
    return f"50 % {p50:.1f}, 95 % {p95:.1f}, 99 % {p99:.1f} ms ({_verdict(p99, most)} {most:g} ms)"


def _verdict(figure: float, most: float) -> str:
    return "within" if figure <= most else "over"


def measure(size: tuple[int, int], seconds: float) -> Run:
    """Run the program in a process of its own for so long."""
    with tempfile.TemporaryDirectory(prefix="companion-bench-") as home:
        environ = os.environ | {
            "ATLANTIS_HOME": home,
            "SDL_VIDEODRIVER": "offscreen",
            _BEGAN: str(time.monotonic()),
        }
        command = [sys.executable, "-m", "bench.frames", f"{size[0]}x{size[1]}", str(seconds)]
        done = subprocess.run(command, env=environ, stdout=subprocess.PIPE, check=True)
    return msgspec.json.decode(done.stdout.splitlines()[-1], type=Run)


def _run(size: str, seconds: float) -> Run:
    """The program as it is started by people, with a stop-watch on Kivy's loop."""
    from companion.cli.program import main
    from companion.ui import environment

    width, height = (int(n) for n in size.split("x"))
    environment.prepare(size=(width, height))
    from kivy.base import EventLoop

    watch = _StopWatch(EventLoop, seconds)
    EventLoop.idle = watch.idle
    status = main(["play", "--simulate", "--size", size])
    assert status == 0, "the program runs"
    return watch.run


class _StopWatch:
    """Takes the place of Kivy's `EventLoop.idle`: does the same in the same order, and draws every frame."""

    def __init__(self, loop: Any, seconds: float) -> None:
        from kivy.graphics.opengl import glFinish

        self.run = Run(0.0, [], [])
        self._loop, self._seconds = loop, seconds
        self._finish = glFinish
        self._player: Player | None = None
        self._end = 0.0

    def idle(self) -> bool:
        """One turn of the loop."""
        from kivy.clock import Clock
        from kivy.lang import Builder

        window = self._loop.window
        Clock.tick()
        self._loop.dispatch_input()
        Builder.sync()
        Clock.tick_draw()
        Builder.sync()
        window.canvas.ask_update()
        window.dispatch("on_draw")
        window.dispatch("on_flip")
        self._finish()
        self._frame(time.monotonic())
        return bool(self._loop.quit)

    def _frame(self, end: float) -> None:
        if self._player is None:
            self._first(end)
        elif end >= self._calm:
            self.run.frames_ms.append((end - self._end) * 1000)
            self.run.responses_ms += [(end - event.due) * 1000 for event in self._player.done]
        assert self._player is not None, "made with the first frame"
        self._player.done.clear()
        self._end = end
        if end >= self._until:
            self._loop.close()

    def _first(self, end: float) -> None:
        """The first frame stands: people can touch."""
        from kivy.app import App

        from bench.fingers import Player

        self.run.start_s = end - float(os.environ[_BEGAN])
        self._calm = end + _CALM_S
        self._until = self._calm + self._seconds
        self._player = Player(App.get_running_app().root, seed=1, clock=time.monotonic)
        self._loop.add_input_provider(self._player)


if __name__ == "__main__":
    print(msgspec.json.encode(_run(sys.argv[1], float(sys.argv[2]))).decode())
