"""All that was measured over a set of sessions, and its groups by condition."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from bench.vision.measure import FrameRun, Run, run_session
from bench.vision.reliability import Claim, claims
from bench.vision.scoring import Score, Scorer
from bench.vision.sets import Frame, Session, pose_conditions, print_conditions

CONDITIONS = ("sea", "lines", "lens", "tilt", "turn", "light", "tint", "shadow", "crowding", "hand")
"""What frames are grouped by, in this order."""


class Reading(NamedTuple):
    """A frame, what was seen in it (None if its table could not be calibrated), how right that is."""

    frame: Frame
    run: FrameRun | None
    score: Score


class Results(NamedTuple):
    """A measured set; `out` holds the layouts."""

    sessions: list[Session]
    runs: list[Run]
    readings: list[Reading]
    scorer: Scorer
    out: Path

    def groups(self, condition: str) -> dict[str, list[Reading]]:
        """The readings by that condition's value, sorted by it."""
        found: dict[str, list[Reading]] = defaultdict(list)
        for reading in self.readings:
            if condition in reading.frame.conditions:
                found[reading.frame.conditions[condition]].append(reading)
        return dict(sorted(found.items()))

    def by_session(self) -> dict[str, list[Reading]]:
        """The readings of each session."""
        return {s.name: [r for r in self.readings if r.frame.session == s.name] for s in self.sessions}

    def failures(self) -> Iterator[str]:
        """What could not be calibrated or read, and why."""
        for run in self.runs:
            if run.failure:
                yield f"{run.session}: {run.failure}"
            yield from (f"{run.session}/{f.name}: {f.failure}" for f in run.frames if f.failure)
            if run.large:
                for name, failure in run.large.failures.items():
                    yield f"{run.session}/{name}, at 12 megapixels: {failure}"

    def claims(self) -> list[Claim]:
        """Every hex that was claimed in a frame without a hand, with its probability."""
        return [
            claim
            for frame, run, _ in self.readings
            if run and run.observation and not frame.hand
            for claim in claims(run.observation, frame.truth)
        ]


def measure(sessions: list[Session], score_file: Path, out: Path, *, large: bool = False) -> Iterator[Results]:
    """Run session after session; the results so far after each, so that progress can be told.

    `large`: at 12 megapixels, too; only time and memory are taken there.
    """
    scorer = Scorer(score_file)
    results = Results([], [], [], scorer, out)
    for session in sessions:
        run = run_session(session, out, large=large)
        seen = {f.name: f for f in run.frames}
        table = {} if run.failure else _table_conditions(run)
        frames = [msgspec.structs.replace(f, conditions={**table, **f.conditions}) for f in session.frames]
        results.sessions.append(session)
        results.runs.append(run)
        results.readings.extend(Reading(f, seen.get(f.name), scorer.score(f, out)) for f in frames)
        yield results


def _table_conditions(run: Run) -> dict[str, str]:
    """The conditions that the calibration tells."""
    pose = pose_conditions(run.view_degrees, run.tilt_degrees, run.turn_degrees)
    return pose | print_conditions(run.sea, run.lines)
