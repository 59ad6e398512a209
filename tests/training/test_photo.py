"""What a camera makes of light: as bright, as colourful and as noisy as it is told to be."""

import dataclasses

import numpy as np
import pytest

from training.photo import Sensor, develop

PLAIN = Sensor(blur=0.3, vignette=0.0, shot=0.0, read=0.0, contrast=0.0, saturation=1.0, sharpen=0.0, quality=100)
EVEN = np.ones(3)
SIZE = (90, 160)


def flat(*rgb):
    return np.full((*SIZE, 3), rgb, np.float32)


def taken(light, gains=EVEN, **how):
    """Its mean colour, BGR, and the picture."""
    picture = develop(light, gains, dataclasses.replace(PLAIN, **how), np.random.default_rng(3))
    return picture.reshape(-1, 3).mean(axis=0), picture.astype(float)


@pytest.mark.parametrize("level", [0.0, 0.02, 0.2, 0.6, 1.0, 3.0])
def test_light_is_toned_and_cut_off_at_white(level):
    mean, _ = taken(flat(level, level, level))
    assert mean == pytest.approx([255 * min(level, 1.0) ** (1 / 2.2)] * 3, abs=1.0)


def test_channels_come_out_as_blue_green_red_with_their_gains():
    mean, _ = taken(flat(0.5, 0.2, 0.1), np.array([1.0, 2.0, 1.0]))
    assert mean == pytest.approx([255 * v ** (1 / 2.2) for v in (0.1, 0.4, 0.5)], abs=1.5)


def test_saturation_leaves_greys_and_draws_colours_apart():
    grey, _ = taken(flat(0.3, 0.3, 0.3), saturation=1.25)
    assert np.ptp(grey) < 1.0
    spreads = [np.ptp(taken(flat(0.4, 0.3, 0.2), saturation=s)[0]) for s in (0.85, 1.0, 1.25)]
    assert spreads == sorted(spreads)
    assert spreads[2] - spreads[0] > 10


def test_contrast_darkens_what_is_dark_and_leaves_black_middle_and_white():
    middle = 0.5**2.2
    for level, sign in ((0.0, 0), (0.05, -1), (middle, 0), (0.6, 1), (1.0, 0)):
        less, more = (taken(flat(level, level, level), contrast=c)[0].mean() for c in (0.0, 0.6))
        assert np.sign(round(more - less)) == sign


def test_noise_grows_with_the_light_and_corners_get_less_of_it():
    _, dark = taken(flat(0.2, 0.2, 0.2), read=0.004)
    _, bright = taken(flat(0.2, 0.2, 0.2), read=0.004, shot=0.014)
    assert 0.2 < dark.std() < bright.std()
    _, picture = taken(flat(0.4, 0.4, 0.4), vignette=0.45)
    assert picture[0, 0].mean() < picture[45, 0].mean() < picture[45, 80].mean()


def test_edges_are_drawn_sharper():
    light = flat(0.2, 0.2, 0.2)
    light[:, 80:] = 0.5
    steps = [np.abs(np.diff(taken(light, sharpen=s)[1][45, :, 1])).max() for s in (0.0, 0.9)]
    assert steps[1] > 1.2 * steps[0]


def test_the_same_generator_gives_the_same_picture():
    one, other = (taken(flat(0.3, 0.4, 0.5), shot=0.01, read=0.002)[1] for _ in range(2))
    assert np.array_equal(one, other)
