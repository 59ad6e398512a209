"""The record of games as the commands open it that only read it."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator

from companion.settings import folders
from companion.table.journal import Journal, no_such_game


@contextlib.contextmanager
def games_so_far(wanted: str | None = None) -> Iterator[Journal]:
    """The journal of this user, an empty one in memory if nothing was played yet.

    If it was damaged, what was saved of it is told on standard error. Raises JournalError if it cannot be opened, or
    if a game is wanted and there is none.
    """
    path = folders().journal
    if wanted is not None and not path.exists():
        raise no_such_game(wanted, path)
    with Journal(path if path.exists() else ":memory:") as journal:
        if journal.notice is not None:
            print(f"companion: {journal.notice}", file=sys.stderr)
        yield journal
