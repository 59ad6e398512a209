"""The pieces as data: sizes, colours, where they may stand, how much of one has to be seen.

Pieces are sawn from boards: a profile and a thickness. What stands upright shows its profile from the side, what lies
flat shows it from above.
"""

from __future__ import annotations

import dataclasses

Profile = tuple[tuple[float, float], ...]
"""Corners (mm) of an outline: along the piece, and up from its foot (upright) or across (flat)."""


@dataclasses.dataclass(frozen=True, eq=False)
class Shape:
    """One way a piece lies. `thickness` in mm; `turns`: how many angles are tried, over `turn` degrees.

    `rare`: px (at the fitting's scale) that it has to explain beyond what a usual one does.
    """

    name: str
    profile: Profile
    thickness: float
    upright: bool
    turns: int = 8
    turn: float = 180.0
    rare: float = 0.0


@dataclasses.dataclass(frozen=True, eq=False)
class Kind:
    """One kind of piece.

    `name`: also its class of colour. `foot`: usual height of its foot above the board, mm. `at_sea`: never on a tile.
    `least`: share of the whole outline that has to speak for the piece (the rest may be hidden by others).
    `least_seen`: share of what no other piece covers that has to. `price`: px (at the fitting's scale) that it has to
    explain before it is worth to be assumed. `family`: kinds of one family are alike enough to be taken for one
    another. `creature`: named by its outline.
    """

    name: str
    shapes: tuple[Shape, ...]
    foot: float
    at_sea: bool
    least: float
    least_seen: float
    price: float
    family: str
    creature: bool = False


_MEEPLE: Profile = (
    (-6.5, 0.0), (6.5, 0.0), (4.5, 8.0), (7.5, 10.0), (7.5, 13.0), (3.5, 14.0),
    (3.5, 20.0), (-3.5, 20.0), (-3.5, 14.0), (-7.5, 13.0), (-7.5, 10.0), (-4.5, 8.0),
)  # fmt: skip
_SERPENT: Profile = (
    (-8.0, 0.0), (11.0, 0.0), (9.0, 10.0), (9.0, 22.0), (7.0, 33.0), (3.0, 35.0), (-6.0, 35.0),
    (-10.0, 30.0), (-8.0, 27.0), (-2.0, 27.0), (0.0, 20.0), (-1.0, 10.0), (-8.0, 7.0),
)  # fmt: skip
_SHARK: Profile = ((-12.5, 0.0), (12.5, 0.0), (9.0, 18.0), (4.0, 17.0), (-6.0, 8.0))
_WHALE: Profile = (
    (-16.0, 0.0), (11.0, 0.0), (15.0, 10.0), (16.0, 18.0), (8.0, 17.0), (8.0, 9.0), (2.0, 11.0),
    (-6.0, 14.0), (-13.0, 12.0),
)  # fmt: skip
_HULL: Profile = ((-18.0, -7.5), (10.0, -7.5), (18.0, 0.0), (10.0, 7.5), (-18.0, 7.5))

STANDING = Shape("standing", _MEEPLE, 9.0, upright=True)
LYING = Shape("lying", tuple((x, y - 10.0) for x, y in _MEEPLE), 9.0, upright=False, turn=360.0, rare=15.0)


def _explorer(colour: str) -> Kind:
    return Kind(
        colour, (STANDING, LYING), foot=3.0, at_sea=False, least=0.26, least_seen=0.31, price=25.0, family=colour
    )


def _creature(name: str, profile: Profile, thickness: float) -> Kind:
    return Kind(
        name,
        (Shape(name, profile, thickness, True, 16, 360.0),),
        0.0,
        True,
        least=0.30,
        least_seen=0.40,
        price=20.0,
        family="sea",
        creature=True,
    )


KINDS: tuple[Kind, ...] = (
    *(_explorer(colour) for colour in ("red", "blue", "yellow", "green")),
    Kind(
        "boat",
        (Shape("boat", _HULL, 9.0, False, 16, 360.0),),
        0.0,
        True,
        least=0.10,
        least_seen=0.40,
        price=20.0,
        family="sea",
    ),
    _creature("serpent", _SERPENT, 9.0),
    _creature("shark", _SHARK, 8.0),
    _creature("whale", _WHALE, 10.0),
)
"""All that may stand on the board."""
