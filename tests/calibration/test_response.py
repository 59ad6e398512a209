"""Another tone curve and other colours are told from another lamp, and undone; a picture in its own is left alone."""

import numpy as np
import pytest
from lights import from_linear

from calibration.cells import spread
from calibration.light import LightMeter, to_linear
from calibration.response import WAVES, Response

SHAPE = (300, 340)
LEVELS = np.arange(256) / 255


@pytest.fixture(scope="module")
def print_light():
    """Patches of a sea and of sand, dark and bright ones, as the print has them."""
    rng = np.random.default_rng(3)
    sea, sand = np.array([0.4, 0.15, 0.04]), np.array([0.12, 0.4, 0.6])
    share = rng.uniform(0, 1, (15, 17, 1)) ** 2
    patches = ((1 - share) * sea + share * sand) * rng.uniform(0.5, 1.2, (15, 17, 1))
    return np.kron(patches, np.ones((20, 20, 1))).astype(np.float32)


def lit(print_light):
    """By another lamp, from one side; a piece and a tile lie on it."""
    x = np.linspace(-1, 1, SHAPE[1], dtype=np.float32)
    light = print_light * (0.9 + 0.2 * x)[None, :, None] * np.array([0.8, 0.95, 1.0], np.float32)
    light[120:170, 140:200] = (0.02, 0.02, 0.5)
    light[40:90, 200:260] = (0.05, 0.3, 0.1)
    return light


@pytest.fixture(scope="module")
def meter(print_light):
    return LightMeter(print_light, np.ones(SHAPE, bool))


def contrast(picture):
    bent = LEVELS - 0.3 * np.sin(2 * np.pi * LEVELS) / (2 * np.pi)
    return np.round(255 * bent).astype(np.uint8)[picture]


def paler(picture):
    """Three quarters of the saturation."""
    light = to_linear(picture)
    grey = light @ np.array([0.0722, 0.7152, 0.2126], np.float32)
    return from_linear(0.75 * light + 0.25 * grey[..., None])


@pytest.mark.parametrize("change", [contrast, paler, lambda picture: contrast(paler(picture))])
def test_what_another_camera_response_made_of_a_picture_is_undone(print_light, meter, change):
    plain = from_linear(lit(print_light))
    changed = change(plain)
    before, after = (meter.measure(picture, to_linear(picture)) for picture in (plain, changed))
    assert before.response is None
    assert after.response is not None

    def reference_light(picture, light):
        return light.without(picture, to_linear(picture)) / spread(light.factor, SHAPE)

    expected, found = reference_light(plain, before), reference_light(changed, after)
    worst_before = np.abs(to_linear(changed) / spread(before.factor, SHAPE) - expected).mean(axis=2)
    off = np.abs(found - expected).mean(axis=2)
    assert np.median(off) < 0.3 * np.median(worst_before)
    assert off[125:165, 145:195].mean() < worst_before[125:165, 145:195].mean()  # the piece's paint, too


def test_a_response_that_changes_nothing_changes_nothing():
    picture = np.random.default_rng(1).integers(0, 256, (20, 30, 3), np.uint8)
    same = Response(np.zeros(len(WAVES)), np.eye(3, dtype=np.float32))
    np.testing.assert_allclose(same.undo(picture), to_linear(picture), atol=1e-6)


@pytest.mark.parametrize("level", [0, 128, 255])
def test_a_plain_picture_of_a_plain_board_has_no_response(level):
    """Nothing can be told: neither is there an error nor a guess."""
    plain = np.full((*SHAPE, 3), level, np.uint8)
    meter = LightMeter(to_linear(np.full_like(plain, 120)), np.ones(SHAPE, bool))
    assert meter.measure(plain, to_linear(plain)).response is None


def test_black_and_white_stay(print_light, meter):
    changed = contrast(from_linear(lit(print_light)))
    response = meter.measure(changed, to_linear(changed)).response
    ends = np.array([[[0, 0, 0], [255, 255, 255]]], np.uint8)
    undone = Response(response.tone, np.eye(3, dtype=np.float32)).undo(ends)
    np.testing.assert_allclose(undone, ends / 255, atol=1e-6)


def test_a_curve_that_turns_round_is_none(print_light, meter, monkeypatch):
    """Whatever lies where the print should be: no camera shows less where there is more light."""
    levels = from_linear(lit(print_light)) / 255
    folded = np.round(255 * np.abs(np.sin(2.5 * np.pi * levels / 2))).astype(np.uint8)
    monkeypatch.setattr("calibration.response.PRIOR", np.eye(9) * 1e-3)  # so that nothing else holds it back
    monkeypatch.setattr("calibration.response.EXPLAINED", np.inf)
    monkeypatch.setattr("calibration.response.SUSPECTED", 0.0)
    assert meter.measure(folded, to_linear(folded)).response is None
