"""Games in the middle, as the scenes have them, with a journal of their own on the disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from companion.scenes.positions import BOARD, at, position
from companion.table.dealer import Dealer
from companion.table.journal import Journal
from companion.table.start import begin
from companion.viewmodel.app import AppViewModel
from companion.viewmodel.defaults import NewGameDefaults
from viewmodel.people import People

__all__ = ["BOARD", "at", "move_scene", "on_with", "position"]


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
