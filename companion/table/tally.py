"""What stands on one spot, as a vector of counts that can be added, compared and bounded.

A spot is a hex or a safe land. A tally counts the pieces of each sort in `SORTS` there. A span is every tally between
two, piece by piece: what a spot may show while hands are still doing there what has been decided.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeAlias

from companion.rules.actions import On
from companion.rules.geometry import Hex
from companion.rules.layout import COLOURS, CREATURES, TERRAINS, Colour, Counts, HexContent, Land, Layout, Terrain

Spot: TypeAlias = Hex | Land
Tally: TypeAlias = tuple[int, ...]
Span: TypeAlias = tuple[Tally, Tally]
Table: TypeAlias = Mapping[Spot, Tally]
"""What stands on the spots; one that is missing is bare."""

Piece = Literal["tile", "explorer", "boat", "serpent", "shark", "whale", "dolphin"]


class Sort(NamedTuple):
    """A sort of piece that a tally counts; passengers are explorers on a boat, all others stand on the spot itself."""

    piece: Piece
    colour: Colour | None = None
    terrain: Terrain | None = None
    aboard: bool = False


SORTS: tuple[Sort, ...] = (
    *(Sort("tile", terrain=terrain) for terrain in TERRAINS),
    *(Sort("explorer", colour) for colour in COLOURS),
    Sort("boat"),
    *(Sort("explorer", colour, aboard=True) for colour in COLOURS),
    *(Sort(creature) for creature in CREATURES),  # type: ignore[arg-type]  # the four creatures are pieces
)
INDEX = {sort: i for i, sort in enumerate(SORTS)}
NOTHING: Tally = (0,) * len(SORTS)
_NOBODY = (0,) * len(COLOURS)
_TILE: dict[Terrain | None, tuple[int, ...]] = {
    tile: tuple(int(tile == terrain) for terrain in TERRAINS) for tile in (None, *TERRAINS)
}
TILES = slice(0, len(TERRAINS))
BOAT = INDEX[Sort("boat")]
BESIDE, ABOARD = slice(BOAT - len(COLOURS), BOAT), slice(BOAT + 1, BOAT + 1 + len(COLOURS))
"""The explorers on the hex itself, and those in its boat, by colour."""
CREATURES_PART = slice(len(SORTS) - len(CREATURES), len(SORTS))


def tally_of(content: HexContent) -> Tally:
    """The pieces on a hex."""
    tile, explorers, boat = content.tile, content.explorers, content.boat
    return (
        *_TILE[tile],
        *([explorers.get(c, 0) for c in COLOURS] if explorers else _NOBODY),
        0 if boat is None else 1,
        *([boat.get(c, 0) for c in COLOURS] if boat else _NOBODY),
        content.serpents,
        content.sharks,
        content.whales,
        content.dolphins,
    )


def land_tally(explorers: Counts) -> Tally:
    """The explorers on a safe land."""
    return tally_of(HexContent(explorers=explorers))


def tallies(layout: Layout) -> dict[Spot, Tally]:
    """Every spot of the layout with something on it."""
    spots: dict[Spot, Tally] = {h: tally_of(content) for h, content in layout.hexes.items()}
    for land, counts in layout.safe.items():
        spots[land] = land_tally(counts)  # type: ignore[index]  # the layout's lands are the four
    return spots


def tally_at(layout: Layout, spot: Spot) -> Tally:
    """What stands on one spot of the layout."""
    return land_tally(layout.safe.get(spot, {})) if isinstance(spot, str) else tally_of(layout.at(spot))


def changed(tally: Tally, sort: Sort, by: int) -> Tally:
    """The tally with more or fewer of one sort."""
    i = INDEX[sort]
    return (*tally[:i], tally[i] + by, *tally[i + 1 :])


def span(*corners: Tally) -> Span:
    """Everything between these tallies, piece by piece."""
    if len(corners) == 1:
        return corners[0], corners[0]
    return tuple(map(min, *corners)), tuple(map(max, *corners))


def within(tally: Tally, bounds: Span) -> bool:
    """True if the span holds the tally."""
    low, high = bounds
    if low is high:  # most spots may show one thing only
        return tally == low
    return all(a <= n <= b for a, n, b in zip(low, tally, high, strict=True))


def keeping_creatures(spots: Mapping[Spot, Tally], spans: Mapping[Spot, Span]) -> dict[Spot, Tally]:
    """Those of the spots whose creatures are the same whatever of its span each of them shows."""
    return {
        spot: tally
        for spot, tally in spots.items()
        if all(edge[CREATURES_PART] == tally[CREATURES_PART] for edge in spans.get(spot, ()))
    }


def has_tile(tally: Tally) -> bool:
    """True for a hex of the island that is still there."""
    return any(tally[TILES])


def is_off_by_one(tally: Tally, wanted: Tally) -> bool:
    """True if there is one piece too many or too few, which is no tile."""
    return tally[TILES] == wanted[TILES] and sum(abs(a - b) for a, b in zip(tally, wanted, strict=True)) == 1


def ground(tally: Tally) -> On:
    """What an explorer that stands on the hex itself stands on."""
    return "tile" if has_tile(tally) else "sea"
