"""The figures as one picture: accuracy by condition, by kind, the probabilities, the time by step."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bench.vision.kinds import count_kinds
from bench.vision.reliability import bins, expected_calibration_error
from bench.vision.results import CONDITIONS, Results
from bench.vision.scoring import ROWS, Share

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_BLUE, _ORANGE, _GREY = "#1f6fb2", "#c8641b", "#8a8a8a"


def draw(results: Results, file: Path) -> None:
    """Write a PNG."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(2, 2, figsize=(15, 13), layout="constrained")
    _conditions(axes[0][0], results)
    _kinds(axes[0][1], results)
    _reliability(axes[1][0], results)
    _times(axes[1][1], results)
    free = sum(not r.frame.hand for r in results.readings)
    figure.suptitle(f"{len(results.sessions)} sessions, {free} pictures without a hand; bars are 95 % intervals")
    figure.savefig(file, dpi=90, metadata={"Software": None})
    plt.close(figure)


def _conditions(axes: Axes, results: Results) -> None:
    labels, shares = [], []
    groups = {("all", "all sessions"): results.readings}
    groups |= {("session", name): group for name, group in results.by_session().items()}
    groups |= {(c, v): group for c in CONDITIONS if c != "hand" for v, group in results.groups(c).items()}
    for (_, value), group in groups.items():
        free = [r.score for r in group if not r.frame.hand]
        if free:
            labels.append(value)
            shares.append(results.scorer.shares(free, ROWS[:1])[0])
    _dots(axes, labels, shares, _BLUE)
    axes.axvline(100 * (ROWS[0].bar or 1), color=_GREY, linestyle=":", label="bar")
    axes.set(title="Occupied hexes read exactly, by session and condition", xlabel="% right")
    axes.legend()


def _kinds(axes: Axes, results: Results) -> None:
    found = count_kinds(results.scorer, (r.frame for r in results.readings), results.out)
    names = [k.name for k in found]
    _dots(axes, names, [k.found for k in found], _BLUE, shift=-0.15, name="found (recall)")
    _dots(axes, names, [k.true for k in found], _ORANGE, shift=0.15, name="claims true (precision)")
    axes.set(title="By kind", xlabel="%")
    axes.legend()


def _dots(
    axes: Axes,
    labels: Sequence[str],
    shares: Sequence[Share],
    colour: str,
    *,
    shift: float = 0.0,
    name: str | None = None,
) -> None:
    """A dot with its interval for each line."""
    values = np.array([100 * s.value for s in shares])
    ends = 100 * np.array([s.interval for s in shares]).reshape(-1, 2)
    reach = np.maximum(np.abs(np.stack([values - ends[:, 0], ends[:, 1] - values])), 0.0)
    rows = np.arange(len(labels))
    axes.errorbar(values, rows + shift, xerr=reach, fmt="o", color=colour, capsize=3, markersize=5, label=name)
    axes.set_yticks(rows, labels)
    axes.set_ylim(len(labels) - 0.5, -0.5)
    axes.grid(axis="x", alpha=0.3)


def _reliability(axes: Axes, results: Results) -> None:
    """Bins of unequal width side by side: nearly all claims lie next to certainty."""
    used = bins(results.claims())
    rows = np.arange(len(used))
    ends = np.array([b.share.interval for b in used]).reshape(-1, 2)
    values = np.array([b.share.value for b in used])
    reach = np.abs(np.stack([values - ends[:, 0], ends[:, 1] - values]))
    axes.errorbar(rows, 100 * values, yerr=100 * reach, fmt="o", color=_BLUE, capsize=3, label="right")
    axes.plot(rows, [100 * b.claimed for b in used], "_", color=_ORANGE, markersize=22, label="claimed, mean")
    axes.set_xticks(rows, [f"{100 * b.low:g} to {100 * b.high:g}\nn = {b.share.total}" for b in used])
    error = expected_calibration_error(used)
    told = "" if math.isnan(error) else f" (expected calibration error {100 * error:.2f} %)"
    axes.set(title=f"Claimed probability and share right{told}", xlabel="claimed, %", ylabel="%")
    axes.grid(axis="y", alpha=0.3)
    axes.legend(loc="lower right")


def _times(axes: Axes, results: Results) -> None:
    frames = [r.run.steps for r in results.readings if r.run and r.run.observation]
    steps = list(frames[0]) if frames else []
    rows = np.arange(len(steps))
    for shift, colour, name, of in ((-0.2, _BLUE, "clock", "wall"), (0.2, _ORANGE, "CPU", "cpu")):
        taken = [1000 * np.array([getattr(f[s], of) for f in frames if s in f]) for s in steps]
        axes.barh(rows + shift, [t.mean() for t in taken], height=0.36, color=colour, label=f"{name}, mean")
        axes.plot([np.percentile(t, 95) for t in taken], rows + shift, "|", color="black", markersize=12)
    axes.set_yticks(rows, steps)
    axes.invert_yaxis()
    axes.set(title="Time a picture by step; the mark is the 95th percentile", xlabel="ms")
    axes.grid(axis="x", alpha=0.3)
    axes.legend(loc="lower right")
