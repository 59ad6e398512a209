"""The bars of the recognition set, over its hand-free pictures, where the set is at hand."""

import json
from pathlib import Path

import pytest

from bench.vision.results import measure
from bench.vision.sets import read_sessions, shared_folder

BARS = {
    "terrain": 0.999,
    "explorers_count_and_colour": 0.985,
    "boats_presence": 0.99,
    "boats_passengers": 0.985,
    "creatures": 0.975,
}

SET = shared_folder()


@pytest.mark.skipif(SET is None, reason="the recognition set is not here: ../shared/vision, or ATLANTIS_SHARED=DIR")
def test_the_recognition_set_is_read_as_well_as_it_has_to_be(tmp_path: Path):
    *_, results = measure(read_sessions(SET / "dev"), SET / "score.py", tmp_path)
    assert not list(results.failures())
    total = results.scorer.summary(r.score for r in results.readings)
    assert {k: total[k] for k, bar in BARS.items() if total[k] < bar} == {}, json.dumps(total, indent=1)
