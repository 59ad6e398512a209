"""The bars of the recognition set, over its hand-free pictures, where the set is at hand."""

import json
from pathlib import Path

import pytest

from bench.vision import CHECKED_ON, DEVELOPED_ON, recognise_all, score, shared_folder

BARS = {"terrain": 0.99, "explorers_count_and_colour": 0.90, "boats_presence": 0.90}


@pytest.mark.skipif(
    shared_folder() is None, reason="the recognition set is not here: ../shared/vision, or ATLANTIS_SHARED=DIR"
)
def test_the_recognition_set_is_read_as_well_as_it_has_to_be(tmp_path: Path):
    recognise_all((*DEVELOPED_ON, *CHECKED_ON), tmp_path)
    total = score((*DEVELOPED_ON, *CHECKED_ON), tmp_path)
    assert {k: total[k] for k, bar in BARS.items() if total[k] < bar} == {}, json.dumps(total, indent=1)
