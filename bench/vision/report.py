"""The report page: what was measured, on which pictures, what came out and what failed, with the plot."""

from __future__ import annotations

import datetime
import os
import platform
from pathlib import Path

from bench.vision.plot import draw
from bench.vision.results import Results
from bench.vision.tables import all_tables

_INTRODUCTION = """# How well pictures are read

Written by `./deploy/bench vision --report` on {day}; do not edit it, run it again.

Measured on {sessions} tables (sessions) with {frames} pictures, {free} without a hand and {hands} with one, from
the set `{name}`; {machine}. Each picture was read alone, as `companion recognise` does, with no more knowledge of
its table than the calibration. What is right is decided by the set's own `score.py`: a hex is right only if everything
on it is, and "unknown" counts as wrong. Intervals are Wilson's, 95 %.

{kind}
"""

_KIND = """**The recognition set is rendered, not photographed**: no figure of it is one for a real table, which has
dust, wear and lamps that nobody thought of. Its tables were looked at during development: they are no unseen ones."""


def write_report(results: Results, name: str, file: Path) -> None:
    """Write the page and, beside it, the plot; `name` is that of the set."""
    file.parent.mkdir(parents=True, exist_ok=True)
    plot = file.with_suffix(".png")
    draw(results, plot)
    hands = sum(r.frame.hand for r in results.readings)
    introduction = _INTRODUCTION.format(
        day=datetime.date.today().isoformat(),
        sessions=len(results.sessions),
        frames=len(results.readings),
        free=len(results.readings) - hands,
        hands=hands,
        name=name,
        machine=f"{os.cpu_count()} CPU cores, {platform.machine()}, Python {platform.python_version()}",
        kind=_KIND,
    )
    tables = "\n\n".join(table.markdown() for table in all_tables(results))
    words = "\n".join(f"- **{s.name}**: {s.words}" for s in results.sessions if s.words)
    failures = "\n".join(f"- {line}" for line in results.failures()) or "Nothing: every picture could be read."
    file.write_text(
        f"{introduction}\n![accuracy, probabilities, time]({plot.name})\n\n## The tables\n\n{words}\n\n"
        f"## What could not be read at all\n\n{failures}\n\n## Figures\n\n{tables}\n",
        encoding="utf-8",
    )
