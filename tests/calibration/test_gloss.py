"""What a board mirrors of the room stays in a shadow: where the print has little of a colour, most of it is that."""

import numpy as np
import pytest
from lights import from_linear

from calibration import surface
from calibration.cells import spread
from calibration.gloss import LEAST, find_gloss
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
    monkeypatch.setattr("calibration.light.find_gloss", lambda *_, **_others: None)
    without = red()
    monkeypatch.setattr(surface, "TIED", (0.0,) * 6)
    alone = red()
    assert abs(found) < 0.15
    assert abs(found) < without < alone


@pytest.mark.parametrize("dimmed", [0.4, 1.0, 2.0])
def test_where_nothing_is_shadowed_nothing_is_told(sea, dimmed):
    light, _ = measured(sea, np.float32(dimmed) * (sea + MIRRORED))
    assert light.gloss is None


@pytest.fixture
def cells():
    """A board's cells: dark and bright ones, with little red."""
    return np.random.default_rng(5).uniform(0.01, 0.3, (30, 34, 3)).astype(np.float32)


def shadowed(cells, share=0.4, where=(slice(8, 22), slice(8, 26))):
    """Rows x columns x 3: the factor of a shadow that leaves so much."""
    factor = np.ones_like(cells)
    factor[where] = share
    return factor


def told(cells, picture, factor, *, most=0.1, shadow=None):
    known = np.log(factor)
    return find_gloss(picture, cells, np.ones_like(cells), known, shadow=known if shadow else None, most=most)


def test_what_is_added_in_a_shadow_is_told_beside_pieces(cells):
    factor = shadowed(cells)
    missing = 1 - factor[..., 0]
    for added in (0.02, 0.008):
        picture = cells * factor + np.float32(added) * missing[..., None]
        picture[12:14, 12:18] = 0.6  # a boat
        found = told(cells, picture, factor, shadow=True)
        assert found is not None
        np.testing.assert_allclose(found[10, 10], 0.6 * added, rtol=0.3)
        assert found[0].max() < LEAST / 10


def test_no_more_is_mirrored_than_may_be(cells):
    factor = shadowed(cells)
    picture = cells * factor + np.float32(0.02) * (1 - factor)
    found = told(cells, picture, factor, shadow=True, most=0.005)
    assert found is not None
    assert found.max() == pytest.approx(0.6 * 0.005, rel=0.05)


def test_the_meter_allows_no_more_than_the_darkest_of_the_print_has(sea, shadow, monkeypatch):
    asked = []
    monkeypatch.setattr("calibration.light.find_gloss", lambda *_, most, **_others: asked.append(most))
    measured(sea, sea * shadow + MIRRORED)
    assert asked == [pytest.approx(MIRRORED + 0.004, abs=0.002)]


def test_nothing_is_told_without_a_shadow_or_of_too_little(cells):
    factor = shadowed(cells)
    assert told(cells, cells * factor + np.float32(0.5 * LEAST) * (1 - factor), factor, shadow=True) is None
    assert told(cells, cells * factor * np.float32(0.9), factor * np.float32(0.9), shadow=True) is None
    for share, enough in ((0.85, False), (0.75, True)):
        slight = shadowed(cells, share)
        found = told(cells, cells * slight + np.float32(0.02) * (1 - slight), slight, shadow=True)
        assert (found is not None) == enough
    nowhere = np.zeros_like(cells)
    assert find_gloss(cells, cells, nowhere, nowhere, shadow=None, most=0.1) is None


def test_a_factor_that_goes_elsewhere_without_what_is_dark_tells_of_no_room(cells):
    """It follows a lamp that is mirrored in all that is bright."""
    factor = shadowed(cells)
    picture = cells * factor + np.float32(0.02) * (1 - factor)
    for off, is_told in ((0.05, True), (0.3, False)):
        known = np.log(factor) + np.float32(off)
        found = find_gloss(picture, cells, np.ones_like(cells), known, shadow=np.log(factor), most=0.1)
        assert (found is not None) == is_told
