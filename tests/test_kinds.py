"""What is in the box stands in `calibration` and in the rules, as neither may know the other: both say the same."""

from __future__ import annotations

from typing import get_args

from calibration import swatch
from companion.rules import layout, pieces
from companion.vision import readings


def test_colours_and_terrains_are_the_same_and_in_the_same_order() -> None:
    assert swatch.COLOURS == layout.COLOURS == get_args(layout.Colour)
    assert swatch.TERRAINS == layout.TERRAINS == get_args(layout.Terrain)


def test_creatures_of_the_swatch_layout_are_creatures_of_the_game() -> None:
    assert set(swatch.CREATURES) <= set(layout.CREATURES)


def test_as_many_sit_in_a_boat() -> None:
    assert swatch.MAX_CREW == readings.PASSENGERS == pieces.BOAT_CAPACITY
