"""The swatch layout: which piece stands on which hex in the second calibration picture (axial coordinates)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, get_args

import msgspec

from calibration.errors import BAD_JSON, CalibrationError
from calibration.print import HEXES, Hex

Colour = Literal["red", "blue", "yellow", "green"]
Terrain = Literal["beach", "forest", "mountain"]
Count = Annotated[int, msgspec.Meta(ge=0, le=10)]
Some = Annotated[int, msgspec.Meta(ge=1, le=10)]

COLOURS: tuple[str, ...] = get_args(Colour)
TERRAINS: tuple[str, ...] = get_args(Terrain)
CREATURES = ("serpent", "shark", "whale")

TILE_HEIGHT = {"beach": 2.0, "forest": 4.0, "mountain": 6.0}
"""Thickness of the tiles, mm."""

MAX_CREW = 3
"""Explorers in a boat."""

WRITE_ANEW = "write it anew, or take it away if the pieces lie as they are printed on the plan"
"""What to do about a swatch layout that cannot be used."""

PIECE_HEIGHT = {"explorer": 20.0, "boat": 9.0, "serpent": 35.0, "shark": 18.0, "whale": 18.0}
"""mm."""


class Swatch(msgspec.Struct, frozen=True, omit_defaults=True):
    """What stands on one hex."""

    hex: Hex
    tile: Terrain | None = None
    explorers: dict[Colour, Some] = {}
    boat: dict[Colour, Some] | None = None
    serpents: Count = 0
    sharks: Count = 0
    whales: Count = 0


def kind_of(s: Swatch) -> str:
    """What stands there, in a word: a terrain, `boat`, a creature, or `red explorer`."""
    if s.tile or s.boat is not None:
        return s.tile or "boat"
    counts = zip(CREATURES, (s.serpents, s.sharks, s.whales), strict=True)
    return next((name for name, count in counts if count), " and ".join(f"{c} explorer" for c in s.explorers))


def _prescribed() -> tuple[Swatch, ...]:
    tiles: dict[Terrain, tuple[Hex, ...]] = {
        "beach": ((1, 0), (2, -1), (0, 2), (-3, 1)),
        "forest": ((0, 1), (1, 1), (-2, 0), (2, -3)),
        "mountain": ((-1, 0), (-1, 1), (0, -2), (3, -2)),
    }
    return (
        *(
            Swatch(h, tile=terrain, explorers={colour: 1})
            for terrain, hexes in tiles.items()
            for h, colour in zip(hexes, get_args(Colour), strict=True)
        ),
        *(
            Swatch(h, explorers={colour: 1})
            for h, colour in zip(((-4, 4), (-2, 4), (0, 4), (-5, 5)), get_args(Colour), strict=True)
        ),
        Swatch((4, -4), boat={}),
        Swatch((2, -5), boat={"red": 1, "blue": 1}),
        Swatch((0, -5), boat={"yellow": 1, "green": 1, "red": 1}),
        *(Swatch(h, serpents=1) for h in ((0, 0), (-2, -5), (7, -4), (-7, 4), (2, 5))),
        *(Swatch(h, sharks=1) for h in ((5, 0), (5, -2))),
        *(Swatch(h, whales=1) for h in ((-5, 0), (-5, 2))),
    )


PRESCRIBED: tuple[Swatch, ...] = _prescribed()
"""The layout that a person is asked to lay."""


def decode_swatches(data: bytes, name: str) -> tuple[Swatch, ...]:
    """Read a swatch layout (the layout protocol's JSON). Raises CalibrationError naming the file."""

    class _File(msgspec.Struct):
        hexes: tuple[Swatch, ...]

    try:
        swatches = msgspec.json.decode(data, type=_File).hexes
        require_layout(swatches)
    except BAD_JSON as error:
        raise CalibrationError(f"{name}: this is not a layout ({error}); {WRITE_ANEW}.") from error
    except CalibrationError as error:
        raise CalibrationError(f"{name}: {str(error).removesuffix('.')}; {WRITE_ANEW}.") from error
    return swatches


def require_layout(swatches: Sequence[Swatch]) -> None:
    """Raises CalibrationError if no pieces can be learnt from it: one thing a hex, explorers on tiles and in boats."""
    if not swatches:
        raise CalibrationError("The swatch layout is empty: no pieces can be learnt from it.")
    there: set[Hex] = set()
    for s in swatches:
        if s.hex not in HEXES:
            raise CalibrationError(f"{list(s.hex)} is not a hex of the board.")
        if s.hex in there:
            raise CalibrationError(f"The swatch layout names hex {list(s.hex)} twice.")
        there.add(s.hex)
        creatures, explorers = s.serpents + s.sharks + s.whales, sum(s.explorers.values())
        if s.tile:
            fits = explorers > 0 and not creatures and s.boat is None
        elif s.boat is not None:
            fits = sum(s.boat.values()) <= MAX_CREW and not creatures and not explorers
        else:
            fits = creatures + explorers == 1
        if not fits:
            raise CalibrationError(
                f"The swatch layout must have a tile with an explorer, a boat or one piece on hex {list(s.hex)}."
            )
