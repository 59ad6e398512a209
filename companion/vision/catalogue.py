"""The pieces as data: sizes, colours, where they may stand, how much of one has to be seen.

A piece's shape is a few horizontal slices; its outline in the view is the hull of the slices, each moved by the lean of
its height (see `calibration.view`).
"""

from __future__ import annotations

import dataclasses

Slice = tuple[float, float, float]
"""(height above the piece's foot, length, width) in mm."""


@dataclasses.dataclass(frozen=True)
class Shape:
    """One way a piece lies: its slices from the ground up."""

    name: str
    slices: tuple[Slice, ...]


@dataclasses.dataclass(frozen=True)
class Kind:
    """One kind of piece.

    `name`: also its class of colour. `foot`: usual height of its foot above the board, mm. `at_sea`: never on a tile.
    `least`: share of the whole outline that has to speak for the piece (the rest may be hidden by others).
    `least_seen`: share of what no other piece covers that has to.
    """

    name: str
    shapes: tuple[Shape, ...]
    foot: float
    at_sea: bool
    least: float
    least_seen: float


STANDING = Shape("standing", ((0.0, 14.0, 8.0), (13.0, 13.0, 8.0), (20.0, 7.0, 8.0)))
LYING = Shape("lying", ((0.0, 18.0, 12.0), (9.0, 18.0, 12.0)))


def _explorer(colour: str) -> Kind:
    return Kind(colour, (STANDING, LYING), foot=3.0, at_sea=False, least=0.27, least_seen=0.33)


KINDS: tuple[Kind, ...] = (
    *(_explorer(colour) for colour in ("red", "blue", "yellow", "green")),
    Kind("boat", (Shape("boat", ((0.0, 34.0, 14.0), (9.0, 35.0, 15.0))),), 0.0, True, least=0.10, least_seen=0.40),
    Kind(
        "serpent",
        (Shape("serpent", ((0.0, 22.0, 9.0), (26.0, 16.0, 8.0), (35.0, 8.0, 6.0))),),
        0.0,
        True,
        least=0.30,
        least_seen=0.35,
    ),
    Kind("shark", (Shape("shark", ((0.0, 25.0, 8.0), (9.0, 16.0, 6.0), (18.0, 5.0, 4.0))),), 0.0, True, 0.30, 0.35),
    Kind("whale", (Shape("whale", ((0.0, 32.0, 10.0), (10.0, 28.0, 9.0), (18.0, 8.0, 7.0))),), 0.0, True, 0.30, 0.35),
)
"""All that may stand on the board."""
