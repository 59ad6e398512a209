"""4: one move of an explorer, on tiles, boats and sea and to safe land.

What a piece may do depends only on the tiles and roomy boats around it. So the actions of each such surrounding are
kept once worked out: a *surrounding* is the mask of tiles plus, `_ROOM` bits higher, the mask of boats with room.
"""

from __future__ import annotations

from collections.abc import Iterable

from companion.rules.actions import Action, MoveExplorer, On, Place
from companion.rules.catalogue import place, remembered, shore
from companion.rules.draft import Draft, with_one, without_one
from companion.rules.encounters import settle
from companion.rules.errors import IllegalAction
from companion.rules.events import CreatureMoved, ExplorerMoved, Rescued
from companion.rules.layout import Colour
from companion.rules.position import State
from companion.rules.squares import BIT, COUNT, HEX, LABEL, LAND_AT, NEAR, SQUARE, squares
from companion.rules.turn import proceed

_ROOM = COUNT
_AROUND = tuple(near | near << _ROOM for near in NEAR)
_HERE_AND_AROUND = tuple(around | BIT[s] << _ROOM for s, around in enumerate(_AROUND))


def list_move_explorer(p: State) -> list[Action]:
    """Legal moves of the active player's explorers."""
    out: list[Action] = []
    surrounding = p.land | p.room_mask << _ROOM
    own = p.setup.players[p.active].colours
    swum_at = p.swum_at
    for colour in own:
        for s in p.dry[colour]:
            out += _from_tile(colour, s, surrounding & _AROUND[s])
    for s, load in p.swimmers.items():
        for colour in own:
            if colour in load and not (swum_at and swum_at.get(("sea", s, colour), 0) == load.count(colour)):
                out += _from_sea(colour, s, surrounding & _HERE_AND_AROUND[s])
                if _dolphins_to_take(p, s):
                    out += _with_dolphin(colour, s, surrounding & _AROUND[s])
    for s, load in p.boats.items():
        for colour in own:
            if colour in load:
                count = load.count(colour)
                swum = swum_at.get(("boat", s, colour), 0)
                out += _from_boat(colour, s, surrounding & _AROUND[s], swum < count, 0 < swum < count)
    return out


@remembered
def _from_tile(colour: Colour, s: int, surrounding: int) -> tuple[MoveExplorer, ...]:
    """4.1."""
    origin = place("tile", s)
    targets = []
    for t in squares(NEAR[s]):
        if BIT[t] & surrounding:
            targets.append(place("tile", t))
        else:
            targets.append(place("sea", t))
            if BIT[t] << _ROOM & surrounding:
                targets.append(place("boat", t))
    return tuple(_moves(colour, origin, targets))


@remembered
def _from_sea(colour: Colour, s: int, surrounding: int) -> tuple[MoveExplorer, ...]:
    """4.3."""
    origin = place("sea", s)
    targets = [place("sea", t) for t in squares(NEAR[s] & ~surrounding)]
    if BIT[s] << _ROOM & surrounding:
        targets.append(place("boat", s))
    if s in LAND_AT:
        targets.append(shore(LAND_AT[s]))
    return tuple(_moves(colour, origin, targets))


@remembered
def _with_dolphin(colour: Colour, s: int, surrounding: int) -> tuple[MoveExplorer, ...]:
    """13.5."""
    origin = place("sea", s)
    return tuple(_moves(colour, origin, [place("sea", t) for t in squares(NEAR[s] & ~surrounding)], dolphin=True))


def _dolphins_to_take(p: State, s: int) -> int:
    """13.5: dolphins on the hex that have not been taken along this turn."""
    if not BIT[s] & p.lairs["dolphin"]:
        return 0
    return p.creatures["dolphin"].count(s) - p.carried_at.get(s, 0)


@remembered
def _from_boat(colour: Colour, s: int, surrounding: int, rested: bool, mixed: bool) -> tuple[MoveExplorer, ...]:
    """4.2; `rested`: one of them has not swum, `mixed`: and one has."""
    origin = place("boat", s)
    targets = [place("boat", t) for t in squares(NEAR[s] & surrounding >> _ROOM)]
    if s in LAND_AT:
        targets.append(shore(LAND_AT[s]))
    moves = _moves(colour, origin, targets)
    if mixed:
        moves += _moves(colour, origin, targets, swum=True)
    if rested:
        moves += _moves(colour, origin, [place("sea", s)])
    return tuple(moves)


def _moves(
    colour: Colour, origin: Place, targets: Iterable[Place], *, swum: bool = False, dolphin: bool = False
) -> list[MoveExplorer]:
    return [MoveExplorer(colour=colour, origin=origin, target=t, swum=swum, dolphin=dolphin) for t in targets]


_RULE_FROM: dict[On | None, str] = {"tile": "4.1", "boat": "4.2", "sea": "4.3"}
_WHERE: dict[On, str] = {"tile": "on the tile", "sea": "swimming", "boat": "in a boat"}


def check_move_explorer(p: State, action: MoveExplorer) -> None:
    """Raises IllegalAction."""
    colour, origin, target = action.colour, action.origin, action.target
    if colour not in p.setup.players[p.active].colours:
        raise IllegalAction("4.7", f"{p.setup.players[p.active].name} cannot move a {colour} explorer.")
    if origin.on is None or origin.hex is None:
        raise IllegalAction("4.7", "Who has reached safe land stays there.")
    s = SQUARE[origin.hex]
    count = standing(p, colour, origin.on, s)
    if not count:
        raise IllegalAction(_RULE_FROM[origin.on], f"No {colour} explorer is {_WHERE[origin.on]} at {LABEL[s]}.")
    if target.on is None:
        _check_landing(origin.on, s, target)
    else:
        _check_step(p, origin.on, s, target)
    if action.dolphin and not ((origin.on, target.on) == ("sea", "sea") and _dolphins_to_take(p, s)):
        raise IllegalAction("13.5", f"There is no dolphin on {LABEL[s]} to swim along to another sea hex.")
    _check_swim(p, action, origin.on, s, count)


def _check_landing(on: On, s: int, target: Place) -> None:
    """4.2, 4.3: to safe land."""
    if on == "tile":
        raise IllegalAction("4.1", "Safe land is reached from a boat or swimming, not from a tile.")
    if target.safe is None or LAND_AT.get(s) != target.safe:
        raise IllegalAction(_RULE_FROM[on], f"{LABEL[s]} is not a landing hex of the safe land {target.safe}.")


def _check_step(p: State, on: On, s: int, target: Place) -> None:
    """4.1 to 4.4, 5.1: to a hex."""
    rule = _RULE_FROM[on]
    to, t = _spot(target)
    if to == "tile":
        if on != "tile":
            raise IllegalAction("4.4", "Who has left the island never stands on a tile again.")
        if not BIT[t] & p.land:
            raise IllegalAction(rule, f"There is no tile on {LABEL[t]}.")
    elif BIT[t] & p.land:
        raise IllegalAction(rule, f"{LABEL[t]} is a tile, not sea.")
    elif to == "boat":
        if not BIT[t] & p.boat_mask:
            raise IllegalAction(rule, f"There is no boat on {LABEL[t]}.")
        if on == "sea" and s != t:
            raise IllegalAction("4.3", f"A swimmer boards a boat on its own hex {LABEL[s]} only, not on {LABEL[t]}.")
    same_hex = (on, to) in (("sea", "boat"), ("boat", "sea"))
    if same_hex and s != t:
        raise IllegalAction(rule, f"From a boat into the sea means the boat's own hex {LABEL[s]}, not {LABEL[t]}.")
    if not same_hex and not BIT[t] & NEAR[s]:
        raise IllegalAction(rule, f"{LABEL[t]} is not next to {LABEL[s]}.")
    if to == "boat" and not BIT[t] & p.room_mask:
        raise IllegalAction("5.1", f"The boat on {LABEL[t]} is full.")


def _check_swim(p: State, action: MoveExplorer, on: On, s: int, count: int) -> None:
    """4.5."""
    swum = p.swum_at.get((on, s, action.colour), 0) if p.swum_at else 0
    if "sea" in (on, action.target.on):
        if action.swum:
            raise IllegalAction("4.5", "Who has swum this turn cannot swim again.")
        if swum == count:
            raise IllegalAction("4.5", f"The {action.colour} explorer at {LABEL[s]} has swum this turn already.")
    elif action.swum and not 0 < swum < count:
        raise IllegalAction("4.5", "`swum` tells two explorers on one place apart, of which one has swum.")


def standing(p: State, colour: Colour, on: On, s: int) -> int:
    """How many explorers of the colour are on the place."""
    if on == "tile":
        return p.dry[colour].get(s, 0)
    return (p.swimmers if on == "sea" else p.boats).get(s, ()).count(colour)


def do_move_explorer(d: Draft, action: MoveExplorer) -> None:
    """Move it; on sea and aboard 8 follows."""
    colour, origin, target = action.colour, action.origin, action.target
    on, s = _spot(origin)
    has_swum = _mover_has_swum(d, action, on, s)
    if has_swum:
        d.add_swum(on, s, colour, -1)
    _leave(d, colour, on, s)
    d.moves_left -= 1
    d.events.append(ExplorerMoved(colour=colour, origin=origin, target=target))
    if action.dolphin:
        _take_dolphin(d, action)
    if target.safe is not None:
        d.put_safe(colour, target.safe)
        d.events.append(Rescued(colour=colour, land=target.safe))
        proceed(d, "move")
        return
    to, t = _spot(target)
    if to == "tile":
        d.put_dry(colour, t)
        proceed(d, "move")
        return
    if to == "sea":
        d.set_swimmers(t, with_one(d.swimmers.get(t, ()), colour))
    else:
        d.set_boat(t, with_one(d.boats[t], colour))
    if has_swum or "sea" in (on, to):
        d.add_swum(to, t, colour, 1)
    if settle(d, t, "move"):
        proceed(d, "move")


def _spot(place: Place) -> tuple[On, int]:
    """A place on a hex, as what it is on and the square."""
    assert place.on is not None, "a place on safe land has been dealt with"
    assert place.hex is not None, "a place on safe land has been dealt with"
    return place.on, SQUARE[place.hex]


def _leave(d: Draft, colour: Colour, on: On, s: int) -> None:
    if on == "tile":
        d.take_dry(colour, s)
    elif on == "sea":
        d.set_swimmers(s, without_one(d.swimmers[s], colour))
    else:
        d.set_boat(s, without_one(d.boats[s], colour))


def _take_dolphin(d: Draft, action: MoveExplorer) -> None:
    """13.5: a dolphin that has not been taken along this turn goes too."""
    (_, s), (_, t) = _spot(action.origin), _spot(action.target)
    d.take_creature("dolphin", s)
    d.put_creature("dolphin", t)
    d.carried_at = {**d.carried_at, t: d.carried_at.get(t, 0) + 1}
    d.events.append(CreatureMoved(creature="dolphin", origin=HEX[s], target=HEX[t]))


def _mover_has_swum(d: Draft, action: MoveExplorer, on: On, s: int) -> bool:
    """Of several alike the one moves that may still do it, or that `swum` names (4.5)."""
    if not d.swum_at or on == "tile":
        return False
    return action.swum or d.swum_at.get((on, s, action.colour), 0) == standing(d, action.colour, on, s)
