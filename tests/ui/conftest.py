"""Screens are drawn in software, without a display; Kivy has one window a process, so it is made once.

Where it cannot be made the tests fail and say which packages to install: a screen nobody drew is not a passed test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from companion.ui.snapshot import offscreen
from companion.viewmodel.states import AppState

offscreen()

from kivy.clock import Clock  # noqa: E402
from ui_fakes import Hand, RecordingViewModel  # noqa: E402 - Kivy's environment must be set before

from companion.ui.root import CompanionRoot  # noqa: E402


@pytest.fixture
def show() -> Iterator[Callable[..., tuple[CompanionRoot, RecordingViewModel, Hand]]]:
    """`show(state, size)` draws a state and returns the root, the view model that records its calls, and a hand."""
    roots: list[CompanionRoot] = []

    def draw(state: AppState, size: tuple[int, int] = (800, 480)) -> tuple[CompanionRoot, RecordingViewModel, Hand]:
        view_model = RecordingViewModel(state)
        root = CompanionRoot(view_model, size)
        roots.append(root)
        return root, view_model, Hand(root)

    yield draw
    for root in roots:
        root.close()


@pytest.fixture
def passes(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[float], None]]:
    """`passes(0.3)` lets that many seconds pass on Kivy's clock, a frame at a time, without waiting for them."""
    now = [Clock.time()]
    monkeypatch.setattr(Clock, "time", lambda: now[0])
    fps, Clock._max_fps = Clock._max_fps, 0

    Clock.tick()

    def passing(seconds: float) -> None:
        end = now[0] + seconds
        while now[0] < end:
            now[0] = min(end, now[0] + 1 / 60)
            Clock.tick()

    yield passing
    Clock._max_fps = fps
