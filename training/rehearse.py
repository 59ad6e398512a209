"""Sessions of the simulated table to learn from besides: `python -m training.rehearse --out DIR [--sessions 0:10]`.

Games are rehearsed, and the product is tried, on the simulated table: what is trained has to read it too. Each session
is one of its styles, in the form that `render` writes.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

from hardware.simulated.session import write_frame, write_session
from hardware.simulated.styles import STYLES
from hardware.simulated.table import SimulatedTable
from training.layouts import BOARD_FILE, HAND_SHARE, packed_layout, random_layout


def rehearse(number: int, folder: Path, frames: int, packed: int = 0) -> None:
    """Write one session; so many of its frames, the last ones, are full of pieces."""
    rng = np.random.default_rng([1982, number])
    board = json.loads(BOARD_FILE.read_text())
    table = SimulatedTable(board, seed=number, style=sorted(STYLES)[number % len(STYLES)])
    write_session(table, folder)
    for i in range(1, frames + 1):
        table.put({})
        laid = packed_layout if i > frames - packed else random_layout
        table.put(laid(rng, table.plan))
        table.light(float(rng.uniform(0.75, 1.3)), float(rng.uniform(-1, 1)))
        reach = rng.uniform(-0.42, 0.42, 2) * table.plan.size
        hand = rng.random() < HAND_SHARE
        table.hand((float(reach[0]), float(reach[1])) if hand else None, float(rng.uniform(0, 360)))
        write_frame(table, folder, f"f{i:02d}")
        path = folder / f"f{i:02d}.json"
        path.write_text(json.dumps({**json.loads(path.read_text()), "pieces": _standing(table)}))


def _standing(table: SimulatedTable) -> list[dict[str, Any]]:
    """Every piece, as `render` lists them."""
    return [
        {"kind": p.kind, "colour": p.colour, "at": [*p.at, p.ground], "boat": aboard, "yaw": p.yaw, "lying": p.lying}
        for aboard, pieces in ((False, table.pieces()), (True, table.passengers()))
        for p in pieces
    ]


def main() -> None:
    """Write the sessions that are not there yet."""
    parser = argparse.ArgumentParser(prog="python -m training.rehearse", description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--sessions", default="0:10", help="first:last+1")
    parser.add_argument("--frames", type=int, default=8)
    parser.add_argument("--packed", type=int, default=0, help="so many of the frames full of pieces, to learn from")
    args = parser.parse_args()
    first, last = (int(v) for v in args.sessions.split(":"))
    for number in range(first, last):
        folder = args.out / f"s{number:05d}"
        if not (folder / f"f{args.frames:02d}.json").is_file():
            rehearse(number, folder, args.frames, args.packed)


if __name__ == "__main__":
    main()
