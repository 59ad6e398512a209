"""The layout: what stands where on the board, as people, camera and rules all write it down.

In and out: JSON objects of the layout protocol. A layout says nothing of whose turn it is or what is secret.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

import msgspec

from companion.rules.geometry import LANDS, Board, Hex

Colour = Literal["red", "blue", "yellow", "green"]
Terrain = Literal["beach", "forest", "mountain"]
Land = Literal["nw", "ne", "sw", "se"]
Counts = dict[str, int]

COLOURS: tuple[Colour, ...] = ("red", "blue", "yellow", "green")
TERRAINS: tuple[Terrain, ...] = ("beach", "forest", "mountain")
CREATURES = ("serpent", "shark", "whale", "dolphin")


class LayoutError(ValueError):
    """A layout that is malformed; the text names the field and what is wrong with it."""


class HexContent(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one hex holds. `explorers` stand on the tile or swim; `boat` maps its passengers, None is no boat."""

    tile: Terrain | None = None
    explorers: Counts = {}
    boat: Counts | None = None
    serpents: int = 0
    sharks: int = 0
    whales: int = 0
    dolphins: int = 0

    @property
    def is_empty(self) -> bool:
        """True if the hex is bare sea."""
        return self == EMPTY


EMPTY = HexContent()


class Layout(msgspec.Struct, frozen=True):
    """Only hexes that hold something are in `hexes`; `unknown` are those the recogniser will not vouch for."""

    hexes: dict[Hex, HexContent] = {}
    safe: dict[str, Counts] = {}
    unknown: frozenset[Hex] = frozenset()

    def at(self, h: Hex) -> HexContent:
        """Content of a hex, bare sea if it is not listed."""
        return self.hexes.get(h, EMPTY)


def encode_layout(layout: Layout) -> dict[str, Any]:
    """The layout as a JSON object, hexes in a fixed order, empty things left out."""
    out: dict[str, Any] = {
        "hexes": [
            {"hex": list(h), **msgspec.to_builtins(content)}
            for h, content in sorted(layout.hexes.items(), key=lambda item: (item[0][1], item[0][0]))
            if not content.is_empty
        ],
        "safe": {land: dict(layout.safe[land]) for land in LANDS if layout.safe.get(land)},
    }
    if layout.unknown:
        out["unknown"] = [list(h) for h in sorted(layout.unknown, key=lambda h: (h[1], h[0]))]
    return out


def decode_layout(data: object, board: Board) -> Layout:
    """Read a JSON object of the layout protocol. Raises LayoutError, the text naming the field."""
    if not isinstance(data, Mapping):
        raise LayoutError("layout: not an object")
    hexes: dict[Hex, HexContent] = {}
    for i, item in enumerate(_listed(data.get("hexes", []), "hexes")):
        where = f"hexes[{i}]"
        if not isinstance(item, Mapping):
            raise LayoutError(f"{where}: not an object")
        h = decode_hex(item.get("hex"), board, f"{where}.hex")
        if h in hexes:
            raise LayoutError(f"{where}.hex: {board.labels[h]} is listed twice")
        content = _content({k: v for k, v in item.items() if k != "hex"}, where)
        if not content.is_empty:
            hexes[h] = content
    safe = data.get("safe", {})
    if not isinstance(safe, Mapping) or any(land not in LANDS for land in safe):
        raise LayoutError(f"safe: must map {', '.join(LANDS)} to counts by colour")
    unknown = frozenset(
        decode_hex(h, board, f"unknown[{i}]") for i, h in enumerate(_listed(data.get("unknown", []), "unknown"))
    )
    if unknown & hexes.keys():
        raise LayoutError("unknown: a hex cannot be both listed and unknown")
    return Layout(
        hexes=hexes,
        safe={land: c for land in LANDS if (c := _counts(safe.get(land, {}), f"safe.{land}"))},
        unknown=unknown,
    )


def decode_hex(data: object, board: Board, field: str) -> Hex:
    """Read `[q, r]`, a hex of the board. Raises LayoutError naming the field."""
    match data:
        case [int(q), int(r)] if not isinstance(q, bool) and not isinstance(r, bool):
            if (q, r) in board.index:
                return (q, r)
            raise LayoutError(f"{field}: [{q}, {r}] is not on the board")
    raise LayoutError(f"{field}: must be [q, r], two whole numbers")


def _listed(data: object, field: str) -> Iterable[object]:
    if not isinstance(data, list | tuple):
        raise LayoutError(f"{field}: not a list")
    return data


def _content(item: Mapping[str, Any], where: str) -> HexContent:
    known = set(HexContent.__struct_fields__)
    if extra := sorted(str(k) for k in item if k not in known):
        raise LayoutError(f"{where}.{extra[0]}: unknown field")
    tile = item.get("tile")
    if tile is not None and tile not in TERRAINS:
        raise LayoutError(f"{where}.tile: must be one of {', '.join(TERRAINS)}")
    boat = item.get("boat")
    return HexContent(
        tile=tile,
        explorers=_counts(item.get("explorers", {}), f"{where}.explorers"),
        boat=None if boat is None else _counts(boat, f"{where}.boat"),
        **{f"{c}s": _count(item.get(f"{c}s", 0), f"{where}.{c}s") for c in CREATURES},
    )


def _counts(data: object, field: str) -> Counts:
    if not isinstance(data, Mapping) or any(c not in COLOURS for c in data):
        raise LayoutError(f"{field}: must map colours ({', '.join(COLOURS)}) to counts")
    return {c: n for c in COLOURS if (n := _count(data.get(c, 0), f"{field}.{c}"))}


def _count(data: object, field: str) -> int:
    if isinstance(data, bool) or not isinstance(data, int) or data < 0:
        raise LayoutError(f"{field}: must be a whole number, 0 or more")
    return data
