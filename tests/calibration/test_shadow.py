"""Somebody's shadow is light of another colour that is missing in a part of the board; what is dark is none."""

import cv2
import numpy as np
import pytest
from lights import from_linear

from calibration.cells import spread
from calibration.light import LightMeter, to_linear
from calibration.reflection import Surface
from calibration.shadow import ShadowMeter

SHAPE = (500, 560)
ALL = np.ones(SHAPE, bool)
LEFT = np.array([0.3, 0.2, 0.15], np.float32)
"""What a warm lamp leaves in its shadow: blue."""


@pytest.fixture(scope="module")
def sea():
    """A blue print with patches of 7 px, as clouds, lines and waves are."""
    rng = np.random.default_rng(4)
    patches = rng.uniform(0.6, 1.4, (72, 80, 1)).astype(np.float32) * np.array([0.5, 0.3, 0.2], np.float32)
    return np.ascontiguousarray(np.kron(patches, np.ones((7, 7, 1), np.float32))[: SHAPE[0], : SHAPE[1]])


@pytest.fixture(scope="module")
def meter(sea):
    return LightMeter(sea, ALL)


def cast(left=LEFT, middle=(240, 280), wide=90, blur=25):
    """H x W x 3: the share of the light that a head leaves."""
    inside = np.zeros(SHAPE, np.float32)
    cv2.circle(inside, middle[::-1], wide, 1.0, -1)
    shadow = cv2.GaussianBlur(inside, (0, 0), blur)[..., None]
    return np.asarray(1 - shadow + shadow * left, np.float32)


def measured(meter, light):
    picture = from_linear(light)
    return meter.measure(picture, to_linear(picture))


def off(light, truth):
    """H x W: how far the worst channel of a factor is off."""
    return np.abs(np.log(spread(light.factor, SHAPE) / truth)).max(axis=2)


@pytest.mark.parametrize("lamp", [1.0, 0.6])
def test_the_light_and_its_colour_are_known_in_a_shadow(meter, sea, lamp, monkeypatch):
    shadow = lamp * cast()
    deep = shadow[..., 0] < 0.5 * lamp
    light = measured(meter, sea * shadow)
    assert np.quantile(off(light, shadow), 0.99) < 0.15
    assert np.median(off(light, shadow)[deep]) < 0.1
    monkeypatch.setattr(ShadowMeter, "measure", lambda *_: None)
    assert np.median(off(measured(meter, sea * shadow), shadow)[deep]) > 0.5


@pytest.mark.parametrize("colour", [(0.05, 0.04, 0.03), (0.4, 0.02, 0.02)])
@pytest.mark.parametrize(("y", "x"), [(240, 280), (300, 200)])
def test_pieces_in_a_shadow_do_not_change_the_light_on_them(meter, sea, colour, y, x):
    """Black and blue, in its middle and at its rim."""
    picture, shadow, piece = sea.copy(), cast(), (slice(y - 12, y + 12), slice(x - 20, x + 20))
    picture[piece] = colour
    assert off(measured(meter, picture * shadow), shadow)[piece].max() < 0.22


def test_a_shadow_only_takes_light(meter, sea):
    """Even of a lamp that has hardly any of one colour, beside others that have more of it than before."""
    found = measured(meter, sea * cast(np.array([1.1, 0.15, 0.1], np.float32)))
    assert found.shadow.max() <= 0
    assert found.shadow.min() < -1


@pytest.mark.parametrize("colour", [(0.02, 0.02, 0.02), (0.125, 0.075, 0.05), (0.02, 0.01, 0.2)])
def test_a_sleeve_is_no_shadow(meter, sea, colour):
    """Black, of the sea's own colours in a quarter of the light, and red."""
    picture = sea.copy()
    picture[150:, 200:330] = colour
    assert measured(meter, picture).shadow is None


def test_black_pieces_are_no_shadow(meter, sea):
    picture = sea.copy()
    for y in range(100, 400, 28):
        for x in range(100, 400, 46):
            picture[y : y + 22, x : x + 40] = (0.02, 0.02, 0.03)
    assert measured(meter, picture).shadow is None


def test_the_small_shadows_of_pieces_are_none(meter, sea):
    shadows = [cast(middle=(100 + 60 * i, 120 + 70 * i), wide=11, blur=2) for i in range(5)]
    assert measured(meter, sea * np.prod(shadows, axis=0)).shadow is None


def test_a_little_less_light_in_a_part_of_the_board_is_none(meter, sea):
    assert measured(meter, sea * cast(np.array([0.85, 0.8, 0.78], np.float32))).shadow is None
    assert measured(meter, sea).shadow is None


def test_tiles_tell_the_shadow_over_an_island_that_covers_the_print(sea):
    """Some look in it as others do beside it."""
    island = np.zeros(SHAPE, bool)
    island[120:380, 140:420] = True
    kinds = np.array([[0.2, 0.6, 0.8], [0.1, 0.25, 0.1], [0.06, 0.12, 0.12]], np.float32)
    tiles = tuple(Surface(np.append(kind, 0.9 * kind.min()), 1e-4 * np.eye(4, dtype=np.float32)) for kind in kinds)
    laid = np.kron(np.random.default_rng(2).integers(0, 3, (13, 14)), np.ones((40, 40), int))[: SHAPE[0], : SHAPE[1]]
    picture = np.where(island[..., None], kinds[laid], sea)
    shadow = cast(middle=(240, 190), wide=110)
    there = island & (shadow[..., 0] < 0.8)
    found, without = (
        off(measured(meter, picture * shadow), shadow)[there]
        for meter in (LightMeter(sea, ALL, tiles=tiles, island=island), LightMeter(sea, ALL))
    )
    assert np.median(found) < 0.15
    assert np.quantile(found, 0.95) < 0.3
    assert np.median(without) > 0.5


def test_a_reflection_beside_a_shadow_leaves_it_there(sea):
    meter = LightMeter(sea, ALL)
    shadow = cast(middle=(200, 180))
    lamp = np.zeros((*SHAPE, 1), np.float32)
    cv2.circle(lamp, (430, 380), 60, 0.25, -1)
    light = measured(meter, sea * shadow + cv2.GaussianBlur(lamp, (0, 0), 15)[..., None])
    assert meter.may_be_mirrored(light)
    found = meter.find_mirrored(light, SHAPE)
    assert found.mirrored[380, 430] > 0.15
    assert found.mirrored[200, 180] < 0.02
    assert found.shadow[20, 18].max() < -0.8
    assert np.median(off(found, shadow)[shadow[..., 0] < 0.5]) < 0.08
