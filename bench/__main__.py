"""`./deploy/bench [NAME...]`: runs the named benchmarks, or all but the long ones in the order of the data's way.

`./deploy/bench vision --option...` hands the options to that one, if it takes some.
"""

from __future__ import annotations

import importlib
import itertools
import os
import platform
import sys

import companion

LONG = ("changes", "sequences", "track", "illegal", "appliance", "soak")
"""These take from minutes to hours, and are run by name only; so is `mockups`, which measures nothing."""

WITH_OPTIONS = ("pose", "vision", *LONG)
BENCHMARKS = (
    "rules",
    "simulated",
    "pose",
    "vision",
    "changes",
    "table",
    "sequences",
    "track",
    "illegal",
    "soak",
    "ui",
    "mockups",
    "appliance",
)


def main(arguments: list[str]) -> int:
    """Run the benchmarks; exit status 2 for a name that is none."""
    names = list(itertools.takewhile(lambda a: not a.startswith("-"), arguments))
    options = arguments[len(names) :]
    if unknown := [n for n in names if n not in BENCHMARKS]:
        print(f"There is no benchmark named {unknown[0]!r}; there are: {', '.join(BENCHMARKS)}.", file=sys.stderr)
        return 2
    if options and (len(names) != 1 or names[0] not in WITH_OPTIONS):
        print(f"{options[0]}: only the benchmarks {', '.join(WITH_OPTIONS)} have options.", file=sys.stderr)
        return 2
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the program does
    print(f"companion {companion.__version__}, Python {platform.python_version()}, {platform.machine()}")
    for name in names or [n for n in BENCHMARKS if n not in (*LONG, "mockups")]:
        print(f"\n== {name}", flush=True)
        importlib.import_module(f"bench.{name}").main(*([options] if options else []))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
