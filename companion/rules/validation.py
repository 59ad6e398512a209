"""What a position cannot be: more pieces than there are, pieces where none can stand, fields that contradict the phase.

Each check raises BadPosition naming the field. Positions that merely could not have come about by play are let
through when every rule still knows what to do with them.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from companion.rules.actions import DiveRoll
from companion.rules.encounters import owners, threatened
from companion.rules.ending import unscored
from companion.rules.errors import BadPosition
from companion.rules.geometry import Hex
from companion.rules.layout import TERRAINS, Counts, HexContent, Layout
from companion.rules.movement import standing
from companion.rules.options import Setup, when_played
from companion.rules.pieces import (
    BACKS,
    BOAT_CAPACITY,
    BOATS,
    CREATURE_COUNTS,
    EXPLORER_VALUES,
    EXPLORERS_PER_COLOUR,
    MOVES_PER_TURN,
    TILE_COUNTS,
)
from companion.rules.position import Position, State, Threat
from companion.rules.squares import BOARD, LABEL, SQUARE

if TYPE_CHECKING:
    from companion.rules.decoding import Wire


def check_layout(layout: Layout, setup: Setup) -> None:
    """Each hex by itself, and the colours."""
    if layout.unknown:
        raise BadPosition("layout.unknown", "a position knows every hex")
    for h, content in layout.hexes.items():
        field = f"layout.hexes at {BOARD.labels[h]}"
        _check_hex(h, content, setup, field)
        _check_colours(content.explorers, setup, f"{field}.explorers")
        _check_colours(content.boat or {}, setup, f"{field}.boat")
        if sum((content.boat or {}).values()) > BOAT_CAPACITY:
            raise BadPosition(f"{field}.boat", f"at most {BOAT_CAPACITY} passengers fit into a boat (5.1)")
    for land, counts in layout.safe.items():
        _check_colours(counts, setup, f"layout.safe.{land}")


def _check_hex(h: Hex, content: HexContent, setup: Setup, field: str) -> None:
    if content.dolphins and not setup.options.dive_dice:
        raise BadPosition(f"{field}.dolphins", "there are dolphins with `dive_dice` only (13)")
    if content.tile is None:
        return
    if h not in BOARD.island:
        raise BadPosition(f"{field}.tile", "tiles lie on the island hexes only (2.2)")
    if content.boat is not None:
        raise BadPosition(f"{field}.boat", "a boat cannot be on a tile (5.2)")
    if content.serpents or content.sharks or content.whales or content.dolphins:
        raise BadPosition(field, "a creature cannot be on a tile (7.1)")


def _check_colours(counts: Counts, setup: Setup, field: str) -> None:
    for colour in counts:
        if colour not in setup.owner:
            raise BadPosition(f"{field}.{colour}", "nobody plays this colour")


def check_fields(wire: Wire, layout: Layout, setup: Setup) -> None:
    """Numbers of pieces and players, field by field."""
    if not 0 <= wire.active < len(setup.players):
        raise BadPosition("active", f"there is no player {wire.active}")
    if wire.winners is not None and any(not 0 <= player < len(setup.players) for player in wire.winners):
        raise BadPosition("winners", "there is no such player")
    _check_unplaced(wire, setup)
    _check_explorers(wire, layout, setup)
    _check_boats_and_creatures(wire, layout)
    _check_hands(wire, setup)
    _check_backs(wire, layout)
    places = [(swum.on, swum.hex, swum.colour) for swum in wire.swum]
    if len(set(places)) != len(places) or any(swum.hex not in SQUARE for swum in wire.swum):
        raise BadPosition("swum", "must list each place and colour once, on hexes of the board")
    hexes = [carried.hex for carried in wire.carried]
    if len(set(hexes)) != len(hexes) or any(h not in SQUARE for h in hexes):
        raise BadPosition("carried", "must list each hex once, on the board")


def _check_unplaced(wire: Wire, setup: Setup) -> None:
    _check_colours(wire.unplaced.explorers, setup, "unplaced.explorers")
    if any(not 0 <= count <= EXPLORERS_PER_COLOUR for count in wire.unplaced.explorers.values()):
        raise BadPosition("unplaced.explorers", f"must be 0 to {EXPLORERS_PER_COLOUR} of a colour")
    if len(wire.unplaced.boats) != len(setup.players) or any(not 0 <= count <= BOATS for count in wire.unplaced.boats):
        raise BadPosition("unplaced.boats", "must be a number of boats for each player")


def _check_explorers(wire: Wire, layout: Layout, setup: Setup) -> None:
    counted = Counter(wire.unplaced.explorers)
    for content in layout.hexes.values():
        counted.update(content.explorers)
        counted.update(content.boat or {})
    for counts in layout.safe.values():
        counted.update(counts)
    for colour in setup.owner:
        if counted[colour] > EXPLORERS_PER_COLOUR:
            raise BadPosition(
                "layout", f"{counted[colour]} {colour} explorers; there are {EXPLORERS_PER_COLOUR} of a colour (1.1)"
            )


def _check_boats_and_creatures(wire: Wire, layout: Layout) -> None:
    contents = layout.hexes.values()
    supply = {"serpents": 0, "sharks": wire.supply.sharks, "whales": wire.supply.whales, "dolphins": 0}
    if min(wire.supply.boats, *supply.values()) < 0:
        raise BadPosition("supply", "cannot be less than 0")
    for kind, most in CREATURE_COUNTS.items():
        on_board = sum(getattr(content, f"{kind}s") for content in contents)
        if on_board > most:
            raise BadPosition("layout", f"{on_board} {kind}s; there are {most} (1.1)")
        if on_board + supply[f"{kind}s"] > most:
            raise BadPosition(f"supply.{kind}s", f"with those on the board more than {most} (1.1)")
    boats = sum(content.boat is not None for content in contents)
    if boats > BOATS:
        raise BadPosition("layout", f"{boats} boats; there are {BOATS} (1.1)")
    if boats + wire.supply.boats + sum(wire.unplaced.boats) > BOATS:
        raise BadPosition("supply.boats", f"with those on the board and to be placed more than {BOATS} (1.1)")


def _check_hands(wire: Wire, setup: Setup) -> None:
    if len(wire.hands) != len(setup.players):
        raise BadPosition("hands", "must be one for each player")
    for player, hand in enumerate(wire.hands):
        for back in hand:
            if when_played(back, setup.options) == "at once":
                raise BadPosition(f"hands[{player}]", f"{back} is played at once and never in a hand (6.4)")


def _check_backs(wire: Wire, layout: Layout) -> None:
    tiles = Counter(content.tile for content in layout.hexes.values())
    if wire.phase == "reveal" and wire.sunk is not None:
        tiles[wire.sunk.tile] += 1
    used = Counter(back for hand in wire.hands for back in hand)
    used["dolphin"] += sum(content.dolphins for content in layout.hexes.values())
    for terrain in TERRAINS:
        left = wire.backs.get(terrain, {})
        field = f"backs.{terrain}"
        for back, count in left.items():
            if not 0 <= count <= BACKS[terrain].get(back, 0):
                raise BadPosition(f"{field}.{back}", f"must be 0 to {BACKS[terrain].get(back, 0)} (1.3)")
        if tiles[terrain] > TILE_COUNTS[terrain]:
            raise BadPosition("layout", f"{tiles[terrain]} {terrain} tiles; there are {TILE_COUNTS[terrain]} (1.1)")
        if sum(left.values()) != tiles[terrain]:
            raise BadPosition(field, f"{sum(left.values())} backs for {tiles[terrain]} tiles")
        used.update(left)
    for back, count in used.items():
        most = sum(BACKS[terrain].get(back, 0) for terrain in TERRAINS)
        if count > most:
            raise BadPosition("hands", f"{count} {back} in hands and under tiles; there are {most} (1.3)")


def check_position(p: Position) -> None:
    """What the phase asks of the other fields."""
    _check_placing(p)
    _check_move(p)
    _check_threat(p)
    _check_sunk(p)
    _check_die(p)
    _check_end(p)
    if p.phase == "sink" and not p.land:
        raise BadPosition("phase", "no tile is left, so nothing can be removed")


def _check_placing(p: State) -> None:
    explorers, boats = p.unplaced.explorers, p.unplaced.boats
    own = sum(explorers[colour] for colour in p.setup.players[p.active].colours)
    if p.phase == "place_explorers":
        if not own:
            raise BadPosition("unplaced.explorers", "the active player has none left to place")
    elif any(explorers.values()):
        raise BadPosition("unplaced.explorers", f"all have been placed before `{p.phase}`")
    if p.phase == "place_boats":
        if not boats[p.active]:
            raise BadPosition("unplaced.boats", "the active player has none left to place")
    elif p.phase != "place_explorers" and any(boats):
        raise BadPosition("unplaced.boats", f"all have been placed before `{p.phase}`")


def _check_move(p: State) -> None:
    moving = p.phase == "move" or (p.threat is not None and p.threat.resume == "move")
    least = 1 if p.phase == "move" else 0
    if not least <= p.moves_left <= MOVES_PER_TURN:
        raise BadPosition("moves_left", f"must be {least} to {MOVES_PER_TURN}")
    if p.swum_at and not moving:
        raise BadPosition("swum", "must be empty outside `move`")
    for (on, s, colour), count in p.swum_at.items():
        if on == "tile" or colour not in p.setup.players[p.active].colours:
            raise BadPosition("swum", "only the active player's explorers swim or sit in boats after a swimming move")
        if not 1 <= count <= standing(p, colour, on, s):
            raise BadPosition("swum", f"{count} {colour} explorers are not at {LABEL[s]}")

    if p.carried_at and not moving:
        raise BadPosition("carried", "must be empty outside `move`")
    for s, count in p.carried_at.items():
        if not 1 <= count <= p.creatures["dolphin"].count(s):
            raise BadPosition("carried", f"{count} dolphins are not on {LABEL[s]}")


def _check_threat(p: State) -> None:
    threat = p.threat
    if (threat is not None) != (p.phase in ("reaction", "protect")):
        raise BadPosition("threat", "must be there in `reaction` and `protect` and null elsewhere")
    if threat is None:
        return
    s = SQUARE.get(threat.hex)
    kinds = ("serpent", "shark") if p.phase == "protect" else ("shark", "whale")
    if threat.creature not in kinds:
        raise BadPosition("threat.creature", f"must be {' or '.join(kinds)} in `{p.phase}` (9.1, 13.4)")
    if s is None or s not in p.creatures[threat.creature]:
        raise BadPosition("threat.hex", f"there is no {threat.creature}")
    _check_protected(p, threat, s)
    swimmers = p.swimmers.get(s, ())
    possible = owners(p, swimmers) if p.phase == "protect" else threatened(p, threat.creature, s, threat.protected)
    if not threat.asked or list(threat.asked) != [player for player in possible if player in threat.asked]:
        raise BadPosition("threat.asked", f"must be among the players {list(possible)}, in this order (9.2, 13.4)")


def _check_protected(p: State, threat: Threat, s: int) -> None:
    """13.4."""
    swimmers, dolphins = p.swimmers.get(s, ()), p.creatures["dolphin"].count(s)
    for colour, count in threat.protected.items():
        if not 0 <= count <= swimmers.count(colour):
            raise BadPosition("threat.protected", f"{count} {colour} explorers do not swim on {LABEL[s]}")
    if sum(threat.protected.values()) > dolphins:
        raise BadPosition("threat.protected", f"there are {dolphins} dolphins on {LABEL[s]}")
    if p.phase == "protect" and not sum(threat.protected.values()) < dolphins < len(swimmers):
        raise BadPosition("threat", "protection is asked for only with more swimmers than dolphins, one of these free")


def _check_sunk(p: State) -> None:
    if p.phase not in ("reveal", "load_boat"):
        return
    if p.sunk is None:
        raise BadPosition("sunk", f"is missing in `{p.phase}`")
    s = SQUARE.get(p.sunk.hex)
    if s is None or p.sunk.hex not in BOARD.island or p.land >> s & 1:
        raise BadPosition("sunk.hex", "must be an island hex without a tile")
    if p.phase == "reveal" and p.setup.options.backs != "printed":
        raise BadPosition("phase", "there is `reveal` with printed backs only")
    if p.phase == "load_boat" and (p.boats.get(s) != () or len(p.swimmers.get(s, ())) <= BOAT_CAPACITY):
        raise BadPosition("sunk.hex", "in `load_boat` there are an empty boat and more than three swimmers (6.4)")


def _check_die(p: State) -> None:
    rolled = p.phase == "creature" or (p.threat is not None and p.threat.resume == "creature")
    if (p.die is not None) != rolled:
        raise BadPosition("die", "shows a face from `creature` until the turn ends and is null elsewhere")
    if p.die is not None and isinstance(p.die, DiveRoll) != p.setup.options.dive_dice:
        raise BadPosition("die", "is a creature of the red die, or with `dive_dice` what both blue dice show (13.2)")


def _check_end(p: State) -> None:
    if (p.winners is not None) != (p.phase == "over"):
        raise BadPosition("winners", "must be there in `over` and null elsewhere")
    if p.winners is not None and (not p.winners or list(p.winners) != sorted(set(p.winners))):
        raise BadPosition("winners", "must be the winning players' numbers in order")
    if p.scores and p.phase not in ("scoring", "over"):
        raise BadPosition("scores", "there are none before `scoring`")
    for colour, total in p.scores.items():
        if colour not in p.setup.owner or not p.safe[colour] or not 0 < total <= sum(EXPLORER_VALUES):
            raise BadPosition(f"scores.{colour}", "is not a sum of this colour's rescued explorers")
    if p.phase == "scoring" and (p.setup.options.all_equal or not unscored(p)):
        raise BadPosition("phase", "there is nothing to score")
