"""`./deploy/bench vision [--sessions DIR] [--kept-out DIR] [--score FILE] [--report [FILE]] [--json FILE]`."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import msgspec

from bench.vision.report import write_report
from bench.vision.results import Results, measure
from bench.vision.sets import ROOT, Session, SetError, read_kept_out, read_sessions, shared_folder
from bench.vision.tables import all_tables, summary_tables

REPORT = ROOT / "docs" / "recognition-report.md"


def main(arguments: Sequence[str] = ()) -> None:
    """Measure and print; write the report if asked for. Exits with a sentence if a set cannot be read."""
    parser = _parser()
    args = parser.parse_args(arguments)
    if args.score and not args.score.is_file():
        parser.error(f"--score {args.score}: there is no such file")
    try:
        _run(args)
    except SetError as error:
        sys.exit(str(error))


def _run(args: argparse.Namespace) -> None:
    """Raises SetError."""
    shared = shared_folder()
    score = args.score or (shared / "score.py" if shared else None)
    folder = args.sessions or (shared / "dev" if shared else None)
    if folder is None or score is None:
        print("The recognition set is not there (../shared/vision, or set ATLANTIS_SHARED): nothing measured.")
        return
    sessions = read_sessions(folder)
    if not sessions:
        print(f"{folder}: there is no session with frames and their truth in it: nothing measured.")
        return
    with tempfile.TemporaryDirectory(prefix="companion-bench-") as out:
        results = _measured(sessions, score, Path(out), large=True)
        print("\n\n".join(table.text() for table in all_tables(results)))
        kept_out = None
        if args.kept_out and (tables := read_kept_out(args.kept_out)):
            kept_out = _measured(tables, score, Path(out))
            print("\nTables that were kept out of learning")
            print("\n\n".join(table.text() for table in summary_tables(kept_out)))
        for line in (*results.failures(), *(kept_out.failures() if kept_out else ())):
            print(f"FAILED {line}")
        if args.json:
            args.json.write_bytes(msgspec.json.encode(results.runs))
        if args.report:
            known = shared is not None and folder.resolve() == (shared / "dev").resolve()
            write_report(results, folder.name, args.report, looked_at=known, kept_out=kept_out)
            print(f"\nwritten: {args.report}, {args.report.with_suffix('.png')}")


def _measured(sessions: list[Session], score: Path, out: Path, *, large: bool = False) -> Results:
    """See `measure`; tells how far it is where somebody looks."""
    results = None
    for results in measure(sessions, score, out, large=large):
        if sys.stderr.isatty():
            print(f"{results.runs[-1].session}: {len(results.runs)} of {len(sessions)}", file=sys.stderr)
    assert results is not None
    return results


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="./deploy/bench vision")
    parser.add_argument(
        "--sessions", metavar="DIR", type=Path, help="sessions in the recognition set's form, instead of that set"
    )
    parser.add_argument(
        "--kept-out",
        metavar="DIR",
        type=Path,
        help="rendered tables: those that were kept out of learning are measured as well, with a section of their own",
    )
    parser.add_argument("--score", metavar="FILE", type=Path, help="the score.py to judge by, instead of that set's")
    parser.add_argument("--report", metavar="FILE", type=Path, nargs="?", const=REPORT, help=f"write {REPORT.name}")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write all that was observed, frame by frame")
    return parser
