"""Other lamps are a smooth factor on the light of the same print, whatever lies on part of it."""

import math

import numpy as np
import pytest
from lights import from_linear

from calibration.cells import spread
from calibration.light import LightMeter, percentile_light, to_lab, to_linear

SHAPE = (300, 340)
INNER = (slice(30, -30), slice(30, -30))


@pytest.fixture(scope="module")
def print_light():
    """Patches of the print's colours, 0.2 to 0.8 of white."""
    rng = np.random.default_rng(3)
    patches = rng.uniform(0.2, 0.8, (15, 17, 3)).astype(np.float32)
    return np.asarray(np.kron(patches, np.ones((20, 20, 1), np.float32)), np.float32)


@pytest.fixture(scope="module")
def meter(print_light):
    return LightMeter(print_light, np.ones(SHAPE, bool))


def measured(meter, linear):
    """What falls on a picture of that linear light."""
    picture = from_linear(linear)
    return meter.measure(picture, to_linear(picture))


def factor(meter, picture):
    """H x W x 3: how much more light falls on it; no veil lies over it."""
    light = measured(meter, picture)
    assert light.veil == 0.0
    return spread(light.factor, picture.shape[:2])


def lamp():
    """H x W x 3: a lamp on one side, yellower than that of the reference."""
    x = np.linspace(-1, 1, SHAPE[1], dtype=np.float32)
    return np.broadcast_to((0.8 + 0.3 * x)[None, :, None] * np.array([0.7, 0.9, 1.0], np.float32), (*SHAPE, 3))


def test_another_lamp_is_measured(meter, print_light):
    found = factor(meter, np.asarray(print_light * lamp(), np.float32))
    assert found.dtype == np.float32
    np.testing.assert_allclose(found[INNER], lamp()[INNER], rtol=0.05)


def test_pieces_on_the_print_do_not_change_the_light_beside_them(meter, print_light):
    picture = np.asarray(print_light * lamp(), np.float32)
    picture[120:170, 140:200] = (0.02, 0.02, 0.5)
    away = np.ones(SHAPE, bool)
    away[80:210, 100:240] = False
    found = factor(meter, picture)[away]
    assert np.median(np.abs(found / lamp()[away] - 1)) < 0.05


def test_what_is_off_the_board_has_no_say(print_light):
    valid = np.ones(SHAPE, bool)
    valid[:, 200:] = False
    picture = np.asarray(print_light * 0.5, np.float32)
    picture[:, 200:] = 1.0
    found = factor(LightMeter(print_light, valid), picture)
    np.testing.assert_allclose(found[:, :180], 0.5, rtol=0.03)


@pytest.mark.parametrize("share", [0.2, 0.4, 2.5])
def test_another_lamp_is_measured_where_the_print_has_little_of_its_colour(print_light, share):
    """A turquoise sea has so little red that noise is not far below it."""
    dark_red = print_light * np.array([1.0, 1.0, 0.03], np.float32)
    less = np.array([1.0, 1.0, share], np.float32)
    found = factor(LightMeter(dark_red, np.ones(SHAPE, bool)), dark_red * less)
    np.testing.assert_allclose(found[INNER], np.broadcast_to(less, (*SHAPE, 3))[INNER], rtol=0.06)


@pytest.mark.parametrize("veil", [0.01, 0.02, 0.05, 0.16, 0.3])
def test_a_veil_of_light_is_told_from_a_brighter_lamp(meter, print_light, veil):
    """A lamp that shines into the lens adds the same everywhere, also where pieces stand."""
    picture = np.asarray(print_light * lamp(), np.float32)
    picture[120:170, 140:200] = (0.02, 0.02, 0.5)
    light = measured(meter, picture + np.float32(veil))
    assert light.veil == pytest.approx(veil, abs=0.002)
    away = np.ones(SHAPE, bool)
    away[80:210, 100:240] = False
    found = spread(light.factor, SHAPE)[away]
    assert np.median(np.abs(found / lamp()[away] - 1)) < 0.02


def test_what_the_camera_cut_off_in_a_few_places_hides_no_veil(meter, print_light):
    picture = np.asarray(print_light * lamp(), np.float32) + np.float32(0.15)
    picture[100:115, 100:115] = 0.0
    picture[200:215, 60:80, 0] = 0.0
    assert measured(meter, picture).veil == pytest.approx(0.15, abs=0.005)


def test_a_veil_is_looked_for_from_above_where_it_is_lost_among_the_pieces_from_below(print_light, monkeypatch):
    print_light = print_light.copy()
    print_light[60:120, 60:120] = 0.01
    meter = LightMeter(print_light, np.ones(SHAPE, bool))
    step, first = meter._more_veil, [0.0]
    monkeypatch.setattr(meter, "_more_veil", lambda *cells: first.pop() if first else step(*cells))
    lifted = np.asarray(print_light + np.float32(0.2), np.float32)
    assert measured(meter, lifted).veil == pytest.approx(0.2, abs=0.005)


@pytest.mark.parametrize("lamp_gain", [2.0, 4.0, 6.0])
def test_what_a_lamp_has_burnt_out_is_not_all_veil(meter, print_light, lamp_gain):
    assert measured(meter, np.asarray(print_light * np.float32(lamp_gain), np.float32)).veil <= 0.4


@pytest.mark.parametrize("darkness", [0.02, 0.1])
def test_a_dark_board_in_the_light_it_was_taken_in_has_no_more_and_no_less_in_any_channel(print_light, darkness):
    """However much it is brightened before colours are compared; what is noise is so in both pictures."""
    dark = to_linear(from_linear(print_light * np.array([darkness, 2 * darkness, 4 * darkness], np.float32)))
    meter = LightMeter(dark, np.ones(SHAPE, bool), exposure=0.9 / float(dark.max()))
    np.testing.assert_allclose(factor(meter, dark), 1.0, rtol=1e-4)


def test_black_and_white_are_the_ends_of_lab():
    ends = to_lab(np.stack([np.zeros((9, 9, 3)), np.full((9, 9, 3), 1.7)]).reshape(18, 9, 3).astype(np.float32))
    assert ends[2, 4] == pytest.approx([0, 0, 0], abs=0.1)
    assert ends[-3, 4] == pytest.approx([100, 0, 0], abs=0.1)


@pytest.mark.parametrize("percent", [50.0, 97.0])
def test_a_percentile_of_light_is_that_of_the_brightest_channel(percent):
    picture = np.random.default_rng(5).integers(0, 256, (60, 70, 3), np.uint8)
    there = np.zeros((60, 70), bool)
    there[10:50, 20:60] = True
    brightest = to_linear(picture)[there].max(axis=1)
    for below, counted in ((math.inf, brightest), (0.6, brightest[brightest < 0.6])):
        found = percentile_light(picture, there, percent, below)
        assert found == pytest.approx(np.percentile(counted, percent), abs=0.012)  # a level of the picture
    assert percentile_light(np.full_like(picture, 250), there, percent, below=0.9) is None
