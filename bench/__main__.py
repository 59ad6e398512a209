"""`./deploy/bench [NAME...]`: runs the named benchmarks, or all of them in the order of the data's way."""

from __future__ import annotations

import importlib
import os
import platform
import sys

import companion

BENCHMARKS = ("rules", "simulated", "vision", "table", "ui")


def main(names: list[str]) -> int:
    """Run the benchmarks; exit status 2 for a name that is none."""
    if unknown := [n for n in names if n not in BENCHMARKS]:
        print(f"There is no benchmark named {unknown[0]!r}; there are: {', '.join(BENCHMARKS)}.", file=sys.stderr)
        return 2
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the program does
    print(f"companion {companion.__version__}, Python {platform.python_version()}, {platform.machine()}")
    for name in names or BENCHMARKS:
        print(f"\n== {name}", flush=True)
        importlib.import_module(f"bench.{name}").main()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
