"""Milliseconds a picture of the simulated table takes, on one core.

`python -m bench.simulated [style...]`; the position is crowded: 40 tiles with an explorer each, boats, creatures. "new"
is a picture after a piece has moved, "same" one of an unchanged table, "hand" one with an arm over it, "empty" drawing
the table once at the start.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable
from importlib import resources
from typing import Any

import cv2

from hardware.simulated import STYLES, SimulatedTable

ROUNDS = 12
TERRAINS = ("beach", "forest", "mountain")
COLOURS = ("red", "blue", "yellow", "green")


def crowded(board: dict[str, Any], turn: int) -> dict[str, Any]:
    """A full island with forty explorers, boats and creatures; every turn moves one shark."""
    hexes: list[dict[str, Any]] = [
        {"hex": h, "tile": TERRAINS[i % 3], "explorers": {COLOURS[i % 4]: 1}} for i, h in enumerate(board["island"])
    ]
    hexes += [{"hex": h, "serpents": 1} for h in board["serpent_starts"]]
    hexes += [{"hex": [q, -5], "boat": {COLOURS[q - 3]: 1}} for q in (3, 4, 5, 6)]
    return {"hexes": [*hexes, {"hex": [-5 + turn % 2, 0], "sharks": 1}]}


def board_object() -> dict[str, Any]:
    """The board file, as the simulated table takes it."""
    data: dict[str, Any] = json.loads((resources.files("companion.rules") / "boards" / "anniversary.json").read_bytes())
    return data


def main(styles: list[str] | None = None) -> None:
    """Print one line a style."""
    cv2.setNumThreads(1)
    board = board_object()
    print("ms a picture of 1536 x 864 (median)   new   same   hand   empty")
    for style in styles or STYLES:
        start = time.perf_counter()
        table = SimulatedTable(board, seed=1, style=style)
        empty = time.perf_counter() - start
        turn = 0

        def moved(table: SimulatedTable = table) -> None:
            nonlocal turn
            turn += 1
            table.put(crowded(board, turn))
            table.picture()

        new, same = _median_ms(moved), _median_ms(table.picture)
        table.hand((0.0, 0.0))
        print(f"  {style:34}{new:6.0f} {same:6.0f} {_median_ms(table.picture):6.0f} {1000 * empty:7.0f}", flush=True)


def _median_ms(work: Callable[[], object]) -> float:
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return 1000 * statistics.median(times)


if __name__ == "__main__":
    main(sys.argv[1:])
