"""The right answers to what the network is asked (`companion.vision.questions`), from a frame's truth.

In: truth files in the layout protocol. Out: small integers by hex, in the board's order, and where each piece's foot is
seen.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.hexes import lean
from calibration.swatch import CREATURES
from companion.rules.geometry import LANDS, Board
from companion.rules.layout import COLOURS, TERRAINS
from companion.vision.questions import QUESTIONS, SLOTS
from hardware.simulated.arrays import Points

HEATMAPS = (*(f"free {c}" for c in COLOURS), *(f"crew {c}" for c in COLOURS), "boat", *CREATURES)
"""Whose feet stand where, by cells of `CELL` x `CELL` px: what networks of hexes learn beside their answers. Explorers
that stand or swim come first."""


@dataclasses.dataclass(frozen=True)
class Labels:
    """One picture's answers.

    `hexes`: 133 x `SLOTS`, in the order of `QUESTIONS`; `hidden`: of which an arm hides too much (then the other
    answers are worth nothing); `lands`: 4 x 4 explorers by colour; `lands_hidden`: 4; `feet`: N x 3: the heatmap,
    and where the foot is seen on the board's face, mm.
    """

    hexes: NDArray[np.int64]
    hidden: NDArray[np.bool_]
    lands: NDArray[np.int64]
    lands_hidden: NDArray[np.bool_]
    feet: Points


def read_labels(truth: Mapping[str, Any], board: Board, eye: Points) -> Labels:
    """The answers of one truth file. `eye`: where the camera stood (x, y, height in mm)."""
    contents = {tuple(item["hex"]): item for item in truth["hexes"]}
    occluded = {tuple(h) for h in truth.get("occluded", ())}
    safe = truth.get("safe", {})
    hidden_lands = set(truth.get("occluded_safe", ()))
    return Labels(
        hexes=np.array([answers(contents.get(h, {})) for h in board.hexes]),
        hidden=np.array([h in occluded for h in board.hexes]),
        lands=np.array([[safe.get(land, {}).get(c, 0) for c in COLOURS] for land in LANDS]),
        lands_hidden=np.array([land in hidden_lands for land in LANDS]),
        feet=_feet(truth.get("pieces", ()), eye),
    )


def answers(content: Mapping[str, Any]) -> list[int]:
    """The answers to all questions but `hidden`, of what a hex holds."""
    tile = content.get("tile")
    crew = content.get("boat")
    given = {
        "tile": [TERRAINS.index(tile) + 1 if tile else 0],
        "free": [content.get("explorers", {}).get(c, 0) for c in COLOURS],
        "boat": [int(crew is not None)],
        "crew": [(crew or {}).get(c, 0) for c in COLOURS],
        "creatures": [content.get(f"{c}s", 0) for c in CREATURES],
    }
    found = [min(v, q.values - 1) for q in QUESTIONS if q.name != "hidden" for v in given[q.name]]
    assert len(found) == SLOTS - 1
    return [*found, 0]


def _feet(pieces: Iterable[Mapping[str, Any]], eye: Points) -> Points:
    found = []
    for piece in pieces:
        kind = piece["kind"]
        name = kind if kind != "explorer" else f"{'crew' if piece['boat'] else 'free'} {piece['colour']}"
        x, y, up = piece["at"]
        seen = lean(eye, np.array([[x, y]]), up)[0]
        found.append((HEATMAPS.index(name), *seen))
    return np.array(found, float).reshape(-1, 3)
