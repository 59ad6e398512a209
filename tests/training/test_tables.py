"""Paints like something on the tiles, or like the sea; cameras with more pixels."""

from __future__ import annotations

import colorsys
import json

import numpy as np
import pytest

from hardware.simulated.plan import BoardPlan
from training.layouts import BOARD_FILE
from training.tables import PICTURE_SIZE, blending, like_lands, like_sea, like_tiles, make_look, make_table

FLOWERS = (30, 190, 230)
"""BGR: yellow."""


def faces(*dots: tuple[int, int, int]):
    rng = np.random.default_rng(1)
    face = np.full((220, 220, 3), (120, 120, 120), np.uint8)
    for dot in dots:
        face[rng.random((220, 220)) < 0.2] = dot
    return {terrain: [face] for terrain in ("beach", "forest", "mountain")}


def srgb(colour):
    return tuple(12.92 * c if c <= 0.0031308 else 1.055 * c ** (1 / 2.4) - 0.055 for c in colour)


def test_one_paint_becomes_like_what_is_on_the_tiles():
    look = make_look(np.random.default_rng(3))
    wanted = colorsys.rgb_to_hsv(*(c / 255 for c in FLOWERS[::-1]))
    for seed in range(5):
        changed = like_tiles(np.random.default_rng(seed), look, faces(FLOWERS))
        assert {name for name in look.paints if look.paints[name] != changed.paints[name]} == {"yellow"}
        hue, saturation, value = colorsys.rgb_to_hsv(*srgb(changed.paints["yellow"].colour))
        assert abs(hue - wanted[0]) < 12 / 360
        assert abs(saturation - wanted[1]) < 0.25
        assert abs(value - wanted[2]) < 0.3


def test_grey_tiles_change_nothing():
    look = make_look(np.random.default_rng(3))
    assert like_tiles(np.random.default_rng(0), look, faces()) == look


def test_one_paint_becomes_like_the_woods_of_the_safe_lands():
    look = make_look(np.random.default_rng(3))
    woods = np.full((40, 160, 3), (40, 90, 30), np.uint8)  # BGR
    changed = like_lands(np.random.default_rng(0), look, woods)
    assert {name for name in look.paints if look.paints[name] != changed.paints[name]} == {"green"}
    red, green, blue = srgb(changed.paints["green"].colour)
    assert (red, green, blue) == pytest.approx((30 / 255, 90 / 255, 40 / 255), abs=0.15)
    assert like_lands(np.random.default_rng(0), look, np.full_like(woods, 120)) == look


def test_the_paint_that_is_nearest_to_the_seas_hue_becomes_like_it():
    look = make_look(np.random.default_rng(3))
    for sea, name in (((150, 40, 90), "blue"), ((110, 160, 40), "green")):  # violet, sea green
        wanted = colorsys.rgb_to_hsv(*(c / 255 for c in sea[::-1]))
        with_creatures = 0
        for seed in range(8):
            changed = like_sea(np.random.default_rng(seed), look, np.full((40, 90, 3), sea, np.uint8))
            others = {name for name in look.paints if look.paints[name] != changed.paints[name]} - {name}
            assert len(others) < 2
            assert others <= {"serpent", "shark", "whale"}
            with_creatures += len(others)
            hue, saturation, value = colorsys.rgb_to_hsv(*srgb(changed.paints[name].colour))
            assert abs(hue - wanted[0]) < 30 / 360
            assert abs(saturation - wanted[1]) < 0.45
            assert 0.65 < value / wanted[2] < 1.4
        assert 0 < with_creatures < 8


def test_tables_are_of_both_kinds():
    look = make_look(np.random.default_rng(3))
    violet = np.full((40, 90, 3), (150, 40, 90), np.uint8)
    changed = [blending(np.random.default_rng(seed), look, faces(FLOWERS), violet) for seed in range(12)]
    assert any(c.paints["yellow"] != look.paints["yellow"] for c in changed)
    assert any(c.paints["blue"] != look.paints["blue"] for c in changed)


def test_a_camera_with_more_pixels_sees_the_same_table():
    cards = BoardPlan.from_json(json.loads(BOARD_FILE.read_text())).card_corners()
    for seed in range(3):
        (look, view), (same, large) = (make_table(np.random.default_rng(seed), cards, scale) for scale in (1, 2))
        assert look == same
        assert view.size == PICTURE_SIZE
        assert large.size == tuple(2 * side for side in PICTURE_SIZE)
        np.testing.assert_allclose(large.eye, view.eye, atol=0.5)
        np.testing.assert_allclose((large.project(cards) + 0.5) / 2 - 0.5, view.project(cards), atol=0.5)
