"""What is mirrored in a part of the board is light that is added there; nothing else is taken for it."""

import cv2
import numpy as np
import pytest
from lights import from_linear

from calibration.cells import CELL, to_cells
from calibration.light import LightMeter, to_linear
from calibration.reflection import LEAST, LEAST_CELLS, darkest_near, learn_surface, thinned

SHAPE = (400, 500)
LEAF = np.array([0.05, 0.3, 0.1], np.float32)
ON_TILE = slice(160, 260), slice(200, 320)
ISLAND = slice(120, 300), slice(160, 360)


def grid(shape):
    """H x W x 1: 0.1 on thin lines 20 px apart, else 1."""
    y, x = np.mgrid[: shape[0], : shape[1]]
    return np.where((x % 20 < 2) | (y % 20 < 2), 0.1, 1.0).astype(np.float32)[..., None]


@pytest.fixture(scope="module")
def print_light():
    """A blue sea in patches of many shades, with dark lines."""
    rng = np.random.default_rng(8)
    patches = np.array([0.6, 0.3, 0.1]) * rng.uniform(0.5, 1.3, (10, 13, 1)) * rng.uniform(0.85, 1.15, (10, 13, 3))
    return np.asarray(np.kron(patches, np.ones((40, 40, 1)))[: SHAPE[0], : SHAPE[1]] * grid(SHAPE), np.float32)


def leaves(shape, seed=1):
    """H x W x 3: a tile's face."""
    speckles = np.random.default_rng(seed).uniform(0.3, 1.7, (shape[0] // 5, shape[1] // 5, 1))
    return np.asarray(np.kron(speckles, np.ones((5, 5, 1))) * LEAF, np.float32)


@pytest.fixture(scope="module")
def meter(print_light):
    face = leaves((100, 120), seed=2)
    cells = to_cells(face)
    tile = learn_surface(cells, darkest_near(thinned(face), cells.shape[:2]), np.ones(cells.shape[:2], bool))
    island = np.zeros(SHAPE, bool)
    island[ISLAND] = True
    return LightMeter(print_light, np.ones(SHAPE, bool), tiles=[tile], island=island)


def spot(strength, at=(200, 250), wide=60.0):
    """H x W: a soft light."""
    y, x = np.mgrid[: SHAPE[0], : SHAPE[1]].astype(np.float32)
    return np.asarray(strength * np.exp(-0.5 * (((y - at[0]) / wide) ** 2 + ((x - at[1]) / wide) ** 2)), np.float32)


def pane(strength):
    """H x W: a light with a sharp rim."""
    light = np.zeros(SHAPE, np.float32)
    light[90:310, 120:380] = strength
    return light


def measured(meter, linear):
    """What falls on a picture of that linear light, and what is mirrored in the board."""
    picture = from_linear(linear)
    light = meter.measure(picture, to_linear(picture))
    assert light.mirrored is None
    found = meter.find_mirrored(light, SHAPE) if meter.may_be_mirrored(light) else None
    return found or light


def lit(light, added):
    return light + added[..., None]


@pytest.mark.parametrize("gain", [0.5, 1.0, 1.4])
@pytest.mark.parametrize("strength", [0.04, 0.1, 0.25])
def test_a_soft_light_mirrored_in_the_print_is_found(meter, print_light, strength, gain):
    added = spot(strength)
    light = measured(meter, lit(gain * print_light, added))
    assert light.veil == 0.0
    off = np.abs(light.mirrored - added)
    assert off.mean() < 0.15 * added.mean() + 0.001
    assert np.quantile(off, 0.98) < 0.1 * strength + 0.002
    assert np.median(np.abs(light.factor / gain - 1)) < 0.05


def test_what_is_left_is_the_light_without_it(meter, print_light):
    picture = from_linear(lit(print_light, spot(0.2)))
    linear = to_linear(picture)
    left = meter.find_mirrored(meter.measure(picture, linear), SHAPE).without(picture, linear)
    assert np.abs(left - print_light).mean() < 0.2 * np.abs(linear - print_light).mean()
    assert left.min() >= 0.0


def test_a_sharp_rim_stays_sharp(meter, print_light):
    added = pane(0.15)
    light = measured(meter, lit(print_light, added))
    assert np.abs(light.mirrored - added).mean() < 0.1 * added.mean()
    rim = slice(150, 250), slice(120 - CELL, 120 + CELL)
    assert np.abs((light.mirrored - added)[rim]).mean() < 0.2 * 0.15


def test_it_is_found_on_tiles_too(meter, print_light):
    print_light = print_light.copy()
    print_light[ON_TILE] = leaves((100, 120))
    added = spot(0.15, wide=25.0)  # on the tile alone
    light = measured(meter, lit(print_light, added))
    there = added > 0.05
    assert np.abs(light.mirrored - added)[there].mean() < 0.35 * added[there].mean()
    assert measured(meter, print_light).mirrored is None


def test_tiles_of_other_colours_than_the_sea_s_do_not_tint_the_light(print_light):
    """Brown tiles have a twelfth of the sea's blue; sand, dark in blue, would look pale beside them."""
    sand, tiles = np.s_[:60, :100], np.s_[80:320, 120:380]  # tiles on a third of the board
    print_light = print_light.copy()
    print_light[sand] = leaves((60, 100)) * np.array([3.0, 1.5, 6.0], np.float32)
    island = np.zeros(SHAPE, bool)
    island[tiles] = True
    meter = LightMeter(print_light, np.ones(SHAPE, bool), island=island)
    seen = print_light.copy()
    seen[tiles] = leaves((240, 260)) * np.array([1.0, 0.7, 4.0], np.float32)
    added = spot(0.15, at=(360, 430), wide=25.0)  # at a glance nothing would be mirrored else
    light = measured(meter, lit(seen, added))
    assert light.mirrored[355:365, 425:435].min() > 0.08
    assert light.mirrored[sand].max() < LEAST


def test_where_the_island_is_all_that_is_seen_it_tells_the_light(print_light):
    meter = LightMeter(print_light, np.ones(SHAPE, bool), island=np.ones(SHAPE, bool))
    added = spot(0.05)
    light = measured(meter, lit(print_light * np.array([1.0, 1.0, 2.5], np.float32), added))
    assert np.abs(light.mirrored - added).mean() < 0.4 * added.mean()


def test_what_a_lit_tile_would_explain_is_none_where_no_tile_can_lie(meter, print_light):
    """As a pale sleeve over the sea."""
    paint = leaves((90, 90)) + np.float32(0.2)
    for there, found in ((np.s_[190:280, 250:340], True), (np.s_[10:100, 30:120], False)):
        seen = print_light.copy()
        seen[there] = paint
        assert (measured(meter, seen).mirrored is not None) == found


def test_a_board_that_is_not_seen_at_all_mirrors_nothing(print_light):
    nowhere = LightMeter(print_light, np.zeros(SHAPE, bool))
    assert measured(nowhere, lit(print_light, spot(0.3))).mirrored is None


def test_it_is_looked_for_once(meter, print_light):
    light = measured(meter, lit(print_light, spot(0.2)))
    assert not meter.may_be_mirrored(light)
    assert meter.find_mirrored(light, SHAPE) is None


def test_a_piece_that_stands_before_it_stays_as_it_is(meter, print_light):
    seen = lit(print_light, spot(0.2))
    seen[190:215, 240:265] = 0.01
    light = measured(meter, seen)
    assert light.mirrored[192:213, 242:263].max() < 0.03
    assert light.mirrored[170:180, 240:265].min() > 0.1


@pytest.mark.parametrize("by", [1.0, 0.4, (0.4, 1.0, 1.5), (1.0, 1.0, 2.5), (1.3, 1.0, 0.35)])
def test_more_light_and_other_light_is_none(meter, print_light, by):
    assert measured(meter, print_light * np.array(by, np.float32)).mirrored is None


def test_a_shadow_is_none(meter, print_light):
    shadow = 1 - 0.6 * cv2.GaussianBlur(pane(1.0), (0, 0), 8)
    assert measured(meter, print_light * shadow[..., None]).mirrored is None


@pytest.mark.parametrize("paint", [(0.02, 0.02, 0.5), (0.05, 0.5, 0.6), (0.9, 0.9, 0.9), (0.01, 0.01, 0.01)])
def test_pieces_are_none(meter, print_light, paint):
    seen = print_light.copy()
    for row in range(40, 360, 80):
        for column in range(40, 460, 90):
            seen[row : row + 18, column : column + 18] = paint
    assert measured(meter, seen).mirrored is None


def test_beyond_the_board_nothing_is_found(print_light):
    valid = np.ones(SHAPE, bool)
    valid[:, 300:] = False
    light = measured(LightMeter(print_light, valid), lit(print_light, spot(0.3, at=(200, 420), wide=30.0)))
    assert light.mirrored is None


def test_no_less_than_the_least_is_told(meter, print_light):
    assert measured(meter, lit(print_light, spot(LEAST / 2))).mirrored is None


def test_a_kind_of_tile_is_known_by_what_most_of_its_cells_show():
    face = leaves((100, 100))
    face[:30, :30] = 0.9  # somebody stands there
    cells = to_cells(face)
    near = darkest_near(thinned(face), cells.shape[:2])
    there = np.ones(cells.shape[:2], bool)
    surface = learn_surface(cells, near, there)
    assert surface.mean[:3] == pytest.approx(LEAF, rel=0.1)
    assert 0.2 * LEAF.min() < surface.mean[3] < LEAF.min()
    assert np.linalg.eigvalsh(surface.covariance).min() > 0


def test_too_few_cells_tell_nothing_of_a_tile():
    there = np.zeros((4, 5), bool)
    there.ravel()[: LEAST_CELLS - 1] = True
    light = np.full((4, 5, 3), 0.3, np.float32)
    assert learn_surface(light, light, there) is None
    assert learn_surface(light, light, np.ones((4, 5), bool)) is not None
