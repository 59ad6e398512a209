"""All rows are worked on once, whoever does it, and what fails is told."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from cameras import TILTED

from calibration.bands import BANDS, in_bands
from calibration.light import to_lab
from calibration.print import BoardPrint
from calibration.view import Rectifier, board_view


@pytest.fixture(scope="module")
def workers():
    with ThreadPoolExecutor(BANDS) as threads:
        yield threads


@pytest.mark.parametrize("rows", [0, 1, 5, 622])
def test_each_row_is_in_one_band(workers, rows):
    for some, bands in ((workers, BANDS), (None, 1)):
        done: list[slice] = []
        in_bands(rows, done.append, some)
        assert len(done) == bands
        assert sorted(row for band in done for row in range(rows)[band]) == list(range(rows))


def test_what_fails_in_a_band_is_told(workers):
    def fails(rows: slice) -> None:
        if rows.stop == 10:
            raise MemoryError("no room for the last band")

    with pytest.raises(MemoryError, match="no room for the last band"):
        in_bands(10, fails, workers)


def test_colours_are_the_same_to_the_bit_across_the_bands_edges(workers):
    rng = np.random.default_rng(3)
    linear = rng.random((101, 67, 3), np.float32)
    factor = rng.uniform(0.5, 1.5, linear.shape).astype(np.float32)
    np.testing.assert_array_equal(to_lab(linear, factor, workers), to_lab(linear * factor))


def test_the_view_is_the_same_by_bands(workers):
    width, height = TILTED.image_size
    picture = np.random.default_rng(4).integers(0, 256, (height, width, 3), np.uint8)
    view = board_view(BoardPrint())
    np.testing.assert_array_equal(Rectifier(TILTED, view, workers)(picture), Rectifier(TILTED, view)(picture))
