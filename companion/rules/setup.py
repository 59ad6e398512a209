"""2: from the pieces in the box to the first turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.rules import catalogue
from companion.rules.actions import Action, PlaceBoat, PlaceExplorer
from companion.rules.draft import Draft
from companion.rules.errors import BadSetup, IllegalAction
from companion.rules.events import BoatPlaced, ExplorerPlaced
from companion.rules.geometry import Hex, load_board
from companion.rules.layout import TERRAINS, Terrain
from companion.rules.options import Options, Player, make_setup
from companion.rules.pieces import BACKS, BOATS, CREATURE_COUNTS, EXPLORERS_PER_COLOUR, TILE_COUNTS
from companion.rules.position import Phase, Position, State, Supply, Unplaced
from companion.rules.squares import ALL, BIT, LABEL, NEAR, SQUARE, mask_of, pick, spread
from companion.rules.turn import begin_phase, begin_turn


def new_game(
    players: Sequence[Player], options: Options, tiles: Mapping[Hex, Terrain], edition: str = "anniversary"
) -> Position:
    """The position in which the first player is to place an explorer, with the forty tiles as they lie.

    Raises BadSetup for what 2.1, 2.2 or 12 forbid.
    """
    setup = make_setup(edition, options, players)
    check_tiles(tiles)
    masks = {terrain: mask_of([SQUARE[h] for h, t in tiles.items() if t == terrain]) for terrain in TERRAINS}
    boats = options.boats_per_player
    serpents = tuple(sorted(SQUARE[h] for h in load_board(edition).serpent_starts))
    return Position(
        setup=setup,
        phase="place_explorers",
        active=0,
        moves_left=0,
        die=None,
        hands=((),) * len(setup.players),
        backs={terrain: dict(BACKS[terrain]) for terrain in TERRAINS},
        supply=Supply(
            boats=BOATS - boats * len(setup.players), sharks=CREATURE_COUNTS["shark"], whales=CREATURE_COUNTS["whale"]
        ),
        unplaced=Unplaced(
            explorers=dict.fromkeys(setup.owner, EXPLORERS_PER_COLOUR), boats=(boats,) * len(setup.players)
        ),
        threat=None,
        sunk=None,
        scores={},
        winners=None,
        swum_at={},
        carried_at={},
        land=masks["beach"] | masks["forest"] | masks["mountain"],
        tiles=masks,
        dry={colour: {} for colour in setup.owner},
        swimmers={},
        boats={},
        safe={colour: {} for colour in setup.owner},
        creatures={"serpent": serpents, "shark": (), "whale": (), "dolphin": ()},
        lairs={"serpent": mask_of(serpents), "shark": 0, "whale": 0, "dolphin": 0},
        swim_mask=0,
        boat_mask=0,
        laden_mask=0,
        room_mask=0,
    )


def check_tiles(tiles: Mapping[Hex, Terrain]) -> None:
    """BadSetup unless these are the forty tiles of 1.1 on the forty island hexes (2.2)."""
    board = load_board("anniversary")
    for h in board.island:
        if h not in tiles:
            raise BadSetup(f"layout: there is no tile on {board.labels[h]}; forty cover the island (2.2)")
    for h in tiles:
        if h not in board.island:
            raise BadSetup(f"layout: the tile on {board.labels.get(h, h)} lies outside the island (2.2)")
    for terrain in TERRAINS:
        count = sum(t == terrain for t in tiles.values())
        if count != TILE_COUNTS[terrain]:
            raise BadSetup(f"layout: there are {count} {terrain} tiles, it must be {TILE_COUNTS[terrain]} (1.1)")


# 2.3 explorers


def _standing_room(p: State) -> int:
    """Tiles that one more explorer may be placed on (2.3, 12.1)."""
    taken = full = 0
    for there in p.dry.values():
        for s, count in there.items():
            bit = BIT[s]
            if taken & bit or count > 1:
                full |= bit
            taken |= bit
    if p.setup.options.overpopulation:
        inland = p.land & ~spread(ALL & ~p.land)
        return p.land & ~taken | inland & ~full
    return p.land & ~taken


def list_place_explorer(p: State) -> list[Action]:
    """Legal placings."""
    room = _standing_room(p)
    out: list[Action] = []
    for colour in p.setup.players[p.active].colours:
        if p.unplaced.explorers.get(colour):
            out += pick(catalogue.PLACE_EXPLORER[colour], room)
    return out


def check_place_explorer(p: State, action: PlaceExplorer) -> None:
    """Raises IllegalAction."""
    s = SQUARE[action.hex]
    if action.colour not in p.setup.players[p.active].colours:
        raise IllegalAction("2.3", f"{p.setup.players[p.active].name} is to place an explorer, not {action.colour}.")
    if not p.unplaced.explorers.get(action.colour):
        raise IllegalAction("2.3", f"All {action.colour} explorers have been placed.")
    if not BIT[s] & p.land:
        raise IllegalAction("2.3", f"There is no tile on {LABEL[s]} to place an explorer on.")
    if not BIT[s] & _standing_room(p):
        if p.setup.options.overpopulation and NEAR[s] & ~p.land == 0:
            raise IllegalAction("12.1", f"Two explorers stand on {LABEL[s]} already.")
        raise IllegalAction("2.3", f"There is an explorer on {LABEL[s]} already; choose a free tile.")


def do_place_explorer(d: Draft, action: PlaceExplorer) -> None:
    """Place it and pass on to who is next to place."""
    d.put_dry(action.colour, SQUARE[action.hex])
    left = {**d.unplaced.explorers, action.colour: d.unplaced.explorers[action.colour] - 1}
    d.unplaced = Unplaced(explorers=left, boats=d.unplaced.boats)
    d.events.append(ExplorerPlaced(colour=action.colour, hex=action.hex))
    by_player = [sum(left.get(colour, 0) for colour in player.colours) for player in d.setup.players]
    if any(by_player):
        _pass_on(d, "place_explorers", by_player)
    elif any(d.unplaced.boats):
        d.active = -1
        _pass_on(d, "place_boats", d.unplaced.boats)
    else:
        begin_turn(d, 0)


# 2.4 boats


def _berths(p: State) -> int:
    """Sea hexes that a boat may be placed on."""
    return spread(p.land) & ~p.land & ~p.boat_mask & ~p.lairs["serpent"]


def list_place_boat(p: State) -> list[Action]:
    """Legal placings."""
    return list(pick(catalogue.PLACE_BOAT, _berths(p)))


def check_place_boat(p: State, action: PlaceBoat) -> None:
    """Raises IllegalAction."""
    s = SQUARE[action.hex]
    if BIT[s] & _berths(p):
        return
    if BIT[s] & p.land:
        reason = f"{LABEL[s]} is a tile; a boat goes on the sea"
    elif BIT[s] & p.boat_mask:
        reason = f"there is a boat on {LABEL[s]} already"
    elif BIT[s] & p.lairs["serpent"]:
        reason = f"there is a serpent on {LABEL[s]}"
    else:
        reason = f"{LABEL[s]} is not beside a tile"
    raise IllegalAction("2.4", f"No boat can be placed there: {reason}.")


def do_place_boat(d: Draft, action: PlaceBoat) -> None:
    """Place it and pass on to who is next to place."""
    d.set_boat(SQUARE[action.hex], ())
    left = tuple(n - (player == d.active) for player, n in enumerate(d.unplaced.boats))
    d.unplaced = Unplaced(explorers=d.unplaced.explorers, boats=left)
    d.events.append(BoatPlaced(hex=action.hex, player=d.active))
    if any(left):
        _pass_on(d, "place_boats", left)
    else:
        begin_turn(d, 0)


def _pass_on(d: Draft, phase: Phase, left: Sequence[int]) -> None:
    """Clockwise to the next player with something left to place."""
    count = len(left)
    d.active = next(player for step in range(1, count + 1) if left[player := (d.active + step) % count])
    begin_phase(d, phase)
