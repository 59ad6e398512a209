"""What a board mirrors of the room stays in a shadow: where the print has little of a colour, most of it is that."""

import numpy as np
import pytest
from lights import from_linear

from calibration import surface
from calibration.cells import spread
from calibration.gloss import LEAST, find_gloss, find_missing
from calibration.light import LightMeter, to_linear

SHAPE = (300, 340)
MIDDLE = (slice(120, 180), slice(140, 200))
MIRRORED = np.float32(0.012)
"""Linear light, of white."""


@pytest.fixture(scope="module")
def sea():
    """Patches of a turquoise sea's colours with sand in the corners."""
    patches = np.random.default_rng(3).uniform(0.2, 0.8, (15, 17, 3)) * (1.0, 1.0, 0.02)
    light = np.kron(patches, np.ones((20, 20, 1))).astype(np.float32)
    for rows in (slice(0, 40), slice(-40, None)):
        for columns in (slice(0, 40), slice(-40, None)):
            light[rows, columns] = (0.15, 0.4, 0.6)
    return light


@pytest.fixture(scope="module")
def shadow():
    """H x W x 1: what a head leaves of the light, 0.45 in the middle."""
    y, x = np.meshgrid(np.linspace(-1, 1, SHAPE[0]), np.linspace(-1, 1, SHAPE[1]), indexing="ij")
    return np.exp(-0.8 * np.maximum(1 - (x**2 + y**2) / 2, 0))[..., None].astype(np.float32)


def measured(sea, picture):
    image = from_linear(picture)
    return LightMeter(sea + MIRRORED, np.ones(SHAPE, bool)).measure(image, to_linear(image)), image


def test_what_is_mirrored_of_the_room_is_told_in_a_shadow_and_taken_out(sea, shadow):
    light, image = measured(sea, sea * shadow + MIRRORED)
    assert light.gloss is not None
    assert light.mirrored is None
    whole = MIRRORED * (1 - shadow[MIDDLE])
    np.testing.assert_allclose(spread(light.gloss, SHAPE)[MIDDLE], whole[..., 0], rtol=0.5)
    left = light.without(image, to_linear(image)) / spread(light.factor, SHAPE)
    off = np.log(left / (sea + MIRRORED))[MIDDLE][..., 2]
    assert abs(np.median(off)) < 0.12


def test_without_it_the_red_of_such_a_sea_tells_little_of_what_is_left(sea, shadow, monkeypatch):
    def red():
        light, _ = measured(sea, sea * shadow + MIRRORED)
        return np.median(np.log(spread(light.factor, SHAPE) / shadow)[MIDDLE][..., 2])

    found = red()
    monkeypatch.setattr("calibration.light.find_gloss", lambda *_: None)
    without = red()
    monkeypatch.setattr(surface, "TIED", (0.0,) * 6)
    alone = red()
    assert abs(found) < 0.15
    assert abs(found) < without < alone


@pytest.mark.parametrize("dimmed", [0.4, 1.0, 2.0])
def test_where_nothing_is_shadowed_nothing_is_told(sea, dimmed):
    light, _ = measured(sea, np.float32(dimmed) * (sea + MIRRORED))
    assert light.gloss is None


def test_no_more_is_mirrored_than_the_darkest_of_the_print_has(sea, shadow):
    """0.05 is added in the shadow, by somebody's lamp."""
    light, _ = measured(sea, sea * shadow + MIRRORED + np.float32(0.05) * (1 - shadow))
    assert light.gloss is None or light.gloss.max() <= (MIRRORED + 0.02 * 0.2) * 1.5


def test_a_factor_that_follows_a_mirrored_lamp_tells_of_no_room(sea, shadow, monkeypatch):
    monkeypatch.setattr("calibration.light.ASTRAY", 0.0)
    light, _ = measured(sea, sea * shadow + MIRRORED)
    assert light.gloss is None


def test_what_is_missing_counts_from_where_nothing_is_shadowed():
    factor = np.full((6, 8, 3), 1.5, np.float32)
    factor[2:4, 2:5] = (0.6, 0.9, 1.2)
    factor[0, 0] = 9.0
    there = np.ones((6, 8), bool)
    there[0, 0] = False
    missing = find_missing(np.log(factor), there)
    assert missing is not None
    np.testing.assert_allclose(missing[2:4, 2:5], 0.6, atol=1e-5)
    assert not missing[4:].any()
    assert find_missing(np.zeros((6, 8, 3), np.float32), there) is None
    assert find_missing(np.log(factor), np.zeros((6, 8), bool)) is None


def test_what_is_added_is_told_beside_pieces_and_no_less_than_it_takes_to_tell():
    rng = np.random.default_rng(5)
    expected = rng.uniform(0.01, 0.3, (30, 34, 3)).astype(np.float32)
    missing = np.zeros((30, 34), np.float32)
    missing[10:20, 10:20] = 0.5
    trust = np.ones((30, 34, 3), np.float32)
    for added in (0.02, 0.008):
        cells = expected + np.float32(added) * missing[..., None]
        cells[12:14, 12:18] = 0.6  # a boat
        found = find_gloss(cells, expected, trust, missing, 0.1)
        assert found is not None
        np.testing.assert_allclose(found[11, 11], 0.5 * added, rtol=0.1)
        limited = find_gloss(cells, expected, trust, missing, 0.005)
        assert limited is not None
        assert limited.max() == pytest.approx(0.0025)
    assert find_gloss(expected + LEAST * missing[..., None], expected, trust, missing, 0.1) is None
    assert find_gloss(expected * np.float32(0.9), expected, trust, missing, 0.1) is None
