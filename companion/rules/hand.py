"""3.1 and 10: playing a tile from the hand at the start of the own turn."""

from __future__ import annotations

from companion.rules import catalogue
from companion.rules.actions import Action, MoveBoat, Place, PlayTile
from companion.rules.boats import sail
from companion.rules.draft import Draft, with_one, without_one
from companion.rules.encounters import settle
from companion.rules.errors import IllegalAction
from companion.rules.events import CreatureMoved, ExplorerMoved, TilePlayed
from companion.rules.pieces import FLIGHT, MOVED_BY_TILE, WHEN, spoken
from companion.rules.position import State
from companion.rules.squares import ALL, BIT, LABEL, SQUARE, flood, pick
from companion.rules.turn import proceed


def list_play_tile(p: State) -> list[Action]:
    """Every way to play a tile that the active player holds; it knows the hand."""
    out: list[Action] = []
    own = p.setup.players[p.active].colours
    for tile in sorted(set(p.hands[p.active])):
        if tile == "dolphin":
            for s, load in p.swimmers.items():
                for colour in own:
                    if colour in load:
                        out += pick(catalogue.play_tile(tile, s, colour), _dolphin_reach(p, s))
        elif tile == "wind":
            for s, load in p.boats.items():
                if load and p.active in p.setup.control[load]:
                    out += pick(catalogue.play_tile(tile, s), _wind_reach(p, s))
        elif tile in MOVED_BY_TILE:
            for s in sorted(set(p.creatures[MOVED_BY_TILE[tile]])):
                out += pick(catalogue.play_tile(tile, s), empty_sea(p))
    out.append(catalogue.END_PHASE)
    return out


def _dolphin_reach(p: State, s: int) -> int:
    """10.1."""
    sea = ALL & ~p.land
    return flood(s, FLIGHT, sea, sea & ~(p.lairs["shark"] | p.lairs["serpent"]))


def _wind_reach(p: State, s: int) -> int:
    """10.2."""
    free = ALL & ~p.land & ~p.boat_mask
    return flood(s, FLIGHT, free, free & ~(p.lairs["serpent"] | p.lairs["whale"]))


def empty_sea(p: State) -> int:
    """10.3: the sea hexes with no piece of any kind."""
    mask = ALL & ~p.land & ~p.swim_mask & ~p.boat_mask
    for lair in p.lairs.values():
        mask &= ~lair
    return mask


def check_play_tile(p: State, action: PlayTile) -> None:
    """Raises IllegalAction."""
    tile = action.tile
    name = p.setup.players[p.active].name
    if WHEN[tile] != "own turn":
        raise IllegalAction("3.1", f"A {spoken(tile)} tile is not to be played at the start of one's own turn.")
    if tile not in p.hands[p.active]:
        raise IllegalAction("3.1", f"{name} holds no {spoken(tile)} tile.")
    s, t = SQUARE[action.origin], SQUARE[action.target]
    if tile == "dolphin":
        _check_dolphin(p, action, s, t)
    elif tile == "wind":
        _check_wind(p, s, t)
    else:
        kind = MOVED_BY_TILE[tile]
        if s not in p.creatures[kind]:
            raise IllegalAction("10.3", f"There is no {kind} on {LABEL[s]}.")
        if not BIT[t] & empty_sea(p):
            raise IllegalAction("10.3", f"{LABEL[t]} is not an empty sea hex.")


def _check_dolphin(p: State, action: PlayTile, s: int, t: int) -> None:
    """10.1."""
    if action.colour not in p.setup.players[p.active].colours:
        raise IllegalAction("10.1", f"The dolphin carries an own swimmer, not a {action.colour} one.")
    if action.colour not in p.swimmers.get(s, ()):
        raise IllegalAction("10.1", f"No {action.colour} explorer swims on {LABEL[s]}.")
    if not BIT[t] & _dolphin_reach(p, s):
        raise IllegalAction(
            "10.1",
            f"The dolphin cannot carry anyone from {LABEL[s]} to {LABEL[t]}: one to {FLIGHT} sea hexes, "
            "not through a hex with a shark or serpent.",
        )


def _check_wind(p: State, s: int, t: int) -> None:
    """10.2."""
    load = p.boats.get(s, ())
    if not set(load) & set(p.setup.players[p.active].colours):
        raise IllegalAction("10.2", f"There is no boat with an own passenger on {LABEL[s]}.")
    if p.active not in p.setup.control[load]:
        raise IllegalAction("5.3", f"Others have more passengers in the boat on {LABEL[s]}; they alone move it.")
    if BIT[t] & p.land:
        raise IllegalAction("5.2", f"{LABEL[t]} is a tile; boats move over sea hexes.")
    if BIT[t] & p.boat_mask and s != t:
        raise IllegalAction("5.2", f"There is a boat on {LABEL[t]} already.")
    if not BIT[t] & _wind_reach(p, s):
        raise IllegalAction(
            "10.2",
            f"The wind cannot blow the boat from {LABEL[s]} to {LABEL[t]}: one to {FLIGHT} sea hexes, "
            "not over a boat nor through a hex with a serpent or whale.",
        )


def do_play_tile(d: Draft, action: PlayTile) -> None:
    """10.4, then the effect, then 8."""
    tile = action.tile
    d.take_from_hand(d.active, tile)
    d.events.append(TilePlayed(player=d.active, tile=tile))
    t = SQUARE[action.target]
    if tile == "dolphin":
        _carry(d, action)
    elif tile == "wind":
        sail(d, MoveBoat(origin=action.origin, target=action.target))
    else:
        kind = MOVED_BY_TILE[tile]
        d.take_creature(kind, SQUARE[action.origin])
        d.put_creature(kind, t)
        d.events.append(CreatureMoved(creature=kind, origin=action.origin, target=action.target))
    if settle(d, t, "play_tile"):
        proceed(d, "play_tile")


def _carry(d: Draft, action: PlayTile) -> None:
    """10.1: one swimmer goes to the target."""
    colour = action.colour
    assert colour is not None, "checked: the dolphin carries an explorer of a colour"
    s, t = SQUARE[action.origin], SQUARE[action.target]
    d.set_swimmers(s, without_one(d.swimmers[s], colour))
    d.set_swimmers(t, with_one(d.swimmers.get(t, ()), colour))
    d.events.append(
        ExplorerMoved(
            colour=colour, origin=Place(hex=action.origin, on="sea"), target=Place(hex=action.target, on="sea")
        )
    )
