"""Moves of one piece in words: what it is, where it may go and by what, and what waits there.

In: legal moves (4, 5) and the layout. Out: `Piece`s, lines for the panel, buttons for a choice. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from companion.i18n import _, ngettext
from companion.rules.actions import MoveBoat, MoveExplorer, On
from companion.rules.geometry import Hex
from companion.rules.layout import Colour, Land, Layout
from companion.viewmodel import danger
from companion.viewmodel.states import Button, Line
from companion.viewmodel.turn.words import BOAT_AT, EXPLORER_AT
from companion.viewmodel.words import label, labels

Move = MoveExplorer | MoveBoat


class Piece(msgspec.Struct, frozen=True):
    """What moves: an explorer of a colour, on a tile, in the sea or in a boat; with no colour the boat itself."""

    hex: Hex
    colour: Colour | None
    on: On

    @property
    def name(self) -> str:
        """`Explorer on E8`."""
        return _(EXPLORER_AT[self.on] if self.colour else BOAT_AT).format(hex=label(self.hex))


def piece_of(move: Move) -> Piece:
    """What the move moves."""
    if isinstance(move, MoveBoat):
        return Piece(hex=move.origin, colour=None, on="boat")
    assert move.origin.hex is not None, "who is on safe land does not move (4.7)"
    assert move.origin.on is not None, "a place on a hex says on what"
    return Piece(hex=move.origin.hex, colour=move.colour, on=move.origin.on)


def target_hex(move: Move) -> Hex | None:
    """Where the piece would be; None on safe land."""
    return move.target if isinstance(move, MoveBoat) else move.target.hex


def target_land(move: Move) -> Land | None:
    """The safe land that it would be on, if any."""
    return None if isinstance(move, MoveBoat) else move.target.safe


def ends_swimming(move: Move) -> bool:
    """True if the piece would be in the sea."""
    return _by(move) == "sea"


def what_waits(layout: Layout, move: Move) -> str | None:
    """What would strike the piece there (8), in a sentence."""
    h = target_hex(move)
    if h is None:
        return None
    if isinstance(move, MoveBoat):
        return danger.for_boat(layout, h) if layout.at(move.origin).boat else None
    if move.target.on == "sea":
        return danger.for_swimmer(layout, h)
    return danger.for_boat(layout, h) if move.target.on == "boat" else None


def way_lines(layout: Layout, moves: Sequence[Move]) -> tuple[Line, ...]:
    """Where one piece may go and by what: `D7, E7, F8 on foot`, the dangers last."""
    mild = [move for move in moves if not what_waits(layout, move)]
    by_foot = _hexes(move for move in mild if _by(move) == "tile")
    by_boat = _hexes(move for move in mild if _by(move) == "boat")
    swim = _hexes(move for move in mild if _by(move) == "sea")
    sail = _hexes(move for move in mild if isinstance(move, MoveBoat))
    lines: list[Line] = []
    if by_foot:
        lines.append(Line(text=_("{hexes} on foot").format(hexes=labels(by_foot)), icon="phase_move"))
    if by_boat:
        text = ngettext("{hexes}: the boat has room", "{hexes}: the boats have room", len(by_boat))
        lines.append(Line(text=text.format(hexes=labels(by_boat)), icon="boat"))
    if sail:
        lines.append(Line(text=_("{hexes}: the boat goes there").format(hexes=labels(sail)), icon="boat"))
    if swim:
        lines.append(Line(text=_("{hexes}: swim").format(hexes=labels(swim)), icon="swimmer"))
    if any(target_land(move) for move in moves):
        lines.append(Line(text=_("Safe land: touch the bright corner"), icon="rescued"))
    warnings = dict.fromkeys(warning for move in moves if (warning := what_waits(layout, move)))
    return (*lines, *(Line(text=warning, icon="warning", tone="danger") for warning in warnings))


def way_button(button_id: str, layout: Layout, move: Move) -> Button:
    """One way to go, where a touch on the board could mean several."""
    texts: dict[On | None, tuple[str, str]] = {
        "boat": (_("Into the boat"), "boat"),
        "sea": (_("Into the sea"), "swimmer"),
        "tile": (_("On foot"), "phase_move"),
        None: (_("Onto safe land"), "rescued"),
    }
    text, icon = texts[_by(move)]
    warning = what_waits(layout, move)
    return Button(
        id=button_id,
        text=text,
        icon=icon,
        line=warning or _who(move),
        kind="danger" if warning else "secondary",
    )


def _who(move: Move) -> str:
    """What tells two ways to the same place apart (4.5, 13.5)."""
    if isinstance(move, MoveExplorer) and move.dolphin:
        return _("and takes a dolphin along")
    if isinstance(move, MoveExplorer) and move.swum:
        return _("has swum this turn")
    return ""


def piece_button(button_id: str, piece: Piece) -> Button:
    """One of several pieces on a hex."""
    return Button(id=button_id, text=piece.name, mark=piece.colour, icon=None if piece.colour else "boat")


def _by(move: Move) -> On | None:
    return None if isinstance(move, MoveBoat) else move.target.on


def _hexes(moves: Iterable[Move]) -> set[Hex]:
    return {h for move in moves if (h := target_hex(move)) is not None}
