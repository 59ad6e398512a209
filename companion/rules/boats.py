"""5: moving a boat."""

from __future__ import annotations

from companion.rules.actions import Action, MoveBoat
from companion.rules.catalogue import remembered
from companion.rules.draft import Draft
from companion.rules.encounters import settle
from companion.rules.errors import IllegalAction
from companion.rules.events import BoatMoved
from companion.rules.position import State
from companion.rules.squares import BIT, HEX, LABEL, NEAR, SQUARE, squares
from companion.rules.turn import proceed


def list_move_boat(p: State) -> list[Action]:
    """Legal moves of boats."""
    out: list[Action] = []
    blocked = p.land | p.boat_mask
    control = p.setup.control
    for s, load in p.boats.items():
        if p.active in control[load]:
            out += _moves(s, NEAR[s] & ~blocked)
    return out


@remembered
def _moves(s: int, targets: int) -> tuple[MoveBoat, ...]:
    """The moves from a square to the targets."""
    return tuple(MoveBoat(origin=HEX[s], target=HEX[t]) for t in squares(targets))


def check_move_boat(p: State, action: MoveBoat) -> None:
    """Raises IllegalAction."""
    s, t = SQUARE[action.origin], SQUARE[action.target]
    if s not in p.boats:
        raise IllegalAction("5.2", f"There is no boat on {LABEL[s]}.")
    if p.active not in p.setup.control[p.boats[s]]:
        raise IllegalAction("5.3", f"Others have more passengers in the boat on {LABEL[s]}; they alone move it.")
    if BIT[t] & p.land:
        raise IllegalAction("5.2", f"{LABEL[t]} is a tile; boats move over sea hexes.")
    if not BIT[t] & NEAR[s]:
        raise IllegalAction("5.2", f"{LABEL[t]} is not next to {LABEL[s]}; a boat moves one hex a move.")
    if BIT[t] & p.boat_mask:
        raise IllegalAction("5.2", f"There is a boat on {LABEL[t]} already.")


def do_move_boat(d: Draft, action: MoveBoat) -> None:
    """Move it; then 8."""
    d.moves_left -= 1
    t = sail(d, action)
    if settle(d, t, "move"):
        proceed(d, "move")


def sail(d: Draft, action: MoveBoat) -> int:
    """The boat goes with its passengers (5.2); the square where it is now."""
    s, t = SQUARE[action.origin], SQUARE[action.target]
    load = d.boats[s]
    d.set_boat(s, None)
    d.set_boat(t, load)
    d.carry_swum(("boat", s), ("boat", t))
    d.events.append(BoatMoved(origin=action.origin, target=action.target))
    return t
