"""8 and 9: what happens when creatures, swimmers and laden boats share a sea hex, and who may prevent it.

`settle` is called whenever something has arrived on a hex. It carries out 8 until nothing applies, or stops
when somebody must be asked first: in the phase `protect` for whom dolphins protect (13.4), in `reaction` for a defence
(9). The answers (`do_protect`, `do_defend`, `do_decline`) go on from there.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping

import msgspec

from companion.rules.actions import Action, Creature, Decline, Defend, Protect
from companion.rules.draft import Draft
from companion.rules.errors import IllegalAction
from companion.rules.events import (
    BoatLost,
    Defended,
    Eaten,
    Event,
    PhaseBegan,
    Protected,
    ProtectionAsked,
    Threatened,
    TilePlayed,
)
from companion.rules.layout import Counts
from companion.rules.pieces import DEFENCE_TILE, Load, spoken
from companion.rules.position import Phase, Resume, State, Threat, counts_of
from companion.rules.squares import BIT, HEX, LABEL, SQUARE
from companion.rules.turn import proceed


def settle(d: Draft, s: int, phase: Resume, moved: Creature | None = None) -> bool:
    """Carry out 8 on the hex; False if it stopped to ask (9, 13.4).

    `phase` is where it arose, `moved` the creature that has just come there by 7 (9.5).
    """
    bit = BIT[s]
    lairs = d.lairs
    while True:
        if bit & lairs["serpent"] and bit & d.laden_mask:
            _lose_boat(d, "serpent", s)
        if bit & lairs["serpent"] and _exposed(d, s):
            creature: Creature = "serpent"
        elif bit & lairs["whale"] and bit & d.laden_mask:
            creature = "whale"
        elif bit & lairs["shark"] and _exposed(d, s):
            creature = "shark"
        else:
            return True
        threat = Threat(creature=creature, hex=HEX[s], asked=(), resume=phase, moved=moved == creature)
        if creature != "whale" and bit & lairs["dolphin"]:
            _ask_protection(d, threat)
            return False
        if not _face(d, threat):
            return False
        moved = None


def _exposed(p: State, s: int) -> bool:
    """Whether there are swimmers, more than dolphins that protect them (8.2, 8.4, 13.4)."""
    if not BIT[s] & p.swim_mask:
        return False
    return not BIT[s] & p.lairs["dolphin"] or len(p.swimmers[s]) > p.creatures["dolphin"].count(s)


def _face(d: Draft, threat: Threat) -> bool:
    """Ask for a defence (False) or, with nobody to ask, carry the threat out (True)."""
    s = SQUARE[threat.hex]
    asked: tuple[int, ...] = ()
    if threat.creature != "serpent" and (threat.moved or d.setup.options.defence == "any"):
        asked = threatened(d, threat.creature, s, threat.protected)
    if not asked:
        _strike(d, threat.creature, s, threat.protected)
        return True
    d.threat = Threat(
        creature=threat.creature, hex=threat.hex, asked=asked, resume=threat.resume, protected=threat.protected
    )
    _ask(d, "reaction", Threatened(by=threat.creature, hex=threat.hex, players=asked))
    return False


def _ask(d: Draft, phase: Phase, event: Event) -> None:
    d.phase = phase
    d.events.append(event)
    d.events.append(PhaseBegan(phase=phase, player=d.active))


def threatened(p: State, creature: Creature, s: int, protected: Mapping[str, int]) -> tuple[int, ...]:
    """9.2: the players with an explorer threatened there, clockwise from the active one, who is not asked."""
    prey = p.boats.get(s, ()) if creature == "whale" else _unprotected(p.swimmers.get(s, ()), protected)
    return tuple(player for player in owners(p, prey) if player != p.active)


def owners(p: State, load: Load) -> tuple[int, ...]:
    """The players with an explorer among these, clockwise, the active one first."""
    owners = {p.setup.owner[colour] for colour in load}
    count = len(p.setup.players)
    return tuple(player for step in range(count) if (player := (p.active + step) % count) in owners)


def _unprotected(swimmers: Load, protected: Mapping[str, int]) -> Load:
    """The swimmers without those under the dolphins' protection."""
    if not protected:
        return swimmers
    return tuple(
        colour for colour in sorted(set(swimmers)) for _ in range(swimmers.count(colour) - protected.get(colour, 0))
    )


def _strike(d: Draft, creature: Creature, s: int, protected: Mapping[str, int]) -> None:
    """8.2, 8.3, 8.4."""
    if creature == "whale":
        _lose_boat(d, "whale", s)
        return
    swimmers = d.swimmers[s]
    eaten = _unprotected(swimmers, protected)
    d.events.append(Eaten(by=creature, hex=HEX[s], explorers=counts_of(eaten)))
    d.set_swimmers(s, _unprotected(swimmers, counts_of(eaten)))
    d.lose_swum(s, eaten)


def _lose_boat(d: Draft, creature: Creature, s: int) -> None:
    """8.1 with its passengers; 8.3 they swim there."""
    load = d.boats[s]
    d.events.append(BoatLost(by=creature, hex=HEX[s], explorers=counts_of(load)))
    d.set_boat(s, None)
    if creature == "whale":
        d.set_swimmers(s, tuple(sorted(d.swimmers.get(s, ()) + load)))
        d.carry_swum(("boat", s), ("sea", s))
    else:
        d.forget_swum("boat", s)


def _threat(p: State) -> Threat:
    assert p.threat is not None, "in `reaction` and `protect` there is a threat"
    return p.threat


def _go_on(d: Draft, threat: Threat) -> None:
    """Whatever else applies on the hex, then back to where the threat arose."""
    d.threat = None
    if settle(d, SQUARE[threat.hex], threat.resume):
        proceed(d, threat.resume)


# 9 defence


def list_reaction(p: State) -> list[Action]:
    """What the player asked can answer; it knows the hand."""
    threat = _threat(p)
    player = threat.asked[0]
    if DEFENCE_TILE[threat.creature] in p.hands[player]:
        return [Defend(player=player), Decline(player=player)]
    return [Decline(player=player)]


def check_decline(p: State, action: Decline | Defend) -> None:
    """Raises IllegalAction."""
    asked = _threat(p).asked[0]
    if action.player != asked:
        raise IllegalAction("9.2", f"It is {p.setup.players[asked].name} who is asked now.")


def check_defend(p: State, action: Defend) -> None:
    """Raises IllegalAction."""
    check_decline(p, action)
    tile = DEFENCE_TILE[_threat(p).creature]
    if tile not in p.hands[action.player]:
        raise IllegalAction("9.1", f"{p.setup.players[action.player].name} holds no {spoken(tile)} tile.")


def do_decline(d: Draft, action: Decline) -> None:  # noqa: ARG001 - one signature for all actions
    """Ask the next; when all have declined the threat is carried out."""
    threat = _threat(d)
    if threat.asked[1:]:
        d.threat = msgspec.structs.replace(threat, asked=threat.asked[1:])
        return
    _strike(d, threat.creature, SQUARE[threat.hex], threat.protected)
    _go_on(d, threat)


def do_defend(d: Draft, action: Defend) -> None:
    """The tile and the creature leave the game, nobody is harmed."""
    threat = _threat(d)
    tile = DEFENCE_TILE[threat.creature]
    d.take_from_hand(action.player, tile)
    d.events.append(TilePlayed(player=action.player, tile=tile))
    d.take_creature(threat.creature, SQUARE[threat.hex])
    d.events.append(Defended(player=action.player, by=threat.creature, hex=threat.hex))
    _go_on(d, threat)


# 13.4 protection by dolphins


def _ask_protection(d: Draft, threat: Threat) -> None:
    """Ask the swimmers' owners, the active player first, whom the dolphins protect."""
    asked = owners(d, d.swimmers[SQUARE[threat.hex]])
    d.threat = msgspec.structs.replace(threat, asked=asked)
    _ask(d, "protect", ProtectionAsked(by=threat.creature, hex=threat.hex, players=asked))


def _protection_left(p: State) -> tuple[Counts, int]:
    """How many swimmers of each colour the player asked has there, and how many dolphins protect nobody yet."""
    threat = _threat(p)
    s = SQUARE[threat.hex]
    own = p.setup.players[threat.asked[0]].colours
    swimmers: Counts = {colour: n for colour, n in counts_of(p.swimmers[s]).items() if colour in own}
    return swimmers, p.creatures["dolphin"].count(s) - sum(threat.protected.values())


def list_protect(p: State) -> list[Action]:
    """Every choice of own swimmers for the dolphins that are left, none included."""
    swimmers, dolphins = _protection_left(p)
    choices = itertools.product(*(range(count + 1) for count in swimmers.values()))
    return [
        Protect(explorers={colour: n for colour, n in zip(swimmers, numbers, strict=True) if n})
        for numbers in choices
        if sum(numbers) <= dolphins
    ]


def check_protect(p: State, action: Protect) -> None:
    """Raises IllegalAction."""
    swimmers, dolphins = _protection_left(p)
    where, name = LABEL[SQUARE[_threat(p).hex]], p.setup.players[_threat(p).asked[0]].name
    for colour, count in action.explorers.items():
        if count > swimmers.get(colour, 0):
            raise IllegalAction("13.4", f"{name} has {swimmers.get(colour, 0)} {colour} swimmers on {where}.")
    if sum(action.explorers.values()) > dolphins:
        raise IllegalAction("13.4", f"The dolphins on {where} can protect {dolphins} more.")


def do_protect(d: Draft, action: Protect) -> None:
    """Ask the next owner; when all have spoken or no dolphin is left, the others are struck."""
    threat = _threat(d)
    protected = dict(threat.protected)
    for colour, count in action.explorers.items():
        protected[colour] = protected.get(colour, 0) + count
    d.events.append(Protected(player=threat.asked[0], hex=threat.hex, explorers=action.explorers))
    threat = msgspec.structs.replace(threat, asked=threat.asked[1:], protected=protected)
    d.threat = threat
    if threat.asked and sum(protected.values()) < d.creatures["dolphin"].count(SQUARE[threat.hex]):
        return
    d.threat = None
    if _face(d, threat):
        _go_on(d, threat)
