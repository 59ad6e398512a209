"""3.4, 7 and 13.2: the dice and the move of a creature (or an empty boat) by them."""

from __future__ import annotations

from companion.rules import catalogue
from companion.rules.actions import Action, Creature, DiveRoll, Face, MoveBoat, MoveCreature, Roll
from companion.rules.boats import sail
from companion.rules.draft import Draft
from companion.rules.encounters import settle
from companion.rules.errors import BadAction, IllegalAction
from companion.rules.events import CreatureMoved, DiceRolled, NoSuchCreature, Rolled
from companion.rules.hand import empty_sea
from companion.rules.pieces import DIVE_CREATURES, STEPS
from companion.rules.position import State
from companion.rules.squares import ALL, BIT, LABEL, SQUARE, flood, pick
from companion.rules.turn import begin_next_turn, begin_phase, proceed


def check_roll(p: State, action: Roll) -> None:
    """Raises BadAction if a face is named that is not on these dice."""
    if action.face is not None and isinstance(action.face, DiveRoll) != p.setup.options.dive_dice:
        raise BadAction("roll.face: a creature of the red die, or with `dive_dice` what both blue dice show")


def do_roll(d: Draft, action: Roll) -> None:
    """3.4: with none of the kind on the board the turn is over."""
    face = action.face
    if face is None:
        raise BadAction("roll: the face that came is missing; see `outcomes`")
    if isinstance(face, DiveRoll):
        d.events.append(DiceRolled(creature=face.creature, hexes=face.hexes))
        kind = face.creature
    else:
        d.events.append(Rolled(face=face))
        kind = face
    if any(where_is(d, creature) for creature in kinds(face)):
        d.die = face
        begin_phase(d, "creature")
    else:
        d.events.append(NoSuchCreature(creature=kind))
        begin_next_turn(d)


def list_roll(p: State) -> list[Action]:  # noqa: ARG001 - one signature for all phases
    """The roll, whatever comes."""
    return [catalogue.ROLL]


def kinds(face: Face | DiveRoll) -> tuple[Creature, ...]:
    """What the dice let the player move: the kind rolled, with a star any of them (13.2)."""
    rolled = face.creature if isinstance(face, DiveRoll) else face
    if rolled == "star":
        return tuple(creature for creature in DIVE_CREATURES if creature != "star")
    return (rolled,)


def where_is(p: State, kind: Creature) -> list[int]:
    """The squares with one of the kind that may be moved: of boats the empty ones (13.2)."""
    if kind == "boat":
        return [s for s, load in p.boats.items() if not load]
    return sorted(set(p.creatures[kind]))


def _enter(p: State, kind: Creature) -> int:
    """7.1, for a boat 5.2: the hexes that it may move to and over."""
    return ALL & ~p.land & ~p.boat_mask if kind == "boat" else ALL & ~p.land


def _prey(p: State, kind: Creature) -> int:
    """7.3, 13.3: the hexes where it stops. By the red die a serpent has only one step."""
    if kind == "shark":
        return p.swim_mask
    if kind == "whale":
        return p.laden_mask
    return p.swim_mask | p.laden_mask if kind == "serpent" else 0


def _steps(face: Face | DiveRoll) -> int:
    """7.2, 13.2; 0 for a dive."""
    if isinstance(face, DiveRoll):
        return 0 if face.hexes == "D" else face.hexes
    return STEPS[face]


def _reach(p: State, kind: Creature, s: int) -> int:
    """Where one of the kind may move to from the square."""
    steps = _steps(_rolled(p))
    if not steps:
        return empty_sea(p)
    enter = _enter(p, kind)
    return flood(s, steps, enter, enter & ~_prey(p, kind))


def _rolled(p: State) -> Face | DiveRoll:
    assert p.die is not None, "in `creature` there is a die"
    return p.die


def list_move_creature(p: State) -> list[Action]:
    """Legal moves of the creatures of the kind rolled."""
    out: list[Action] = []
    for kind in kinds(_rolled(p)):
        for s in where_is(p, kind):
            out += pick(catalogue.move_creature(kind, s), _reach(p, kind, s))
    out.append(catalogue.END_PHASE)
    return out


def check_move_creature(p: State, action: MoveCreature) -> None:
    """Raises IllegalAction."""
    kind, face = action.creature, _rolled(p)
    s, t = SQUARE[action.origin], SQUARE[action.target]
    dive = isinstance(face, DiveRoll)
    if kind not in kinds(face):
        raise IllegalAction("13.2" if dive else "3.4", f"The dice do not let a {kind} move now.")
    if s not in where_is(p, kind):
        what = "empty boat" if kind == "boat" else kind
        raise IllegalAction("13.2" if dive else "3.4", f"There is no {what} on {LABEL[s]}.")
    if BIT[t] & _reach(p, kind, s):
        return
    if s == t:
        raise IllegalAction("7.4", f"A move ends on another hex than {LABEL[s]}, where it begins.")
    if BIT[t] & p.land:
        raise IllegalAction("7.1", f"{LABEL[t]} is a tile; creatures move over sea hexes only.")
    if not _steps(face):
        raise IllegalAction("13.2", f"{LABEL[t]} is not empty; a dive ends on an empty sea hex.")
    if kind == "boat" and BIT[t] & p.boat_mask:
        raise IllegalAction("5.2", f"There is a boat on {LABEL[t]} already.")
    steps, enter = _steps(face), _enter(p, kind)
    if BIT[t] & flood(s, steps, enter, enter):
        rule = "13.3" if dive else "7.3"
        raise IllegalAction(rule, f"The {kind} cannot get to {LABEL[t]}: it stops at the first prey on the way.")
    if BIT[t] & flood(s, steps, ALL, ALL):
        raise IllegalAction(
            "5.2" if kind == "boat" else "7.1", f"The way from {LABEL[s]} to {LABEL[t]} is not free; it leads over sea."
        )
    raise IllegalAction(
        "13.2" if dive else "7.2", f"{LABEL[t]} is too far from {LABEL[s]}: this {kind} moves {steps} at most."
    )


def do_move_creature(d: Draft, action: MoveCreature) -> None:
    """Move it; then 8, where it has come to and, if it is a dolphin, on the hex it has left (13.4)."""
    kind = action.creature
    s, t = SQUARE[action.origin], SQUARE[action.target]
    if kind == "boat":
        sail(d, MoveBoat(origin=action.origin, target=action.target))
        proceed(d, "creature")
        return
    d.take_creature(kind, s)
    d.put_creature(kind, t)
    d.events.append(CreatureMoved(creature=kind, origin=action.origin, target=action.target))
    if settle(d, s if kind == "dolphin" else t, "creature", moved=kind):
        proceed(d, "creature")
