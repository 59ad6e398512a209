"""What is laid to measure on comes out of one box."""

import json

import numpy as np

from companion.rules.geometry import load_board
from companion.rules.layout import decode_layout
from companion.vision.readings import BOX, beyond_box, things
from hardware.simulated.plan import BoardPlan
from training.layouts import BOARD_FILE, random_layout

PLAN = BoardPlan.from_json(json.loads(BOARD_FILE.read_text()))


def test_a_random_layout_holds_no_more_than_the_box():
    most = things([])
    for seed in range(200):
        layout = decode_layout(random_layout(np.random.default_rng(seed), PLAN), load_board())
        there = things(layout.hexes.values(), layout.safe.values())
        assert not beyond_box(there)
        most |= there
    assert most == BOX, "now and then all of it lies there"
