"""Games in the middle, for tests: a few hexes by label, hands and a phase; everything else is filled in."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from companion.rules import decode_position
from companion.rules.geometry import Hex, load_board
from companion.rules.layout import TERRAINS
from companion.rules.pieces import BACKS, BOATS, CREATURE_COUNTS
from companion.table.dealer import Dealer
from companion.table.journal import Journal
from companion.table.start import begin
from companion.viewmodel.app import AppViewModel
from companion.viewmodel.defaults import NewGameDefaults
from viewmodel.people import NAMES, ONE_EACH, TWO_EACH, People

BOARD = load_board()


def at(label: str) -> Hex:
    return BOARD.by_label[label]


def position(
    hexes: dict[str, dict[str, Any]],
    *,
    players: int = 2,
    two_colours: bool = False,
    phase: str = "move",
    hands: tuple[tuple[str, ...], ...] = (),
    backs: dict[str, dict[str, int]] | None = None,
    safe: dict[str, dict[str, int]] | None = None,
    options: dict[str, Any] | None = None,
    **fields: Any,
) -> Any:
    """A position of the referee protocol; backs under the tiles are the first that are left unless given."""
    layout = [{"hex": list(at(label)), **content} for label, content in hexes.items()]
    held = [list(hand) for hand in hands] or [[] for _ in range(players)]
    colours = TWO_EACH if two_colours else ONE_EACH[:players]
    of = {terrain: sum(item.get("tile") == terrain for item in layout) for terrain in TERRAINS}
    return decode_position(
        {
            "edition": "anniversary",
            "options": options or {},
            "players": [{"name": NAMES[i], "colours": list(own)} for i, own in enumerate(colours)],
            "layout": {"hexes": layout, "safe": safe or {}},
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


def _first(terrain: str, count: int, held: list[list[str]]) -> dict[str, int]:
    """So many backs of the terrain, none that are in a hand if others are left."""
    in_hands = {tile for hand in held for tile in hand}
    deck = sorted(Counter(BACKS[terrain]).elements(), key=lambda back: back in in_hands)
    return dict(Counter(deck[:count]))


def on_with(folder: Path, start: Any, seed: int = 1, **more: Any) -> People:
    """People going on with a game that stands at this position."""
    journal = Journal(folder / "games.sqlite")
    begin(journal, start, Dealer(seed))
    defaults = more.pop("defaults", NewGameDefaults())
    people = People(AppViewModel(journal, defaults=defaults, deal=lambda: Dealer(seed), **more))
    people.press("continue")
    return people


def move_scene(**more: Any) -> Any:
    """Ann's explorer on E8 beside two tiles, a boat with room, open sea and a shark: the scene of the drawn screen."""
    hexes = {
        "E8": {"tile": "forest", "explorers": {"red": 1}},
        "D7": {"tile": "forest", "explorers": {"red": 1}},
        "E7": {"tile": "beach"},
        "F8": {"tile": "beach"},
        "H4": {"tile": "beach", "explorers": {"blue": 1}},
        "D8": {"sharks": 1},
        "E9": {"boat": {"red": 1, "blue": 1}},
        "C8": {"boat": {}},
        "B1": {"serpents": 1},
    }
    return position(hexes, **more)
