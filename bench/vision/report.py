"""The report page: what was measured, on which pictures, what came out and what failed, with the plot."""

from __future__ import annotations

import datetime
import hashlib
import importlib.resources
import os
import platform
from pathlib import Path

import numpy as np

import companion
from bench.pose import photographed
from bench.vision.plot import draw
from bench.vision.results import Results
from bench.vision.tables import Table, all_tables, summary_tables
from companion.vision.network import WEIGHTS

_INTRODUCTION = """# How well pictures are read

Written by `./deploy/bench vision --report` on {day}; do not edit it, run it again.

Measured on {sessions} tables (sessions) with {frames} pictures, {free} without a hand and {hands} with one, from
the set `{name}`; companion {version}, weights {weights}; {machine}.
The pictures of a table were read one after the other, as `companion recognise` reads those that it is given: nothing
that stands in one helps to read the next, only the board is first looked for where it lay last. All that is known of
a table beforehand is its calibration. What is right is decided by the set's own `score.py`: a hex is right only if
everything on it is, and "unknown" counts as wrong. Intervals are Wilson's, 95 %.

{kind}
"""

_RECOGNITION_SET = """**The recognition set is rendered, not photographed**: no figure of it is one for a real table,
which has dust, wear and lamps that nobody thought of. Nothing is learnt from its tables, but they were looked at during
development and some choices were made having seen them: they are no unseen ones."""

_ANY_SET = """These tables are not the recognition set's: whether anything was learnt from them, or chosen having seen
them, is for whoever named them to say."""

_KEPT_OUT = """{sessions} sessions at tables of many kinds (`training`), of those that no weight is learnt from, read
as the ones above. They are harder than the recognition set: prints, paints, shapes, lamps and lenses vary more. The
temperatures and the share of old and new weights in their mean were chosen with such tables, so that they, too, are
no unseen ones.

"""

_NO_KEPT_OUT = """Not measured here: `./deploy/bench vision --report --kept-out DIR` adds them, DIR being where
`training.render` has written them. What came of them in each round of learning is in
`training/ROUNDS.md`."""

_PHOTOGRAPH = """All of the above is rendered. Of a real board there is one photograph, empty and from above, in no
repository: `./deploy/bench pose` fits the board to it from four taps, and draws it with `--overlay DIR`.
{found}
Real pieces have not been measured."""

_FITTED = "The printed lines lie {rms:.2f} px (rms) from the drawn ones, at most {most:.2f} px; {hits:.0f} % are met."


def write_report(results: Results, name: str, file: Path, *, looked_at: bool, kept_out: Results | None = None) -> None:
    """Write the page and, beside it, the plot; `name` is that of the set.

    `looked_at`: it is the recognition set, that development has seen. `kept_out`: measured besides.
    """
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
        version=companion.__version__,
        weights=weights_hash(),
        machine=f"{os.cpu_count()} CPU cores, {platform.machine()}, Python {platform.python_version()}",
        kind=_RECOGNITION_SET if looked_at else _ANY_SET,
    )
    words = "\n".join(f"- **{s.name}**: {s.words}" for s in results.sessions if s.words)
    sections = {
        "The tables": words,
        "What could not be read at all": _failures(results),
        "Figures": _markdown(all_tables(results)),
        "Tables that were kept out of learning": _kept_out(kept_out),
        "A real board": _photograph(),
    }
    text = "\n\n".join(f"## {title}\n\n{body}" for title, body in sections.items() if body)
    file.write_text(f"{introduction}\n![accuracy, probabilities, time]({plot.name})\n\n{text}\n", encoding="utf-8")


def weights_hash() -> str:
    """The first eight digits of the SHA-256 of all networks' files, one after the other, ordered by their paths."""
    with importlib.resources.as_file(WEIGHTS) as folder:
        files = sorted(folder.rglob("*.onnx"))
    return hashlib.sha256(b"".join(f.read_bytes() for f in files)).hexdigest()[:8]


def _kept_out(results: Results | None) -> str:
    if results is None:
        return _NO_KEPT_OUT
    introduction = _KEPT_OUT.format(sessions=len(results.sessions))
    return f"{introduction}{_failures(results)}\n\n{_markdown(summary_tables(results))}"


def _photograph() -> str:
    photo = photographed()
    if photo is None:
        return _PHOTOGRAPH.format(found="Here it was not at hand.")
    rms = float(np.sqrt((photo.off**2).mean()))
    return _PHOTOGRAPH.format(found=_FITTED.format(rms=rms, most=photo.off.max(), hits=100 * photo.fit.hits))


def _failures(results: Results) -> str:
    return "\n".join(f"- {line}" for line in results.failures()) or "Nothing: every picture could be read."


def _markdown(tables: list[Table]) -> str:
    return "\n\n".join(table.markdown() for table in tables)
