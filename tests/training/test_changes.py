"""What comes over a picture: it stays of its size, pieces stay where they stood, the same seed gives the same."""

import numpy as np
import pytest

from calibration.light import to_linear
from calibration.view import View
from training import changes
from training.changes import CHANGES, Seen, changed, packed, recoloured, reflected, shadowed, smeared

EYE = np.array([0.0, 100.0, 800.0])
VIEW = View((465.0, 412.0))
PIECES = (
    {"kind": "boat", "at": [60.0, -40.0, 0.0], "yaw": 0.0},
    {"kind": "explorer", "colour": "red", "at": [-90.0, 50.0, 6.0], "yaw": 1.0, "boat": False},
)


@pytest.fixture
def seen():
    rows, columns = VIEW.shape
    y, x = np.mgrid[:rows, :columns]
    picture = np.stack([60 + (x % 40), 90 + (y % 25), 70 + (x + y) % 30], axis=2).astype(np.uint8)
    return Seen(picture, VIEW, EYE, PIECES)


def test_the_shares_are_of_all_pictures():
    assert sum(share for _, share in CHANGES) == pytest.approx(1.0)


@pytest.mark.parametrize("change", [change for change, _ in CHANGES])
def test_a_picture_stays_one_and_is_another(seen, change):
    before = seen.picture.copy()
    pictures = [change(seen, np.random.default_rng(seed)) for seed in (1, 1, 2)]
    for picture in pictures:
        assert (picture.dtype, picture.shape) == (np.uint8, before.shape)
        assert (picture != before).mean() > 0.01
    assert np.array_equal(pictures[0], pictures[1])
    assert not np.array_equal(pictures[0], pictures[2])
    assert np.array_equal(seen.picture, before)


def test_each_kind_comes_about_as_often_as_it_should(seen, monkeypatch):
    names = {reflected: 0, recoloured: 1, smeared: 2, packed: 3, shadowed: 4}
    told = tuple((lambda *_, i=names[change]: i, share) for change, share in CHANGES)
    monkeypatch.setattr(changes, "CHANGES", told)
    rng = np.random.default_rng(0)
    counts = np.bincount([changed(seen, rng) for _ in range(2000)], minlength=5) / 2000
    assert counts == pytest.approx([share for _, share in CHANGES], abs=0.04)


@pytest.mark.parametrize("seed", range(8))
def test_a_reflection_only_adds_light_and_no_more_than_that(seen, seed):
    before, after = (to_linear(p) for p in (seen.picture, reflected(seen, np.random.default_rng(seed))))
    added = after - before
    assert added.min() > -0.01
    assert changes.ADDED[0] * 0.7 < added.max() < changes.ADDED[1] * 1.3


@pytest.mark.parametrize("seed", range(8))
def test_a_shadow_leaves_a_share_of_the_light_in_a_part_of_the_board(seen, seed):
    before, after = (to_linear(p) for p in (seen.picture, shadowed(seen, np.random.default_rng(seed))))
    left = (after.sum(axis=2) + 0.01) / (before.sum(axis=2) + 0.01)
    assert left.max() < 1.1
    assert changes.LEFT[0] * 0.5 < left.min() < changes.LEFT[1] * 1.6
    assert (left > 0.9).mean() > 0.2


def test_pieces_stand_dark_in_a_reflection_or_are_under_it_too(seen, monkeypatch):
    foot = tuple(np.round(VIEW.pixels((60.0, -40.0))).astype(int)[::-1])
    added = {}
    for share in (0.0, 1.0):
        monkeypatch.setattr(changes, "OVER_ALL", share)
        pictures = [reflected(seen, np.random.default_rng(seed)) for seed in range(6)]
        added[share] = max(int(p[foot].max()) - int(seen.picture[foot].max()) for p in pictures)
    assert added[0.0] <= 2
    assert added[1.0] > 10


def test_what_is_no_piece_is_flat(seen):
    flat = seen.flat()
    boat, head = VIEW.pixels((60.0, -40.0)), VIEW.pixels((-90.0 * 800 / 780, 50.0))
    for column, row in (boat, head):
        assert not flat[round(row), round(column)]
    assert 0.98 < flat.mean() < 1
    assert Seen(seen.picture, VIEW, EYE).flat().all()
