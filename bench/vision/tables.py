"""The figures as tables, that can be printed or written as Markdown."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from bench.vision.kinds import confusions, count_kinds
from bench.vision.measure import Run, Time
from bench.vision.reliability import bins, expected_calibration_error
from bench.vision.results import CONDITIONS, Reading, Results
from bench.vision.scoring import HAND_ROWS, ROWS, Share

PLACES = 3
"""Of a kind of mistake, so many are named; all of a kind that is rare."""


class Table(NamedTuple):
    """`notes` say how to read it."""

    title: str
    notes: str
    header: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]

    def text(self) -> str:
        """For a terminal."""
        lines: list[tuple[str, ...]] = [self.header, *self.rows]
        widths = [max(len(line[i]) for line in lines) for i in range(len(self.header))]
        cells = ["  ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)).rstrip() for line in lines]
        return "\n".join([f"{self.title} ({self.notes})" if self.notes else self.title, *("  " + c for c in cells)])

    def markdown(self) -> str:
        """For the report."""
        lines: list[tuple[str, ...]] = [self.header, ("---",) * len(self.header), *self.rows]
        body = "\n".join("| " + " | ".join(c.replace("|", "\\|") for c in line) + " |" for line in lines)
        return f"### {self.title}\n\n" + (f"{self.notes}\n\n" if self.notes else "") + body


def all_tables(results: Results) -> list[Table]:
    """Every table that has rows."""
    tables = [
        against_bars(results),
        costs(results),
        by_session(results),
        by_condition(results),
        hands(results),
        kinds(results),
        reliability(results),
        mistakes(results),
        times(results),
        processes(results),
    ]
    return [table for table in tables if table.rows]


def summary_tables(results: Results) -> list[Table]:
    """Those of a set that is measured beside the first."""
    tables = [against_bars(results), costs(results), by_condition(results), kinds(results)]
    return [table for table in tables if table.rows]


def against_bars(results: Results) -> Table:
    """All sessions together."""
    scores = [r.score for r in results.readings]
    shares = [*results.scorer.shares(scores), *results.scorer.hand_shares(scores)]
    rows = [
        (row.label, _percent(share.value), _interval(share), f"{share.right} of {share.total}", _bar(row.bar, share))
        for row, share in zip((*ROWS, *HAND_ROWS), shares, strict=True)
        if share.total
    ]
    notes = (
        "frames without a hand; below them, of frames with one, what was not claimed wrongly, unknown being no claim. "
        "95 %: the interval that so few pictures leave"
    )
    return Table("All sessions together", notes, ("", "right, %", "95 %", "count", "bar, %"), rows)


def costs(results: Results) -> Table:
    """Time, memory and the corners of the hexes, against their bars."""
    runs = [run for run in results.runs if not run.failure]
    large = [run.large for run in runs if run.large]
    times = [f.time.wall for run in runs for f in run.frames if f.observation]
    measured = (
        ("a picture of the set, ms", [1000 * t for t in times], "pictures", 0, 100),
        ("a picture of 12 megapixels, ms", [1000 * t.wall for run in large for t in run.times], "pictures", 0, 250),
        ("memory, MB", [run.peak_mb for run in runs], "sessions", 0, 250),
        ("memory with pictures of 12 megapixels, MB", [run.peak_mb for run in large], "sessions", 0, 250),
        ("calibrating, s", _calibrating(runs, measured_lens=False), "sessions", 2, 1),
        ("calibrating with pictures of the lens, s", _calibrating(runs, measured_lens=True), "sessions", 2, None),
        ("corner of a hex from where it is printed, px", [e for run in runs for e in run.corners], "corners", 2, 0.5),
    )
    rows = [_cost(*row) for row in measured if row[1]]
    notes = (
        "on the machine above, by the clock. Pictures: without reading the file, the first of a session too; those of "
        "12 megapixels are the set's, enlarged to 4056 x 3040 with their rims mirrored. Memory: the most that the "
        "process which recognises ever had. Corners: in the picture of the empty board, where two or three clear lines "
        "meet; what measuring them adds is in it (up to 1 px of single corners: `calibration/README.md` has figures of "
        "tables whose camera's true place is known)"
    )
    return Table("Time, memory, corners", notes, ("", "mean", "95th", "largest", "of", "bar"), rows)


def _cost(name: str, values: Sequence[float], of: str, places: int, bar: float | None) -> tuple[str, ...]:
    """Reached if by all; `places`: decimals."""
    figures = (f"{v:.{places}f}" for v in (np.mean(values), np.percentile(values, 95), max(values)))
    return (name, *figures, f"{len(values)} {of}", "-" if bar is None else _verdict(values, bar))


def _verdict(found: Sequence[float], bar: float) -> str:
    beyond = sum(value > bar for value in found)
    return f"{bar:g}: {f'missed by {beyond} of {len(found)}' if beyond else 'reached'}"


def _calibrating(runs: Sequence[Run], *, measured_lens: bool) -> list[float]:
    """The seconds of each session that could be calibrated, of those with pictures of the lens sheet or without."""
    return [run.calibration.wall for run in runs if run.calibration and run.measured_lens == measured_lens]


def by_session(results: Results) -> Table:
    """One line a session."""
    return _accuracy("By session", results, [("session", v, group) for v, group in results.by_session().items()])


def by_condition(results: Results) -> Table:
    """One line for each value of each condition; hands have a table of their own."""
    groups = [(c, value, group) for c in CONDITIONS if c != "hand" for value, group in results.groups(c).items()]
    table = _accuracy("By condition", results, groups)
    return table._replace(notes=f"{table.notes}; with few tables a lens, a tilt or a turn may be one table")


def _accuracy(title: str, results: Results, groups: Sequence[tuple[str, str, list[Reading]]]) -> Table:
    rows = []
    for condition, value, group in groups:
        free = [r.score for r in group if not r.frame.hand]
        if free:
            shares = results.scorer.shares(free)
            cells = [_percent(shares[0].value), _interval(shares[0]), *(_percent(s.value) for s in shares[1:])]
            rows.append((condition, value, str(len(free)), *cells))
    labels = [row.label for row in ROWS]
    header = ("", "", "frames", labels[0], "95 %", *labels[1:])
    return Table(title, "% right, frames without a hand; the interval is that of the occupied hexes", header, rows)


def hands(results: Results) -> Table:
    """Wrong claims beside and under a hand, and what is not claimed."""
    rows = []
    for value, group in results.by_session().items():
        with_hand = [r.score for r in group if r.frame.hand]
        if with_hand:
            s = results.scorer.summary(with_hand)
            rows.append(
                (
                    value,
                    str(len(with_hand)),
                    f"{s['hand_visible_wrong_claims']} of {s['hand_visible_hexes']}",
                    _percent(s["hand_visible_unknown_share"]),
                    f"{s['hand_hidden_wrong_claims']} of {s['hand_hidden_hexes']}",
                    _percent(s["hand_hidden_unknown_share"]),
                    f"{s['hand_safe_lands_wrong']} of {s['hand_safe_lands_compared']}",
                )
            )
    header = (
        "session",
        "frames",
        "wrong in sight",
        "unknown, %",
        "wrong under the hand",
        "unknown, %",
        "safe lands wrong",
    )
    return Table("Frames with a hand", "no wrong claim is the bar; what a hand hides must be unknown", header, rows)


def kinds(results: Results) -> Table:
    """Precision and recall."""
    rows = [
        (
            k.name,
            str(k.found.total),
            _percent(k.found.value),
            _interval(k.found),
            _percent(k.true.value),
            _interval(k.true),
        )
        for k in count_kinds(results.scorer, (r.frame for r in results.readings), results.out)
    ]
    header = ("kind", "there", "found, %", "95 %", "claims true, %", "95 %")
    return Table("By kind", "recall and precision, frames without a hand", header, rows)


def reliability(results: Results) -> Table:
    """Claimed against right."""
    used = bins(results.claims())
    rows = [
        (
            f"{100 * b.low:g} to {100 * b.high:g}",
            str(b.share.total),
            _percent(b.claimed),
            _percent(b.share.value),
            _interval(b.share),
        )
        for b in used
    ]
    notes = (
        f"hexes that hold something or are said to, frames without a hand; "
        f"expected calibration error {100 * expected_calibration_error(used):.2f} %"
    )
    return Table("Are the probabilities right", notes, ("claimed, %", "claims", "mean, %", "right, %", "95 %"), rows)


def mistakes(results: Results) -> Table:
    """What was taken for what."""
    found = confusions((r.frame, r.score) for r in results.readings)
    rows = []
    for c in found:
        more = len(c.places) - PLACES
        where = "; ".join(c.places[:PLACES]) + (f"; {more} more" if more > 0 else "")
        rows.append((str(len(c.places)), c.truth, c.claim, where))
    return Table("Every wrong claim", "only what differs of a hex", ("times", "truth", "claim", "where"), rows)


def times(results: Results) -> Table:
    """Milliseconds a frame by step."""
    frames = [r.run.steps for r in results.readings if r.run and r.run.observation]
    if not frames:
        return Table("Time a picture", "", (), [])
    reading, *steps = frames[0]
    rows = [_time_row(step, [f[step] for f in frames if step in f]) for step in (reading, *steps)]
    whole = [r.run.time for r in results.readings if r.run and r.run.observation]
    rows.append(_time_row("all steps after reading the file", whole))
    large = [t for run in results.runs if run.large for t in run.large.times]
    if large:
        rows.append(_time_row("the same, for a picture of 12 megapixels", large))
    header = ("step", "clock, mean", "clock, 95th", "CPU, mean", "CPU, 95th")
    notes = "ms; CPU: all threads together. What else runs on the machine shows in the clock's"
    return Table("Time a picture", notes, header, rows)


def processes(results: Results) -> Table:
    """Once a session."""
    rows = [
        (
            run.session,
            f"{run.view_degrees:.0f}",
            f"{run.tilt_degrees:.0f}",
            f"{run.turn_degrees:.0f}",
            *_once(run),
            f"{run.peak_mb:.0f}",
            f"{run.large.peak_mb:.0f}" if run.large else "-",
        )
        for run in results.runs
        if not run.failure
    ]
    header = (
        "session",
        "lens, degrees",
        "tilt",
        "turn",
        "calibrating, s (CPU)",
        "starting, s (CPU)",
        "peak memory, MB",
        "at 12 megapixels, MB",
    )
    return Table("Once a session", "the memory is that of the process that recognises", header, rows)


def _once(run: Run) -> list[str]:
    return [f"{t.wall:.2f} ({t.cpu:.2f})" if t else "-" for t in (run.calibration, run.start)]


def _time_row(name: str, times: Sequence[Time]) -> tuple[str, ...]:
    columns = [np.array([t.wall for t in times]), np.array([t.cpu for t in times])]
    return (name, *(f"{1000 * v:.1f}" for c in columns for v in (c.mean(), np.percentile(c, 95))))


def _percent(value: float | None) -> str:
    """Two places, never rounded up to all of it."""
    if value is None or math.isnan(value):
        return "-"
    return f"{math.floor(10000 * value + 1e-9) / 100:.2f}".removesuffix(".00")


def _interval(share: Share) -> str:
    low, high = share.interval
    return f"{_percent(low)} to {_percent(high)}" if share.total else "-"


def _bar(bar: float | None, share: Share) -> str:
    if bar is None or not share.total:
        return "-"
    low, high = share.interval
    verdict = "reached" if share.value >= bar else "missed"
    return f"{_percent(bar)}: {verdict}{', too few to be sure' if low < bar < high else ''}"
