"""Sentences of the turn's panel, as tables."""

from __future__ import annotations

from collections.abc import Mapping

from companion.i18n import N_, NN_
from companion.rules.actions import On
from companion.rules.layout import Terrain

EXPLORER_AT: Mapping[On, str] = {
    "tile": N_("Explorer on {hex}"),
    "sea": N_("Swimmer at {hex}"),
    "boat": N_("Explorer in the boat at {hex}"),
}
BOAT_AT = N_("Boat at {hex}")

TAKE_TILE: Mapping[Terrain, str] = {
    "beach": N_("Take one of the bright beaches off the table, or touch it here."),
    "forest": N_("Take one of the bright forests off the table, or touch it here."),
    "mountain": N_("Take one of the bright mountains off the table, or touch it here."),
}
GO_FIRST: Mapping[Terrain, str] = {
    "beach": N_("{hex} stays: the beaches go first."),
    "forest": N_("{hex} stays: the forests go first."),
    "mountain": N_("{hex} stays: the mountains go first."),
}
"""6.1."""
INLAND = NN_("{hexes} stays: it does not touch the sea.", "{hexes} stay: they do not touch the sea.")
"""6.2."""

MOVE_CREATURE: Mapping[str, tuple[str, str]] = {
    "serpent": NN_(
        "Move the bright sea serpent, or touch it here.",
        "Move one of the {n} bright sea serpents, or touch it here.",
    ),
    "shark": NN_(
        "Move the bright shark, or touch it here.",
        "Move one of the {n} bright sharks, or touch it here.",
    ),
    "whale": NN_(
        "Move the bright whale, or touch it here.",
        "Move one of the {n} bright whales, or touch it here.",
    ),
}
CANNOT_MOVE: Mapping[str, str] = {
    "serpent": N_("No sea serpent can move."),
    "shark": N_("No shark can move."),
    "whale": N_("No whale can move."),
    "dolphin": N_("No dolphin can move."),
    "boat": N_("No empty boat can move."),
    "star": N_("Nothing on the board can move."),
}
"""7.1: all of the kind rolled are shut in."""
HOW_FAR: Mapping[str, str] = {
    "serpent": N_("one sea serpent, 1 hex"),
    "shark": N_("one shark, 1 or 2 hexes"),
    "whale": N_("one whale, 1 to 3 hexes"),
}
"""7.2."""
