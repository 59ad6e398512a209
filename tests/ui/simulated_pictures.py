"""Pictures of the simulated table, as the watching process sends them."""

from __future__ import annotations

import functools

from companion.watch.calibrating import encode_picture
from hardware.simulated import swatch_layout
from tests.simulated import simulated_table


@functools.cache
def pictures() -> dict[str, bytes]:
    """The empty board and the swatch layout as JPEG files of one size."""
    table = simulated_table(2)
    table.put({})
    empty = encode_picture(table.picture())
    table.put(swatch_layout())
    return {"empty": empty, "swatch": encode_picture(table.picture())}
