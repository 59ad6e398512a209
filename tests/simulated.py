"""Simulated tables as new, each painted once: that takes seconds."""

from __future__ import annotations

import functools

import msgspec

from companion.rules.geometry import load_board
from hardware.simulated import SimulatedTable


def simulated_table(seed: int) -> SimulatedTable:
    """Nothing lies on it. Whoever has had it before in the same process has done with it."""
    table = _painted(seed)
    table.begin_again()
    return table


@functools.lru_cache(maxsize=2)
def _painted(seed: int) -> SimulatedTable:
    return SimulatedTable(msgspec.to_builtins(load_board()), seed=seed)
