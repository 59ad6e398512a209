"""Pictures of the simulated table, as the watching process sends them."""

from __future__ import annotations

import functools

import msgspec

from companion.rules.geometry import load_board
from companion.watch.calibrating import encode_picture
from hardware.simulated import SimulatedTable, swatch_layout


@functools.cache
def pictures() -> dict[str, bytes]:
    """The empty board and the swatch layout as JPEG files of one size."""
    table = SimulatedTable(msgspec.to_builtins(load_board()), seed=2)
    table.put({})
    empty = encode_picture(table.picture())
    table.put(swatch_layout())
    return {"empty": empty, "swatch": encode_picture(table.picture())}
