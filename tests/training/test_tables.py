"""Paints like something on the tiles."""

from __future__ import annotations

import colorsys

import numpy as np

from training.tables import blending, make_look

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
        changed = blending(np.random.default_rng(seed), look, faces(FLOWERS))
        assert {name for name in look.paints if look.paints[name] != changed.paints[name]} == {"yellow"}
        hue, saturation, value = colorsys.rgb_to_hsv(*srgb(changed.paints["yellow"].colour))
        assert abs(hue - wanted[0]) < 12 / 360
        assert abs(saturation - wanted[1]) < 0.25
        assert abs(value - wanted[2]) < 0.3


def test_grey_tiles_change_nothing():
    look = make_look(np.random.default_rng(3))
    assert blending(np.random.default_rng(0), look, faces()) == look
