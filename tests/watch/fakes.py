"""A watcher without a process: the test says what it has seen."""

from __future__ import annotations

from typing import Any

from companion.watch import watcher
from companion.watch.messages import Seen, WatchPlan


class FakeWatcher:
    def __init__(self, camera: str) -> None:
        self.plan = WatchPlan(camera=camera)  # type: ignore[arg-type]
        self.status: watcher.Status = watcher.Starting()
        self.seen: list[Seen] = []
        self.laid: list[dict[str, Any]] = []

    def poll(self, now: float) -> list[Seen]:
        assert now >= 0
        seen, self.seen = self.seen, []
        return seen

    def lay(self, layout: dict[str, Any]) -> None:
        self.laid.append(layout)
