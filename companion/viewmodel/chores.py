"""What hands have to do, in words: `Put it back in the sea at D3`. In: the table's chores. Out: lines for the panel."""

from __future__ import annotations

from collections.abc import Mapping

from companion.i18n import N_, _
from companion.table.chores import Chore
from companion.viewmodel.states import Line
from companion.viewmodel.words import label

_PUT: Mapping[str, str] = {
    "tile": N_("Put the tile back on {hex}"),
    "boat": N_("Put a boat on {hex}"),
    "serpent": N_("Put a sea serpent on {hex}"),
    "shark": N_("Put a shark on {hex}"),
    "whale": N_("Put a whale on {hex}"),
    "dolphin": N_("Put a dolphin on {hex}"),
    "explorer on tile": N_("Put an explorer on {hex}"),
    "explorer on sea": N_("Put an explorer in the sea at {hex}"),
    "explorer on boat": N_("Put an explorer in the boat at {hex}"),
    "explorer on land": N_("Put an explorer on safe land"),
}
_TAKE: Mapping[str, str] = {
    "tile": N_("Take the tile off {hex}"),
    "boat": N_("Take the boat off {hex}"),
    "serpent": N_("Take a sea serpent off {hex}"),
    "shark": N_("Take a shark off {hex}"),
    "whale": N_("Take a whale off {hex}"),
    "dolphin": N_("Take a dolphin off {hex}"),
    "explorer on tile": N_("Take an explorer off {hex}"),
    "explorer on sea": N_("Take an explorer out of the sea at {hex}"),
    "explorer on boat": N_("Take an explorer out of the boat at {hex}"),
    "explorer on land": N_("Take an explorer off safe land"),
}
_CARRY: Mapping[str, str] = {
    "tile": N_("Put the tile from {origin} on {hex}"),
    "boat": N_("Put the boat from {origin} on {hex}"),
    "serpent": N_("Put the sea serpent from {origin} on {hex}"),
    "shark": N_("Put the shark from {origin} on {hex}"),
    "whale": N_("Put the whale from {origin} on {hex}"),
    "dolphin": N_("Put the dolphin from {origin} on {hex}"),
    "explorer on tile": N_("Put the explorer from {origin} on {hex}"),
    "explorer on sea": N_("Put the explorer from {origin} in the sea at {hex}"),
    "explorer on boat": N_("Put the explorer from {origin} in the boat at {hex}"),
    "explorer on land": N_("Put the explorer from {origin} on safe land"),
}
_THERE: Mapping[str, str] = {
    "tile": N_("A tile lies there."),
    "boat": N_("A boat lies there."),
    "serpent": N_("A sea serpent is there."),
    "shark": N_("A shark is there."),
    "whale": N_("A whale is there."),
    "dolphin": N_("A dolphin is there."),
    "red": N_("A red explorer is there."),
    "blue": N_("A blue explorer is there."),
    "yellow": N_("A yellow explorer is there."),
    "green": N_("A green explorer is there."),
}
_MISSING: Mapping[str, str] = {
    "tile": N_("A tile is missing there."),
    "boat": N_("A boat is missing there."),
    "serpent": N_("A sea serpent is missing there."),
    "shark": N_("A shark is missing there."),
    "whale": N_("A whale is missing there."),
    "dolphin": N_("A dolphin is missing there."),
    "red": N_("A red explorer is missing there."),
    "blue": N_("A blue explorer is missing there."),
    "yellow": N_("A yellow explorer is missing there."),
    "green": N_("A green explorer is missing there."),
}


def what_is_there(chore: Chore) -> str:
    """What is wrong where such a thing is to be taken away, or to be put."""
    words = _MISSING if chore.do == "put" and chore.origin_hex is None else _THERE
    return _(words[chore.colour or chore.piece])


def chore_line(chore: Chore) -> Line:
    """One thing to do, with the piece's mark."""
    words = _CARRY if chore.origin_hex is not None else _PUT if chore.do == "put" else _TAKE
    kind = f"explorer on {chore.on or 'land'}" if chore.piece == "explorer" else chore.piece
    text = _(words[kind]).format(
        hex=label(chore.hex) if chore.hex else "", origin=label(chore.origin_hex) if chore.origin_hex else ""
    )
    icons = {"tile": "island"}
    icon = None if chore.colour else icons.get(chore.piece, chore.piece)
    return Line(text=text, mark=chore.colour, icon=icon, tone="strong")
