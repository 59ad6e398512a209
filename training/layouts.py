"""Random positions of play: what people put on the board, early, late, crowded.

In: a random generator and the board's plan. Out: objects of the layout protocol, within the counts of the box; to learn
from, also boards packed with far more, and such that teem with creatures.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from companion.vision.windows import LAND_DEPTH_MM
from hardware.simulated.arrays import Points
from hardware.simulated.plan import CORNER_SIGNS, LANDS, BoardPlan, Hex

BOARD_FILE = Path(__file__).parents[1] / "companion" / "rules" / "boards" / "anniversary.json"

HAND_SHARE = 0.14
"""How many of the frames show an arm."""

STRANGE = "strange"
"""So begin the names of sessions with creatures in strange designs: they are to measure on."""

COLOURS = ("red", "blue", "yellow", "green")
TILES = {"beach": 16, "forest": 16, "mountain": 8}
CREATURES = {"serpents": 5, "sharks": 6, "whales": 5}
BOATS = 12
EXPLORERS = 10

MOST_ASHORE = 10
"""People on a safe land."""

ASHORE, LATE = (0.12, 0.3), 0.3
"""Share of the people who are on safe lands, early and late in a game, and the share of the layouts that are late."""

_ELBOW_ROOM_MM, _FREEDOM_MM = 6.0, 12.0
_TRIES = 60


def random_layout(rng: np.random.Generator, plan: BoardPlan, *, in_play: bool = False) -> dict[str, Any]:
    """One position. How many tiles are left, how crowded it is and who is where are all drawn anew.

    `in_play`: as games leave it: no forest sinks before the last beach, no mountain before the last forest (rule 6.1),
    and all serpents are there, as before whirlpools (rule 2.2).
    """
    hexes: dict[Hex, dict[str, Any]] = defaultdict(dict)
    island = list(plan.island)
    rng.shuffle(island)
    kinds = [k for k, n in TILES.items() for _ in range(n)]
    rng.shuffle(kinds)
    if in_play:
        kinds.sort(key=list(TILES).index, reverse=True)
    left = int(40 * rng.beta(1.4, 1.1))
    for h, kind in zip(island[:left], kinds[:left], strict=True):
        hexes[h]["tile"] = kind
    land = [h for h in plan.hexes if "tile" in hexes.get(h, {})]
    sea = [h for h in plan.hexes if h not in set(land)]
    crowd: list[Hex] = [sea[i] for i in rng.choice(len(sea), min(6, len(sea)), replace=False)]

    def some_sea() -> Hex:
        """Any sea hex; a few of them draw more than their share."""
        if rng.random() < 0.25:
            return crowd[int(rng.integers(len(crowd)))]
        return sea[int(rng.integers(len(sea)))]

    aboard = _put_boats(rng, hexes, sea)
    for key, most in CREATURES.items():
        stays = in_play and key == "serpents"
        for _ in range(most if stays else int(rng.integers(most // 2, most + 1))):
            for _ in range(_TRIES if stays else 1):
                h = plan.serpent_starts[rng.integers(5)] if key == "serpents" and rng.random() < 0.3 else some_sea()
                if sum(hexes[h].get(k, 0) for k in CREATURES) < (2 if "boat" in hexes[h] else 3):
                    hexes[h][key] = hexes[h].get(key, 0) + 1
                    break
    landings = [h for hs in plan.landings.values() for h in hs]
    safe = _put_explorers(rng, hexes, aboard, land=land, some_sea=some_sea, landings=landings)
    return {"hexes": [{"hex": list(h), **what} for h, what in hexes.items() if what], "safe": safe}


def packed_layout(rng: np.random.Generator, plan: BoardPlan) -> dict[str, Any]:
    """Far more than any box holds: nearly every hex has something to learn from, heaps and odd company included."""
    hexes: dict[Hex, dict[str, Any]] = {}
    land = rng.uniform(0.25, 1.0)
    for h in plan.hexes:
        ashore = h in plan.island and rng.random() < land
        what = _some_land(rng) if ashore else _some_water(rng)
        if what:
            hexes[h] = what
    safe = {corner: _some_people(rng, int(rng.integers(1, MOST_ASHORE + 1))) for corner in LANDS if rng.random() < 0.8}
    return {"hexes": [{"hex": list(h), **what} for h, what in hexes.items()], "safe": safe}


def teeming_layout(rng: np.random.Generator, plan: BoardPlan) -> dict[str, Any]:
    """Far more creatures than any box holds, on a small island or none, with few swimmers and boats between them: for
    the network that tells creatures, which are hard where they are alone at sea and where one hides half of another."""
    hexes: dict[Hex, dict[str, Any]] = {}
    land, crowd = rng.uniform(0.0, 0.4), rng.uniform(0.35, 0.85)
    for h in plan.hexes:
        if h in plan.island and rng.random() < land:
            hexes[h] = {"tile": list(TILES)[rng.integers(len(TILES))]}
        elif rng.random() < crowd:
            hexes[h] = _some_creatures(rng)
    return {"hexes": [{"hex": list(h), **what} for h, what in hexes.items() if what], "safe": {}}


@dataclass(frozen=True)
class OpenPlan(BoardPlan):
    """A board on whose safe lands people stand anywhere, not only in the middle: `spots`, a disc on each (mm)."""

    spots: Mapping[str, tuple[Points, float]]

    def safe_land(self, land: str) -> tuple[Points, float]:
        """Where explorers stand on a safe land: centre of a disc, shape (2,), and its radius."""
        return self.spots[land]


def opened(rng: np.random.Generator, plan: BoardPlan, safe: Mapping[str, Mapping[str, int]]) -> OpenPlan:
    """The same board, with room here or there for the people that stand on the safe lands in a layout."""
    spots = {land: _spot(rng, plan, land, sum(safe.get(land, {}).values())) for land in LANDS}
    return OpenPlan(**{f.name: getattr(plan, f.name) for f in fields(plan)}, spots=spots)


def _spot(rng: np.random.Generator, plan: BoardPlan, land: str, people: int) -> tuple[Points, float]:
    hexes = np.array([plan.centre(h) for h in plan.hexes])
    least = _ELBOW_ROOM_MM * (1 + math.sqrt(people))
    for _ in range(_TRIES):
        radius = least + rng.uniform(0.0, _FREEDOM_MM)
        off = rng.uniform(radius, np.array(LAND_DEPTH_MM) - radius)
        centre = (np.array(plan.size) / 2 - off) * CORNER_SIGNS[land]
        if np.linalg.norm(hexes - centre, axis=1).min() > radius + plan.inradius:
            return centre, radius
    return plan.safe_land(land)


def _some_land(rng: np.random.Generator) -> dict[str, Any]:
    what: dict[str, Any] = {"tile": list(TILES)[rng.integers(len(TILES))]}
    if people := int(rng.choice(6, p=(0.2, 0.35, 0.2, 0.13, 0.08, 0.04))):
        what["explorers"] = _some_people(rng, people, most_alike=4)
    return what


def _some_water(rng: np.random.Generator) -> dict[str, Any]:
    what: dict[str, Any] = {}
    boat = rng.random() < 0.28
    if boat:
        what["boat"] = _some_people(rng, int(rng.choice(5, p=(0.12, 0.16, 0.2, 0.27, 0.25))), most_alike=3)
    creatures = int(rng.choice(4, p=(0.66, 0.26, 0.08, 0.0) if boat else (0.46, 0.38, 0.11, 0.05)))
    for key in rng.choice(list(CREATURES), creatures):
        what[key] = what.get(key, 0) + 1
    if rng.random() < 0.3:
        most = 3 - creatures if boat else 1 if creatures > 1 else 4 if creatures else 5
        what["explorers"] = _some_people(rng, int(rng.integers(1, most + 1)), most_alike=4)
    return what


def _some_creatures(rng: np.random.Generator) -> dict[str, Any]:
    """One or two, seldom three, or what else is at sea; now and then a swimmer or a boat beside them."""
    what: dict[str, Any] = {}
    creatures = int(rng.choice(4, p=(0.08, 0.7, 0.19, 0.03)))
    for key in rng.choice(list(CREATURES), creatures):
        what[key] = what.get(key, 0) + 1
    if creatures < 3:
        if rng.random() < 0.12:
            what["boat"] = _some_people(rng, int(rng.choice(4, p=(0.34, 0.3, 0.2, 0.16))))
        elif rng.random() < 0.12:
            what["explorers"] = _some_people(rng, 1)
    return what


def _some_people(rng: np.random.Generator, count: int, most_alike: int = 9) -> dict[str, int]:
    """That many, now and then all of a colour, as far as so many may be alike."""
    drawn = rng.integers(len(COLOURS), size=count)
    if rng.random() < 0.25:
        drawn[:] = drawn[:1]
    return {COLOURS[k]: min(int(n), most_alike) for k, n in enumerate(np.bincount(drawn, minlength=4)) if n}


def _put_explorers(
    rng: np.random.Generator,
    hexes: dict[Hex, dict[str, Any]],
    aboard: Counter[str],
    *,
    land: list[Hex],
    some_sea: Callable[[], Hex],
    landings: list[Hex],
) -> dict[str, dict[str, int]]:
    """Explorers on land, in heaps, ashore and swimming, as many as are not `aboard`; those on the safe lands are
    returned."""
    safe: dict[str, dict[str, int]] = {}
    busy = float(rng.uniform(0.3, 1.0))
    ashore = ASHORE[int(rng.random() < LATE)]
    heaps = [land[i] for i in rng.choice(len(land), min(3, len(land)), replace=False)] if land else []
    for colour in COLOURS:
        for _ in range(min(int(EXPLORERS * rng.uniform(0.5, 1.0) * busy + 1), EXPLORERS - aboard[colour])):
            where = rng.random()
            if where < ashore:
                corner = LANDS[rng.integers(4)]
                counts = safe.setdefault(corner, {})
                if sum(counts.values()) < MOST_ASHORE:
                    counts[colour] = counts.get(colour, 0) + 1
                continue
            if land and where < 0.62:
                h = heaps[rng.integers(len(heaps))] if rng.random() < 0.18 else land[rng.integers(len(land))]
            elif where < 0.67:
                h = landings[rng.integers(len(landings))]
                if "tile" in hexes.get(h, {}):
                    continue
            else:
                h = some_sea()
            load = hexes[h].get("explorers", {})
            limit = 5 if "tile" in hexes[h] else 4
            if sum(load.values()) < limit - (sum(hexes[h].get(k, 0) for k in CREATURES) > 1):
                hexes[h]["explorers"] = {**load, colour: load.get(colour, 0) + 1}
    return safe


def _put_boats(rng: np.random.Generator, hexes: dict[Hex, dict[str, Any]], sea: list[Hex]) -> Counter[str]:
    """Boats with none to three passengers, one a hex; the passengers by colour are returned."""
    spots = [sea[i] for i in rng.choice(len(sea), min(len(sea), int(rng.integers(5, BOATS + 1))), replace=False)]
    aboard: Counter[str] = Counter()
    for h in spots:
        crew: Counter[str] = Counter()
        for _ in range(int(rng.choice(4, p=(0.34, 0.3, 0.2, 0.16)))):
            colour = COLOURS[rng.integers(4)]
            if aboard[colour] < EXPLORERS:
                crew[colour] += 1
                aboard[colour] += 1
        hexes[h]["boat"] = dict(crew)
    return aboard
