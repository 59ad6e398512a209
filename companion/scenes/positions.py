"""Games in the middle: a few hexes by label, hands and a phase; everything else is filled in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from companion.rules import Position, decode_position, outcomes
from companion.rules.actions import Roll
from companion.rules.geometry import Hex, load_board
from companion.rules.layout import TERRAINS, Colour, Terrain
from companion.rules.pieces import BACKS, BOATS, CREATURE_COUNTS
from companion.scenes.people import ONE_EACH, TWO_EACH, Cast, names
from companion.table.dealer import Dealer
from companion.table.fairness import deck_order, draw
from companion.table.game import ATLANTIS

BOARD = load_board()

Hexes = Mapping[str, Mapping[str, Any]]
"""What lies on some hexes, by label, in the words of the referee protocol."""

_TERRAIN: Mapping[str, Terrain] = {"b": "beach", "f": "forest", "m": "mountain"}
_COLOUR: Mapping[str, Colour] = {"r": "red", "b": "blue", "y": "yellow", "g": "green"}


def at(label: str) -> Hex:
    """The hex of that name."""
    return BOARD.by_label[label]


def position(
    hexes: Hexes,
    *,
    players: int = 2,
    cast: Cast = "usual",
    two_colours: bool = False,
    phase: str = "move",
    hands: Sequence[Sequence[str]] = (),
    backs: Mapping[str, Mapping[str, int]] | None = None,
    safe: Mapping[str, Mapping[str, int]] | None = None,
    options: Mapping[str, Any] | None = None,
    **fields: Any,
) -> Position:
    """A position of the referee protocol; backs under the tiles are the first that are left unless given."""
    layout = [{"hex": list(at(label)), **content} for label, content in hexes.items()]
    held = [list(hand) for hand in hands] or [[] for _ in range(players)]
    colours = TWO_EACH if two_colours else ONE_EACH[:players]
    of = {terrain: sum(item.get("tile") == terrain for item in layout) for terrain in TERRAINS}
    return decode_position(
        {
            "edition": "anniversary",
            "options": dict(options or {}),
            "players": [{"name": names(cast)[i], "colours": list(own)} for i, own in enumerate(colours)],
            "layout": {"hexes": layout, "safe": dict(safe or {})},
            "active": 0,
            "phase": phase,
            "moves_left": 3 if phase == "move" else 0,
            "swum": [],
            "die": None,
            "hands": held,
            "backs": {t: (backs or {}).get(t) or _first(t, of[t], held) for t in TERRAINS},
            "supply": {
                "boats": BOATS - sum("boat" in item for item in layout),
                "sharks": CREATURE_COUNTS["shark"] - sum(item.get("sharks", 0) for item in layout),
                "whales": CREATURE_COUNTS["whale"] - sum(item.get("whales", 0) for item in layout),
            },
            "unplaced": {"explorers": {}, "boats": [0] * players},
            "threat": None,
            "sunk": None,
            "scores": {},
            "winners": None,
            **fields,
        }
    )


def _first(terrain: Terrain, count: int, held: Sequence[Sequence[str]]) -> dict[str, int]:
    """So many backs of the terrain, none that are in a hand if others are left."""
    in_hands = {tile for hand in held for tile in hand}
    deck = sorted(Counter[str](BACKS[terrain]).elements(), key=lambda back: back in in_hands)
    return dict(Counter(deck[:count]))


def drawn(island: str, boats: Mapping[str, str], creatures: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """Hexes from a drawing in letters: `F7 brbg` is a beach with a red, a blue and a green explorer, `D3 .r` a swimmer.

    `boats` gives the passengers by hex in the same letters, `creatures` the hexes of each kind.
    """
    words = island.split()
    hexes: dict[str, dict[str, Any]] = {}
    for label, what in zip(words[::2], words[1::2], strict=True):
        tile = {"tile": _TERRAIN[what[0]]} if what[0] != "." else {}
        hexes[label] = {**tile, "explorers": _counts(what[1:])}
    for label, passengers in boats.items():
        hexes.setdefault(label, {})["boat"] = _counts(passengers)
    for kind, labels in creatures.items():
        for label in labels.split():
            hexes.setdefault(label, {})[kind] = 1
    return hexes


def _counts(letters: str) -> dict[Colour, int]:
    return {colour: letters.count(letter) for letter, colour in _COLOUR.items() if letter in letters}


def dealer_for(start: Position, *, dice: Sequence[str] = (), **backs: Sequence[str]) -> Dealer:
    """The first dealer who rolls these dice in this order and has these backs first under the tiles of each terrain."""
    decks = ATLANTIS.decks(start)
    faces = outcomes(start, Roll())
    for number in range(100_000):
        dealer = Dealer(number)
        if all(draw(dealer.seed, "die", n, faces) == face for n, face in enumerate(dice)) and all(
            deck_order(dealer.seed, terrain, decks[terrain])[: len(order)] == tuple(order)
            for terrain, order in backs.items()
        ):
            return dealer
    raise LookupError(f"nobody deals {dice} and {backs}")
