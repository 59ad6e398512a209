"""Views of the lens sheet: whether one is new, or the sheet held still, does not depend on how the camera is turned."""

import numpy as np
import pytest

from calibration.lens import SheetView
from calibration.lens_views import DUPLICATE_SHARE, HELD_SHARE, is_held, is_new

CORNERS = np.random.default_rng(1).uniform(100, 700, (20, 2))


def view(aside_px, size):
    return SheetView(CORNERS + np.array([aside_px, 0.0]), np.arange(len(CORNERS)), size)


@pytest.mark.parametrize("size", [(1536, 864), (864, 1536)], ids=["lying", "standing"])
def test_how_far_a_sheet_was_moved_counts_by_the_longer_side(size):
    before = view(0.0, size)
    assert is_held(view(0.9 * HELD_SHARE * 1536, size), before)
    assert not is_held(view(1.1 * HELD_SHARE * 1536, size), before)
    assert not is_new(view(0.9 * DUPLICATE_SHARE * 1536, size), [before])
    assert is_new(view(1.1 * DUPLICATE_SHARE * 1536, size), [before])
