"""What is laid to measure on comes out of one box."""

import json

import numpy as np

from companion.rules.geometry import load_board
from companion.rules.layout import decode_layout
from companion.vision.box import BOX, beyond_box, things
from companion.vision.windows import LAND_DEPTH_MM
from hardware.simulated.arrangement import Arrangement
from hardware.simulated.plan import CORNER_SIGNS, LANDS, BoardPlan
from training.layouts import BOARD_FILE, MOST_ASHORE, TILES, opened, random_layout, teeming_layout

PLAN = BoardPlan.from_json(json.loads(BOARD_FILE.read_text()))


def test_a_random_layout_holds_no_more_than_the_box():
    most = things([])
    for seed in range(200):
        layout = decode_layout(random_layout(np.random.default_rng(seed), PLAN), load_board())
        there = things(layout.hexes.values(), layout.safe.values())
        assert not beyond_box(there)
        most |= there
    assert most == BOX, "now and then all of it lies there"


def test_a_layout_in_play_has_all_serpents_and_tiles_that_sank_in_their_order():
    lefts = set()
    for seed in range(100):
        layout = decode_layout(random_layout(np.random.default_rng(seed), PLAN, in_play=True), load_board())
        there = things(layout.hexes.values(), layout.safe.values())
        left = [there[f"tile {terrain}"] for terrain in TILES]
        assert not beyond_box(there)
        assert there["serpent"] == BOX["serpent"]
        beaches, forests, mountains = left
        assert beaches == 0 or forests == TILES["forest"]
        assert beaches == forests == 0 or mountains == TILES["mountain"]
        lefts.add(tuple(n > 0 for n in left))
    assert len(lefts) == 3, "beaches, forests, mountains: each is now and then the lowest"


def test_a_teeming_layout_is_full_of_creatures_alone_and_together():
    most = {"serpents": 0, "sharks": 0, "whales": 0}
    alone = together = 0
    for seed in range(20):
        hexes = teeming_layout(np.random.default_rng(seed), PLAN)["hexes"]
        decode_layout({"hexes": hexes, "safe": {}}, load_board())
        of_hexes = [sum(h.get(kind, 0) for kind in most) for h in hexes]
        alone, together = alone + of_hexes.count(1), together + sum(n > 1 for n in of_hexes)
        most = {kind: max(n, sum(h.get(kind, 0) for h in hexes)) for kind, n in most.items()}
        assert all(n <= 3 and not (n and "tile" in h) for n, h in zip(of_hexes, hexes, strict=True))
    assert min(most.values()) > 20
    assert alone > 2 * together > 100


def test_people_stand_anywhere_on_a_safe_land_and_nowhere_else():
    rng, middles = np.random.default_rng(2), {land: [] for land in LANDS}
    for count in (1, 2, 4, 7, MOST_ASHORE) * 4:
        safe = {land: {"blue": count} for land in LANDS}
        plan = opened(rng, PLAN, safe)
        table = Arrangement(plan, rng, lambda *_: 0.0)
        table.put({"safe": safe})
        for land, (east, south) in CORNER_SIGNS.items():
            at = np.array([p.at for p in table.lands[land].pieces])
            middles[land].append(at.mean(axis=0))
            assert len(at) == count
            assert (at * (east, south) > 0).all()
            assert (np.abs(at) < np.array(PLAN.size) / 2).all()
            assert (np.abs(at) > np.array(PLAN.size) / 2 - LAND_DEPTH_MM).all()
            away = np.linalg.norm(at[:, None] - [PLAN.centre(h) for h in PLAN.hexes], axis=2).min()
            assert away > PLAN.inradius
    spread = [np.ptp(of, axis=0) for of in middles.values()]
    assert np.min(spread) > 20
