"""6: removing a tile and what its back does."""

from __future__ import annotations

import itertools

from companion.rules import catalogue
from companion.rules.actions import Action, Back, Creature, LoadBoat, Reveal, SinkTile
from companion.rules.draft import Draft
from companion.rules.encounters import settle
from companion.rules.ending import end_game
from companion.rules.errors import BadAction, IllegalAction
from companion.rules.events import (
    BackShown,
    Boarded,
    BoatPlaced,
    CreaturePlaced,
    SupplyEmpty,
    Swallowed,
    TileKept,
    TileSunk,
)
from companion.rules.layout import COLOURS, TERRAINS, Colour, Counts, Terrain
from companion.rules.options import when_played
from companion.rules.pieces import BOAT_CAPACITY, Load
from companion.rules.position import State, Sunk, counts_of
from companion.rules.squares import ALL, BIT, HEX, LABEL, NEAR, SQUARE, pick, spread, squares
from companion.rules.turn import begin_phase, proceed


def sinkable(p: State) -> int:
    """6.1, 6.2: the tiles that may be removed."""
    lowest = next(mask for terrain in TERRAINS if (mask := p.tiles[terrain]))
    return lowest & spread(ALL & ~p.land) or lowest


def list_sink_tile(p: State) -> list[Action]:
    """Legal removals, without what is dealt."""
    return list(pick(catalogue.SINK_TILE, sinkable(p)))


def check_sink_tile(p: State, action: SinkTile) -> None:
    """Raises IllegalAction; BadAction if the back comes later."""
    if action.back is not None and p.setup.options.backs == "printed":
        raise BadAction("sink_tile.back: with printed backs the player enters in `reveal` what is under the tile")
    s = SQUARE[action.hex]
    if not BIT[s] & p.land:
        raise IllegalAction("6.1", f"There is no tile on {LABEL[s]}.")
    terrain = terrain_at(p, s)
    lowest = next(terrain for terrain in TERRAINS if p.tiles[terrain])
    if terrain != lowest:
        raise IllegalAction("6.1", f"{LABEL[s]} is a {terrain} tile; the {lowest} tiles go first.")
    if not BIT[s] & sinkable(p):
        raise IllegalAction("6.2", f"{LABEL[s]} does not lie beside the sea; other {lowest} tiles do and go first.")
    if action.back is not None and action.back not in p.backs[terrain]:
        raise IllegalAction("1.3", f"No {action.back} is left under the {terrain} tiles.")


def terrain_at(p: State, s: int) -> Terrain:
    """The terrain of the tile on the square."""
    return next(terrain for terrain in TERRAINS if p.tiles[terrain] & BIT[s])


def do_sink_tile(d: Draft, action: SinkTile) -> None:
    """6.3; then the back, with printed backs in `reveal`."""
    s = SQUARE[action.hex]
    terrain = terrain_at(d, s)
    d.tiles = {**d.tiles, terrain: d.tiles[terrain] & ~BIT[s]}
    d.land &= ~BIT[s]
    fallen: list[Colour] = []
    for colour, there in d.dry.items():
        if s in there:
            fallen += [colour] * there[s]
            d.dry = {**d.dry, colour: {t: n for t, n in there.items() if t != s}}
    load: Load = tuple(sorted(fallen))
    if load:
        d.set_swimmers(s, load)
    d.events.append(TileSunk(hex=action.hex, tile=terrain, explorers=counts_of(load)))
    if d.setup.options.backs == "printed":
        d.sunk = Sunk(hex=action.hex, tile=terrain)
        begin_phase(d, "reveal")
        return
    if action.back is None:
        raise BadAction("sink_tile: the back that is dealt is missing; see `outcomes`")
    _turn_over(d, s, terrain, action.back)


# Printed backs


def list_reveal(p: State) -> list[Action]:
    """The backs left under tiles of this terrain."""
    return [Reveal(back=back) for back in p.backs[_sunk(p).tile]]


def check_reveal(p: State, action: Reveal) -> None:
    """Raises IllegalAction."""
    if action.back not in p.backs[_sunk(p).tile]:
        raise IllegalAction("1.3", f"No {action.back} is left under the {_sunk(p).tile} tiles; look again.")


def do_reveal(d: Draft, action: Reveal) -> None:
    """What the player found takes effect."""
    sunk = _sunk(d)
    d.sunk = None
    _turn_over(d, SQUARE[sunk.hex], sunk.tile, action.back)


def _sunk(p: State) -> Sunk:
    assert p.sunk is not None, "in `reveal` and `load_boat` there is a tile just removed"
    return p.sunk


# 6.4, 6.5


def _turn_over(d: Draft, s: int, terrain: Terrain, back: Back) -> None:
    """The back leaves the deck and takes effect or goes into the hand."""
    left = d.backs[terrain].copy()
    left[back] -= 1
    if not left[back]:
        del left[back]
    d.backs = {**d.backs, terrain: left}
    if when_played(back, d.setup.options) != "at once":
        d.put_in_hand(d.active, back)
        d.events.append(TileKept(player=d.active, hex=HEX[s]))
        proceed(d, "sink")
        return
    d.events.append(BackShown(hex=HEX[s], back=back))
    options = d.setup.options
    if back == "volcano" and not (options.last_survivor or options.atlantis_sinks):
        end_game(d, "volcano")
    elif _take_effect(d, s, terrain, back):
        proceed(d, "sink")


def _take_effect(d: Draft, s: int, terrain: Terrain, back: Back) -> bool:
    """6.4, the volcano as a whirlpool; False if somebody must decide first."""
    if back == "shark":
        return _release(d, "shark", s)
    if back == "whale":
        return _release(d, "whale", s)
    if back == "dolphin":
        d.put_creature("dolphin", s)
        d.events.append(CreaturePlaced(creature="dolphin", hex=HEX[s]))
        return True
    if back == "boat":
        return _launch_boat(d, s, terrain)
    _swallow(d, s)
    return True


def _release(d: Draft, creature: Creature, s: int) -> bool:
    """One from the supply, then 8; False if it stopped to ask."""
    if not d.take_from_supply(f"{creature}s"):
        d.events.append(SupplyEmpty(piece=creature, hex=HEX[s]))
        return True
    d.put_creature(creature, s)
    d.events.append(CreaturePlaced(creature=creature, hex=HEX[s]))
    return settle(d, s, "sink")


def _launch_boat(d: Draft, s: int, terrain: Terrain) -> bool:
    """A boat from the supply, boarded at once; False if it must be chosen who boards."""
    if not d.take_from_supply("boats"):
        d.events.append(SupplyEmpty(piece="boat", hex=HEX[s]))
        return True
    d.events.append(BoatPlaced(hex=HEX[s]))
    d.set_boat(s, ())
    swimmers = d.swimmers.get(s, ())
    if len(swimmers) > BOAT_CAPACITY:
        d.sunk = Sunk(hex=HEX[s], tile=terrain)
        begin_phase(d, "load_boat")
        return False
    if swimmers:
        _board(d, s, swimmers)
    return True


def _board(d: Draft, s: int, load: Load) -> None:
    """These of the swimmers on the hex board the boat there."""
    rest = list(d.swimmers[s])
    for colour in load:
        rest.remove(colour)
    d.set_swimmers(s, tuple(rest))
    d.set_boat(s, load)
    d.events.append(Boarded(hex=HEX[s], explorers=counts_of(load)))


def _swallow(d: Draft, s: int) -> None:
    """The whirlpool: everything on this and the adjacent sea hexes leaves the game."""
    mask = (BIT[s] | NEAR[s]) & ~d.land
    gone: list[Colour] = []
    boats = 0
    for t in squares(mask & (d.swim_mask | d.boat_mask)):
        if t in d.swimmers:
            gone += d.swimmers[t]
            d.set_swimmers(t, ())
        if t in d.boats:
            gone += d.boats[t]
            boats += 1
            d.set_boat(t, None)
    creatures = {}
    for kind, where in d.creatures.items():
        stay = tuple(t for t in where if not BIT[t] & mask)
        if len(stay) < len(where):
            creatures[f"{kind}s"] = len(where) - len(stay)
            d.set_creatures(kind, stay)
    d.events.append(
        Swallowed(
            hexes=tuple(HEX[t] for t in squares(mask)),
            explorers=counts_of(tuple(gone)),
            boats=boats,
            **creatures,
        )
    )


# 6.4 boat: who boards


def list_load_boat(p: State) -> list[Action]:
    """Every different choice of three of the swimmers."""
    swimmers = p.swimmers[SQUARE[_sunk(p).hex]]
    loads = sorted(set(itertools.combinations(swimmers, BOAT_CAPACITY)))
    return [LoadBoat(explorers=counts_of(load)) for load in loads]


def check_load_boat(p: State, action: LoadBoat) -> None:
    """Raises IllegalAction."""
    s = SQUARE[_sunk(p).hex]
    there: Counts = counts_of(p.swimmers[s])
    if sum(action.explorers.values()) != BOAT_CAPACITY:
        raise IllegalAction("6.4", f"Exactly {BOAT_CAPACITY} of the swimmers board the boat on {LABEL[s]}.")
    for colour, count in action.explorers.items():
        if count > there.get(colour, 0):
            raise IllegalAction("6.4", f"Only {there.get(colour, 0)} {colour} explorers swim on {LABEL[s]}.")


def do_load_boat(d: Draft, action: LoadBoat) -> None:
    """The three board."""
    s = SQUARE[_sunk(d).hex]
    d.sunk = None
    _board(d, s, tuple(sorted(colour for colour in COLOURS for _ in range(action.explorers.get(colour, 0)))))
    if settle(d, s, "sink"):
        proceed(d, "sink")
