"""The truth of a picture as the numbers a network is trained to give.

In: a truth file's object with `pieces`. Out: arrays in the order of the board's hexes, and where each piece stands.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.view import View
from companion.rules.geometry import Board
from companion.vision.network import COLOURS, CREATURES, MAPS, MOST_CREATURES, MOST_CREW, MOST_FREE, TILES

NONE = -1
"""A label that is not to be learnt: a hidden hex, the terrain of a hex that never bears a tile."""


def hex_labels(truth: Mapping[str, Any], board: Board) -> dict[str, NDArray[np.int64]]:
    """`tile` (N,), `free` and `crew` (N, 4), `boat` (N,), `creatures` (N, 3), `hidden` (N,); N hexes.

    Where a hex is hidden all but `hidden` are `NONE`.
    """
    n = len(board.hexes)
    index = {h: i for i, h in enumerate(board.hexes)}
    labels = {
        "tile": np.full(n, NONE, np.int64),
        "free": np.zeros((n, len(COLOURS)), np.int64),
        "boat": np.zeros(n, np.int64),
        "crew": np.zeros((n, len(COLOURS)), np.int64),
        "creatures": np.zeros((n, len(CREATURES)), np.int64),
        "hidden": np.zeros(n, np.int64),
    }
    labels["tile"][[index[h] for h in board.island]] = 0
    for item in truth["hexes"]:
        i = index[tuple(item["hex"])]
        if item.get("tile"):
            labels["tile"][i] = TILES.index(item["tile"])
        for colour, count in (item.get("explorers") or {}).items():
            labels["free"][i, COLOURS.index(colour)] = min(count, MOST_FREE)
        if item.get("boat") is not None:
            labels["boat"][i] = 1
            for colour, count in item["boat"].items():
                labels["crew"][i, COLOURS.index(colour)] = min(count, MOST_CREW)
        for k, kind in enumerate(CREATURES):
            labels["creatures"][i, k] = min(item.get(f"{kind}s", 0), MOST_CREATURES)
    for h in truth.get("occluded", ()):
        i = index[tuple(h)]
        for name, values in labels.items():
            values[i] = 1 if name == "hidden" else NONE
    return labels


def piece_points(truth: Mapping[str, Any], view: View) -> NDArray[np.float32]:
    """(N, 3): which of `MAPS` a piece belongs to, and the view px (column, row) of where it stands."""
    rows = [
        (MAPS.index(p["colour"] or p["kind"]), *view.pixels(p["at"][:2]))
        for p in truth["pieces"]
        if (p["colour"] or p["kind"]) in MAPS
    ]
    return np.array(rows, np.float32).reshape(-1, 3)
