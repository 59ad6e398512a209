"""8 and 9: what happens when creatures, swimmers and laden boats share a sea hex, and who may prevent it.

`settle` is called whenever something has arrived on a hex. It carries out 8 until nothing applies, or stops
in the phase `reaction` when somebody must be asked first; the answers (`do_defend`, `do_decline`) go on from there.
"""

from __future__ import annotations

from companion.rules.actions import Action, Creature, Decline, Defend
from companion.rules.draft import Draft
from companion.rules.errors import IllegalAction
from companion.rules.events import BoatLost, Defended, Eaten, PhaseBegan, Threatened, TilePlayed
from companion.rules.pieces import DEFENCE_TILE, Load
from companion.rules.position import Resume, State, Threat, counts_of
from companion.rules.squares import BIT, HEX, SQUARE
from companion.rules.turn import proceed


def settle(d: Draft, s: int, phase: Resume, moved: Creature | None = None) -> bool:
    """Carry out 8 on the hex; False if it stopped to ask (9).

    `phase` is where it arose, `moved` the creature that has just come there by 7 (9.5).
    """
    bit = BIT[s]
    lairs = d.lairs
    while True:
        if bit & lairs["serpent"]:
            if bit & d.laden_mask:
                _lose_boat(d, "serpent", s)
            if bit & d.swim_mask:
                _eat(d, "serpent", s)
        if bit & lairs["whale"] and bit & d.laden_mask:
            creature: Creature = "whale"
        elif bit & lairs["shark"] and bit & d.swim_mask:
            creature = "shark"
        else:
            return True
        asked = threatened(d, creature, s) if d.setup.options.defence == "any" or moved == creature else ()
        if asked:
            d.threat = Threat(creature=creature, hex=HEX[s], asked=asked, resume=phase)
            d.phase = "reaction"
            d.events.append(Threatened(by=creature, hex=HEX[s], players=asked))
            d.events.append(PhaseBegan(phase="reaction", player=d.active))
            return False
        moved = None
        _strike(d, creature, s)


def threatened(p: State, creature: Creature, s: int) -> tuple[int, ...]:
    """9.2: the players with an explorer threatened there, clockwise from the active one, who is not asked."""
    prey: Load = p.boats.get(s, ()) if creature == "whale" else p.swimmers.get(s, ())
    owners = {p.setup.owner[colour] for colour in prey}
    count = len(p.setup.players)
    return tuple(player for step in range(1, count) if (player := (p.active + step) % count) in owners)


def _strike(d: Draft, creature: Creature, s: int) -> None:
    """8.3, 8.4."""
    if creature == "whale":
        _lose_boat(d, "whale", s)
    else:
        _eat(d, creature, s)


def _eat(d: Draft, creature: Creature, s: int) -> None:
    """8.2, 8.4: the swimmers leave the game."""
    d.events.append(Eaten(by=creature, hex=HEX[s], explorers=counts_of(d.swimmers[s])))
    d.set_swimmers(s, ())
    d.forget_swum("sea", s)


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


# 9 the answers


def list_reaction(p: State) -> list[Action]:
    """What the player asked can answer; it knows the hand."""
    threat = _threat(p)
    player = threat.asked[0]
    if DEFENCE_TILE[threat.creature] in p.hands[player]:
        return [Defend(player=player), Decline(player=player)]
    return [Decline(player=player)]


def _threat(p: State) -> Threat:
    assert p.threat is not None, "in `reaction` there is a threat"
    return p.threat


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
        raise IllegalAction("9.1", f"{p.setup.players[action.player].name} holds no {tile}.")


def do_decline(d: Draft, action: Decline) -> None:  # noqa: ARG001 - one signature for all actions
    """Ask the next; when all have declined the threat is carried out."""
    threat = _threat(d)
    if threat.asked[1:]:
        d.threat = Threat(creature=threat.creature, hex=threat.hex, asked=threat.asked[1:], resume=threat.resume)
        return
    _strike(d, threat.creature, SQUARE[threat.hex])
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


def _go_on(d: Draft, threat: Threat) -> None:
    """Whatever else applies on the hex, then back to where the threat arose."""
    d.threat = None
    if settle(d, SQUARE[threat.hex], threat.resume):
        proceed(d, threat.resume)
