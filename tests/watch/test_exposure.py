"""A camera that holds its exposure measures anew when the light is quite another, and not for a hand or a cloud."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from calibration.arrays import Image
from companion.watch.exposure import AGAIN_S, FOR_S, Exposure

LONG = 10 * AGAIN_S


def picture(level: int, arm: float = 0.0) -> Image:
    """All of one brightness (of 255), with an arm over so large a share of it."""
    image = np.full((90, 160, 3), level, np.uint8)
    image[:, : round(160 * arm)] = 10
    return image


class Table:
    """Looked at four times a second."""

    def __init__(self, level: int) -> None:
        self._exposure = Exposure()
        self._clock = itertools.count(100.0, 0.25)
        self.shows(picture(level), LONG)

    def shows(self, image: Image, seconds: float) -> list[float]:
        """After how many seconds the camera was told to settle."""
        times = list(itertools.islice(self._clock, round(seconds * 4)))
        return [now - times[0] for now in times if self._exposure.is_off(image, now)]


@pytest.mark.parametrize(("before", "after"), [(8, 120), (120, 200), (120, 30), (120, 255)])
def test_a_lamp_that_is_lit_or_put_out_is_settled_to_once(before: int, after: int) -> None:
    assert Table(before).shows(picture(after), LONG) == [FOR_S]


@pytest.mark.parametrize(("before", "after"), [(120, 100), (120, 150), (3, 9)])
def test_a_cloud_or_a_darker_night_is_not_settled_to(before: int, after: int) -> None:
    assert Table(before).shows(picture(after), LONG) == []


def test_somebody_who_leans_over_the_table_is_gone_in_time() -> None:
    table = Table(120)
    for _ in range(20):
        assert table.shows(picture(120, arm=0.9), FOR_S - 0.5) == []
        assert table.shows(picture(120), 0.5) == []


def test_an_arm_that_stays_leaves_half_of_the_picture_as_it_was() -> None:
    assert Table(120).shows(picture(120, arm=0.45), LONG) == []


def test_light_that_goes_up_and_down_is_not_settled_to_all_the_time() -> None:
    table = Table(120)
    first = table.shows(picture(30), FOR_S + 1.0)
    assert first == [FOR_S]
    then = table.shows(picture(200), LONG)
    assert len(then) == 1
    assert then[0] >= AGAIN_S - 2.0
