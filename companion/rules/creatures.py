"""3.4 and 7: the creature die and the move of a creature by it."""

from __future__ import annotations

from companion.rules import catalogue
from companion.rules.actions import Action, Creature, MoveCreature, Roll
from companion.rules.draft import Draft
from companion.rules.encounters import settle
from companion.rules.errors import BadAction, IllegalAction
from companion.rules.events import CreatureMoved, NoSuchCreature, Rolled
from companion.rules.pieces import STEPS
from companion.rules.position import State
from companion.rules.squares import ALL, BIT, LABEL, SQUARE, flood, pick
from companion.rules.turn import begin_next_turn, begin_phase, proceed


def do_roll(d: Draft, action: Roll) -> None:
    """3.4: with none of the kind on the board the turn is over."""
    if action.face is None:
        raise BadAction("roll: the face that came is missing; see `outcomes`")
    d.events.append(Rolled(face=action.face))
    if d.creatures[action.face]:
        d.die = action.face
        begin_phase(d, "creature")
    else:
        d.events.append(NoSuchCreature(creature=action.face))
        begin_next_turn(d)


def list_roll(p: State) -> list[Action]:  # noqa: ARG001 - one signature for all phases
    """The roll, whatever comes."""
    return [catalogue.ROLL]


def _prey(p: State, kind: Creature) -> int:
    """7.3: the hexes where the creature stops."""
    if kind == "shark":
        return p.swim_mask
    return p.laden_mask if kind == "whale" else 0


def list_move_creature(p: State) -> list[Action]:
    """Legal moves of the creatures of the kind rolled."""
    kind = _rolled(p)
    sea = ALL & ~p.land
    through = sea & ~_prey(p, kind)
    out: list[Action] = []
    for s in sorted(set(p.creatures[kind])):
        out += pick(catalogue.move_creature(kind, s), flood(s, STEPS[kind], sea, through))
    out.append(catalogue.END_PHASE)
    return out


def _rolled(p: State) -> Creature:
    assert p.die is not None, "in `creature` there is a die"
    return p.die


def check_move_creature(p: State, action: MoveCreature) -> None:
    """Raises IllegalAction."""
    kind = action.creature
    if kind != p.die:
        raise IllegalAction("3.4", f"The die shows a {p.die}, so no {kind} moves now.")
    s, t = SQUARE[action.origin], SQUARE[action.target]
    if s not in p.creatures[kind]:
        raise IllegalAction("3.4", f"There is no {kind} on {LABEL[s]}.")
    sea = ALL & ~p.land
    if BIT[t] & flood(s, STEPS[kind], sea, sea & ~_prey(p, kind)):
        return
    if s == t:
        raise IllegalAction("7.4", f"A move ends on another hex than {LABEL[s]}, where it begins.")
    if BIT[t] & p.land:
        raise IllegalAction("7.1", f"{LABEL[t]} is a tile; creatures move over sea hexes only.")
    if BIT[t] & flood(s, STEPS[kind], sea, sea):
        raise IllegalAction("7.3", f"The {kind} cannot get to {LABEL[t]}: it stops at the first prey on the way.")
    if BIT[t] & flood(s, STEPS[kind], ALL, ALL):
        raise IllegalAction("7.1", f"Tiles lie between {LABEL[s]} and {LABEL[t]}; creatures move over sea hexes only.")
    raise IllegalAction("7.2", f"{LABEL[t]} is too far from {LABEL[s]}: a {kind} moves {STEPS[kind]} at most.")


def do_move_creature(d: Draft, action: MoveCreature) -> None:
    """Move it; then 8."""
    s, t = SQUARE[action.origin], SQUARE[action.target]
    d.take_creature(action.creature, s)
    d.put_creature(action.creature, t)
    d.events.append(CreatureMoved(creature=action.creature, origin=action.origin, target=action.target))
    if settle(d, t, "creature", moved=action.creature):
        proceed(d, "creature")
