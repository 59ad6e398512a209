"""The record of games as the commands open it that only read it."""

from __future__ import annotations

from companion.settings import folders
from companion.table.journal import Journal


def games_so_far() -> Journal:
    """The journal of this user as it stands now, an empty one if nothing was played yet. The disk is left alone.

    A game may be going on in a companion meanwhile. Raises JournalError if the journal cannot be read or is damaged.
    """
    return Journal(folders().journal, reading=True)
