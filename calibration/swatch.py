"""The swatch layout: which piece stands on which hex in the second calibration picture (axial coordinates)."""

from __future__ import annotations

import msgspec

from calibration.errors import CalibrationError
from calibration.print import HEXES, Hex

COLOURS = ("red", "blue", "yellow", "green")
TERRAINS = ("beach", "forest", "mountain")
CREATURES = ("serpent", "shark", "whale")

TILE_HEIGHT = {"beach": 2.0, "forest": 4.0, "mountain": 6.0}
"""Thickness of the tiles, mm."""

PIECE_HEIGHT = {"explorer": 20.0, "boat": 9.0, "serpent": 35.0, "shark": 18.0, "whale": 18.0}
"""mm."""


class Swatch(msgspec.Struct, frozen=True, omit_defaults=True):
    """What stands on one hex."""

    hex: Hex
    tile: str | None = None
    explorers: dict[str, int] = {}
    boat: dict[str, int] | None = None
    serpents: int = 0
    sharks: int = 0
    whales: int = 0


def kind_of(s: Swatch) -> str:
    """What stands there, in a word: a terrain, `boat`, a creature, or `red explorer`."""
    if s.tile or s.boat is not None:
        return s.tile or "boat"
    counts = zip(CREATURES, (s.serpents, s.sharks, s.whales), strict=True)
    return next((name for name, count in counts if count), " and ".join(f"{c} explorer" for c in s.explorers))


def _prescribed() -> tuple[Swatch, ...]:
    tiles = {
        "beach": ((1, 0), (2, -1), (0, 2), (-3, 1)),
        "forest": ((0, 1), (1, 1), (-2, 0), (2, -3)),
        "mountain": ((-1, 0), (-1, 1), (0, -2), (3, -2)),
    }
    return (
        *(
            Swatch(h, tile=terrain, explorers={colour: 1})
            for terrain, hexes in tiles.items()
            for h, colour in zip(hexes, COLOURS, strict=True)
        ),
        *(
            Swatch(h, explorers={colour: 1})
            for h, colour in zip(((-4, 4), (-2, 4), (0, 4), (-5, 5)), COLOURS, strict=True)
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
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        raise CalibrationError(f"{name}: this is not a layout ({error}).") from error
    for swatch in swatches:
        if swatch.hex not in HEXES:
            raise CalibrationError(f"{name}: {list(swatch.hex)} is not a hex of the board.")
    return swatches
