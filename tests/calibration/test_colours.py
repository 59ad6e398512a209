"""What a colour speaks for: densities that sum to one, a colour known in less light, shadows on the print."""

import numpy as np
import pytest

from calibration.colours import BYTES, HIGH, LOW, STEP, ColourModel, ColourTable, from_bytes, of_class
from calibration.ground import BLACK, DENSITY_FLOOR, Ground

PAINT = np.array([55.0, 40.0, 20.0], np.float32)
PRINT = np.array([60.0, -10.0, -30.0], np.float32)
SHAPE = (70, 50)


def raster(colour):
    return np.tile(np.asarray(colour, np.float32), (*SHAPE, 1))


@pytest.fixture(scope="module")
def model():
    noise = np.random.default_rng(1).normal(0, 1.5, (2, 300, 3)).astype(np.float32)
    return ColourModel({"paint": PAINT + noise[0], "wood": [-1, 0.2, 0.8] * PAINT + [110, 0, 0] + noise[1]})


@pytest.fixture(scope="module")
def ground():
    return Ground(raster(PRINT), [1.0] * 11)


def test_the_density_of_a_class_sums_to_one_over_all_colours(model):
    cells = [np.arange(low, high + 1, STEP) for low, high in zip(LOW, HIGH, strict=True)]
    lab = np.stack(np.meshgrid(*cells, indexing="ij"), axis=-1).astype(np.float32)
    total = np.exp(model.log_density(lab).astype(float)).sum(axis=(0, 1, 2)) * STEP**3
    floor = np.exp(DENSITY_FLOOR) * lab.size / 3 * STEP**3
    assert total == pytest.approx([1 + floor, 1 + floor], rel=1e-3)


def test_a_class_is_known_by_its_colour_in_a_raster_and_in_a_list(model):
    found = model.log_density(raster(PAINT))
    assert found.shape == (*SHAPE, 2)
    assert (found[..., 0] > found[..., 1] + 3).all()
    np.testing.assert_array_equal(found[0, 0], model.log_density(PAINT[None])[0])


def test_a_colour_in_less_light_is_still_that_colour(model):
    shaded = BLACK + 0.85 * (PAINT - BLACK)
    aside = shaded + np.array([0.0, -12.0, 12.0])
    (dark,), (other,) = (model.log_density(raster(c))[0, 0, :1] for c in (shaded, aside))
    assert dark > other + 3


def test_colours_beyond_the_table_and_classes_without_samples_have_the_lowest_density():
    model = ColourModel({"none": np.empty((0, 3), np.float32)})
    found = model.log_density(np.array([[200.0, 300.0, 300.0], [-50.0, -300.0, -300.0]], np.float32))
    np.testing.assert_allclose(found, DENSITY_FLOOR, atol=1e-5)


def test_the_table_for_pictures_tells_the_same_in_bytes(model):
    noise = np.random.default_rng(2).normal(0, 1.5, (2, 300, 3)).astype(np.float32)
    samples = {"paint": PAINT + noise[0], "wood": PRINT + noise[1]}
    model, table = ColourModel(samples), ColourTable(samples)
    colours = np.random.default_rng(3).normal(PAINT, 6.0, (40, 50, 3)).astype(np.float32)
    found = np.stack([from_bytes(of_class(table(colours), i)) for i in range(2)], axis=-1)
    wanted = np.clip(model.log_density(colours), *BYTES)
    assert found.shape == (40, 50, 2)
    assert np.abs(found - wanted).mean() < 0.25  # its cells are half as wide


def test_fine_classes_are_told_apart_by_a_tint():
    noise = np.random.default_rng(2).normal(0, 1.0, (2, 300, 3)).astype(np.float32)
    black, tint = np.array([15.0, 0.0, 0.0], np.float32), np.array([0.0, 0.0, 5.0], np.float32)
    samples = {"shark": black + noise[0], "serpent": black + tint + noise[1]}
    coarse, fine = (np.ptp(ColourTable(samples, fine=f)(raster(black))[0, 0, 0, :2].astype(int)) for f in ((), samples))
    assert fine > 1.8 * coarse


def test_a_shadow_leaves_the_print_the_print_and_paint_does_not(ground):
    bare, shadow, paint = (ground.log_density(raster(c))[40, 20] for c in (PRINT, BLACK + 0.7 * (PRINT - BLACK), PAINT))
    assert bare > shadow > paint + 3
    assert paint >= DENSITY_FLOOR


def test_a_picture_in_little_light_may_be_noisier(ground):
    off = raster(PRINT + np.array([0.0, 6.0, 0.0]))
    known = ground.log_density(off)
    np.testing.assert_allclose(ground.log_density(off, raster([1.0, 1.0, 1.0])), known, rtol=1e-6)
    np.testing.assert_allclose(ground.log_density(off, raster([2.0, 2.0, 2.0])), known, rtol=1e-6)
    assert (ground.log_density(off, raster([0.3, 0.3, 0.3])) > known + 2).all()


def test_no_colours_have_no_densities(model):
    assert model.log_density(np.empty((0, 3), np.float32)).shape == (0, 2)
