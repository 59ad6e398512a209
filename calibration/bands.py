"""Work on a picture's rows by several threads: in a band for each."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor

BANDS = 2
"""One for each core that recognition has. More would only hand Python's lock to and fro more often."""


def in_bands(rows: int, of: Callable[[slice], None], workers: Executor | None = None) -> None:
    """Call `of` with slices that make up so many rows, side by side if there are `workers`; wait until all is done.

    What it raises is raised.
    """
    if workers is None:
        of(slice(0, rows))
        return
    edges = [rows * band // BANDS for band in range(BANDS + 1)]
    list(workers.map(of, map(slice, edges[:-1], edges[1:])))
