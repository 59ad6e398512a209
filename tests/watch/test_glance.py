"""Pictures of a table that nobody touches are not read; the least thing that somebody does is."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from calibration.arrays import Image
from companion.watch.glance import AGAIN_S, READINGS, Glance
from hardware.simulated import SimulatedTable
from tests.simulated import simulated_table

FAR = 0.8
"""The farthest place of a camera shows the board so much smaller than this table's."""


@pytest.fixture
def table() -> SimulatedTable:
    return simulated_table(3)


def picture(table: SimulatedTable) -> Image:
    return np.asarray(cv2.resize(table.picture(), None, fx=FAR, fy=FAR, interpolation=cv2.INTER_AREA), np.uint8)


def quarters() -> Iterator[float]:
    """The clock at four pictures a second."""
    return itertools.count(100.0, 0.25)


def settled(table: SimulatedTable) -> tuple[Glance, Iterator[float]]:
    glance, clock = Glance(), quarters()
    while not glance.shows_the_same(picture(table), next(clock)):
        pass
    return glance, clock


def test_a_table_that_nobody_touches_is_read_until_several_pictures_agree_and_then_now_and_again(
    table: SimulatedTable,
) -> None:
    glance, clock = Glance(), quarters()
    read = [not glance.shows_the_same(picture(table), now) for now in itertools.islice(clock, 60)]
    assert read[:READINGS] == [True] * READINGS
    again = [n for n, was in enumerate(read) if was][READINGS - 1 :]
    assert {later - one for one, later in itertools.pairwise(again)} == {round(AGAIN_S / 0.25)}


@pytest.mark.parametrize("tile", ["beach", "forest", "mountain"])
@pytest.mark.parametrize("colour", ["red", "blue", "yellow", "green"])
def test_one_explorer_put_on_a_tile_is_read_at_once(table: SimulatedTable, tile: str, colour: str) -> None:
    table.put({"hexes": [{"hex": [1, 0], "tile": tile}]})
    glance, clock = settled(table)
    table.put({"hexes": [{"hex": [1, 0], "tile": tile, "explorers": {colour: 1}}]})
    assert not glance.shows_the_same(picture(table), next(clock))


@pytest.mark.parametrize("content", [{"sharks": 1}, {"whales": 1}, {"serpents": 1}, {"boat": {}}])
def test_whatever_comes_into_the_sea_is_read_at_once(table: SimulatedTable, content: dict[str, object]) -> None:
    table.put({})
    glance, clock = settled(table)
    table.put({"hexes": [{"hex": [-5, 0], **content}]})
    assert not glance.shows_the_same(picture(table), next(clock))


def test_a_hand_is_read_and_so_is_the_table_after_it(table: SimulatedTable) -> None:
    glance, clock = settled(table)
    table.hand((0.0, 0.0))
    assert not glance.shows_the_same(picture(table), next(clock))
    table.hand(None)
    after = [glance.shows_the_same(picture(table), next(clock)) for _ in range(READINGS + 1)]
    assert after == [False] * READINGS + [True]


def test_bands_of_light_that_a_lamp_sends_over_whole_rows_are_no_change(table: SimulatedTable) -> None:
    glance, clock = settled(table)
    shown = picture(table).astype(np.int16)
    bands = (8 * np.sin(np.arange(shown.shape[0]) / 40)).astype(np.int16)[:, None, None]
    assert glance.shows_the_same(np.clip(shown + bands, 0, 255).astype(np.uint8), next(clock))


def test_a_picture_of_another_size_is_read(table: SimulatedTable) -> None:
    glance, clock = settled(table)
    assert not glance.shows_the_same(table.picture(), next(clock))
