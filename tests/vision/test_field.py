"""Hexes lie where the calibration's board has them."""

import msgspec
import numpy as np
import pytest

from companion.rules.geometry import load_board
from companion.vision.field import Field

BOARD = load_board()


def test_a_smaller_print_has_its_hexes_nearer_together(table_calibration):
    smaller = msgspec.structs.replace(table_calibration.board, board=(459.0, 405.0), hex_flat_to_flat=34.2)
    usual = Field(BOARD, table_calibration)
    field = Field(BOARD, msgspec.structs.replace(table_calibration, board=smaller))
    assert field.centres == pytest.approx(0.9 * usual.centres)
    assert np.ptp(field.outline((3, 1), 0.0), axis=0) == pytest.approx(0.9 * np.ptp(usual.outline((3, 1), 0.0), axis=0))
    assert field.board.hexes == BOARD.hexes


def test_the_middle_of_a_hex_is_what_lies_that_far_within_its_edges(table_calibration):
    field = Field(BOARD, table_calibration)
    points = field.view.grid_mm().reshape(-1, 2)
    across = np.deg2rad([0.0, 60.0, 120.0])
    offset = (points - BOARD.centre_mm((3, 1))) @ np.array([np.cos(across), np.sin(across)])
    depth = field.inner - np.abs(offset).max(axis=1)
    middle = field.middle((3, 1), 5.0)
    assert np.isin(np.flatnonzero(depth > 6.0), middle).all()
    assert (depth[middle] > 4.0).all()
    assert set(field.middle((3, 1), 0.0)) == set(field.pixels((3, 1)))
