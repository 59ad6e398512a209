"""The session and its journal, dealer and reconciler."""

from companion.table.errors import CannotAdopt, ConsentNeeded, JournalError, NothingToUndo, TableError
from companion.table.journal import Journal
from companion.table.session import Entry, PendingLook, Session, Source, UndoOffer
from companion.table.start import abandon, resume, start_game
from companion.table.summary import GameSummary, PlayerSummary

__all__ = [
    "CannotAdopt",
    "ConsentNeeded",
    "Entry",
    "GameSummary",
    "Journal",
    "JournalError",
    "NothingToUndo",
    "PendingLook",
    "PlayerSummary",
    "Session",
    "Source",
    "TableError",
    "UndoOffer",
    "abandon",
    "resume",
    "start_game",
]
