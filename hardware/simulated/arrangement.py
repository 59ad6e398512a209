"""Where every tile and piece stands, to the millimetre, and what of it a new layout leaves alone.

In: layouts of the layout protocol as plain data. Out: `Tile` and `Piece` values with positions in mm. A piece that the
new layout still has in its hex stays exactly where it stood; only new ones are placed. Where there is no room for them,
all pieces of the hex are put side by side, as people do.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hardware.simulated.arrays import Points
from hardware.simulated.plan import LANDS, BoardPlan, Hex
from hardware.simulated.solids import SLOT_FLOOR_MM, SLOTS_MM, SQUEEZED_MM

COLOURS = ("red", "blue", "yellow", "green")
CREATURES = {"serpents": "serpent", "sharks": "shark", "whales": "whale", "dolphins": "dolphin"}
LYING_SHARE = 1 / 12
"""How many of the explorers lie flat."""

TRIES = 60
"""Random places that are tried for a piece before the best of them is taken."""
FRESH_STARTS = 6
"""How often the new pieces of a full hex are taken up and placed anew."""
NEAR_MM = 75.0
"""Pieces this near to a hex's middle may be in the way there."""
CLOSE_MM = 45.0
"""Pieces farther apart hide nothing of each other."""
CLEAR_MM = 0.5
"""Pieces with so much ground between them are clear of each other."""
HIDDEN_SHARE = 0.3
"""A piece does not hide more than this of another, as far as there is room."""

ASKEW = 0.12
"""How far from parallel pieces are that were put side by side: standard deviation, rad."""

_STANDS_IN_MM = 7.0
"""How far from its hex's edge an explorer's middle stays."""
_CROWDED_IN_MM = 4.0
"""The same of any piece where pieces stand side by side."""
_REACH = {"explorer": 6.0, "boat": 14.0, "serpent": 9.0, "shark": 10.0, "whale": 13.0, "dolphin": 10.0}
"""From a piece's middle to the outermost of the three discs that stand for its footprint, times two."""
_BREADTH = {"explorer": 5.0, "boat": 8.2, "serpent": 5.0, "shark": 4.5, "whale": 5.5, "dolphin": 4.5}


@dataclass(frozen=True)
class Tile:
    """A terrain tile: where its middle lies and how it is turned (rad); `face` picks its picture."""

    terrain: str
    at: tuple[float, float]
    yaw: float
    face: int


@dataclass(frozen=True)
class Piece:
    """A piece: its middle on the ground in mm, the ground's height above the board, its turn in rad."""

    kind: str
    colour: str
    at: tuple[float, float]
    ground: float
    yaw: float
    lying: bool = False

    @property
    def what(self) -> tuple[str, str]:
        """What the layout knows of it."""
        return self.kind, self.colour


@dataclass
class Place:
    """What lies and stands on one hex or safe land. `seats` are the boat's slots, one more if 5.1 is broken."""

    tile: Tile | None = None
    pieces: list[Piece] = field(default_factory=list)
    seats: list[str | None] = field(default_factory=lambda: [None, None, None])

    @property
    def boat(self) -> Piece | None:
        """The boat, if there is one."""
        return next((p for p in self.pieces if p.kind == "boat"), None)

    def passengers(self) -> list[Piece]:
        """The explorers in the boat as pieces, across it and facing along it; four are squeezed in."""
        boat = self.boat
        if boat is None:
            return []
        along = np.array([math.cos(boat.yaw), math.sin(boat.yaw)])
        return [
            Piece(
                "explorer",
                colour,
                tuple(np.array(boat.at) + x * along),
                boat.ground + SLOT_FLOOR_MM,
                boat.yaw + math.pi / 2,
            )
            for x, colour in zip(SLOTS_MM if len(self.seats) == len(SLOTS_MM) else SQUEEZED_MM, self.seats, strict=True)
            if colour
        ]


@dataclass(frozen=True)
class _Spot:
    """Where pieces are put: the ground's height, the middle and how far it reaches, mm."""

    ground: float
    centre: Points
    radius: float


Cover = Callable[[Piece, Piece], float]
"""Of two pieces, how much of the one that shows less is hidden by the other: 0 to 1."""


class Arrangement:
    """The table's state. `cover` tells how much two pieces hide each other from the camera."""

    def __init__(self, plan: BoardPlan, rng: np.random.Generator, cover: Cover) -> None:
        self.plan = plan
        self.hexes: dict[Hex, Place] = {}
        self.lands: dict[str, Place] = {}
        self._rng = rng
        self._cover = cover

    def put(self, layout: Mapping[str, Any]) -> None:
        """Make the table show a layout. Raises ValueError, nothing changed, if it cannot stand on this board."""
        wanted = _read(layout, self.plan)
        land_wishes = _read_lands(layout)
        self.hexes = {h: self.hexes.get(h, Place()) for h in wanted}
        for h, wish in wanted.items():
            self._lay_tile(h, wish.tile)
            place = self.hexes[h]
            height = self.plan.tile_thickness[wish.tile] if wish.tile else 0.0
            self._stand(place, wish.pieces, height, self.plan.centre(h), self.plan.inradius)
            _seat(place, wish.passengers)
        self.lands = {land: self.lands.get(land, Place()) for land in land_wishes}
        for land, pieces in land_wishes.items():
            centre, radius = self.plan.safe_land(land)
            self._stand(self.lands[land], pieces, 0.0, centre, radius)

    def pieces(self) -> list[Piece]:
        """All pieces but the passengers."""
        return [p for place in (*self.hexes.values(), *self.lands.values()) for p in place.pieces]

    def _lay_tile(self, h: Hex, terrain: str | None) -> None:
        place = self.hexes[h]
        if terrain is None:
            place.tile = None
        elif place.tile is None or place.tile.terrain != terrain:
            off = self._rng.uniform(-1, 1, 2)
            x, y = self.plan.centre(h) + off
            yaw = math.radians(self._rng.uniform(-3.5, 3.5) + 60 * self._rng.integers(6))
            place.tile = Tile(terrain, (float(x), float(y)), float(yaw), int(self._rng.integers(1 << 16)))

    def _stand(
        self, place: Place, wish: Counter[tuple[str, str]], ground: float, centre: Points, radius: float
    ) -> None:
        left = Counter(wish)
        kept: list[Piece] = []
        for p in place.pieces:
            if left[p.what] > 0:
                left[p.what] -= 1
                kept.append(Piece(p.kind, p.colour, p.at, ground, p.yaw, p.lying))
        if place.boat is not None and not any(p.kind == "boat" for p in kept):
            place.seats = [None, None, None]
        others = [p for p in self.pieces() if math.dist(p.at, centre) < NEAR_MM and p not in place.pieces]
        spot = _Spot(ground, centre, radius)
        come, cost = self._find_room(list(left.elements()), [*others, *kept], spot)
        place.pieces = [*kept, *come]
        if cost > 0:
            together, cost_together = self._find_room(list(wish.elements()), others, spot, side_by_side=True)
            if cost_together < cost:
                place.pieces = together

    def _find_room(
        self, whats: list[tuple[str, str]], around: list[Piece], spot: _Spot, *, side_by_side: bool = False
    ) -> tuple[list[Piece], float]:
        """Places for new pieces, the largest first, and how crowded it is there: 0 if all are clear."""
        whats.sort(key=lambda what: -_REACH[what[0]])
        starts = (self._try_places(whats, around, spot, side_by_side=side_by_side) for _ in range(FRESH_STARTS))
        best: tuple[list[Piece], float] = [], math.inf
        for start in starts:
            if start[1] < best[1]:
                best = start
            if best[1] == 0:
                break
        return best

    def _try_places(
        self, whats: list[tuple[str, str]], around: list[Piece], spot: _Spot, *, side_by_side: bool
    ) -> tuple[list[Piece], float]:
        """A random place for each piece, one after the other; `side_by_side`: nearly parallel and over the edge."""
        rng = self._rng
        along = rng.uniform(0, 2 * math.pi)
        come: list[Piece] = []
        total = 0.0
        for kind, colour in whats:
            lying = kind == "explorer" and rng.random() < LYING_SHARE
            inside = _CROWDED_IN_MM if side_by_side else _STANDS_IN_MM if kind == "explorer" else _REACH[kind]
            free = spot.radius - inside
            best: tuple[float, Piece] | None = None
            for _ in range(TRIES):
                angle, out = rng.uniform(0, 2 * math.pi), free * math.sqrt(rng.random())
                at = float(spot.centre[0] + out * math.cos(angle)), float(spot.centre[1] + out * math.sin(angle))
                yaw = (
                    along + rng.normal(0, ASKEW) + math.pi * rng.integers(2)
                    if side_by_side
                    else rng.uniform(0, 2 * math.pi)
                )
                piece = Piece(kind, colour, at, spot.ground, float(yaw), lying)
                cost = self._crowding(piece, [*around, *come])
                if best is None or cost < best[0]:
                    best = cost, piece
                if cost == 0:
                    break
            if best is not None:
                total += best[0]
                come.append(best[1])
        return come, total

    def _crowding(self, piece: Piece, others: list[Piece]) -> float:
        """0 if a piece is clear of the others and hides none; else how much it is not, in mm of overlap."""
        reach = _reach_mm(piece) + CLEAR_MM
        near = (o for o in others if math.dist(piece.at, o.at) < reach + _reach_mm(o))
        gap = min((gap_mm(piece, other) for other in near), default=99.0)
        if gap < -1:
            return 10 - gap
        close = [other for other in others if math.dist(other.at, piece.at) < CLOSE_MM]
        hidden = max((self._cover(piece, other) for other in close), default=0.0)
        return max(0.0, CLEAR_MM - gap) + 12 * max(0.0, hidden - HIDDEN_SHARE)


@dataclass
class _Wish:
    tile: str | None
    pieces: Counter[tuple[str, str]]
    passengers: Counter[str]


def _read(layout: Mapping[str, Any], plan: BoardPlan) -> dict[Hex, _Wish]:
    """What each listed hex is to hold; `beyond_schema` lists second boats, which a layout cannot say (5.2)."""
    wanted: dict[Hex, _Wish] = {}
    there = set(plan.hexes)
    for item in layout.get("hexes", ()):
        h: Hex = (int(item["hex"][0]), int(item["hex"][1]))
        if h not in there:
            raise ValueError(f"[{h[0]}, {h[1]}] is not a hex of this board.")
        tile = item.get("tile")
        if tile is not None and tile not in plan.tile_thickness:
            raise ValueError(f"There is no terrain {tile!r}; there are {', '.join(plan.tile_thickness)}.")
        pieces = _explorers(item.get("explorers", {}))
        for key, creature in CREATURES.items():
            if item.get(key):
                pieces[creature, ""] = int(item[key])
        passengers: Counter[str] = Counter()
        if item.get("boat") is not None:
            pieces["boat", ""] = 1
            passengers = Counter({colour: n for (_, colour), n in _explorers(item["boat"]).items()})
            if passengers.total() > len(SQUEEZED_MM):
                raise ValueError(
                    f"The boat on [{h[0]}, {h[1]}] has {passengers.total()} passengers; four are too many."
                )
        wanted[h] = _Wish(tile, pieces, passengers)
    for item in layout.get("beyond_schema", ()):
        wanted[item["hex"][0], item["hex"][1]].pieces["boat", ""] += 1
    return wanted


def _read_lands(layout: Mapping[str, Any]) -> dict[str, Counter[tuple[str, str]]]:
    safe = layout.get("safe", {})
    if unknown := set(safe) - set(LANDS):
        raise ValueError(f"There is no safe land {min(unknown)!r}; there are {', '.join(LANDS)}.")
    return {land: _explorers(counts) for land, counts in safe.items()}


def _explorers(counts: Mapping[str, int]) -> Counter[tuple[str, str]]:
    if unknown := set(counts) - set(COLOURS):
        raise ValueError(f"There are no {min(unknown)!r} explorers; there are {', '.join(COLOURS)}.")
    return Counter({("explorer", colour): int(n) for colour, n in counts.items() if n})


def _seat(place: Place, passengers: Counter[str]) -> None:
    """Passengers that stay keep their slot; new ones take the free slots from the stern."""
    left = Counter(passengers)
    slots = SQUEEZED_MM if passengers.total() > len(SLOTS_MM) else SLOTS_MM
    if len(place.seats) != len(slots):
        place.seats = [None] * len(slots)
    for i, colour in enumerate(place.seats):
        if colour and left[colour] > 0:
            left[colour] -= 1
        else:
            place.seats[i] = None
    for colour in left.elements():
        place.seats[place.seats.index(None)] = colour


def _apart_mm(piece: Piece) -> float:
    """From the middle of a standing piece's footprint to that of its outer discs."""
    return max(0.0, _REACH[piece.kind] - _BREADTH[piece.kind]) + (6.0 if piece.kind == "boat" else 1.5)


def _breadth(piece: Piece) -> float:
    return 8.0 if piece.lying else _BREADTH[piece.kind]


def _reach_mm(piece: Piece) -> float:
    """No part of the footprint is farther than this from its middle."""
    return _apart_mm(piece) + _breadth(piece)


def _discs(piece: Piece) -> list[tuple[float, float]]:
    """Centres (mm) of the discs that stand for the footprint."""
    x, y = float(piece.at[0]), float(piece.at[1])
    if piece.lying:
        return [(x, y)]
    reach = _apart_mm(piece)
    dx, dy = reach * math.cos(piece.yaw), reach * math.sin(piece.yaw)
    return [(x - dx, y - dy), (x, y), (x + dx, y + dy)]


def gap_mm(a: Piece, b: Piece) -> float:
    """Free ground between two pieces in mm; negative where they overlap."""
    apart = min(math.dist(p, q) for p in _discs(a) for q in _discs(b))  # plain floats: asked a hundred thousand times
    return apart - _breadth(a) - _breadth(b)
