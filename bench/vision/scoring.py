"""The recognition set's own `score.py` over any group of frames; shares with their 95 % confidence intervals.

In: truth files and the layouts that were written. Out: a `Score` a frame, that can be added up; rows of figures.
"""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from bench.vision.sets import Frame

Z = 1.959964
"""Standard normal quantile of a two-sided 95 % interval."""


class Row(NamedTuple):
    """A figure: its name, its key in `score.py`'s summary, the sums that it is the ratio of, the bar to reach."""

    label: str
    key: str
    right: str
    total: str
    bar: float | None = None


ROWS = (
    Row("occupied hexes exact", "hex_exact_occupied_or_predicted", "occ_right", "occ", 0.999),
    Row("boards exact", "boards_exact", "boards_exact", "boards", 0.95),
    Row("terrain", "terrain", "terrain_right", "terrain", 0.9995),
    Row("explorers", "explorers_count_and_colour", "explorers_right", "explorers", 0.995),
    Row("boats", "boats_presence", "boats_right", "boats", 0.995),
    Row("passengers", "boats_passengers", "passengers_right", "passengers", 0.995),
    Row("creatures", "creatures", "creatures_right", "creatures", 0.995),
    Row("safe lands", "safe_lands", "safe_right", "safe"),
    Row("all hexes exact", "hex_exact_all", "hexes_right", "hexes"),
)


class Share(NamedTuple):
    """So many right of so many."""

    right: int
    total: int

    @property
    def value(self) -> float:
        """The share; NaN of nothing."""
        return self.right / self.total if self.total else math.nan

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's score interval (1927): right for small counts and shares near 1, where others claim too much."""
        if not self.total:
            return 0.0, 1.0
        n, p, z2 = self.total, self.value, Z * Z
        middle = (p + z2 / (2 * n)) / (1 + z2 / n)
        half = Z * math.sqrt(p * (1 - p) / n + z2 / (4 * n * n)) / (1 + z2 / n)
        return max(0.0, middle - half), min(1.0, middle + half)


HAND_ROWS = (
    Row("hexes in sight beside a hand", "hand_visible_wrong_claims", "hand_seen_wrong", "hand_seen", 1.0),
    Row("hexes under a hand", "hand_hidden_wrong_claims", "hand_hidden_wrong", "hand_hidden", 1.0),
    Row("safe lands beside a hand", "hand_safe_lands_wrong", "hand_safe_wrong", "hand_safe", 1.0),
)
"""Of frames with a hand: here `right` counts the wrong claims, of which there may be none; unknown is none."""


class Score(NamedTuple):
    """`score.py`'s sums, and the wrong claims: [place, truth, claim, what kind of frame]."""

    sums: dict[str, int]
    wrong: list[list[Any]]


class Scorer:
    """The set's `score.py`."""

    def __init__(self, file: Path) -> None:
        self._module = _load(file)

    def score(self, frame: Frame, out: Path) -> Score:
        """Of one frame; one without a layout in `out` counts as all wrong."""
        sums = dict.fromkeys(self._module.FIELDS, 0)
        wrong: list[list[Any]] = []
        file = out / frame.session / f"{frame.name}.json"
        self._module.score_frame(frame.truth_file, file, sums, wrong)
        if frame.hand:
            lands = self._lands_beside_a_hand(frame.truth_file, file)
            assert len(lands) == sums["hand_safe_wrong"] or not file.is_file()
            wrong.extend(lands)
        return Score(sums, wrong)

    def _lands_beside_a_hand(self, truth_file: Path, file: Path) -> list[list[Any]]:
        """The wrong safe lands of a frame with a hand: `score.py` counts these, but does not name them."""
        if not file.is_file():
            return []
        _, truth, _, about = self._module.read(truth_file)
        _, claim, _, _ = self._module.read(file)
        open_lands = [land for land in self._module.LANDS if land not in (about.get("occluded_safe") or [])]
        return [
            [land, dict(truth.get(land, ())), dict(claim.get(land, ())), "hand_safe"]
            for land in open_lands
            if truth.get(land, ()) != claim.get(land, ())
        ]

    def add(self, scores: Iterable[Score]) -> dict[str, int]:
        """The sums of a group."""
        total = dict.fromkeys(self._module.FIELDS, 0)
        for score in scores:
            for field, count in score.sums.items():
                total[field] += count
        return total

    def summary(self, scores: Iterable[Score]) -> dict[str, Any]:
        """What `score.py` prints for a group."""
        return dict(self._module.summary(self.add(scores)))

    def shares(self, scores: Sequence[Score], rows: Sequence[Row] = ROWS) -> list[Share]:
        """The figures of a group, hand-free frames only, as `score.py` has them."""
        sums, summary = self.add(scores), self.summary(scores)
        shares = [Share(sums[row.right], sums[row.total]) for row in rows]
        for row, share in zip(rows, shares, strict=True):
            told = summary[row.key]
            assert math.isnan(share.value) if told is None else math.isclose(told, share.value), row
        return shares

    def hand_shares(self, scores: Sequence[Score]) -> list[Share]:
        """What was not claimed wrongly in a group's frames with a hand, in the order of `HAND_ROWS`."""
        sums = self.add(scores)
        return [Share(sums[row.total] - sums[row.right], sums[row.total]) for row in HAND_ROWS]

    def content(self, path: Path) -> tuple[dict[tuple[int, int], Any], frozenset[tuple[int, int]]]:
        """What a layout says of each hex that holds something, and which it calls unknown; nothing without a file."""
        if not path.is_file():
            return {}, frozenset()
        hexes, _, unknown, _ = self._module.read(path)
        return hexes, frozenset(unknown)


def _load(file: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("vision_score", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
