"""What an arm hides is known, however near to the camera its sleeve comes."""

import json

import numpy as np
import pytest

from hardware.simulated.optics import Lens, Pose, View
from hardware.simulated.plan import BoardPlan
from training.arm import arm_mask, make_arm
from training.layouts import BOARD_FILE

PLAN = BoardPlan.from_json(json.loads(BOARD_FILE.read_text()))


@pytest.mark.parametrize(
    "lens",
    [Lens(66.0, (-0.05, 0.01, 0.0, 0.0, 0.0)), Lens(104.0, (-0.24, 0.02, 0.0, 0.0, 0.0))],
    ids=["normal", "wide"],
)
def test_the_middle_of_every_limb_hides_what_is_below_it(lens):
    view = View((768, 432), lens, Pose(34.0, 40.0, 120.0), PLAN.card_corners())
    for seed in range(40):
        arm = make_arm(np.random.default_rng(seed), PLAN.size)
        mask = arm_mask(arm, view)
        middles = np.vstack([np.linspace(limb.start, limb.end, 60)[5:-5] for limb in arm])
        over_board = (np.abs(middles[:, :2]) < np.array(PLAN.size) / 2).all(axis=1)
        x, y = np.round(view.project(middles[over_board])).astype(int).T
        inside = (x >= 0) & (y >= 0) & (x < 768) & (y < 432)
        assert (mask[y[inside], x[inside]] == 255).all()


def test_nothing_is_seen_behind_the_camera_nor_where_the_lens_folds_back():
    view = View((768, 432), Lens(104.0, (-0.24, 0.02, 0.0, 0.0, 0.0)), Pose(0.0, 0.0, 0.0), PLAN.card_corners())
    behind = view.eye + np.array([0.0, 0.0, 300.0])
    aside = view.eye + np.array([5000.0, 0.0, -300.0])
    assert view.is_before(np.array([[0.0, 0.0, 0.0], behind, aside])).tolist() == [True, False, False]
