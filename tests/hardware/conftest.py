"""Shared fixtures: the board as plain data, simulated tables, a clock that is turned by hand."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

import pytest

from hardware.simulated import SimulatedTable

BOARD_FILE = Path(__file__).parents[2] / "companion" / "rules" / "boards" / "anniversary.json"
SIZE = (1536, 864)


class HandClock:
    """Time that passes only when somebody waits."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def wait(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture(scope="session")
def board() -> dict[str, Any]:
    return json.loads(BOARD_FILE.read_text())


@pytest.fixture(scope="session")
def table_of(board):
    """A table by style, drawn once for all tests; whoever takes it puts a layout on it and takes the hand away."""

    @functools.cache
    def build(style: str) -> SimulatedTable:
        return SimulatedTable(board, seed=11, style=style, size=SIZE)

    def fresh(style: str) -> SimulatedTable:
        table = build(style)
        table.put({})
        table.hand(None)
        table.light()
        return table

    return fresh
